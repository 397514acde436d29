import type { Leiaute } from '../leiaute.ts';

/** What the portal exports: one `nfs` for each note, with its services, and yes or no for a cancellation. */
export const equiplanoPortal: Leiaute = {
  id: 'equiplano-portal',
  nome: 'Equiplano, do portal',
  fonte: 'Exportação listaNfs do portal da Equiplano (Ibaiti)',
  nota: { elemento: ['nfs'], tem: ['./nrNfs', './dtEmissaoNfs', './prestadorServico'] },
  grupos: ['servicos'],
  numero: ['./nrNfs'],
  codigo: ['./cdAutenticacao'],
  data: { campos: ['./dtEmissaoNfs'] },
  prestador: {
    cpfCnpj: ['./prestadorServico/nrDocumento|nrCnpj|nrCpf'],
    nome: ['./prestadorServico/nmPrestador'],
  },
  tomador: {
    cpfCnpj: ['./tomadorServico/nrDocumento|nrCnpj|nrCpf'],
    nome: ['./tomadorServico/nmTomador'],
  },
  valor: ['./vlTotalServicos'],
  soma: ['./servicos/servico/vlServico'],
  base: ['./vlTotalNota', './vlBaseCalculo'],
  municipio: {
    codigo: ['./prestadorServico/cdIbge'],
    nome: ['./prestadorServico/nmCidade'],
    uf: ['./prestadorServico/nmUf'],
  },
  situacao: [
    { tipo: 'sim_nao', campos: ['./isNfsCancelada|isCancelada'] },
    { tipo: 'data', campos: ['./dtCancelamento'] },
    { tipo: 'motivo', campos: ['./dsMotivoCancelamento|dsCancelamento'] },
  ],
};
