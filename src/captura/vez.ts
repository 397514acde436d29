/**
 * Whose turn it is. What has waited longest comes first, whether it is a page, a list or a single document: a service that
 * is always behind with one kind would otherwise never come to the other. The SAE takes one call at a time from all of us,
 * so that one of its sequences is in line at most, and the others' documents do not wait behind it.
 */
import type { Kysely } from 'kysely';
import type { Tabelas } from '../banco/tabelas.ts';
import type { Ambiente } from '../banco/tabelas-captura.ts';
import { runAsService } from '../platform/db/tenant.ts';
import type { DepsDaCaptura } from './deps-da-captura.ts';
import { CHAMADAS_AO_MESMO_TEMPO } from './iniciar.ts';
import type { Grupo, Sequencia } from './queries.ts';
import * as queries from './queries.ts';

const COLUNAS = ['proxima_em', 'chaves_em'] as const;

/** Sequences that may be called now, as many as may be called at once. @param agora ms of the steady clock */
export async function findDaVez(
  db: Kysely<Tabelas>,
  { ambiente, agora }: { ambiente: Ambiente; agora: number },
): Promise<Sequencia[]> {
  const esperam = await vencidas(db, { grupo: 'sae', ambiente, agora });
  const sae = esperam.length > 0 && (await saeLivreEm(db, agora)) <= agora ? esperam : [];
  const demais = await vencidas(db, { grupo: 'demais', ambiente, agora });
  return [...sae.slice(0, 1), ...demais]
    .sort((a, b) => a.desde - b.desde)
    .slice(0, CHAMADAS_AO_MESMO_TEMPO)
    .map(({ sequencia }) => sequencia);
}

/** When a sequence is due next, ms of the steady clock; null where none ever is. */
export async function findProximaVez(
  db: Kysely<Tabelas>,
  { ambiente, agora }: { ambiente: Ambiente; agora: number },
): Promise<number | null> {
  const livre = { sae: await saeLivreEm(db, agora), demais: 0 };
  const found: number[] = [];
  for (const grupo of ['sae', 'demais'] as const)
    for (const coluna of COLUNAS) {
      const next = await queries.findProxima(db, { coluna, grupo, ambiente });
      if (next !== null) found.push(Math.max(next, livre[grupo]));
    }
  return found.length === 0 ? null : Math.min(...found);
}

/** The SAE answers nobody before, ms of the steady clock; 0: it may be called now. */
async function saeLivreEm(db: Kysely<Tabelas>, agora: number): Promise<number> {
  const locadas = await queries.findLocadas(db, agora);
  const ate = locadas.filter(({ servico }) => servico === 'nfce').map(({ locada_ate }) => locada_ate ?? 0);
  return ate.length === 0 ? 0 : Math.max(...ate) + 1;
}

/** Shorter waits of the SAE are the pause between two calls, which nobody has to know of. */
const DESCANSO_MS = 60_000;

/**
 * Until when the SAE rests for everybody, since it has refused somebody's call: ms of the wall clock; null: it does not.
 * As the service: whose call it was is nobody's business, that all wait is everybody's.
 */
export async function descansoDoSae({
  db,
  relogio,
}: Pick<DepsDaCaptura, 'db' | 'relogio'>): Promise<number | null> {
  const agora = relogio.agora();
  const livreEm = await runAsService(() => queries.findSaeDescansa(db.read, agora));
  return livreEm !== null && livreEm > agora + DESCANSO_MS ? relogio.naParede(livreEm) : null;
}

interface Vencida {
  sequencia: Sequencia;
  /** Since when it waits. */
  desde: number;
}

/** The longest waiting first. */
async function vencidas(
  db: Kysely<Tabelas>,
  { grupo, ambiente, agora }: { grupo: Grupo; ambiente: Ambiente; agora: number },
): Promise<Vencida[]> {
  const found = new Map<string, Vencida>();
  for (const coluna of COLUNAS) {
    const input = { coluna, grupo, ambiente, agora, limite: CHAMADAS_AO_MESMO_TEMPO };
    for (const row of await queries.findVencidos(db, input)) {
      const { cpf_cnpj, servico } = row;
      const key = `${servico} ${cpf_cnpj}`;
      const desde = Math.min(row.desde ?? agora, found.get(key)?.desde ?? agora);
      found.set(key, { sequencia: { cpf_cnpj, servico, ambiente }, desde });
    }
  }
  return [...found.values()].sort((a, b) => a.desde - b.desde);
}
