/**
 * Stored files that no row names: what each of them is, and what is to become of it. Only what is proven to be elsewhere is
 * ever deleted. An upload may have lost its row while its bytes are the only copy of what was acknowledged: a log of the
 * database that was cut, a restored backup that is older.
 */
import { hash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { bytesDoEnvio } from '../documentos/bytes/envios.ts';
import { readmitir } from '../importacao/again/readmitir.ts';
import { readBlobDoEnvio } from '../importacao/blob-do-envio.ts';
import { IMPORT_MAX_BYTES } from '../importacao/limites.ts';
import { isSurroundings } from '../importacao/storing/surroundings.ts';
import { STATUS_ARQUIVO } from '../importacao/tipos.ts';
import { getOrNull } from '../platform/storage/blob-store.ts';
import { isAindaPreciso } from '../retencao/queries-documentos.ts';
import * as queries from './queries-orfaos.ts';

export type DepsDosOrfaos = Pick<Deps, 'db' | 'storage' | 'clock'>;

export type Orfao = { key: string } & (
  | /** Its bytes are elsewhere too, or were let go on purpose. */ { destino: 'sobra' }
  /** Its upload has lost its bytes: these are they. */
  | { destino: 'religar'; arquivoId: string; antes: string | null }
  | {
      destino: 'importar';
      contadorId: number;
      codigoCrm: string;
      /** null: the upload that the key names has other bytes, or nobody waits for it any more. */
      arquivoId: string | null;
    }
  | { destino: 'sem_dono' /** pt-BR. */; motivo: string }
);

const DE_EXPORTACAO = /^[0-9a-f-]{36}-exportacao$/;
const DE_EXCLUSAO = /^([0-9a-f-]{36})-exclusao-[0-9]{4,}$/;

/** @returns null where there is nothing to tell: its upload may still be accepted, or it is gone by now */
export async function destinoDe(deps: DepsDosOrfaos, key: string): Promise<Orfao | null> {
  // A copy of documents for one day, and copies of documents that are about to be deleted.
  if (DE_EXPORTACAO.test(key)) return { key, destino: 'sobra' };
  const exclusaoId = DE_EXCLUSAO.exec(key)?.[1];
  if (exclusaoId !== undefined) {
    if (await queries.hasExclusao(deps.db.read, exclusaoId)) return { key, destino: 'sobra' };
    return { key, destino: 'sem_dono', motivo: 'é o pacote de uma exclusão que este banco não conhece' };
  }
  const lido = readBlobDoEnvio(key);
  if (lido === null) return { key, destino: 'sem_dono', motivo: 'o seu nome não é o de um envio' };
  const found = await deps.storage.stat(key);
  if (found === null) return null;
  if (found.sizeBytes > IMPORT_MAX_BYTES)
    return { key, destino: 'sem_dono', motivo: 'é maior do que um envio pode ser' };
  const bytes = await getOrNull(deps.storage, key);
  if (bytes === null) return null;
  const envio = await queries.findEnvio(deps.db.read, lido.arquivoId);
  if (!envio) return semRegistro(deps, { key, bytes, ...lido });
  if (envio.status === STATUS_ARQUIVO.aguardandoUpload || envio.blob === key) return null;
  const sha256 = hash('sha256', bytes);
  if (envio.sha256 !== sha256) {
    return paraImportar(deps, { key, sha256, contadorId: envio.contador_id, arquivoId: null });
  }
  if (await estaEm(deps, envio)) return { key, destino: 'sobra' };
  return { key, destino: 'religar', arquivoId: envio.id, antes: envio.blob };
}

async function semRegistro(
  deps: DepsDosOrfaos,
  input: { key: string; bytes: Buffer } & NonNullable<ReturnType<typeof readBlobDoEnvio>>,
): Promise<Orfao | null> {
  const { key, dono, arquivoId } = input;
  if (dono === null) {
    return { key, destino: 'sem_dono', motivo: 'o seu nome, de uma versão anterior, não diz o escritório' };
  }
  const contadorId = await queries.findEscritorio(deps.db.read, dono);
  if (contadorId === null) {
    const motivo = `o escritório ${dono.codigoCrm}, de quem ele é, não está neste banco`;
    return { key, destino: 'sem_dono', motivo };
  }
  return paraImportar(deps, { key, sha256: hash('sha256', input.bytes), contadorId, arquivoId });
}

/** Unless the office has the very bytes with another upload. */
async function paraImportar(
  { db, storage }: DepsDosOrfaos,
  input: { key: string; sha256: string; contadorId: number; arquivoId: string | null },
): Promise<Orfao | null> {
  const { key, contadorId, arquivoId } = input;
  const iguais = await queries.findIguais(db.read, input);
  // No orphan any more: nothing is proof of itself.
  if (iguais.some(({ blob }) => blob === key)) return null;
  for (const igual of iguais) {
    if (await estaEm({ db, storage }, igual)) return { key, destino: 'sobra' };
  }
  const codigoCrm = await queries.findCodigoCrm(db.read, contadorId);
  return { key, destino: 'importar', contadorId, codigoCrm, arquivoId };
}

/** Whether an upload gives its bytes back, or they were let go with all documents that came in them. */
async function estaEm(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  envio: queries.EnvioDoOrfao,
): Promise<boolean> {
  const { id, blob, contador_id: contadorId } = envio;
  if (blob === null && envio.receita !== 1)
    return !(await isAindaPreciso(db.read, { contadorId, arquivoId: id }));
  try {
    const bytes = await bytesDoEnvio({ db: db.read, storage }, { id, blob });
    return bytes !== null && hash('sha256', bytes) === envio.sha256;
  } catch (error) {
    if (isSurroundings(error)) throw error;
    return false;
  }
}

/** @returns what was done, pt-BR; null: nothing, since it is no orphan any more or stays where it is */
export async function tendOrfao(deps: DepsDosOrfaos, orfao: Orfao): Promise<string | null> {
  const { key } = orfao;
  switch (orfao.destino) {
    case 'sobra':
      // What has the bytes instead must not be lost with a damaged log.
      if (!deps.db.foldLog()) return null;
      await deps.storage.delete(key);
      return 'O que ele traz está guardado em outro lugar, e ele foi apagado.';
    case 'religar': {
      const { arquivoId: id, antes } = orfao;
      if (!(await queries.attachBlob(deps.db.write, { id, blob: key, antes }))) return null;
      return `São os bytes do envio ${id}, que os tinha perdido: voltou a tê-los.`;
    }
    case 'importar': {
      const id = await importOrfao(deps, orfao);
      return id && `Foi registrado como o envio ${id} do escritório ${orfao.codigoCrm} e posto na fila.`;
    }
    case 'sem_dono':
      return null;
  }
}

/** @returns the id of the upload that it has become; null when it is gone */
export async function importOrfao(
  deps: DepsDosOrfaos,
  input: { key: string; contadorId: number; arquivoId: string | null },
): Promise<string | null> {
  const { key: blob, contadorId, arquivoId } = input;
  const [found, bytes] = [await deps.storage.stat(blob), await getOrNull(deps.storage, blob)];
  if (!found || !bytes) return null;
  const chegouEm = Math.round(found.modifiedAt);
  return readmitir(deps, { blob, bytes, contadorId, arquivoId, chegouEm, autor: 'cli' });
}

/** How the check tells of one that stays until somebody does something; null of one that only takes room. */
export function faltaDoOrfao(orfao: Orfao): string | null {
  const { key } = orfao;
  switch (orfao.destino) {
    case 'sobra':
      return null;
    case 'religar':
      return `arquivo ${orfao.arquivoId}: os seus bytes estão guardados como ${key}, e o registro não o sabe; --reparar os religa`;
    case 'importar':
      return `arquivo ${key}: está guardado, e o banco não tem registro dele; --reparar o importa de novo, no escritório ${orfao.codigoCrm}`;
    case 'sem_dono':
      return `arquivo ${key}: está guardado sem registro no banco, e ${orfao.motivo}; nada o apaga. Veja o que é com malote orfao copiar, e importe-o com malote orfao importar`;
  }
}
