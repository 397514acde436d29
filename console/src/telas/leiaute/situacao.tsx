import { Group, Paper, SegmentedControl, Select, Stack, Text, Title } from '@mantine/core';
import { plural } from '../../formatos/numeros.ts';
import type { Situacao } from './apontado.ts';

const TIPOS = [
  { value: 'situacao', label: 'Um código ou uma palavra' },
  { value: 'sim_nao', label: 'Sim ou não (cancelada?)' },
  { value: 'data', label: 'A data do cancelamento' },
  { value: 'motivo', label: 'O motivo do cancelamento' },
] as const;

/** What the texts of the field that tells of a cancellation mean. Nothing is guessed: what nobody marks stays unclear. */
export function DoCancelamento({
  situacao,
  textos,
  mudar,
}: {
  situacao: Situacao;
  textos: readonly { texto: string; vezes: number }[];
  mudar: (situacao: Situacao) => void;
}) {
  return (
    <Paper className="folha" p="md">
      <Title order={2}>O que diz que foi cancelada</Title>
      <Select
        label="Este campo traz"
        data={TIPOS}
        allowDeselect={false}
        value={situacao.tipo}
        onChange={(tipo) => mudar({ ...situacao, tipo: tipo as Situacao['tipo'] })}
        my="sm"
      />
      {situacao.tipo === 'situacao' && (
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            {textos.length === 0
              ? 'Os textos que ele traz aparecem aqui assim que as notas se leem.'
              : 'O que cada texto quer dizer:'}
          </Text>
          {textos.map(({ texto, vezes }) => (
            <Texto key={texto} texto={texto} vezes={vezes} situacao={situacao} mudar={mudar} />
          ))}
        </Stack>
      )}
    </Paper>
  );
}

type Sentido = 'normal' | 'cancelada' | 'nada';

function sentidoDe({ cancelada = [], normal = [] }: Situacao, texto: string): Sentido {
  if (cancelada.includes(texto)) return 'cancelada';
  return normal.includes(texto) ? 'normal' : 'nada';
}

function Texto({
  texto,
  vezes,
  situacao,
  mudar,
}: {
  texto: string;
  vezes: number;
  situacao: Situacao;
  mudar: (situacao: Situacao) => void;
}) {
  const { cancelada = [], normal = [] } = situacao;
  const sem = (textos: readonly string[]) => textos.filter((outro) => outro !== texto);
  const escolher = (sentido: string) =>
    mudar({
      ...situacao,
      cancelada: sentido === 'cancelada' ? [...sem(cancelada), texto] : sem(cancelada),
      normal: sentido === 'normal' ? [...sem(normal), texto] : sem(normal),
    });
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" className="quebra">
        <b>{texto}</b> em {plural(vezes, 'nota')}
      </Text>
      <SegmentedControl
        size="xs"
        aria-label={`O que quer dizer ${texto}`}
        value={sentidoDe(situacao, texto)}
        onChange={escolher}
        data={[
          { value: 'normal', label: 'Válida' },
          { value: 'cancelada', label: 'Cancelada' },
          { value: 'nada', label: 'Não sei' },
        ]}
      />
    </Group>
  );
}
