/** Columns of the three tables that are booked from: documents, items, events. Names never change and none is taken away. */
import type { TotaisDoDocumento, Tributos } from '../../fiscal/valores/tipos.ts';
import type { Documento } from '../documentos/apresentar.ts';
import type { Coluna } from './celulas.ts';
import { COLUNAS } from './colunas.ts';
import type { LinhaDeDocumento, LinhaDeEvento, LinhaDeItem } from './linhas.ts';
import { nomeDoStatus } from './palavras.ts';

type ColunaDeDocumento = Coluna<LinhaDeDocumento>;

/** A column of the listing, in a table whose rows have a document. */
function daLista<Linha extends { documento: Documento }>(titulo: string): Coluna<Linha> {
  const coluna = COLUNAS.find((each) => each.titulo === titulo);
  if (!coluna) throw new Error(`no column is called ${titulo}`);
  return { ...coluna, valor: ({ documento }) => coluna.valor(documento) };
}

const moeda = <Linha>(titulo: string, valor: (linha: Linha) => string | null): Coluna<Linha> => ({
  titulo,
  tipo: 'moeda',
  valor,
});

/** Taxes as a document and an item have them, in one order and with one name. */
const TRIBUTOS: readonly (readonly [string, keyof Tributos])[] = [
  ['Base ICMS', 'baseIcms'],
  ['ICMS', 'icms'],
  ['Base ICMS ST', 'baseSt'],
  ['ICMS ST', 'st'],
  ['Base IPI', 'baseIpi'],
  ['IPI', 'ipi'],
  ['Base PIS', 'basePis'],
  ['PIS', 'pis'],
  ['Base COFINS', 'baseCofins'],
  ['COFINS', 'cofins'],
  ['Base ISS', 'baseIss'],
  ['ISS', 'iss'],
  ['Base IBS/CBS', 'baseIbsCbs'],
  ['IBS', 'ibs'],
  ['CBS', 'cbs'],
  ['Base IS', 'baseIs'],
  ['IS', 'is'],
];

const TOTAIS: readonly (readonly [string, keyof TotaisDoDocumento])[] = [
  ['Produtos e serviços', 'produtos'],
  ['Desconto', 'desconto'],
  ['Frete', 'frete'],
  ['Seguro', 'seguro'],
  ['Outras despesas', 'outras'],
  ...TRIBUTOS,
  ['ICMS desonerado', 'icmsDesonerado'],
  ['FCP', 'fcp'],
  ['FCP ST', 'fcpSt'],
  ['Imposto de importação', 'ii'],
  ['ISS retido', 'issRetido'],
];

/** `Entrada` or `Saída` of the client of the row; empty where nothing of the document is his. */
const DIRECAO: ColunaDeDocumento = {
  titulo: 'Direção',
  tipo: 'texto',
  largura: 10,
  valor: ({ direcao }) => direcao,
};

/** 1 where it is to be added, 0 where another client's row has the same document already. */
export const CONTA_NA_SOMA = 'Conta na soma';
const CONTA: ColunaDeDocumento = {
  titulo: CONTA_NA_SOMA,
  tipo: 'inteiro',
  valor: ({ conta }) => (conta ? 1 : 0),
};

const DEPOIS_DE: Readonly<Record<string, readonly ColunaDeDocumento[]>> = {
  Papel: [DIRECAO],
  Importação: [
    {
      titulo: 'Natureza da operação',
      tipo: 'texto',
      largura: 28,
      valor: ({ valores }) => valores?.natureza ?? null,
    },
    {
      titulo: 'CFOP',
      tipo: 'texto',
      largura: 12,
      valor: ({ valores }) => valores?.cfops.join(' / ') ?? null,
    },
  ],
  Emitente: [
    {
      titulo: 'IE do emitente',
      tipo: 'identificador',
      largura: 16,
      valor: ({ valores }) => valores?.emitente.ie ?? null,
    },
    {
      titulo: 'UF do emitente',
      tipo: 'texto',
      largura: 10,
      valor: ({ valores }) => valores?.emitente.uf ?? null,
    },
  ],
  Destinatário: [
    {
      titulo: 'IE do destinatário',
      tipo: 'identificador',
      largura: 16,
      valor: ({ valores }) => valores?.destinatario.ie ?? null,
    },
    {
      titulo: 'UF do destinatário',
      tipo: 'texto',
      largura: 12,
      valor: ({ valores }) => valores?.destinatario.uf ?? null,
    },
  ],
  Valor: [
    ...TOTAIS.map(([titulo, campo]) =>
      moeda<LinhaDeDocumento>(titulo, ({ valores }) => valores?.totais[campo] ?? null),
    ),
    { titulo: 'Protocolo', tipo: 'identificador', valor: ({ valores }) => valores?.protocolo ?? null },
    { titulo: 'Autorização', tipo: 'data', valor: ({ valores }) => valores?.autorizadoEm ?? null },
  ],
};

