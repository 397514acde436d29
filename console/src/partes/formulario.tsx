import { Button, Group, type MantineSpacing, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Erro } from './estados.tsx';

/** What a form sets going, as `useAcao` tells of it: whether it is on its way, and what went wrong (null: nothing). */
export interface AcaoDoFormulario {
  isPending: boolean;
  error: unknown;
}

/**
 * Fields, what went wrong with sending them, and the buttons below. The fields say themselves what is wrong with them,
 * unless the browser is left to do so (`noValidate={false}`).
 */
export function Formulario({
  acao,
  botao,
  pronto = true,
  aoEnviar,
  fechar,
  outro,
  lado,
  gap,
  noValidate = true,
  children,
}: {
  acao: AcaoDoFormulario;
  /** What the button that sends says. */
  botao: string;
  /** Whether there is something that can be sent. */
  pronto?: boolean;
  aoEnviar: (event: FormEvent<HTMLFormElement>) => void;
  gap?: MantineSpacing;
  noValidate?: boolean;
  children: ReactNode;
} & Omit<Parameters<typeof Botoes>[0], 'children'>) {
  return (
    <form
      noValidate={noValidate}
      onSubmit={(event) => {
        event.preventDefault();
        aoEnviar(event);
      }}
    >
      <Stack gap={gap}>
        {children}
        {acao.error !== null && <Erro falha={acao.error} />}
        <Botoes fechar={fechar} outro={outro} lado={lado}>
          <Button type="submit" disabled={!pronto} loading={acao.isPending}>
            {botao}
          </Button>
        </Botoes>
      </Stack>
    </form>
  );
}

/** The end of a form or a dialog: the way out of it, then the button that does it. */
export function Botoes({
  fechar,
  outro,
  lado = 'flex-end',
  children,
}: {
  /** Absent: what is there is no dialog, and stays. */
  fechar?: () => void;
  /** One that does something else, far from these. */
  outro?: ReactNode;
  lado?: 'flex-start' | 'flex-end';
  children: ReactNode;
}) {
  const ambos = (
    <>
      {fechar && (
        <Button variant="default" onClick={fechar}>
          Cancelar
        </Button>
      )}
      {children}
    </>
  );
  if (outro === undefined) return <Group justify={lado}>{ambos}</Group>;
  return (
    <Group justify="space-between">
      {outro}
      <Group gap="xs">{ambos}</Group>
    </Group>
  );
}
