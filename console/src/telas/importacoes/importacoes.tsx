import { Badge, Group, Paper, Select, Tabs, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useLocation, useSearchParams } from 'wouter';
import { useConsulta, usePaginas } from '../../api/consulta.ts';
import type { Item } from '../../api/rotas.ts';
import { formatHaQuanto, formatInstante } from '../../formatos/datas.ts';
import { formatarBytes, formatInteiro } from '../../formatos/numeros.ts';
import { CampoDeBusca } from '../../partes/campo-de-busca.tsx';
import { Elo } from '../../partes/elo.tsx';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import { STATUS_DE_IMPORTACAO, StatusDeImportacao } from '../../partes/etiquetas.tsx';
import { useFiltrosDoEndereco } from '../../partes/filtros-do-endereco.ts';
import { MostrarMais } from '../../partes/mostrar-mais.tsx';
import { Periodo } from '../../partes/periodo.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { Tela } from '../../partes/tela.tsx';
import { useTodoOEscritorio } from '../../sessao/sessao.tsx';
import { Entrega } from './entrega.tsx';
import { Falhas } from './falhas.tsx';
import { remetenteDe } from './remetente.ts';
import { Retidos } from './retidos.tsx';

type Importacao = Item<'GET /importacoes'>;
const POR_VEZ = 50;
/** While something is being imported the list asks again this often. */
const REPETIR_MS = 3_000;

const COLUNAS: readonly Coluna<Importacao>[] = [
  {
    id: 'nome',
    titulo: 'Arquivo',
    noCartao: 'titulo',
    corta: true,
    celula: ({ id, nome, extensao }) => (
      <Elo para={`/importacoes/${id}`} size="sm" fw={600}>
        {nome ?? `${id.slice(0, 8)}.${extensao.replace('.', '')}`}
      </Elo>
    ),
  },
  {
    id: 'status',
    titulo: 'Situação',
    noCartao: 'lado',
    celula: ({ status, falhou }) => <StatusDeImportacao status={status} falhou={falhou} />,
  },
  { id: 'itens', titulo: 'Documentos', numero: true, celula: ({ itens }) => formatInteiro(itens) },
  {
    id: 'resumo',
    titulo: 'Problema',
    celula: ({ resumo }) => <span className="quebra">{resumo ?? '–'}</span>,
  },
  { id: 'remetente', titulo: 'Enviado por', corta: true, celula: remetenteDe },
  {
    id: 'tamanho',
    titulo: 'Tamanho',
    numero: true,
    noCartao: 'fora',
    celula: ({ tamanho }) => formatarBytes(tamanho),
  },
  {
    id: 'quando',
    titulo: 'Quando',
    junta: true,
    celula: ({ criadaEm }) => <span title={formatInstante(criadaEm)}>{formatHaQuanto(criadaEm)}</span>,
  },
];

export default function Importacoes() {
  const todoOEscritorio = useTodoOEscritorio();
  return (
    <Tela
      titulo="Importações"
      descricao={
        todoOEscritorio
          ? 'Arquivos recebidos pelo console e pela API, e o que foi feito de cada um.'
          : 'Os arquivos que você enviou, e o que foi feito de cada um. Documentos de outras empresas não são guardados.'
      }
    >
      <Entrega />
      <Paper className="folha" style={{ overflow: 'hidden' }}>
        {todoOEscritorio ? <ArquivosERetidos /> : <Arquivos />}
      </Paper>
    </Tela>
  );
}

