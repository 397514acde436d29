/** Users that are gone: the audit log keeps who they were, so that what they did still has their name. */

import { findFim } from '../../auditoria/queries.ts';
import type { Db } from '../../banco/tabelas.ts';
import { findRemocoes } from './queries-removidos.ts';

interface UsuarioRemovido {
  id: number;
  /** With a mark that says so. */
  nome: string;
  email: string;
}

type Removidos = ReadonlyMap<number, UsuarioRemovido>;

/** What was read of the log by office: no row of it ever changes, so only what came since is read again. */
const lidos = new WeakMap<Db, Map<number, { ate: number; removidos: Removidos }>>();

/** The removed users of an office by their id. */
export async function usuariosRemovidos(db: Db, contadorId: number): Promise<Removidos> {
  const doBanco = lidos.get(db) ?? new Map<number, { ate: number; removidos: Removidos }>();
  lidos.set(db, doBanco);
  const { ate: depoisDe, removidos } = doBanco.get(contadorId) ?? { ate: 0, removidos: new Map() };
  const { n: ate } = await findFim(db);
  if (ate === depoisDe) return removidos;
  const rows = await findRemocoes(db, { contadorId, depoisDe, ate });
  const todos = new Map([
    ...removidos,
    ...rows.map(removidoDe).map((one): [number, UsuarioRemovido] => [one.id, one]),
  ]);
  doBanco.set(contadorId, { ate, removidos: todos });
  return todos;
}

function removidoDe({ alvo, detalhe }: { alvo: string; detalhe: string }): UsuarioRemovido {
  const id = Number(alvo.replace(/^usuario\//, ''));
  const { nome, email = '' } = JSON.parse(detalhe) as { nome?: string; email?: string };
  return { id, nome: `${nome ?? email} (usuário removido)`, email };
}

interface DeUmUsuario {
  usuario: string | null;
  usuario_id: number | null;
}

/** Gives rows the name of their user where that one is gone. */
export async function comRemovidos<Linha extends DeUmUsuario>(
  db: Db,
  input: { contadorId: number; linhas: Linha[] },
): Promise<Linha[]> {
  const { contadorId, linhas } = input;
  if (linhas.every(({ usuario, usuario_id }) => usuario !== null || usuario_id === null)) return linhas;
  const removidos = await usuariosRemovidos(db, contadorId);
  return linhas.map((linha) => ({
    ...linha,
    usuario: linha.usuario ?? removidos.get(linha.usuario_id ?? 0)?.nome ?? null,
  }));
}
