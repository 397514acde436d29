/**
 * The one list of what is read: how each kind is told, and who reads it. A new family adds its rows here, its
 * folder beside `nfe/`, and takes its names out of `especies.ts`.
 */

import { parseCfeCancelamento } from './cfe/cancelamento.ts';
import { parseCfe } from './cfe/parse.ts';
import { isCfe, isCfeCancelamento } from './cfe/reconhecer.ts';
import { parseComum } from './comuns/parse.ts';
import { isComum, isProcessedComumEvent } from './comuns/reconhecer.ts';
import { parseCte } from './cte/parse.ts';
import { isCte, isCteInutilizacao, isProcessedCteEvent } from './cte/reconhecer.ts';
import { isCancelamentoAntigo, parseCancelamentoAntigo } from './eventos/cancelamento-antigo.ts';
import { parseEvento, parseEventoComum, parseEventoCte } from './eventos/parse.ts';
import { parseInutilizacao, parseInutilizacaoCte } from './inutilizacao/parse.ts';
import type { Leitura } from './leitura.ts';
import { parseNfe } from './nfe/parse.ts';
import { isNfe, isNfeInutilizacao, isProcessedNfeEvent } from './nfe/reconhecer.ts';
import { isCancelamentoAbrasf, parseCancelamentoAbrasf } from './nfse/abrasf/evento.ts';
import type { LeiauteCompilado } from './nfse/leiautes/compilar.ts';
import type { Leiaute } from './nfse/leiautes/leiaute.ts';
import { notaMunicipalCom } from './nfse/leiautes/ler-ensinado.ts';
import { readComLeiaute } from './nfse/leiautes/ler-nota.ts';
import { NOTAS_MUNICIPAIS } from './nfse/leiautes/tabela.ts';
import { isEventoNfse, parseEventoNfse } from './nfse/nacional/evento.ts';
import { isNfseNacional, parseNfseNacional } from './nfse/nacional/nota.ts';
import type { Origem } from './origem.ts';
import type { Registro } from './tipos.ts';
import type { XmlElement, XmlTree } from './xml/tree.ts';

/** Reads one document that is the root of its own tree. */
export type Leitor = (input: {
  tree: XmlTree;
  root: XmlElement;
  /** Identity of the signed content, asked once the document is known to be readable. */
  digest: (signed: XmlElement) => string;
  /**
   * Where the document stood in the file that it was found in. Read only for what the document itself does not say
   * (the head of an answer that holds many notes), and told when it is.
   */
  origem?: Origem;
}) => Leitura<Registro>;

/** The reader of an element, or null when it is of another kind; the first that answers counts. */
export type Reconhecedor = (element: XmlElement) => Leitor | null;

function family(isOne: (element: XmlElement) => boolean, ler: Leitor): Reconhecedor {
  return (element) => (isOne(element) ? ler : null);
}

/** One for each layout: that two elements have one reader says that they are of one kind. */
const LEITORES_MUNICIPAIS = new Map<LeiauteCompilado, Leitor>();

/** Notes of cities are told and read by a table of layouts. */
function notaMunicipal(element: XmlElement): Leitor | null {
  const layout = NOTAS_MUNICIPAIS.reconhecer(element);
  if (!layout) return null;
  const known = LEITORES_MUNICIPAIS.get(layout);
  if (known) return known;
  const leitor: Leitor = (input) => readComLeiaute(layout, input);
  LEITORES_MUNICIPAIS.set(layout, leitor);
  return leitor;
}

export const FAMILIAS: readonly Reconhecedor[] = [
  family(isNfe, parseNfe),
  family(isProcessedNfeEvent, parseEvento),
  family(isCancelamentoAntigo, parseCancelamentoAntigo),
  family(isNfeInutilizacao, parseInutilizacao),
  family(isCte, parseCte),
  family(isProcessedCteEvent, parseEventoCte),
  family(isCteInutilizacao, parseInutilizacaoCte),
  family(isComum, parseComum),
  family(isProcessedComumEvent, parseEventoComum),
  family(isCfe, parseCfe),
  family(isCfeCancelamento, parseCfeCancelamento),
  family(isNfseNacional, parseNfseNacional),
  family(isEventoNfse, parseEventoNfse),
  notaMunicipal,
  family(isCancelamentoAbrasf, parseCancelamentoAbrasf),
];

/** The reader of an element; null where it is no document. @param familias what is read; by default what everybody reads */
export function leitorDe(element: XmlElement, familias = FAMILIAS): Leitor | null {
  for (const reconhecer of familias) {
    const ler = reconhecer(element);
    if (ler) return ler;
  }
  return null;
}

/**
 * What somebody reads who has described further layouts of cities.
 *
 * @param ensinados descriptions that passed their check (`nfse/leiautes/validar-leiaute.ts`), the first that fits counts
 */
export function familiasCom(ensinados: readonly Leiaute[]): readonly Reconhecedor[] {
  if (ensinados.length === 0) return FAMILIAS;
  const reconhecer = notaMunicipalCom(ensinados);
  return FAMILIAS.map((familia) => (familia === notaMunicipal ? reconhecer : familia));
}
