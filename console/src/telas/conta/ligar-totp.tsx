import { Alert, Button, Code, Group, PasswordInput, PinInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import { BotaoCopiar, Copiar } from '../../partes/copiar.tsx';
import { Erro } from '../../partes/estados.tsx';

/** Password, picture, first code, recovery codes: in this order, so that nobody locks themselves out. */
export function LigarTotp({ aoTerminar }: { aoTerminar: () => Promise<void> }) {
  const [senha, setSenha] = useState('');
  const [codigo, setCodigo] = useState('');
  const pedir = useAcao('POST /eu/totp');
  const confirmar = useAcao('POST /eu/totp/confirmar', { renova: ['GET /eu/totp'] });
  if (confirmar.data) {
    const codigos = confirmar.data.codigosDeRecuperacao;
    return (
      <Alert color="teal" title="Ligada. Guarde agora os códigos de recuperação">
        <Stack>
          <Text size="sm">
            Se perder o telefone, cada um deles entra uma vez. Eles não serão mostrados de novo.
          </Text>
          <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="xs">
            {codigos.map((um) => (
              <Code key={um} fz="sm">
                {um}
              </Code>
            ))}
          </SimpleGrid>
          <Group>
            <BotaoCopiar valor={codigos.join('\n')}>Copiar todos</BotaoCopiar>
            <Button size="xs" onClick={() => void aoTerminar()}>
              Já guardei
            </Button>
          </Group>
        </Stack>
      </Alert>
    );
  }
  if (pedir.data) {
    const { segredo, qrSvg } = pedir.data;
    return (
      <Stack>
        <Group align="flex-start" gap="lg">
          <img
            src={`data:image/svg+xml;utf8,${encodeURIComponent(qrSvg)}`}
            width={180}
            height={180}
            alt="Código QR para o aplicativo autenticador"
            style={{ background: '#fff', padding: 8, borderRadius: 8 }}
          />
          <Stack gap="xs" style={{ flex: '1 1 240px' }}>
            <Text size="sm">1. Leia o código com o aplicativo autenticador, ou digite nele:</Text>
            <Group gap={4}>
              <Code className="quebra">{segredo}</Code>
              <Copiar valor={segredo} rotulo="Copiar o segredo" />
            </Group>
            <Text size="sm" id="rotulo-do-codigo">
              2. Digite o código de 6 dígitos que ele mostra:
            </Text>
            <PinInput
              length={6}
              type="number"
              oneTimeCode
              value={codigo}
              onChange={setCodigo}
              onComplete={(valor) => confirmar.mutate({ corpo: { codigo: valor } })}
              aria-labelledby="rotulo-do-codigo"
              getInputProps={(index) => ({ 'aria-label': `Dígito ${index + 1} de 6` })}
            />
          </Stack>
        </Group>
        {confirmar.error && <Erro falha={confirmar.error} titulo="Código não aceito" />}
      </Stack>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        pedir.mutate({ corpo: { senha } });
      }}
    >
      <Stack>
        <PasswordInput
          label="Confirme a sua senha"
          autoComplete="current-password"
          value={senha}
          onChange={(event) => setSenha(event.currentTarget.value)}
          autoFocus
        />
        {pedir.error && <Erro falha={pedir.error} />}
        <Group>
          <Button type="submit" disabled={senha === ''} loading={pedir.isPending}>
            Continuar
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
