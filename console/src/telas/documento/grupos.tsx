import { Paper, Stack, Table, Text, Title } from '@mantine/core';
import { formatarDia, formatarInstante } from '../../formatos/datas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { formatarReais } from '../../formatos/numeros.ts';
import type { DocumentoAberto } from './documento.tsx';

type Grupo = DocumentoAberto['grupos'][number];

/** A value by its kind, the Brazilian way. */
export function mostrar(valor: string | null, tipo: string): string {
  if (valor === null || valor === '') return '–';
  switch (tipo) {
    case 'dinheiro':
      return formatarReais(valor);
    case 'data':
      return formatarDia(valor);
    case 'instante':
      return formatarInstante(valor);
    case 'cpfCnpj':
      return formatarCpfCnpj(valor);
    case 'numero':
      return valor.replace('.', ',');
    default:
      return valor;
  }
}

const NUMERICOS = new Set(['dinheiro', 'numero']);

/** The document as its printed form groups it. */
export function Grupos({ grupos }: { id: number; grupos: readonly Grupo[] }) {
  return (
    <Stack gap="md">
      {grupos.map((grupo) => (
        <Paper
          key={grupo.titulo}
          className="folha grupo"
          p="md"
          component="section"
          aria-label={grupo.titulo}
        >
          <Title order={2} mb="xs">
            {grupo.titulo}
          </Title>
          {grupo.campos.length > 0 && (
            <dl className="campos">
              {grupo.campos.map(({ rotulo, valor, tipo }) => (
                <div key={rotulo} data-largo={valor.length > 60 || undefined}>
                  <dt>{rotulo}</dt>
                  <dd className={`quebra${tipo === 'chave' ? ' mono' : ''}`}>{mostrar(valor, tipo)}</dd>
                </div>
              ))}
            </dl>
          )}
          {grupo.tabela && <TabelaDoGrupo titulo={grupo.titulo} tabela={grupo.tabela} />}
        </Paper>
      ))}
    </Stack>
  );
}

function TabelaDoGrupo({ titulo, tabela }: { titulo: string; tabela: NonNullable<Grupo['tabela']> }) {
  const { colunas, linhas, total } = tabela;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls the wide table with the arrow keys */}
      <section className="rolagem" tabIndex={0} aria-label={`${titulo}, tabela`}>
        <Table className="tabela" withRowBorders striped>
          <Table.Thead>
            <Table.Tr>
              {colunas.map(({ rotulo, tipo }) => (
                <Table.Th key={rotulo} className={NUMERICOS.has(tipo) ? 'numero' : undefined}>
                  {rotulo}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {linhas.map((linha, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a document never move
              <Table.Tr key={at}>
                {colunas.map(({ rotulo, tipo }, coluna) => (
                  <Table.Td key={rotulo} className={NUMERICOS.has(tipo) ? 'numero' : undefined}>
                    {mostrar(linha[coluna] ?? null, tipo)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {total > linhas.length && (
        <Text size="xs" c="dimmed" mt="xs">
          {linhas.length} de {total} linhas.
        </Text>
      )}
    </>
  );
}
