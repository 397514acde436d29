import type { descreverMaquina } from '../maquina.ts';
import type { MedidaDeEscala } from './medir.ts';

export interface ResultadosDeEscala {
  motores: Record<
    string,
    {
      documentos: number;
      base: number;
      dia: string;
      maquina: ReturnType<typeof descreverMaquina>;
      medidas: MedidaDeEscala[];
    }
  >;
}

const NOMES: Readonly<Record<string, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
const numero = new Intl.NumberFormat('pt-BR');

/** docs/escala.md, of the last run of each engine. */
export function emMarkdown({ motores }: ResultadosDeEscala): string {
  const parts = Object.entries(motores).map(([motor, { documentos, base, dia, maquina, medidas }]) => {
    const rows = medidas.map(
      ({ oQue, baseMs, cheioMs, razao }) =>
        `| ${oQue} | ${baseMs.toFixed(2)} | ${cheioMs.toFixed(2)} | ${razao.toFixed(2)} |`,
    );
    return [
      `## ${NOMES[motor] ?? motor}`,
      '',
      `Medido em ${dia}, commit ${maquina.commit}, ${maquina.processador}, ${maquina.nucleos} núcleos.`,
      '',
      `| pedido, 100 registros por página | ${numero.format(base)} documentos (ms) | ${numero.format(documentos)} documentos (ms) | razão |`,
      '|---|---:|---:|---:|',
      ...rows,
      '',
    ].join('\n');
  });
  return [
    '# Escala',
    '',
    'Escrito por `npm run escala`. O mesmo pedido, por HTTP, a um cliente com poucos e a um com muitos documentos, um depois',
    'do outro; o tempo é a mediana. A promessa: o cliente grande demora no máximo 1,5 vez o pequeno. A leitura a partir de um NSU',
    'qualquer fica fora dela: o cliente pequeno inteiro cabe no que já está pronto em memória, e do grande quase toda página é',
    'montada na hora.',
    '',
    ...parts,
  ].join('\n');
}
