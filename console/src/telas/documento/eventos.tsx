import { Alert, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconBan, IconFileSearch } from '@tabler/icons-react';
import { formatInstante } from '../../formatos/datas.ts';
import { Elo } from '../../partes/elo.tsx';
import { Etiqueta, SoDeclarado, Status } from '../../partes/etiquetas.tsx';
import { nomeDoModelo } from '../../partes/nomes.ts';
import type { DocumentoAberto } from './aberto.ts';

type Evento = DocumentoAberto['eventos'][number];

/** Notes that do not count, and what is to be known of each. */
const SEM_VALOR: Readonly<Record<string, [titulo: string, texto: string]>> = {
  Cancelada: ['CANCELADA: esta nota não vale', 'O próprio documento diz que foi cancelado.'],
  Denegada: [
    'DENEGADA: esta nota não vale',
    'A SEFAZ negou o uso: não serve para creditar nem escriturar como operação.',
  ],
};

/** Across the page of a note that does not count, on the screen and on paper. */
export function SemValor({ aberto: { status, classe, eventos } }: { aberto: DocumentoAberto }) {
  const [titulo, texto] = (classe === 'documento' && SEM_VALOR[status]) || [];
  if (!titulo) return null;
  const cancelamento = eventos.findLast(({ cancela }) => cancela);
  return (
    <Alert color="red.9" variant="filled" icon={<IconBan size={22} />} title={titulo} className="sem-valor">
      {status === 'Cancelada' && cancelamento ? (
        <Stack gap={2}>
          <Text size="sm">
            {cancelamento.descricao} em {formatInstante(cancelamento.em)}
            {cancelamento.protocolo && `, protocolo ${cancelamento.protocolo}`}.{' '}
            <Elo para={`/documentos/${cancelamento.id}`} c="inherit" underline="always" size="sm">
              Ver o evento
            </Elo>
          </Text>
          {cancelamento.texto && <Text size="sm">Motivo: “{cancelamento.texto}”</Text>}
        </Stack>
      ) : (
        <Text size="sm">{texto}</Text>
      )}
    </Alert>
  );
}

/** What was registered about a note, with what its author wrote. */
export function Eventos({ eventos }: { eventos: readonly Evento[] }) {
  if (eventos.length === 0) return null;
  return (
    <Paper className="folha grupo" p="md" component="section" aria-label="Eventos">
      <Title order={2} mb="xs">
        Eventos
      </Title>
      <Stack gap="sm">
        {eventos.map((evento) => (
          <div key={evento.id}>
            <Group gap="xs">
              <Elo para={`/documentos/${evento.id}`} size="sm" fw={600}>
                {evento.descricao}
              </Elo>
              {evento.prova === 'declarada' && <SoDeclarado />}
              {evento.desconsiderado && <Etiqueta cor="gray">desconsiderado</Etiqueta>}
            </Group>
            <Text size="xs" c="dimmed">
              {formatInstante(evento.em)}
              {evento.protocolo && ` · protocolo ${evento.protocolo}`}
            </Text>
            {evento.texto && (
              <Text size="sm" className="quebra">
                “{evento.texto}”
              </Text>
            )}
          </div>
        ))}
      </Stack>
    </Paper>
  );
}

/** On the page of an event: the note that it is about, or that this has not come. */
export function NotaDoEvento({ aberto: { classe, nota } }: { aberto: DocumentoAberto }) {
  if (classe !== 'evento') return null;
  return (
    <Alert color="blue" variant="light" icon={<IconFileSearch size={20} />} className="sem-impressao">
      {nota ? (
        <Group gap="xs">
          <Text size="sm">É um evento de</Text>
          <Elo para={`/documentos/${nota.id}`} size="sm" fw={600} underline="always">
            {nomeDoModelo(nota.modelo)} {nota.numero ?? ''}
          </Elo>
          <Status status={nota.status} />
        </Group>
      ) : (
        <Text size="sm">É um evento de uma nota que ainda não chegou.</Text>
      )}
    </Alert>
  );
}
