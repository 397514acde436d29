import { Card, Checkbox, Group, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** Below this a row becomes a card: columns side by side would be too narrow to read. */
const ESTREITA = '(max-width: 47.99em)';

export interface Coluna<T> {
  id: string;
  titulo: string;
  celula: (linha: T) => ReactNode;
  /** Amounts and counts. */
  numero?: boolean;
  /** Never broken into two lines. */
  junta?: boolean;
  /** At most this wide, the rest cut off with an ellipsis. */
  corta?: boolean;
  /** Place on a card: the heading, beside it, or one of the lines (default); `fora`: only in the table. */
  noCartao?: 'titulo' | 'lado' | 'fora';
}

export interface Selecao<Id extends string | number> {
  tem: (id: Id) => boolean;
  trocar: (ids: readonly Id[], marcado: boolean) => void;
}

interface Props<T, Id extends string | number> {
  /** What the table lists, for who cannot see it. */
  nome: string;
  colunas: readonly Coluna<T>[];
  linhas: readonly T[];
  id: (linha: T) => Id;
  selecao?: Selecao<Id>;
  /** A word for a row, for the names of its controls. */
  nomeDaLinha?: (linha: T) => string;
  aoAbrir?: (linha: T) => void;
}

/** Whether the window is too narrow for tables; known at the first drawing, so that nothing jumps. */
export const useEstreita = () =>
  useMediaQuery(ESTREITA, undefined, { getInitialValueInEffect: false }) ?? false;

/** Rows as a table that scrolls in its own frame, or as cards on a narrow screen. */
export function Tabela<T, Id extends string | number>(props: Props<T, Id>) {
  return useEstreita() ? <Cartoes {...props} /> : <Larga {...props} />;
}

function Larga<T, Id extends string | number>(props: Props<T, Id>) {
  const { nome, colunas, linhas, id, selecao, nomeDaLinha, aoAbrir } = props;
  const marcadas = selecao ? linhas.filter((linha) => selecao.tem(id(linha))).length : 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls the wide table with the arrow keys
    <section className="rolagem" tabIndex={0} aria-label={nome}>
      <Table className="tabela" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {selecao && (
              <Table.Th w={40}>
                <Checkbox
                  size="xs"
                  aria-label="Selecionar todas as linhas à vista"
                  checked={marcadas > 0 && marcadas === linhas.length}
                  indeterminate={marcadas > 0 && marcadas < linhas.length}
                  onChange={(event) => selecao.trocar(linhas.map(id), event.currentTarget.checked)}
                />
              </Table.Th>
            )}
            {colunas.map((coluna) => (
              <Table.Th key={coluna.id} className={coluna.numero ? 'numero' : undefined}>
                {coluna.titulo}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {linhas.map((linha) => (
            <Table.Tr
              key={id(linha)}
              data-abre={aoAbrir ? true : undefined}
              bg={selecao?.tem(id(linha)) ? 'var(--mantine-color-malote-light)' : undefined}
              onClick={aoAbrir && ((event) => isPlain(event) && aoAbrir(linha))}
            >
              {selecao && (
                <Table.Td>
                  <Marcador {...{ linha, id, selecao, nomeDaLinha }} />
                </Table.Td>
              )}
              {colunas.map((coluna) => (
                <Table.Td key={coluna.id} className={classeDe(coluna)}>
                  {coluna.celula(linha)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

const classeDe = ({ numero, junta, corta }: Coluna<never>) =>
  [numero && 'numero', junta && 'junto', corta && 'corta'].filter(Boolean).join(' ') || undefined;

/** A click on the row itself, not on a control in it and not the end of marking text. */
function isPlain(event: { target: EventTarget }): boolean {
  if (event.target instanceof Element && event.target.closest('a, button, input, label')) return false;
  return window.getSelection()?.toString() === '';
}

function Marcador<T, Id extends string | number>({
  linha,
  id,
  selecao,
  nomeDaLinha,
}: Pick<Props<T, Id>, 'id' | 'nomeDaLinha'> & { linha: T; selecao: Selecao<Id> }) {
  return (
    <Checkbox
      size="xs"
      aria-label={`Selecionar ${nomeDaLinha?.(linha) ?? 'a linha'}`}
      checked={selecao.tem(id(linha))}
      onChange={(event) => selecao.trocar([id(linha)], event.currentTarget.checked)}
    />
  );
}

function Cartoes<T, Id extends string | number>(props: Props<T, Id>) {
  const { nome, colunas, linhas, id, selecao } = props;
  const titulo = colunas.filter(({ noCartao }) => noCartao === 'titulo');
  const lado = colunas.filter(({ noCartao }) => noCartao === 'lado');
  const corpo = colunas.filter(({ noCartao }) => noCartao === undefined);
  return (
    <Stack component="ul" gap="xs" p="xs" m={0} aria-label={nome} style={{ listStyle: 'none' }}>
      {linhas.map((linha) => (
        <Card component="li" key={id(linha)} withBorder padding="sm" bg="var(--malote-folha)">
          <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs" mb={6}>
            <Group gap="xs" wrap="nowrap" align="flex-start" style={{ minWidth: 0 }}>
              {selecao && <Marcador {...{ ...props, linha, selecao }} />}
              <div style={{ minWidth: 0 }} className="quebra">
                {titulo.map((coluna) => (
                  <Text key={coluna.id} component="div" size="sm" fw={600}>
                    {coluna.celula(linha)}
                  </Text>
                ))}
              </div>
            </Group>
            <Group gap={4} justify="flex-end">
              {lado.map((coluna) => (
                <div key={coluna.id}>{coluna.celula(linha)}</div>
              ))}
            </Group>
          </Group>
          <dl className="pares">
            {corpo.map((coluna) => (
              <div key={coluna.id}>
                <dt>{coluna.titulo}</dt>
                <dd className="quebra">{coluna.celula(linha)}</dd>
              </div>
            ))}
          </dl>
        </Card>
      ))}
    </Stack>
  );
}
