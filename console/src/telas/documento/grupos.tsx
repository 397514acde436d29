import { Paper, Stack, Table, Text, Title } from '@mantine/core';
import { formatDia, formatInstante } from '../../formatos/datas.ts';
import { formatarCpfCnpj, formatChave } from '../../formatos/documentos-de-pessoa.ts';
import { formatDecimal, formatReais } from '../../formatos/numeros.ts';
import type { DocumentoAberto } from './aberto.ts';

type Grupo = DocumentoAberto['grupos'][number];
type Campo = Grupo['campos'][number];

export const NUMERICOS: ReadonlySet<string> = new Set(['moeda', 'numero', 'percentual']);
/** Longer values take a whole line. */
const LONGO = 60;

/** A value by its kind, the Brazilian way. */
export function mostrar(valor: string, tipo: string): string {
  if (valor === '') return '–';
  switch (tipo) {
    case 'moeda':
      return formatReais(valor);
    case 'data':
      return /[T ]\d/.test(valor) ? formatInstante(valor) : formatDia(valor);
    case 'cpfCnpj':
      return formatarCpfCnpj(valor);
    case 'chave':
      return formatChave(valor);
    case 'cep':
      return valor.replace(/^(\d{5})(\d{3})$/, '$1-$2');
    case 'numero':
      return formatDecimal(valor);
    case 'percentual':
      return `${formatDecimal(valor)}%`;
    default:
      return valor;
  }
}

export function Campos({ campos }: { campos: readonly Campo[] }) {
  return (
    <dl className="campos">
      {campos.map(({ rotulo, valor, tipo }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: labels repeat, and fields of a document never move
        <div key={at} data-largo={valor.length > LONGO || undefined}>
          <dt>{rotulo}</dt>
          <dd className={`quebra${tipo === 'chave' ? ' mono' : ''}`}>{mostrar(valor, tipo)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The document as its printed form groups it. */
export function Grupos({ grupos }: { grupos: readonly Grupo[] }) {
  return (
    <>
      {grupos.map((grupo, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: titles repeat, and groups of a document never move
        <Paper key={at} className="folha grupo" p="md" component="section" aria-label={grupo.titulo}>
          <Stack gap="xs">
            <Title order={2}>{grupo.titulo}</Title>
            {grupo.campos.length > 0 && <Campos campos={grupo.campos} />}
            {grupo.tabela && <TabelaDoGrupo titulo={grupo.titulo} tabela={grupo.tabela} />}
          </Stack>
        </Paper>
      ))}
    </>
  );
}

function TabelaDoGrupo({ titulo, tabela }: { titulo: string; tabela: NonNullable<Grupo['tabela']> }) {
  const { colunas, linhas, total } = tabela;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls the wide table with the arrow keys */}
      <section className="rolagem" tabIndex={0} aria-label={`${titulo}, tabela`}>
        <Table className="tabela">
          <Table.Thead>
            <Table.Tr>
              {colunas.map(({ rotulo, tipo }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns of a document never move
                <Table.Th key={at} className={NUMERICOS.has(tipo) ? 'numero' : undefined}>
                  {rotulo}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {linhas.map((linha, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a document never move
              <Table.Tr key={at}>
                {colunas.map(({ tipo }, coluna) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns of a document never move
                  <Table.Td key={coluna} className={NUMERICOS.has(tipo) ? 'numero' : undefined}>
                    {mostrar(linha[coluna] ?? '', tipo)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {total > linhas.length && (
        <Text size="xs" c="dimmed">
          {linhas.length} de {total} linhas; o XML tem todas.
        </Text>
      )}
    </>
  );
}
