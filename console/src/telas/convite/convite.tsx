import { Loader, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useAcao } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { Abertura } from '../../moldura/abertura.tsx';
import { useCodigoDoEndereco } from '../../partes/codigo-do-endereco.ts';
import { Erro } from '../../partes/estados.tsx';
import { FormularioDeEntrada } from '../../partes/formulario-de-entrada.tsx';
import { SegundoFator } from '../../partes/segundo-fator.tsx';
import { conferirSenha, SenhaNova } from '../../partes/senha-nova.tsx';
import { useEstadoDaSessao } from '../../sessao/sessao.tsx';

/** Where an invitation (or a link to set a new password) leads. */
export default function Convite() {
  const codigo = useCodigoDoEndereco();
  const { mutate, data, error } = useAcao('POST /convite');
  const conferir = useCallback(() => mutate({ corpo: { codigo } }), [codigo, mutate]);
  useEffect(() => {
    document.title = 'Convite – Malote';
    if (codigo !== '') conferir();
  }, [codigo, conferir]);
  return (
    <Abertura>
      {codigo === '' ? (
        <Stack>
          <Title order={1}>Convite</Title>
          <Text>Este endereço está incompleto: abra de novo o link do convite, inteiro.</Text>
        </Stack>
      ) : error?.codigo === 'convite_invalido' ? (
        <Erro falha={error} titulo="O convite não vale mais" />
      ) : error ? (
        <Erro falha={error} deNovo={conferir} />
      ) : data ? (
        <Aceitar codigo={codigo} convite={data} />
      ) : (
        <Loader aria-label="Conferindo o convite" />
      )}
    </Abertura>
  );
}

function Aceitar({ codigo, convite }: { codigo: string; convite: Resposta<'POST /convite'> }) {
  const { renovar } = useEstadoDaSessao();
  const [, irPara] = useLocation();
  const [desafio, setDesafio] = useState<string | null>(null);
  const entrou = async () => {
    await renovar();
    irPara('/', { replace: true });
  };
  const form = useForm({
    initialValues: { nome: convite.nome, senha: '', repetida: '' },
    validate: { nome: (value) => (value.trim() === '' ? 'Informe o seu nome.' : null), ...conferirSenha },
  });
  const aceitar = useAcao('POST /convite/aceitar', {
    // Who had a second factor keeps it: a new password alone opens nothing.
    aoDarCerto: (resposta) => {
      if (resposta.etapa === 'totp') setDesafio(resposta.desafio);
      else void entrou();
    },
  });
  if (desafio !== null) {
    return (
      <SegundoFator
        desafio={desafio}
        aoEntrar={entrou}
        aoDesistir={() => irPara('/entrar', { replace: true })}
      />
    );
  }
  return (
    <FormularioDeEntrada
      titulo={convite.redefinicao ? 'Defina uma nova senha' : 'Defina a sua senha'}
      sobre={`${convite.escritorio} (CRM ${convite.codigoCrm}) · ${convite.email}`}
      acao={aceitar}
      botao="Salvar e entrar"
      aoEnviar={form.onSubmit(({ nome, senha }) =>
        aceitar.mutate({ corpo: { codigo, nome: nome.trim(), senha } }),
      )}
    >
      <input type="hidden" autoComplete="username" value={convite.email} readOnly />
      <TextInput
        label="Seu nome"
        autoComplete="name"
        autoFocus
        required
        withAsterisk={false}
        {...form.getInputProps('nome')}
      />
      <SenhaNova form={form} pessoais={[convite.email, form.values.nome, convite.escritorio]} />
    </FormularioDeEntrada>
  );
}
