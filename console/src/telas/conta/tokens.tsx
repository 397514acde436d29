import { Alert, Button, Checkbox, Code, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { DateInput } from '@mantine/dates';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import type { Item, Opcoes } from '../../api/rotas.ts';
import { diaDeHoje, formatarDia, formatarHaQuanto, lerDia } from '../../formatos/datas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { plural } from '../../formatos/numeros.ts';
import { useAosPoucos } from '../../partes/aos-poucos.ts';
import { avisar } from '../../partes/avisos.ts';
import { calendarioDe } from '../../partes/calendario.ts';
import { Confirmar } from '../../partes/confirmar.tsx';
import { BotaoCopiar } from '../../partes/copiar.tsx';
import { EscolhaDeCliente } from '../../partes/escolha-de-cliente.tsx';
import { Consultado, Erro, Linhas, Vazio } from '../../partes/estados.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { MostrarMais } from '../../partes/mostrar-mais.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { PedirNome } from './pedir-nome.tsx';

type Token = Item<'GET /tokens'>;

/** Integration tokens: each is shown once, when it is made. */
export function Tokens({ aoCriar }: { aoCriar: (token: string) => void }) {
  const lista = useConsulta('GET /tokens');
  const { linhas, mais } = useAosPoucos(lista.data?.itens ?? []);
  const [criando, setCriando] = useState(false);
  const [novo, setNovo] = useState<string | null>(null);
  const [renomeado, setRenomeado] = useState<Token | null>(null);
  const revogar = useAcao('POST /tokens/{id}/revogar', {
    renova: ['GET /tokens'],
    aoDarCerto: () => avisar('Token revogado: deixa de valer em segundos.'),
  });
  const colunas: readonly Coluna<Token>[] = [
    {
      id: 'nome',
      titulo: 'Token',
      noCartao: 'titulo',
      celula: ({ nome, finais }) => (
        <>
          <Text size="sm" fw={600}>
            {nome}
          </Text>
          <Text size="xs" c="dimmed" className="mono">
            mlt_…{finais}
          </Text>
        </>
      ),
    },
    {
      id: 'escopo',
      titulo: 'Pode',
      celula: ({ escopo }) => escopo.map((um) => ESCOPOS[um] ?? um).join(' e '),
    },
    {
      id: 'clientes',
      titulo: 'Clientes',
      celula: ({ clientes }) =>
        clientes === null || clientes.length === 0
          ? 'todos'
          : clientes.length === 1
            ? formatarCpfCnpj(clientes[0])
            : plural(clientes.length, 'cliente'),
    },
    {
      id: 'uso',
      titulo: 'Último uso',
      celula: ({ ultimoUso }) => (ultimoUso ? `${formatarHaQuanto(ultimoUso.em)}, ${ultimoUso.ip}` : 'nunca'),
    },
    {
      id: 'situacao',
      titulo: 'Situação',
      celula: ({ revogadoEm, expiraEm }) =>
        revogadoEm ? (
          <Etiqueta cor="gray">revogado</Etiqueta>
        ) : expiraEm && Date.parse(expiraEm) < Date.now() ? (
          <Etiqueta cor="gray">expirado</Etiqueta>
        ) : (
          <Etiqueta cor="teal">{expiraEm ? `vale até ${formatarDia(expiraEm)}` : 'vale'}</Etiqueta>
        ),
    },
    {
      id: 'acoes',
      titulo: 'Ações',
      noCartao: 'lado',
      celula: (token) =>
        token.revogadoEm ? null : (
          <Group gap={4} wrap="nowrap">
            <Button size="compact-sm" variant="subtle" onClick={() => setRenomeado(token)}>
              Renomear
            </Button>
            <Confirmar
              pergunta={`Revogar o token ${token.nome}?`}
              detalhe="O sistema que o usa deixa de enviar e receber documentos na hora."
              acao="Revogar"
              aoConfirmar={() => revogar.mutateAsync({ caminho: { id: token.id } })}
            >
              {(open) => (
                <Button size="compact-sm" variant="subtle" color="red" onClick={open}>
                  Revogar
                </Button>
              )}
            </Confirmar>
          </Group>
        ),
    },
  ];
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>Tokens de integração</Title>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setCriando(true)}>
          Novo token
        </Button>
      </Group>
      {novo && (
        <Alert color="teal" title="Copie o token agora: ele não será mostrado de novo" role="status">
          <Group gap="xs">
            <Code className="quebra" fz="sm">
              {novo}
            </Code>
            <BotaoCopiar valor={novo}>Copiar o token</BotaoCopiar>
          </Group>
        </Alert>
      )}
      <Consultado consulta={lista} esperando={<Linhas quantas={3} altura={50} />}>
        {({ itens }) =>
          itens.length === 0 ? (
            <Vazio titulo="Nenhum token" icone={<IconKey size={26} />}>
              Crie um para cada sistema que envia ou lê documentos.
            </Vazio>
          ) : (
            <>
              <Tabela<Token, number>
                nome="Tokens de integração"
                colunas={colunas}
                linhas={linhas}
                id={({ id }) => id}
              />
              <MostrarMais lista={mais} linhas={linhas.length} total={itens.length} />
            </>
          )
        }
      </Consultado>
      <Modal opened={criando} onClose={() => setCriando(false)} title="Novo token de integração">
        {criando && (
          <Criar
            fechar={() => setCriando(false)}
            mostrar={(token) => {
              setCriando(false);
              setNovo(token);
              aoCriar(token);
            }}
          />
        )}
      </Modal>
      <Modal opened={renomeado !== null} onClose={() => setRenomeado(null)} title="Renomear o token">
        {renomeado && <Renomear token={renomeado} fechar={() => setRenomeado(null)} />}
      </Modal>
    </Stack>
  );
}

