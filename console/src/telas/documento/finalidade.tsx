import { Group, Paper, Select, Stack, Text } from '@mantine/core';
import { useAcao } from '../../api/consulta.ts';
import { avisar } from '../../partes/avisos.ts';
import { Erro } from '../../partes/estados.tsx';
import { FINALIDADES, ORIGENS_DE_FINALIDADE, opcoes } from '../../partes/nomes.ts';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import type { DocumentoAberto } from './documento.tsx';

type Itens = DocumentoAberto['finalidade']['itens'][number];

/** What the goods were bought for: for the whole document, or item by item. */
export function Finalidade({ aberto }: { aberto: DocumentoAberto }) {
  const { documento, finalidade } = aberto;
  const mudar = useAcao('PUT /documentos/{id}/finalidade', {
    renova: ['GET /documentos/{id}', 'GET /documentos'],
    aoDarCerto: () => avisar('Finalidade guardada.'),
  });
  const caminho = { id: documento.id };
  const colunas: readonly Coluna<Itens>[] = [
    { id: 'numero', titulo: 'Item', numero: true, noCartao: 'fora', celula: ({ numero }) => numero },
    { id: 'descricao', titulo: 'Descrição', noCartao: 'titulo', celula: ({ descricao }) => descricao ?? '–' },
    { id: 'cfop', titulo: 'CFOP', celula: ({ cfop }) => cfop ?? '–' },
    { id: 'ncm', titulo: 'NCM', celula: ({ ncm }) => ncm ?? '–' },
    {
      id: 'finalidade',
      titulo: 'Finalidade',
      celula: ({ numero, finalidade: atual }) => (
        <Select
          size="xs"
          w={190}
          aria-label={`Finalidade do item ${numero}`}
          data={opcoes(FINALIDADES)}
          value={atual}
          allowDeselect={false}
          onChange={(value) =>
            value && mudar.mutate({ caminho, corpo: { itens: [{ numero, finalidade: value }] } })
          }
        />
      ),
    },
    {
      id: 'origem',
      titulo: 'Origem',
      celula: ({ origem }) => (origem ? (ORIGENS_DE_FINALIDADE[origem] ?? origem) : '–'),
    },
  ];
  return (
    <Paper className="folha" style={{ overflow: 'hidden' }}>
      <Stack p="md" gap="sm">
        <Group align="flex-end">
          <Select
            label="De todo o documento"
            w={240}
            data={opcoes(FINALIDADES)}
            value={finalidade.documento}
            allowDeselect={false}
            onChange={(value) => value && mudar.mutate({ caminho, corpo: { finalidade: value } })}
          />
          {finalidade.origem && (
            <Text size="sm" c="dimmed" pb={8}>
              {ORIGENS_DE_FINALIDADE[finalidade.origem] ?? finalidade.origem}
            </Text>
          )}
        </Group>
        {mudar.error && <Erro falha={mudar.error} />}
      </Stack>
      {finalidade.itens.length > 0 && (
        <Tabela<Itens, number>
          nome="Itens e finalidades"
          colunas={colunas}
          linhas={finalidade.itens}
          id={({ numero }) => numero}
        />
      )}
    </Paper>
  );
}
