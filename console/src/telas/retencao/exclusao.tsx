import { Alert, Button, Group, List, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { endereco } from '../../api/chamar.ts';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatInstante } from '../../formatos/datas.ts';
import { formatarBytes, plural } from '../../formatos/numeros.ts';
import { Confirmar } from '../../partes/confirmar.tsx';
import { Consultado, Erro, Linhas } from '../../partes/estados.tsx';
import { Estado } from './estado.tsx';

/** A download goes on outside of this page; that it was taken is asked for again for a while. */
const OLHAR_MS = 2_000;
const RENOVA = ['GET /retencao/exclusoes', 'GET /retencao/exclusoes/{id}', 'GET /retencao'] as const;

/** The deletion that is going on: what it is waiting for, its copy, and the two ways to end it. */
export function Exclusao({ id, estado }: { id: string; estado: string }) {
  const exclusao = useConsulta(
    'GET /retencao/exclusoes/{id}',
    { caminho: { id } },
    { repetir: OLHAR_MS, manter: true },
  );
  return (
    <Consultado consulta={exclusao} insiste esperando={<Linhas quantas={3} />}>
      {(aberta) => <EmAndamento id={id} estado={estado} exclusao={aberta} />}
    </Consultado>
  );
}

type ExclusaoAberta = Resposta<'GET /retencao/exclusoes/{id}'>;

interface Andamento {
  id: string;
  estado: string;
  exclusao: ExclusaoAberta;
}

function EmAndamento({ id, estado, exclusao }: Andamento) {
  const { documentos, excluidos, erro } = exclusao;
  const retomar = useAcao('POST /retencao/exclusoes/{id}/retomar', { renova: RENOVA });
  return (
    <Paper className="folha" p="md" component="section" aria-label="Exclusão em andamento">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            Exclusão em andamento
          </Title>
          <Estado estado={estado} />
        </Group>
        {estado === 'preparando' && <Ocupado>A cópia está sendo feita. Pode sair desta página.</Ocupado>}
        {estado === 'confirmada' && (
          <Ocupado>
            {excluidos} de {plural(documentos, 'documento excluído', 'documentos excluídos')}.
          </Ocupado>
        )}
        {estado === 'preparada' && <Copia id={id} exclusao={exclusao} />}
        {estado === 'falhou' && (
          <Alert color="red" title={excluidos === 0 ? 'Nada foi excluído' : 'A exclusão parou no meio'}>
            {erro}
            {excluidos > 0 && ` Já excluídos: ${excluidos} de ${plural(documentos, 'documento')}.`}
          </Alert>
        )}
        {retomar.error && <Erro falha={retomar.error} />}
        {estado !== 'confirmada' && (
          <Group>
            {estado === 'falhou' ? (
              <Button loading={retomar.isPending} onClick={() => retomar.mutate({ caminho: { id } })}>
                Tentar de novo
              </Button>
            ) : (
              <Excluir id={id} estado={estado} exclusao={exclusao} />
            )}
            {excluidos === 0 && <Desistir id={id} />}
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function Ocupado({ children }: { children: ReactNode }) {
  return (
    <Group gap="xs" role="status">
      <Loader size="xs" />
      <Text size="sm">{children}</Text>
    </Group>
  );
}

/** What would be deleted, in packages that must be taken before. */
function Copia({ id, exclusao: { documentos, pacotes, expiraEm } }: Omit<Andamento, 'estado'>) {
  return (
    <>
      <Text size="sm">
        {plural(documentos, 'documento')} em {plural(pacotes.length, 'pacote')}. Confirme até{' '}
        {formatInstante(expiraEm)}; depois disso a preparação vence.
      </Text>
      <List spacing="xs" size="sm" listStyleType="none">
        {pacotes.map((pacote) => (
          <List.Item key={pacote.parte}>
            <Pacote id={id} pacote={pacote} />
          </List.Item>
        ))}
      </List>
    </>
  );
}

function Pacote({ id, pacote }: { id: string; pacote: ExclusaoAberta['pacotes'][number] }) {
  const { parte, tamanho, documentos, baixadoEm } = pacote;
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant={baixadoEm === null ? 'filled' : 'default'}
        component="a"
        href={endereco('GET /retencao/exclusoes/{id}/pacotes/{parte}', { caminho: { id, parte } })}
        download
        leftSection={baixadoEm === null ? <IconDownload size={14} /> : <IconCheck size={14} />}
      >
        Baixar parte {parte}
      </Button>
      <Text size="xs" c="dimmed">
        {plural(documentos, 'documento')}, {formatarBytes(tamanho)}
        {baixadoEm && `, baixada em ${formatInstante(baixadoEm)}`}
      </Text>
    </Group>
  );
}

function Excluir({ id, estado, exclusao: { documentos, pacotes } }: Andamento) {
  const confirmar = useAcao('POST /retencao/exclusoes/{id}/confirmar', { renova: RENOVA });
  const faltam = pacotes.filter(({ baixadoEm }) => baixadoEm === null).length;
  return (
    <Confirmar
      pergunta="Excluir de vez?"
      detalhe={`${plural(documentos, 'documento será excluído e não volta', 'documentos serão excluídos e não voltam')}. O que entrou em guarda legal depois da preparação fica.`}
      acao="Excluir"
      aoConfirmar={() => confirmar.mutateAsync({ caminho: { id } })}
    >
      {(open) => (
        <Button color="red" disabled={estado !== 'preparada' || faltam > 0} onClick={open}>
          {faltam > 0 ? 'Baixe a cópia para poder excluir' : 'Excluir'}
        </Button>
      )}
    </Confirmar>
  );
}

function Desistir({ id }: { id: string }) {
  const cancelar = useAcao('POST /retencao/exclusoes/{id}/cancelar', { renova: RENOVA });
  return (
    <Confirmar
      pergunta="Desistir desta exclusão?"
      detalhe="Nada foi excluído, e nada será."
      acao="Desistir"
      aoConfirmar={() => cancelar.mutateAsync({ caminho: { id } })}
    >
      {(open) => (
        <Button variant="default" onClick={open}>
          Desistir
        </Button>
      )}
    </Confirmar>
  );
}
