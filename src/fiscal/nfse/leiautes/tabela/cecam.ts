import type { Leiaute } from '../leiaute.ts';

export const cecam: Leiaute = {
  id: 'cecam',
  nome: 'CECAM',
  fonte: 'Manual do web service ISSe da CECAM (ISSEConsultaNotaRetorno)',
  nota: { elemento: ['DadosNotaFiscal'], tem: ['./NumeroNF', './Emissao|ChaveValidacao'] },
  grupos: ['DadosItensNotaFiscal'],
  numero: ['./NumeroNF'],
  codigo: ['./ChaveValidacao'],
  data: { campos: ['./Emissao'] },
  prestador: { cpfCnpj: ['./CNPJCPFPrestador'], nome: ['./NomePrestador'] },
  tomador: { cpfCnpj: ['./CNPJCPFTomador'], nome: ['./NomeTomador'] },
  aoRedor: { cpfCnpj: ['Header/CNPJCPFPrestador'], nome: ['Header/NomePrestador'] },
  valor: ['./ValorTotalNota'],
  municipio: { nome: ['./CidadePrestador'], uf: ['./UFPrestador'] },
  situacao: [
    { tipo: 'situacao', campos: ['./SituacaoNF'], cancelada: ['C'], substituida: ['S'], normal: ['N'] },
    { tipo: 'data', campos: ['./DataCancelamento'] },
    { tipo: 'motivo', campos: ['./MotivoCancelamento'] },
  ],
};
