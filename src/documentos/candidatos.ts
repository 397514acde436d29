/**
 * The documents of a batch while it is being decided: what the office knows of each, and what is to be stored of it.
 */
import type { Documento } from '../fiscal/tipos.ts';
import { type DecisaoDaPeca, decidir, paraVersao, postoDe, type Versao } from './decidir.ts';
import { ehProtocolado, identidadeDe } from './identidade.ts';
import { lerProtocolo } from './protocolo-guardado.ts';
import * as queries from './queries.ts';
import type { Lote, PecaLida, RegistroSemItens, Trx } from './tipos.ts';

/**
 * Versions that are kept of one document, and events of one key: each batch that brings one looks at all of them. Ten times
 * what any document is known to have. One that would be served is kept whatever there is, and an event whose signature
 * holds where others are not: what anybody can make any number of keeps nothing out.
 */
export const VERSOES_MAX = 50;
export const EVENTOS_MAX = 100;
export const EVENTOS_INTEGROS_MAX = 300;

const DEMAIS = { kind: 'demais' } as const;

export type PecaComRegistro = Extract<PecaLida, { kind: 'registro' }>;

/** A document while its batch is being decided. */
export interface Candidato {
  /** null until its row is inserted. */
  id: number | null;
  novo: boolean;
  versoes: Versao[];
  /** Pieces whose bytes are to be stored, each with the outcome that made it so. */
  gravar: { peca: PecaComRegistro; arquivoNumero: number; versao: Versao }[];
  /** The served version has changed in this batch. */
  trocado: PecaComRegistro | null;
}

/** What was decided of a piece, and the document that it is of; of a piece that is no record, nothing. */
export interface Decidida {
  decisao: DecisaoDaPeca | null;
  candidato: Candidato | null;
}
export const NADA_DECIDIDO: Decidida = { decisao: null, candidato: null };

/** The id of its row. @throws Error before it has one: in a batch rows come first */
export function idDe(candidato: Candidato): number {
  if (candidato.id === null) throw new Error('a document has not been given its row');
  return candidato.id;
}

function chaveDeCandidato(registro: RegistroSemItens): string {
  return chaveDaLinha(registro, identidadeDe(registro));
}

function chaveDaLinha(
  { ambiente, classe, chave }: Pick<queries.DaMesmaChave, 'ambiente' | 'classe' | 'chave'>,
  identidade: string,
): string {
  return `${ambiente}|${classe}|${chave}|${identidade}`;
}

/** What the office has of the keys that a batch brings. */
export interface Conhecido {
  /** The documents that the batch brings, as far as they are there. */
  candidatos: Map<string, Candidato>;
  /** All records of those keys: these documents, and others. */
  daChave: readonly queries.DaMesmaChave[];
}

/** The key of a record: its own, or for an event that of its note. */
export function chaveDe({ chave }: RegistroSemItens): string {
  return chave;
}

/** Loads what the office knows of every document that the batch brings. */
export async function conhecer(
  trx: Trx,
  input: { contadorId: number; registros: readonly RegistroSemItens[] },
): Promise<Conhecido> {
  const { contadorId, registros } = input;
  const daChave = await queries.findPorChaves(trx, {
    contadorId,
    chaves: [...new Set(registros.map(chaveDe))],
  });
  if (daChave.length === 0) return { candidatos: new Map(), daChave };
  const procurados = new Set(registros.map(chaveDeCandidato));
  // A key has other events than those that the batch brings.
  const linhas = daChave.filter((linha) => procurados.has(chaveDaLinha(linha, linha.identidade)));
  const versoes = Map.groupBy(
    await queries.findVersoes(
      trx,
      linhas.map((linha) => linha.id),
    ),
    (versao) => versao.documento_id,
  );
  const candidatos = new Map<string, Candidato>();
  for (const linha of linhas) {
    candidatos.set(chaveDaLinha(linha, linha.identidade), {
      id: linha.id,
      novo: false,
      // Of a document that was deleted nothing is known any more: what comes is stored as if it were new.
      versoes: (versoes.get(linha.id) ?? []).filter(naoExcluida).map((row) => ({
        sha256: row.sha256,
        digest: row.digest,
        protocolado: row.protocolado === 1,
        nProt: row.protocolo ? lerProtocolo(row.protocolo, row.digest).nProt : null,
        integra: row.assinatura === 'integra',
        assinada: row.assinatura !== 'sem_assinatura',
        nacional: ehNacional(linha),
        posto: row.servida === 1 ? postoDaLinha(linha) : 0,
        servida: row.servida === 1,
      })),
      gravar: [],
      trocado: null,
    });
  }
  return { candidatos, daChave };
}

