import { Button, Group, Stack, Text, TextInput, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconPlugConnected, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import { Erro } from '../../partes/estados.tsx';

/** The whole way of an integration, tried with the very token that it will use. */
export function Testar({ token: criado, cliente }: { token: string | null; cliente: string | null }) {
  const [token, setToken] = useState('');
  useEffect(() => {
    if (criado) setToken(criado);
  }, [criado]);
  const testar = useAcao('POST /integracao/testar');
  return (
    <Stack>
      <Title order={2}>Testar conexão</Title>
      <Text size="sm" c="dimmed">
        Confere o token, a importação e a exportação como o seu sistema fará, pelo mesmo endereço.
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          testar.mutate({ corpo: { token: token.trim(), ...(cliente ? { cpfCnpj: cliente } : {}) } });
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Token"
            placeholder="mlt_…"
            classNames={{ input: 'mono' }}
            style={{ flex: '1 1 320px' }}
            autoComplete="off"
            spellCheck={false}
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
          />
          <Button
            type="submit"
            leftSection={<IconPlugConnected size={16} />}
            disabled={token.trim() === ''}
            loading={testar.isPending}
          >
            Testar conexão
          </Button>
        </Group>
      </form>
      {testar.error && <Erro falha={testar.error} />}
      {testar.data && (
        <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-live="polite">
          {testar.data.passos.map(({ nome, certo, mensagem, ms }) => (
            <Group key={nome} component="li" gap="sm" wrap="nowrap" align="flex-start">
              <ThemeIcon size="sm" radius="xl" color={certo ? 'teal' : 'red'} variant="light">
                {certo ? <IconCheck size={14} aria-label="Certo" /> : <IconX size={14} aria-label="Falhou" />}
              </ThemeIcon>
              <div style={{ minWidth: 0 }}>
                <Text size="sm" fw={600}>
                  {nome}{' '}
                  <Text span size="xs" c="dimmed" fw={400}>
                    {ms} ms
                  </Text>
                </Text>
                <Text size="sm" className="quebra">
                  {mensagem}
                </Text>
              </div>
            </Group>
          ))}
        </Stack>
      )}
    </Stack>
  );
}
