import type { Leiaute } from '../leiaute.ts';

export const webfisco: Leiaute = {
  id: 'webfisco',
  nome: 'WebFisco',
  fonte: 'Web service ConsultaNfe da WebFisco e exportação do portal',
  nota: { elemento: ['item', 'Nota'], tem: ['./nfenumero', './emitentecnpj'] },
  numero: ['./nfenumero'],
  codigo: ['./nfeautenticacao'],
  data: { campos: ['./nfedata'], hora: ['./nfehora'] },
  prestador: { cpfCnpj: ['./emitentecnpj'], nome: ['./emitentersocial'] },
  tomador: { cpfCnpj: ['./destinatariocnpj'], nome: ['./destinatariorsocial'] },
  valor: ['./nfevalor'],
  // Whether it was cancelled: NAO or SIM.
  situacao: [
    { tipo: 'sim_nao', campos: ['./nfestatus'] },
    { tipo: 'data', campos: ['./nfedatacancelamento'] },
  ],
  mutaveis: ['nfestatus', 'nfelink'],
};
