/**
 * The consistency check of the vault (`malote verificar`). It reads everything and changes nothing. It goes page by
 * page, each page in one snapshot, so its memory does not grow with the vault and imports may go on meanwhile.
 */
import { crc32 } from 'node:zlib';
import type { Tabelas } from '../banco/tabelas.ts';
import { statusDoEvento } from '../fiscal/status.ts';
import type { EfeitoEvento } from '../fiscal/tipos.ts';
import type { Database } from '../platform/db/connect.ts';
import { statusCom } from './aplicar-eventos.ts';
import { CLASSE_EM_CODIGO, PAPEL_EM_CODIGO, STATUS_EM_CODIGO, TIPO_EM_CODIGO } from './codigos.ts';
import { contarDeNovo } from './contagens.ts';
import { tentarDescomprimir } from './conteudo.ts';
import { comPapelMaisForte } from './entregar.ts';
import { findBlocosSoltos } from './queries-blocos.ts';
import { findUsos, recountUsos } from './queries-certificados.ts';
import { findPapeisListados, findParticipacoesEmFalta } from './queries-entradas.ts';
import type { Leitor } from './queries-leitura.ts';
import * as queries from './queries-verificar.ts';

export interface Achado {
  /** Stable, lower snake case. */
  codigo: string;
  /** pt-BR: what is wrong. */
  mensagem: string;
  /** Which row it is about, such as `cliente 7, NSU 12` or `documento 3526…`. */
  alvo: string;
  /** Its keys, for what can be repaired (`reparar.ts`). */
  ref?: Referencia;
}

/** The row that a finding is about; which of them is set depends on its `codigo`. */
export interface Referencia {
  clienteId?: number;
  documentoId?: number;
  versaoId?: number;
  certificadoId?: number;
  blocoId?: number;
  contadorId?: number;
  chave?: string;
}

export interface OpcoesDaVerificacao {
  /** Whether documents of homologação are delivered (`MALOTE_HOMOLOGACAO`). */
  homologacao?: boolean;
  /** Rows in one step. */
  tamanho?: number;
  /** Told after each step how many more versions were read whole. */
  aoConferir?: (versoes: number) => void;
}

type Linha<F extends (...args: never[]) => Promise<readonly unknown[]>> = Awaited<ReturnType<F>>[number];

/** Rows of a page with stored bytes; at the usual size of a document a few megabytes. */
const CONTEUDOS_POR_PAGINA = 200;

/** Everything that does not hang together, one finding for each row; none in a sound vault. */
export async function* verificarCofre(
  db: Database<Tabelas>['read'],
  options: OpcoesDaVerificacao = {},
): AsyncGenerator<Achado> {
  const { tamanho = 1_000, homologacao = false } = options;
  const ambientes = homologacao ? [1, 2] : [1];
  yield* verificarFeeds(db, tamanho);
  yield* verificarEntradas(db, tamanho);
  yield* verificarParticipacoes(db, tamanho);
  yield* verificarDocumentos(db, { tamanho, ambientes });
  const { aoConferir = () => {} } = options;
  yield* verificarConteudos(db, { tamanho: Math.min(tamanho, CONTEUDOS_POR_PAGINA), aoConferir });
  yield* verificarCertificados(db);
  yield* verificarEsperados(db, tamanho);
}

/** Pages in key order; `keyOf` the last row is where the next page begins. */
async function* emPaginas<T, K>(
  db: Leitor,
  input: {
    inicio: K;
    tamanho: number;
    keyOf: (row: T) => K;
    ler: (trx: Leitor, page: { depoisDe: K; limite: number }) => Promise<T[]>;
    achar: (trx: Leitor, rows: readonly T[]) => Achado[] | Promise<Achado[]>;
  },
): AsyncGenerator<Achado> {
  let depoisDe = input.inicio;
  for (;;) {
    const { rows, achados } = await db.transaction().execute(async (trx) => {
      const read = await input.ler(trx, { depoisDe, limite: input.tamanho });
      return { rows: read, achados: await input.achar(trx, read) };
    });
    yield* achados;
    const last = rows.at(-1);
    if (last === undefined || rows.length < input.tamanho) return;
    depoisDe = input.keyOf(last);
  }
}

