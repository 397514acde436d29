import { Group, Paper, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCloudUpload,
  IconFiles,
  IconInbox,
  IconListSearch,
  type TablerIcon,
} from '@tabler/icons-react';
import { Link } from 'wouter';
import { formatarBytes, formatInteiro, plural } from '../../formatos/numeros.ts';
import { useClienteAtual } from '../../sessao/cliente-atual.tsx';
import { usePapel } from '../../sessao/sessao.tsx';
import type { Painel } from './painel.ts';

/** What is counted, a tile each. */
export function Numeros({ painel }: { painel: Painel }) {
  const { cliente } = useClienteAtual();
  const daEmpresa = usePapel('cliente');
  const { importacoesHoje, falhasPendentes, falhasHaMais, faltantes, armazenamento, entradas } = painel;
  return (
    <>
      {importacoesHoje && (
        <Numero
          Icone={IconCloudUpload}
          titulo="Recebido hoje"
          valor={formatInteiro(importacoesHoje.documentos)}
          detalhe={`${plural(importacoesHoje.arquivos, 'arquivo')}${importacoesHoje.comErro > 0 ? `, ${formatInteiro(importacoesHoje.comErro)} com erro${falhasPendentes === 0 && !falhasHaMais ? ' já resolvido' : ''}` : ''}`}
          para="/importacoes"
        />
      )}
      {falhasPendentes !== null && (
        <Numero
          Icone={IconAlertTriangle}
          titulo="Falhas a resolver"
          valor={`${formatInteiro(falhasPendentes)}${falhasHaMais ? ' ou mais' : ''}`}
          detalhe={
            falhasPendentes === 0 && !falhasHaMais
              ? 'nenhuma nos últimos 90 dias'
              : `${falhasPendentes === 1 ? 'arquivo' : 'arquivos'} dos últimos 90 dias`
          }
          alerta={falhasPendentes > 0}
          para="/importacoes?aba=falhas"
        />
      )}
      <Retidos retidos={painel.retidos} />
      <EsquemasAntigos maisNovos={painel.maisNovosQueOEsquema ?? 0} />
      <Numero
        Icone={IconListSearch}
        titulo="Números faltantes"
        valor={formatInteiro(faltantes?.total)}
        detalhe={
          faltantes === null
            ? 'sendo contados'
            : faltantes.total === 0
              ? 'nenhuma lacuna em três meses'
              : `${cliente ? '' : `de ${plural(faltantes.clientes, daEmpresa ? 'empresa' : 'cliente')}, `}em três meses`
        }
        alerta={faltantes !== null && faltantes.total > 0}
        para="/faltantes"
      />
      <Numero
        Icone={IconFiles}
        titulo={daEmpresa ? 'Na sua lista' : cliente ? 'Entregues ao cliente' : 'Entregues aos clientes'}
        valor={formatInteiro(entradas)}
        detalhe={armazenamento ? `${formatarBytes(armazenamento.bytes)} recebidos` : 'documentos e eventos'}
        para="/documentos"
      />
    </>
  );
}

/** Only who administers can install what is missing. */
function EsquemasAntigos({ maisNovos }: { maisNovos: number }) {
  if (!usePapel('administrador') || maisNovos === 0) return null;
  return (
    <Numero
      Icone={IconAlertTriangle}
      titulo="Esquemas antigos"
      valor={formatInteiro(maisNovos)}
      detalhe={`${maisNovos === 1 ? 'documento mais novo' : 'documentos mais novos'} que os esquemas: instale o pacote novo em Saúde`}
      alerta
      para="/saude"
    />
  );
}

/** What waits for a client to be registered, and is in no list. */
function Retidos({ retidos }: Pick<Painel, 'retidos'>) {
  if (!retidos || retidos.documentos === 0) return null;
  return (
    <Numero
      Icone={IconInbox}
      titulo="Documentos retidos"
      valor={`${formatInteiro(retidos.documentos)}${retidos.haMais ? ' ou mais' : ''}`}
      detalhe="de empresas sem cadastro"
      para="/importacoes?aba=retidos"
    />
  );
}

function Numero({
  Icone,
  titulo,
  valor,
  detalhe,
  alerta = false,
  para,
}: {
  Icone: TablerIcon;
  titulo: string;
  valor: string;
  detalhe: string;
  alerta?: boolean;
  para: string;
}) {
  return (
    <Paper
      className="folha ladrilho"
      p="md"
      component={Link}
      href={para}
      style={{ color: 'inherit', textDecoration: 'none' }}
    >
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Stack gap={2}>
          <Text size="sm" c="dimmed">
            {titulo}
          </Text>
          <Text fz={28} fw={700} lh={1.1} c={alerta ? 'var(--mantine-color-error)' : undefined}>
            {valor}
          </Text>
          <Text size="xs" c="dimmed">
            {detalhe}
          </Text>
        </Stack>
        <Icone size={22} stroke={1.6} color="var(--mantine-color-dimmed)" aria-hidden />
      </Group>
    </Paper>
  );
}
