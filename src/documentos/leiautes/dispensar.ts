import { ACAO, auditar } from '../../auditoria/auditar.ts';
import type { Deps } from '../../deps.ts';
import { leiauteNaoEncontrado } from './errors.ts';
import { deleteForma } from './queries-leiautes.ts';

/**
 * Files of one form wait no longer: they were no notes. The uploads that they came in stay as they are.
 *
 * @returns how many there were @throws leiaute_nao_encontrado
 */
export async function dispensarForma(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  input: { contadorId: number; autor: string; forma: string },
): Promise<number> {
  const { contadorId, autor, forma } = input;
  return db.write.transaction().execute(async (trx) => {
    const arquivos = await deleteForma(trx, { contadorId, forma });
    if (arquivos === 0) throw leiauteNaoEncontrado();
    const alvo = `leiaute/${forma.slice(0, 100)}`;
    const detalhe = { arquivos };
    await auditar(trx, { em: clock.now(), acao: ACAO.leiauteDispensado, contadorId, autor, alvo, detalhe });
    return arquivos;
  });
}
