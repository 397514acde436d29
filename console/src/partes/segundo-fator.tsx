import { Button, PinInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAcao } from '../api/consulta.ts';
import { FormularioDeEntrada } from './formulario-de-entrada.tsx';

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
    <FormularioDeEntrada
      titulo="Confirmação em duas etapas"
      sobre={
        recuperacao
          ? 'Digite um dos códigos de recuperação que você guardou. Cada um vale uma vez.'
          : 'Digite o código de 6 dígitos do seu aplicativo autenticador.'
      }
      acao={entrar}
      tituloDaFalha="Código não aceito"
      botao="Confirmar"
      pronto={codigo.trim().length >= 6}
      aoEnviar={() => enviar(codigo)}
      depois={
        <>
          <Button variant="subtle" size="compact-sm" onClick={trocar}>
            {recuperacao ? 'Usar o aplicativo autenticador' : 'Usar um código de recuperação'}
          </Button>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={aoDesistir}>
            Voltar
          </Button>
        </>
      }
    >
      {recuperacao ? (
        <CodigoDeRecuperacao codigo={codigo} mudar={setCodigo} />
      ) : (
        <SeisDigitos codigo={codigo} mudar={setCodigo} aoCompletar={enviar} />
      )}
    </FormularioDeEntrada>
  );
}

interface Digitado {
  codigo: string;
  mudar: (codigo: string) => void;
}

function CodigoDeRecuperacao({ codigo, mudar }: Digitado) {
  return (
    <TextInput
      label="Código de recuperação"
      value={codigo}
      onChange={(event) => mudar(event.currentTarget.value)}
      autoFocus
      autoComplete="off"
    />
  );
}

/** They are sent with the last of them. */
function SeisDigitos({ codigo, mudar, aoCompletar }: Digitado & { aoCompletar: (codigo: string) => void }) {
  return (
    <PinInput
      length={6}
      type="number"
      oneTimeCode
      autoFocus
      size="lg"
      value={codigo}
      onChange={mudar}
      onComplete={aoCompletar}
      aria-label="Código de 6 dígitos"
      getInputProps={(index) => ({ 'aria-label': `Dígito ${index + 1} de 6` })}
    />
  );
}
