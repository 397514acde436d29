import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconColumns3 } from '@tabler/icons-react';
import { COLUNAS, PADRAO } from './colunas.tsx';

/** Ids of the shown columns, kept in this browser. */
export function useColunas() {
  return useLocalStorage<string[]>({
    key: 'malote.colunas',
    defaultValue: PADRAO,
    getInitialValueInEffect: false,
  });
}

export function EscolhaDeColunas({
  visiveis,
  mudar,
}: {
  visiveis: string[];
  mudar: (ids: string[]) => void;
}) {
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconColumns3 size={15} />} visibleFrom="sm">
          Colunas
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Colunas da tabela">
        <Stack gap="xs">
          {COLUNAS.filter(({ fixa }) => !fixa).map(({ id, titulo }) => (
            <Checkbox
              key={id}
              size="sm"
              label={titulo}
              checked={visiveis.includes(id)}
              onChange={(event) =>
                mudar(
                  event.currentTarget.checked ? [...visiveis, id] : visiveis.filter((outra) => outra !== id),
                )
              }
            />
          ))}
          <Button size="compact-xs" variant="subtle" onClick={() => mudar(PADRAO)}>
            Voltar ao padrão
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
