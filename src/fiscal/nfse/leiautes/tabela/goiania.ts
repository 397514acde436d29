import type { Leiaute } from '../leiaute.ts';
import { abrasf } from './abrasf.ts';

/** ABRASF 2.00, with one word on the note (`NORMAL`, `CANCELADA`, `SUBSTITUIDA`) among the messages of the answer. */
export const goiania: Leiaute = {
  ...abrasf,
  id: 'goiania',
  nome: 'Goiânia, do portal e do web service',
  fonte: 'XSD nfse_gyn_v02, e a exportação do portal de Goiânia',
  nota: {
    ...abrasf.nota,
    aoLado: [...(abrasf.nota.aoLado ?? []), 'ListaMensagemRetorno'],
    namespace: ['nfse.goiania.go.gov.br'],
  },
  situacao: [
    ...(abrasf.situacao ?? []),
    { tipo: 'situacao', campos: ['//ListaMensagemRetorno/MensagemRetorno/Mensagem'] },
  ],
};
