import { Alert, Button, Group, Paper, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconShieldCheck } from '@tabler/icons-react';
import { endereco } from '../../api/chamar.ts';
import { useAcao, usePaginas } from '../../api/consulta.ts';
import type { Item } from '../../api/rotas.ts';
import { formatInstante } from '../../formatos/datas.ts';
import { Consultado, Erro, Linhas, Vazio } from '../../partes/estados.tsx';
import { useFiltrosDoEndereco } from '../../partes/filtros-do-endereco.ts';
import { MostrarMais } from '../../partes/mostrar-mais.tsx';
import { Periodo } from '../../partes/periodo.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { Tela } from '../../partes/tela.tsx';

type Ato = Item<'GET /auditoria'>;

const COLUNAS: readonly Coluna<Ato>[] = [
  { id: 'em', titulo: 'Quando', junta: true, celula: ({ em }) => formatInstante(em) },
  { id: 'quem', titulo: 'Quem', corta: true, celula: ({ quem }) => quem },
  {
    id: 'ato',
    titulo: 'O quê',
    noCartao: 'titulo',
    celula: ({ oQue, ato }) => <span title={ato}>{oQue}</span>,
  },
  {
    id: 'alvo',
    titulo: 'Sobre',
    corta: true,
    celula: ({ sobre, alvo }) => <span title={sobre || alvo}>{sobre || '–'}</span>,
  },
  { id: 'ip', titulo: 'Endereço IP', junta: true, celula: ({ ip }) => ip ?? '–' },
];

/** What is listed, from the page's address: as it stands in the fields, and as it is asked for when the hand rests. */
function useFiltros() {
  const [campos, mudar] = useFiltrosDoEndereco(['quem', 'ato', 'de', 'ate']);
  const { de, ate } = campos;
  const [quem] = useDebouncedValue(campos.quem.trim(), 300);
  const [ato] = useDebouncedValue(campos.ato.trim(), 300);
  const query = {
    ...(quem ? { quem } : {}),
    ...(ato ? { ato } : {}),
    ...(de ? { de } : {}),
    ...(ate ? { ate } : {}),
  };
  return { campos, mudar, query };
}

export default function Auditoria() {
  const { campos, mudar, query } = useFiltros();
  const verificar = useAcao('POST /auditoria/verificar');
  return (
    <Tela
      titulo="Auditoria"
      descricao="Cada ato fica registrado em sequência; apagar ou mudar uma linha seria notado."
      acoes={
        <>
          <Button
            variant="default"
            component="a"
            href={endereco('GET /auditoria/csv', { query })}
            download
            leftSection={<IconDownload size={16} />}
          >
            CSV
          </Button>
          <Button
            variant="default"
            leftSection={<IconShieldCheck size={16} />}
            loading={verificar.isPending}
            onClick={() => verificar.mutate({})}
          >
            Verificar integridade
          </Button>
        </>
      }
    >
      {verificar.data && (
        <Alert
          color={verificar.data.integra ? 'teal' : 'red'}
          title={verificar.data.integra ? 'A trilha está íntegra' : 'A trilha foi alterada'}
          role="status"
        >
          {verificar.data.mensagem}
        </Alert>
      )}
      {verificar.error && <Erro falha={verificar.error} />}
      <Paper className="folha" style={{ overflow: 'hidden' }}>
        <Filtros campos={campos} mudar={mudar} />
        <Atos query={query} />
      </Paper>
    </Tela>
  );
}

function Filtros({ campos: { quem, ato, de, ate }, mudar }: Omit<ReturnType<typeof useFiltros>, 'query'>) {
  return (
    <Group p="sm" gap="xs" className="sem-impressao">
      <TextInput
        aria-label="Quem"
        placeholder="Quem"
        value={quem}
        onChange={(event) => mudar({ quem: event.currentTarget.value })}
      />
      <TextInput
        aria-label="O quê"
        placeholder="O quê"
        value={ato}
        onChange={(event) => mudar({ ato: event.currentTarget.value })}
      />
      <Periodo
        rotulo="Período"
        de={de}
        ate={ate}
        mudar={(novoDe, novoAte) => mudar({ de: novoDe, ate: novoAte })}
      />
    </Group>
  );
}

function Atos({ query }: Pick<ReturnType<typeof useFiltros>, 'query'>) {
  const lista = usePaginas('GET /auditoria', { query: { ...query, Tamanho: 100 } });
  const linhas = lista.data?.pages.flatMap((pagina) => pagina.itens) ?? [];
  return (
    <Consultado consulta={lista} esperando={<Linhas quantas={10} />}>
      {() =>
        linhas.length === 0 ? (
          <Vazio titulo="Nada registrado com esses filtros" />
        ) : (
          <>
            <Tabela<Ato, number> nome="Atos" colunas={COLUNAS} linhas={linhas} id={({ id }) => id} />
            <MostrarMais lista={lista} linhas={linhas.length} />
            {!lista.hasNextPage && (
              <Text size="xs" c="dimmed" ta="center" p="sm">
                Fim da lista
              </Text>
            )}
          </>
        )
      }
    </Consultado>
  );
}
