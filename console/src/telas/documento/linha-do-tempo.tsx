import { Paper, Text, Timeline } from '@mantine/core';
import { formatInstante } from '../../formatos/datas.ts';
import { Elo } from '../../partes/elo.tsx';
import { Vazio } from '../../partes/estados.tsx';
import type { DocumentoAberto } from './aberto.ts';

export function LinhaDoTempo({ linha }: { linha: DocumentoAberto['linhaDoTempo'] }) {
  if (linha.length === 0) return <Vazio titulo="Nada registrado" />;
  return (
    <Paper className="folha" p="md">
      <Timeline bulletSize={16} lineWidth={2} active={linha.length}>
        {linha.map(({ em, titulo, detalhe, documentoId }) => (
          <Timeline.Item
            key={`${em}-${titulo}`}
            title={documentoId === null ? titulo : <Elo para={`/documentos/${documentoId}`}>{titulo}</Elo>}
          >
            <Text size="xs" c="dimmed">
              {formatInstante(em)}
            </Text>
            {detalhe && (
              <Text size="sm" className="quebra">
                {detalhe}
              </Text>
            )}
          </Timeline.Item>
        ))}
      </Timeline>
    </Paper>
  );
}
