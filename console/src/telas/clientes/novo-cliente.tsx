import { Button, Group, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation } from 'wouter';
import { useAcao } from '../../api/consulta.ts';
import { cpfCnpjValido, formatarCpfCnpj, limparCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { avisar } from '../../partes/avisos.ts';
import { Erro } from '../../partes/estados.tsx';

export function NovoCliente({ aberto, fechar }: { aberto: boolean; fechar: () => void }) {
  return (
    <Modal opened={aberto} onClose={fechar} title="Novo cliente">
      {aberto && <Formulario fechar={fechar} />}
    </Modal>
  );
}

function Formulario({ fechar }: { fechar: () => void }) {
  const [, irPara] = useLocation();
  const form = useForm({
    initialValues: { cpfCnpj: '', nome: '', email: '', trabalhaComProcuracao: false },
    validateInputOnBlur: ['cpfCnpj'],
    validate: {
      cpfCnpj: (value) => (cpfCnpjValido(value) ? null : 'CPF ou CNPJ com dígitos que não conferem.'),
      nome: (value) => (value.trim() === '' ? 'Informe o nome.' : null),
      email: (value) => (value.includes('@') ? null : 'Informe um e-mail.'),
    },
  });
  const criar = useAcao('POST /clientes', {
    renova: ['GET /clientes', 'GET /retidos', 'GET /documentos'],
    aoDarCerto: (_, { corpo }) => {
      avisar(`${corpo.nome} está cadastrado.`);
      fechar();
      irPara(`/clientes/${corpo.cpfCnpj}`);
    },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((valores) =>
        criar.mutate({
          corpo: { ...valores, cpfCnpj: limparCpfCnpj(valores.cpfCnpj), nome: valores.nome.trim() },
        }),
      )}
    >
      <Stack>
        <TextInput
          label="CPF ou CNPJ"
          description="Também os CNPJ com letras."
          data-autofocus
          required
          withAsterisk={false}
          {...form.getInputProps('cpfCnpj')}
          onBlur={(event) => {
            form.getInputProps('cpfCnpj').onBlur(event);
            form.setFieldValue('cpfCnpj', formatarCpfCnpj(event.currentTarget.value));
          }}
        />
        <TextInput
          label="Nome ou razão social"
          required
          withAsterisk={false}
          {...form.getInputProps('nome')}
        />
        <TextInput
          label="E-mail"
          type="email"
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
        />
        <Switch
          label="O escritório trabalha com procuração"
          description="Os documentos são obtidos com o certificado do escritório, sem o do cliente."
          {...form.getInputProps('trabalhaComProcuracao', { type: 'checkbox' })}
        />
        {criar.error && <Erro falha={criar.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={fechar}>
            Cancelar
          </Button>
          <Button type="submit" loading={criar.isPending}>
            Cadastrar
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
