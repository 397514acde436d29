import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { formatInstante } from '../formatos/datas.ts';

let primeira = true;

/**
 * The frame of every screen: its name in the window's title and as the heading, to which the focus goes when the
 * screen opens, so that a screen reader says where one is.
 */
export function Tela({
  titulo,
  descricao,
  acoes,
  children,
}: {
  titulo: string;
  descricao?: ReactNode;
  acoes?: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${titulo} – Malote`;
  }, [titulo]);
  useEffect(() => {
    // Not at the first load: there the browser's own start of the page is right.
    if (!primeira) heading.current?.focus({ preventScroll: true });
    else performance.mark('malote-pronto');
    primeira = false;
    window.scrollTo(0, 0);
  }, []);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box>
          <Title order={1} ref={heading} tabIndex={-1}>
            {titulo}
          </Title>
          {descricao && (
            <Text size="sm" c="dimmed" mt={2} component="div" className="sem-impressao">
              {descricao}
            </Text>
          )}
        </Box>
        {acoes && (
          <Group gap="xs" className="sem-impressao">
            {acoes}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  );
}

/** What a list shows, for who has it on paper: there the filters, and the name of the client above, are not printed. */
export function SoNoPapel({ children }: { children: readonly (string | false | null | undefined)[] }) {
  return (
    <Text size="sm" className="somente-impressao">
      {children.filter(Boolean).join(' · ')} · impresso em {formatInstante(new Date().toISOString())}
    </Text>
  );
}
