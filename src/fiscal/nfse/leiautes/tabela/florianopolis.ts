import type { Leiaute } from '../leiaute.ts';

/** Its number is called `numeroSerie`: elsewhere that is a series. */
export const florianopolis: Leiaute = {
  id: 'florianopolis',
  nome: 'Florianópolis (NFPS-e)',
  fonte: 'Manual da NFPS-e da Prefeitura de Florianópolis',
  nota: { elemento: ['xmlNfpse', 'xmlNfse'], tem: ['./numeroSerie', './codigoVerificacao|cnpjPrestador'] },
  numero: ['./numeroSerie'],
  codigo: ['./codigoVerificacao'],
  data: { campos: ['./dataEmissao', './dataProcessamento'] },
  prestador: { cpfCnpj: ['./cnpjPrestador|cpfPrestador'], nome: ['./razaoSocialPrestador'] },
  tomador: { cpfCnpj: ['./identificacaoTomador'], nome: ['./razaoSocialTomador'] },
  valor: ['./valorTotalServicos'],
  municipio: { nome: ['./nomeMunicipioPrestador'], fixo: '4205407' },
  situacao: [
    { tipo: 'data', campos: ['./dataCancelamento'] },
    { tipo: 'situacao', campos: ['./statusNFPSe'] },
    { tipo: 'motivo', campos: ['./motivoCancelamento'] },
  ],
  teste: ['./homologacao'],
};
