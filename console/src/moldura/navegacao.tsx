import { Divider, NavLink, ScrollArea, Stack, Text } from '@mantine/core';
import {
  IconArchive,
  IconBuildingStore,
  IconCloudUpload,
  IconDownload,
  IconFiles,
  IconHeartRateMonitor,
  IconHistory,
  IconLayoutDashboard,
  IconListSearch,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { type Papel, useSessao } from '../sessao/sessao.tsx';

interface Destino {
  para: string;
  nome: string;
  Icone: TablerIcon;
  papeis: readonly Papel[];
}

const TODOS: readonly Papel[] = ['administrador', 'operador', 'cliente'];
const ESCRITORIO: readonly Papel[] = ['administrador', 'operador'];

const DESTINOS: readonly { grupo: string; itens: readonly Destino[] }[] = [
  {
    grupo: 'Trabalho',
    itens: [
      { para: '/', nome: 'Início', Icone: IconLayoutDashboard, papeis: TODOS },
      { para: '/documentos', nome: 'Documentos', Icone: IconFiles, papeis: TODOS },
      { para: '/importacoes', nome: 'Importações', Icone: IconCloudUpload, papeis: ESCRITORIO },
      { para: '/faltantes', nome: 'Faltantes', Icone: IconListSearch, papeis: TODOS },
      { para: '/downloads', nome: 'Downloads', Icone: IconDownload, papeis: TODOS },
      { para: '/clientes', nome: 'Clientes', Icone: IconBuildingStore, papeis: ESCRITORIO },
    ],
  },
  {
    grupo: 'Escritório',
    itens: [
      { para: '/conta', nome: 'Opções da conta', Icone: IconSettings, papeis: TODOS },
      { para: '/auditoria', nome: 'Auditoria', Icone: IconHistory, papeis: ['administrador'] },
      { para: '/retencao', nome: 'Retenção e guarda', Icone: IconArchive, papeis: ['administrador'] },
      { para: '/saude', nome: 'Saúde do sistema', Icone: IconHeartRateMonitor, papeis: ['administrador'] },
    ],
  },
];

const isUnder = (place: string, para: string) =>
  para === '/' ? place === '/' : place === para || place.startsWith(`${para}/`);

export function Navegacao({ aoEscolher }: { aoEscolher: () => void }) {
  const [place] = useLocation();
  const { papel } = useSessao().usuario;
  return (
    <ScrollArea className="navegacao" type="never" style={{ flex: 1 }}>
      {DESTINOS.map(({ grupo, itens }, at) => {
        const visiveis = itens.filter(({ papeis }) => papeis.includes(papel));
        if (visiveis.length === 0) return null;
        return (
          <Stack gap={2} key={grupo} mt={at === 0 ? 0 : 'sm'}>
            {at > 0 && <Divider mb="sm" />}
            <Text size="xs" fw={600} c="dimmed" px="sm" py={4}>
              {grupo}
            </Text>
            {visiveis.map(({ para, nome, Icone }) => (
              <NavLink
                key={para}
                component={Link}
                href={para}
                label={nome}
                leftSection={<Icone size={19} stroke={1.7} />}
                active={isUnder(place, para)}
                aria-current={isUnder(place, para) ? 'page' : undefined}
                onClick={aoEscolher}
              />
            ))}
          </Stack>
        );
      })}
    </ScrollArea>
  );
}
