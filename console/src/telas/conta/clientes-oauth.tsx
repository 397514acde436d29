import { Alert, Button, Code, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import type { Item } from '../../api/rotas.ts';
import { formatHaQuanto } from '../../formatos/datas.ts';
import { avisar } from '../../partes/avisos.ts';
import { Confirmar } from '../../partes/confirmar.tsx';
import { BotaoCopiar, Copiar } from '../../partes/copiar.tsx';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { PedirNome } from './pedir-nome.tsx';

type ClienteOauth = Item<'GET /clientes-oauth'>;
type Credencial = { clientId: string; clientSecret: string };

const COLUNAS: readonly Coluna<ClienteOauth>[] = [
  {
    id: 'nome',
    titulo: 'Aplicação',
    noCartao: 'titulo',
    celula: ({ nome, clientId }) => (
      <>
        <Text size="sm" fw={600}>
          {nome}
        </Text>
        <Group gap={2}>
          <Text size="xs" c="dimmed" className="mono quebra">
            {clientId}
          </Text>
          <Copiar valor={clientId} rotulo="Copiar o client_id" />
        </Group>
      </>
    ),
  },
  { id: 'criado', titulo: 'Criado', junta: true, celula: ({ criadoEm }) => formatHaQuanto(criadoEm) },
  {
    id: 'situacao',
    titulo: 'Situação',
    celula: ({ revogadoEm }) =>
      revogadoEm ? <Etiqueta cor="gray">revogado</Etiqueta> : <Etiqueta cor="teal">vale</Etiqueta>,
  },
];

/** OAuth clients of the office: programs that ask for an access token, and reach all of its areas with it. */
export function ClientesOauth() {
  const lista = useConsulta('GET /clientes-oauth');
  const [criando, setCriando] = useState(false);
  const [nova, setNova] = useState<Credencial | null>(null);
  const acoes: Coluna<ClienteOauth> = {
    id: 'acoes',
    titulo: 'Ações',
    noCartao: 'lado',
    celula: (cliente) => (cliente.revogadoEm ? null : <Acoes cliente={cliente} mostrar={setNova} />),
  };
  return (
    <Stack>
      <Group justify="space-between">
        <div>
          <Title order={2}>Aplicações OAuth</Title>
          <Text size="sm" c="dimmed">
            Para sistemas que pedem um token de acesso: cadastram clientes e certificados, e enviam e leem os
            documentos deste escritório.
          </Text>
        </div>
        <Button variant="default" onClick={() => setCriando(true)}>
          Nova aplicação
        </Button>
      </Group>
      {nova && <CredencialNova credencial={nova} />}
      <Consultado consulta={lista} esperando={<Linhas quantas={2} altura={50} />}>
        {({ itens }) =>
          itens.length === 0 ? (
            <Vazio titulo="Nenhuma aplicação" />
          ) : (
            <Tabela<ClienteOauth, string>
              nome="Aplicações OAuth"
              colunas={[...COLUNAS, acoes]}
              linhas={itens}
              id={({ clientId }) => clientId}
            />
          )
        }
      </Consultado>
      <Modal opened={criando} onClose={() => setCriando(false)} title="Nova aplicação OAuth">
        {criando && (
          <Criar
            mostrar={(credencial) => {
              setCriando(false);
              setNova(credencial);
            }}
          />
        )}
      </Modal>
    </Stack>
  );
}

/** Shown this once: only a hash of the secret is kept. */
function CredencialNova({ credencial }: { credencial: Credencial }) {
  return (
    <Alert color="teal" title="Copie o segredo agora: ele não será mostrado de novo" role="status">
      <Stack gap={4}>
        {(['clientId', 'clientSecret'] as const).map((campo) => (
          <Group gap="xs" key={campo}>
            <Text size="sm" w={110}>
              {campo === 'clientId' ? 'client_id' : 'client_secret'}
            </Text>
            <Code className="quebra">{credencial[campo]}</Code>
            <BotaoCopiar valor={credencial[campo]} />
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}

function Acoes({ cliente, mostrar }: { cliente: ClienteOauth; mostrar: (credencial: Credencial) => void }) {
  const caminho = { clientId: cliente.clientId };
  const trocar = useAcao('POST /clientes-oauth/{clientId}/trocar-segredo', {
    renova: ['GET /clientes-oauth'],
    aoDarCerto: (resposta) => mostrar(resposta),
  });
  const revogar = useAcao('POST /clientes-oauth/{clientId}/revogar', {
    renova: ['GET /clientes-oauth'],
    aoDarCerto: () => avisar('Aplicação revogada.'),
  });
  return (
    <Group gap={4} wrap="nowrap">
      <Confirmar
        pergunta="Trocar o segredo?"
        detalhe="O segredo anterior continua valendo por um tempo, para que o outro sistema troque sem parar."
        acao="Trocar"
        aoConfirmar={() => trocar.mutateAsync({ caminho })}
      >
        {(open) => (
          <Button size="compact-sm" variant="subtle" onClick={open}>
            Trocar segredo
          </Button>
        )}
      </Confirmar>
      <Confirmar
        pergunta={`Revogar ${cliente.nome}?`}
        acao="Revogar"
        aoConfirmar={() => revogar.mutateAsync({ caminho })}
      >
        {(open) => (
          <Button size="compact-sm" variant="subtle" color="red" onClick={open}>
            Revogar
          </Button>
        )}
      </Confirmar>
    </Group>
  );
}

function Criar({ mostrar }: { mostrar: (credencial: Credencial) => void }) {
  const criar = useAcao('POST /clientes-oauth', { renova: ['GET /clientes-oauth'], aoDarCerto: mostrar });
  return <PedirNome acao={criar} botao="Criar" aoEnviar={(nome) => criar.mutate({ corpo: { nome } })} />;
}
