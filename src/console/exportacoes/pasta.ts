/** Folders inside an exported ZIP. What stands in documents is anybody's, and no part of it becomes a way out. */

import { tabela } from '../../fiscal/tabela.ts';
import type { Documento } from '../documentos/apresentar.ts';

export const PASTA_PADRAO = '{cnpj}/{ano}-{mes}/{modelo}/{papel}';
const SEGMENTO_MAX = 60;
const SEGMENTOS_MAX = 8;

const CAMPOS: Readonly<Record<string, (documento: Documento) => string>> = tabela({
  cnpj: (d) => d.cliente.cpfCnpj ?? '',
  cliente: (d) => d.cliente.nome ?? '',
  ano: (d) => (d.dataEmissao ?? '').slice(0, 4),
  mes: (d) => (d.dataEmissao ?? '').slice(5, 7),
  dia: (d) => (d.dataEmissao ?? '').slice(8, 10),
  especie: (d) => d.especie,
  modelo: (d) => d.modelo,
  serie: (d) => d.serie ?? '',
  papel: (d) => d.papel,
  tipo: (d) => d.tipo,
  situacao: (d) => d.status,
  emitente: (d) => d.emitente.cpfCnpj ?? '',
});

export const CAMPOS_DA_PASTA = Object.keys(CAMPOS);

/** What is wrong with a pattern, in pt-BR; null when it is good. */
export function faultOfPasta(padrao: string): string | null {
  if (padrao.split('/').length > SEGMENTOS_MAX) return `A pasta pode ter até ${SEGMENTOS_MAX} níveis.`;
  const unknown = [...padrao.matchAll(/\{([^{}]*)\}/g)]
    .map(([, name = '']) => name)
    .find((name) => !CAMPOS[name]);
  if (unknown !== undefined)
    return `{${unknown}} não existe; use ${CAMPOS_DA_PASTA.map((name) => `{${name}}`).join(', ')}.`;
  if (/[{}]/.test(padrao.replaceAll(/\{[^{}]*\}/g, ''))) return 'As chaves { } não fecham.';
  return null;
}

/** The folder of a document, without slashes around it; `` for none. */
export function pastaDe(padrao: string, documento: Documento): string {
  return padrao
    .split('/')
    .slice(0, SEGMENTOS_MAX)
    .map((part) =>
      part.replaceAll(/\{([^{}]*)\}/g, (_whole, name: string) => CAMPOS[name]?.(documento) ?? ''),
    )
    .map((part) => segmento(part))
    .filter((part) => part !== '')
    .join('/');
}

/** Names that Windows gives to devices, with or without an extension. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Letters without accents, digits and a few signs; never a dot in front or at the end. */
export function segmento(text: string, max = SEGMENTO_MAX): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^0-9A-Za-z._ -]+/g, '_')
    .slice(0, max)
    .replaceAll(/^[. ]+|[. ]+$/g, '');
  return DEVICES.test(plain) ? `_${plain}` : plain;
}
