/** Statements of the check of what is sealed (`conferir-selados.ts`): a handful of rows each, certificates one for each client. */
import type { Db } from '../banco/tabelas.ts';

interface Selado {
  /** What its seal is bound to, which names its row too. */
  contexto: string;
  selada: Uint8Array;
}

/** Keys of addresses, those of the token issuer, and seeds of second factors. */
export async function findSelados(db: Db): Promise<Selado[]> {
  const enderecos = await db.selectFrom('chave_de_endereco').select(['kid', 'selada']).execute();
  const emissor = await db.selectFrom('chave_do_emissor').select(['kid', 'selada']).execute();
  const totp = await db.selectFrom('totp_console').select(['usuario_id', 'selada']).execute();
  return [
    ...enderecos.map(({ kid, selada }) => ({ contexto: `chave_de_endereco/${kid}`, selada })),
    ...emissor.map(({ kid, selada }) => ({ contexto: `chave_do_emissor/${kid}`, selada })),
    ...totp.map(({ usuario_id, selada }) => ({ contexto: `totp_console/${usuario_id}`, selada })),
  ];
}

/** What tokens are verified with. */
export function findChavesDoEmissor(db: Db) {
  return db.selectFrom('chave_do_emissor').select(['kid', 'certificado']).execute();
}

/** Certificates that are in use, after an id; primary key. */
export function findCertificados(db: Db, input: { depoisDe: string; limite: number }) {
  return db
    .selectFrom('certificado')
    .select(['id', 'contador_id', 'cliente_id', 'versao', 'chave_selada', 'selado'])
    .select(['titular', 'titular_nome', 'serie', 'impressao', 'valido_de', 'valido_ate'])
    .where('id', '>', input.depoisDe)
    .where('substituido_em', 'is', null)
    .orderBy('id')
    .limit(input.limite)
    .execute();
}
