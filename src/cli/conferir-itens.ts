/**
 * What is written of an upload and of the things found in it, against its bytes and its documents. A text that an older version
 * put otherwise is no damage: of texts only those are told that are the right one but for a bit or two.
 */
import { createHash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { sha256De } from '../documentos/bytes/conteudo.ts';
import { ehQuaseOMesmo } from '../documentos/bytes/hash-guardado.ts';
import { RESULTADO } from '../documentos/tipos.ts';
import { ehDano } from '../documentos/verify/verificar-textos.ts';
import type { ValidadorDeEsquema } from '../fiscal/ler.ts';
import { countByResultado, findItens, findProblemas } from '../importacao/queries.ts';
import { readContent } from '../importacao/reading/leitor.ts';
import { judged } from '../importacao/reading/pecas.ts';
import { concluir } from '../importacao/resumo.ts';
import { STATUS_ARQUIVO } from '../importacao/tipos.ts';
import { entradasDe } from '../importacao/unpack/entradas.ts';
import * as queries from './queries-verificar.ts';

type Db = Deps['db']['read'];
export type ArquivoAConferir = Awaited<ReturnType<typeof queries.findArquivosAfter>>[number];
type Item = Awaited<ReturnType<typeof findItens>>[number];

const ESTADOS: readonly string[] = Object.values(STATUS_ARQUIVO);
const FINAIS: readonly string[] = [STATUS_ARQUIVO.uploaded, STATUS_ARQUIVO.comErro];
const RESULTADOS: readonly string[] = Object.values(RESULTADO);
const ITENS_POR_PAGINA = 1_000;

/** What the row of an upload says of it. @param bytes as they came; null where they are not at hand */
export async function faltasDoArquivo(
  db: Db,
  { arquivo, bytes }: { arquivo: ArquivoAConferir; bytes: Uint8Array | null },
): Promise<string[]> {
  const faltas: string[] = [];
  const { numero, status } = arquivo;
  if (!ESTADOS.includes(status)) faltas.push(`o seu status, ${JSON.stringify(status)}, não existe`);
  if (bytes && arquivo.tamanho !== bytes.length) faltas.push('o tamanho escrito não é o dos bytes');
  if (bytes && arquivo.md5 !== null && arquivo.md5 !== createHash('md5').update(bytes).digest('hex'))
    faltas.push('o MD5 escrito não é o dos bytes');
  if (
    [arquivo.contador_do_job, arquivo.contador_da_receita].some(
      (id) => id !== null && id !== arquivo.contador_id,
    )
  )
    faltas.push('o seu trabalho, ou a sua receita, diz ser de outro escritório');
  if (!FINAIS.includes(status)) return faltas;
  const { linhas, ultima } = await queries.countItens(db, numero);
  if (linhas !== ultima || (arquivo.estado === 'feito' && arquivo.itens_prontos !== ultima))
    faltas.push(`diz ter ${arquivo.itens_prontos} itens, e há ${linhas}, o último de número ${ultima}`);
  const quantidades = await countByResultado(db, numero);
  const problemas = await findProblemas(db, { arquivoNumero: numero, limite: PROBLEMAS_NO_LOG });
  const { log } = concluir({ quantidades, problemas });
  if (ehDano(arquivo.log, log)) faltas.push('o log mudou no disco');
  return faltas;
}

/** As many as `gravar.ts` looks at. */
const PROBLEMAS_NO_LOG = 200;

/** What the rows of its items say of them. */
export async function faltasDosItens(
  deps: { db: Db; validador: ValidadorDeEsquema },
  { arquivo, bytes }: { arquivo: ArquivoAConferir; bytes: Uint8Array },
): Promise<string[]> {
  const faltas: string[] = [];
  const porCaminho = new Map<string, Item[]>();
  for (let primeira = 1; ; primeira += ITENS_POR_PAGINA) {
    const ultima = primeira + ITENS_POR_PAGINA - 1;
    const itens = await findItens(deps.db, { arquivoNumero: arquivo.numero, primeira, ultima });
    const documentos = await queries.findDocumentosDosItens(deps.db, itens);
    for (const item of itens) {
      faltas.push(...faltasDoItem(item, documentos));
      const beside = porCaminho.get(item.caminho) ?? [];
      beside.push(item);
      porCaminho.set(item.caminho, beside);
    }
    if (itens.length < ITENS_POR_PAGINA) break;
  }
  faltas.push(...(await comparadosComOsBytes({ porCaminho, bytes, validador: deps.validador })));
  return faltas;
}

type DocumentosDosItens = Awaited<ReturnType<typeof queries.findDocumentosDosItens>>;

function faltasDoItem(item: Item, documentos: DocumentosDosItens): string[] {
  const { resultado, documento_id, chave } = item;
  const falta = (texto: string) => [`item ${item.ordem}: ${texto}`];
  if (!RESULTADOS.includes(resultado)) return falta(`o resultado ${JSON.stringify(resultado)} não existe`);
  if (documento_id === null) return [];
  const documento = documentos.get(documento_id);
  if (!documento) return falta(`o documento ${documento_id} não existe`);
  if (chave !== null && chave !== documento.chave) return falta('a chave não é a do seu documento');
  const isNovo = resultado === RESULTADO.novo;
  if ((isNovo && item.especie !== documento.especie) || ehDano(item.especie, documento.especie))
    return falta('a espécie não é a do seu documento');
  return [];
}

/** Labels are those of the entries; of what became no document, what reading it again says. */
async function comparadosComOsBytes(input: {
  porCaminho: Map<string, Item[]>;
  bytes: Uint8Array;
  validador: ValidadorDeEsquema;
}): Promise<string[]> {
  const faltas: string[] = [];
  const restam = new Map(input.porCaminho);
  for await (const entrada of entradasDe({ bytes: input.bytes, prontas: 0 })) {
    const itens = restam.get(entrada.caminho);
    restam.delete(entrada.caminho);
    if (itens && 'bytes' in entrada) faltas.push(...somasErradas(itens, entrada.bytes));
    if (!itens?.some(({ documento_id }) => documento_id === null)) continue;
    const pecas = 'bytes' in entrada ? readContent(entrada, input) : [judged(entrada)];
    // Entries may have one name; then nothing tells which item is of which.
    if (pecas.length !== itens.length) continue;
    for (const [at, item] of itens.entries()) faltas.push(...mudou(item, pecas[at]));
  }
  for (const itens of restam.values())
    for (const { ordem, caminho } of itens)
      if (caminho !== '') faltas.push(`item ${ordem}: o caminho não está no arquivo`);
  return faltas;
}

function somasErradas(itens: readonly Item[], bytes: Uint8Array): string[] {
  const escritas = itens.filter(({ sha256, documento_id }) => sha256 !== null && documento_id !== null);
  if (escritas.length === 0) return [];
  const certa = sha256De(bytes);
  return escritas
    .filter(({ sha256 }) => sha256 !== certa && ehQuaseOMesmo(sha256 ?? '', certa))
    .map(({ ordem }) => `item ${ordem}: mudou no disco (sha256)`);
}

function mudou(item: Item, peca: ReturnType<typeof readContent>[number] | undefined): string[] {
  if (!peca || item.documento_id !== null) return [];
  const devia = textosDe(peca);
  const wrong = Object.entries(devia).filter(([coluna, certo]) => {
    const escrito = item[coluna as keyof typeof devia];
    return coluna === 'linha' || coluna === 'coluna'
      ? item.codigo === devia.codigo && item.mensagem === devia.mensagem && escrito !== certo
      : ehDano(escrito, certo);
  });
  return wrong.map(([coluna]) => `item ${item.ordem}: mudou no disco (${coluna})`);
}

function textosDe(peca: ReturnType<typeof readContent>[number]) {
  const { especie } = peca;
  const nada = {
    especie,
    sha256: 'sha256' in peca ? peca.sha256 : null,
    chave: null,
    codigo: null,
    mensagem: null,
    linha: null,
    coluna: null,
    elemento: null,
  };
  if (peca.kind === 'rejeitado') return { ...nada, chave: peca.chave, ...peca.rejeicao };
  if (peca.kind === 'ignorado') return { ...nada, codigo: peca.codigo, mensagem: peca.mensagem };
  return peca.kind === 'esperado' ? { ...nada, chave: peca.chave } : nada;
}
