import { Button, Center, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCertificate,
  IconCloudUpload,
  IconFiles,
  IconInbox,
  IconListSearch,
  IconMoonStars,
  IconPlugConnected,
  type TablerIcon,
} from '@tabler/icons-react';
import { Fragment, lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'wouter';
import { useConsulta } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatDia, formatHaQuanto } from '../../formatos/datas.ts';
import { formatarBytes, formatInteiro, plural } from '../../formatos/numeros.ts';
import { Elo } from '../../partes/elo.tsx';
import { Erro } from '../../partes/estados.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { Tela } from '../../partes/tela.tsx';
import { useClienteAtual } from '../../sessao/cliente-atual.tsx';
import { usePapel, useSessao } from '../../sessao/sessao.tsx';
import { corDaValidade, textoDaValidade } from '../clientes/validade.tsx';
import { CapturaParada } from './captura-parada.tsx';
import { DaInstalacao } from './instalacao.tsx';
import { Passos } from './passos.tsx';

const Grafico = lazy(() => import('./grafico.tsx'));
type Painel = Resposta<'GET /inicio'>;
/** Rows of each list, until all of them are asked for. */
const LINHAS = 5;
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

function Numeros({ painel }: { painel: Painel }) {
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

function Listas({ painel }: { painel: Painel }) {
  const { certificados, clientesQuietos, consumidores } = painel;
  return (
    <>
      <Lista
        Icone={IconCertificate}
        titulo="Certificados a vencer"
        vazio="Nenhum certificado vence em breve."
        total={certificados.total}
        todos="/clientes?ordem=certificado"
      >
        {certificados.itens.map(({ cpfCnpj, nome, dias, validoAte }) => (
          <Linha key={cpfCnpj} para={`/clientes/${cpfCnpj}`} nome={nome} detalhe={formatDia(validoAte)}>
            <Etiqueta cor={corDaValidade(dias)}>{textoDaValidade(dias)}</Etiqueta>
          </Linha>
        ))}
      </Lista>
      <Lista
        Icone={IconMoonStars}
        titulo="Clientes sem movimento"
        vazio="Nenhum cliente está mais quieto do que de costume."
        total={clientesQuietos.total}
      >
        {clientesQuietos.itens.map(({ cpfCnpj, nome, ultimoEm, habitoDias }) => (
          <Linha
            key={cpfCnpj}
            para={`/clientes/${cpfCnpj}`}
            nome={nome}
            detalhe={`costuma enviar a cada ${plural(Math.max(1, Math.round(habitoDias)), 'dia')}`}
          >
            <Text size="sm">{formatHaQuanto(ultimoEm)}</Text>
          </Linha>
        ))}
      </Lista>
      <Lista
        Icone={IconPlugConnected}
        titulo="Sistemas integrados"
        vazio="Nenhum sistema leu documentos ainda."
        total={consumidores.total}
      >
        {consumidores.itens.map(({ cpfCnpj, nome, token, atraso, lidoEm }) => (
          <Linha
            key={`${cpfCnpj}-${token}`}
            para={`/clientes/${cpfCnpj}`}
            nome={nome}
            detalhe={`${token}, ${formatHaQuanto(lidoEm)}`}
          >
            <Etiqueta cor={atraso > 0 ? 'orange' : 'teal'}>
              {atraso > 0 ? `${formatInteiro(atraso)} por ler` : 'em dia'}
            </Etiqueta>
          </Linha>
        ))}
      </Lista>
    </>
  );
}

function Lista({
  Icone,
  titulo,
  vazio,
  total,
  todos,
  children,
}: {
  Icone: TablerIcon;
  titulo: string;
  vazio: string;
  /** How many there are; `children` are those that the server sent. */
  total: number;
  /** Where all of them are listed. */
  todos?: string;
  children: ReactNode[];
}) {
  const [aberta, abrir] = useState(false);
  const linhas = aberta ? children : children.slice(0, LINHAS);
  return (
    <Paper className="folha" p="md" component="section" aria-label={titulo} mih={{ base: 120, lg: 230 }}>
      <Group gap="xs" mb="sm">
        <Icone size={19} stroke={1.7} aria-hidden />
        <Title order={2}>{titulo}</Title>
        {total > LINHAS && (
          <Text size="sm" c="dimmed">
            {formatInteiro(total)}
          </Text>
        )}
      </Group>
      {children.length === 0 ? (
        <Text size="sm" c="dimmed">
          {vazio}
        </Text>
      ) : (
        <Stack gap={10}>
          {linhas}
          {children.length > LINHAS && (
            <Button
              variant="subtle"
              size="compact-sm"
              aria-expanded={aberta}
              style={{ alignSelf: 'start' }}
              onClick={() => abrir(!aberta)}
            >
              {aberta ? 'Mostrar menos' : `Mostrar mais ${formatInteiro(children.length - LINHAS)}`}
            </Button>
          )}
          {aberta && total > children.length && <OsOutros quantos={total - children.length} todos={todos} />}
        </Stack>
      )}
    </Paper>
  );
}

/** Those that the server did not send. */
function OsOutros({ quantos, todos }: { quantos: number; todos: string | undefined }) {
  return (
    <Text size="xs" c="dimmed">
      e mais {formatInteiro(quantos)}
      {todos && (
        <>
          {': '}
          <Elo para={todos} size="xs">
            ver todos
          </Elo>
        </>
      )}
    </Text>
  );
}

function Linha({
  para,
  nome,
  detalhe,
  children,
}: {
  para: string;
  nome: string;
  detalhe: string;
  children: ReactNode;
}) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <div style={{ minWidth: 0 }}>
        <Elo para={para} size="sm" fw={500} truncate display="block">
          {nome}
        </Elo>
        <Text size="xs" c="dimmed" truncate>
          {detalhe}
        </Text>
      </div>
      <div style={{ flex: 'none' }}>{children}</div>
    </Group>
  );
}
