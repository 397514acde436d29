import { IconAlertTriangle } from '@tabler/icons-react';
import type { Item } from '../../api/rotas.ts';
import { formatDia, formatInstante } from '../../formatos/datas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { formatInteiro, formatReais } from '../../formatos/numeros.ts';
import { Copiar } from '../../partes/copiar.tsx';
import { Elo } from '../../partes/elo.tsx';
import { Etiqueta, SoDeclarado, Status } from '../../partes/etiquetas.tsx';
import {
  FINALIDADES,
  MANIFESTACOES,
  MEIOS,
  nomeDoModelo,
  ORIGENS_DE_FINALIDADE,
  PAPEIS_NO_DOCUMENTO,
  PROVAS,
} from '../../partes/nomes.ts';
import type { Coluna } from '../../partes/tabela.tsx';

/** A missing number has no `id`; those have a screen of their own and are never asked for here. */
export type Documento = Item<'GET /documentos'> & { id: number };
export const temDocumento = (item: Item<'GET /documentos'>): item is Documento => item.id !== null;

function numeroDe({ numero, numeroFinal, serie }: Documento): string {
  const range = numeroFinal && numeroFinal !== numero ? `${numero}–${numeroFinal}` : (numero ?? 's/n');
  return serie ? `${range} · série ${serie}` : range;
}
export const nomeDoDocumento = (documento: Documento) =>
  `${nomeDoModelo(documento.modelo)} ${numeroDe(documento)}`;

function Pessoa({ pessoa }: { pessoa: Documento['emitente'] }) {
  if (!pessoa?.nome && !pessoa?.cpfCnpj) return <>–</>;
  return (
    <>
      <span className="linha-cortada" title={pessoa.nome ?? undefined}>
        {pessoa.nome ?? '–'}
      </span>
      <span className="detalhe">{formatarCpfCnpj(pessoa.cpfCnpj)}</span>
    </>
  );
}

const nomeDoPapel = (papel: string) => PAPEIS_NO_DOCUMENTO[papel] ?? papel;

/** Whose document it is: of two clients of the office that deal with each other, both. */
function Clientes({ documento: { cliente, papel, tambem } }: { documento: Documento }) {
  const nomes = [{ cliente, papel }, ...tambem];
  const todos = nomes.map((um) => `${um.cliente.nome ?? um.cliente.cpfCnpj} (${nomeDoPapel(um.papel)})`);
  if (tambem.length === 0) return <Pessoa pessoa={cliente} />;
  return (
    <span title={todos.join(' e ')}>
      {nomes.map((um) => (
        <span key={um.cliente.cpfCnpj} className="linha-cortada">
          {um.cliente.nome ?? formatarCpfCnpj(um.cliente.cpfCnpj)}
        </span>
      ))}
    </span>
  );
}

/** Which way it goes for the client, and what the client is in it. */
function Sentido({ documento: { direcao, papel, tambem } }: { documento: Documento }) {
  const direcoes = new Set([direcao, ...tambem.map((um) => um.direcao)].filter((uma) => uma !== null));
  const entreClientes = tambem.length > 0;
  return (
    <>
      {direcoes.size === 0 ? '–' : [...direcoes].join(' e ')}
      <span className="detalhe">{entreClientes ? 'Entre clientes' : nomeDoPapel(papel)}</span>
    </>
  );
}

