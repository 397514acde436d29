import { Alert, Button, Code, Group, Modal, Stack, Title } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import type { Item } from '../../api/rotas.ts';
import { formatDia, formatHaQuanto } from '../../formatos/datas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { plural } from '../../formatos/numeros.ts';
import { useAosPoucos } from '../../partes/aos-poucos.ts';
import { avisar } from '../../partes/avisos.ts';
import { Confirmar } from '../../partes/confirmar.tsx';
import { BotaoCopiar } from '../../partes/copiar.tsx';
import { DuasLinhas } from '../../partes/duas-linhas.tsx';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { MostrarMais } from '../../partes/mostrar-mais.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { NovoToken } from './novo-token.tsx';
import { PedirNome } from './pedir-nome.tsx';

type Token = Item<'GET /tokens'>;

const ESCOPOS: Readonly<Record<string, string>> = { importacao: 'enviar', exportacao: 'ler' };

const COLUNAS: readonly Coluna<Token>[] = [
  {
    id: 'nome',
    titulo: 'Token',
    noCartao: 'titulo',
    celula: ({ nome, finais }) => <DuasLinhas titulo={nome} detalhe={`mlt_…${finais}`} mono />,
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
    celula: ({ ultimoUso }) => (ultimoUso ? `${formatHaQuanto(ultimoUso.em)}, ${ultimoUso.ip}` : 'nunca'),
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
        <Etiqueta cor="teal">{expiraEm ? `vale até ${formatDia(expiraEm)}` : 'vale'}</Etiqueta>
      ),
  },
];

/** Integration tokens: each is shown once, when it is made. */
export function Tokens({ aoCriar }: { aoCriar: (token: string) => void }) {
  const lista = useConsulta('GET /tokens');
  const { linhas, mais } = useAosPoucos(lista.data?.itens ?? []);
  const [criando, setCriando] = useState(false);
  const [novo, setNovo] = useState<string | null>(null);
  const [renomeado, setRenomeado] = useState<Token | null>(null);
  const acoes: Coluna<Token> = {
    id: 'acoes',
    titulo: 'Ações',
    noCartao: 'lado',
    celula: (token) => (token.revogadoEm ? null : <Acoes token={token} renomear={setRenomeado} />),
  };
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>Tokens de integração</Title>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setCriando(true)}>
          Novo token
        </Button>
      </Group>
      {novo && <TokenCriado token={novo} />}
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
                colunas={[...COLUNAS, acoes]}
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
          <NovoToken
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

function TokenCriado({ token }: { token: string }) {
  return (
    <Alert color="teal" title="Copie o token agora: ele não será mostrado de novo" role="status">
      <Group gap="xs">
        <Code className="quebra" fz="sm">
          {token}
        </Code>
        <BotaoCopiar valor={token}>Copiar o token</BotaoCopiar>
      </Group>
    </Alert>
  );
}

function Acoes({ token, renomear }: { token: Token; renomear: (token: Token) => void }) {
  const revogar = useAcao('POST /tokens/{id}/revogar', {
    renova: ['GET /tokens'],
    aoDarCerto: () => avisar('Token revogado: deixa de valer em segundos.'),
  });
  return (
    <Group gap={4} wrap="nowrap">
      <Button size="compact-sm" variant="subtle" onClick={() => renomear(token)}>
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
  );
}

function Renomear({ token, fechar }: { token: Token; fechar: () => void }) {
  const mudar = useAcao('PUT /tokens/{id}', { renova: ['GET /tokens'], aoDarCerto: fechar });
  return (
    <PedirNome
      inicial={token.nome}
      acao={mudar}
      botao="Salvar"
      aoEnviar={(nome) => mudar.mutate({ caminho: { id: token.id }, corpo: { nome } })}
    />
  );
}
