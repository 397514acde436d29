import type { Maquina } from '../maquina.ts';
import type { Medida } from './medir.ts';

export interface Relatorio {
  documentos: number;
  maquina: Maquina;
  /** Processes that wanted a core, on average of the last minutes: with more than there are cores, times say little. */
  ocupada: number;
  medidas: readonly Medida[];
}

const inteiro = (value: number) => value.toLocaleString('pt-BR');
const escrito = (value: number, unidade: Medida['unidade']) =>
  `${value.toLocaleString('pt-BR', { maximumFractionDigits: unidade === '' ? 3 : 0 })} ${unidade}`.trim();

export function emTexto({ medidas }: Relatorio): string {
  return medidas
    .map(
      ({ oQue, unidade, mediana, maior, limite }) =>
        `${limite !== null && mediana > limite ? '!' : ' '} ${oQue.padEnd(72)}${escrito(mediana, unidade).padStart(9)}  (maior ${escrito(maior, unidade)})`,
    )
    .join('\n');
}

/** The page of `docs/`. */
export function emMarkdown({ documentos, maquina, ocupada, medidas }: Relatorio): string {
  const tabela = (grupo: Medida['grupo']) =>
    medidas
      .filter((medida) => medida.grupo === grupo)
      .map(
        ({ oQue, unidade, mediana, maior, limite }) =>
          `| ${oQue} | ${escrito(mediana, unidade)} | ${escrito(maior, unidade)} | ${limite === null ? '' : escrito(limite, unidade)} |`,
      )
      .join('\n');
  return `# Rapidez do console

Medido por \`npm run bench:console\` em Chromium no mesmo computador, com o servidor de verdade e ${inteiro(documentos)} documentos
gerados (\`malote semear\`). Cada tempo vai do gesto (tecla, clique) até a última mudança na página, medido pelo próprio
navegador. Máquina: ${maquina.processador}, ${maquina.nucleos} núcleos, ${maquina.memoriaGb} GB; Node ${maquina.node}; commit ${maquina.commit ?? 'desconhecido'}; ${inteiro(Math.round(ocupada))} processos à espera de ${maquina.nucleos} núcleos enquanto se mediu (numa máquina livre, menos que o número de núcleos).

## Primeira carga

| o quê | mediana | maior | limite |
|---|---:|---:|---:|
${tabela('carga')}

## Uso com ${inteiro(documentos)} documentos

| o quê | mediana | maior | limite |
|---|---:|---:|---:|
${tabela('uso')}
`;
}
