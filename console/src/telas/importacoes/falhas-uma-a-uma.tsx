import { Button, Text } from '@mantine/core';
import { useAcao, useConsulta, usePaginas } from '../../api/consulta.ts';
import type { Item } from '../../api/rotas.ts';
import { formatInstante } from '../../formatos/datas.ts';
import { avisar, tellFalha } from '../../partes/avisos.ts';
import { Chave } from '../../partes/chave.tsx';
import { Elo } from '../../partes/elo.tsx';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import { MostrarMais } from '../../partes/mostrar-mais.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { MarcarFalhas } from './marcar-falhas.tsx';

type Falha = Item<'GET /falhas/itens'>;
const POR_VEZ = 50;
const lugarDe = ({ arquivo, ordem }: Falha) => `${arquivo.id}/${ordem}`;

const ONDE: Coluna<Falha> = {
  id: 'onde',
  titulo: 'Onde',
  noCartao: 'titulo',
  celula: ({ arquivo, caminho, chave, documentoId, em }) => (
    <div className="quebra" style={{ minWidth: 170, maxWidth: 420 }}>
      <Elo para={`/importacoes/${arquivo.id}`} size="sm" fw={600}>
        {arquivo.nome}
      </Elo>
      {caminho && <Text size="xs">{caminho}</Text>}
      <Chave chave={chave} documentoId={documentoId} />
      <Text size="xs" c="dimmed">
        {formatInstante(em)}
      </Text>
    </div>
  ),
};
const PROBLEMA: Coluna<Falha> = {
  id: 'problema',
  titulo: 'Problema',
  celula: ({ mensagem, causa }) => <span className="quebra">{mensagem ?? causa ?? '–'}</span>,
};
const COLUNAS: readonly Coluna<Falha>[] = [
  ONDE,
  PROBLEMA,
  {
    id: 'acao',
    titulo: 'Ação',
    noCartao: 'lado',
    celula: ({ codigo, arquivo, ordem }) => (
      <MarcarFalhas codigo={codigo} quantas={1} ate={null} itens={[{ arquivo: arquivo.id, ordem }]} />
    ),
  },
];

/** The failures of one cause. */
export function FalhasUmaAUma({ codigo }: { codigo: string }) {
  const lista = usePaginas('GET /falhas/itens', { query: { codigo, Tamanho: POR_VEZ } });
  return (
    <Consultado consulta={lista} esperando={<Linhas quantas={3} altura={60} />}>
      {({ pages }) => {
        const linhas = pages.flatMap(({ itens }) => itens);
        return (
          <div className="folha" style={{ overflow: 'hidden' }}>
            <Tabela<Falha, string> nome="Falhas desta causa" colunas={COLUNAS} linhas={linhas} id={lugarDe} />
            <MostrarMais lista={lista} linhas={linhas.length} />
          </div>
        );
      }}
    </Consultado>
  );
}

const VISTAS: readonly Coluna<Falha>[] = [
  ONDE,
  PROBLEMA,
  {
    id: 'marca',
    titulo: 'O que se disse',
    celula: ({ marca }) =>
      marca && (
        <div className="quebra" style={{ maxWidth: 320 }}>
          <Text size="sm">
            <b>{marca.situacao === 'visto' ? 'Vista' : 'Resolvida'}</b>: {marca.motivo}
          </Text>
          <Text size="xs" c="dimmed">
            {marca.por}, {formatInstante(marca.em)}
          </Text>
        </div>
      ),
  },
  {
    id: 'acao',
    titulo: 'Ação',
    noCartao: 'lado',
    celula: (falha) => falha.marca?.reabre && <Reabrir falha={falha} />,
  },
];

function Reabrir({ falha: { arquivo, ordem } }: { falha: Falha }) {
  const reabrir = useAcao('POST /falhas/reabrir', {
    renova: ['GET /falhas', 'GET /falhas/itens', 'GET /inicio'],
    aoDarCerto: () => avisar('A falha está aberta de novo.'),
  });
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      loading={reabrir.isPending}
      onClick={() =>
        void reabrir.mutateAsync({ corpo: { itens: [{ arquivo: arquivo.id, ordem }] } }).catch(tellFalha)
      }
    >
      Reabrir
    </Button>
  );
}

/** What somebody has seen or solved, the last first. */
export function FalhasVistas() {
  const lista = useConsulta('GET /falhas/itens', { query: { quais: 'vistas' } });
  return (
    <Consultado consulta={lista} esperando={<Linhas altura={60} />}>
      {({ itens }) =>
        itens.length === 0 ? (
          <Vazio titulo="Nenhuma ainda">
            Aqui fica quem deu uma falha por vista ou resolvida, e por quê; também o que se resolveu sozinho.
          </Vazio>
        ) : (
          <Tabela<Falha, string>
            nome="Falhas vistas e resolvidas"
            colunas={VISTAS}
            linhas={itens}
            id={lugarDe}
          />
        )
      }
    </Consultado>
  );
}
