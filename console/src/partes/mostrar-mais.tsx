import { Button, Center } from '@mantine/core';

/** Below a list that comes page after page, as long as there is more. */
export function MostrarMais({
  lista,
}: {
  lista: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}) {
  if (!lista.hasNextPage) return null;
  return (
    <Center p="md" className="sem-impressao">
      <Button variant="default" loading={lista.isFetchingNextPage} onClick={() => void lista.fetchNextPage()}>
        Mostrar mais
      </Button>
    </Center>
  );
}
