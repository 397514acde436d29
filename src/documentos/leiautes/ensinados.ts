/**
 * Layouts of municipal notes that an office has described or installed. They are that office's alone. What was read by one
 * stays as it was read when it is replaced or taken away: an entry that was delivered never changes its NSU or its key.
 */
import { ACAO, auditar } from '../../auditoria/auditar.ts';
import type { Deps } from '../../deps.ts';
import type { Leiaute } from '../../fiscal/nfse/leiautes/leiaute.ts';
import { readEnsinado, validateEnsinado } from '../../fiscal/nfse/leiautes/validar-ensinado.ts';
import { LOCK, lockFor } from '../../platform/db/locks.ts';
import type { Leitor } from '../queries-leitura.ts';
import { leiauteInvalido, leiauteNaoEncontrado, leiautesDemais } from './errors.ts';
import * as queries from './queries-leiautes.ts';

/** Each is asked of every element that could be a note. */
const ENSINADOS_MAX = 50;

interface Ensinado {
  leiaute: Leiaute;
  origem: 'ensinado' | 'instalado';
  /** ms UTC */
  criadoEm: number;
  /** As in the audit log. */
  autor: string;
}

/** Those of an office, in the order in which they are tried. */
export async function listEnsinados(db: Leitor, contadorId: number): Promise<Ensinado[]> {
  const rows = await queries.findEmVigor(db, contadorId);
  return rows.flatMap(({ conteudo, origem, criado_em, criado_por }) => {
    // One that an older version let pass is not read by; it stands in the list of none.
    const read = readEnsinado(conteudo);
    return read.ok ? [{ leiaute: read.leiaute, origem, criadoEm: criado_em, autor: criado_por }] : [];
  });
}

/** One of an office. @throws leiaute_nao_encontrado */
export async function findEnsinado(db: Leitor, input: { contadorId: number; id: string }): Promise<Ensinado> {
  const found = (await listEnsinados(db, input.contadorId)).find(({ leiaute }) => leiaute.id === input.id);
  if (!found) throw leiauteNaoEncontrado();
  return found;
}

/** As it is sent to a colleague: the description and nothing else. It has names of elements, and no text of any note. */
export function fileOf({ leiaute }: Pick<Ensinado, 'leiaute'>): { nome: string; texto: string } {
  return { nome: `${leiaute.id}.leiaute.json`, texto: `${JSON.stringify(leiaute, null, 2)}\n` };
}

/**
 * Puts a layout in force, in the place of one with the same id; what waits is then read by it (`src/importacao/again/`).
 *
 * @param input.valor what a file held, or a screen sent
 * @throws leiaute_invalido, leiautes_demais
 */
export async function saveEnsinado(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  input: { contadorId: number; autor: string; valor: unknown; origem: Ensinado['origem'] },
): Promise<{ leiaute: Leiaute; substituiu: boolean }> {
  const { contadorId, autor, origem } = input;
  const read = validateEnsinado(input.valor);
  if (!read.ok) throw leiauteInvalido(read.faltas);
  const { leiaute } = read;
  const agora = clock.now();
  const substituiu = await db.write.transaction().execute(async (trx) => {
    await lockFor(trx, LOCK.escritorio, [contadorId]);
    const revisao = (await queries.findRevisao(trx, contadorId)) + 1;
    const replaced = await queries.retireLeiaute(trx, { contadorId, leiaute: leiaute.id, revisao, agora });
    const there = await queries.findEmVigor(trx, contadorId);
    if (there.length >= ENSINADOS_MAX) throw leiautesDemais(ENSINADOS_MAX);
    await queries.insertLeiaute(trx, {
      contador_id: contadorId,
      leiaute: leiaute.id,
      conteudo: JSON.stringify(leiaute),
      origem,
      revisao,
      criado_em: agora,
      criado_por: autor,
      retirado_em: null,
    });
    const acao = origem === 'ensinado' ? ACAO.leiauteEnsinado : ACAO.leiauteInstalado;
    const alvo = `leiaute/${leiaute.id}`;
    await auditar(trx, {
      em: agora,
      acao,
      contadorId,
      autor,
      alvo,
      detalhe: { nome: leiaute.nome, substituiu: replaced },
    });
    return replaced;
  });
  return { leiaute, substituiu };
}

/** Takes a layout out of force: notes of it that come from now on wait again. @throws leiaute_nao_encontrado */
export async function retireEnsinado(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  input: { contadorId: number; autor: string; id: string },
): Promise<void> {
  const { contadorId, autor, id } = input;
  const agora = clock.now();
  await db.write.transaction().execute(async (trx) => {
    await lockFor(trx, LOCK.escritorio, [contadorId]);
    const revisao = (await queries.findRevisao(trx, contadorId)) + 1;
    if (!(await queries.retireLeiaute(trx, { contadorId, leiaute: id, revisao, agora })))
      throw leiauteNaoEncontrado();
    await auditar(trx, { em: agora, acao: ACAO.leiauteRetirado, contadorId, autor, alvo: `leiaute/${id}` });
  });
}