const ESCOPOS: Readonly<Record<string, string>> = { importacao: 'enviar', exportacao: 'ler' };

function Criar({ fechar, mostrar }: { fechar: () => void; mostrar: (token: string) => void }) {
  const [nome, setNome] = useState('');
  const [escopo, setEscopo] = useState<string[]>(Object.keys(ESCOPOS));
  const [cliente, setCliente] = useState<string | null>(null);
  const [expiraEm, setExpiraEm] = useState<string | null>(null);
  const criar = useAcao('POST /tokens', {
    renova: ['GET /tokens'],
    aoDarCerto: ({ token }) => mostrar(token),
  });
  const corpo = {
    nome: nome.trim(),
    escopo,
    ...(cliente ? { clientes: [cliente] } : {}),
    ...(expiraEm ? { expiraEm } : {}),
  } as Opcoes<'POST /tokens'>['corpo'];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        criar.mutate({ corpo });
      }}
    >
      <Stack>
        <TextInput
          label="Nome"
          description="Por exemplo, o sistema que vai usá-lo."
          value={nome}
          onChange={(event) => setNome(event.currentTarget.value)}
          data-autofocus
        />
        <Checkbox.Group label="O que pode" value={escopo} onChange={setEscopo}>
          <Stack gap="xs" mt="xs">
            <Checkbox value="importacao" label="Enviar documentos (importação)" />
            <Checkbox value="exportacao" label="Ler documentos (exportação)" />
          </Stack>
        </Checkbox.Group>
        <EscolhaDeCliente
          label="Só um cliente"
          description="Vazio: todos os clientes do escritório."
          clearable
          value={cliente}
          onChange={setCliente}
        />
        <DateInput
          label="Vale até"
          placeholder="dd/mm/aaaa"
          dateParser={(texto) => lerDia(texto) || null}
          description="Vazio: até ser revogado."
          {...calendarioDe('Vale até')}
          clearable
          minDate={diaDeHoje(1)}
          value={expiraEm}
          onChange={setExpiraEm}
        />
        {criar.error && <Erro falha={criar.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={fechar}>
            Cancelar
          </Button>
          <Button
            type="submit"
            disabled={nome.trim() === '' || escopo.length === 0}
            loading={criar.isPending}
          >
            Criar
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Renomear({ token, fechar }: { token: Token; fechar: () => void }) {
  const mudar = useAcao('PUT /tokens/{id}', { renova: ['GET /tokens'], aoDarCerto: fechar });
  return (
    <PedirNome
      inicial={token.nome}
      acao="Salvar"
      ocupado={mudar.isPending}
      falha={mudar.error}
      aoEnviar={(nome) => mudar.mutate({ caminho: { id: token.id }, corpo: { nome } })}
    />
  );
}
