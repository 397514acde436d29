import { Card, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { memo, type ReactNode, type RefObject, useEffect, useRef } from 'react';

/** Below this a row becomes a card: columns side by side would be too narrow to read. Paper always has a table. */
const ESTREITA = 'screen and (max-width: 47.99em)';

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
  /** The word of the server for the order of this column; none: it cannot be sorted by. */
  ordem?: string;
  /** Place on a card: the heading, beside it, or one of the lines (default); `fora`: only in the table. */
  noCartao?: 'titulo' | 'lado' | 'fora';
}

interface Selecao<Id extends string | number> {
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
  /** What the rows are sorted by, and how to ask for another order; columns say which they can be. */
  ordenacao?: Ordenacao;
}

interface Ordenacao {
  /** A column's word, downwards; with `_asc` upwards. */
  ordem: string;
  ordenar: (ordem: string) => void;
}

/** With more columns than these, names are cut sooner. */
const MUITAS = 7;

/** Whether the window is too narrow for tables; known at the first drawing, so that nothing jumps. */
const useEstreita = () => useMediaQuery(ESTREITA, undefined, { getInitialValueInEffect: false }) ?? false;

/** Rows as a table that scrolls in its own frame, or as cards on a narrow screen. */
export function Tabela<T, Id extends string | number>(props: Props<T, Id>) {
  return useEstreita() ? <Cartoes {...props} /> : <Larga {...props} />;
}

/**
 * Plain elements, and rows that are drawn again only when they change: a list of some hundred lines is drawn on every
 * key of a search, and the library's cells cost twenty times as much.
 */
function Larga<T, Id extends string | number>(props: Props<T, Id>) {
  const { nome, colunas, linhas, id, selecao, aoAbrir } = props;
  const marcadas = selecao ? linhas.filter((linha) => selecao.tem(id(linha))).length : 0;
  const atual = useRef(props);
  useEffect(() => {
    atual.current = props;
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls the wide table with the arrow keys
    <section className="rolagem" tabIndex={0} aria-label={nome}>
      <table className="tabela lista" data-cheia={colunas.length > MUITAS || undefined}>
        <thead>
          <tr>
            {selecao && (
              <th className="marca">
                <Caixa
                  nome="Selecionar todas as linhas à vista"
                  marcada={marcadas > 0 && marcadas === linhas.length}
                  algumas={marcadas > 0 && marcadas < linhas.length}
                  trocar={(marcado) => selecao.trocar(linhas.map(id), marcado)}
                />
              </th>
            )}
            {colunas.map((coluna) => (
              <Cabeca key={coluna.id} coluna={coluna} ordenacao={props.ordenacao} />
            ))}
          </tr>
        </thead>
        <tbody>
          {linhas.map((linha) => (
            <Fileira
              key={id(linha)}
              linha={linha}
              colunas={colunas as readonly Coluna<unknown>[]}
              marcada={selecao ? selecao.tem(id(linha)) : null}
              abre={aoAbrir !== undefined}
              atual={atual as unknown as RefObject<Props<unknown, string | number>>}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A column's name; where it can be sorted by, a button that turns the order round. */
function Cabeca({
  coluna: { titulo, numero, ordem },
  ordenacao,
}: {
  coluna: Pick<Coluna<never>, 'titulo' | 'numero' | 'ordem'>;
  ordenacao: Ordenacao | undefined;
}) {
  const classe = numero ? 'numero' : undefined;
  if (!ordem || !ordenacao) return <th className={classe}>{titulo}</th>;
  const sentido = SENTIDOS[ordenacao.ordem.slice(ordem.length)];
  const atual = ordenacao.ordem.startsWith(ordem) ? sentido : undefined;
  return (
    <th className={classe} aria-sort={atual}>
      <button
        type="button"
        className="ordenar"
        aria-label={`Ordenar por ${titulo.toLowerCase()}`}
        onClick={() => ordenacao.ordenar(atual === 'descending' ? `${ordem}_asc` : ordem)}
      >
        {titulo}
        <span aria-hidden>{atual === undefined ? '' : atual === 'descending' ? ' ↓' : ' ↑'}</span>
      </button>
    </th>
  );
}
/** By what stands behind the column's word. */
const SENTIDOS: Readonly<Record<string, 'ascending' | 'descending'>> = {
  '': 'descending',
  _asc: 'ascending',
};

interface PropsDaFileira {
  linha: unknown;
  colunas: readonly Coluna<unknown>[];
  /** null: nothing is marked in this table. */
  marcada: boolean | null;
  abre: boolean;
  /** What the table was given last; a row that did not change still acts on it. */
  atual: RefObject<Props<unknown, string | number>>;
}

const Fileira = memo(function Fileira({ linha, colunas, marcada, abre, atual }: PropsDaFileira) {
  return (
    <tr
      data-abre={abre || undefined}
      data-marcada={marcada || undefined}
      onClick={abre ? (event) => isPlain(event) && atual.current.aoAbrir?.(linha) : undefined}
    >
      {marcada !== null && (
        <td className="marca">
          <Marcador linha={linha} marcada={marcada} atual={atual} />
        </td>
      )}
      {colunas.map((coluna) => (
        <td key={coluna.id} className={classeDe(coluna)}>
          {coluna.celula(linha)}
        </td>
      ))}
    </tr>
  );
});

const classeDe = ({ numero, junta, corta }: Coluna<never>) =>
  [numero && 'numero', junta && 'junto', corta && 'corta'].filter(Boolean).join(' ') || undefined;

/** A click on the row itself, not on a control in it and not the end of marking text. */
function isPlain(event: { target: EventTarget }): boolean {
  if (event.target instanceof Element && event.target.closest('a, button, input, label')) return false;
  return window.getSelection()?.toString() === '';
}

function Marcador({ linha, marcada, atual }: Pick<PropsDaFileira, 'linha' | 'atual'> & { marcada: boolean }) {
  const { id, selecao, nomeDaLinha } = atual.current;
  return (
    <Caixa
      nome={`Selecionar ${nomeDaLinha?.(linha) ?? 'a linha'}`}
      marcada={marcada}
      trocar={(marcado) => selecao?.trocar([id(linha)], marcado)}
    />
  );
}

function Caixa({
  nome,
  marcada,
  algumas = false,
  trocar,
}: {
  nome: string;
  marcada: boolean;
  /** Neither all nor none. */
  algumas?: boolean;
  trocar: (marcado: boolean) => void;
}) {
  return (
    <input
      type="checkbox"
      className="caixa"
      aria-label={nome}
      checked={marcada}
      ref={(caixa) => {
        if (caixa) caixa.indeterminate = algumas;
      }}
      onChange={(event) => trocar(event.currentTarget.checked)}
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
          {/* What stands beside the heading goes below it where both do not fit. */}
          <Group justify="space-between" align="flex-start" gap="xs" mb={6}>
            <Group gap="xs" wrap="nowrap" align="flex-start" flex="1 1 55%" style={{ minWidth: 0 }}>
              {selecao && (
                <Caixa
                  nome={`Selecionar ${props.nomeDaLinha?.(linha) ?? 'a linha'}`}
                  marcada={selecao.tem(id(linha))}
                  trocar={(marcado) => selecao.trocar([id(linha)], marcado)}
                />
              )}
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
