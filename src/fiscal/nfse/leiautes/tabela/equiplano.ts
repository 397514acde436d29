import type { Leiaute } from '../leiaute.ts';

/** Its answers have the note's own fields in a group of the same name, and the parties beside that. */
export const equiplano: Leiaute = {
  id: 'equiplano',
  nome: 'Equiplano',
  fonte: 'XSD esnfs da Equiplano',
  nota: {
    elemento: ['nfse'],
    tem: ['.//nrNfse|nrNfs', './/prestador/nrCnpj|nrCpf|documento|cnpj|nrDocumento'],
  },
  numero: ['.//nrNfse|nrNfs'],
  serieDoRps: ['.//serieRps'],
  codigo: ['.//cdAutenticacao'],
  data: { campos: ['.//dtEmissaoNfs|dtEmissaoNfse'] },
  prestador: {
    cpfCnpj: ['.//prestador//nrCnpj|nrCpf|nrDocumento|cnpj'],
    nome: ['.//prestador//nmPrestador|razaoSocial'],
  },
  tomador: {
    cpfCnpj: ['.//tomador//nrDocumento|nrCnpj|nrCpf|cnpj'],
    nome: ['.//tomador//nmTomador|razaoSocial'],
  },
  valor: ['.//vlTotalNota|vlTotalRps|vlTotal'],
  municipio: {
    codigo: ['.//prestador//codigoMunicipio|nrCidadeIbge'],
    nome: ['.//prestador//nmCidade'],
    uf: ['.//prestador//nmUf|sgUf'],
  },
  situacao: [
    { tipo: 'sim_nao', campos: ['.//isCancelada|isNfsCancelada|isNfseCancelada'] },
    { tipo: 'data', campos: ['.//dtCancelamento'] },
    { tipo: 'motivo', campos: ['.//dsCancelamento|dsMotivoCancelamento'] },
  ],
};
