import { Button, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { plural } from '../../formatos/numeros.ts';
import { Elo } from '../../partes/elo.tsx';
import { usePapel } from '../../sessao/sessao.tsx';
import type { Painel } from './painel.ts';

/** What a new office does first, until it has done it. */
export function Passos({ painel: { passos, retidos } }: { painel: Painel }) {
  const [soConsole, setSoConsole] = useLocalStorage({ key: 'malote.so-console', defaultValue: false });
  const administra = usePapel('administrador');
  if (!passos) return null;
  const leitores = passos.leitores || soConsole;
  if (passos.clientes && passos.recebidos && leitores) return null;
  const retido = retidos?.documentos ?? 0;
  return (
    <Paper className="folha" p="md" component="section" aria-label="Primeiros passos">
      <Title order={2} mb="sm">
        Primeiros passos
      </Title>
      <Stack gap="md">
        <Passo numero={1} feito={passos.clientes} titulo="Cadastre os seus clientes">
          De cada empresa bastam o CNPJ e o nome: por planilha, um a um, ou solte antes os XML e escolha entre
          as empresas que estão neles.
          <Acoes>
            <Ir para="/clientes?novo=planilha">Planilha de clientes</Ir>
            <Ir para="/clientes">Cadastrar um</Ir>
            {retido > 0 && (
              <Ir para="/importacoes?aba=retidos">
                Escolher entre as de {plural(retido, 'documento retido', 'documentos retidos')}
              </Ir>
            )}
          </Acoes>
        </Passo>
        <Passo numero={2} feito={passos.recebidos} titulo="Faça chegar os documentos">
          Solte XML, ZIP ou uma pasta inteira; ou deixe o sistema que emite enviá-los sozinho, com um token.
          <Acoes>
            <Ir para="/importacoes">Soltar arquivos</Ir>
            {administra && <Ir para="/conta/integracao">Criar um token</Ir>}
          </Acoes>
        </Passo>
        <Passo numero={3} feito={leitores} titulo="Diga quem os lê">
          O sistema contábil, pelo token; a empresa, com um usuário de papel cliente; ou você, que os baixa em
          ZIP e planilha.
          <Acoes>
            {administra && <Ir para="/conta/usuarios">Convidar</Ir>}
            <Ir para="/documentos">Exportar</Ir>
            <Button size="compact-sm" variant="subtle" onClick={() => setSoConsole(true)}>
              Por ora, só aqui no console
            </Button>
          </Acoes>
        </Passo>
      </Stack>
      <Text size="sm" c="dimmed" mt="md">
        Os passos somem daqui quando estiverem feitos. Tudo o que se faz fica na{' '}
        {administra ? (
          <Elo para="/auditoria" underline="always" size="sm">
            auditoria
          </Elo>
        ) : (
          'auditoria'
        )}
        .
      </Text>
    </Paper>
  );
}

const Acoes = ({ children }: { children: ReactNode }) => (
  <Group gap="xs" mt={6}>
    {children}
  </Group>
);

function Ir({ para, children }: { para: string; children: ReactNode }) {
  return (
    <Button size="compact-sm" variant="default" component={Link} href={para}>
      {children}
    </Button>
  );
}

/** One step; what it says is left out when it is done. */
function Passo({
  numero,
  feito,
  titulo,
  children,
}: {
  numero: number;
  feito: boolean;
  titulo: string;
  children: ReactNode;
}) {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon
        radius="xl"
        size={30}
        variant={feito ? 'filled' : 'light'}
        color={feito ? 'teal' : undefined}
      >
        {feito ? <IconCheck size={17} aria-label="Feito" /> : numero}
      </ThemeIcon>
      <div>
        <Text fw={600}>{titulo}</Text>
        {!feito && (
          <Text size="sm" component="div" maw={640}>
            {children}
          </Text>
        )}
      </div>
    </Group>
  );
}