function verificarFeeds(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: 0,
    tamanho: Math.min(tamanho, 100),
    keyOf: (row) => row.id,
    ler: queries.findFeeds,
    achar: async (trx, rows) => {
      const achados: Achado[] = [];
      for (const row of rows) achados.push(...faltaDensidade(row), ...(await contagensErradas(trx, row)));
      return achados;
    },
  });
}

function faltaDensidade(row: Linha<typeof queries.findFeeds>): Achado[] {
  const quantidade = Number(row.quantidade ?? 0);
  const dense =
    quantidade === row.ultimo_nsu && Number(row.maior ?? 0) === quantidade && Number(row.menor ?? 1) === 1;
  if (dense) return [];
  return [
    {
      codigo: 'nsu_com_lacuna',
      mensagem:
        `O contador diz que o último NSU é ${row.ultimo_nsu}, mas há ${quantidade} entradas, ` +
        `do NSU ${row.menor ?? '–'} ao ${row.maior ?? '–'}.`,
      alvo: alvoDoCliente(row),
    },
  ];
}

async function contagensErradas(trx: Leitor, row: Linha<typeof queries.findFeeds>): Promise<Achado[]> {
  const kept = porDia(await queries.findContagens(trx, row.id));
  const counted = porDia(await contarDeNovo(trx, row.id));
  return [...new Set([...kept.keys(), ...counted.keys()])]
    .filter((dia) => kept.get(dia) !== counted.get(dia))
    .map((dia) => ({
      codigo: 'contagem_errada',
      mensagem: `Estão contados ${kept.get(dia) ?? 0}, mas a listagem tem ${counted.get(dia) ?? 0} linhas.`,
      alvo: `${alvoDoCliente(row)}, ${dia}`,
      ref: { clienteId: row.id },
    }));
}

function porDia(rows: readonly queries.ContagemDoDia[]): Map<string, number> {
  return new Map(
    rows.map(({ modelo, dia, tipo, status, carta_correcao, quantidade }) => [
      `modelo ${modelo}, ${dia}, ${tipo}, ${status}${carta_correcao ? ' com carta de correção' : ''}`,
      Number(quantidade),
    ]),
  );
}

function verificarEntradas(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: { cliente_id: 0, nsu: Number.MIN_SAFE_INTEGER },
    tamanho,
    keyOf: ({ cliente_id, nsu }) => ({ cliente_id, nsu }),
    ler: queries.findEntradasComTudo,
    achar: (_trx, rows) => rows.flatMap(acharNaEntrada),
  });
}

function acharNaEntrada(row: Linha<typeof queries.findEntradasComTudo>): Achado[] {
  const achado = (codigo: string, mensagem: string): Achado[] => [
    {
      codigo,
      mensagem,
      alvo: `cliente ${row.cliente_id}, NSU ${row.nsu}`,
      ref: { clienteId: row.cliente_id, documentoId: row.documento_id },
    },
  ];
  if (row.contador_do_cliente === null)
    return achado('entrada_sem_cliente', 'O cliente da entrada não existe.');
  if (row.contador_do_documento === null) {
    return achado('entrada_sem_documento', `O documento ${row.documento_id} da entrada não existe.`);
  }
  if (row.contador_do_documento !== row.contador_do_cliente) {
    return achado('entrada_de_outro_escritorio', `O documento ${row.documento_id} é de outro escritório.`);
  }
  if (!row.tem_parte) {
    return achado('entrada_sem_parte', `O cliente não é parte do documento ${row.documento_id}.`);
  }
  if (row.nsu_listado === null) {
    return achado(
      'entrada_sem_listagem',
      `O documento ${row.documento_id} não consta na listagem do cliente.`,
    );
  }
  if (row.nsu_listado < row.nsu) {
    return achado(
      'listagem_com_nsu_antigo',
      `A listagem mostra o documento ${row.documento_id} com o NSU ${row.nsu_listado}, que não é o mais novo.`,
    );
  }
  return [];
}

