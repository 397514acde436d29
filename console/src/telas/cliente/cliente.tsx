import {
  Button,
  Group,
  Paper,
  SimpleGrid,
  Skeleton,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCloudSearch, IconFiles } from '@tabler/icons-react';
import { useLocation, useParams } from 'wouter';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import { formatHaQuanto, formatInstante } from '../../formatos/datas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { formatInteiro } from '../../formatos/numeros.ts';
import { avisar } from '../../partes/avisos.ts';
import { Copiar } from '../../partes/copiar.tsx';
import { Elo } from '../../partes/elo.tsx';
import { Consultado } from '../../partes/estados.tsx';
import { Formulario } from '../../partes/formulario.tsx';
import { Tela } from '../../partes/tela.tsx';
import { useClienteAtual } from '../../sessao/cliente-atual.tsx';
import type { ClienteAberto } from './aberto.ts';
import { Certificado } from './certificado.tsx';

export default function Cliente() {
  const { cpfCnpj = '' } = useParams();
  const [, irPara] = useLocation();
  const { escolher } = useClienteAtual();
  const consulta = useConsulta('GET /clientes/{cpfCnpj}', { caminho: { cpfCnpj } });
  const { data, error } = consulta;
  return (
    <Tela
      titulo={data?.nome ?? formatarCpfCnpj(cpfCnpj)}
      descricao={
        <Group gap={4}>
          <Elo para="/clientes" size="sm">
            Clientes
          </Elo>
          <span aria-hidden>/</span> {formatarCpfCnpj(cpfCnpj)}{' '}
          <Copiar valor={cpfCnpj} rotulo="Copiar o CPF ou CNPJ" />
        </Group>
      }
      acoes={
        (data || !error) && (
          <>
            <Button
              variant="default"
              leftSection={<IconCloudSearch size={16} />}
              onClick={() => irPara(`/captura/${cpfCnpj}`)}
            >
              Captura
            </Button>
            <Button
              variant="default"
              leftSection={<IconFiles size={16} />}
              onClick={() => {
                escolher(cpfCnpj);
                irPara('/documentos');
              }}
            >
              Ver os documentos
            </Button>
          </>
        )
      }
    >
      <Consultado
        consulta={consulta}
        esperando={
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            <Skeleton height={330} />
            <Skeleton height={330} />
          </SimpleGrid>
        }
      >
        {(aberto) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            <Dados key={cpfCnpj} cliente={aberto} />
            <Stack gap="md">
              <Certificado cliente={aberto} />
              <Andamento cliente={aberto} />
            </Stack>
          </SimpleGrid>
        )}
      </Consultado>
    </Tela>
  );
}

function Dados({ cliente }: { cliente: ClienteAberto }) {
  const { cpfCnpj, nome, email, trabalhaComProcuracao } = cliente;
  const form = useForm({
    initialValues: { nome, email, trabalhaComProcuracao },
    validate: {
      nome: (value) => (value.trim() === '' ? 'Informe o nome.' : null),
      email: (value) => (value.includes('@') ? null : 'Informe um e-mail.'),
    },
  });
  const gravar = useAcao('PUT /clientes/{cpfCnpj}', {
    renova: ['GET /clientes', 'GET /clientes/{cpfCnpj}'],
    aoDarCerto: () => {
      form.resetDirty();
      avisar('Dados do cliente salvos.');
    },
  });
  return (
    <Paper className="folha" p="md">
      <Formulario
        acao={gravar}
        botao="Salvar"
        pronto={form.isDirty()}
        aoEnviar={form.onSubmit((corpo) => gravar.mutate({ caminho: { cpfCnpj }, corpo }))}
      >
        <Title order={2}>Cadastro</Title>
        <TextInput label="CPF ou CNPJ" value={formatarCpfCnpj(cpfCnpj)} readOnly variant="filled" />
        <TextInput label="Nome ou razão social" {...form.getInputProps('nome')} />
        <TextInput label="E-mail" type="email" {...form.getInputProps('email')} />
        <Switch
          label="O escritório trabalha com procuração"
          {...form.getInputProps('trabalhaComProcuracao', { type: 'checkbox' })}
        />
      </Formulario>
    </Paper>
  );
}

function Andamento({ cliente }: { cliente: ClienteAberto }) {
  const { documentosNoMes, ultimoDocumentoEm, ultimoNsu, ultimoNsuLido } = cliente;
  const pares: [string, string][] = [
    ['Documentos neste mês', formatInteiro(documentosNoMes)],
    ['Último documento', formatHaQuanto(ultimoDocumentoEm)],
    ['Último NSU', formatInteiro(ultimoNsu)],
    [
      'Lido pelo ERP até',
      ultimoNsuLido
        ? `NSU ${formatInteiro(ultimoNsuLido.nsu)}, ${ultimoNsuLido.token}, ${formatInstante(ultimoNsuLido.em)}`
        : 'ninguém leu ainda',
    ],
  ];
  return (
    <Paper className="folha" p="md">
      <Title order={2} mb="sm">
        Andamento
      </Title>
      <dl className="pares">
        {pares.map(([rotulo, valor]) => (
          <div key={rotulo}>
            <dt>{rotulo}</dt>
            <dd>
              <Text size="sm" fw={600} component="span">
                {valor}
              </Text>
            </dd>
          </div>
        ))}
      </dl>
    </Paper>
  );
}
