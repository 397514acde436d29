/**
 * Summaries (resNFe) that a distribution brings: what SEFAZ tells a recipient of a note before it has said anything about
 * it. Read here only for what manifestação wants to know; the import of the same answer announces their keys.
 */
import { gunzipSync } from 'node:zlib';
import { parseChave44 } from '../../fiscal/chave.ts';
import { partyId } from '../../fiscal/cpf-cnpj.ts';
import type { Chave } from '../../fiscal/tipos.ts';
import { scanXml } from '../../fiscal/xml/scan.ts';
import { textAt } from '../../fiscal/xml/tree.ts';

type SituacaoDoResumo = 'Autorizada' | 'Denegada' | 'Cancelada';

export interface Resumo {
  chave: Chave;
  emitente: string | null;
  emitenteNome: string | null;
  /** As written, such as `1234.50`. */
  valor: string | null;
  /** Milliseconds UTC. */
  emitidaEm: number | null;
  autorizadaEm: number | null;
  situacao: SituacaoDoResumo;
}

/** A compressed summary has some 500 bytes; what is longer than this is a whole document. */
const BASE64_MAX = 4_096;
const XML_MAX = 65_536;
const NOME_MAX = 120;
const DOC_ZIP = /<(?:[\w.-]+:)?docZip(?:\s[^<>]*)?>([\w+/=\s]+)</g;
/** @fonte XSD resNFe_v1.01, cSitNFe */
const SITUACOES: ReadonlyMap<string, SituacaoDoResumo> = new Map([
  ['1', 'Autorizada'],
  ['2', 'Denegada'],
  ['3', 'Cancelada'],
]);

/** The summaries in an answer of NFeDistribuicaoDFe, by what they are and not by the name of their schema. */
export function readResumos(resposta: Uint8Array): Resumo[] {
  const texto = Buffer.from(resposta).toString('latin1');
  return [...texto.matchAll(DOC_ZIP)].flatMap(([, base64 = '']) =>
    base64.length > BASE64_MAX ? [] : (readResumo(base64) ?? []),
  );
}

function readResumo(base64: string): Resumo | null {
  const xml = inflate(base64);
  const scan = xml === null ? null : scanXml(xml);
  if (!scan?.ok || scan.tree.root.localName !== 'resNFe') return null;
  const at = (name: string) => textAt(scan.tree, scan.tree.root, name);
  const chave = parseChave44(at('chNFe') ?? '');
  if (chave === null) return null;
  return {
    chave,
    emitente: partyId(at('CNPJ') ?? at('CPF')),
    emitenteNome: at('xNome')?.slice(0, NOME_MAX) ?? null,
    valor: valorDe(at('vNF')),
    emitidaEm: instante(at('dhEmi')),
    autorizadaEm: instante(at('dhRecbto')),
    situacao: SITUACOES.get(at('cSitNFe') ?? '') ?? 'Autorizada',
  };
}

function inflate(base64: string): Buffer | null {
  try {
    return gunzipSync(Buffer.from(base64, 'base64'), { maxOutputLength: XML_MAX });
  } catch {
    // Named by the import, which keeps the answer as it came.
    return null;
  }
}

function valorDe(texto: string | null): string | null {
  return texto !== null && /^\d{1,13}(?:\.\d{1,2})?$/.test(texto) ? texto : null;
}

function instante(texto: string | null): number | null {
  const em = Date.parse(texto ?? '');
  return Number.isNaN(em) ? null : em;
}