function verificarParticipacoes(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: { cliente_id: 0, documento_id: 0 },
    tamanho,
    keyOf: ({ cliente_id, documento_id }) => ({ cliente_id, documento_id }),
    ler: queries.findParticipacoesComTudo,
    achar: async (trx, rows) => [...rows.flatMap(acharNaListagem), ...(await papeisErrados(trx, rows))],
  });
}

/** What a row says that its client is in the document is what the parties of the document say. */
async function papeisErrados(trx: Leitor, rows: readonly LinhaDaListagem[]): Promise<Achado[]> {
  const keyOf = (row: { cliente_id: number; documento_id: number }) =>
    `${row.cliente_id}/${row.documento_id}`;
  const documentoIds = [...new Set(rows.map((row) => row.documento_id))];
  const certas = new Map(
    comPapelMaisForte(await findPapeisListados(trx, documentoIds)).map((row) => [keyOf(row), row]),
  );
  return rows.flatMap((row) => {
    const certa = certas.get(keyOf(row));
    const [papel, tipo] = [PAPEL_EM_CODIGO.mostrar(row.papel), TIPO_EM_CODIGO.mostrar(row.tipo)];
    // Who is no party at all is told at his entry.
    if (!certa || (certa.papel === papel && certa.tipo === tipo)) return [];
    return [
      {
        codigo: 'papel_errado',
        mensagem: `A listagem diz ${papel} (${tipo}); pelo documento, o cliente é ${certa.papel} (${certa.tipo}).`,
        ...linhaDaListagem(row),
      },
    ];
  });
}

type LinhaDaListagem = Linha<typeof queries.findParticipacoesComTudo>;

function linhaDaListagem({ cliente_id, documento_id }: LinhaDaListagem): Pick<Achado, 'alvo' | 'ref'> {
  return {
    alvo: `cliente ${cliente_id}, documento ${documento_id}`,
    ref: { clienteId: cliente_id, documentoId: documento_id },
  };
}

function acharNaListagem(row: LinhaDaListagem): Achado[] {
  const achados: Achado[] = [];
  if (row.documento_da_entrada !== row.documento_id) {
    const mensagem = `A linha da listagem aponta para o NSU ${row.nsu}, que não é uma entrada deste documento.`;
    achados.push({ codigo: 'listagem_sem_entrada', mensagem, ...linhaDaListagem(row) });
  }
  const equal =
    CLASSE_EM_CODIGO.mostrar(row.classe) === row.doc_classe &&
    row.modelo === row.doc_modelo &&
    row.emitido_em === row.doc_emitido_em &&
    STATUS_EM_CODIGO.mostrar(row.status) === row.doc_status &&
    row.carta_correcao === row.doc_carta_correcao;
  if (!equal) {
    const mensagem = 'A linha da listagem não repete os dados do documento (modelo, data ou status).';
    achados.push({ codigo: 'listagem_divergente', mensagem, ...linhaDaListagem(row) });
  }
  return achados;
}

function verificarDocumentos(
  db: Leitor,
  { tamanho, ambientes }: { tamanho: number; ambientes: readonly number[] },
): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: 0,
    tamanho,
    keyOf: (row) => row.id,
    ler: queries.findDocumentosComTudo,
    achar: async (trx, rows) => [
      ...rows.filter((row) => Number(row.servidas) !== 1).map(semVersaoUnica),
      ...(await statusErrados(trx, rows)),
      ...(await naoEntregues(trx, { rows, ambientes })),
    ],
  });
}

