import { Button, Center, Group, Paper, SimpleGrid, Skeleton, Text, Title } from '@mantine/core';
import { Fragment, lazy, Suspense, useState } from 'react';
import { useConsulta } from '../../api/consulta.ts';
import { Erro } from '../../partes/estados.tsx';
import { Tela } from '../../partes/tela.tsx';
import { useClienteAtual } from '../../sessao/cliente-atual.tsx';
import { usePapel, useSessao } from '../../sessao/sessao.tsx';
import { CapturaParada } from './captura-parada.tsx';
import { DaInstalacao } from './instalacao.tsx';
import { Listas } from './listas.tsx';
import { Numeros } from './numeros.tsx';
import type { Painel } from './painel.ts';
import { Passos } from './passos.tsx';

const Grafico = lazy(() => import('./grafico.tsx'));
/** How soon the screen asks again: soon while missing numbers are being counted. */
const [CONTANDO_MS, DE_NOVO_MS] = [3_000, 60_000];
const ALTURA_DO_GRAFICO = 260;

/** Something is on its way that will look different in a moment. */
const aguarda = (painel: Painel | undefined) =>
  painel?.faltantes === null || painel?.instalacao?.agenda.fazendo === true;
const ESPACO = { base: 'xs', sm: 'md' };
/** What is held has a tile as long as something is. */
const ladrilhos = (painel: Painel | undefined) => ({ base: 2, lg: painel?.retidos?.documentos ? 5 : 4 });

export default function Inicio() {
  const { cliente } = useClienteAtual();
  const { usuario } = useSessao();
  const escritorio = usePapel('administrador', 'operador');
  const [dias, setDias] = useState(30);
  const { data, error, refetch } = useConsulta(
    'GET /inicio',
    { query: { dias, ...(cliente ? { cliente } : {}) } },
    { manter: true, repetir: (painel) => (aguarda(painel) ? CONTANDO_MS : DE_NOVO_MS) },
  );
  return (
    <Tela titulo="Início" descricao={`Olá, ${usuario.nome.split(' ')[0]}.`}>
      {error && !data ? (
        <Erro falha={error} deNovo={() => void refetch()} />
      ) : (
        // What waits is another tree than what came: nothing of it moves when more stands above.
        <Fragment key={data ? 'pronto' : 'espera'}>
          {data && <Passos painel={data} />}
          <SimpleGrid cols={ladrilhos(data)} spacing={ESPACO}>
            {data ? (
              <Numeros painel={data} />
            ) : (
              [0, 1, 2, 3].map((at) => <Skeleton key={at} height={104} radius="md" />)
            )}
          </SimpleGrid>
          {data?.instalacao && <DaInstalacao instalacao={data.instalacao} />}
          <PorDia painel={data} dias={dias} aoEscolher={setDias} />
          {escritorio && !cliente && <CapturaParada />}
          {escritorio && (
            <SimpleGrid cols={{ base: 1, lg: 3 }} spacing="md">
              {data ? (
                <Listas painel={data} />
              ) : (
                [0, 1, 2].map((at) => <Skeleton key={at} h={{ base: 120, lg: 230 }} radius="md" />)
              )}
            </SimpleGrid>
          )}
        </Fragment>
      )}
    </Tela>
  );
}

function PorDia(props: { painel: Painel | undefined; dias: number; aoEscolher: (dias: number) => void }) {
  const { painel, dias, aoEscolher } = props;
  return (
    <Paper className="folha" p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2}>Documentos por dia de emissão</Title>
        <Group gap={4} role="group" aria-label="Período do gráfico">
          {[30, 90].map((quantos) => (
            <Button
              key={quantos}
              size="compact-sm"
              variant={dias === quantos ? 'filled' : 'default'}
              aria-pressed={dias === quantos}
              onClick={() => aoEscolher(quantos)}
            >
              {quantos} dias
            </Button>
          ))}
        </Group>
      </Group>
      <div style={{ height: ALTURA_DO_GRAFICO }}>
        <Suspense fallback={<Skeleton height={ALTURA_DO_GRAFICO} />}>
          {painel?.documentosPorDia.length === 0 ? (
            <Center h={ALTURA_DO_GRAFICO}>
              <Text size="sm" c="dimmed">
                Nenhum documento das listas foi emitido nos últimos {dias} dias.
              </Text>
            </Center>
          ) : painel ? (
            <Grafico dados={painel.documentosPorDia} dias={dias} altura={ALTURA_DO_GRAFICO} />
          ) : (
            <Skeleton height={ALTURA_DO_GRAFICO} />
          )}
        </Suspense>
      </div>
    </Paper>
  );
}
