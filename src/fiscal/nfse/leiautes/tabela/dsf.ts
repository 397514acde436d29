import type { Leiaute } from '../leiaute.ts';

/** The web service names the prestador in the head of its answer only. */
export const dsf: Leiaute = {
  id: 'dsf',
  nome: 'DSF (web service)',
  fonte: 'Manual do web service ISSDSF (WsNFe2)',
  nota: { elemento: ['Nota'], tem: ['./NumeroNota', './DataProcessamento', './CodigoVerificacao'] },
  numero: ['./NumeroNota'],
  serieDoRps: ['./SerieRPS'],
  codigo: ['./CodigoVerificacao'],
  data: { campos: ['./DataProcessamento', './DataEmissaoRPS'] },
  prestador: { cpfCnpj: ['./CPFCNPJPrestador'], nome: ['./RazaoSocialPrestador'] },
  tomador: { cpfCnpj: ['./CPFCNPJTomador'], nome: ['./RazaoSocialTomador'] },
  intermediario: { cpfCnpj: ['./CPFCNPJIntermediario'], nome: ['./RazaoSocialIntermediario'] },
  aoRedor: {
    cpfCnpj: ['Cabecalho/CPFCNPJRemetente'],
    nome: ['Cabecalho/RazaoSocialRemetente'],
    inscricao: ['Cabecalho/InscricaoMunicipalPrestador'],
    municipio: ['Cabecalho/CodCidade'],
    confere: { nome: ['./RazaoSocialPrestador'], inscricao: ['./InscricaoMunicipalPrestador'] },
  },
  valor: ['./ValorTotalNota', './ValorServicos', './ValorTotal'],
  soma: ['./Itens/Item/ValorTotal'],
  municipio: { daReceita: true },
  prestacao: ['./MunicipioPrestacao'],
  situacao: [
    { tipo: 'situacao', campos: ['./SituacaoNota', './SituacaoRPS', './Situacao'] },
    { tipo: 'data', campos: ['./DataCancelamento'] },
    { tipo: 'motivo', campos: ['./MotCancelamento'] },
  ],
};
