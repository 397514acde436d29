/** Statements of the check of what is sealed (`conferir-selados.ts`): a handful of rows each. */
import type { Db } from '../banco/tabelas.ts';

interface Selado {
  tabela: 'chave_de_endereco' | 'chave_do_emissor' | 'totp_console';
  /** Names its row. */
  kid: string;
  selada: Uint8Array;
}

/** Keys of addresses, those of the token issuer, and seeds of second factors. */
export async function findSelados(db: Db): Promise<Selado[]> {
  const enderecos = await db.selectFrom('chave_de_endereco').select(['kid', 'selada']).execute();
  const emissor = await db.selectFrom('chave_do_emissor').select(['kid', 'selada']).execute();
  const totp = await db.selectFrom('totp_console').select(['usuario_id', 'selada']).execute();
  return [
    ...enderecos.map((chave) => ({ tabela: 'chave_de_endereco' as const, ...chave })),
    ...emissor.map((chave) => ({ tabela: 'chave_do_emissor' as const, ...chave })),
    ...totp.map(({ usuario_id, selada }) => ({
      tabela: 'totp_console' as const,
      kid: String(usuario_id),
      selada,
    })),
  ];
}

/** What tokens are verified with. */
export function findChavesDoEmissor(db: Db) {
  return db.selectFrom('chave_do_emissor').select(['kid', 'certificado']).execute();
}
