import { Button, PinInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAcao } from '../api/consulta.ts';
import { Erro } from './estados.tsx';

/** Six digits of the authenticator application, or one of the recovery codes. */
export function SegundoFator({
  desafio,
  aoEntrar,
  aoDesistir,
}: {
  desafio: string;
  aoEntrar: () => Promise<void>;
  aoDesistir: () => void;
}) {
  const [codigo, setCodigo] = useState('');
  const [recuperacao, setRecuperacao] = useState(false);
  const entrar = useAcao('POST /entrar/totp', { aoDarCerto: () => void aoEntrar() });
  const enviar = (valor: string) => entrar.mutate({ corpo: { desafio, codigo: valor.trim() } });
  const trocar = () => {
    setCodigo('');
    entrar.reset();
    setRecuperacao(!recuperacao);
  };
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        enviar(codigo);
      }}
    >
      <Stack gap="md">
        <div>
          <Title order={1}>Confirmação em duas etapas</Title>
          <Text size="sm" c="dimmed">
            {recuperacao
              ? 'Digite um dos códigos de recuperação que você guardou. Cada um vale uma vez.'
              : 'Digite o código de 6 dígitos do seu aplicativo autenticador.'}
          </Text>
        </div>
        {recuperacao ? (
          <TextInput
            key="recuperacao"
            label="Código de recuperação"
            value={codigo}
            onChange={(event) => setCodigo(event.currentTarget.value)}
            autoFocus
            autoComplete="off"
          />
        ) : (
          <PinInput
            key="totp"
            length={6}
            type="number"
            oneTimeCode
            autoFocus
            size="lg"
            value={codigo}
            onChange={setCodigo}
            onComplete={enviar}
            aria-label="Código de 6 dígitos"
            getInputProps={(index) => ({ 'aria-label': `Dígito ${index + 1} de 6` })}
          />
        )}
        {entrar.error && <Erro falha={entrar.error} titulo="Código não aceito" />}
        <Button type="submit" fullWidth loading={entrar.isPending} disabled={codigo.trim().length < 6}>
          Confirmar
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={trocar}>
          {recuperacao ? 'Usar o aplicativo autenticador' : 'Usar um código de recuperação'}
        </Button>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={aoDesistir}>
          Voltar
        </Button>
      </Stack>
    </form>
  );
}
