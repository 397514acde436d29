/**
 * The judge: from a journal alone to violations of the invariants I1–I9. Pure, and strange to the product: it imports
 * nothing of `src/`. `julgar.test.ts` feeds it journals with each fault.
 */
import type { DocumentoEnviado, EntradaVista, Escopo, Fato } from './diario.ts';

export interface Violacao {
  /** `I1` … `I9`; `HTTP` for an answer that no rule allows. */
  regra: string;
  detalhe: string;
}

export interface Exigencias {
  /** What files end as; another end is a violation of I1. Default: `Uploaded`. */
  finais?: readonly string[];
  /** I1: a terminal state within this time after the system is up. Default 60 s. */
  prazoMs?: number;
}

const TERMINAIS = new Set(['Uploaded', 'Com Erro', 'Expirado']);
const ORDEM = new Map([
  ['Aguardando Upload', 0],
  ['Em Processamento', 1],
  ['Uploaded', 2],
  ['Com Erro', 2],
  ['Expirado', 2],
]);
const PRAZO_MS = 60_000;
/** More of one rule say nothing new. */
const MOSTRADAS = 20;

type De<F extends Fato['fato']> = Extract<Fato, { fato: F }>;

class Fatos {
  readonly #byKind: Map<string, Fato[]>;

  constructor(fatos: readonly Fato[]) {
    this.#byKind = Map.groupBy(fatos, ({ fato }) => fato);
  }

