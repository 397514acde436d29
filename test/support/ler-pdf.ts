/**
 * The text of a PDF as it would be marked and copied: enough of ISO 32000 for the files of pdfkit and of Chromium
 * (direct objects, deflated streams, one-byte fonts in WinAnsi, two-byte fonts with a ToUnicode map).
 */
import { inflateSync } from 'node:zlib';

interface Objeto {
  dicionario: string;
  fluxo: Buffer | null;
}

type Decodificar = (hex: string) => string;

/** @throws when it is no PDF, or has no page */
export function textoDoPdf(bytes: Uint8Array): string {
  const texto = Buffer.from(bytes).toString('latin1');
  if (!texto.startsWith('%PDF-') || !texto.includes('%%EOF')) throw new Error('this is no PDF');
  const objetos = objetosDe(texto);
  const paginas = [...objetos.values()].filter(({ dicionario }) => /\/Type\s*\/Page\b/.test(dicionario));
  if (paginas.length === 0) throw new Error('this PDF has no page');
  const fontes = fontesDe(objetos);
  return paginas
    .map(({ dicionario }) => {
      const refs = /\/Contents\s*(?:\[([^\]]*)\]|(\d+ 0 R))/.exec(dicionario);
      const ids = [...(refs?.[1] ?? refs?.[2] ?? '').matchAll(/(\d+) 0 R/g)].map(([, id]) => Number(id));
      return ids.map((id) => textoDaPagina(objetos.get(id)?.fluxo ?? Buffer.alloc(0), fontes)).join('');
    })
    .join('\n');
}

function objetosDe(texto: string): Map<number, Objeto> {
  const objetos = new Map<number, Objeto>();
  for (const [, id, corpo = ''] of texto.matchAll(/(?:^|\s)(\d+) 0 obj\b([\s\S]*?)\bendobj/g)) {
    // The line end before `endstream` stays: a stream may itself end in such a byte, and inflating stops at its end.
    const [, antes = corpo, dados] = /^([\s\S]*?)stream\r?\n([\s\S]*?)endstream/.exec(corpo) ?? [];
    const fluxo = dados === undefined ? null : Buffer.from(dados, 'latin1');
    objetos.set(Number(id), {
      dicionario: antes,
      fluxo: fluxo && antes.includes('/FlateDecode') ? inflateSync(fluxo) : fluxo,
    });
  }
  return objetos;
}

/** By the name under which pages call them. */
function fontesDe(objetos: ReadonlyMap<number, Objeto>): Map<string, Decodificar> {
  const fontes = new Map<string, Decodificar>();
  for (const { dicionario } of objetos.values()) {
    for (const [, nome = '', id] of dicionario.matchAll(/\/(F\w+) (\d+) 0 R/g)) {
      const fonte = objetos.get(Number(id));
      if (!fonte || !/\/Type\s*\/Font\b/.test(fonte.dicionario)) continue;
      const mapa = /\/ToUnicode (\d+) 0 R/.exec(fonte.dicionario)?.[1];
      fontes.set(nome, mapa ? porMapa(objetos.get(Number(mapa))?.fluxo?.toString('latin1') ?? '') : porLetra);
    }
  }
  return fontes;
}

const porLetra: Decodificar = (hex) => new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex'));

function porMapa(cmap: string): Decodificar {
  const letras = new Map<number, string>();
  const unicode = (hex: string) => {
    const bytes = Buffer.from(hex, 'hex');
    return bytes.swap16().toString('utf16le');
  };
  for (const [, bloco = ''] of cmap.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, de = '', para = ''] of bloco.matchAll(/<(\w+)>\s*<(\w+)>/g))
      letras.set(Number.parseInt(de, 16), unicode(para));
  }
  for (const [, bloco = ''] of cmap.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const [, de = '', lista = ''] of bloco.matchAll(/<(\w+)>\s*<\w+>\s*\[([^\]]*)\]/g)) {
      const first = Number.parseInt(de, 16);
      for (const [at, [, para = '']] of [...lista.matchAll(/<(\w*)>/g)].entries())
        letras.set(first + at, unicode(para));
    }
    for (const [, de = '', ate = '', para = ''] of bloco
      .replaceAll(/\[[^\]]*\]/g, '')
      .matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      const first = Number.parseInt(de, 16);
      for (let at = first; at <= Number.parseInt(ate, 16); at++)
        letras.set(at, String.fromCharCode(Number.parseInt(para, 16) + at - first));
    }
  }
  return (hex) =>
    (hex.match(/.{4}/g) ?? []).map((one) => letras.get(Number.parseInt(one, 16)) ?? '').join('');
}

/** Strings in the order in which they are drawn, each drawing on a line of its own. */
function textoDaPagina(fluxo: Buffer, fontes: ReadonlyMap<string, Decodificar>): string {
  let decodificar: Decodificar = porLetra;
  let saida = '';
  for (const [, fonte, hex, lista, fim] of fluxo
    .toString('latin1')
    .matchAll(
      /\/(F\w+) [\d.]+ Tf|<([0-9A-Fa-f]*)>\s*Tj|\[((?:\s*(?:<[0-9A-Fa-f]*>|-?[\d.]+))*)\s*\]\s*TJ|\b(ET)\b/g,
    )) {
    if (fonte) decodificar = fontes.get(fonte) ?? porLetra;
    else if (fim) saida += '\n';
    else
      for (const [, parte = ''] of (lista ?? `<${hex}>`).matchAll(/<([0-9A-Fa-f]*)>/g))
        saida += decodificar(parte);
  }
  return saida;
}
