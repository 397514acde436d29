import { Group, Pagination, Text } from '@mantine/core';

const SETAS = {
  first: 'Primeira página',
  previous: 'Página anterior',
  next: 'Próxima página',
  last: 'Última página',
};

/** Below a list that is shown one page at a time; nothing where one is all. Paper says which one it has. */
export function Paginacao({
  paginas,
  pagina,
  irPara,
}: {
  paginas: number;
  pagina: number;
  irPara: (pagina: number) => void;
}) {
  if (paginas <= 1) return null;
  return (
    <>
      <Group justify="center" p="md" className="sem-impressao">
        <Pagination
          total={paginas}
          value={pagina}
          onChange={irPara}
          getControlProps={(seta) => ({ 'aria-label': SETAS[seta] })}
        />
      </Group>
      <Text size="sm" p="sm" className="somente-impressao">
        Impressa só a página {pagina} de {paginas}.
      </Text>
    </>
  );
}