function postoDaLinha({ classe, status_protocolo: status }: queries.DaMesmaChave): number {
  return classe === 'documento' ? postoDe(status as Documento['statusProtocolo']) : 0;
}

/**
 * The layout parts only notes. Copies of one event are compared, whatever city or system wrote them: its row has the
 * national layout by the key of its note, which all of them have.
 */
function ehNacional({ classe, layout_nacional }: queries.DaMesmaChave): boolean {
  return classe === 'documento' && layout_nacional === 1;
}

function naoExcluida(row: queries.VersaoConhecida): boolean {
  return row.sha256 !== '';
}

/** Decides piece by piece, in order: a second copy within the batch meets the first one. */
export function decidirTodas(lotes: readonly Lote[], { candidatos, daChave }: Conhecido): Decidida[][] {
  const eventos = new EventosDasChaves(daChave);
  return lotes.map(({ arquivoNumero, pecas }) => {
    const decididas: Decidida[] = [];
    for (const peca of pecas)
      decididas.push(
        peca.kind === 'registro'
          ? decidirPeca({ peca, arquivoNumero }, { candidatos, eventos })
          : NADA_DECIDIDO,
      );
    return decididas;
  });
}

function decidirPeca(
  { peca, arquivoNumero }: { peca: PecaComRegistro; arquivoNumero: number },
  { candidatos, eventos }: { candidatos: Map<string, Candidato>; eventos: EventosDasChaves },
): Decidida {
  const { registro } = peca;
  const nova = paraVersao({
    sha256: peca.conteudo.sha256,
    digest: registro.digest,
    protocolado: ehProtocolado(registro),
    nProt: registro.protocolo?.nProt ?? null,
    assinatura: peca.assinatura.resultado,
    nacional: registro.classe === 'documento' && registro.layoutNacional,
    posto: registro.classe === 'documento' ? postoDe(registro.statusProtocolo) : 0,
  });
  const key = chaveDeCandidato(registro);
  const candidato = candidatos.get(key);
  if (!candidato) {
    if (registro.classe === 'evento' && !eventos.take(registro, nova))
      return { decisao: DEMAIS, candidato: null };
    nova.servida = true;
    const gravar = [{ peca, arquivoNumero, versao: nova }];
    const novo: Candidato = { id: null, novo: true, versoes: [nova], gravar, trocado: null };
    candidatos.set(key, novo);
    return { decisao: { kind: 'novo' }, candidato: novo };
  }
  const decisao: DecisaoDaPeca =
    candidato.versoes.length === 0
      ? { kind: 'atualizado' }
      : decidir({
          conhecidas: candidato.versoes,
          nova,
          porProtocolo: registro.classe !== 'documento',
          temRascunho: registro.classe === 'documento' && registro.chave.length === 44,
        });
  const stores = decisao.kind === 'atualizado' || decisao.kind === 'conflito';
  if (!stores) return { decisao, candidato };
  const serve = decisao.kind === 'atualizado' || decisao.serve;
  if (!serve && candidato.versoes.length >= VERSOES_MAX) return { decisao: DEMAIS, candidato };
  if (serve) {
    for (const versao of candidato.versoes) versao.servida = false;
    nova.servida = true;
    candidato.trocado = peca;
  }
  candidato.versoes.push(nova);
  candidato.gravar.push({ peca, arquivoNumero, versao: nova });
  return { decisao, candidato };
}

/** How many events there are of each key of a batch, those that it brings included. */
class EventosDasChaves {
  readonly #quantos = new Map<string, number>();

  constructor(daChave: readonly queries.DaMesmaChave[]) {
    for (const linha of daChave) if (linha.classe === 'evento') this.#add(linha, 1);
  }

  /** One more, unless there are too many. @returns whether there is room */
  take(registro: RegistroSemItens, { integra }: Pick<Versao, 'integra'>): boolean {
    if (this.#add(registro, 0) >= (integra ? EVENTOS_INTEGROS_MAX : EVENTOS_MAX)) return false;
    this.#add(registro, 1);
    return true;
  }

  #add({ ambiente, chave }: { ambiente: number; chave: string }, more: number): number {
    const nome = `${ambiente}/${chave}`;
    const quantos = (this.#quantos.get(nome) ?? 0) + more;
    this.#quantos.set(nome, quantos);
    return quantos;
  }
}
