/** The figures of the campaign, kept in `docs/confiabilidade.json`, and the page made from them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release } from 'node:os';
import { join } from 'node:path';
import type { Violacao } from './julgar.ts';
import type { NomeDoMotor } from './motores.ts';
import { RAIZ } from './processo.ts';

export interface Resultado {
  id: string;
  motor: NomeDoMotor;
  titulo: string;
  forma: 'curta' | 'longa';
  semente: string;
  feito: string;
  medido: string;
  violacoes: Violacao[];
  /** Why it could not run; null when it ran. */
  pulado: string | null;
  segundos: number;
}

export interface Linha extends Resultado {
  /** Day, UTC. */
  dia: string;
  commit: string;
  maquina: string;
}

const DADOS = join(RAIZ, 'docs', 'confiabilidade.json');
const PAGINA = join(RAIZ, 'docs', 'confiabilidade.md');

/** Replaces the row of this scenario and engine, and makes the page anew. */
export function keepResultado(resultado: Resultado): void {
  const known: Linha[] = existsSync(DADOS) ? JSON.parse(readFileSync(DADOS, 'utf8')) : [];
  const linha: Linha = {
    ...resultado,
    dia: new Date().toISOString().slice(0, 10),
    commit: commitAtual(),
    maquina: maquinaAtual(),
  };
  const others = known.filter(({ id, motor }) => id !== linha.id || motor !== linha.motor);
  const linhas = [...others, linha].sort(
    (a, b) => a.id.localeCompare(b.id) || a.motor.localeCompare(b.motor) * -1,
  );
  writeFileSync(DADOS, `${JSON.stringify(linhas, null, 2)}\n`);
  writeFileSync(PAGINA, paginaDe(linhas));
}

export function maquinaAtual(): string {
  return `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? '?'}, Linux ${release()}, Node ${process.versions.node}`;
}

/** Short hash, with a `+` when files differ from it. */
export function commitAtual(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: RAIZ, encoding: 'utf8' }).trim();
    const changed = git('status', '--porcelain', '--', 'src', 'migrations', 'test') !== '';
    return git('rev-parse', '--short', 'HEAD') + (changed ? '+' : '');
  } catch {
    return '?';
  }
}

export function resumo(resultado: Resultado): string {
  const { id, motor, titulo, feito, medido, segundos } = resultado;
  return `${id.padEnd(5)} ${motor.padEnd(8)} ${veredicto(resultado)} | ${titulo} | ${feito} | ${medido} | ${segundos} s`;
}

function veredicto({ pulado, violacoes }: Resultado): string {
  if (pulado !== null) return `pulado: ${pulado}`;
  return violacoes.length === 0 ? 'passa' : `${violacoes.length} violações`;
}

export const MOTORES: Readonly<Record<NomeDoMotor, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
export const cell = (text: string) => text.replaceAll('|', '/').replaceAll('\n', ' ');

/** The page (pt-BR): nothing on it that is not in the figures. */
export function paginaDe(linhas: readonly Linha[]): string {
  const rows = linhas.map((linha) => {
    const { id, titulo, motor, feito, medido, violacoes, pulado, dia, commit, forma } = linha;
    const count = pulado === null ? String(violacoes.length) : '–';
    const cells = [
      id,
      titulo,
      MOTORES[motor],
      feito,
      medido,
      veredicto(linha),
      count,
      dia,
      `\`${commit}\``,
      forma,
    ];
    return `| ${cells.map(cell).join(' | ')} |`;
  });
  const faults = linhas.flatMap(({ id, motor, violacoes }) =>
    violacoes.map(
      ({ regra, detalhe }) => `- ${id} ${MOTORES[motor]}, ${regra}: ${cell(detalhe).slice(0, 300)}`,
    ),
  );
  const machines = [...new Set(linhas.map(({ maquina }) => maquina))];
  return `# Confiabilidade

Escrito por \`npm run confiabilidade\` a partir de \`confiabilidade.json\`, que a mesma execução grava. Um conferente de fora,
que só fala HTTP e não usa código do produto para julgar, anota em disco cada bilhete, cada 200 de um envio, o SHA-256 e as
chaves de cada arquivo e cada (NSU, chave) que um leitor ao vivo de cada cliente viu. Depois de cada cenário ele confere:

| | |
|---|---|
| I1 | todo envio confirmado chega a um estado final em até 60 s com o sistema de pé |
| I2 | cada documento está uma única vez em cada cliente a que pertence |
| I3 | o que os leitores ao vivo viram é o que a tabela tem: nada escapou |
| I4 | NSU 1, 2, 3 … por cliente, sem buracos, nunca reatribuído |
| I5 | os bytes que saem são os que entraram (SHA-256) |
| I6 | nenhum documento em outro escritório |
| I7 | um estado final não volta atrás |
| I8 | \`malote verificar\` não acha nada |
| I9 | nem respostas nem registro mostram rastros de pilha ou segredos |

Regra de três: 0 falhas em N quedas indicam, com 95 % de confiança, no máximo 3/N por queda. A forma curta roda em
\`npm test\`, menos a dos cenários que outro teste já repete; um commit com \`+\` tinha arquivos alterados.

Máquina: ${machines.join('; ') || '–'}.

| nº | cenário | motor | feito | medido | resultado | violações | dia | commit | forma |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}
${faults.length === 0 ? '' : `\n## Violações\n\n${faults.join('\n')}\n`}`;
}