function ArquivosERetidos() {
  const [parametros, setParametros] = useSearchParams();
  const retidos = usePaginas('GET /retidos', { query: { Tamanho: POR_VEZ } });
  const falhas = useConsulta('GET /falhas').data?.documentos ?? 0;
  const empresasRetidas = retidos.data?.pages[0]?.total ?? 0;
  const clientes = useConsulta('GET /clientes', { query: { Tamanho: 1 } }).data?.total;
  // Whoever drops files before there is any client is led to who the clients are.
  const primeira = clientes === 0 && empresasRetidas > 0 ? 'retidos' : 'arquivos';
  const aba = parametros.get('aba') ?? primeira;
  return (
    <>
      <Tabs
        value={aba}
        onChange={(value) => setParametros(value === primeira ? {} : { aba: value ?? '' }, { replace: true })}
      >
        <Tabs.List>
          <Tabs.Tab value="arquivos" py="sm">
            Arquivos
          </Tabs.Tab>
          <Tabs.Tab value="falhas" py="sm" rightSection={<Quantos quantos={falhas} />}>
            Falhas
          </Tabs.Tab>
          <Tabs.Tab value="retidos" py="sm" rightSection={<Quantos quantos={empresasRetidas} />}>
            Retidos por falta de cadastro
          </Tabs.Tab>
        </Tabs.List>
      </Tabs>
      {aba === 'retidos' ? <Retidos lista={retidos} /> : aba === 'falhas' ? <Falhas /> : <Arquivos />}
    </>
  );
}

/** Beside a tab's name: what in it waits for somebody. */
function Quantos({ quantos }: { quantos: number }) {
  return quantos === 0 ? null : (
    <Badge size="sm" color="orange" variant="light" radius="sm" miw="max-content">
      {formatInteiro(quantos)}
    </Badge>
  );
}

/** What is listed, from the page's address. */
function useFiltros() {
  const [campos, mudar] = useFiltrosDoEndereco(['status', 'busca', 'de', 'ate']);
  const status = STATUS_DE_IMPORTACAO.find(({ value }) => value === campos.status)?.value ?? null;
  return { ...campos, status, mudar };
}
type Filtros = ReturnType<typeof useFiltros>;

function Arquivos() {
  const todoOEscritorio = useTodoOEscritorio();
  const filtros = useFiltros();
  const { status, busca, de, ate } = filtros;
  const [pronta] = useDebouncedValue(busca.trim(), 300);
  const query = {
    ...(status ? { status } : {}),
    ...(pronta ? { busca: pronta } : {}),
    ...(de ? { de } : {}),
    ...(ate ? { ate } : {}),
    Tamanho: POR_VEZ,
  };
  const lista = usePaginas('GET /importacoes', { query }, { repetir: REPETIR_MS });
  const [, irPara] = useLocation();
  const linhas = lista.data?.pages.flatMap((pagina) => pagina.itens) ?? [];
  return (
    <>
      <BarraDeFiltros {...filtros} />
      <Consultado consulta={lista} insiste esperando={<Linhas altura={44} />}>
        {() =>
          linhas.length === 0 ? (
            <Vazio
              titulo={
                status || pronta || de || ate
                  ? 'Nenhum arquivo com esses filtros'
                  : todoOEscritorio
                    ? 'Nada foi recebido ainda'
                    : 'Você ainda não enviou nada'
              }
            >
              Solte arquivos .xml ou .zip acima{todoOEscritorio && ', ou envie pela API'}.
            </Vazio>
          ) : (
            <>
              <Tabela<Importacao, string>
                nome="Arquivos importados"
                colunas={COLUNAS}
                linhas={linhas}
                id={({ id }) => id}
                aoAbrir={({ id }) => irPara(`/importacoes/${id}`)}
              />
              <MostrarMais lista={lista} linhas={linhas.length} />
              <Text size="xs" c="dimmed" p="sm" className="sem-impressao">
                A lista se atualiza sozinha.
              </Text>
            </>
          )
        }
      </Consultado>
    </>
  );
}

function BarraDeFiltros({ status, busca, de, ate, mudar }: Filtros) {
  return (
    <Group p="sm" gap="xs" className="sem-impressao">
      <CampoDeBusca
        style={{ flex: '1 1 220px' }}
        rotulo="Buscar por nome do arquivo"
        placeholder="Nome do arquivo"
        value={busca}
        mudar={(nova) => mudar({ busca: nova })}
      />
      <Select
        aria-label="Situação"
        placeholder="Qualquer situação"
        w={190}
        clearable
        data={STATUS_DE_IMPORTACAO}
        value={status}
        onChange={(novo) => mudar({ status: novo ?? '' })}
      />
      <Periodo
        rotulo="Recebidos em"
        de={de}
        ate={ate}
        mudar={(novoDe, novoAte) => mudar({ de: novoDe, ate: novoAte })}
      />
    </Group>
  );
}
