import { Group, Paper, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { CAMPOS, nomeDoLugar, type useApontado } from './apontado.ts';

/** What is known of the layout so far, and what is still to be pointed at. */
export function Campos({ estado: { apontado, mudar } }: { estado: ReturnType<typeof useApontado> }) {
  const { campos, nota, ordem, cidade = '' } = apontado;
  return (
    <Paper className="folha" p="md">
      <Title order={2}>Os campos</Title>
      <Stack gap={4} my="sm">
        <Lugar nome="Uma nota começa em" lugar={nota} />
        {CAMPOS.filter(({ campo, necessario }) => necessario || campos[campo]).map(({ campo, nome }) => (
          <Lugar key={campo} nome={nome} lugar={campos[campo]} />
        ))}
      </Stack>
      <Group align="flex-end" gap="md">
        {!campos.municipio && (
          <TextInput
            label="Cidade que emite estas notas"
            description="Nome e estado, ou o código do IBGE. Se a nota a diz, clique nela no arquivo."
            placeholder="Sorocaba - SP"
            value={cidade}
            onChange={(event) => mudar({ cidade: event.currentTarget.value })}
            style={{ flex: '1 1 16rem' }}
          />
        )}
        <Stack gap={2}>
          <Text size="sm" fw={500} id="ordem-da-data">
            Datas com barras
          </Text>
          <SegmentedControl
            aria-labelledby="ordem-da-data"
            value={ordem}
            onChange={(value) => mudar({ ordem: value as typeof ordem })}
            data={[
              { value: 'dia_mes', label: 'dia/mês/ano' },
              { value: 'mes_dia', label: 'mês/dia/ano' },
            ]}
          />
        </Stack>
      </Group>
    </Paper>
  );
}

function Lugar({ nome, lugar }: { nome: string; lugar: readonly string[] | undefined }) {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      {lugar ? (
        <IconCheck size={18} color="var(--mantine-color-teal-text)" aria-hidden />
      ) : (
        <IconCircleDashed size={18} color="var(--mantine-color-dimmed)" aria-hidden />
      )}
      <Text size="sm">
        {nome}: <span className="mono quebra">{lugar ? nomeDoLugar(lugar) : 'clique nele, no arquivo'}</span>
      </Text>
    </Group>
  );
}
