/** The checks of stored bytes: each version's are there and whole, none is left over, certificates are counted right. */
import { crc32 } from 'node:zlib';
import { tryDescomprimir } from '../bytes/conteudo.ts';
import { findBlocosSoltos } from '../bytes/queries-blocos.ts';
import { findUsos, recountUsos } from '../bytes/queries-certificados.ts';
import type { Leitor } from '../queries-leitura.ts';
import { type Achado, emPaginas, type Linha } from './achados.ts';
import * as queries from './queries-verificar.ts';

/** Rows of a page with stored bytes; at the usual size of a document a few megabytes. */
const CONTEUDOS_POR_PAGINA = 200;

/**
 * Bytes of every version are there and read back as they came; none are kept that belong to nothing.
 * @param input.tamanho rows in one step, at most; fewer are read where their bytes come along
 */
export async function* verifyConteudos(
  db: Leitor,
  input: { tamanho: number; aoConferir: (versoes: number) => void },
): AsyncGenerator<Achado> {
  const tamanho = Math.min(input.tamanho, CONTEUDOS_POR_PAGINA);
  yield* verifyVersoes(db, { tamanho, aoConferir: input.aoConferir });
  yield* verifyConteudosEmDobro(db);
  yield* verifyConteudosSoltos(db, tamanho);
  yield* verifyBlocosSoltos(db, tamanho);
}

function verifyVersoes(
  db: Leitor,
  { tamanho, aoConferir }: { tamanho: number; aoConferir: (versoes: number) => void },
): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: 0,
    tamanho,
    keyOf: (row) => row.id,
    ler: queries.findVersoesComConteudo,
    achar: (_trx, rows) => {
      aoConferir(rows.length);
      return rows.flatMap(findInVersao);
    },
  });
}

/** What stands in a block has nothing beside it. */
async function* verifyConteudosEmDobro(db: Leitor): AsyncGenerator<Achado> {
  for (const { versao_id: versaoId } of await queries.findConteudosEmDobro(db)) {
    yield {
      codigo: 'soma_errada',
      mensagem: 'O documento está num bloco, e a sua linha diz ter também bytes ou soma próprios.',
      alvo: `versão ${versaoId}`,
      ref: { versaoId },
    };
  }
}

function verifyConteudosSoltos(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
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
}

function verifyBlocosSoltos(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
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

function findInVersao(row: Linha<typeof queries.findVersoesComConteudo>): Achado[] {
  const achado = (codigo: string, mensagem: string): Achado[] => [
    {
      codigo,
      mensagem,
      alvo: `versão ${row.id} do documento ${row.chave ?? row.documento_id}`,
      ref: { versaoId: row.id, documentoId: row.documento_id },
    },
  ];
  if (row.chave === null) return achado('versao_sem_documento', 'O documento da versão não existe.');
  if (row.sha256 === '') return findInVersaoVazia(row, achado);
  if (row.formato === null || row.bytes === null) {
    return achado('conteudo_ausente', 'Os bytes da versão não estão guardados.');
  }
  if (tryDescomprimir(row, row.sha256)?.length !== row.tamanho) {
    return achado('conteudo_danificado', 'Os bytes guardados não são os que chegaram (SHA-256 diferente).');
  }
  if (crc32(row.bytes) !== row.soma) {
    return achado('soma_errada', 'Os bytes guardados mudaram no disco, mas o documento ainda se lê inteiro.');
  }
  return [];
}

/** A deleted document keeps the row of its version and nothing else. If the document came again, rows of new versions stand beside it. */
function findInVersaoVazia(
  row: Linha<typeof queries.findVersoesComConteudo>,
  achado: (codigo: string, mensagem: string) => Achado[],
): Achado[] {
  if (row.excluido_em === null && row.servida === 1) {
    return achado('versao_sem_soma', 'A versão servida não diz o SHA-256 dos seus bytes.');
  }
  if (row.bytes === null) return [];
  if (row.excluido_em === null) {
    return achado('conteudo_solto', 'Há bytes guardados de uma versão que não os tem mais.');
  }
  return achado('conteudo_de_excluido', 'O documento foi excluído, mas os seus bytes ainda estão guardados.');
}

/** One snapshot for both counts. A certificate that is counted too low would be deleted while documents need it. */
export async function* verifyCertificados(db: Leitor): AsyncGenerator<Achado> {
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
