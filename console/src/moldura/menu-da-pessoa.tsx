import { Avatar, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconBook2, IconLogout, IconSettings, IconShieldLock } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { tellFalha } from '../partes/avisos.ts';
import { Confirmar } from '../partes/confirmar.tsx';
import { perdasAoSair } from '../sessao/ao-esquecer.ts';
import { useEstadoDaSessao, useSessao } from '../sessao/sessao.tsx';

/** `Maria Souza Lima` → `ML`. */
function iniciais(nome: string): string {
  const parts = nome.trim().split(/\s+/);
  return `${parts[0]?.[0] ?? '?'}${parts.length > 1 ? (parts.at(-1)?.[0] ?? '') : ''}`.toUpperCase();
}

export function MenuDaPessoa() {
  const { usuario, enderecos } = useSessao();
  const { sair } = useEstadoDaSessao();
  const [perdas, setPerdas] = useState<string[]>([]);
  const querSair = (perguntar: () => void) => {
    const agora = perdasAoSair();
    setPerdas(agora);
    if (agora.length > 0) perguntar();
    else sair().catch((error: unknown) => tellFalha(error, 'Você não saiu: a sessão continua aberta'));
  };
  return (
    <Confirmar pergunta="Sair agora?" detalhe={perdas.join(' ')} acao="Sair" aoConfirmar={sair}>
      {(open) => (
        <Menu position="bottom-end" width={230} withinPortal>
          <Menu.Target>
            <UnstyledButton>
              <Avatar color="malote" radius="xl" size={34}>
                {iniciais(usuario.nome)}
              </Avatar>
              <VisuallyHidden>Conta de {usuario.nome}</VisuallyHidden>
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>
              <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
                {usuario.nome}
              </Text>
              <Text size="xs" truncate>
                {usuario.email}
              </Text>
            </Menu.Label>
            <Menu.Divider />
            <Menu.Item component={Link} href="/conta" leftSection={<IconSettings size={16} />}>
              Opções da conta
            </Menu.Item>
            <Menu.Item component={Link} href="/conta/seguranca" leftSection={<IconShieldLock size={16} />}>
              Segurança
            </Menu.Item>
            <Menu.Item
              component="a"
              href={enderecos.docs}
              target="_blank"
              leftSection={<IconBook2 size={16} />}
            >
              Documentação da API
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => querSair(open)}>
              Sair
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </Confirmar>
  );
}
