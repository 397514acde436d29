import { Box, Button, Group, Paper, Text } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { usePaginas } from '../../api/consulta.ts';
import { comoFalha } from '../../api/falha.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { plural } from '../../formatos/numeros.ts';
import { CampoDeBusca } from '../../partes/campo-de-busca.tsx';
import { Elo } from '../../partes/elo.tsx';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import { useFiltrosDoEndereco } from '../../partes/filtros-do-endereco.ts';
import { MostrarMais } from '../../partes/mostrar-mais.tsx';
import { ESPECIES } from '../../partes/nomes.ts';
import { textoDoPeriodo } from '../../partes/periodo.tsx';
import { AvisoDeRetidos } from '../../partes/retidos.tsx';
import { Tabela } from '../../partes/tabela.tsx';
import { SoNoPapel, Tela } from '../../partes/tela.tsx';
import { useClienteAtual } from '../../sessao/cliente-atual.tsx';
import { useTodoOEscritorio } from '../../sessao/sessao.tsx';
import { Abas } from './abas.tsx';
import { AcoesEmMassa } from './acoes-em-massa.tsx';
import { BarraDeFiltros } from './barra-de-filtros.tsx';
import { COLUNAS, type Documento, nomeDoDocumento, temDocumento } from './colunas.tsx';
import { EscolhaDeColunas, useColunas } from './escolha-de-colunas.tsx';
import { CAMPOS, type Consulta, comoConsulta, DO_PAINEL, preenchidos, VISOES } from './filtro.ts';
import { ItensProcurados } from './itens-procurados.tsx';
import { type SelecaoDeDocumentos, useSelecao } from './selecao.ts';
import { quantosEm, Resumo, somaDe, useTotais } from './totais.tsx';

/** Rows asked for at once; more come when they are wanted. */
const POR_VEZ = 50;
const PAUSA_MS = 150;
/** Each is an eighth of a second of the server's time. */
const PAGINAS_VAZIAS = 40;
const POR_EMISSAO = 'emissao';

type ListaDeDocumentos = ReturnType<typeof usePaginas<'GET /documentos'>>;

export default function Documentos() {
  const [campos, mudar] = useFiltrosDoEndereco(CAMPOS);
  const { cliente, fixo } = useClienteAtual();
  const todoOEscritorio = useTodoOEscritorio();
  const filtro = useMemo(() => preenchidos(campos), [campos]);
  const consulta = useMemo(() => comoConsulta(filtro, cliente), [filtro, cliente]);
  return (
    <Tela
      titulo="Documentos"
      descricao={
        fixo
          ? 'Da sua empresa.'
          : cliente
            ? 'Do cliente escolhido em cima.'
            : todoOEscritorio
              ? 'De todos os clientes do escritório.'
              : 'De todas as empresas que você vê.'
      }
    >
      <SoNoPapel>
        {[
          cliente ? `Cliente ${formatarCpfCnpj(cliente)}` : 'Todos os clientes',
          filtro.especie && ESPECIES[filtro.especie],
          VISOES[filtro.especie ?? 'todas']?.find(({ valor }) => valor === filtro.visao)?.nome,
          textoDoPeriodo(filtro.emissaoDe, filtro.emissaoAte),
          filtro.busca && `“${filtro.busca}”`,
          DO_PAINEL.some((campo) => filtro[campo]) && 'com outros filtros',
        ]}
      </SoNoPapel>
      <Paper className="folha" style={{ minWidth: 0, overflow: 'hidden' }}>
        <Abas filtro={filtro} cliente={cliente} mudar={mudar} />
        <Box p="sm" className="sem-impressao">
          <Group gap="xs" align="flex-end">
            <Busca valor={filtro.busca ?? ''} mudar={(busca) => mudar({ busca })} />
            <BarraDeFiltros filtro={filtro} mudar={mudar} />
          </Group>
          <ItensProcurados filtro={filtro} mudar={mudar} />
        </Box>
        <Lista
          key={JSON.stringify(consulta)}
          consulta={consulta}
          ordenar={(ordem) => mudar({ ordem: ordem === POR_EMISSAO ? '' : ordem })}
          semFiltro={Object.keys(filtro).length === 0}
        />
      </Paper>
    </Tela>
  );
}

/** Asks while one types, when the hand rests. */
function Busca({ valor, mudar }: { valor: string; mudar: (busca: string) => void }) {
  const [texto, setTexto] = useState(valor);
  const pedida = useRef(valor);
  const pedir = useDebouncedCallback((busca: string) => {
    pedida.current = busca;
    mudar(busca);
  }, PAUSA_MS);
  // What was asked for here comes back trimmed, while one may be typing on behind a space.
  useEffect(() => {
    if (valor === pedida.current) return;
    pedida.current = valor;
    setTexto(valor);
  }, [valor]);
  return (
    <CampoDeBusca
      style={{ flex: '1 1 260px' }}
      rotulo="Buscar por nome, CNPJ, número, chave ou valor"
      placeholder="Nome, CNPJ, número, chave, valor, produto, CFOP ou NCM"
      value={texto}
      mudar={(novo) => {
        setTexto(novo);
        pedir(novo.trim());
      }}
    />
  );
}

/**
 * A page may come empty and say where to go on: what is asked for is rare. It is looked for on and on, but not for ever
 * in a listing of many years.
 */
