import { ActionIcon, Button, Group, Paper, Progress, Text, Tooltip } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { endereco } from '../../api/chamar.ts';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import type { Item } from '../../api/rotas.ts';
import { formatarHaQuanto, formatarInstante } from '../../formatos/datas.ts';
import { formatarBytes, formatarInteiro } from '../../formatos/numeros.ts';
import { Elo } from '../../partes/elo.tsx';
import { Consultado, Erro, Linhas, Vazio } from '../../partes/estados.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { Tela } from '../../partes/tela.tsx';

type Exportacao = Item<'GET /exportacoes'>;
const PRONTA = 'pronta';
const EM_CURSO: ReadonlySet<string> = new Set(['na_fila', 'em_andamento']);
/** How soon the list is asked for again: soon while a file is being made. */
const [FAZENDO_MS, DE_NOVO_MS] = [1_500, 30_000];
const SITUACOES: Readonly<Record<string, [cor: string, nome: string]>> = {
  pronta: ['teal', 'pronta'],
  falhou: ['red', 'falhou'],
  interrompida: ['orange', 'interrompida'],
  expirada: ['gray', 'expirada'],
};

/** Exports that were asked for: how far they are, and their files while they are kept. */
export default function Downloads() {
  const lista = useConsulta('GET /exportacoes', undefined, {
    repetir: (ultima) =>
      !ultima || ultima.itens.some(({ estado }) => EM_CURSO.has(estado)) ? FAZENDO_MS : DE_NOVO_MS,
  });
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
      celula: ({ estado, feitos, total, erro }) =>
        EM_CURSO.has(estado) ? (
          <Group gap="xs" wrap="nowrap">
            <Progress
              w={140}
              animated
              value={total ? (feitos / total) * 100 : 3}
              aria-label={
                total === null
                  ? 'Na fila'
                  : `Andamento: ${formatarInteiro(feitos)} de ${formatarInteiro(total)}`
              }
            />
            <Text size="xs" c="dimmed">
              {total === null ? 'na fila' : `${formatarInteiro(feitos)} de ${formatarInteiro(total)}`}
            </Text>
          </Group>
        ) : (
          <Tooltip label={erro ?? ''} disabled={!erro}>
            <span>
              <Etiqueta cor={SITUACOES[estado]?.[0] ?? 'gray'}>{SITUACOES[estado]?.[1] ?? estado}</Etiqueta>
            </span>
          </Tooltip>
        ),
    },
    {
      id: 'total',
      titulo: 'Documentos',
      numero: true,
      celula: ({ total, feitos }) => formatarInteiro(total ?? (feitos || null)),
    },
    { id: 'tamanho', titulo: 'Tamanho', numero: true, celula: ({ bytes }) => formatarBytes(bytes) },
    { id: 'pedida', titulo: 'Pedida', junta: true, celula: ({ criadaEm }) => formatarHaQuanto(criadaEm) },
    {
      id: 'expira',
      titulo: 'Guardada até',
      junta: true,
      noCartao: 'fora',
      celula: ({ expiraEm }) => formatarInstante(expiraEm),
    },
    {
      id: 'acoes',
      titulo: 'Ações',
      noCartao: 'lado',
      celula: ({ id, estado, nome }) => (
        <Group gap={4} wrap="nowrap">
          {estado === PRONTA && (
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
          <Tooltip label={EM_CURSO.has(estado) ? 'Cancelar' : 'Apagar'}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${EM_CURSO.has(estado) ? 'Cancelar' : 'Apagar'} ${nome}`}
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
    <Tela titulo="Downloads" descricao="Exportações que você pediu. Os arquivos ficam guardados por um dia.">
      <Paper className="folha" style={{ overflow: 'hidden' }}>
        {apagar.error && <Erro falha={apagar.error} />}
        <Consultado consulta={lista} insiste esperando={<Linhas quantas={4} />}>
          {({ itens }) =>
            itens.length === 0 ? (
              <Vazio titulo="Nenhuma exportação">
                Em{' '}
                <Elo para="/documentos" underline="always">
                  Documentos
                </Elo>
                , filtre o que interessa e escolha Exportar.
              </Vazio>
            ) : (
              <Tabela<Exportacao, string>
                nome="Exportações"
                colunas={colunas}
                linhas={itens}
                id={({ id }) => id}
              />
            )
          }
        </Consultado>
      </Paper>
    </Tela>
  );
}
