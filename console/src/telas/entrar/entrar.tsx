import { Anchor, PasswordInput, Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { Redirect, useLocation, useSearchParams } from 'wouter';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import { Abertura } from '../../moldura/abertura.tsx';
import { FormularioDeEntrada } from '../../partes/formulario-de-entrada.tsx';
import { SegundoFator } from '../../partes/segundo-fator.tsx';
import { useEstadoDaSessao } from '../../sessao/sessao.tsx';
import { Provedores, takeVolta, VindoDoProvedor } from './provedores.tsx';

/** Only a place of the console itself; never another site that a link put there. */
function lugarSeguro(volta: string | null): string {
  return volta?.startsWith('/') && !volta.startsWith('//') && !volta.includes('\\') ? volta : '/';
}

export default function Entrar() {
  const { sessao, renovar } = useEstadoDaSessao();
  const [parametros] = useSearchParams();
  const [, irPara] = useLocation();
  const doProvedor = parametros.has('externo');
  const [volta] = useState(() => lugarSeguro(doProvedor ? takeVolta() : parametros.get('volta')));
  const [desafio, setDesafio] = useState<string | null>(null);
  useEffect(() => {
    document.title = 'Entrar – Malote';
  }, []);

  const entrou = async () => {
    await renovar();
    irPara(volta, { replace: true });
  };
  if (sessao) return <Redirect to={volta} replace />;
  return (
    <Abertura>
      {desafio === null && doProvedor ? (
        <VindoDoProvedor aoEntrar={() => void entrou()} aoDesafiar={setDesafio} />
      ) : desafio === null ? (
        <>
          <Senha aoEntrar={entrou} aoDesafiar={setDesafio} />
          <Provedores volta={volta} falha={parametros.get('falha')} />
        </>
      ) : (
        <SegundoFator desafio={desafio} aoEntrar={entrou} aoDesistir={() => setDesafio(null)} />
      )}
    </Abertura>
  );
}

interface Passos {
  aoEntrar: () => Promise<void>;
  /** A second factor is asked for. */
  aoDesafiar: (desafio: string) => void;
}

/** What is sent to log in, and what the server wants besides: who has access to several offices chooses one. */
function useEntrada({ aoEntrar, aoDesafiar }: Passos) {
  const [escritorios, setEscritorios] = useState<readonly { codigoCrm: string; nome: string }[]>([]);
  const form = useForm({
    initialValues: { email: '', senha: '', codigoCrm: '' },
    validate: {
      email: (value) => (value.includes('@') ? null : 'Informe o seu e-mail.'),
      senha: (value) => (value === '' ? 'Informe a sua senha.' : null),
      codigoCrm: (value) => (escritorios.length > 0 && value === '' ? 'Escolha o escritório.' : null),
    },
  });
  const entrar = useAcao('POST /entrar', {
    aoDarCerto: (resposta) => {
      if (resposta.etapa === 'totp') aoDesafiar(resposta.desafio ?? '');
      else if (resposta.etapa === 'escritorio') setEscritorios(resposta.escritorios ?? []);
      else void aoEntrar();
    },
  });
  const enviar = form.onSubmit(({ codigoCrm, ...corpo }) =>
    entrar.mutate({ corpo: codigoCrm === '' ? corpo : { ...corpo, codigoCrm } }),
  );
  return { form, escritorios, entrar, enviar };
}

function Senha(passos: Passos) {
  const { form, escritorios, entrar, enviar } = useEntrada(passos);
  return (
    <FormularioDeEntrada
      titulo="Entrar"
      sobre="Documentos fiscais do seu escritório."
      acao={entrar}
      tituloDaFalha="Não foi possível entrar"
      botao="Entrar"
      aoEnviar={enviar}
      depois={<SemSenha />}
    >
      <Recados />
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label="Senha"
        autoComplete="current-password"
        required
        withAsterisk={false}
        {...form.getInputProps('senha')}
      />
      {escritorios.length > 0 && (
        <Select
          label="Escritório"
          description="Este e-mail tem acesso a mais de um."
          data={escritorios.map(({ codigoCrm, nome }) => ({
            value: codigoCrm,
            label: `${nome} (CRM ${codigoCrm})`,
          }))}
          {...form.getInputProps('codigoCrm')}
          value={form.values.codigoCrm || null}
          onChange={(value) => form.setFieldValue('codigoCrm', value ?? '')}
          autoFocus
          required
          withAsterisk={false}
        />
      )}
    </FormularioDeEntrada>
  );
}

/** Why one stands here although one was at work, or cannot go on yet. */
function Recados() {
  const { terminou } = useEstadoDaSessao();
  const primeiroUso = useConsulta('GET /primeiro-uso');
  return (
    <>
      {terminou && (
        <Text size="sm" role="status">
          A sua sessão terminou. Entre de novo para continuar de onde parou.
        </Text>
      )}
      {primeiroUso.data?.necessario && (
        <Text size="sm">
          Este servidor ainda não tem usuários: abra o endereço de <b>primeiro uso</b> que ele mostrou ao
          iniciar.
        </Text>
      )}
    </>
  );
}

function SemSenha() {
  return (
    <Text size="xs" c="dimmed" ta="center">
      Esqueceu a senha? Peça um novo acesso ao administrador do escritório.{' '}
      <Anchor href="/docs" size="xs" underline="always">
        Documentação da API
      </Anchor>
    </Text>
  );
}
