import type { CSSProperties } from 'react';
import type { Item } from '../api/rotas.ts';

/** Never colour alone: the word stands in every label. A plain element: lists show hundreds. */
function Etiqueta({ cor, children, dica }: { cor: string; children: string; dica?: string | undefined }) {
  const cores = {
    '--etiqueta-fundo': `var(--mantine-color-${cor}-light)`,
    '--etiqueta-texto': `var(--mantine-color-${cor}-light-color)`,
  } as CSSProperties;
  return (
    <span className="etiqueta" style={cores} title={dica}>
      {children}
    </span>
  );
}

const STATUS: Readonly<Record<string, [cor: string, dica: string]>> = {
  Autorizada: ['teal', 'Autorizada pela SEFAZ ou pelo município'],
  Cancelada: ['red', 'Cancelada por evento registrado'],
  Denegada: ['orange', 'Uso denegado'],
  Pendente: ['yellow', 'Assinada, ainda sem protocolo de autorização'],
  Inutilizada: ['gray', 'Numeração inutilizada'],
  Faltante: ['grape', 'Número que falta na sequência'],
};

export function Status({ status }: { status: string }) {
  const [cor, dica] = STATUS[status] ?? ['gray', undefined];
  return (
    <Etiqueta cor={cor} dica={dica}>
      {status}
    </Etiqueta>
  );
}

/** Beside a status that something changed which is proven less than the document. */
export function SoDeclarado() {
  return (
    <Etiqueta cor="orange" dica="Nada prova esta situação: veja na página do documento">
      só declarado
    </Etiqueta>
  );
}

type DaImportacao = Item<'GET /importacoes'>['status'];
/** In the order in which a filter offers them. */
const DE_IMPORTACAO: Readonly<Record<DaImportacao, [cor: string, nome: string]>> = {
  'Com Erro': ['red', 'Com erro'],
  Uploaded: ['teal', 'Importado'],
  'Em Processamento': ['blue', 'Em processamento'],
  'Aguardando Upload': ['gray', 'Aguardando envio'],
  Expirado: ['gray', 'Expirado'],
};
export const STATUS_DE_IMPORTACAO = (Object.keys(DE_IMPORTACAO) as DaImportacao[]).map((value) => ({
  value,
  label: DE_IMPORTACAO[value][1],
}));

/** @param falhou false where documents only wait for a client, or are of homologação: that is no error of the file */
export function StatusDeImportacao({ status, falhou = true }: { status: DaImportacao; falhou?: boolean }) {
  const [cor, nome] = status === 'Com Erro' && !falhou ? SO_RETIDOS : DE_IMPORTACAO[status];
  return <Etiqueta cor={cor}>{nome}</Etiqueta>;
}
const SO_RETIDOS = ['yellow', 'Com retidos'] as const;

const RESULTADOS: Readonly<Record<string, [cor: string, nome: string]>> = {
  novo: ['teal', 'novo'],
  atualizado: ['teal', 'atualizado'],
  evento: ['teal', 'evento'],
  duplicado: ['gray', 'já estava aqui'],
  esperado: ['blue', 'esperado'],
  sem_cliente: ['orange', 'sem cliente'],
  sem_leiaute: ['orange', 'leiaute a ensinar'],
  homologacao: ['yellow', 'homologação'],
  conflito: ['red', 'conflito'],
  ignorado: ['gray', 'ignorado'],
  rejeitado: ['red', 'rejeitado'],
};

export const nomeDoResultado = (resultado: string) => RESULTADOS[resultado]?.[1] ?? resultado;
/** The name behind a number of documents. */
export function nomesDoResultado(resultado: string, quantidade: number): string {
  const nome = nomeDoResultado(resultado);
  return quantidade === 1 ? nome : (PLURAIS[resultado] ?? `${nome}s`);
}
const PLURAIS: Readonly<Record<string, string>> = {
  duplicado: 'já estavam aqui',
  sem_cliente: 'sem cliente',
  sem_leiaute: 'de leiaute a ensinar',
  homologacao: 'de homologação',
};
export const RESULTADOS_DE_ITEM = Object.keys(RESULTADOS);

export function Resultado({ resultado }: { resultado: string }) {
  const [cor, nome] = RESULTADOS[resultado] ?? ['gray', resultado];
  return <Etiqueta cor={cor}>{nome}</Etiqueta>;
}

export { Etiqueta };
