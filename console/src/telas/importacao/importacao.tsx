import { Alert, Button, Group, Paper, Select, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconDownload, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { endereco } from '../../api/chamar.ts';
import { useAcao, useConsulta, usePaginas } from '../../api/consulta.ts';
import type { Item, Opcoes, Resposta } from '../../api/rotas.ts';
import { formatInstante } from '../../formatos/datas.ts';
import { formatarBytes } from '../../formatos/numeros.ts';
import { avisar, tellFalha } from '../../partes/avisos.ts';
import { Chave } from '../../partes/chave.tsx';
import { Copiar } from '../../partes/copiar.tsx';
import { Elo } from '../../partes/elo.tsx';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import {
  nomeDoResultado,
  RESULTADOS_DE_ITEM,
  Resultado,
  StatusDeImportacao,
} from '../../partes/etiquetas.tsx';
import { MostrarMais } from '../../partes/mostrar-mais.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { Tela } from '../../partes/tela.tsx';
import { usePapel } from '../../sessao/sessao.tsx';
import { Contagens } from '../importacoes/contagens.tsx';
import { remetenteDe } from '../importacoes/remetente.ts';

type Aberta = Resposta<'GET /importacoes/{id}'>;
type ItemImportado = Item<'GET /importacoes/{id}/itens'>;
const EM_CURSO = new Set(['Aguardando Upload', 'Em Processamento']);
const POR_VEZ = 100;
/** While it is being imported, the file is asked after this often. */
const REPETIR_MS = 2_000;
type Resultados = NonNullable<NonNullable<Opcoes<'GET /importacoes/{id}/itens'>['query']>['resultado']>;

export default function Importacao() {
  const { id = '' } = useParams();
  const consulta = useConsulta(
    'GET /importacoes/{id}',
    { caminho: { id } },
    { repetir: (ultima) => (ultima && !EM_CURSO.has(ultima.status) ? false : REPETIR_MS) },
  );
  const { data } = consulta;
  return (
    <Tela
      titulo={data?.nome ?? 'Arquivo importado'}
      descricao={
        <Group gap={4}>
          <Elo para="/importacoes" size="sm">
            Importações
          </Elo>
          <span aria-hidden>/</span> <span className="mono">{id.slice(0, 8)}</span>
          <Copiar valor={id} rotulo="Copiar o número do arquivo" />
        </Group>
      }
      acoes={data?.temArquivo && !EM_CURSO.has(data.status) ? <Acoes id={id} /> : null}
    >
      <Consultado
        consulta={consulta}
        insiste
        esperando={
          <>
            <Skeleton height={120} />
            <Skeleton height={360} />
          </>
        }
      >
        {(importacao) => (
          <>
            <Resumo importacao={importacao} />
            <Itens id={id} status={importacao.status} />
          </>
        )}
      </Consultado>
    </Tela>
  );
}

function Acoes({ id }: { id: string }) {
  const [, irPara] = useLocation();
  const doEscritorio = usePapel('administrador', 'operador');
  const deNovo = useAcao('POST /importacoes/{id}/reimportar', {
    renova: ['GET /importacoes', 'GET /importacoes/{id}', 'GET /importacoes/{id}/itens'],
    aoDarCerto: (novo) => {
      avisar('O arquivo foi posto na fila de novo; o que já está guardado não se repete.');
      irPara(`/importacoes/${novo.id}`);
    },
  });
  return (
    <>
      <Button
        variant="default"
        component="a"
        href={endereco('GET /importacoes/{id}/arquivo', { caminho: { id } })}
        download
        leftSection={<IconDownload size={16} />}
      >
        Baixar o original
      </Button>
      {doEscritorio && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={deNovo.isPending}
          onClick={() => void deNovo.mutateAsync({ caminho: { id } }).catch(tellFalha)}
        >
          Importar de novo
        </Button>
      )}
    </>
  );
}

function Resumo({ importacao }: { importacao: Aberta }) {
  const { status, falhou, resultados, tamanho, criadaEm, fimEm, log } = importacao;
  const pares: [string, string][] = [
    ['Enviado por', remetenteDe(importacao)],
    [
      status === 'Aguardando Upload' || status === 'Expirado' ? 'Anunciado' : 'Recebido',
      formatInstante(criadaEm),
    ],
    ['Terminado', formatInstante(fimEm)],
    ['Tamanho', formatarBytes(tamanho)],
  ];
  return (
    <Paper className="folha" p="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <StatusDeImportacao status={status} falhou={falhou} />
          <Contagens resultados={resultados} />
        </Group>
        <SimpleGrid cols={{ base: 2, sm: 4 }}>
          {pares.map(([rotulo, valor]) => (
            <div key={rotulo}>
              <Text size="xs" c="dimmed">
                {rotulo}
              </Text>
              <Text size="sm">{valor}</Text>
            </div>
          ))}
        </SimpleGrid>
        {log !== '' && (
          <Alert color="orange" title="O que o serviço registrou">
            <Text size="sm" className="quebra" style={{ whiteSpace: 'pre-wrap' }}>
              {log.split('\n').slice(0, 6).join('\n')}
            </Text>
          </Alert>
        )}
      </Stack>
    </Paper>
  );
}

