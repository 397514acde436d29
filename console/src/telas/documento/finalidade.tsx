import { Alert, Group, Paper, Select, type SelectProps, Stack, Text } from '@mantine/core';
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

interface Props {
  id: number;
  finalidade: Dita;
  itens: DocumentoAberto['itens']['itens'];
}

/** What the goods were bought for: for the whole document, or item by item. */
export function Finalidade({ id, finalidade, itens }: Props) {
  const mudar = useAcao('PUT /documentos/{id}/finalidade', {
    renova: ['GET /documentos/{id}', 'GET /documentos'],
    aoDarCerto: () => avisar('Finalidade salva.'),
  });
  const { cliente, fixo } = useClienteAtual();
  // One document may be of two clients of the office, each with a purpose of its own.
  const alvo = { caminho: { id }, ...(cliente && !fixo ? { query: { cliente } } : {}) };
  return (
    <Paper className="folha" style={{ overflow: 'hidden' }}>
      <Stack p="md" gap="sm">
        <Group align="flex-end">
          <Escolha
            label="De todo o documento"
            w={240}
            value={finalidade.finalidade_aquisicao}
            mudar={(finalidade_aquisicao) => mudar.mutate({ ...alvo, corpo: { finalidade_aquisicao } })}
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
        <PorItem
          ditas={finalidade.itens}
          itens={itens}
          mudar={(numero, finalidade_aquisicao) =>
            mudar.mutate({ ...alvo, corpo: { itens: [{ numero, finalidade_aquisicao }] } })
          }
        />
      )}
    </Paper>
  );
}

function PorItem({
  ditas,
  itens,
  mudar,
}: Pick<Props, 'itens'> & {
  ditas: readonly DoItem[];
  mudar: (numero: number, finalidade: Palavra) => void;
}) {
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
        <Escolha
          size="xs"
          w={190}
          aria-label={`Finalidade do item ${numero}`}
          value={finalidade_aquisicao}
          mudar={(nova) => mudar(numero, nova)}
        />
      ),
    },
    { id: 'origem', titulo: 'Origem', celula: ({ origem }) => ORIGENS_DE_FINALIDADE[origem] ?? origem },
  ];
  return (
    <Tabela<DoItem, number>
      nome="Itens e finalidades"
      colunas={colunas}
      linhas={ditas}
      id={({ numero }) => numero}
    />
  );
}

function Escolha({
  mudar,
  ...props
}: Omit<SelectProps, 'data' | 'onChange'> & { mudar: (finalidade: Palavra) => void }) {
  return (
    <Select
      {...props}
      data={opcoes(FINALIDADES)}
      allowDeselect={false}
      onChange={(value) => value && mudar(value as Palavra)}
    />
  );
}
