import { AppShell, Box, Burger, Group, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { type ReactNode, type RefObject, useRef } from 'react';
import { Link } from 'wouter';
import { Marca, Simbolo } from '../partes/marca.tsx';
import { useSessao } from '../sessao/sessao.tsx';
import { EsquemaDeCores } from './esquema-de-cores.tsx';
import { MenuDaPessoa } from './menu-da-pessoa.tsx';
import { Navegacao } from './navegacao.tsx';
import { VisualizarComo } from './visualizar-como.tsx';

/** What stands around every screen: where one can go, through whose eyes one looks, who one is. */
export function Moldura({ children }: { children: ReactNode }) {
  const [aberta, { toggle, close }] = useDisclosure(false);
  const { escritorio } = useSessao();
  const botao = useRef<HTMLButtonElement>(null);
  useHotkeys([
    [
      'Escape',
      () => {
        if (!aberta) return;
        close();
        botao.current?.focus();
      },
      { preventDefault: false },
    ],
  ]);
  return (
    <AppShell
      header={{ height: 58 }}
      navbar={{ width: 236, breakpoint: 'md', collapsed: { mobile: !aberta } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="pular" href="#conteudo">
        Pular para o conteúdo
      </a>
      <Topo aberta={aberta} trocar={toggle} botao={botao} />
      <AppShell.Navbar p="sm" bg="var(--malote-folha)" component="nav" aria-label="Menu principal">
        <Navegacao aoEscolher={close} />
        <Text size="xs" c="dimmed" px="sm" pt="xs">
          {escritorio.nome}
          <br />
          CRM {escritorio.codigoCrm}
        </Text>
      </AppShell.Navbar>
      <AppShell.Main id="conteudo" tabIndex={-1}>
        {children}
      </AppShell.Main>
    </AppShell>
  );
}

function Topo({
  aberta,
  trocar,
  botao,
}: {
  /** Whether the menu is, where it stands behind a button. */
  aberta: boolean;
  trocar: () => void;
  botao: RefObject<HTMLButtonElement | null>;
}) {
  return (
    <AppShell.Header bg="var(--malote-folha)">
      <Group h="100%" px={{ base: 'sm', sm: 'md' }} justify="space-between" wrap="nowrap" gap="xs">
        <Group gap="xs" wrap="nowrap">
          <Burger
            ref={botao}
            opened={aberta}
            onClick={trocar}
            hiddenFrom="md"
            size="sm"
            aria-label={aberta ? 'Fechar o menu' : 'Abrir o menu'}
            aria-expanded={aberta}
          />
          <Link href="/" aria-label="Malote, início" style={{ color: 'inherit', textDecoration: 'none' }}>
            <Box visibleFrom="xs">
              <Marca />
            </Box>
            <Box hiddenFrom="xs" lh={0}>
              <Simbolo />
            </Box>
          </Link>
        </Group>
        <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
          <VisualizarComo />
          <EsquemaDeCores />
          <MenuDaPessoa />
        </Group>
      </Group>
    </AppShell.Header>
  );
}
