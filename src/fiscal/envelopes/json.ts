/** Documents inside the JSON answers of the national NFS-e services (ADN, SEFIN) and of vendors that imitate them. */

import { comecaComoBase64 } from './base64.ts';

/** A document found in a JSON text. */
export interface AchadoNoJson {
  /** Where it stands: `LoteDFe[0].ArquivoXml`. */
  caminho: string;
  texto: string;
  /** Base64 of gzip or of XML, or XML as it is. */
  forma: 'gzip' | 'xml';
}

/** Deeper than any answer that was seen; what is nested deeper is left alone. */
const DEPTH_LIMIT = 20;
/** As it is, or escaped once more. */
const XML = /^\s*(?:<|&(?:amp;)*lt;)[?A-Za-z]/;
/** Fields that hold a compressed document whatever their text says. @fonte docs/regras.md, kinds; API of the ADN */
const FIELDS = /^(?:ArquivoXml|\w*XmlGZipB64)$/i;
/** Less is markup in a message. */
const XML_MIN_CHARS = 200;

function formOf(field: string, text: string): AchadoNoJson['forma'] | null {
  if (comecaComoBase64(text)) return 'gzip';
  if (XML.test(text) && text.length >= XML_MIN_CHARS) return 'xml';
  return FIELDS.test(field) && text.trim() !== '' ? 'gzip' : null;
}

/** An answer that was put as text into another. */
const JSON_INSIDE = /^\s*[{[]\s*["{[]/;

/** @returns undefined for what is no JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Lines of which each is a JSON of its own, as journals and exports of services are. */
function linhas(text: string): unknown[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length < 2 || !lines.every((line) => /^\s*[{[]/.test(line))) return undefined;
  const values = lines.map(parsed);
  return values.includes(undefined) ? undefined : values;
}

/**
 * Finds the documents in a JSON text, in their order.
 * @param most where there are more, no more are looked for
 * @returns null when the text is not JSON
 */
export function documentosNoJson(text: string, most: number): AchadoNoJson[] | null {
  const root = parsed(text) ?? linhas(text);
  if (root === undefined) return null;
  const found: AchadoNoJson[] = [];
  const visit = (value: unknown, caminho: string, field: string, depth: number): void => {
    if (found.length >= most) return;
    if (typeof value === 'string') {
      const forma = formOf(field, value);
      if (forma) found.push({ caminho, texto: value, forma });
      else if (JSON_INSIDE.test(value) && depth < DEPTH_LIMIT)
        visit(parsed(value), caminho, field, depth + 1);
    } else if (value !== null && typeof value === 'object' && depth < DEPTH_LIMIT) {
      for (const [key, next] of Object.entries(value)) {
        const step = Array.isArray(value) ? `[${key}]` : `${caminho === '' ? '' : '.'}${key.slice(0, 60)}`;
        visit(next, caminho + step, Array.isArray(value) ? field : key, depth + 1);
      }
    }
  };
  visit(root, '', '', 0);
  return found;
}

/** A field that holds a compressed document, up to the quote in front of it. */
const FIELD_START = /"(ArquivoXml|\w{0,40}XmlGZipB64)"\s*:\s*"/gi;

/** What is left of a JSON text that is malformed or cut. */
interface JsonDanificado {
  /** The compressed documents that are whole by themselves, and perhaps a last one that is cut. */
  achados: AchadoNoJson[];
  linha: number;
  coluna: number;
}

/**
 * Finds the compressed documents in a text that is no JSON any more: they are Base64, so that nothing in them can be taken
 * for the end of one. Documents that stand there as XML are not looked for: their quotes are escaped, and where such a
 * text ends is what the damage may have changed.
 * @param most where there are more, no more are looked for
 */
export function documentosNoJsonDanificado(text: string, most: number): JsonDanificado {
  const achados: AchadoNoJson[] = [];
  for (const { 0: whole, 1: field = '', index } of text.matchAll(FIELD_START)) {
    if (achados.length >= most) break;
    const from = index + whole.length;
    const end = text.indexOf('"', from);
    const texto = text.slice(from, end < 0 ? text.length : end).replaceAll('\\/', '/');
    achados.push({ caminho: `${field.slice(0, 60)}[${achados.length}]`, texto, forma: 'gzip' });
  }
  return { achados, ...placeOfFault(text) };
}

/** Line and column, from 1, at which a text stops being JSON. */
function placeOfFault(text: string): { linha: number; coluna: number } {
  const before = text.slice(0, offsetOfFault(text));
  const lineStart = before.lastIndexOf('\n') + 1;
  return { linha: before.split('\n').length, coluna: before.length - lineStart + 1 };
}

function offsetOfFault(text: string): number {
  try {
    JSON.parse(text);
  } catch (error) {
    const told = /at position (\d+)/.exec((error as Error).message)?.[1];
    if (told !== undefined) return Number(told);
  }
  return text.length;
}

/** What a distribution answer without documents says of itself; null for other JSON. */
export function respostaSemDocumentos(text: string): string | null {
  return /"StatusProcessamento"\s*:\s*"(\w{1,60})"/.exec(text.slice(0, 4096))?.[1] ?? null;
}
