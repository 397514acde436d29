import { Divider, NavLink, ScrollArea, Stack, Text } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { lugaresDe } from '../mapa.ts';
import { useSessao } from '../sessao/sessao.tsx';

const GRUPOS = ['Trabalho', 'Escritório'] as const;

const isUnder = (place: string, para: string) =>
  para === '/' ? place === '/' : place === para || place.startsWith(`${para}/`);

export function Navegacao({ aoEscolher }: { aoEscolher: () => void }) {
  const [place] = useLocation();
  const { papel } = useSessao().usuario;
  return (
    <ScrollArea className="navegacao" type="never" style={{ flex: 1 }}>
      {GRUPOS.map((grupo, at) => {
        const visiveis = lugaresDe(papel).flatMap(({ path, menu, tela }) =>
          menu?.grupo === grupo ? [{ ...menu, tela, para: path.replace(/\/:.*$/, '') }] : [],
        );
        if (visiveis.length === 0) return null;
        return (
          <Stack gap={2} key={grupo} mt={at === 0 ? 0 : 'sm'}>
            {at > 0 && <Divider mb="sm" />}
            <Text size="xs" fw={600} c="dimmed" px="sm" py={4}>
              {grupo}
            </Text>
            {visiveis.map(({ para, nome, Icone, tela }) => (
              <NavLink
                key={para}
                component={Link}
                href={para}
                label={nome}
                leftSection={<Icone size={19} stroke={1.7} />}
                active={isUnder(place, para)}
                aria-current={isUnder(place, para) ? 'page' : undefined}
                onClick={aoEscolher}
                onPointerEnter={tela.adiantar}
                onFocus={tela.adiantar}
              />
            ))}
          </Stack>
        );
      })}
    </ScrollArea>
  );
}
