import { Group, PasswordInput, Progress, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

/** The server judges a password; this only says early what will surely be refused. */
const SENHA_MINIMO = 10;

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

/** Length decides most: a sentence is better than a short word with signs. */
function forca(senha: string): { valor: number; nome: string; cor: string } {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w]/].filter((kind) => kind.test(senha)).length;
  const valor = Math.min(100, senha.length * 4 + kinds * 8);
  if (senha.length < SENHA_MINIMO) return { valor: Math.min(valor, 30), nome: 'curta', cor: 'red' };
  if (valor < 75) return { valor, nome: 'razoável', cor: 'yellow' };
  return { valor, nome: 'boa', cor: 'teal' };
}

export function SenhaNova<T extends CamposDeSenha>({
  form,
  rotulo = 'Senha',
}: {
  form: UseFormReturnType<T>;
  rotulo?: string;
}) {
  const { senha } = form.values;
  const { valor, nome, cor } = forca(senha);
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