function Procurando({ lista }: { lista: ListaDeDocumentos }) {
  const { isFetching, isError, fetchNextPage } = lista;
  const paginas = lista.data?.pages.length ?? 0;
  const [ate, setAte] = useState(PAGINAS_VAZIAS);
  const adiante = paginas < ate;
  useEffect(() => {
    if (adiante && !isFetching && !isError) void fetchNextPage();
  }, [adiante, isFetching, isError, fetchNextPage]);
  if (isError) return <MostrarMais lista={lista} linhas={0} />;
  return adiante ? (
    <>
      <Text size="sm" c="dimmed" px="sm" role="status">
        Nada ainda; procurando em mais documentos…
      </Text>
      <Linhas quantas={10} altura={48} />
    </>
  ) : (
    <Vazio
      titulo="Nada encontrado até aqui"
      acao={
        <Button variant="default" onClick={() => setAte(paginas + PAGINAS_VAZIAS)}>
          Continuar procurando
        </Button>
      }
    >
      Ainda há documentos que não foram olhados. Com um período de emissão, a procura é mais curta.
    </Vazio>
  );
}

interface Pedido {
  consulta: Consulta;
  semFiltro: boolean;
  ordenar: (ordem: string) => void;
}

function Lista({ consulta, semFiltro, ordenar }: Pedido) {
  const { cliente } = useClienteAtual();
  const lista = usePaginas('GET /documentos', { query: { ...consulta, Tamanho: POR_VEZ } });
  if (lista.error && comoFalha(lista.error).codigo === 'ordem_larga_demais') {
    return (
      <Vazio
        titulo="Documentos demais para esta ordem"
        acao={
          <Button variant="default" onClick={() => ordenar(POR_EMISSAO)}>
            Ordenar por emissão
          </Button>
        }
      >
        {lista.error.message}
      </Vazio>
    );
  }
  return (
    <Consultado consulta={lista} esperando={<Linhas quantas={10} altura={48} />}>
      {({ pages }) => (
        <>
          <Achados
            lista={lista}
            paginas={pages}
            consulta={consulta}
            semFiltro={semFiltro}
            ordenar={ordenar}
          />
          {cliente === null && <AvisoDeRetidos />}
        </>
      )}
    </Consultado>
  );
}

function Achados({
  lista,
  paginas,
  consulta,
  semFiltro,
  ordenar,
}: Pedido & { lista: ListaDeDocumentos; paginas: readonly Resposta<'GET /documentos'>[] }) {
  const [, irPara] = useLocation();
  const { cliente } = useClienteAtual();
  const [visiveis, setVisiveis] = useColunas();
  const selecao = useSelecao();
  const colunas = useMemo(
    () =>
      COLUNAS.filter(
        ({ id, fixa }) => fixa || (visiveis.includes(id) && !(id === 'cliente' && cliente !== null)),
      ),
    [visiveis, cliente],
  );
  const linhas = paginas.flatMap((pagina) => pagina.itens).filter(temDocumento);
  const totais = useTotais(consulta, !lista.isFetching && linhas.length > 0);
  const total = totais?.completo ? quantosEm(totais) : null;
  if (linhas.length === 0 && lista.hasNextPage) return <Procurando lista={lista} />;
  if (linhas.length === 0) return <NadaNaLista semFiltro={semFiltro} />;
  return (
    <>
      <Group px="sm" pb="xs" justify="space-between" gap="xs" mih={34}>
        <Resumo
          totais={totais}
          aVista={`${plural(linhas.length, 'documento')} à vista${lista.hasNextPage ? ', há mais' : ''}`}
        />
        <Group gap="xs" className="sem-impressao">
          <AcoesEmMassa
            selecao={selecao}
            consulta={consulta}
            total={total}
            soma={
              selecao.tudo ? (totais?.completo ? somaDe(totais) : null) : somaDasMarcadas(linhas, selecao)
            }
          />
          <EscolhaDeColunas visiveis={visiveis} mudar={setVisiveis} />
        </Group>
      </Group>
      <Tabela<Documento, number>
        nome="Documentos"
        colunas={colunas}
        linhas={linhas}
        id={({ id }) => id}
        selecao={selecao}
        nomeDaLinha={nomeDoDocumento}
        aoAbrir={({ id }) => irPara(`/documentos/${id}`)}
        ordenacao={{ ordem: consulta.ordem ?? POR_EMISSAO, ordenar }}
      />
      <MostrarMais lista={lista} linhas={linhas.length} total={total} />
    </>
  );
}

/** What the marked rows come to; every one that is marked is in sight. */
const somaDasMarcadas = (linhas: readonly Documento[], { tem }: SelecaoDeDocumentos) =>
  linhas.filter(({ id }) => tem(id)).reduce((sum, { valor }) => sum + Number(valor ?? 0), 0);

function NadaNaLista({ semFiltro }: { semFiltro: boolean }) {
  if (!semFiltro)
    return (
      <Vazio titulo="Nenhum documento com esses filtros">
        Confira o período, o cliente escolhido em cima e a espécie. Documentos de CNPJ não cadastrado ficam
        retidos em Importações.
      </Vazio>
    );
  return (
    <Vazio titulo="Ainda não há documentos">
      Envie XML ou ZIP em{' '}
      <Elo para="/importacoes" size="sm" underline="always">
        Importações
      </Elo>
      , ou ligue o seu sistema pela API.
    </Vazio>
  );
}
