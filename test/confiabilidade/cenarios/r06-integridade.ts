/** R06: the engine's own judgement of its file after each kill, before anything has repaired it. */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Bancada } from '../bancada.ts';
import { type Cenario, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';
import { novaPasta } from '../motores.ts';
import { killVezes, medidasDasPartidas, remessaPara } from './r01-quedas.ts';

/** What `pragma integrity_check` says of a copy as the kill left it (opening the original would recover it). */
export function integridadeDe(pasta: string): string[] {
  const copy = novaPasta('integridade');
  try {
    const files = readdirSync(pasta).filter((name) => name.includes('.sqlite'));
    for (const name of files) cpSync(join(pasta, name), join(copy, basename(name)));
    const main = files.find((name) => name.endsWith('.sqlite'));
    if (!main) return [];
    const database = new DatabaseSync(join(copy, main));
    const said = database.prepare('pragma integrity_check').all() as { integrity_check: string }[];
    const foreign = database.prepare('pragma foreign_key_check').all();
    database.close();
    return [
      ...said.map((row) => row.integrity_check).filter((text) => text !== 'ok'),
      ...foreign.map((row) => `foreign key: ${JSON.stringify(row)}`),
    ];
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

export const integridade: Cenario = {
  id: 'R06',
  titulo: 'kill -9 e PRAGMA integrity_check antes de cada nova partida',
  motores: ['sqlite'],
  async rodar(contexto) {
    const quantas = quanto(contexto, 3, contexto.quedas);
    const remessa = await remessaPara(contexto, quantas);
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa });
    const faults: Violacao[] = [];
    await killVezes(contexto, bancada, {
      remessa,
      quantas,
      ateMs: quanto(contexto, 500, 1_000),
      async derrubar() {
        await bancada.matar();
        for (const detalhe of integridadeDe(bancada.deposito.pasta)) faults.push({ regra: 'R06', detalhe });
      },
    });
    return {
      feito: `${quantas} kill -9, ${quantas} conferências do arquivo`,
      medido: medidasDasPartidas(bancada),
      violacoes: [...faults, ...(await bancada.concluir())],
    };
  },
};
