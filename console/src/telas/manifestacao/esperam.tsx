import { Anchor, Paper, Text } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { useConsulta } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { formatInteiro } from '../../formatos/numeros.ts';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { useClienteAtual } from '../../sessao/cliente-atual.tsx';
import { Prazo } from './notas.tsx';

type Cliente = Resposta<'GET /manifestacoes/clientes'>['clientes'][number];

/** Leads to the notes of the client, as choosing it does. */
function Nome({ cliente: { cpfCnpj, nome } }: { cliente: Cliente }) {
  const { escolher } = useClienteAtual();
  return (
    <>
      <Anchor component="button" type="button" size="sm" fw={600} ta="left" onClick={() => escolher(cpfCnpj)}>
        {nome}
      </Anchor>
      <Text size="xs" c="dimmed" className="mono quebra">
        {formatarCpfCnpj(cpfCnpj)}
      </Text>
    </>
  );
}

const COLUNAS: readonly Coluna<Cliente>[] = [
  {
    id: 'cliente',
    titulo: 'Cliente',
    noCartao: 'titulo',
    corta: true,
    celula: (cliente) => <Nome cliente={cliente} />,
  },
  {
    id: 'notas',
    titulo: 'Notas a manifestar',
    numero: true,
    celula: ({ notas, haMais }) => `${haMais ? 'mais de ' : ''}${formatInteiro(notas)}`,
  },
  { id: 'sem_xml', titulo: 'Só o resumo', numero: true, celula: ({ semXml }) => formatInteiro(semXml) },
  {
    id: 'ciencia',
    titulo: 'Primeira Ciência acaba',
    celula: ({ cienciaDias }) => <Prazo dias={cienciaDias} />,
  },
  {
    id: 'conclusiva',
    titulo: 'Primeira conclusiva acaba',
    celula: ({ conclusivaDias }) => <Prazo dias={conclusivaDias} poucos={10} />,
  },
];

/** Which clients have something to say, the first term to end first. */
export function ClientesQueEsperam() {
  const consulta = useConsulta('GET /manifestacoes/clientes');
  return (
    <Consultado consulta={consulta} esperando={<Linhas />}>
      {({ clientes }) => (
        <Paper className="folha" style={{ overflow: 'hidden' }}>
          {clientes.length === 0 ? (
            <Vazio titulo="Nenhum cliente espera" icone={<IconChecks size={26} />}>
              Nenhuma nota recebida nos últimos 90 dias espera manifestação, de cliente algum.
            </Vazio>
          ) : (
            <Tabela<Cliente, string>
              nome="Clientes com notas a manifestar"
              colunas={COLUNAS}
              linhas={clientes}
              id={({ cpfCnpj }) => cpfCnpj}
            />
          )}
        </Paper>
      )}
    </Consultado>
  );
}
