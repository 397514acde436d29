/** What an export was asked for, in words: for its LEIA-ME, and for the name under which it is downloaded. */
import { diaDe } from '../../fiscal/dia.ts';
import { ufByCode } from '../../fiscal/uf.ts';
import type { FiltroDeDocumentos } from '../documentos/filtro.ts';
import { instanteDe } from '../tempo.ts';
import { diaBrasileiro } from './celulas.ts';
import type { DescricaoDoPedido } from './leia-me.ts';
import { comMascara, nomeDaFinalidade, nomeDaManifestacao, nomeDoPapel, nomeDoStatus } from './palavras.ts';
import { segmento } from './pasta.ts';

type Cliente = { cpfCnpj: string; nome: string } | null;

const ESPECIES: Readonly<Record<FiltroDeDocumentos['especie'], string>> = {
  todas: '',
  nfe: 'NF-e',
  nfce: 'NFC-e',
  cfe: 'CF-e SAT',
  cte: 'CT-e',
  nfse: 'NFS-e',
  outras: 'outras espécies',
};
const VISOES: Readonly<Record<FiltroDeDocumentos['visao'], string>> = {
  todas: '',
  emitidas: 'emitidas',
  recebidas: 'recebidas',
  canceladas: 'canceladas',
  inutilizadas: 'inutilizadas',
  cartacorrecao: 'com carta de correção',
  denegadas: 'denegadas',
  pendentes: 'sem protocolo',
};
const TIPOS = { Emitida: 'emitidas', Recebida: 'recebidas' } as const;

/** Everything of it, for people. @param input.agora ms UTC */
export function descricaoDe(input: {
  filtro: FiltroDeDocumentos;
  cliente: Cliente;
  agora: number;
}): DescricaoDoPedido {
  const { filtro, cliente, agora } = input;
  return {
    cliente: cliente
      ? `${cliente.nome}, ${cliente.cpfCnpj.length === 11 ? 'CPF' : 'CNPJ'} ${comMascara(cliente.cpfCnpj)}`
      : 'Todos os clientes do escritório',
    filtros: filtrosDe(filtro),
    pedidaEm: diaBrasileiro(instanteDe(agora)).slice(0, 16),
  };
}

function filtrosDe(filtro: FiltroDeDocumentos): string[] {
  const linhas: [string, string | null][] = [
    ['Emissão', periodoEmPalavras(filtro.emissao)],
    ['Importação', periodoEmPalavras(filtro.importacao)],
    [
      'Documentos',
      [ESPECIES[filtro.especie], VISOES[filtro.visao]].filter(Boolean).join(', ') || 'todas as espécies',
    ],
    ['Tipo', filtro.tipo && TIPOS[filtro.tipo]],
    ['Situação', nomeDoStatus(filtro.status)],
    ['Papel do cliente', nomeDoPapel(filtro.papel)],
    ['Série', filtro.serie],
    ['Número', filtro.numero === null ? null : String(filtro.numero)],
    ['Chave', filtro.chave],
    ['Busca', filtro.busca],
    ['UF', filtro.uf && (ufByCode(filtro.uf)?.sigla ?? filtro.uf)],
    ['Valor', valoresEmPalavras(filtro.valor)],
    ['Finalidade', nomeDaFinalidade(filtro.finalidade)],
    [
      'Manifestação',
      filtro.manifestacao === 'sem' ? 'sem manifestação' : nomeDaManifestacao(filtro.manifestacao),
    ],
    ['Prova da situação', filtro.prova],
    ['Como chegou', filtro.origem],
    ['Marcados um a um', filtro.ids && String(filtro.ids.length)],
  ];
  return linhas.flatMap(([nome, valor]) => (valor ? [`${nome}: ${valor}`] : []));
}

interface Periodo {
  de: number | null;
  ate: number | null;
}

/** First and last day, both included. */
function diasDe({ de, ate }: Periodo): { de: string | null; ate: string | null } {
  return { de: de === null ? null : diaDe(de), ate: ate === null ? null : diaDe(ate - 1) };
}

