import type { Db } from '../banco/tabelas.ts';
import type { Ambiente } from '../banco/tabelas-captura.ts';

/** The city of a CNPJ or CPF, as its certificate names it; primary key. */
export async function setMunicipio(
  db: Db,
  input: { cpfCnpj: string; ambiente: Ambiente; ibge: string },
): Promise<void> {
  await db
    .updateTable('captura_estado')
    .set({ municipio: input.ibge })
    .where('cpf_cnpj', '=', input.cpfCnpj)
    .where('servico', '=', 'nfse')
    .where('ambiente', '=', input.ambiente)
    .execute();
}

/**
 * Notes that a city is asked for now. @param input.cadaMs ms between two times; a wall clock that went back counts as one
 * @returns whether nobody else has asked within that time
 */
export async function claimMunicipio(
  db: Db,
  input: { ibge: string; nome: string; ambiente: Ambiente; agora: number; cadaMs: number },
): Promise<boolean> {
  const { ibge, nome, ambiente, agora, cadaMs } = input;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('captura_municipio')
    .values({ ibge, nome, ambiente, compartilha: null, perguntado_em: agora })
    .onConflict((oc) =>
      oc
        .columns(['ibge', 'ambiente'])
        .doUpdateSet({ nome, perguntado_em: agora })
        .where((eb) =>
          eb.or([
            eb('captura_municipio.perguntado_em', '<=', agora - cadaMs),
            eb('captura_municipio.perguntado_em', '>', agora + cadaMs),
          ]),
        ),
    )
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows) > 0;
}

/** What was answered; or, where nothing was, when it counts as asked for: what was known before stays. */
export async function updateMunicipio(
  db: Db,
  input: { ibge: string; ambiente: Ambiente; answered: { compartilha: 0 | 1 } | { perguntado_em: number } },
): Promise<void> {
  await db
    .updateTable('captura_municipio')
    .set(input.answered)
    .where('ibge', '=', input.ibge)
    .where('ambiente', '=', input.ambiente)
    .execute();
}
