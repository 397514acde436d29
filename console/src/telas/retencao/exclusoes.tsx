import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconArchive, IconTrash } from '@tabler/icons-react';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatInstante } from '../../formatos/datas.ts';
import { formatInteiro } from '../../formatos/numeros.ts';
import { Confirmar } from '../../partes/confirmar.tsx';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { Estado } from './estado.tsx';
import { Exclusao } from './exclusao.tsx';

type Linha = Resposta<'GET /retencao/exclusoes'>['exclusoes'][number];

const EM_CURSO: ReadonlySet<string> = new Set(['preparando', 'confirmada']);
const EM_ABERTO: ReadonlySet<string> = new Set([...EM_CURSO, 'preparada', 'falhou']);
/** While something is being done, the list is asked for again this often. */
const OLHAR_MS = 1_500;

const COLUNAS: readonly Coluna<Linha>[] = [
  {
    id: 'quando',
    titulo: 'Pedida em',
    noCartao: 'titulo',
    junta: true,
    celula: ({ criadaEm }) => formatInstante(criadaEm),
  },
  { id: 'estado', titulo: 'Situação', noCartao: 'lado', celula: ({ estado }) => <Estado estado={estado} /> },
  {
    id: 'documentos',
    titulo: 'Documentos',
    numero: true,
    celula: ({ documentos }) => formatInteiro(documentos),
  },
  {
    id: 'excluidos',
    titulo: 'Excluídos',
    numero: true,
    celula: ({ excluidos }) => formatInteiro(excluidos),
  },
  { id: 'mantidos', titulo: 'Mantidos', numero: true, celula: ({ mantidos }) => formatInteiro(mantidos) },
  {
    id: 'fim',
    titulo: 'Concluída em',
    junta: true,
    celula: ({ concluidaEm }) => formatInstante(concluidaEm),
  },
];

export function Exclusoes() {
  const lista = useConsulta(
    'GET /retencao/exclusoes',
    {},
    {
      repetir: (ultima) => (ultima?.exclusoes.some(({ estado }) => EM_CURSO.has(estado)) ? OLHAR_MS : false),
    },
  );
  const aberta = lista.data?.exclusoes.find(({ estado }) => EM_ABERTO.has(estado));
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Text size="sm" c="dimmed" maw={620}>
          Primeiro o Malote lista o que venceu e faz uma cópia em ZIP. Só depois de baixada a cópia a exclusão
          pode ser confirmada. O NSU dos documentos excluídos continua nas consultas, sem o XML.
        </Text>
        {lista.data && !aberta && <Preparar />}
      </Group>
      {aberta && <Exclusao id={aberta.id} estado={aberta.estado} />}
      <Paper className="folha" style={{ overflow: 'hidden' }}>
        <Consultado consulta={lista} esperando={<Linhas quantas={4} />}>
          {({ exclusoes }) =>
            exclusoes.length === 0 ? (
              <Vazio titulo="Nenhuma exclusão até hoje" icone={<IconArchive size={26} />}>
                Os documentos ficam guardados enquanto ninguém os excluir.
              </Vazio>
            ) : (
              <Tabela<Linha, string>
                nome="Exclusões"
                colunas={COLUNAS}
                linhas={exclusoes}
                id={({ id }) => id}
              />
            )
          }
        </Consultado>
      </Paper>
    </Stack>
  );
}

function Preparar() {
  const preparar = useAcao('POST /retencao/exclusoes', { renova: ['GET /retencao/exclusoes'] });
  return (
    <Stack gap="xs" align="flex-end">
      <Confirmar
        pergunta="Preparar a exclusão do que venceu?"
        detalhe="O Malote faz uma cópia em ZIP do que passou do prazo. Nada é excluído neste passo."
        acao="Preparar"
        aoConfirmar={() => preparar.mutateAsync({})}
      >
        {(open) => (
          <Button variant="default" leftSection={<IconTrash size={16} />} onClick={open}>
            Preparar exclusão
          </Button>
        )}
      </Confirmar>
    </Stack>
  );
}
