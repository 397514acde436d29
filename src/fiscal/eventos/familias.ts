import { COMUNS } from '../comuns/nomes.ts';
import { NAMESPACE_CTE, NAMESPACE_NFE } from '../leitura.ts';
import type { Modelo } from '../tipos.ts';
import { EVENTOS_CTE, EVENTOS_EM_COMUM, EVENTOS_NFE, type TipoDeEvento } from './tabela.ts';

/** How a family writes its registered events. @fonte XSD leiauteEvento_v1.00 */
export interface FamiliaDeEventos {
  sigla: string;
  namespace: string;
  /** The signed event and the answer that registers it. */
  evento: string;
  resposta: string;
  /** What to send, by the name of its element. */
  processado: string;
  /** Key of the document that it is about. */
  chave: string;
  /** Models of the documents that have such events. */
  modelos: readonly Modelo[];
  /** The same for people. */
  quais: string;
  /** cStat of an answer that registers. */
  registrados: readonly string[];
  tipos: Readonly<Record<string, TipoDeEvento>>;
}

/** 135 registered and linked, 136 registered but not linked, 155 cancelled out of time. @fonte cStat of MOC NF-e 7.0 */
export const EVENTOS_DA_NFE: FamiliaDeEventos = {
  sigla: 'NF-e',
  namespace: NAMESPACE_NFE,
  evento: 'evento',
  resposta: 'retEvento',
  processado: 'procEventoNFe',
  chave: 'chNFe',
  modelos: ['55', '65'],
  quais: 'NF-e (55) e NFC-e (65)',
  registrados: ['135', '136', '155'],
  tipos: EVENTOS_NFE,
};

/** CT-e knows 134 as well: registered for a document whose status is not "autorizada". @fonte MOC CT-e 4.00 */
export const EVENTOS_DO_CTE: FamiliaDeEventos = {
  sigla: 'CT-e',
  namespace: NAMESPACE_CTE,
  evento: 'eventoCTe',
  resposta: 'retEventoCTe',
  processado: 'procEventoCTe',
  chave: 'chCTe',
  modelos: ['57', '67', '64'],
  quais: 'CT-e (57), CT-e OS (67) e GTV-e (64)',
  registrados: ['134', '135', '136', '155'],
  tipos: EVENTOS_CTE,
};

/** Kinds of which the common parts are read: what their events are called follows from the name of the document. */
export const EVENTOS_COMUNS: readonly FamiliaDeEventos[] = COMUNS.flatMap(({ nomes, modelo }) =>
  nomes.map((nome) => ({
    sigla: nome,
    namespace: `http://www.portalfiscal.inf.br/${nome.toLowerCase()}`,
    evento: `evento${nome}`,
    resposta: `retEvento${nome}`,
    processado: `procEvento${nome}`,
    chave: `ch${nome}`,
    modelos: [modelo],
    quais: `${nome} (${modelo})`,
    registrados: EVENTOS_DO_CTE.registrados,
    tipos: EVENTOS_EM_COMUM,
  })),
);

/** The family of a document's name, such as `NFCom`. */
export function familiaComum(nome: string | null): FamiliaDeEventos | null {
  return EVENTOS_COMUNS.find(({ sigla }) => sigla === nome) ?? null;
}
