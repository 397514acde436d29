import { Alert, Button, Center, Code, Group, Paper, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconInbox, IconMapOff, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { comoFalha } from '../api/falha.ts';
import { Copiar } from './copiar.tsx';
import { Elo } from './elo.tsx';
import { Tela } from './tela.tsx';

/** What went wrong, in words, with what support needs to find it, and a way to try again where that may help. */
export function Erro({ falha, deNovo, titulo }: { falha: unknown; deNovo?: () => void; titulo?: string }) {
  const { status, codigo, message, requestId, erros } = comoFalha(falha);
  const naoHa = status === 404;
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle size={20} />}
      title={titulo ?? (naoHa ? 'Não encontrado' : 'Não foi possível concluir')}
      role="alert"
      className="erro sem-impressao"
    >
      <Stack gap="xs">
        <Text size="sm">{message}</Text>
        {erros.some(({ mensagem }) => mensagem !== message) && (
          <ul style={{ margin: 0, paddingLeft: '1.1rem' }}>
            {erros.map((erro) => (
              <li key={`${erro.campo}-${erro.codigo}`}>
                <Text size="sm" span>
                  <b>{erro.campo}</b>: {erro.mensagem}
                </Text>
              </li>
            ))}
          </ul>
        )}
        <Group gap="xs" align="center">
          {deNovo && ![400, 404].includes(status) && (
            <Button size="xs" variant="default" leftSection={<IconRefresh size={14} />} onClick={deNovo}>
              Tentar de novo
            </Button>
          )}
          <Code>{codigo}</Code>
          {requestId && (
            <Group gap={2}>
              <Text size="xs" c="dimmed">
                requisição {requestId.slice(0, 8)}
              </Text>
              <Copiar valor={requestId} rotulo="Copiar o número da requisição" />
            </Group>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

/**
 * What a question to the server brought. An answer stays in sight when asking again fails: that is told above it, or
 * not at all on a screen that goes on asking by itself.
 */
export function Consultado<T>({
  consulta,
  esperando,
  insiste = false,
  children,
}: {
  consulta: {
    data: T | undefined;
    error: unknown;
    refetch: () => unknown;
    /** It was the next page that failed, which its button tells. */
    isFetchNextPageError?: boolean;
  };
  esperando: ReactNode;
  /** The question is asked again and again, whatever comes of it. */
  insiste?: boolean;
  children: (data: T) => ReactNode;
}) {
  const { data, error, refetch, isFetchNextPageError = false } = consulta;
  const told = error !== null && (data === undefined || !(insiste || isFetchNextPageError));
  return (
    <>
      {told && <Erro falha={error} deNovo={() => void refetch()} />}
      {data !== undefined ? children(data) : told ? null : esperando}
    </>
  );
}

export function Vazio({
  titulo,
  children,
  icone,
  acao,
}: {
  titulo: string;
  children?: ReactNode;
  icone?: ReactNode;
  acao?: ReactNode;
}) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={460}>
        <ThemeIcon size={52} radius="xl" variant="light">
          {icone ?? <IconInbox size={26} />}
        </ThemeIcon>
        <Text fw={600} ta="center">
          {titulo}
        </Text>
        {children && (
          <Text size="sm" c="dimmed" ta="center" component="div">
            {children}
          </Text>
        )}
        {acao}
      </Stack>
    </Center>
  );
}

/** The place of a list that is on its way, as high as its rows will be. */
export function Linhas({ quantas = 8, altura = 38 }: { quantas?: number; altura?: number }) {
  return (
    <Stack gap={6} p="sm" role="status" aria-label="Carregando">
      {Array.from({ length: quantas }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Skeleton key={at} height={altura - 6} radius="sm" />
      ))}
    </Stack>
  );
}

/** The place of a whole screen while its code comes. */
export function TelaCarregando() {
  return (
    <Stack gap="md" role="status" aria-label="Carregando a tela" mih="70vh">
      <Skeleton height={30} width={220} />
      <Skeleton height={48} />
      <Skeleton height={320} />
    </Stack>
  );
}

export function NaoEncontrada() {
  return (
    <Tela titulo="Esta página não existe">
      <Paper className="folha">
        <Vazio titulo="Nada neste endereço" icone={<IconMapOff size={26} />}>
          Ele pode ter mudado, ou é de uma tela que o seu usuário não abre.{' '}
          <Elo para="/" underline="always">
            Voltar ao início
          </Elo>
        </Vazio>
      </Paper>
    </Tela>
  );
}
