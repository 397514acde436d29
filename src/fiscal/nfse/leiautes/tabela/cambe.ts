import type { Leiaute } from '../leiaute.ts';

export const cambe: Leiaute = {
  id: 'cambe',
  nome: 'Cambé',
  fonte: 'Web service de NFS-e de Cambé (ListaDadosNFSeInfo)',
  nota: {
    elemento: ['NFSe'],
    tem: ['./identificacaoNFSe/numero', './/dadosPrestador/prestadorCNPJ|prestadorCPF|prestadorCPFCNPJ'],
  },
  numero: ['./identificacaoNFSe/numero'],
  codigo: ['./identificacaoNFSe/codigoVerificacao'],
  data: { campos: ['./identificacaoNFSe/dataEmissao'] },
  prestador: {
    cpfCnpj: ['.//dadosPrestador/prestadorCNPJ|prestadorCPF|prestadorCPFCNPJ'],
    nome: ['.//dadosPrestador/prestadorRazaoSocial'],
  },
  tomador: {
    cpfCnpj: ['.//dadosTomador/tomadorCPFCNPJ|tomadorCNPJ|tomadorCPF'],
    nome: ['.//dadosTomador/tomadorRazaoSocial'],
  },
  valor: ['./demaisDados/servicoValor'],
  base: ['./demaisDados/valorBaseCalculo'],
  municipio: { codigo: ['./demaisDados/municipioOrgaoGerador', './/dadosPrestador/prestadorMunicipio'] },
  prestacao: ['./demaisDados/municipioPrestacao', './demaisDados/municipioIncidencia'],
  situacao: [
    { tipo: 'substituta', campos: ['./substituicaoNFSe/NFSeSubstituta'] },
    { tipo: 'situacao', campos: ['./identificacaoNFSe/situacao', './identificacaoNFSe/status'] },
    { tipo: 'data', campos: ['.//dataCancelamento'] },
    { tipo: 'motivo', campos: ['.//motivoCancelamento'] },
  ],
  substitui: ['./substituicaoNFSe/NFSeSubstituida'],
  mutaveis: ['substituicaoNFSe', 'linkImpressao'],
};