const COLUNAS: readonly Coluna<ItemImportado>[] = [
  {
    id: 'caminho',
    titulo: 'No arquivo',
    noCartao: 'titulo',
    celula: ({ caminho, chave, documentoId }) => (
      <div className="quebra" style={{ maxWidth: 520 }}>
        <Text size="sm">{caminho}</Text>
        <Chave chave={chave} documentoId={documentoId} />
      </div>
    ),
  },
  { id: 'especie', titulo: 'Espécie', celula: ({ especie }) => especie },
  {
    id: 'resultado',
    titulo: 'Resultado',
    noCartao: 'lado',
    celula: ({ resultado }) => <Resultado resultado={resultado} />,
  },
  { id: 'porque', titulo: 'Causa e remédio', celula: (item) => <Porque item={item} /> },
];

function Porque({ item }: { item: ItemImportado }) {
  const { codigo, mensagem, causa, remedio, elemento, linha } = item;
  if (!codigo && !mensagem) return <>–</>;
  return (
    <div style={{ maxWidth: 520, textAlign: 'left' }}>
      <Text size="sm">{mensagem ?? causa}</Text>
      {causa && mensagem && (
        <Text size="xs" c="dimmed">
          {causa}
        </Text>
      )}
      {remedio && (
        <Text size="sm" mt={2}>
          <b>O que fazer:</b> {remedio}
        </Text>
      )}
      <Text size="xs" c="dimmed" className="mono quebra">
        {[codigo, elemento, linha ? `linha ${linha}` : null].filter(Boolean).join(' · ')}
      </Text>
    </div>
  );
}

/** Why a file shows no documents (yet). */
const SEM_ITENS: Readonly<Partial<Record<Aberta['status'], [titulo: string, detalhe?: string]>>> = {
  'Aguardando Upload': [
    'O arquivo ainda não chegou',
    'Foi anunciado, mas não enviado. O endereço de envio vale 60 segundos; se nada chegar, ele expira.',
  ],
  'Em Processamento': ['Ainda sendo lido'],
  Expirado: [
    'O arquivo não chegou',
    'O prazo do envio venceu sem que nada fosse recebido. Envie o arquivo de novo em Importações.',
  ],
};

function Itens({ id, status }: { id: string; status: Aberta['status'] }) {
  const emCurso = EM_CURSO.has(status);
  const [resultado, setResultado] = useState<Resultados | null>(null);
  const lista = usePaginas(
    'GET /importacoes/{id}/itens',
    { caminho: { id }, query: { ...(resultado ? { resultado } : {}), Tamanho: POR_VEZ } },
    { repetir: emCurso ? REPETIR_MS : false },
  );
  const linhas = lista.data?.pages.flatMap((pagina) => pagina.itens) ?? [];
  const [vazio, detalhe] = SEM_ITENS[status] ?? ['Nenhum documento aqui'];
  return (
    <Paper className="folha" style={{ overflow: 'hidden' }}>
      <Group p="sm" justify="space-between">
        <Text fw={600}>Documentos do arquivo</Text>
        <Select
          aria-label="Resultado"
          placeholder="Qualquer resultado"
          clearable
          w={200}
          data={(RESULTADOS_DE_ITEM as Resultados[]).map((valor) => ({
            value: valor,
            label: nomeDoResultado(valor),
          }))}
          value={resultado}
          onChange={setResultado}
        />
      </Group>
      <Consultado consulta={lista} insiste={emCurso} esperando={<Linhas />}>
        {() =>
          linhas.length === 0 ? (
            <Vazio titulo={vazio}>{detalhe}</Vazio>
          ) : (
            <>
              <Tabela<ItemImportado, number>
                nome="Documentos do arquivo"
                colunas={COLUNAS}
                linhas={linhas}
                id={({ ordem }) => ordem}
              />
              <MostrarMais lista={lista} linhas={linhas.length} />
            </>
          )
        }
      </Consultado>
    </Paper>
  );
}
