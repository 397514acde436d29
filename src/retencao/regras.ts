/** Terms of an office: how many months documents of each kind are kept. */

import { ACAO, auditar } from '../auditoria/auditar.ts';
import type { Db } from '../banco/tabelas.ts';
import type { Deps } from '../deps.ts';
import { dadosInvalidos } from '../platform/http/errors.ts';
import { MESES_MAXIMO, MESES_MINIMO, MESES_PADRAO, MODELOS, mesesDe, type Regra, TODOS } from './prazos.ts';
import * as queries from './queries-regras.ts';

/** The rules an office has set; kinds that are not here follow `*`, and without that the default. */
export async function regrasDe(db: Db, contadorId: number): Promise<Regra[]> {
  const rows = await queries.findRegras(db, contadorId);
  return rows.map(({ modelo, meses }) => ({ modelo: modelo as Regra['modelo'], meses }));
}

export interface Prazo {
  modelo: string;
  meses: number;
  /** Where the number comes from. */
  origem: 'modelo' | 'escritorio' | 'padrao';
}

/** The term of every kind, with where it comes from; the office's own default first. */
export async function prazosDe(db: Db, contadorId: number): Promise<Prazo[]> {
  const regras = await regrasDe(db, contadorId);
  const has = (modelo: string) => regras.some((regra) => regra.modelo === modelo);
  const geral: Prazo = {
    modelo: TODOS,
    meses: mesesDe(TODOS, regras),
    origem: has(TODOS) ? 'escritorio' : 'padrao',
  };
  return [
    geral,
    ...MODELOS.map(
      (modelo): Prazo => ({
        modelo,
        meses: mesesDe(modelo, regras),
        origem: has(modelo) ? 'modelo' : geral.origem,
      }),
    ),
  ];
}

/**
 * Sets the term of a kind (`*`: of all that have none of their own); null goes back to the default.
 * @throws dados_invalidos
 */
export async function setPrazo(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { contadorId: number; autor: string; modelo: string; meses: number | null },
): Promise<void> {
  const { contadorId, autor, modelo, meses } = input;
  const erros = [];
  if (modelo !== TODOS && !MODELOS.some((known) => known === modelo)) {
    const mensagem = `modelo deve ser ${TODOS} ou um de: ${MODELOS.join(', ')}.`;
    erros.push({ campo: 'modelo', codigo: 'valor_invalido', mensagem });
  }
  if (meses !== null && (!Number.isInteger(meses) || meses < MESES_MINIMO || meses > MESES_MAXIMO)) {
    const mensagem = `meses deve ser um inteiro de ${MESES_MINIMO} (cinco anos) a ${MESES_MAXIMO}; o padrão é ${MESES_PADRAO}.`;
    erros.push({ campo: 'meses', codigo: 'valor_invalido', mensagem });
  }
  if (erros.length > 0) throw dadosInvalidos(erros);
  const agora = deps.clock.now();
  await deps.db.write.transaction().execute(async (trx) => {
    const antes = mesesDe(modelo, await regrasDe(trx, contadorId));
    if (meses === null) await queries.deleteRegra(trx, { contadorId, modelo });
    else {
      await queries.upsertRegra(trx, {
        contador_id: contadorId,
        modelo,
        meses,
        alterada_em: agora,
        alterada_por: autor,
      });
    }
    const depois = mesesDe(modelo, await regrasDe(trx, contadorId));
    await auditar(trx, {
      em: agora,
      acao: ACAO.prazoAlterado,
      contadorId,
      autor,
      alvo: `prazo/${modelo}`,
      detalhe: { antes, depois },
    });
  });
}
