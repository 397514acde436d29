/** What a run of the attacks is told as: one object, a table, and `docs/ataques.md`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RAIZ } from '../confiabilidade/processo.ts';
import { cell, commitAtual, MOTORES, maquinaAtual } from '../confiabilidade/resultados.ts';
import { megabytes } from './ataque.ts';
import type { Resultado } from './executar.ts';
import { LIMITE_BYTES, limitador } from './limite.ts';

const PAGINA = join(RAIZ, 'docs', 'ataques.md');

export interface Total {
  /** How many were run; those that could not be are not counted. */
  ataques: number;
  caiu: number;
  pior_espera_de_outros_s: number;
  sem_dono: number;
  substituidas: number;
}

export function totalDe(resultados: readonly Resultado[]): Total {
  const ran = resultados.filter(({ pulado }) => pulado === null);
  const sum = (of: (one: Resultado) => number) => ran.reduce((total, one) => total + of(one), 0);
  const worst = Math.max(0, ...ran.map(({ piorEsperaMs }) => piorEsperaMs));
  return {
    ataques: ran.length,
    caiu: sum(({ caiu }) => caiu),
    pior_espera_de_outros_s: Math.round(worst / 100) / 10,
    sem_dono: sum(({ semDono }) => semDono),
    substituidas: sum(({ substituidas }) => substituidas),
  };
}

const CABECALHO = [
  'ataque',
  'motor',
  'caiu',
  'pior espera',
  'pico de memória',
  'sem dono',
  'substituídas',
  'resultado',
];

const seconds = (ms: number) => `${(ms / 1000).toFixed(1).replace('.', ',')} s`;

function veredicto({ pulado, faltas }: Resultado): string {
  if (pulado !== null) return `pulado: ${pulado}`;
  return faltas.length === 0 ? 'resiste' : `${faltas.length} faltas`;
}

function celulas(one: Resultado): string[] {
  return [
    one.nome,
    MOTORES[one.motor],
    String(one.caiu),
    seconds(one.piorEsperaMs),
    megabytes(one.picoBytes),
    String(one.semDono),
    String(one.substituidas),
    veredicto(one),
  ];
}

/** For a terminal (pt-BR). */
export function tabelaDe(resultados: readonly Resultado[]): string {
  const rows = [CABECALHO, ...resultados.map(celulas)];
  const widths = CABECALHO.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}

/** The page (pt-BR): nothing on it that is not in the results. */
export function paginaDe(resultados: readonly Resultado[], input: { semente: string }): string {
  const total = totalDe(resultados);
  const rows = resultados.map((one) => {
    const [nome = '', motor = '', ...measured] = celulas(one);
    return [`\`${nome}\``, one.titulo, motor, one.feito, one.medido, ...measured, `${one.segundos} s`];
  });
  const head = ['nome', 'ataque', 'motor', 'feito', 'medido', ...CABECALHO.slice(2), 'duração'];
  const faults = resultados.flatMap(({ nome, motor, faltas }) =>
    faltas.map((falta) => `- \`${nome}\`, ${MOTORES[motor]}: ${cell(falta)}`),
  );
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return `# Ataques

Escrito por \`npm run ataques\`; a forma curta roda em \`npm test\`. Cada ataque é o que um arquivo, um token ou um estranho faz a
um serviço em execução, com a memória de \`deploy/malote.service\` e reiniciado como lá, enquanto outro escritório envia notas e lê
páginas. *Pior espera* é a desse outro: do pedido do bilhete à nota na lista do cliente, ou por uma página. *Sem dono* são os envios
do atacante que não chegaram a um estado final e os documentos dele sem linha; *substituídas*, os documentos legítimos em cujo lugar
um falso é servido, ou cuja situação um falso mudou sem marca.

| | |
|---|---|
| dia | ${new Date().toISOString().slice(0, 10)} |
| semente | \`${input.semente}\` |
| commit | \`${commitAtual()}\` |
| máquina | ${maquinaAtual()} |
| limite de memória | ${megabytes(LIMITE_BYTES)}: ${limitador().como} |
| ataques | ${total.ataques} |
| quedas | ${total.caiu} |
| pior espera de outros | ${seconds(total.pior_espera_de_outros_s * 1000)} |
| sem dono | ${total.sem_dono} |
| substituídas | ${total.substituidas} |

${line(head)}
|${'---|'.repeat(head.length)}
${rows.map(line).join('\n')}
${faults.length === 0 ? '' : `\n## Faltas\n\n${faults.join('\n')}\n`}`;
}

export function storePagina(resultados: readonly Resultado[], input: { semente: string }): void {
  writeFileSync(PAGINA, paginaDe(resultados, input));
}
