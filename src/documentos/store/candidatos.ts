/**
 * The documents of a batch while it is being decided: what the office knows of each, and what is to be stored of it.
 */
import type { Prova } from '../../fiscal/tipos.ts';
import * as queries from '../queries.ts';
import type { Lote, PecaLida, RegistroSemItens, Trx } from '../tipos.ts';
import { type DecisaoDaPeca, decidir, statusAlegado, type Versao } from './decidir.ts';
import { ehProtocolado, identidadeDe } from './identidade.ts';
import { NotasDasChaves } from './notas-dos-eventos.ts';
import { ehRascunho, versaoDaLinha } from './versoes.ts';

/**
 * Versions that are kept of one document, and events of one key: each batch that brings one looks at all of them. Ten times
 * what any document is known to have. One that would be served is kept whatever there is, and of events those that are
 * proven better where others are not: what anybody can make any number of keeps nothing out.
 */
export const VERSOES_MAX = 50;
export const EVENTOS_MAX: Readonly<Record<Prova, number>> = {
  declarada: 100,
  coerente: 200,
  assinada: 400,
  sefaz: 400,
};

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
  /** What versions that are not served say of its status. */
  alegado: string | null;
  /** What is seen of it has changed in this batch: it is new, or serves another version, or another status is claimed. */
  mudado: boolean;
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
  notas: NotasDasChaves;
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
  const notas = new NotasDasChaves(daChave);
  if (daChave.length === 0) return { candidatos: new Map(), daChave, notas };
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
      // A deleted document is forgotten: what comes is stored as if it were new.
      versoes: (versoes.get(linha.id) ?? [])
        .filter(naoExcluida)
        .map((row) => notas.guardada(versaoDaLinha(row, linha), linha)),
      gravar: [],
      trocado: null,
      alegado: linha.status_alegado,
      mudado: false,
    });
  }
  return { candidatos, daChave, notas };
}

function naoExcluida(row: queries.VersaoConhecida): boolean {
  return row.sha256 !== '';
}

/**
 * Decides piece by piece, in order: a second copy within the batch meets the first one. Events come last, since who may write one
 * is told by the document, whichever of its versions is served then.
 */
export function decideAll(lotes: readonly Lote[], { candidatos, daChave, notas }: Conhecido): Decidida[][] {
  const eventos = new EventosDasChaves(daChave);
  const decididas = lotes.map(({ pecas }) => pecas.map(() => NADA_DECIDIDO));
  for (const deEventos of [false, true]) {
    for (const [at, { arquivoNumero, pecas }] of lotes.entries())
      for (const [place, peca] of pecas.entries()) {
        if (peca.kind !== 'registro' || (peca.registro.classe === 'evento') !== deEventos) continue;
        const decidida = decidePeca({ peca, arquivoNumero }, { candidatos, eventos, notas });
        const dele = decididas[at];
        if (dele) dele[place] = decidida;
      }
    if (!deEventos && haEventos(lotes, daChave)) notas.note(candidatos);
  }
  return decididas;
}

/** Most batches have none, and nobody asks what their documents tell. */
function haEventos(lotes: readonly Lote[], daChave: readonly queries.DaMesmaChave[]): boolean {
  return (
    daChave.some(({ classe }) => classe === 'evento') ||
    lotes.some(({ pecas }) => pecas.some((um) => um.kind === 'registro' && um.registro.classe === 'evento'))
  );
}

function decidePeca(
  { peca, arquivoNumero }: { peca: PecaComRegistro; arquivoNumero: number },
  {
    candidatos,
    eventos,
    notas,
  }: { candidatos: Map<string, Candidato>; eventos: EventosDasChaves; notas: NotasDasChaves },
): Decidida {
  const nova = notas.julgada(versaoDaPeca(peca), peca.registro);
  const key = chaveDeCandidato(peca.registro);
  const candidato = candidatos.get(key);
  const gravar = { peca, arquivoNumero, versao: nova };
  if (!candidato) {
    if (peca.registro.classe === 'evento' && !eventos.take(peca.registro, nova.prova))
      return { decisao: DEMAIS, candidato: null };
    nova.servida = true;
    const novo: Candidato = {
      id: null,
      novo: true,
      versoes: [nova],
      gravar: [gravar],
      trocado: null,
      alegado: null,
      mudado: true,
    };
    candidatos.set(key, novo);
    return { decisao: { kind: 'novo' }, candidato: novo };
  }
  // A person has set aside what others of these say: nothing but what is served in their place settles it.
  nova.afastada = candidato.versoes.some(({ afastada }) => afastada);
  const decisao: DecisaoDaPeca =
    candidato.versoes.length === 0
      ? { kind: 'atualizado', serve: true }
      : decidir({ conhecidas: candidato.versoes, nova });
  if (decisao.kind === 'duplicado' || decisao.kind === 'conflito_conhecido') return { decisao, candidato };
  const serve = 'serve' in decisao && decisao.serve;
  if (!serve && candidato.versoes.length >= VERSOES_MAX) return { decisao: DEMAIS, candidato };
  if (serve) {
    for (const versao of candidato.versoes) versao.servida = false;
    nova.servida = true;
    nova.afastada = false;
    candidato.trocado = peca;
  }
  if (candidato.trocado || decisao.kind === 'atualizado') candidato.mudado = true;
  candidato.versoes.push(nova);
  candidato.gravar.push(gravar);
  if (peca.registro.classe === 'documento') candidato.alegado = statusAlegado(candidato.versoes);
  return { decisao, candidato };
}

/** A piece as the decision looks at it: a version that nobody serves yet. */
function versaoDaPeca({ registro, conteudo, prova: { prova, falhas } }: PecaComRegistro): Versao {
  const protocolado = ehProtocolado(registro);
  return {
    sha256: conteudo.sha256,
    digest: registro.digest,
    protocolado,
    nProt: registro.protocolo?.nProt ?? null,
    digVal: registro.protocolo?.digVal ?? null,
    prova,
    falhas,
    nacional: registro.classe === 'documento' && registro.layoutNacional,
    rascunho: ehRascunho({ chave: registro.chave, protocolado, falhas }),
    status: registro.classe === 'documento' ? registro.statusProtocolo : 'Autorizada',
    escolhida: false,
    afastada: false,
    servida: false,
  };
}

/** How many events there are of each key of a batch, those that it brings included. */
class EventosDasChaves {
  readonly #quantos = new Map<string, number>();

  constructor(daChave: readonly queries.DaMesmaChave[]) {
    for (const linha of daChave) if (linha.classe === 'evento') this.#add(linha, 1);
  }

  /** One more, unless there are too many. @returns whether there is room */
  take(registro: { ambiente: number; chave: string }, prova: Prova): boolean {
    if (this.#add(registro, 0) >= EVENTOS_MAX[prova]) return false;
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