/** All columns in the order of the table. `fixa`: cannot be hidden. `padrao`: shown until somebody chooses. */
export const COLUNAS: readonly (Coluna<Documento> & { fixa?: boolean; padrao?: boolean })[] = [
  {
    id: 'status',
    titulo: 'Status',
    ordem: 'status',
    padrao: true,
    noCartao: 'lado',
    celula: (documento) => (
      <span className="em-linha">
        <Status status={documento.status} />
        {documento.marcado && <SoDeclarado />}
        {documento.cartaCorrecao && <Etiqueta cor="blue">CC-e</Etiqueta>}
        {documento.homologacao && <Etiqueta cor="yellow">Homologação</Etiqueta>}
        {documento.conflito && (
          <span title="Há outra versão com a mesma chave e conteúdo diferente">
            <IconAlertTriangle size={16} color="var(--mantine-color-error)" aria-label="Conflito" />
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'numero',
    titulo: 'Documento',
    ordem: 'numero',
    fixa: true,
    padrao: true,
    noCartao: 'titulo',
    celula: (documento) => (
      <Elo para={`/documentos/${documento.id}`} size="sm" fw={600}>
        {nomeDoDocumento(documento).replace(' série ', ' série\u00a0')}
      </Elo>
    ),
  },
  {
    id: 'cliente',
    titulo: 'Cliente',
    ordem: 'cliente',
    padrao: true,
    corta: true,
    celula: (documento) => <Clientes documento={documento} />,
  },
  {
    id: 'direcao',
    titulo: 'Direção',
    padrao: true,
    junta: true,
    celula: (documento) => <Sentido documento={documento} />,
  },
  {
    id: 'emissao',
    titulo: 'Emissão',
    ordem: 'emissao',
    padrao: true,
    junta: true,
    celula: ({ dataEmissao }) => formatDia(dataEmissao),
  },
  {
    id: 'valor',
    titulo: 'Valor',
    ordem: 'valor',
    padrao: true,
    numero: true,
    celula: ({ valor }) => formatReais(valor),
  },
  {
    id: 'emitente',
    titulo: 'Emitente',
    ordem: 'emitente',
    padrao: true,
    corta: true,
    celula: ({ emitente }) => <Pessoa pessoa={emitente} />,
  },
  {
    id: 'destinatario',
    titulo: 'Destinatário',
    ordem: 'destinatario',
    padrao: true,
    corta: true,
    celula: ({ destinatario }) => <Pessoa pessoa={destinatario} />,
  },
  { id: 'uf', titulo: 'UF', noCartao: 'fora', celula: ({ uf }) => uf ?? '–' },
  {
    id: 'finalidade',
    titulo: 'Finalidade',
    noCartao: 'fora',
    celula: ({ finalidade }) =>
      finalidade ? (
        <span
          className={finalidade.origem === 'sugerida' ? 'sugerida' : undefined}
          title={ORIGENS_DE_FINALIDADE[finalidade.origem] ?? finalidade.origem}
        >
          {FINALIDADES[finalidade.codigo] ?? finalidade.codigo}
        </span>
      ) : (
        '–'
      ),
  },
  {
    id: 'manifestacao',
    titulo: 'Manifestação',
    noCartao: 'fora',
    celula: ({ manifestacao }) => (manifestacao ? (MANIFESTACOES[manifestacao] ?? manifestacao) : '–'),
  },
  {
    id: 'prova',
    titulo: 'Prova',
    noCartao: 'fora',
    celula: ({ prova }) => (prova ? (PROVAS[prova] ?? prova) : '–'),
  },
  {
    id: 'importacao',
    titulo: 'Importação',
    ordem: 'importacao',
    junta: true,
    noCartao: 'fora',
    celula: ({ dataImportacao }) => formatInstante(dataImportacao),
  },
  {
    id: 'origem',
    titulo: 'Origem',
    noCartao: 'fora',
    celula: ({ origem }) =>
      origem ? (origem.usuario ?? origem.token ?? MEIOS[origem.meio] ?? origem.meio) : '–',
  },
  {
    id: 'nsu',
    titulo: 'NSU',
    numero: true,
    noCartao: 'fora',
    celula: ({ nsu }) => formatInteiro(nsu),
  },
  {
    id: 'chave',
    titulo: 'Chave',
    junta: true,
    noCartao: 'fora',
    celula: ({ chave }) =>
      chave ? (
        <span className="em-linha">
          <span className="mono" title={chave}>
            …{chave.slice(-9)}
          </span>
          <Copiar valor={chave} rotulo="Copiar a chave" />
        </span>
      ) : (
        '–'
      ),
  },
];

export const PADRAO = COLUNAS.filter(({ padrao }) => padrao).map(({ id }) => id);
