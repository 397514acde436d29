/**
 * Words that many narrow rows repeat, and the codes that these rows keep in their place (`participante`,
 * `participacao`, `entrada`). A word's code is its place in its list.
 *
 * The lists only ever grow at their end: rows hold the codes, and the migrations that wrote them (0019) the same
 * numbers. The commonest words come first, since SQLite keeps 0 and 1 in no byte.
 */
import type {
  CodigoDeClasse,
  CodigoDeMotivo,
  CodigoDePapel,
  CodigoDeStatus,
  CodigoDeTipo,
} from '../../banco/tabelas.ts';
import type { Papel, Registro, StatusDocumento } from '../../fiscal/tipos.ts';
import type { Motivo } from './motivos.ts';

export type TipoDeParticipacao = 'Emitida' | 'Recebida';

/** Words of a column in the order of their codes. */
class Codificacao<Palavra extends string, Codigo extends number> {
  readonly palavras: readonly Palavra[];
  readonly #codigos: ReadonlyMap<string, Codigo>;

  constructor(palavras: readonly Palavra[]) {
    this.palavras = palavras;
    this.#codigos = new Map(palavras.map((palavra, codigo) => [palavra, codigo as Codigo]));
  }

  /** @throws RangeError for a code that no list has: it was damaged, or written by a later version */
  ler(codigo: Codigo): Palavra {
    const palavra = this.palavras[codigo];
    if (palavra === undefined) throw new RangeError(`no word has the code ${codigo}`);
    return palavra;
  }

  /** @throws RangeError for a word that has no code */
  escrever(palavra: string): Codigo {
    const codigo = this.#codigos.get(palavra);
    if (codigo === undefined) throw new RangeError(`the word ${palavra} has no code`);
    return codigo;
  }

  /** The word, or the code itself where there is none: for the consistency check, which tells of such a row. */
  mostrar(codigo: Codigo): string {
    return this.palavras[codigo] ?? String(codigo);
  }
}

export const PAPEL_EM_CODIGO = new Codificacao<Papel, CodigoDePapel>([
  'emitente',
  'destinatario',
  'prestador',
  'tomador',
  'remetente',
  'expedidor',
  'recebedor',
  'transportador',
  'intermediario',
  'retirada',
  'entrega',
  'autorizado',
]);

export const TIPO_EM_CODIGO = new Codificacao<TipoDeParticipacao, CodigoDeTipo>(['Emitida', 'Recebida']);

export const CLASSE_EM_CODIGO = new Codificacao<Registro['classe'], CodigoDeClasse>([
  'documento',
  'evento',
  'inutilizacao',
]);

export const STATUS_EM_CODIGO = new Codificacao<StatusDocumento, CodigoDeStatus>([
  'Autorizada',
  'Evento',
  'Cancelada',
  'CartaCorrecao',
  'Denegada',
  'Pendente',
  'Inutilizada',
  'Faltante',
]);

export const MOTIVO_EM_CODIGO = new Codificacao<Motivo, CodigoDeMotivo>([
  'versao',
  'status',
  'escolhida',
  'afastado',
  'retomado',
  'provas',
  'reparo',
  'gemea',
]);

/** Of the listings, which events are not in; as a literal in statements, so that the partial index is used. */
export const CODIGO_DE_EVENTO = CLASSE_EM_CODIGO.escrever('evento');
