import type { Maquina } from './maquina.ts';
import { MOTIVOS_PADRAO, RAZOES, type Razao, type Resultado } from './razoes.ts';

export interface Relatorio {
  maquina: Maquina;
  documentos: number;
  /** AAAA-MM-DD. */
  dia: string;
  resultados: readonly Resultado[];
}

const DECIMALS: Record<string, number> = {
  'docs/s': 0,
  'tokens/s': 0,
  'págs/s': 0,
  MB: 0,
  ms: 1,
  '%': 1,
  x: 3,
  s: 2,
  'por s': 0,
};

const shown = (valor: number, unidade: string) => `${valor.toFixed(DECIMALS[unidade] ?? 2)} ${unidade}`;

/** The one object of `--json`: every figure, null where there is none, and then why. */
export function emJson({ maquina, documentos, dia, resultados }: Relatorio) {
  const razoes = {} as Record<Razao, number | null>;
  const motivos: Partial<Record<Razao, string>> = {};
  for (const name of RAZOES) {
    const found = resultados.flatMap((resultado) => resultado.razoes[name] ?? []).find(Number.isFinite);
    razoes[name] = found ?? null;
    if (found === undefined)
      motivos[name] =
        resultados.flatMap((resultado) => resultado.motivos[name] ?? [])[0] ?? MOTIVOS_PADRAO[name];
  }
  return { dia, documentos, maquina, razoes, motivos };
}

/** The table for a terminal. */
export function emTexto({ resultados }: Relatorio): string {
  return resultados
    .filter(({ linhas }) => linhas.length > 0)
    .map(({ titulo, linhas }) =>
      [
        titulo,
        ...linhas.map(({ oQue, valor, unidade, nota }) =>
          `  ${oQue.padEnd(34)}${shown(valor, unidade).padStart(14)}  ${nota}`.trimEnd(),
        ),
      ].join('\n'),
    )
    .join('\n\n');
}

/** The page of `docs/`. */
export function emMarkdown(relatorio: Relatorio): string {
  const { maquina, documentos, dia, resultados } = relatorio;
  const { razoes, motivos } = emJson(relatorio);
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const sections = resultados
    .filter(({ linhas }) => linhas.length > 0)
    .map(
      ({ titulo, linhas }) => `## ${titulo}

| o quê | valor | observação |
|---|---:|---|
${linhas.map(({ oQue, valor, unidade, nota }) => `| ${cell(oQue)} | ${shown(valor, unidade)} | ${cell(nota)} |`).join('\n')}
`,
    );
  return `# Desempenho

Escrito por \`npm run bench\` em ${dia}. Valores absolutos dizem respeito a esta máquina e variam de uma execução para
outra; o que se compara são as razões, medidas lado a lado na mesma execução.

| máquina | |
|---|---|
| processador | ${maquina.processador}, ${maquina.nucleos} núcleos |
| memória | ${maquina.memoriaGb} GiB |
| sistema | ${maquina.sistema} |
| Node | ${maquina.node} |
| xmllint (libxml2) | ${maquina.xmllint ?? 'não instalado'} |
| commit | ${maquina.commit ?? 'desconhecido'} |
| documentos | ${documentos} notas autorizadas (\`nfeProc\` 4.00) geradas e assinadas, sempre as mesmas |

${sections.join('\n')}
## Razões

| razão | valor | motivo da falta |
|---|---:|---|
${RAZOES.map((name) => `| \`${name}\` | ${razoes[name]?.toFixed(3) ?? '—'} | ${cell(motivos[name] ?? '')} |`).join('\n')}
`;
}