  de<F extends Fato['fato']>(fato: F): De<F>[] {
    return (this.#byKind.get(fato) ?? []) as De<F>[];
  }
}

/** Every breach of an invariant that the journal proves; none for a sound run. */
export function julgar(journal: readonly Fato[], exigencias: Exigencias = {}): Violacao[] {
  const fatos = new Fatos(journal);
  return [
    terminam(fatos, exigencias),
    umaVezCada(fatos),
    nadaPerdido(fatos),
    densos(fatos),
    mesmosBytes(fatos),
    soOsSeus(fatos),
    soParaFrente(fatos),
    semOrfaos(fatos),
    semSegredos(fatos),
    semRespostaIndevida(fatos),
  ].flatMap((violations) => violations.slice(0, MOSTRADAS));
}

/** I1: every acknowledged file reaches a terminal state, soon after the system is up. */
function terminam(fatos: Fatos, { finais = ['Uploaded'], prazoMs = PRAZO_MS }: Exigencias): Violacao[] {
  const upAt = Math.max(0, ...fatos.de('no_ar').map(({ em }) => em));
  const ends = new Map<string, De<'status'>>();
  for (const seen of fatos.de('status')) {
    if (TERMINAIS.has(seen.status) && !ends.has(seen.id)) ends.set(seen.id, seen);
  }
  const logs = new Map(fatos.de('log').map(({ id, log }) => [id, log]));
  return fatos.de('aceito').flatMap(({ id, em }) => {
    const end = ends.get(id);
    if (!end) return [{ regra: 'I1', detalhe: `${id} foi aceito e não chegou a um estado final` }];
    if (!finais.includes(end.status)) {
      return [
        { regra: 'I1', detalhe: `${id} terminou ${end.status}: ${(logs.get(id) ?? '').slice(0, 400)}` },
      ];
    }
    const waited = end.em - Math.max(em, upAt);
    return waited > prazoMs ? [{ regra: 'I1', detalhe: `${id} só terminou depois de ${waited} ms` }] : [];
  });
}

interface Esperado {
  /** In a file that was acknowledged: must be there. */
  obrigatorio: boolean;
  sha256s: Set<string>;
}

/** For each feed what may and what must be in it. */
function esperados(fatos: Fatos): Map<Escopo, Map<string, Esperado>> {
  const accepted = new Set(fatos.de('aceito').map(({ id }) => id));
  const acked = new Set(fatos.de('ticket').flatMap(({ id, arquivo }) => (accepted.has(id) ? [arquivo] : [])));
  const feeds = new Map<Escopo, Map<string, Esperado>>();
  const add = (escopo: Escopo, documento: DocumentoEnviado, obrigatorio: boolean) => {
    const feed = feeds.get(escopo) ?? new Map<string, Esperado>();
    feeds.set(escopo, feed);
    const known = feed.get(documento.identidade) ?? { obrigatorio: false, sha256s: new Set<string>() };
    known.obrigatorio ||= obrigatorio;
    known.sha256s.add(documento.sha256);
    feed.set(documento.identidade, known);
  };
  for (const { nome, documentos } of fatos.de('arquivo')) {
    for (const documento of documentos) {
      for (const escopo of documento.escopos) add(escopo, documento, acked.has(nome));
    }
  }
  return feeds;
}

/** I2: each document of an acknowledged file is in each of its feeds exactly once; no item is told twice. */
function umaVezCada(fatos: Fatos): Violacao[] {
  const read = new Set(fatos.de('feed_lido').map(({ escopo }) => escopo));
  const finals = Map.groupBy(fatos.de('final'), ({ escopo }) => escopo);
  const violations: Violacao[] = [];
  for (const [escopo, feed] of esperados(fatos)) {
    if (!read.has(escopo)) {
      violations.push({ regra: 'I2', detalhe: `o feed ${escopo} não foi lido até o fim` });
      continue;
    }
    const times = new Map<string, number>();
    for (const { identidade } of finals.get(escopo) ?? []) {
      times.set(identidade, (times.get(identidade) ?? 0) + 1);
    }
    for (const [identidade, { obrigatorio }] of feed) {
      const count = times.get(identidade) ?? 0;
      if (obrigatorio && count === 0)
        violations.push({ regra: 'I2', detalhe: `${identidade} falta em ${escopo}` });
      if (count > 1)
        violations.push({ regra: 'I2', detalhe: `${identidade} está ${count} vezes em ${escopo}` });
    }
  }
  const arquivos = new Map(fatos.de('arquivo').map(({ nome, documentos }) => [nome, documentos.length]));
  const sentAs = new Map(fatos.de('ticket').map(({ id, arquivo }) => [id, arquivo]));
  for (const { id, quantos, repetidos } of fatos.de('itens')) {
    for (const caminho of repetidos) {
      violations.push({ regra: 'I2', detalhe: `${id}: o item ${caminho} aparece mais de uma vez` });
    }
    const least = arquivos.get(sentAs.get(id) ?? '') ?? 1;
    if (quantos < least)
      violations.push({ regra: 'I2', detalhe: `${id}: ${quantos} itens de ${least} documentos` });
  }
  return violations;
}

/** I3: each live poller saw exactly what the table holds, in its order. */
function nadaPerdido(fatos: Fatos): Violacao[] {
  const finals = Map.groupBy(fatos.de('final'), ({ escopo }) => escopo);
  const pollers = Map.groupBy(fatos.de('visto'), ({ escopo, quem }) => `${escopo} ${quem}`);
  const violations: Violacao[] = [];
  for (const [poller, seen] of pollers) {
    const table = finals.get(seen[0]?.escopo ?? '') ?? [];
    const bySight = new Map(seen.map((entry) => [entry.nsu, entry]));
    for (const entry of table) {
      const sight = bySight.get(entry.nsu);
      if (!sight) violations.push({ regra: 'I3', detalhe: `${poller} não viu o NSU ${entry.nsu}` });
      else if (sight.identidade !== entry.identidade) {
        violations.push({
          regra: 'I4',
          detalhe: `${poller}: o NSU ${entry.nsu} era ${sight.identidade} e ficou ${entry.identidade}`,
        });
      }
    }
    const last = table.at(-1)?.nsu ?? 0;
    for (const { nsu } of seen) {
      if (nsu > last) violations.push({ regra: 'I3', detalhe: `${poller} viu o NSU ${nsu}, que não existe` });
    }
  }
  return violations;
}

/** I4: 1, 2, 3 … in the table, ever higher for each poller, and the same for everybody at any time. */
function densos(fatos: Fatos): Violacao[] {
  const violations: Violacao[] = [];
  for (const [escopo, table] of Map.groupBy(fatos.de('final'), (entry) => entry.escopo)) {
    const wrong = table.findIndex(({ nsu }, at) => nsu !== at + 1);
    if (wrong >= 0) {
      const detalhe = `${escopo}: na posição ${wrong + 1} está o NSU ${table[wrong]?.nsu}`;
      violations.push({ regra: 'I4', detalhe });
    }
  }
  for (const { escopo, quantos, total } of fatos.de('feed_lido')) {
    if (quantos !== total)
      violations.push({ regra: 'I4', detalhe: `${escopo}: total ${total}, mas ${quantos} entradas` });
  }
  const known = new Map<string, EntradaVista>();
  const lastOf = new Map<string, number>();
  for (const entry of fatos.de('visto')) {
    const poller = `${entry.escopo} ${entry.quem}`;
    const last = lastOf.get(poller) ?? 0;
    if (entry.nsu <= last)
      violations.push({ regra: 'I4', detalhe: `${poller} recebeu o NSU ${entry.nsu} depois do ${last}` });
    lastOf.set(poller, entry.nsu);
    const at = `${entry.escopo} ${entry.nsu}`;
    const before = known.get(at);
    if (before && before.identidade !== entry.identidade) {
      const detalhe = `${at} era ${before.identidade} e foi ${entry.identidade}`;
      violations.push({ regra: 'I4', detalhe });
    }
    known.set(at, entry);
  }
  return violations;
}

/** I5: bytes out are bytes in. */
function mesmosBytes(fatos: Fatos): Violacao[] {
  const feeds = esperados(fatos);
  const answered = [...fatos.de('final'), ...fatos.de('visto'), ...fatos.de('baixado')];
  return answered.flatMap(({ fato, escopo, identidade, sha256 }) => {
    const expected = feeds.get(escopo)?.get(identidade);
    if (!expected || expected.sha256s.has(sha256)) return [];
    return [{ regra: 'I5', detalhe: `${identidade} em ${escopo} (${fato}) tem outros bytes` }];
  });
}

/** I6: nothing in a feed but what was sent for it. */
function soOsSeus(fatos: Fatos): Violacao[] {
  const feeds = esperados(fatos);
  const foreign = new Set<string>();
  for (const { escopo, identidade } of [...fatos.de('final'), ...fatos.de('visto')]) {
    if (!feeds.get(escopo)?.has(identidade)) foreign.add(`${identidade} está em ${escopo}, que não o enviou`);
  }
  return [...foreign].map((detalhe) => ({ regra: 'I6', detalhe }));
}

/** I7: a status only goes forward, and a terminal one stays. */
function soParaFrente(fatos: Fatos): Violacao[] {
  const violations: Violacao[] = [];
  for (const [, seen] of Map.groupBy(fatos.de('status'), ({ id, quem }) => `${id} ${quem}`)) {
    for (const [at, { id, status }] of seen.entries()) {
      const rank = ORDEM.get(status);
      if (rank === undefined) violations.push({ regra: 'I7', detalhe: `${id}: status ${status}` });
      const before = seen[at - 1];
      if (!before) continue;
      const back = (rank ?? 0) < (ORDEM.get(before.status) ?? 0);
      const changed = TERMINAIS.has(before.status) && before.status !== status;
      if (back || changed)
        violations.push({ regra: 'I7', detalhe: `${id}: ${before.status} e depois ${status}` });
    }
  }
  const ends = new Map<string, string>();
  for (const { id, status } of fatos.de('status')) {
    if (!TERMINAIS.has(status)) continue;
    const before = ends.get(id) ?? status;
    if (before !== status) violations.push({ regra: 'I7', detalhe: `${id}: ${before} e ${status}` });
    ends.set(id, before);
  }
  return violations;
}

/** I8: `malote verificar` finds nothing. */
function semOrfaos(fatos: Fatos): Violacao[] {
  const runs = fatos.de('verificar');
  if (runs.length === 0) return [{ regra: 'I8', detalhe: 'malote verificar não foi executado' }];
  return runs.flatMap(({ codigo, achados }) => [
    ...achados.map((detalhe) => ({ regra: 'I8', detalhe })),
    ...(codigo !== 0 && achados.length === 0
      ? [{ regra: 'I8', detalhe: `malote verificar terminou com código ${codigo}` }]
      : []),
  ]);
}

/** I9: no stack and no secret in an answer, none of the latter in a log. */
function semSegredos(fatos: Fatos): Violacao[] {
  return fatos.de('vazamento').map(({ onde, trecho }) => ({ regra: 'I9', detalhe: `${onde}: ${trecho}` }));
}

function semRespostaIndevida(fatos: Fatos): Violacao[] {
  return fatos
    .de('resposta_indevida')
    .map(({ status, onde, trecho }) => ({ regra: 'HTTP', detalhe: `${onde}: ${status} ${trecho}` }));
}
