import { Alert, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { useAcao } from '../../api/consulta.ts';
import type { Opcoes } from '../../api/rotas.ts';
import { avisar } from '../../partes/avisos.ts';
import { Erro } from '../../partes/estados.tsx';
import { FINALIDADES, ORIGENS_DE_FINALIDADE, opcoes } from '../../partes/nomes.ts';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { useClienteAtual } from '../../sessao/cliente-atual.tsx';
import type { DocumentoAberto } from './aberto.ts';

type Dita = NonNullable<DocumentoAberto['finalidade']>;
type DoItem = Dita['itens'][number];
type Palavra = NonNullable<Opcoes<'PUT /documentos/{id}/finalidade'>['corpo']['finalidade_aquisicao']>;

/** What the goods were bought for: for the whole document, or item by item. */
export function Finalidade({
  id,
  finalidade,
  itens,
}: {
  id: number;
  finalidade: Dita;
  itens: DocumentoAberto['itens']['itens'];
}) {
  const mudar = useAcao('PUT /documentos/{id}/finalidade', {
    renova: ['GET /documentos/{id}', 'GET /documentos'],
    aoDarCerto: () => avisar('Finalidade salva.'),
  });
  const { cliente, fixo } = useClienteAtual();
  // One document may be of two clients of the office, each with a purpose of its own.
  const alvo = { caminho: { id }, ...(cliente && !fixo ? { query: { cliente } } : {}) };
  const descricoes = new Map(
    itens.map(({ numero, campos }) => [numero, campos.find(({ rotulo }) => rotulo === 'Descrição')?.valor]),
  );
  const colunas: readonly Coluna<DoItem>[] = [
    { id: 'numero', titulo: 'Item', numero: true, noCartao: 'fora', celula: ({ numero }) => numero },
    {
      id: 'descricao',
      titulo: 'Descrição',
      noCartao: 'titulo',
      celula: ({ numero }) => descricoes.get(numero) ?? `Item ${numero}`,
    },
    { id: 'cfop', titulo: 'CFOP', celula: ({ cfop }) => cfop ?? '–' },
    { id: 'ncm', titulo: 'NCM', celula: ({ ncm }) => ncm ?? '–' },
    {
      id: 'finalidade',
      titulo: 'Finalidade',
      celula: ({ numero, finalidade_aquisicao }) => (
        <Select
          size="xs"
          w={190}
          aria-label={`Finalidade do item ${numero}`}
          data={opcoes(FINALIDADES)}
          value={finalidade_aquisicao}
          allowDeselect={false}
          onChange={(value) =>
            value &&
            mudar.mutate({ ...alvo, corpo: { itens: [{ numero, finalidade_aquisicao: value as Palavra }] } })
          }
        />
      ),
    },
    { id: 'origem', titulo: 'Origem', celula: ({ origem }) => ORIGENS_DE_FINALIDADE[origem] ?? origem },
  ];
  return (
    <Paper className="folha" style={{ overflow: 'hidden' }}>
      <Stack p="md" gap="sm">
        <Group align="flex-end">
          <Select
            label="De todo o documento"
            w={240}
            data={opcoes(FINALIDADES)}
            value={finalidade.finalidade_aquisicao}
            allowDeselect={false}
            onChange={(value) =>
              value && mudar.mutate({ ...alvo, corpo: { finalidade_aquisicao: value as Palavra } })
            }
          />
          <Text size="sm" c="dimmed" pb={8}>
            {ORIGENS_DE_FINALIDADE[finalidade.origem] ?? finalidade.origem}
          </Text>
        </Group>
        {finalidade.origem === 'sugerida' && (
          <Alert color="malote" variant="light">
            A sugestão espelha o CFOP de quem vendeu; confirme ou mude o que a sua empresa fez com a compra.
          </Alert>
        )}
        {mudar.error && <Erro falha={mudar.error} />}
      </Stack>
      {finalidade.itens.length > 0 && (
        <Tabela<DoItem, number>
          nome="Itens e finalidades"
          colunas={colunas}
          linhas={finalidade.itens}
          id={({ numero }) => numero}
        />
      )}
    </Paper>
  );
}