export const COLUNAS_DE_DOCUMENTOS: readonly ColunaDeDocumento[] = [
  ...COLUNAS.flatMap(({ titulo }) => [daLista<LinhaDeDocumento>(titulo), ...(DEPOIS_DE[titulo] ?? [])]),
  CONTA,
];

/** Amounts of a document that are added up. */
export const COLUNAS_QUE_SOMAM: readonly ColunaDeDocumento[] = COLUNAS_DE_DOCUMENTOS.filter(
  ({ tipo }) => tipo === 'moeda',
);

const DA_NOTA_DO_ITEM = [
  'Chave de acesso',
  'Espécie',
  'Série',
  'Número',
  'Situação',
  'Tipo',
  'Papel',
  'Emissão',
  'Emitente CPF/CNPJ',
  'Emitente',
  'Destinatário CPF/CNPJ',
  'Destinatário',
  'Cliente CPF/CNPJ',
  'Cliente',
].map((titulo) => daLista<LinhaDeItem>(titulo));

const doItem = (
  titulo: string,
  valor: (item: LinhaDeItem['item']) => string | number | null,
  { tipo = 'texto', largura }: { tipo?: Coluna<LinhaDeItem>['tipo']; largura?: number } = {},
): Coluna<LinhaDeItem> => ({
  titulo,
  tipo,
  ...(largura === undefined ? {} : { largura }),
  valor: ({ item }) => valor(item),
});

export const COLUNAS_DE_ITENS: readonly Coluna<LinhaDeItem>[] = [
  ...DA_NOTA_DO_ITEM,
  DIRECAO,
  doItem('Item', ({ numero }) => numero, { tipo: 'inteiro', largura: 6 }),
  doItem('Código do produto', ({ codigo }) => codigo),
  doItem('Descrição', ({ descricao }) => descricao, { largura: 40 }),
  doItem('NCM', ({ ncm }) => ncm, { largura: 11 }),
  doItem('CEST', ({ cest }) => cest, { largura: 10 }),
  doItem('CFOP', ({ cfop }) => cfop, { largura: 8 }),
  doItem('Unidade', ({ unidade }) => unidade, { largura: 9 }),
  doItem('Quantidade', ({ quantidade }) => quantidade, { tipo: 'quantidade' }),
  doItem('Valor unitário', ({ unitario }) => unitario, { tipo: 'quantidade' }),
  doItem('Valor', ({ valor }) => valor, { tipo: 'moeda' }),
  doItem('Desconto', ({ desconto }) => desconto, { tipo: 'moeda' }),
  doItem('CST/CSOSN ICMS', ({ cstIcms }) => cstIcms, { largura: 10 }),
  doItem('Alíquota ICMS', ({ aliquotaIcms }) => aliquotaIcms, { tipo: 'quantidade', largura: 10 }),
  doItem('CST IPI', ({ cstIpi }) => cstIpi, { largura: 8 }),
  doItem('CST PIS', ({ cstPis }) => cstPis, { largura: 8 }),
  doItem('CST COFINS', ({ cstCofins }) => cstCofins, { largura: 10 }),
  doItem('CST IBS/CBS', ({ cstIbsCbs }) => cstIbsCbs, { largura: 10 }),
  doItem('Classificação IBS/CBS', ({ classificacao }) => classificacao, { largura: 14 }),
  ...TRIBUTOS.map(([titulo, campo]) => moeda<LinhaDeItem>(titulo, ({ item }) => item[campo])),
  CONTA,
];

export const COLUNAS_DE_EVENTOS: readonly Coluna<LinhaDeEvento>[] = [
  ...['Chave de acesso', 'Espécie', 'Série', 'Número'].map((titulo) => daLista<LinhaDeEvento>(titulo)),
  {
    titulo: 'Situação do documento',
    tipo: 'texto',
    largura: 14,
    valor: ({ documento }) => nomeDoStatus(documento.status),
  },
  { titulo: 'Evento', tipo: 'texto', largura: 30, valor: ({ evento }) => evento.descricao },
  { titulo: 'Código', tipo: 'texto', largura: 9, valor: ({ evento }) => evento.codigo },
  { titulo: 'Sequência', tipo: 'inteiro', largura: 10, valor: ({ evento }) => evento.sequencia },
  { titulo: 'Data do evento', tipo: 'data', valor: ({ evento }) => evento.data },
  { titulo: 'Protocolo do evento', tipo: 'identificador', valor: ({ evento }) => evento.nprot },
  { titulo: 'Justificativa ou correção', tipo: 'texto', largura: 60, valor: ({ palavras }) => palavras },
  {
    titulo: 'Desconsiderado',
    tipo: 'texto',
    largura: 14,
    valor: ({ evento }) => (evento.afastado === 1 ? 'Sim' : 'Não'),
  },
  ...[
    'Emitente CPF/CNPJ',
    'Emitente',
    'Destinatário CPF/CNPJ',
    'Destinatário',
    'Cliente CPF/CNPJ',
    'Cliente',
  ].map((titulo) => daLista<LinhaDeEvento>(titulo)),
];
