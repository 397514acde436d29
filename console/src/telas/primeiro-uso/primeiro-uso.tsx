import { Anchor, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import { Abertura } from '../../moldura/abertura.tsx';
import { useCodigoDoEndereco } from '../../partes/codigo-do-endereco.ts';
import { Erro } from '../../partes/estados.tsx';
import { FormularioDeEntrada } from '../../partes/formulario-de-entrada.tsx';
import { conferirSenha, SenhaNova } from '../../partes/senha-nova.tsx';
import { useEstadoDaSessao } from '../../sessao/sessao.tsx';

/** A server without users: the first office and its administrator. The code proves who started the server. */
export default function PrimeiroUso() {
  const codigo = useCodigoDoEndereco();
  const { data, error, refetch } = useConsulta('GET /primeiro-uso');
  useEffect(() => {
    document.title = 'Primeiro uso – Malote';
  }, []);
  return (
    <Abertura largura={480}>
      {error ? (
        <Erro falha={error} deNovo={() => void refetch()} />
      ) : data && !data.necessario ? (
        <Stack>
          <Title order={1}>Este servidor já está em uso</Title>
          <Text>
            O primeiro acesso já foi criado.{' '}
            <Anchor component={Link} href="/entrar" underline="always">
              Entrar
            </Anchor>
          </Text>
        </Stack>
      ) : (
        <Criar codigo={codigo} />
      )}
    </Abertura>
  );
}

/** The first office and its administrator, as they are typed and judged. */
const useFormulario = (codigo: string) =>
  useForm({
    initialValues: { codigo, crm: '', escritorio: '', nome: '', email: '', senha: '', repetida: '' },
    validate: {
      codigo: (value) => (value.trim() === '' ? 'Copie o código que o servidor mostrou ao iniciar.' : null),
      crm: (value) => (/^\d{1,6}$/.test(value) ? null : 'De 1 a 6 dígitos.'),
      escritorio: (value) => (value.trim() === '' ? 'Informe o nome do escritório.' : null),
      nome: (value) => (value.trim() === '' ? 'Informe o seu nome.' : null),
      email: (value) => (value.includes('@') ? null : 'Informe o seu e-mail.'),
      ...conferirSenha,
    },
  });

function Criar({ codigo }: { codigo: string }) {
  const { renovar } = useEstadoDaSessao();
  const [, irPara] = useLocation();
  const form = useFormulario(codigo);
  const criar = useAcao('POST /primeiro-uso', {
    aoDarCerto: async () => {
      await renovar();
      irPara('/', { replace: true });
    },
  });
  const obrigatorio = (campo: 'escritorio' | 'crm' | 'nome' | 'email') => ({
    required: true,
    withAsterisk: false,
    ...form.getInputProps(campo),
  });
  return (
    <FormularioDeEntrada
      titulo="Bem-vindo ao Malote"
      sobre="Crie o escritório e o acesso do administrador. Depois, cadastre clientes e envie os primeiros XML."
      acao={criar}
      botao="Criar e entrar"
      aoEnviar={form.onSubmit(({ repetida: _, ...corpo }) => criar.mutate({ corpo }))}
    >
      {codigo === '' && (
        <TextInput
          label="Código de primeiro uso"
          description="Aparece uma vez na saída do servidor, no fim do endereço mostrado ao iniciar."
          {...form.getInputProps('codigo')}
        />
      )}
      <TextInput label="Nome do escritório" autoComplete="organization" {...obrigatorio('escritorio')} />
      <TextInput
        label="Código CRM"
        description="Um número de até 6 dígitos, à sua escolha: é por ele que os sistemas integrados conhecem o escritório. Não é o CRC do contador."
        inputMode="numeric"
        maxLength={6}
        {...obrigatorio('crm')}
      />
      <TextInput label="Seu nome" autoComplete="name" {...obrigatorio('nome')} />
      <TextInput label="Seu e-mail" type="email" autoComplete="username" {...obrigatorio('email')} />
      <SenhaNova form={form} pessoais={[form.values.email, form.values.nome, form.values.escritorio]} />
    </FormularioDeEntrada>
  );
}
