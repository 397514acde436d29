/**
 * Protocols that came without their document: in the answer to a lot or to a query (`retConsReciNFe`, `retConsSitNFe`),
 * while the note as it was sent came in another file, before or after. They wait here for it. @fonte docs/regras.md, status
 */
import type { TabelaProtocoloAvulso } from '../../banco/tabelas.ts';
import { joinProtocolo } from '../../fiscal/envelopes/avulso.ts';
import type { ProtocoloAvulso } from '../../fiscal/tipos.ts';
import { byteBatches } from '../bytes/chunks.ts';
import { tryDescomprimir } from '../bytes/conteudo.ts';
import { type DaMesmaChave, findPorChaves, findVersoes, type VersaoConhecida } from '../queries.ts';
import { guardadosDe } from '../read/feed.ts';
import type { Trx } from '../tipos.ts';
import * as queries from './queries-protocolos.ts';
import { versaoDaLinha } from './versoes.ts';

/** Protocols that wait for one note: SEFAZ gives one, and each batch with something of its key reads all of them. */
const ESPERAM_MAX = 10;

/** Bytes of documents that are put together with their protocols at once. */
const DE_UMA_VEZ_BYTES = 4_000_000;

export interface ProtocoloQueChegou {
  protocolo: ProtocoloAvulso;
  /** The upload and the item that it came in, and how many protocols that item brings. */
  arquivoNumero: number;
  itemOrdem: number;
  noItem: number;
}

/** A protocol and the document that it is of. */
export interface Encontro {
  protocolo: TabelaProtocoloAvulso;
  /** The version that it authorises; null where the office has what it says already. */
  versao: VersaoConhecida | null;
  /** It speaks of another content than the office has of the document: it waits for the one that it authorises. */
  deOutroConteudo: boolean;
}

/** Names a kept protocol among those of its office. */
export function nomeDoGuardado({ chave, ambiente, digest, status }: NomeDoGuardado): string {
  return `${ambiente}|${chave}|${digest}|${status}`;
}

/** What tells a kept protocol from others of its office: another word of the authority on the same content is another one. */
export type NomeDoGuardado = Pick<TabelaProtocoloAvulso, 'chave' | 'ambiente' | 'digest' | 'status'>;

/** {@link nomeDoGuardado} of one that came. */
export function nomeDoProtocolo({ chave, ambiente, digVal, status }: ProtocoloAvulso): string {
  return nomeDoGuardado({ chave, ambiente, digest: digVal ?? '', status });
}

/**
 * Keeps what came, and finds the documents of these keys that are waiting for a protocol.
 * @param input.chaves of documents that came and wait for one
 * @returns demais: names of those that are not kept, since there are as many as may wait for their note; they count for a
 *   note that is there
 */
export async function keepAndFind(
  trx: Trx,
  input: {
    contadorId: number;
    agora: number;
    chegados: readonly ProtocoloQueChegou[];
    chaves: readonly string[];
  },
): Promise<{ encontros: Encontro[]; demais: string[] }> {
  const { contadorId } = input;
  const chaves = [...new Set([...input.chaves, ...input.chegados.map(({ protocolo }) => protocolo.chave)])];
  const guardados = new Map(
    (await queries.findProtocolos(trx, { contadorId, chaves })).map((row) => [nomeDoGuardado(row), row]),
  );
  const esperam = new Map<string, number>();
  for (const row of guardados.values()) countOneMore(esperam, row);
  const novos = new Map<string, TabelaProtocoloAvulso>();
  const demais = new Map<string, TabelaProtocoloAvulso>();
  for (const chegado of input.chegados) {
    const row = linhaDe(chegado, input);
    const nome = nomeDoGuardado(row);
    if (guardados.has(nome)) continue;
    if (countOneMore(esperam, row) > ESPERAM_MAX) {
      demais.set(nome, row);
      continue;
    }
    guardados.set(nome, row);
    novos.set(nome, row);
  }
  if (novos.size > 0) await queries.insertProtocolos(trx, [...novos.values()]);
  const protocolos = [...guardados.values(), ...demais.values()];
  const encontros = protocolos.length === 0 ? [] : await encontrar(trx, { contadorId, protocolos });
  return { encontros, demais: [...demais.keys()] };
}