function periodoEmPalavras(periodo: Periodo): string | null {
  const { de, ate } = diasDe(periodo);
  if (de !== null && ate !== null) return `de ${diaBrasileiro(de)} a ${diaBrasileiro(ate)}`;
  if (de !== null) return `desde ${diaBrasileiro(de)}`;
  return ate === null ? null : `até ${diaBrasileiro(ate)}`;
}

function valoresEmPalavras({ de, ate }: Periodo): string | null {
  const reais = (valor: number) => `R$ ${valor.toLocaleString('pt-BR', { minimumFractionDigits: 2 })}`;
  if (de !== null && ate !== null) return `de ${reais(de)} a ${reais(ate)}`;
  if (de !== null) return `a partir de ${reais(de)}`;
  return ate === null ? null : `até ${reais(ate)}`;
}

/** `Padaria São João 12345678000190 - 2026-03 - NF-e recebidas`, without an extension; it holds no sign that a path has. */
export function nomeDoDownload(input: { filtro: FiltroDeDocumentos; cliente: Cliente }): string {
  const { filtro, cliente } = input;
  const partes = [
    cliente ? `${cliente.nome.slice(0, NOME_MAX)} ${cliente.cpfCnpj}` : 'Todos os clientes',
    periodoNoNome(filtro),
    filtrosNoNome(filtro),
  ];
  const nome = partes.filter((parte) => parte !== '').join(' - ');
  return nome
    .replaceAll(/[\p{Cc}\p{Cf}\\/:*?"<>|]+/gu, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function filtrosNoNome(filtro: FiltroDeDocumentos): string {
  return [
    ESPECIES[filtro.especie],
    VISOES[filtro.visao] || (filtro.tipo ? TIPOS[filtro.tipo] : ''),
    filtro.status ? `situação ${nomeDoStatus(filtro.status)}` : '',
    filtro.ids ? `${filtro.ids.length} marcados` : '',
    temOutroFiltro(filtro) ? 'filtrados' : '',
  ]
    .filter((parte) => parte !== '')
    .join(' ');
}

/** Names of companies are long, those of files must not be. */
const NOME_MAX = 60;

/** `2026-03` for a whole month, `2026-03-01 a 2026-03-15` for what is none. */
function periodoNoNome({ emissao, importacao }: FiltroDeDocumentos): string {
  const temEmissao = emissao.de !== null || emissao.ate !== null;
  const { de, ate } = diasDe(temEmissao ? emissao : importacao);
  const quando = intervaloNoNome(de, ate);
  return temEmissao || quando === '' ? quando || 'todo o período' : `importados ${quando}`;
}

function intervaloNoNome(de: string | null, ate: string | null): string {
  if (de === null) return ate === null ? '' : `até ${ate}`;
  if (ate === null) return `desde ${de}`;
  const mes = de.slice(0, 7);
  return de.endsWith('-01') && ate === ultimoDiaDe(mes) ? mes : de === ate ? de : `${de} a ${ate}`;
}

function ultimoDiaDe(mes: string): string {
  const [ano = 0, numero = 0] = mes.split('-').map(Number);
  return new Date(Date.UTC(ano, numero, 0)).toISOString().slice(0, 10);
}

function temOutroFiltro(filtro: FiltroDeDocumentos): boolean {
  const { papel, serie, numero, chave, busca, uf, valor, origem, finalidade, manifestacao, prova } = filtro;
  return [
    papel,
    serie,
    numero,
    chave,
    busca,
    uf,
    valor.de,
    valor.ate,
    origem,
    finalidade,
    manifestacao,
    prova,
  ].some((value) => value !== null);
}

/**
 * `Content-Disposition` of a download: a name of plain letters for every client, and the true one beside it.
 * @fonte RFC 6266 4.3, RFC 8187 3.2
 */
export function anexo(nome: string): string {
  const simples = segmento(nome, nome.length).replaceAll(/[ -]+/g, '-');
  const verdadeiro = encodeURIComponent(nome).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${simples}"; filename*=UTF-8''${verdadeiro}`;
}
