/** Judges anew how well documents are proven once what their signers are worth is known, and lets the better version be served. */
import { tryDescomprimir } from '../../documentos/bytes/conteudo.ts';
import { guardadosDe } from '../../documentos/read/feed.ts';
import { findVersoesARenovar, type VersaoARenovar } from '../../documentos/review/queries-revisar.ts';
import { reavaliar, writeVeredicto } from '../../documentos/review/revisar.ts';
import type { VersaoLida } from '../../documentos/store/servir.ts';
import type { PecaLida, Trx } from '../../documentos/tipos.ts';
import { LOCK, lockFor } from '../../platform/db/locks.ts';
import type { Leitor } from '../reading/leitores.ts';

/**
 * Reads these versions again, writes what they prove, and draws the conclusion for their documents.
 * @param input.versaoIds some may be gone; one whose bytes are damaged stays as it was, which `verificar` tells
 */
export async function renewProvas(
  trx: Trx,
  input: { versaoIds: readonly number[]; leitor: Pick<Leitor, 'read'>; agora: number },
): Promise<void> {
  const versoes = await findVersoesARenovar(trx, input.versaoIds);
  await lockFor(trx, LOCK.escritorio, [...new Set(versoes.map(({ contador_id }) => contador_id))]);
  const lidas = await reler(trx, { versoes, leitor: input.leitor });
  for (const [id, peca] of lidas) await writeVeredicto(trx, { id, peca });
  for (const [documentoId, dele] of Map.groupBy(versoes, ({ documento_id }) => documento_id)) {
    const [{ contador_id: contadorId } = { contador_id: 0 }] = dele;
    const suas = new Map<number, VersaoLida>();
    for (const { id } of dele) {
      const peca = lidas.get(id);
      if (peca) suas.set(id, peca);
    }
    await reavaliar(trx, { contadorId, documentoId, agora: input.agora, lidas: suas });
  }
}

type PecaComRegistro = Extract<PecaLida, { kind: 'registro' }>;

async function reler(
  trx: Trx,
  { versoes, leitor }: { versoes: readonly VersaoARenovar[]; leitor: Pick<Leitor, 'read'> },
): Promise<Map<number, PecaComRegistro>> {
  const conteudos = await guardadosDe(
    trx,
    versoes.map(({ id }) => id),
  );
  const inteiras = versoes.flatMap((versao) => {
    const conteudo = conteudos.get(versao.id);
    const bytes = conteudo ? tryDescomprimir(conteudo, versao.sha256) : null;
    return bytes ? [{ versao, bytes }] : [];
  });
  const { pecas } = await leitor.read(
    inteiras.map(({ versao, bytes }) => ({ caminho: `${versao.chave}.xml`, bytes })),
  );
  const lidas = new Map<number, PecaComRegistro>();
  for (const [at, { versao }] of inteiras.entries()) {
    const [peca] = pecas[at] ?? [];
    if (peca?.kind === 'registro' && peca.registro.chave === versao.chave) lidas.set(versao.id, peca);
  }
  return lidas;
}
