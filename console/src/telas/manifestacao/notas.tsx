import { Paper } from '@mantine/core';
import type { Resposta } from '../../api/rotas.ts';
import { formatDia } from '../../formatos/datas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { formatReais, plural } from '../../formatos/numeros.ts';
import { DuasLinhas } from '../../partes/duas-linhas.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';

export type Nota = Resposta<'GET /manifestacoes'>['notas'][number];

/** From here on a term is shown as about to end. */
const POUCOS_DIAS = 3;

/** Days that are left; red where they are few. */
export function Prazo({ dias, poucos = POUCOS_DIAS }: { dias: number | null; poucos?: number }) {
  if (dias === null) return '–';
  const cor = dias <= poucos ? 'red' : dias <= 3 * poucos ? 'orange' : 'gray';
  return <Etiqueta cor={cor}>{dias === 0 ? 'hoje' : plural(dias, 'dia')}</Etiqueta>;
}

const COLUNAS: readonly Coluna<Nota>[] = [
  {
    id: 'emitente',
    titulo: 'Emitente',
    noCartao: 'titulo',
    corta: true,
    celula: ({ emitente, emitenteNome, chave, documentoId }) => (
      <DuasLinhas
        titulo={emitenteNome ?? formatarCpfCnpj(emitente)}
        detalhe={chave}
        para={documentoId === null ? undefined : `/documentos/${documentoId}`}
        mono
      />
    ),
  },
  { id: 'emissao', titulo: 'Emissão', junta: true, celula: ({ emitidaEm }) => formatDia(emitidaEm) },
  { id: 'valor', titulo: 'Valor', numero: true, celula: ({ valor }) => formatReais(valor) },
  {
    id: 'xml',
    titulo: 'XML',
    celula: ({ documentoId }) =>
      documentoId === null ? (
        <Etiqueta cor="yellow">só o resumo</Etiqueta>
      ) : (
        <Etiqueta cor="teal">completo</Etiqueta>
      ),
  },
  { id: 'ciencia', titulo: 'Ciência', celula: ({ cienciaDias }) => <Prazo dias={cienciaDias} /> },
  {
    id: 'conclusiva',
    titulo: 'Conclusiva',
    celula: ({ conclusivaDias }) => <Prazo dias={conclusivaDias} poucos={10} />,
  },
  { id: 'andamento', titulo: 'Andamento', celula: ({ andamento }) => andamento ?? 'nada declarado' },
];

/** The first to run out first. */
export function Notas({
  notas,
  selecao,
}: {
  notas: readonly Nota[];
  selecao?: { tem: (id: string) => boolean; trocar: (ids: readonly string[], marcado: boolean) => void };
}) {
  return (
    <Paper className="folha" style={{ overflow: 'hidden' }}>
      <Tabela<Nota, string>
        nome="Notas a manifestar"
        colunas={COLUNAS}
        linhas={notas}
        id={({ chave }) => chave}
        nomeDaLinha={({ emitenteNome, chave }) => `a nota de ${emitenteNome ?? chave}`}
        {...(selecao ? { selecao } : {})}
      />
    </Paper>
  );
}
