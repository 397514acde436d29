import { Group, PasswordInput, Progress, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { chamar } from '../api/chamar.ts';

/** Shorter ones are not even asked about. */
const SENHA_MINIMO = 10;
/** Pause in typing after which the server is asked: it alone judges, so that what is called good is taken. */
const PAUSA_MS = 300;

interface CamposDeSenha {
  senha: string;
  repetida: string;
}

export const conferirSenha = {
  senha: (value: string) =>
    value.length < SENHA_MINIMO ? `Use pelo menos ${SENHA_MINIMO} caracteres.` : null,
  repetida: (value: string, { senha }: CamposDeSenha) =>
    value === senha ? null : 'As senhas não são iguais.',
};

interface Medida {
  valor: number;
  nome: string;
  cor: string;
}

/** What the server says of a password as it is typed; null while it has not said anything of this one. */
function useJuizo(
  senha: string,
  pessoais: readonly string[],
): { senha: string; falta: string | null } | null {
  const [pronta] = useDebouncedValue(senha, PAUSA_MS);
  const [juizo, setJuizo] = useState<{ senha: string; falta: string | null } | null>(null);
  const deQuem = JSON.stringify(pessoais);
  useEffect(() => {
    if (pronta.length < SENHA_MINIMO) return;
    const turno = new AbortController();
    const corpo = { senha: pronta, pessoais: JSON.parse(deQuem) as string[] };
    chamar('POST /senha/avaliar', { corpo }, turno.signal).then(
      ({ falta }) => setJuizo({ senha: pronta, falta }),
      // Nothing is said then; the server says it when the form is sent.
      () => undefined,
    );
    return () => turno.abort();
  }, [pronta, deQuem]);
  return juizo?.senha === senha ? juizo : null;
}

/** Length decides most: a sentence is better than a short word with signs. */
function medir(senha: string, juizo: { falta: string | null } | null): Medida {
  if (senha.length < SENHA_MINIMO) return { valor: senha.length * 3, nome: 'curta', cor: 'red' };
  if (!juizo) return { valor: 40, nome: '…', cor: 'gray' };
  if (juizo.falta !== null) return { valor: 30, nome: 'fraca', cor: 'red' };
  return senha.length < 16
    ? { valor: 70, nome: 'aceita', cor: 'teal' }
    : { valor: 100, nome: 'boa', cor: 'teal' };
}

export function SenhaNova<T extends CamposDeSenha>({
  form,
  rotulo = 'Senha',
  pessoais,
}: {
  form: UseFormReturnType<T>;
  rotulo?: string;
  /** Names and addresses of whose it is: a password is not to be made of them. */
  pessoais: readonly string[];
}) {
  const { senha } = form.values;
  const juizo = useJuizo(senha, pessoais);
  const { valor, nome, cor } = medir(senha, juizo);
  return (
    <Stack gap="sm">
      <PasswordInput
        label={rotulo}
        description="Uma frase longa é fácil de lembrar e difícil de adivinhar."
        autoComplete="new-password"
        required
        withAsterisk={false}
        {...form.getInputProps('senha')}
      />
      <Group gap="xs" mih={18} aria-live="polite">
        {senha !== '' && (
          <>
            <Progress value={valor} color={cor} size="sm" style={{ flex: 1 }} aria-label="Força da senha" />
            <Text size="xs" c="dimmed" w={64}>
              {nome}
            </Text>
          </>
        )}
      </Group>
      {juizo?.falta && (
        <Text size="sm" c="var(--mantine-color-error)">
          {juizo.falta}
        </Text>
      )}
      <PasswordInput
        label="Repita a senha"
        autoComplete="new-password"
        required
        withAsterisk={false}
        {...form.getInputProps('repetida')}
      />
    </Stack>
  );
}
