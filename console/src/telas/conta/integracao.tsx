import { Anchor, Divider, Group, Stack, Text, Title } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { EscolhaDeCliente } from '../../partes/escolha-de-cliente.tsx';
import { useClienteAtual } from '../../sessao/cliente-atual.tsx';
import { useSessao } from '../../sessao/sessao.tsx';
import { ClientesOauth } from './clientes-oauth.tsx';
import { Exemplos } from './exemplos.tsx';
import { Testar } from './testar.tsx';
import { Tokens } from './tokens.tsx';

/** Everything that somebody needs who connects an ERP: keys, addresses, lines to try, and a test. */
export default function Integracao() {
  const { enderecos } = useSessao();
  const { cliente: atual } = useClienteAtual();
  const [cliente, setCliente] = useState<string | null>(atual);
  const [token, setToken] = useState<string | null>(null);
  return (
    <Stack gap="xl">
      <Tokens aoCriar={setToken} />
      <Divider />
      <Stack>
        <Group justify="space-between">
          <Title order={2}>Para usar agora</Title>
          <Anchor href={enderecos.docs} target="_blank" size="sm">
            <Group gap={4}>
              Documentação da API <IconExternalLink size={15} aria-hidden />
            </Group>
          </Anchor>
        </Group>
        <Text size="sm" c="dimmed">
          As linhas abaixo já têm o código CRM do escritório e o cliente escolhido
          {token ? ', e o token que você acabou de criar.' : '; troque $TOKEN pelo seu token.'}
        </Text>
        <EscolhaDeCliente
          label="Cliente dos exemplos"
          maw={480}
          clearable
          value={cliente}
          onChange={setCliente}
        />
        <Exemplos cliente={cliente} token={token} />
      </Stack>
      <Divider />
      <Testar token={token} cliente={cliente} />
      <Divider />
      <ClientesOauth />
    </Stack>
  );
}
