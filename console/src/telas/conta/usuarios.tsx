import { Alert, Button, Code, Group, Menu, Modal, Stack, Text } from '@mantine/core';
import { IconDots, IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import type { Item, Resposta } from '../../api/rotas.ts';
import { formatHaQuanto, formatInstante } from '../../formatos/datas.ts';
import { formatInteiro } from '../../formatos/numeros.ts';
import { semAcentos } from '../../formatos/textos.ts';
import { useAosPoucos } from '../../partes/aos-poucos.ts';
import { avisar, tellFalha } from '../../partes/avisos.ts';
import { CampoDeBusca } from '../../partes/campo-de-busca.tsx';
import { Confirmar } from '../../partes/confirmar.tsx';
import { BotaoCopiar } from '../../partes/copiar.tsx';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { MostrarMais } from '../../partes/mostrar-mais.tsx';
import { PAPEIS_DE_USUARIO } from '../../partes/nomes.ts';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { useSessao } from '../../sessao/sessao.tsx';
import { Convidar } from './convidar.tsx';
import { MudarUsuario } from './mudar-usuario.tsx';

type Usuario = Item<'GET /usuarios'>;
/** A link by which somebody sets their password, and whose it is. */
type LinkDeAcesso = Pick<Resposta<'POST /usuarios'>, 'link' | 'expiraEm'> & { nome: string };

/** With fewer people one sees at a glance who is there. */
const PROCURA_A_PARTIR_DE = 10;

/** Every word of the search is in the name, the address, or the name or number of the company. */
function encontrados(usuarios: readonly Usuario[], busca: string): readonly Usuario[] {
  const palavras = semAcentos(busca).split(/\s+/).filter(Boolean);
  if (palavras.length === 0) return usuarios;
  return usuarios.filter(({ nome, email, clientes }) => {
    const empresas = (clientes ?? []).map((um) => `${um.nome} ${um.cpfCnpj}`).join(' ');
    const texto = semAcentos(`${nome} ${email} ${empresas}`);
    return palavras.every((palavra) => texto.includes(palavra));
  });
}

/** The one company by its name, several by how many there are. */
const asEmpresas = (clientes: readonly { nome: string }[]) =>
  clientes.length === 1 ? clientes[0]?.nome : `${formatInteiro(clientes.length)} empresas`;

const COLUNAS: readonly Coluna<Usuario>[] = [
  { id: 'nome', titulo: 'Pessoa', noCartao: 'titulo', celula: (usuario) => <Pessoa usuario={usuario} /> },
  {
    id: 'papel',
    titulo: 'Papel',
    celula: ({ papel, clientes }) => (
      <>
        {PAPEIS_DE_USUARIO[papel] ?? papel}
        {clientes && (
          <Text size="xs" c="dimmed">
            {asEmpresas(clientes)}
          </Text>
        )}
      </>
    ),
  },
  { id: 'situacao', titulo: 'Situação', celula: (usuario) => <Situacao usuario={usuario} /> },
  {
    id: 'acesso',
    titulo: 'Último acesso',
    junta: true,
    celula: ({ entrouEm }) => formatHaQuanto(entrouEm),
  },
];

function Pessoa({ usuario: { id, nome, email } }: { usuario: Usuario }) {
  const eu = useSessao().usuario;
  return (
    <>
      <Text size="sm" fw={600}>
        {nome} {id === eu.id && <Etiqueta cor="malote">você</Etiqueta>}
      </Text>
      <Text size="xs" c="dimmed" className="quebra">
        {email}
      </Text>
    </>
  );
}

function Situacao({ usuario: { situacao, totpAtivo } }: { usuario: Usuario }) {
  return (
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
  );
}

export default function Usuarios() {
  const [convidando, setConvidando] = useState(false);
  const [editado, setEditado] = useState<Usuario | null>(null);
  const [link, setLink] = useState<LinkDeAcesso | null>(null);
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
      <Pessoas editar={setEditado} mostrar={setLink} />
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
        {editado && <MudarUsuario usuario={editado} fechar={() => setEditado(null)} />}
      </Modal>
    </Stack>
  );
}

interface AcoesDeUmUsuario {
  editar: (usuario: Usuario) => void;
  mostrar: (link: LinkDeAcesso) => void;
}

/** Who has an account, found by typing where they are many. */
function Pessoas({ editar, mostrar }: AcoesDeUmUsuario) {
  const lista = useConsulta('GET /usuarios');
  const [busca, setBusca] = useState('');
  const { linhas, mais } = useAosPoucos(encontrados(lista.data?.itens ?? [], busca));
  const acoes: Coluna<Usuario> = {
    id: 'acoes',
    titulo: 'Ações',
    noCartao: 'lado',
    celula: (usuario) => <Acoes usuario={usuario} editar={editar} mostrar={mostrar} />,
  };
  return (
    <Consultado consulta={lista} esperando={<Linhas quantas={4} altura={50} />}>
      {({ itens }) => (
        <>
          {itens.length > PROCURA_A_PARTIR_DE && (
            <CampoDeBusca
              maw={480}
              rotulo="Buscar pessoa por nome, e-mail ou empresa"
              placeholder={`Nome, e-mail ou empresa, entre ${formatInteiro(itens.length)}`}
              value={busca}
              mudar={setBusca}
            />
          )}
          {linhas.length === 0 ? (
            <Vazio titulo="Ninguém com esse nome" />
          ) : (
            <Tabela<Usuario, number>
              nome="Usuários"
              colunas={[...COLUNAS, acoes]}
              linhas={linhas}
              id={({ id }) => id}
            />
          )}
          <MostrarMais lista={mais} linhas={linhas.length} />
        </>
      )}
    </Consultado>
  );
}

/** Shown this once: only a hash of it is kept. */
function Link({ link, expiraEm, nome, fechar }: LinkDeAcesso & { fechar: () => void }) {
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
          Com ele a pessoa define a própria senha. Vale até {formatInstante(expiraEm)} e não será mostrado de
          novo.
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

function Acoes({ usuario, editar, mostrar }: AcoesDeUmUsuario & { usuario: Usuario }) {
  const caminho = { id: usuario.id };
  const redefinir = useAcao('POST /usuarios/{id}/redefinir', {
    aoDarCerto: (novo) => mostrar({ ...novo, nome: usuario.nome }),
  });
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
            <Menu.Item onClick={() => editar(usuario)}>Mudar</Menu.Item>
            <Menu.Item onClick={() => void redefinir.mutateAsync({ caminho, corpo: {} }).catch(tellFalha)}>
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