type Documento = Linha<typeof queries.findDocumentosComTudo>;

function semVersaoUnica(row: Documento): Achado {
  return {
    codigo: 'versao_servida',
    mensagem: `O documento tem ${row.servidas} versões servidas; deve ter exatamente uma.`,
    alvo: alvoDoDocumento(row),
    ref: { documentoId: row.id },
  };
}

async function statusErrados(trx: Leitor, rows: readonly Documento[]): Promise<Achado[]> {
  const scopeOf = (row: Pick<Documento, 'contador_id' | 'ambiente' | 'chave'>) =>
    `${row.contador_id}/${row.ambiente}/${row.chave}`;
  const chaves = rows.filter((row) => row.classe === 'documento').map((row) => row.chave);
  const eventos = Map.groupBy(await queries.findEventosDasChaves(trx, [...new Set(chaves)]), scopeOf);
  return rows.flatMap((row) => {
    const certo = statusCerto(row, eventos.get(scopeOf(row)) ?? []);
    const equal =
      certo.status === row.status &&
      certo.cartaCorrecao === row.carta_correcao &&
      certo.manifestacao === row.manifestacao;
    if (equal) return [];
    const mensagem = `O status guardado é ${row.status}, mas do protocolo e dos eventos resulta ${certo.status}.`;
    return [{ codigo: 'status_errado', mensagem, alvo: alvoDoDocumento(row), ref: { documentoId: row.id } }];
  });
}

function statusCerto(row: Documento, eventos: Parameters<typeof statusCom>[1]): ReturnType<typeof statusCom> {
  if (row.classe === 'documento') return statusCom(row, eventos);
  const status =
    row.classe === 'evento'
      ? statusDoEvento({ efeito: (row.evento_efeito ?? 'nenhum') as EfeitoEvento })
      : 'Inutilizada';
  return { status, cartaCorrecao: 0, manifestacao: null };
}

/** What a document's status follows to be just now; null when it has the right one, or there is no such document. */
export async function statusQueFalta(
  trx: Leitor,
  documentoId: number,
): Promise<ReturnType<typeof statusCom> | null> {
  const [row] = await queries.findDocumentosComTudo(trx, { depoisDe: documentoId - 1, limite: 1 });
  if (row?.id !== documentoId || (await statusErrados(trx, [row])).length === 0) return null;
  const eventos = (await queries.findEventosDasChaves(trx, [row.chave])).filter(
    (evento) => evento.contador_id === row.contador_id && evento.ambiente === row.ambiente,
  );
  return statusCerto(row, eventos);
}

async function naoEntregues(
  trx: Leitor,
  { rows, ambientes }: { rows: readonly Documento[]; ambientes: readonly number[] },
): Promise<Achado[]> {
  const porId = new Map(rows.map((row) => [row.id, row]));
  const faltam = await findParticipacoesEmFalta(trx, [...porId.keys()]);
  return comPapelMaisForte(faltam.filter((falta) => ambientes.includes(falta.ambiente))).map(
    ({ cliente_id, documento_id }) => ({
      codigo: 'documento_nao_entregue',
      mensagem: `O cliente ${cliente_id} é parte do documento e não tem entrada dele.`,
      alvo: `documento ${porId.get(documento_id)?.chave ?? documento_id}`,
      ref: { clienteId: cliente_id, documentoId: documento_id },
    }),
  );
}

