import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { VisuallyHidden } from '@mantine/core';
import type { Resposta } from '../../api/rotas.ts';
import { diaDeHoje } from '../../formatos/datas.ts';
import { formatInteiro } from '../../formatos/numeros.ts';
import { ESPECIES } from '../../partes/nomes.ts';

type Dados = Resposta<'GET /inicio'>['documentosPorDia'];

/** Told apart also without colours: by order, and by the numbers of the tooltip. */
const CORES: Readonly<Record<string, string>> = {
  nfe: 'malote.6',
  nfce: 'yellow.6',
  cfe: 'grape.5',
  cte: 'blue.5',
  nfse: 'orange.6',
};

/** One bar a day, stacked by kind; the same numbers as a table for who cannot see it. */
export default function Grafico({ dados, dias, altura }: { dados: Dados; dias: number; altura: number }) {
  const porDia = Map.groupBy(dados, ({ dia }) => dia);
  // Days without documents too: a silence shows as one.
  const todos = Array.from({ length: dias }, (_, at) => diaDeHoje(at - dias + 1));
  const linhas = todos.map((dia) => ({
    dia: `${dia.slice(8, 10)}/${dia.slice(5, 7)}`,
    ...Object.fromEntries((porDia.get(dia) ?? []).map(({ especie, quantidade }) => [especie, quantidade])),
  }));
  const presentes = Object.keys(ESPECIES).filter((especie) =>
    dados.some((um) => um.especie === especie && um.quantidade > 0),
  );
  return (
    <>
      <div aria-hidden>
        <BarChart
          h={altura}
          data={linhas}
          dataKey="dia"
          type="stacked"
          withLegend
          legendProps={{ verticalAlign: 'bottom', height: 32 }}
          valueFormatter={formatInteiro}
          series={presentes.map((especie) => ({
            name: especie,
            label: ESPECIES[especie] ?? especie,
            color: CORES[especie] ?? 'gray.6',
          }))}
          maxBarWidth={28}
          tickLine="none"
          gridAxis="x"
          // Hidden from screen readers, so nothing in it may take the focus; the table below tells the same.
          barChartProps={{ accessibilityLayer: false }}
        />
      </div>
      <VisuallyHidden>
        <table>
          <caption>Documentos por dia e espécie</caption>
          <tbody>
            {[...porDia].map(([dia, doDia]) => (
              <tr key={dia}>
                <th scope="row">{dia}</th>
                <td>
                  {doDia
                    .map(({ especie, quantidade }) => `${ESPECIES[especie] ?? especie}: ${quantidade}`)
                    .join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  );
}
