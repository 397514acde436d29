import { Paper, Table, Text } from '@mantine/core';
import type { Resposta } from '../../api/rotas.ts';
import { formatInteiro } from '../../formatos/numeros.ts';
import { nomeDoModelo } from '../../partes/nomes.ts';

type Serie = Resposta<'GET /faltantes'>['series'][number];

/** Series × month: how many numbers are missing; darker where more are. */
export function Grade({ series }: { series: readonly Serie[] }) {
  const meses = [...new Set(series.flatMap((serie) => serie.meses.map(({ mes }) => mes)))].sort();
  const maior = Math.max(1, ...series.flatMap((serie) => serie.meses.map(({ faltantes }) => faltantes)));
  return (
    <Paper className="folha" style={{ overflow: 'hidden' }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls the wide table with the arrow keys */}
      <section className="rolagem" tabIndex={0} aria-label="Faltantes por série e mês">
        <Table className="tabela" withColumnBorders>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Série</Table.Th>
              <Table.Th className="numero">Números</Table.Th>
              {meses.map((mes) => (
                <Table.Th key={mes} ta="center">
                  {mes.slice(5)}/{mes.slice(2, 4)}
                </Table.Th>
              ))}
              <Table.Th className="numero">Faltam</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {series.map((serie) => (
              <Table.Tr key={`${serie.modelo}-${serie.serie}`}>
                <Table.Th scope="row" className="junto">
                  {nomeDoModelo(serie.modelo)} · {serie.serie}
                </Table.Th>
                <Table.Td className="numero">
                  {formatInteiro(serie.primeiro)} a {formatInteiro(serie.ultimo)}
                </Table.Td>
                {meses.map((mes) => (
                  <Celula key={mes} mes={serie.meses.find((um) => um.mes === mes)} maior={maior} />
                ))}
                <Table.Td className="numero">
                  <Text size="sm" fw={600}>
                    {formatInteiro(serie.faltantes)}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </Paper>
  );
}

function Celula({ mes, maior }: { mes: Serie['meses'][number] | undefined; maior: number }) {
  if (!mes) return <Table.Td ta="center">–</Table.Td>;
  const { faltantes, conhecidos } = mes;
  const forca = faltantes === 0 ? 0 : 14 + (faltantes / maior) * 30;
  return (
    <Table.Td
      ta="center"
      title={`${formatInteiro(conhecidos)} conhecidos, ${formatInteiro(faltantes)} faltantes`}
      style={{ background: `color-mix(in srgb, var(--mantine-color-orange-6) ${forca}%, transparent)` }}
    >
      {faltantes === 0 ? (
        <Text span size="xs" c="dimmed">
          0
        </Text>
      ) : (
        formatInteiro(faltantes)
      )}
    </Table.Td>
  );
}
