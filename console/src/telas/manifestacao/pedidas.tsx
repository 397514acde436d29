import { Paper, Text } from '@mantine/core';
import type { Resposta } from '../../api/rotas.ts';
import { formatInstante } from '../../formatos/datas.ts';
import { DuasLinhas } from '../../partes/duas-linhas.tsx';
import { Vazio } from '../../partes/estados.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';

type Pedida = Resposta<'GET /manifestacoes'>['pedidas'][number];

const ESTADOS: Readonly<Record<string, [cor: string, nome: string]>> = {
  pendente: ['blue', 'espera o envio'],
  enviando: ['blue', 'sendo enviada'],
  registrada: ['teal', 'registrada'],
  recusada: ['red', 'recusada'],
};

function EstadoDaPedida({ estado }: { estado: string }) {
  const [cor, nome] = ESTADOS[estado] ?? ['gray', estado];
  return <Etiqueta cor={cor}>{nome}</Etiqueta>;
}

const COLUNAS: readonly Coluna<Pedida>[] = [
  {
    id: 'nome',
    titulo: 'Manifestação',
    noCartao: 'titulo',
    celula: ({ nome, chave }) => <DuasLinhas titulo={nome} detalhe={chave} mono />,
  },
  {
    id: 'estado',
    titulo: 'Estado',
    noCartao: 'lado',
    celula: ({ estado }) => <EstadoDaPedida estado={estado} />,
  },
  { id: 'em', titulo: 'Pedida', junta: true, celula: ({ pedidaEm }) => formatInstante(pedidaEm) },
  {
    id: 'resposta',
    titulo: 'O que a SEFAZ disse',
    celula: ({ diz, fazer, resposta, nProt }) =>
      diz === null ? (
        'ainda nada'
      ) : (
        <>
          <Text size="sm">
            {diz} {fazer}
          </Text>
          <Text size="xs" c="dimmed">
            {resposta}
            {nProt ? ` · protocolo ${nProt}` : ''}
          </Text>
        </>
      ),
  },
];

/** What was asked to be said, and what became of it. */
export function Pedidas({ pedidas }: { pedidas: readonly Pedida[] }) {
  return (
    <Paper className="folha" style={{ overflow: 'hidden' }}>
      {pedidas.length === 0 ? (
        <Vazio titulo="Nada foi pedido ainda">O que for pedido aparece aqui com a resposta da SEFAZ.</Vazio>
      ) : (
        <Tabela<Pedida, string>
          nome="Manifestações pedidas"
          colunas={COLUNAS}
          linhas={pedidas}
          id={({ chave, codigo }) => `${chave} ${codigo}`}
        />
      )}
    </Paper>
  );
}
