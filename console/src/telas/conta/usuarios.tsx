import {
  Alert,
  Button,
  Code,
  Group,
  Menu,
  Modal,
  Radio,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconDots, IconSearch, IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import type { Item } from '../../api/rotas.ts';
import { formatarHaQuanto, formatarInstante } from '../../formatos/datas.ts';
import { formatarInteiro } from '../../formatos/numeros.ts';
import { semAcentos } from '../../formatos/textos.ts';
import { useAosPoucos } from '../../partes/aos-poucos.ts';
import { avisar, avisarFalha } from '../../partes/avisos.ts';
import { Confirmar } from '../../partes/confirmar.tsx';
import { BotaoCopiar } from '../../partes/copiar.tsx';
import { EscolhaDeCliente } from '../../partes/escolha-de-cliente.tsx';
import { Consultado, Erro, Linhas, Vazio } from '../../partes/estados.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { MostrarMais } from '../../partes/mostrar-mais.tsx';
import { opcoes, PAPEIS_DE_USUARIO } from '../../partes/nomes.ts';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { type Papel, useSessao } from '../../sessao/sessao.tsx';

type Usuario = Item<'GET /usuarios'>;

const SOBRE: Readonly<Record<Papel, string>> = {
  administrador: 'Tudo do escritório: usuários, integração, retenção e auditoria.',
  operador: 'O trabalho diário: documentos, importações, clientes e finalidade.',
  cliente: 'Só os documentos de uma empresa.',
};

/** With fewer people one sees at a glance who is there. */
const PROCURA_A_PARTIR_DE = 10;

/** Every word of the search is in the name, the address, or the name or number of the company. */
function encontrados(usuarios: readonly Usuario[], busca: string): readonly Usuario[] {
  const palavras = semAcentos(busca).split(/\s+/).filter(Boolean);
  if (palavras.length === 0) return usuarios;
  return usuarios.filter(({ nome, email, cliente }) => {
    const texto = semAcentos(`${nome} ${email} ${cliente?.nome ?? ''} ${cliente?.cpfCnpj ?? ''}`);
    return palavras.every((palavra) => texto.includes(palavra));
  });
}

export default function Usuarios() {
  const { usuario: eu } = useSessao();
  const lista = useConsulta('GET /usuarios');
  const [busca, setBusca] = useState('');
  const achados = encontrados(lista.data?.itens ?? [], busca);
  const { linhas, mais } = useAosPoucos(achados);
  const [convidando, setConvidando] = useState(false);
  const [editado, setEditado] = useState<Usuario | null>(null);
  const [link, setLink] = useState<{ link: string; expiraEm: string; nome: string } | null>(null);
  const colunas: readonly Coluna<Usuario>[] = [
    {
      id: 'nome',
      titulo: 'Pessoa',
      noCartao: 'titulo',
      celula: ({ id, nome, email }) => (
        <>
          <Text size="sm" fw={600}>
            {nome} {id === eu.id && <Etiqueta cor="malote">você</Etiqueta>}
          </Text>
          <Text size="xs" c="dimmed" className="quebra">
            {email}
          </Text>
        </>
      ),
    },
    {
      id: 'papel',
      titulo: 'Papel',
      celula: ({ papel, cliente }) => (
        <>
          {PAPEIS_DE_USUARIO[papel] ?? papel}
          {cliente && (
            <Text size="xs" c="dimmed">
              {cliente.nome}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'situacao',
      titulo: 'Situação',
      celula: ({ situacao, totpAtivo }) => (
        <Group gap={4}>
          {situacao === 'desativado' ? (
            <Etiqueta cor="gray">inativo</Etiqueta>
          ) : situacao === 'convidado' ? (
            <Etiqueta cor="yellow">convidado</Etiqueta>
          ) : (
            <Etiqueta cor="teal">ativo</Etiqueta>
          )}
          {totpAtivo && <Etiqueta cor="blue">duas etapas</Etiqueta>}
        </Group>
      ),
    },
    {
      id: 'acesso',
      titulo: 'Último acesso',
      junta: true,
      celula: ({ entrouEm }) => formatarHaQuanto(entrouEm),
    },
    {
      id: 'acoes',
      titulo: 'Ações',
      noCartao: 'lado',
      celula: (usuario) => (
        <Acoes
          usuario={usuario}
          editar={() => setEditado(usuario)}
          mostrar={(novo) => setLink({ ...novo, nome: usuario.nome })}
        />
      ),
    },
  ];
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Quem entra no console deste escritório.
        </Text>
        <Button leftSection={<IconUserPlus size={16} />} onClick={() => setConvidando(true)}>
          Convidar
        </Button>
      </Group>
      {link && <Link {...link} fechar={() => setLink(null)} />}
      <Consultado consulta={lista} esperando={<Linhas quantas={4} altura={50} />}>
        {({ itens }) => (
          <>
            {itens.length > PROCURA_A_PARTIR_DE && (
              <TextInput
                type="search"
                maw={480}
                aria-label="Buscar pessoa por nome, e-mail ou empresa"
                placeholder={`Nome, e-mail ou empresa, entre ${formatarInteiro(itens.length)}`}
                leftSection={<IconSearch size={16} aria-hidden />}
                value={busca}
                onChange={(event) => setBusca(event.currentTarget.value)}
              />
            )}
            {linhas.length === 0 ? (
              <Vazio titulo="Ninguém com esse nome" />
            ) : (
              <Tabela<Usuario, number>
                nome="Usuários"
                colunas={colunas}
                linhas={linhas}
                id={({ id }) => id}
              />
            )}
            <MostrarMais lista={mais} linhas={linhas.length} />
          </>
        )}
      </Consultado>
      <Modal opened={convidando} onClose={() => setConvidando(false)} title="Convidar uma pessoa">
        {convidando && (
          <Convidar
            fechar={() => setConvidando(false)}
            mostrar={(novo) => {
              setConvidando(false);
              setLink(novo);
            }}
          />
        )}
      </Modal>
      <Modal opened={editado !== null} onClose={() => setEditado(null)} title="Mudar o usuário">
        {editado && <Mudar usuario={editado} fechar={() => setEditado(null)} />}
      </Modal>
    </Stack>
  );
}

/** Shown this once: only a hash of it is kept. */
function Link({
  link,
  expiraEm,
  nome,
  fechar,
}: {
  link: string;
  expiraEm: string;
  nome: string;
  fechar: () => void;
}) {
  return (
    <Alert
      color="teal"
      withCloseButton
      onClose={fechar}
      title={`Envie este endereço a ${nome}`}
      role="status"
    >
      <Stack gap="xs">
        <Text size="sm">
          Com ele a pessoa define a própria senha. Vale até {formatarInstante(expiraEm)} e não será mostrado
          de novo.
        </Text>
        <Code block className="quebra" style={{ whiteSpace: 'pre-wrap' }}>
          {link}
        </Code>
        <div>
          <BotaoCopiar valor={link}>Copiar o endereço</BotaoCopiar>
        </div>
      </Stack>
    </Alert>
  );
}

function Acoes({
  usuario,
  editar,
  mostrar,
}: {
  usuario: Usuario;
  editar: () => void;
  mostrar: (link: { link: string; expiraEm: string }) => void;
}) {
  const caminho = { id: usuario.id };
  const redefinir = useAcao('POST /usuarios/{id}/redefinir', { aoDarCerto: mostrar });
  const remover = useAcao('DELETE /usuarios/{id}', {
    renova: ['GET /usuarios'],
    aoDarCerto: () => avisar('Usuário removido.'),
  });
  return (
    <Confirmar
      pergunta={`Remover ${usuario.nome}?`}
      detalhe="A pessoa perde o acesso na hora. O que ela fez continua na auditoria."
      acao="Remover"
      aoConfirmar={() => remover.mutateAsync({ caminho })}
    >
      {(open) => (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Button size="compact-sm" variant="subtle" color="gray" aria-label={`Ações de ${usuario.nome}`}>
              <IconDots size={17} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={editar}>Mudar</Menu.Item>
            <Menu.Item onClick={() => void redefinir.mutateAsync({ caminho, corpo: {} }).catch(avisarFalha)}>
              Novo endereço para a senha
            </Menu.Item>
            <Menu.Item color="red" onClick={open}>
              Remover
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </Confirmar>
  );
}

function Convidar({
  fechar,
  mostrar,
}: {
  fechar: () => void;
  mostrar: (link: { link: string; expiraEm: string; nome: string }) => void;
}) {
  const form = useForm({
    initialValues: { nome: '', email: '', papel: 'operador' as Papel, cliente: null as string | null },
    validate: {
      nome: (value) => (value.trim() === '' ? 'Informe o nome.' : null),
      email: (value) => (value.includes('@') ? null : 'Informe o e-mail.'),
      cliente: (value, { papel }) => (papel === 'cliente' && !value ? 'Escolha a empresa.' : null),
    },
  });
  const convidar = useAcao('POST /usuarios', {
    renova: ['GET /usuarios'],
    aoDarCerto: ({ link, expiraEm }, { corpo }) => mostrar({ link, expiraEm, nome: corpo.nome }),
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ cliente, ...corpo }) =>
        convidar.mutate({
          corpo: { ...corpo, ...(corpo.papel === 'cliente' && cliente ? { cpfCnpj: cliente } : {}) },
        }),
      )}
    >
      <Stack>
        <TextInput label="Nome" data-autofocus {...form.getInputProps('nome')} />
        <TextInput label="E-mail" type="email" {...form.getInputProps('email')} />
        <Radio.Group label="Papel" {...form.getInputProps('papel')}>
          <Stack gap="xs" mt="xs">
            {opcoes(PAPEIS_DE_USUARIO).map(({ value, label }) => (
              <Radio key={value} value={value} label={label} description={SOBRE[value as Papel]} />
            ))}
          </Stack>
        </Radio.Group>
        {form.values.papel === 'cliente' && (
          <EscolhaDeCliente label="Empresa" {...form.getInputProps('cliente')} />
        )}
        {convidar.error && <Erro falha={convidar.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={fechar}>
            Cancelar
          </Button>
          <Button type="submit" loading={convidar.isPending}>
            Convidar
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Mudar({ usuario, fechar }: { usuario: Usuario; fechar: () => void }) {
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
    <form
      noValidate
      onSubmit={form.onSubmit(({ nome, papel, ativo, cliente }) =>
        mudar.mutate({
          caminho: { id: usuario.id },
          corpo: { nome, papel: papel as Papel, ativo, ...(papel === 'cliente' ? { cpfCnpj: cliente } : {}) },
        }),
      )}
    >
      <Stack>
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
        {mudar.error && <Erro falha={mudar.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={fechar}>
            Cancelar
          </Button>
          <Button type="submit" loading={mudar.isPending}>
            Salvar
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
