import { Button, Group, Paper, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFileSpreadsheet, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useConsulta } from '../../api/consulta.ts';
import type { Item, Resposta } from '../../api/rotas.ts';
import { formatHaQuanto } from '../../formatos/datas.ts';
import { formatInteiro, plural } from '../../formatos/numeros.ts';
import { CampoDeBusca } from '../../partes/campo-de-busca.tsx';
import { colunaDaEmpresa } from '../../partes/duas-linhas.tsx';
import { Elo } from '../../partes/elo.tsx';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { useFiltrosDoEndereco } from '../../partes/filtros-do-endereco.ts';
import { Paginacao } from '../../partes/paginacao.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { Tela } from '../../partes/tela.tsx';
import { useTodoOEscritorio } from '../../sessao/sessao.tsx';
import { Lote } from './lote.tsx';
import { NovoCliente } from './novo-cliente.tsx';
import { Validade } from './validade.tsx';

const POR_PAGINA = 50;
const ORDENS = [
  { value: 'nome', label: 'Por nome' },
  { value: 'certificado', label: 'Certificado a vencer' },
  { value: 'ultimoNsu', label: 'Mais documentos' },
] as const;
type Cliente = Item<'GET /clientes'>;

const COLUNAS: readonly Coluna<Cliente>[] = [
  colunaDaEmpresa('Cliente', (cpfCnpj) => `/clientes/${cpfCnpj}`),
  {
    id: 'certificado',
    titulo: 'Certificado A1',
    celula: ({ certificado }) => <Validade certificado={certificado} />,
  },
  {
    id: 'procuracao',
    titulo: 'Procuração',
    noCartao: 'fora',
    celula: ({ trabalhaComProcuracao }) =>
      trabalhaComProcuracao ? <Etiqueta cor="blue">sim</Etiqueta> : '–',
  },
  {
    id: 'mes',
    titulo: 'No mês',
    numero: true,
    celula: ({ documentosNoMes }) => formatInteiro(documentosNoMes),
  },
  {
    id: 'ultimo',
    titulo: 'Último documento',
    junta: true,
    celula: ({ ultimoDocumentoEm }) => formatHaQuanto(ultimoDocumentoEm),
  },
  {
    id: 'nsu',
    titulo: 'Último NSU',
    numero: true,
    noCartao: 'fora',
    celula: ({ ultimoNsu }) => formatInteiro(ultimoNsu),
  },
  {
    id: 'lido',
    titulo: 'Lido até',
    junta: true,
    noCartao: 'fora',
    celula: ({ ultimoNsuLido }) =>
      ultimoNsuLido ? `${formatInteiro(ultimoNsuLido.nsu)} · ${formatHaQuanto(ultimoNsuLido.em)}` : '–',
  },
];

/** What is listed, from the page's address, and how to change it. */
function usePedido() {
  const [{ busca, pagina: escrita, ...outros }, mudar] = useFiltrosDoEndereco(['busca', 'ordem', 'pagina']);
  const ordem = ORDENS.find(({ value }) => value === outros.ordem)?.value ?? 'nome';
  const pagina = /^[1-9][0-9]{0,5}$/.test(escrita) ? Number(escrita) : 1;
  return { busca, ordem, pagina, mudar };
}
type Pedido = ReturnType<typeof usePedido>;

export default function Clientes() {
  const pedido = usePedido();
  const { busca, ordem, pagina } = pedido;
  const [pronta] = useDebouncedValue(busca.trim(), 300);
  const podeCadastrar = useTodoOEscritorio();
  const [novo, setNovo] = useState(false);
  // From the first steps one comes to have the list ready.
  const [lote, setLote] = useState(
    () => new URLSearchParams(window.location.search).get('novo') === 'planilha',
  );
  const lista = useConsulta(
    'GET /clientes',
    { query: { busca: pronta, ordem, Pagina: pagina, Tamanho: POR_PAGINA } },
    { manter: true },
  );
  return (
    <Tela
      titulo="Clientes"
      descricao={lista.data ? plural(lista.data.total, 'cliente') : 'As empresas e pessoas do escritório.'}
      acoes={
        podeCadastrar && (
          <>
            <Button
              variant="default"
              leftSection={<IconFileSpreadsheet size={16} />}
              onClick={() => setLote(true)}
            >
              Cadastrar por planilha
            </Button>
            <Button leftSection={<IconPlus size={16} />} onClick={() => setNovo(true)}>
              Novo cliente
            </Button>
          </>
        )
      }
    >
      <Paper className="folha" style={{ overflow: 'hidden' }}>
        <Filtros {...pedido} />
        <Consultado consulta={lista} esperando={<Linhas altura={50} />}>
          {(resposta) =>
            resposta.total === 0 ? (
              <SemClientes busca={pronta} cadastrar={() => setNovo(true)} />
            ) : (
              <UmaPagina {...pedido} resposta={resposta} />
            )
          }
        </Consultado>
      </Paper>
      <NovoCliente aberto={novo} fechar={() => setNovo(false)} />
      <Lote aberto={lote} fechar={() => setLote(false)} />
    </Tela>
  );
}

function Filtros({ busca, ordem, mudar }: Pedido) {
  return (
    <Group p="sm" className="sem-impressao">
      <CampoDeBusca
        style={{ flex: '1 1 260px' }}
        maw={480}
        rotulo="Buscar cliente por nome ou CNPJ"
        placeholder="Nome, CPF ou CNPJ"
        value={busca}
        mudar={(nova) => mudar({ busca: nova, pagina: '' })}
      />
      <Select
        aria-label="Ordem"
        w={210}
        allowDeselect={false}
        data={ORDENS}
        value={ordem}
        onChange={(nova) => mudar({ ordem: nova === 'nome' ? '' : (nova ?? ''), pagina: '' })}
      />
    </Group>
  );
}

function UmaPagina({ pagina, mudar, resposta }: Pedido & { resposta: Resposta<'GET /clientes'> }) {
  const [, irPara] = useLocation();
  const { itens, paginas } = resposta;
  return (
    <>
      {itens.length === 0 ? (
        <Vazio titulo={`A lista tem só ${plural(paginas, 'página')}`} />
      ) : (
        <Tabela<Cliente, string>
          nome="Clientes"
          colunas={COLUNAS}
          linhas={itens}
          id={({ cpfCnpj }) => cpfCnpj}
          aoAbrir={({ cpfCnpj }) => irPara(`/clientes/${cpfCnpj}`)}
        />
      )}
      <Paginacao
        paginas={paginas}
        pagina={pagina}
        irPara={(nova) => mudar({ pagina: nova === 1 ? '' : String(nova) })}
      />
    </>
  );
}

function SemClientes({ busca, cadastrar }: { busca: string; cadastrar: () => void }) {
  if (busca !== '') return <Vazio titulo="Nenhum cliente com esse nome ou CNPJ" />;
  return (
    <Vazio
      titulo="Ainda não há clientes"
      acao={
        <Button mt="xs" onClick={cadastrar}>
          Cadastrar o primeiro
        </Button>
      }
    >
      Documentos só aparecem para empresas cadastradas; os outros ficam{' '}
      <Elo para="/importacoes?aba=retidos" size="sm" underline="always">
        retidos
      </Elo>
      , sem se perder, e dali se cadastram muitas de uma vez.
    </Vazio>
  );
}
