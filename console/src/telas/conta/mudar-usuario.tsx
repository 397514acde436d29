import { Select, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAcao } from '../../api/consulta.ts';
import type { Item } from '../../api/rotas.ts';
import { avisar } from '../../partes/avisos.ts';
import { EscolhaDeCliente } from '../../partes/escolha-de-cliente.tsx';
import { Formulario } from '../../partes/formulario.tsx';
import { opcoes, PAPEIS_DE_USUARIO } from '../../partes/nomes.ts';
import type { Papel } from '../../sessao/sessao.tsx';

type Usuario = Item<'GET /usuarios'>;

/** Name, role, and whether this person may still log in. */
export function MudarUsuario({ usuario, fechar }: { usuario: Usuario; fechar: () => void }) {
  const form = useForm({
    initialValues: {
      nome: usuario.nome,
      papel: usuario.papel as string,
      ativo: usuario.ativo,
      cliente: usuario.cliente?.cpfCnpj ?? null,
    },
    validate: {
      cliente: (value, { papel }) => (papel === 'cliente' && !value ? 'Escolha a empresa.' : null),
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
      aoEnviar={form.onSubmit(({ nome, papel, ativo, cliente }) =>
        mudar.mutate({
          caminho: { id: usuario.id },
          corpo: { nome, papel: papel as Papel, ativo, ...(papel === 'cliente' ? { cpfCnpj: cliente } : {}) },
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
      {form.values.papel === 'cliente' && (
        <EscolhaDeCliente label="Empresa" {...form.getInputProps('cliente')} />
      )}
      <Switch label="Pode entrar" {...form.getInputProps('ativo', { type: 'checkbox' })} />
    </Formulario>
  );
}
