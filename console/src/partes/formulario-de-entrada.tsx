import { Button, Stack, Text, Title } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Erro } from './estados.tsx';
import type { AcaoDoFormulario } from './formulario.tsx';

/** The only thing on the page of who is not logged in yet: its name, fields, and a button as wide as they are. */
export function FormularioDeEntrada({
  titulo,
  sobre,
  acao,
  tituloDaFalha,
  botao,
  pronto = true,
  aoEnviar,
  depois,
  children,
}: {
  titulo: string;
  sobre: ReactNode;
  acao: AcaoDoFormulario;
  tituloDaFalha?: string;
  botao: string;
  /** Whether there is something that can be sent. */
  pronto?: boolean;
  aoEnviar: (event: FormEvent<HTMLFormElement>) => void;
  /** What stands below the button. */
  depois?: ReactNode;
  children: ReactNode;
}) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        aoEnviar(event);
      }}
    >
      <Stack gap="md">
        <div>
          <Title order={1}>{titulo}</Title>
          <Text size="sm" c="dimmed">
            {sobre}
          </Text>
        </div>
        {children}
        {acao.error !== null && <Erro falha={acao.error} titulo={tituloDaFalha} />}
        <Button type="submit" fullWidth loading={acao.isPending} disabled={!pronto}>
          {botao}
        </Button>
        {depois}
      </Stack>
    </form>
  );
}
