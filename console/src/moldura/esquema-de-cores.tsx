import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

const ESQUEMAS = [
  { valor: 'light', nome: 'Claro', Icone: IconSun },
  { valor: 'dark', nome: 'Escuro', Icone: IconMoon },
  { valor: 'auto', nome: 'Como o sistema', Icone: IconDeviceDesktop },
] as const;

export function EsquemaDeCores() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Atual = ESQUEMAS.find(({ valor }) => valor === colorScheme)?.Icone ?? IconDeviceDesktop;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Tooltip label="Cores da tela">
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Cores da tela">
            <Atual size={19} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {ESQUEMAS.map(({ valor, nome, Icone }) => (
          <Menu.Item
            key={valor}
            leftSection={<Icone size={16} />}
            rightSection={valor === colorScheme ? <IconCheck size={14} /> : null}
            onClick={() => setColorScheme(valor)}
          >
            {nome}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
