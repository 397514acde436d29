import { Alert, Group, Paper, Text } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import type { Resposta } from '../../api/rotas.ts';
import { formatHaQuanto, formatInstante } from '../../formatos/datas.ts';
import { CopiaAgora } from '../../partes/copia-agora.tsx';

type Instalacao = NonNullable<Resposta<'GET /inicio'>['instalacao']>;

/** What who runs this server should see before anything happens: its backups, and whether it is old. */
export function DaInstalacao({ instalacao }: { instalacao: Instalacao }) {
  const { agenda, versaoNova } = instalacao;
  const falhou = agenda.ultima?.erro != null;
  return (
    <>
      {versaoNova && (
        <Alert color="blue" title={`Há uma versão nova do Malote: ${versaoNova}`}>
          O que muda, e como atualizar, está no CHANGELOG e em docs/operacao.md.
        </Alert>
      )}
      {agenda.ligada && (
        <Paper className="folha" p="sm" component="section" aria-label="Cópia de segurança">
          <Group justify="space-between" gap="xs">
            <Group gap="xs" wrap="nowrap" style={{ minWidth: 0, flex: '1 1 300px' }}>
              <IconDeviceFloppy size={19} stroke={1.7} aria-hidden style={{ flex: 'none' }} />
              <Text size="sm" c={falhou ? 'var(--mantine-color-error)' : undefined} className="quebra">
                {textoDa(agenda)}
              </Text>
            </Group>
            <CopiaAgora fazendo={agenda.fazendo} />
          </Group>
        </Paper>
      )}
    </>
  );
}

function textoDa({ ultima, proximaEm }: Instalacao['agenda']): string {
  const proxima = proximaEm ? ` A próxima: ${formatInstante(proximaEm)}.` : '';
  if (ultima === null) return `Cópia de segurança: nenhuma feita ainda.${proxima}`;
  const quando = formatHaQuanto(ultima.em);
  return ultima.erro === null
    ? `Cópia de segurança feita ${quando}.${proxima}`
    : `A cópia de segurança falhou ${quando}: ${ultima.erro}`;
}
