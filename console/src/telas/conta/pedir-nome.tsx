import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Erro } from '../../partes/estados.tsx';

/** Asks for a name and nothing else. */
export function PedirNome({
  inicial = '',
  acao,
  ocupado,
  falha,
  aoEnviar,
}: {
  inicial?: string;
  /** What the button says. */
  acao: string;
  ocupado: boolean;
  falha: unknown;
  aoEnviar: (nome: string) => void;
}) {
  const [nome, setNome] = useState(inicial);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        aoEnviar(nome.trim());
      }}
    >
      <Stack>
        <TextInput
          label="Nome"
          value={nome}
          onChange={(event) => setNome(event.currentTarget.value)}
          data-autofocus
        />
        {falha !== null && <Erro falha={falha} />}
        <Group justify="flex-end">
          <Button type="submit" disabled={nome.trim() === ''} loading={ocupado}>
            {acao}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
