import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type AcaoDoFormulario, Formulario } from '../../partes/formulario.tsx';

/** Asks for a name and nothing else. */
export function PedirNome({
  inicial = '',
  acao,
  botao,
  aoEnviar,
}: {
  inicial?: string;
  acao: AcaoDoFormulario;
  botao: string;
  aoEnviar: (nome: string) => void;
}) {
  const [nome, setNome] = useState(inicial);
  return (
    <Formulario acao={acao} botao={botao} pronto={nome.trim() !== ''} aoEnviar={() => aoEnviar(nome.trim())}>
      <TextInput
        label="Nome"
        value={nome}
        onChange={(event) => setNome(event.currentTarget.value)}
        data-autofocus
      />
    </Formulario>
  );
}