function countOneMore(esperam: Map<string, number>, { ambiente, chave }: TabelaProtocoloAvulso): number {
  const quantos = (esperam.get(`${ambiente}/${chave}`) ?? 0) + 1;
  esperam.set(`${ambiente}/${chave}`, quantos);
  return quantos;
}

function linhaDe(
  { protocolo, arquivoNumero, itemOrdem, noItem }: ProtocoloQueChegou,
  input: { contadorId: number; agora: number },
): TabelaProtocoloAvulso {
  return {
    contador_id: input.contadorId,
    chave: protocolo.chave,
    ambiente: protocolo.ambiente,
    digest: protocolo.digVal ?? '',
    status: protocolo.status,
    bytes: protocolo.bytes,
    arquivo_numero: arquivoNumero,
    item_ordem: itemOrdem,
    no_item: noItem,
    criado_em: input.agora,
  };
}

async function encontrar(
  trx: Trx,
  input: { contadorId: number; protocolos: readonly TabelaProtocoloAvulso[] },
): Promise<Encontro[]> {
  const { contadorId, protocolos } = input;
  const chaves = [...new Set(protocolos.map(({ chave }) => chave))];
  const documentos = (await findPorChaves(trx, { contadorId, chaves })).filter(
    ({ classe }) => classe === 'documento',
  );
  const versoes = Map.groupBy(
    await findVersoes(
      trx,
      documentos.map(({ id }) => id),
    ),
    ({ documento_id }) => documento_id,
  );
  const scopeOf = ({ ambiente, chave }: Pick<DaMesmaChave, 'ambiente' | 'chave'>) => `${ambiente}/${chave}`;
  const porChave = new Map(documentos.map((documento) => [scopeOf(documento), documento]));
  return protocolos.flatMap((protocolo) => {
    const documento = porChave.get(scopeOf(protocolo));
    return documento ? doPar(protocolo, documento, versoes.get(documento.id) ?? []) : [];
  });
}

/** What a protocol does for its document. */
function doPar(
  protocolo: TabelaProtocoloAvulso,
  documento: DaMesmaChave,
  versoes: readonly VersaoConhecida[],
): Encontro[] {
  // A deleted document has no bytes.
  const guardadas = versoes
    .filter(({ sha256 }) => sha256 !== '')
    .map((row) => ({ row, versao: versaoDaLinha(row, documento) }));
  const suas = guardadas.filter(
    ({ versao }) => protocolo.digest === '' || versao.digest === protocolo.digest,
  );
  const [melhor] = suas.toSorted((a, b) => b.row.servida - a.row.servida || a.row.id - b.row.id);
  if (!melhor) return guardadas.length === 0 ? [] : [{ protocolo, versao: null, deOutroConteudo: true }];
  const known = suas.some(({ versao }) => versao.protocolado && versao.status === protocolo.status);
  return [{ protocolo, versao: known ? null : melhor.row, deOutroConteudo: false }];
}

/** Encounters in groups that are put together at once: as much as may lie in memory. */
export function emGrupos<T extends { versao: VersaoConhecida }>(encontros: readonly T[]): Generator<T[]> {
  return byteBatches(encontros, { maxBytes: DE_UMA_VEZ_BYTES, bytesOf: ({ versao }) => versao.tamanho });
}

/** The documents with their protocols, by version; one whose kept bytes make no document with it is missing. */
export async function juntos(
  trx: Trx,
  encontros: readonly { protocolo: TabelaProtocoloAvulso; versao: VersaoConhecida }[],
): Promise<Map<number, Uint8Array>> {
  const conteudos = await guardadosDe(
    trx,
    encontros.map(({ versao }) => versao.id),
  );
  const made = new Map<number, Uint8Array>();
  for (const { protocolo, versao } of encontros) {
    const conteudo = conteudos.get(versao.id);
    // What is damaged on disk is `verificar`'s to tell, and must not hold up what comes.
    const documento = conteudo ? tryDescomprimir(conteudo, versao.sha256) : null;
    const bytes = documento && joinProtocolo(documento, protocolo.bytes);
    if (bytes) made.set(versao.id, bytes);
  }
  return made;
}

/** What they say is kept with their documents now. */
export async function esquecerProtocolos(
  trx: Trx,
  protocolos: readonly TabelaProtocoloAvulso[],
): Promise<void> {
  for (const row of protocolos) await queries.deleteProtocolo(trx, row);
}
