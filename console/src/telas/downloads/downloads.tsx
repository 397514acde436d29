import { ActionIcon, Box, Button, Group, Paper, Progress, Text, Tooltip } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { endereco } from '../../api/chamar.ts';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import type { Item } from '../../api/rotas.ts';
import { formatarHaQuanto } from '../../formatos/datas.ts';
import { formatarBytes, formatarInteiro } from '../../formatos/numeros.ts';
import { Elo } from '../../partes/elo.tsx';
import { Erro, Linhas, Vazio } from '../../partes/estados.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { Tela } from '../../partes/tela.tsx';

type Exportacao = Item<'GET /exportacoes'>;
const PRONTA = 'pronta';
const EM_CURSO = new Set(['na_fila', 'em_andamento', 'fila', 'andamento']);
const REPETIR_MS = 1_500;
const SITUACOES: Readonly<Record<string, [cor: string, nome: string]>> = {
  pronta: ['teal', 'pronta'],
  falhou: ['red', 'falhou'],
  cancelada: ['gray', 'cancelada'],
  expirada: ['gray', 'expirada'],
};

/** Exports that were asked for: how far they are, and their files while they are kept. */
export default function Downloads() {
  const lista = useConsulta('GET /exportacoes', undefined, { repetir: REPETIR_MS });
  const apagar = useAcao('DELETE /exportacoes/{id}', { renova: ['GET /exportacoes'] });
  const colunas: readonly Coluna<Exportacao>[] = [
    {
      id: 'nome',
      titulo: 'Exportação',
      noCartao: 'titulo',
      corta: true,
      celula: ({ nome, tipo }) => nome ?? tipo,
    },
    {
      id: 'situacao',
      titulo: 'Andamento',
      celula: ({ situacao, feitos, total, mensagem }) =>
        EM_CURSO.has(situacao) ? (
          <Group gap="xs" wrap="nowrap">
            <Progress
              w={140}
              animated
              value={total > 0 ? (feitos / total) * 100 : 3}
              aria-label={`Andamento: ${formatarInteiro(feitos)} de ${formatarInteiro(total)}`}
            />
            <Text size="xs" c="dimmed">
              {formatarInteiro(feitos)} de {formatarInteiro(total)}
            </Text>
          </Group>
        ) : (
          <Tooltip label={mensagem ?? ''} disabled={!mensagem}>
            <span>
              <Etiqueta cor={SITUACOES[situacao]?.[0] ?? 'gray'}>
                {SITUACOES[situacao]?.[1] ?? situacao}
              </Etiqueta>
            </span>
          </Tooltip>
        ),
    },
    { id: 'total', titulo: 'Documentos', numero: true, celula: ({ total }) => formatarInteiro(total) },
    { id: 'tamanho', titulo: 'Tamanho', numero: true, celula: ({ tamanho }) => formatarBytes(tamanho) },
    { id: 'pedida', titulo: 'Pedida', junta: true, celula: ({ criadoEm }) => formatarHaQuanto(criadoEm) },
    {
      id: 'expira',
      titulo: 'Guardada até',
      junta: true,
      noCartao: 'fora',
      celula: ({ expiraEm }) => (expiraEm ? formatarHaQuanto(expiraEm) : '–'),
    },
    {
      id: 'acoes',
      titulo: 'Ações',
      noCartao: 'lado',
      celula: ({ id, situacao, nome }) => (
        <Group gap={4} wrap="nowrap">
          {situacao === PRONTA && (
            <Button
              size="compact-sm"
              component="a"
              href={endereco('GET /exportacoes/{id}/arquivo', { caminho: { id } })}
              download
              leftSection={<IconDownload size={15} />}
            >
              Baixar
            </Button>
          )}
          <Tooltip label={EM_CURSO.has(situacao) ? 'Cancelar' : 'Apagar'}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${EM_CURSO.has(situacao) ? 'Cancelar' : 'Apagar'} ${nome}`}
              onClick={() => apagar.mutate({ caminho: { id } })}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      ),
    },
  ];
  return (
    <Tela
      titulo="Downloads"
      descricao="Exportações que você pediu. Os arquivos ficam guardados por um tempo e depois somem."
    >
      <Paper className="folha" style={{ overflow: 'hidden' }}>
        {lista.error ? (
          <Box p="sm">
            <Erro falha={lista.error} deNovo={() => void lista.refetch()} />
          </Box>
        ) : !lista.data ? (
          <Linhas quantas={4} />
        ) : lista.data.itens.length === 0 ? (
          <Vazio titulo="Nenhuma exportação">
            Em <Elo para="/documentos">Documentos</Elo>, filtre o que interessa e escolha Exportar.
          </Vazio>
        ) : (
          <Tabela<Exportacao, number>
            nome="Exportações"
            colunas={colunas}
            linhas={lista.data.itens}
            id={({ id }) => id}
          />
        )}
      </Paper>
    </Tela>
  );
}
