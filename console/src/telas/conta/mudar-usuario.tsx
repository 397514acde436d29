import { Select, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAcao } from '../../api/consulta.ts';
import type { Item } from '../../api/rotas.ts';
import { avisar } from '../../partes/avisos.ts';
import { Formulario } from '../../partes/formulario.tsx';
import { opcoes, PAPEIS_DE_USUARIO } from '../../partes/nomes.ts';
import type { Papel } from '../../sessao/sessao.tsx';
import { CampoDoAlcance, clientesDo, faltaNoAlcance } from './alcance.tsx';

type Usuario = Item<'GET /usuarios'>;

/** Name, role, and whether this person may still log in. */
export function MudarUsuario({ usuario, fechar }: { usuario: Usuario; fechar: () => void }) {
  const form = useForm({
    initialValues: {
      nome: usuario.nome,
      papel: usuario.papel as Papel,
      ativo: usuario.ativo,
      alcance: { limitado: usuario.clientes !== null, empresas: usuario.clientes ?? [] },
    },
    validate: {
      alcance: (value, { papel }) => faltaNoAlcance(papel, value),
    },
  });
  const mudar = useAcao('PUT /usuarios/{id}', {
    renova: ['GET /usuarios'],
    aoDarCerto: () => {
      avisar('Usuário mudado.');
      fechar();
    },
  });
  return (
    <Formulario
      acao={mudar}
      botao="Salvar"
      aoEnviar={form.onSubmit(({ nome, papel, ativo, alcance }) =>
        mudar.mutate({
          caminho: { id: usuario.id },
          corpo: { nome, papel, ativo, clientes: clientesDo(papel, alcance) },
        }),
      )}
      fechar={fechar}
    >
      <TextInput label="Nome" {...form.getInputProps('nome')} />
      <Select
        label="Papel"
        data={opcoes(PAPEIS_DE_USUARIO)}
        allowDeselect={false}
        {...form.getInputProps('papel')}
      />
      <CampoDoAlcance
        papel={form.values.papel}
        alcance={form.values.alcance}
        erro={(form.errors.alcance as string | undefined) ?? null}
        mudar={(alcance) => form.setFieldValue('alcance', alcance)}
      />
      <Switch label="Pode entrar" {...form.getInputProps('ativo', { type: 'checkbox' })} />
    </Formulario>
  );
}
