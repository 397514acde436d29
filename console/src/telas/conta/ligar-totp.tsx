import { Alert, Button, Code, Group, PasswordInput, PinInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { BotaoCopiar, Copiar } from '../../partes/copiar.tsx';
import { Erro } from '../../partes/estados.tsx';
import { Formulario } from '../../partes/formulario.tsx';

/** Password, picture, first code, recovery codes: in this order, so that nobody locks themselves out. */
export function LigarTotp({ aoTerminar }: { aoTerminar: () => Promise<void> }) {
  const pedir = useAcao('POST /eu/totp');
  const confirmar = useAcao('POST /eu/totp/confirmar', { renova: ['GET /eu/totp'] });
  if (confirmar.data)
    return (
      <CodigosDeRecuperacao
        codigos={confirmar.data.codigosDeRecuperacao}
        aoTerminar={() => void aoTerminar()}
      />
    );
  if (pedir.data) {
    return (
      <Stack>
        <Aplicativo {...pedir.data} aoDigitar={(codigo) => confirmar.mutate({ corpo: { codigo } })} />
        {confirmar.error && <Erro falha={confirmar.error} titulo="Código não aceito" />}
      </Stack>
    );
  }
  return <Senha pedir={pedir} />;
}

function Senha({ pedir }: { pedir: ReturnType<typeof useAcao<'POST /eu/totp'>> }) {
  const [senha, setSenha] = useState('');
  return (
    <Formulario
      acao={pedir}
      botao="Continuar"
      lado="flex-start"
      pronto={senha !== ''}
      aoEnviar={() => pedir.mutate({ corpo: { senha } })}
    >
      <PasswordInput
        label="Confirme a sua senha"
        autoComplete="current-password"
        value={senha}
        onChange={(event) => setSenha(event.currentTarget.value)}
        autoFocus
      />
    </Formulario>
  );
}

/** The secret for the authenticator application, as a picture and as text, and the first code that it makes of it. */
function Aplicativo({
  segredo,
  qrSvg,
  aoDigitar,
}: Pick<Resposta<'POST /eu/totp'>, 'segredo' | 'qrSvg'> & { aoDigitar: (codigo: string) => void }) {
  const [codigo, setCodigo] = useState('');
  return (
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
          onComplete={aoDigitar}
          aria-labelledby="rotulo-do-codigo"
          getInputProps={(index) => ({ 'aria-label': `Dígito ${index + 1} de 6` })}
        />
      </Stack>
    </Group>
  );
}

function CodigosDeRecuperacao({
  codigos,
  aoTerminar,
}: {
  codigos: readonly string[];
  aoTerminar: () => void;
}) {
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
          <Button size="xs" onClick={aoTerminar}>
            Já guardei
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
