import { Paper } from '@mantine/core';
import { formatInstante } from '../../formatos/datas.ts';
import { Vazio } from '../../partes/estados.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import type { DocumentoAberto } from './aberto.ts';

type Acesso = DocumentoAberto['acessos'][number] & { ordem: number };

const ATOS: Readonly<Record<string, string>> = {
  leitura: 'abriu no console',
  xml: 'baixou o XML',
  pdf: 'baixou o PDF',
  exportacao: 'exportou',
  endereco: 'baixou pelo endereço assinado',
  feed: 'leu pela API',
};

const COLUNAS: readonly Coluna<Acesso>[] = [
  { id: 'em', titulo: 'Quando', junta: true, celula: ({ em }) => formatInstante(em) },
  { id: 'quem', titulo: 'Quem', noCartao: 'titulo', celula: ({ nome, autor }) => nome ?? autor },
  { id: 'ato', titulo: 'O quê', celula: ({ ato }) => ATOS[ato] ?? ato },
];

/** Who has read or downloaded the document. */
export function Acessos({ acessos }: { acessos: DocumentoAberto['acessos'] }) {
  return (
    <Paper className="folha" style={{ overflow: 'hidden' }}>
      {acessos.length === 0 ? (
        <Vazio titulo="Ninguém abriu este documento ainda" />
      ) : (
        <Tabela<Acesso, number>
          nome="Acessos"
          colunas={COLUNAS}
          linhas={acessos.map((acesso, ordem) => ({ ...acesso, ordem }))}
          id={({ ordem }) => ordem}
        />
      )}
    </Paper>
  );
}
