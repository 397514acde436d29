import { Modal, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation } from 'wouter';
import { useAcao } from '../../api/consulta.ts';
import { cleanCpfCnpj, cpfCnpjValido, formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { avisar } from '../../partes/avisos.ts';
import { Formulario } from '../../partes/formulario.tsx';

export function NovoCliente({ aberto, fechar }: { aberto: boolean; fechar: () => void }) {
  return (
    <Modal opened={aberto} onClose={fechar} title="Novo cliente">
      {aberto && <Cadastrar fechar={fechar} />}
    </Modal>
  );
}

/** A client as it is typed and judged. */
const useFormulario = () =>
  useForm({
    initialValues: { cpfCnpj: '', nome: '', email: '', trabalhaComProcuracao: false },
    validateInputOnBlur: ['cpfCnpj'],
    validate: {
      cpfCnpj: (value) => (cpfCnpjValido(value) ? null : 'CPF ou CNPJ com dígitos que não conferem.'),
      nome: (value) => (value.trim() === '' ? 'Informe o nome.' : null),
      email: (value) => (value.includes('@') ? null : 'Informe um e-mail.'),
    },
  });

function Cadastrar({ fechar }: { fechar: () => void }) {
  const [, irPara] = useLocation();
  const form = useFormulario();
  const criar = useAcao('POST /clientes', {
    renova: ['GET /clientes', 'GET /retidos', 'GET /documentos'],
    aoDarCerto: (_, { corpo }) => {
      avisar(`${corpo.nome} está cadastrado.`);
      fechar();
      irPara(`/clientes/${corpo.cpfCnpj}`);
    },
  });
  const obrigatorio = (campo: 'cpfCnpj' | 'nome' | 'email') => ({
    required: true,
    withAsterisk: false,
    ...form.getInputProps(campo),
  });
  return (
    <Formulario
      acao={criar}
      botao="Cadastrar"
      aoEnviar={form.onSubmit((valores) =>
        criar.mutate({
          corpo: { ...valores, cpfCnpj: cleanCpfCnpj(valores.cpfCnpj), nome: valores.nome.trim() },
        }),
      )}
      fechar={fechar}
    >
      <TextInput
        label="CPF ou CNPJ"
        description="Também os CNPJ com letras."
        data-autofocus
        {...obrigatorio('cpfCnpj')}
        onBlur={(event) => {
          form.getInputProps('cpfCnpj').onBlur(event);
          form.setFieldValue('cpfCnpj', formatarCpfCnpj(event.currentTarget.value));
        }}
      />
      <TextInput label="Nome ou razão social" {...obrigatorio('nome')} />
      <TextInput label="E-mail" type="email" {...obrigatorio('email')} />
      <Switch
        label="O escritório trabalha com procuração"
        description="A captura, quando ligada, usa o certificado do escritório no lugar do do cliente."
        {...form.getInputProps('trabalhaComProcuracao', { type: 'checkbox' })}
      />
    </Formulario>
  );
}
