import type { Opcoes } from '../../api/rotas.ts';

export type Consulta = NonNullable<Opcoes<'GET /documentos'>['query']>;

/** Fields of the filter that stand in the page's address, so that a link, or going back, shows the same. */
export const CAMPOS = [
  'especie',
  'visao',
  'papel',
  'busca',
  'status',
  'serie',
  'numero',
  'chave',
  'uf',
  'emissaoDe',
  'emissaoAte',
  'importacaoDe',
  'importacaoAte',
  'valorDe',
  'valorAte',
  'origem',
  'finalidade',
  'manifestacao',
  'prova',
  'cfop',
  'ncm',
  'produto',
  'ordem',
] as const;
type Campo = (typeof CAMPOS)[number];
export type Filtro = Partial<Record<Campo, string>>;

/** Those of the panel “Mais filtros”; their number stands on its button. */
export const DO_PAINEL: readonly Campo[] = [
  'status',
  'serie',
  'numero',
  'chave',
  'uf',
  'importacaoDe',
  'importacaoAte',
  'valorDe',
  'valorAte',
  'origem',
  'finalidade',
  'manifestacao',
  'prova',
  'cfop',
  'ncm',
  'produto',
];

/** Those that narrow; of one that does not stand in the address nothing is said. */
export function preenchidos(campos: Record<Campo, string>): Filtro {
  return Object.fromEntries(Object.entries(campos).filter(([, valor]) => valor !== ''));
}

interface Visao {
  valor: string;
  nome: string;
  papel?: string;
}

const TODAS: Visao = { valor: 'todas', nome: 'Todas' };
const DE_NOTA: readonly Visao[] = [
  TODAS,
  { valor: 'emitidas', nome: 'Emitidas' },
  { valor: 'recebidas', nome: 'Recebidas' },
  { valor: 'canceladas', nome: 'Canceladas' },
];

/** What can be looked at of each kind; a CT-e by the part that the client plays in it. */
export const VISOES: Readonly<Record<string, readonly Visao[]>> = {
  todas: DE_NOTA,
  nfe: [
    ...DE_NOTA,
    { valor: 'cartacorrecao', nome: 'Carta de correção' },
    { valor: 'denegadas', nome: 'Denegadas' },
    { valor: 'inutilizadas', nome: 'Inutilizadas' },
    { valor: 'faltantes', nome: 'Faltantes' },
  ],
  nfce: [
    ...DE_NOTA,
    { valor: 'inutilizadas', nome: 'Inutilizadas' },
    { valor: 'faltantes', nome: 'Faltantes' },
  ],
  cfe: [TODAS, { valor: 'emitidas', nome: 'Emitidos' }, { valor: 'canceladas', nome: 'Cancelados' }],
  cte: [
    { valor: 'todas', nome: 'Todos' },
    { valor: 'emitidas', nome: 'Emitidos' },
    { valor: 'papel:tomador', nome: 'Tomador', papel: 'tomador' },
    { valor: 'papel:remetente', nome: 'Remetente', papel: 'remetente' },
    { valor: 'papel:expedidor', nome: 'Expedidor', papel: 'expedidor' },
    { valor: 'papel:recebedor', nome: 'Recebedor', papel: 'recebedor' },
    { valor: 'papel:destinatario', nome: 'Destinatário', papel: 'destinatario' },
    { valor: 'canceladas', nome: 'Cancelados' },
    { valor: 'inutilizadas', nome: 'Inutilizados' },
  ],
  nfse: [
    TODAS,
    { valor: 'emitidas', nome: 'Prestados' },
    { valor: 'recebidas', nome: 'Tomados' },
    { valor: 'canceladas', nome: 'Canceladas' },
  ],
  outras: DE_NOTA,
};

/** The filter as the server takes it: without the words that mean no narrowing. */
export function comoConsulta(filtro: Filtro, cliente: string | null): Consulta {
  const { especie, visao, ...resto } = filtro;
  return {
    ...resto,
    ...(especie && especie !== 'todas' ? { especie } : {}),
    ...(visao && visao !== 'todas' ? { visao } : {}),
    ...(cliente ? { cliente } : {}),
  } as Consulta;
}

/** A way to understand what was typed besides names, numbers and keys: as what documents hold. */
interface Leitura {
  campo: 'cfop' | 'ncm' | 'produto';
  valor: string;
  /** On the button that asks for it. */
  nome: string;
}

/** What somebody may have meant by a text; the server looks for that only when asked, since it reads the documents. */
export function leiturasDe(busca: string): Leitura[] {
  const digits = busca.replaceAll(/[.\s]/g, '');
  if (/^\d+$/.test(digits)) {
    return [
      ...(/^[1-7]\d{3}$/.test(digits)
        ? [{ campo: 'cfop', valor: digits, nome: `CFOP ${digits}` } as const]
        : []),
      ...(/^\d{4,8}$/.test(digits) ? [{ campo: 'ncm', valor: digits, nome: `NCM ${digits}` } as const] : []),
    ];
  }
  const temPalavra = /\p{L}{3}/u.test(busca);
  return temPalavra ? [{ campo: 'produto', valor: busca, nome: `produto ou serviço “${busca}”` }] : [];
}
