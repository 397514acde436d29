import { Button, Divider, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconDeviceDesktop, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import { formatHaQuanto } from '../../formatos/datas.ts';
import { avisar } from '../../partes/avisos.ts';
import { Confirmar } from '../../partes/confirmar.tsx';
import { Consultado, Erro, Linhas } from '../../partes/estados.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { Formulario } from '../../partes/formulario.tsx';
import { conferirSenha, SenhaNova } from '../../partes/senha-nova.tsx';
import { useEstadoDaSessao, useSessao } from '../../sessao/sessao.tsx';
import { LigarTotp } from './ligar-totp.tsx';

export default function Seguranca() {
  return (
    <Stack gap="xl" maw={720}>
      <DoisFatores />
      <Divider />
      <TrocarSenha />
      <Divider />
      <Sessoes />
    </Stack>
  );
}

function DoisFatores() {
  const { usuario } = useSessao();
  const { renovar } = useEstadoDaSessao();
  const [ligando, setLigando] = useState(false);
  const estado = useConsulta('GET /eu/totp');
  // It is on from the first code, while its recovery codes are still being written down.
  const ligada = estado.data?.ativo ?? usuario.totpAtivo;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>Confirmação em duas etapas</Title>
        <Etiqueta cor={ligada ? 'teal' : 'gray'}>{ligada ? 'ligada' : 'desligada'}</Etiqueta>
      </Group>
      <Text size="sm" c="dimmed">
        Além da senha, um código do aplicativo autenticador do seu telefone. Protege os documentos de todos os
        clientes se a sua senha vazar.
      </Text>
      {usuario.totpAtivo ? (
        <Group justify="space-between">
          {estado.data && (
            <Text size="sm">
              {estado.data.codigosRestantes === 1 ? 'Resta' : 'Restam'} <b>{estado.data.codigosRestantes}</b>{' '}
              {estado.data.codigosRestantes === 1 ? 'código' : 'códigos'} de recuperação.
            </Text>
          )}
          <Desligar aoDesligar={renovar} />
        </Group>
      ) : ligando ? (
        <LigarTotp
          aoTerminar={async () => {
            setLigando(false);
            await renovar();
          }}
        />
      ) : (
        <div>
          <Button leftSection={<IconShieldCheck size={16} />} onClick={() => setLigando(true)}>
            Ligar
          </Button>
        </div>
      )}
    </Stack>
  );
}

function Desligar({ aoDesligar }: { aoDesligar: () => Promise<void> }) {
  const [senha, setSenha] = useState('');
  const desligar = useAcao('DELETE /eu/totp', { renova: ['GET /eu/totp'] });
  return (
    <Confirmar
      pergunta="Desligar a confirmação em duas etapas?"
      acao="Desligar"
      detalhe={
        <PasswordInput
          label="Sua senha"
          autoComplete="current-password"
          value={senha}
          onChange={(event) => setSenha(event.currentTarget.value)}
        />
      }
      aoConfirmar={async () => {
        await desligar.mutateAsync({ corpo: { senha } });
        avisar('Confirmação em duas etapas desligada.');
        await aoDesligar();
      }}
    >
      {(open) => (
        <Button
          variant="default"
          onClick={() => {
            setSenha('');
            open();
          }}
        >
          Desligar
        </Button>
      )}
    </Confirmar>
  );
}

function TrocarSenha() {
  const { usuario, escritorio } = useSessao();
  const form = useForm({
    initialValues: { atual: '', senha: '', repetida: '' },
    validate: { atual: (value) => (value === '' ? 'Informe a senha atual.' : null), ...conferirSenha },
  });
  const trocar = useAcao('POST /eu/senha', {
    renova: ['GET /eu/sessoes'],
    aoDarCerto: () => {
      form.reset();
      avisar('Senha trocada. As outras sessões foram encerradas.');
    },
  });
  return (
    <Formulario
      acao={trocar}
      botao="Trocar a senha"
      lado="flex-start"
      aoEnviar={form.onSubmit(({ atual, senha }) => trocar.mutate({ corpo: { atual, nova: senha } }))}
    >
      <Title order={2}>Trocar a senha</Title>
      <PasswordInput label="Senha atual" autoComplete="current-password" {...form.getInputProps('atual')} />
      <SenhaNova form={form} rotulo="Nova senha" pessoais={[usuario.email, usuario.nome, escritorio.nome]} />
    </Formulario>
  );
}

/** `Mozilla/5.0 (X11; Linux x86_64) … Chrome/126 …` → `Chrome, Linux`. */
function nomeDoNavegador(agente: string): string {
  const browser = /Edg\//.test(agente)
    ? 'Edge'
    : /Firefox\//.test(agente)
      ? 'Firefox'
      : /Chrome\//.test(agente)
        ? 'Chrome'
        : /Safari\//.test(agente)
          ? 'Safari'
          : 'Navegador';
  const system = /Windows|Android|iPhone|iPad|Mac OS|Linux/.exec(agente)?.[0];
  return system ? `${browser}, ${system === 'Mac OS' ? 'macOS' : system}` : browser;
}

function Sessoes() {
  const sessoes = useConsulta('GET /eu/sessoes');
  const encerrar = useAcao('DELETE /eu/sessoes/{id}', {
    renova: ['GET /eu/sessoes'],
    aoDarCerto: () => avisar('Sessão encerrada.'),
  });
  return (
    <Stack>
      <Title order={2}>Sessões abertas</Title>
      <Consultado consulta={sessoes} esperando={<Linhas quantas={2} altura={54} />}>
        {({ itens }) => (
          <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
            {itens.map(({ id, atual, ip, agente, vistaEm }) => (
              <Group key={id} component="li" justify="space-between" wrap="nowrap">
                <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
                  <IconDeviceDesktop size={22} stroke={1.5} aria-hidden />
                  <div style={{ minWidth: 0 }}>
                    <Text size="sm" fw={600} title={agente} truncate>
                      {nomeDoNavegador(agente)}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {ip} · {formatHaQuanto(vistaEm)}
                    </Text>
                  </div>
                </Group>
                {atual ? (
                  <Etiqueta cor="teal">esta</Etiqueta>
                ) : (
                  <Button
                    size="compact-sm"
                    variant="default"
                    loading={encerrar.isPending && encerrar.variables?.caminho.id === id}
                    onClick={() => encerrar.mutate({ caminho: { id } })}
                  >
                    Encerrar
                  </Button>
                )}
              </Group>
            ))}
          </Stack>
        )}
      </Consultado>
      {encerrar.error && <Erro falha={encerrar.error} />}
    </Stack>
  );
}
