import { Box, Paper, ScrollArea, Tabs } from '@mantine/core';
import { IconPlugConnected, IconShieldLock, IconUser, IconUsers, type TablerIcon } from '@tabler/icons-react';
import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react';
import { useLocation, useParams } from 'wouter';
import { Linhas } from '../../partes/estados.tsx';
import { Tela } from '../../partes/tela.tsx';
import { type Papel, useSessao } from '../../sessao/sessao.tsx';

const TODOS: readonly Papel[] = ['administrador', 'operador', 'cliente'];

const ABAS: readonly {
  id: string;
  nome: string;
  Icone: TablerIcon;
  papeis: readonly Papel[];
  Conteudo: ComponentType;
}[] = [
  {
    id: 'perfil',
    nome: 'Perfil',
    Icone: IconUser,
    papeis: TODOS,
    Conteudo: lazy(() => import('./perfil.tsx')),
  },
  {
    id: 'seguranca',
    nome: 'Segurança',
    Icone: IconShieldLock,
    papeis: TODOS,
    Conteudo: lazy(() => import('./seguranca.tsx')),
  },
  {
    id: 'usuarios',
    nome: 'Usuários',
    Icone: IconUsers,
    papeis: ['administrador'],
    Conteudo: lazy(() => import('./usuarios.tsx')),
  },
  {
    id: 'integracao',
    nome: 'Integração',
    Icone: IconPlugConnected,
    papeis: ['administrador'],
    Conteudo: lazy(() => import('./integracao.tsx')),
  },
];

export default function Conta() {
  const { aba = 'perfil' } = useParams();
  const [, irPara] = useLocation();
  const { papel } = useSessao().usuario;
  const visiveis = ABAS.filter(({ papeis }) => papeis.includes(papel));
  const atual = visiveis.find(({ id }) => id === aba) ?? visiveis[0];
  const abas = useRef<HTMLDivElement>(null);
  const aberta = atual?.id;
  // On a narrow screen the tabs stand beyond its edge.
  useEffect(() => {
    const aba = abas.current?.querySelector(`[data-aba="${aberta}"]`);
    aba?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [aberta]);
  return (
    <Tela titulo="Opções da conta">
      <Paper className="folha" style={{ overflow: 'hidden' }}>
        <Tabs value={atual?.id ?? null} onChange={(value) => irPara(`/conta/${value}`)} keepMounted={false}>
          <ScrollArea type="never">
            <Tabs.List ref={abas} style={{ flexWrap: 'nowrap' }}>
              {visiveis.map(({ id, nome, Icone }) => (
                <Tabs.Tab
                  key={id}
                  value={id}
                  data-aba={id}
                  py="sm"
                  leftSection={<Icone size={17} aria-hidden />}
                >
                  {nome}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          </ScrollArea>
          {visiveis.map(({ id, Conteudo }) => (
            <Tabs.Panel key={id} value={id}>
              <Box p="md" mih={360}>
                <Suspense fallback={<Linhas quantas={6} />}>
                  <Conteudo />
                </Suspense>
              </Box>
            </Tabs.Panel>
          ))}
        </Tabs>
      </Paper>
    </Tela>
  );
}