async function* verificarConteudos(
  db: Leitor,
  input: { tamanho: number; aoConferir: (versoes: number) => void },
): AsyncGenerator<Achado> {
  const { tamanho, aoConferir } = input;
  yield* emPaginas(db, {
    inicio: 0,
    tamanho,
    keyOf: (row) => row.id,
    ler: queries.findVersoesComConteudo,
    achar: (_trx, rows) => {
      aoConferir(rows.length);
      return rows.flatMap(acharNaVersao);
    },
  });
  yield* emPaginas(db, {
    inicio: 0,
    tamanho,
    keyOf: (row) => row.versao_id,
    ler: queries.findConteudosSoltos,
    achar: (_trx, rows) =>
      rows.map(({ versao_id }) => ({
        codigo: 'conteudo_solto',
        mensagem: 'Há bytes guardados que não são de versão alguma.',
        alvo: `versão ${versao_id}`,
        ref: { versaoId: versao_id },
      })),
  });
  yield* emPaginas(db, {
    inicio: 0,
    tamanho,
    keyOf: (row) => row.id,
    ler: findBlocosSoltos,
    achar: (_trx, rows) =>
      rows.map(({ id, contador_id }) => ({
        codigo: 'bloco_solto',
        mensagem: 'Há um bloco de bytes guardados que não é de documento algum.',
        alvo: `bloco ${id}`,
        ref: { blocoId: id, contadorId: contador_id },
      })),
  });
}

function acharNaVersao(row: Linha<typeof queries.findVersoesComConteudo>): Achado[] {
  const achado = (codigo: string, mensagem: string): Achado[] => [
    {
      codigo,
      mensagem,
      alvo: `versão ${row.id} do documento ${row.chave ?? row.documento_id}`,
      ref: { versaoId: row.id, documentoId: row.documento_id },
    },
  ];
  if (row.chave === null) return achado('versao_sem_documento', 'O documento da versão não existe.');
  // A deleted document keeps the row of its version and nothing else.
  if (row.sha256 === '') {
    return row.bytes === null
      ? []
      : achado('conteudo_de_excluido', 'O documento foi excluído, mas os seus bytes ainda estão guardados.');
  }
  if (row.formato === null || row.bytes === null) {
    return achado('conteudo_ausente', 'Os bytes da versão não estão guardados.');
  }
  if (tentarDescomprimir(row, row.sha256)?.length !== row.tamanho) {
    return achado('conteudo_danificado', 'Os bytes guardados não são os que chegaram (SHA-256 diferente).');
  }
  if (crc32(row.bytes) !== row.soma) {
    return achado('soma_errada', 'Os bytes guardados mudaram no disco, mas o documento ainda se lê inteiro.');
  }
  return [];
}

/** One snapshot for both counts. A certificate that is counted too low would be deleted while documents need it. */
async function* verificarCertificados(db: Database<Tabelas>['read']): AsyncGenerator<Achado> {
  const { escritos, contados } = await db.transaction().execute(async (trx) => ({
    escritos: await findUsos(trx),
    contados: await recountUsos(trx),
  }));
  for (const { id, contador_id, usos } of escritos) {
    const contado = contados.get(id) ?? 0;
    if (contado === usos) continue;
    yield {
      codigo: 'certificado_contado_errado',
      mensagem: `O certificado diz ser de ${usos} documentos guardados, mas é de ${contado}.`,
      alvo: `certificado ${id}`,
      ref: { contadorId: contador_id, certificadoId: id },
    };
  }
}

function verificarEsperados(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: { contador_id: 0, chave: '' },
    tamanho,
    keyOf: ({ contador_id, chave }) => ({ contador_id, chave }),
    ler: queries.findEsperadosPresentes,
    achar: (_trx, rows) =>
      rows.map(({ contador_id: contadorId, chave }) => ({
        codigo: 'esperado_ja_presente',
        mensagem: 'A chave consta como esperada, mas o documento já está guardado.',
        alvo: `chave ${chave}`,
        ref: { contadorId, chave },
      })),
  });
}

function alvoDoCliente(row: { cpf_cnpj: string; codigo_crm: string }): string {
  return `cliente ${row.cpf_cnpj} do CRM ${row.codigo_crm}`;
}

function alvoDoDocumento(row: Documento): string {
  return row.classe === 'evento' ? `evento ${row.id} da chave ${row.chave}` : `documento ${row.chave}`;
}
