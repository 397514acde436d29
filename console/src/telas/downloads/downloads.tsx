import { ActionIcon, Button, Group, Paper, Progress, Text, Tooltip } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { endereco } from '../../api/chamar.ts';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import type { Item } from '../../api/rotas.ts';
import { formatHaQuanto, formatInstante } from '../../formatos/datas.ts';
import { formatarBytes, formatInteiro } from '../../formatos/numeros.ts';
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

const COLUNAS: readonly Coluna<Exportacao>[] = [
  {
    id: 'nome',
    titulo: 'Exportação',
    noCartao: 'titulo',
    celula: ({ nome, tipo }) => nome ?? tipo,
  },
  {
    id: 'situacao',
    titulo: 'Andamento',
    celula: (exportacao) =>
      EM_CURSO.has(exportacao.estado) ? (
        <Andamento exportacao={exportacao} />
      ) : (
        <Situacao exportacao={exportacao} />
      ),
  },
  {
    id: 'total',
    titulo: 'Documentos',
    numero: true,
    celula: ({ total, feitos }) => formatInteiro(total ?? (feitos || null)),
  },
  { id: 'tamanho', titulo: 'Tamanho', numero: true, celula: ({ bytes }) => formatarBytes(bytes) },
  { id: 'pedida', titulo: 'Pedida', junta: true, celula: ({ criadaEm }) => formatHaQuanto(criadaEm) },
  {
    id: 'expira',
    titulo: 'Guardada até',
    junta: true,
    noCartao: 'fora',
    celula: ({ expiraEm }) => formatInstante(expiraEm),
  },
];

/** Exports that were asked for: how far they are, and their files while they are kept. */
export default function Downloads() {
  const lista = useConsulta('GET /exportacoes', undefined, {
    repetir: (ultima) =>
      !ultima || ultima.itens.some(({ estado }) => EM_CURSO.has(estado)) ? FAZENDO_MS : DE_NOVO_MS,
  });
  const apagar = useAcao('DELETE /exportacoes/{id}', { renova: ['GET /exportacoes'] });
  const acoes: Coluna<Exportacao> = {
    id: 'acoes',
    titulo: 'Ações',
    noCartao: 'lado',
    celula: (exportacao) => (
      <Acoes exportacao={exportacao} apagar={() => apagar.mutate({ caminho: { id: exportacao.id } })} />
    ),
  };
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
                colunas={[...COLUNAS, acoes]}
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

/** Of one that is being made. */
function Andamento({ exportacao: { feitos, total } }: { exportacao: Exportacao }) {
  const quanto = total === null ? null : `${formatInteiro(feitos)} de ${formatInteiro(total)}`;
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress
        w={140}
        animated
        value={total ? (feitos / total) * 100 : 3}
        aria-label={quanto === null ? 'Na fila' : `Andamento: ${quanto}`}
      />
      <Text size="xs" c="dimmed">
        {quanto ?? 'na fila'}
      </Text>
    </Group>
  );
}

/** Of one that is made, or will not be. */
function Situacao({ exportacao: { estado, erro } }: { exportacao: Exportacao }) {
  const [cor, nome] = SITUACOES[estado] ?? ['gray', estado];
  return (
    <Tooltip label={erro ?? ''} disabled={!erro}>
      <span>
        <Etiqueta cor={cor}>{nome}</Etiqueta>
      </span>
    </Tooltip>
  );
}

function Acoes({ exportacao: { id, estado, nome }, apagar }: { exportacao: Exportacao; apagar: () => void }) {
  const oQue = EM_CURSO.has(estado) ? 'Cancelar' : 'Apagar';
  return (
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
      <Tooltip label={oQue}>
        <ActionIcon variant="subtle" color="gray" aria-label={`${oQue} ${nome}`} onClick={apagar}>
          <IconTrash size={16} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
