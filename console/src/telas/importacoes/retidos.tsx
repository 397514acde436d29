import { Button, Modal, Text, TextInput } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useAcao, type usePaginas } from '../../api/consulta.ts';
import type { Item } from '../../api/rotas.ts';
import { formatDia } from '../../formatos/datas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { formatInteiro, plural } from '../../formatos/numeros.ts';
import { avisar } from '../../partes/avisos.ts';
import { colunaDaEmpresa } from '../../partes/duas-linhas.tsx';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import { Formulario } from '../../partes/formulario.tsx';
import { MostrarMais } from '../../partes/mostrar-mais.tsx';
import { PAPEIS_NO_DOCUMENTO } from '../../partes/nomes.ts';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { useSessao } from '../../sessao/sessao.tsx';
import { Provaveis } from './provaveis.tsx';

type Retido = Item<'GET /retidos'>;

const COLUNAS: readonly Coluna<Retido>[] = [
  colunaDaEmpresa('Empresa nos documentos'),
  {
    id: 'quantos',
    titulo: 'Documentos',
    numero: true,
    celula: ({ documentos }) => formatInteiro(documentos),
  },
  {
    id: 'periodo',
    titulo: 'Emissão',
    junta: true,
    celula: ({ primeiraEmissao, ultimaEmissao }) =>
      [...new Set([primeiraEmissao, ultimaEmissao].map(formatDia))].join(' a '),
  },
  {
    id: 'papeis',
    titulo: 'Como',
    celula: ({ papeis }) => papeis.map((papel) => PAPEIS_NO_DOCUMENTO[papel] ?? papel).join(', '),
  },
];

/** Documents of companies that nobody has registered: kept, shown to nobody, and delivered once they are. */
export function Retidos({ lista }: { lista: ReturnType<typeof usePaginas<'GET /retidos'>> }) {
  const [cadastrar, setCadastrar] = useState<Retido | null>(null);
  const linhas = lista.data?.pages.flatMap((pagina) => pagina.itens) ?? [];
  const acao: Coluna<Retido> = {
    id: 'acao',
    titulo: 'Ação',
    noCartao: 'lado',
    celula: (retido) => (
      <Button
        size="compact-sm"
        variant="light"
        leftSection={<IconUserPlus size={15} />}
        onClick={() => setCadastrar(retido)}
      >
        Cadastrar
      </Button>
    ),
  };
  return (
    <>
      <Consultado consulta={lista} esperando={<Linhas altura={50} />}>
        {({ pages }) =>
          linhas.length === 0 ? (
            <Vazio titulo="Nada retido">Todos os documentos recebidos são de clientes cadastrados.</Vazio>
          ) : (
            <>
              <Text size="sm" c="dimmed" p="sm">
                Documentos de empresas que não estão cadastradas ficam guardados aqui. Ao cadastrar, eles
                aparecem na hora, em ordem de chegada.
                {pages[0]?.limitado ? ' Há mais documentos retidos do que os contados aqui.' : ''}
              </Text>
              <Provaveis />
              <Text fw={600} px="sm" pb="xs">
                Todas as empresas dos documentos retidos
              </Text>
              <Tabela<Retido, string>
                nome="Empresas com documentos retidos"
                colunas={[...COLUNAS, acao]}
                linhas={linhas}
                id={({ cpfCnpj }) => cpfCnpj}
              />
              <MostrarMais lista={lista} linhas={linhas.length} />
            </>
          )
        }
      </Consultado>
      <Modal opened={cadastrar !== null} onClose={() => setCadastrar(null)} title="Cadastrar como cliente">
        {cadastrar && <Cadastrar retido={cadastrar} fechar={() => setCadastrar(null)} />}
      </Modal>
    </>
  );
}

function Cadastrar({ retido, fechar }: { retido: Retido; fechar: () => void }) {
  const { usuario } = useSessao();
  const [nome, setNome] = useState(retido.nome ?? '');
  const [email, setEmail] = useState(usuario.email);
  const criar = useAcao('POST /retidos/cadastrar', {
    // What was refused and came again is no failure once its company is a client.
    renova: ['GET /retidos', 'GET /retidos/provaveis', 'GET /clientes', 'GET /falhas'],
    aoDarCerto: (resposta) => {
      avisar(`Cadastrado: ${plural(resposta.documentos, 'documento recebido', 'documentos recebidos')}.`);
      fechar();
    },
  });
  return (
    <Formulario
      acao={criar}
      botao="Cadastrar"
      aoEnviar={() =>
        criar.mutate({ corpo: { cpfCnpj: retido.cpfCnpj, nome: nome.trim(), email: email.trim() } })
      }
      fechar={fechar}
      noValidate={false}
    >
      <Text size="sm">{formatarCpfCnpj(retido.cpfCnpj)}</Text>
      <TextInput
        label="Nome ou razão social"
        value={nome}
        onChange={(event) => setNome(event.currentTarget.value)}
        required
        data-autofocus
      />
      <TextInput
        label="E-mail"
        type="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        required
      />
    </Formulario>
  );
}
