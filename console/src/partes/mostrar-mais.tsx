import { Button, Center, Text } from '@mantine/core';
import { formatInteiro, plural } from '../formatos/numeros.ts';
import { Erro } from './estados.tsx';

/** Below a list that comes page after page, as long as there is more. Paper has what is in sight, and says so. */
export function MostrarMais({
  lista,
  linhas,
  total = null,
}: {
  lista: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: unknown;
    fetchNextPage: () => Promise<unknown>;
  };
  /** How many are in sight. */
  linhas: number;
  /** How many there are, where that is known. */
  total?: number | null;
}) {
  if (!lista.hasNextPage) return null;
  const more = () => void lista.fetchNextPage();
  return (
    <>
      {lista.isFetchNextPageError ? (
        <Erro falha={lista.error} deNovo={more} />
      ) : (
        <Center p="md" className="sem-impressao">
          <Button variant="default" loading={lista.isFetchingNextPage} onClick={more}>
            Mostrar mais
          </Button>
        </Center>
      )}
      <Text size="sm" p="sm" className="somente-impressao">
        Só o começo está impresso: {plural(linhas, 'linha')}
        {total === null ? '; a lista continua.' : ` de ${formatInteiro(total)}.`}
      </Text>
    </>
  );
}
