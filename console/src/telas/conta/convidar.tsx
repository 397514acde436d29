import { Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAcao } from '../../api/consulta.ts';
import { Formulario } from '../../partes/formulario.tsx';
import { opcoes, PAPEIS_DE_USUARIO } from '../../partes/nomes.ts';
import type { Papel } from '../../sessao/sessao.tsx';
import { type Alcance, CampoDoAlcance, clientesDo, faltaNoAlcance } from './alcance.tsx';

const SEM_LIMITE: Alcance = { limitado: false, empresas: [] };

const SOBRE: Readonly<Record<Papel, string>> = {
  administrador: 'Tudo do escritório: usuários, integração, retenção e auditoria.',
  operador: 'O trabalho diário: documentos, importações, clientes e finalidade.',
  cliente: 'Vê os documentos das suas empresas, e envia os delas.',
};

/** Who is to come in, and what for; a link for them comes of it. */
export function Convidar({
  fechar,
  mostrar,
}: {
  fechar: () => void;
  mostrar: (link: { link: string; expiraEm: string; nome: string }) => void;
}) {
  const form = useForm({
    initialValues: { nome: '', email: '', papel: 'operador' as Papel, alcance: SEM_LIMITE },
    validate: {
      nome: (value) => (value.trim() === '' ? 'Informe o nome.' : null),
      email: (value) => (value.includes('@') ? null : 'Informe o e-mail.'),
      alcance: (value, { papel }) => faltaNoAlcance(papel, value),
    },
  });
  const convidar = useAcao('POST /usuarios', {
    renova: ['GET /usuarios'],
    aoDarCerto: ({ link, expiraEm }, { corpo }) => mostrar({ link, expiraEm, nome: corpo.nome }),
  });
  return (
    <Formulario
      acao={convidar}
      botao="Convidar"
      aoEnviar={form.onSubmit(({ alcance, ...corpo }) =>
        convidar.mutate({ corpo: { ...corpo, clientes: clientesDo(corpo.papel, alcance) } }),
      )}
      fechar={fechar}
    >
      <TextInput label="Nome" data-autofocus {...form.getInputProps('nome')} />
      <TextInput label="E-mail" type="email" {...form.getInputProps('email')} />
      <Radio.Group label="Papel" {...form.getInputProps('papel')}>
        <Stack gap="xs" mt="xs">
          {opcoes(PAPEIS_DE_USUARIO).map(({ value, label }) => (
            <Radio key={value} value={value} label={label} description={SOBRE[value as Papel]} />
          ))}
        </Stack>
      </Radio.Group>
      <CampoDoAlcance
        papel={form.values.papel}
        alcance={form.values.alcance}
        erro={(form.errors.alcance as string | undefined) ?? null}
        mudar={(alcance) => form.setFieldValue('alcance', alcance)}
      />
    </Formulario>
  );
}
