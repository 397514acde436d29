import { Button, Modal, Paper, Title } from '@mantine/core';
import { useState } from 'react';
import { useConsulta } from '../../api/consulta.ts';
import { plural } from '../../formatos/numeros.ts';
import { Erro, Linhas } from '../../partes/estados.tsx';
import { Paginacao } from '../../partes/paginacao.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import type { DocumentoAberto } from './aberto.ts';
import { Campos, mostrar, NUMERICOS } from './grupos.tsx';

type Item = DocumentoAberto['itens']['itens'][number];

/** What a line of the printed form shows of an item; everything else stands in its details. */
const DA_LINHA = [
  'Código',
  'Descrição',
  'NCM',
  'CFOP',
  'Unidade',
  'Quantidade',
  'Valor unitário',
  'Valor dos produtos',
];
/** As many as the document itself brings. */
const POR_PAGINA = 200;

const campoDe = (item: Item, rotulo: string) => item.campos.find((campo) => campo.rotulo === rotulo);

export function Itens({ id, itens }: { id: number; itens: DocumentoAberto['itens'] }) {
  const [pagina, setPagina] = useState(1);
  const [aberto, setAberto] = useState<Item | null>(null);
  const outras = useConsulta(
    'GET /documentos/{id}/itens',
    { caminho: { id }, query: { Pagina: pagina, Tamanho: POR_PAGINA } },
    { ligada: pagina > 1, manter: true },
  );
  const linhas = pagina === 1 ? itens.itens : outras.data?.itens;
  const presentes = DA_LINHA.filter((rotulo) => itens.itens.some((item) => campoDe(item, rotulo)));
  const colunas: readonly Coluna<Item>[] = [
    { id: 'numero', titulo: 'Nº', numero: true, noCartao: 'fora', celula: ({ numero }) => numero },
    ...presentes.map(
      (rotulo): Coluna<Item> => ({
        id: rotulo,
        titulo: rotulo === 'Valor dos produtos' ? 'Total' : rotulo,
        numero: itens.itens.some((item) => NUMERICOS.has(campoDe(item, rotulo)?.tipo ?? '')),
        ...(rotulo === 'Descrição' ? { noCartao: 'titulo' as const } : {}),
        celula: (item) => {
          const campo = campoDe(item, rotulo);
          return campo ? mostrar(campo.valor, campo.tipo) : '–';
        },
      }),
    ),
    {
      id: 'detalhes',
      titulo: 'Tudo',
      noCartao: 'lado',
      celula: (item) => (
        <Button
          size="compact-xs"
          variant="default"
          className="sem-impressao"
          aria-label={`Detalhes do item ${item.numero}`}
          onClick={() => setAberto(item)}
        >
          Detalhes
        </Button>
      ),
    },
  ];
  const paginas = Math.ceil(itens.total / POR_PAGINA);
  return (
    <Paper className="folha grupo" component="section" aria-label="Itens" style={{ overflow: 'hidden' }}>
      <Title order={2} p="md" pb="xs">
        {plural(itens.total, 'item', 'itens')}
      </Title>
      {pagina > 1 && outras.error && <Erro falha={outras.error} deNovo={() => void outras.refetch()} />}
      {linhas ? (
        <Tabela<Item, number> nome="Itens" colunas={colunas} linhas={linhas} id={({ numero }) => numero} />
      ) : (
        !outras.error && <Linhas />
      )}
      <Paginacao paginas={paginas} pagina={pagina} irPara={setPagina} />
      <Modal
        opened={aberto !== null}
        onClose={() => setAberto(null)}
        title={`Item ${aberto?.numero ?? ''}`}
        size="lg"
      >
        {aberto && <Campos campos={aberto.campos} />}
      </Modal>
    </Paper>
  );
}
