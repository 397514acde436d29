import { Center, Loader, Paper, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Marca } from '../partes/marca.tsx';
import { EsquemaDeCores } from './esquema-de-cores.tsx';

/** The page of who is not logged in: the brand and one sheet. Empty, it waits. */
export function Abertura({ children, largura = 420 }: { children?: ReactNode; largura?: number }) {
  return (
    <Center component="main" mih="100dvh" p="md" pos="relative">
      <div style={{ position: 'absolute', top: 16, right: 16 }}>
        <EsquemaDeCores />
      </div>
      <Stack gap="lg" w="100%" maw={largura}>
        <Center>
          <Marca size={40} />
        </Center>
        <Paper withBorder p={{ base: 'md', xs: 'xl' }} radius="lg" bg="var(--malote-folha)" mih={340}>
          {children ?? (
            <Center mih={280}>
              <Loader aria-label="Carregando" />
            </Center>
          )}
        </Paper>
      </Stack>
    </Center>
  );
}
