/**
 * A workbook of large sheets, written row by row: each sheet grows compressed in a file of its own, so that memory holds one
 * row, and is put in at the end. Every sheet has a bold head that stays in sight, and a filter.
 * @fonte ECMA-376 Part 1, 18 (SpreadsheetML)
 */
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { finished, pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, type Gzip } from 'node:zlib';
import { ZipFile } from 'yazl';
import { type Celula, inofensivo, type TipoDeColuna } from './celulas.ts';

/** Rows of a sheet with its head, as Excel has them at most. @fonte Excel specifications and limits */
const LINHAS_POR_ABA = 1_048_576;
/** Content type of a workbook. */
export const TIPO_DO_LIVRO = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Characters of a cell, a little fewer than Excel takes. */
const TEXTO_MAX = 32_000;
/** Speed: the file lies there for minutes only, and what is downloaded is compressed anew. */
const NIVEL_DO_RASCUNHO = 1;

type TipoDeCelula = TipoDeColuna | 'formula';

/** A formula with its value of now, for programs that do not work it out. */
export interface Formula {
  formula: string;
  valor: string | number;
}

export interface ColunaDaAba {
  titulo: string;
  tipo: TipoDeCelula;
  largura?: number;
}

/** Places in `cellXfs` of `styles.xml`. */
const ESTILO = { cabeca: 1, texto: 2, moeda: 3, instante: 4, inteiro: 5, quantidade: 6, negrito: 7 } as const;
const ESTILO_DO_TIPO: Readonly<Record<TipoDeCelula, number>> = {
  texto: ESTILO.texto,
  identificador: ESTILO.texto,
  pessoa: ESTILO.texto,
  moeda: ESTILO.moeda,
  quantidade: ESTILO.quantidade,
  data: ESTILO.instante,
  inteiro: ESTILO.inteiro,
  formula: ESTILO.moeda,
};
const LARGURA: Readonly<Record<TipoDeCelula, number>> = {
  texto: 16,
  identificador: 20,
  pessoa: 17,
  moeda: 14,
  quantidade: 12,
  data: 17,
  inteiro: 9,
  formula: 14,
};

/** One sheet that is being written. */
export class Aba {
  readonly nome: string;
  readonly comFiltro: boolean;
  readonly #path: string;
  readonly #colunas: readonly ColunaDaAba[];
  /** `A`, `B` … of its columns. */
  readonly #letras: readonly string[];
  readonly #gzip: Gzip;
  readonly #written: Promise<void>;
  #linhas = 1;

  /** @param input.path where it grows; whoever made it removes it */
  constructor(input: { nome: string; path: string; colunas: readonly ColunaDaAba[]; comFiltro: boolean }) {
    this.nome = input.nome;
    this.comFiltro = input.comFiltro;
    this.#path = input.path;
    this.#colunas = input.colunas;
    this.#letras = input.colunas.map((_coluna, index) => letra(index));
    this.#gzip = createGzip({ level: NIVEL_DO_RASCUNHO });
    this.#written = pipeline(this.#gzip, createWriteStream(input.path, { mode: 0o600 }));
    // Whoever waits meets the failure; nobody may be waiting just then.
    this.#written.catch(() => {});
    this.#gzip.write(cabecalhoDaAba(input.colunas));
  }

  /** Rows so far, the head among them: the number of the last one. */
  get linhas(): number {
    return this.#linhas;
  }

  get colunas(): readonly ColunaDaAba[] {
    return this.#colunas;
  }

  get cheia(): boolean {
    return this.#linhas >= LINHAS_POR_ABA;
  }

  /** Adds a row, and waits while the disk is behind. @throws what the disk breaks with */
  async add(celulas: readonly (Celula | Formula)[]): Promise<void> {
    this.#linhas++;
    const numero = this.#linhas;
    let xml = '';
    for (const [index, celula] of celulas.entries()) {
      if (celula === null || celula === '') continue;
      xml += celulaXml(celula, { coluna: this.#colunas[index], ref: `${this.#letras[index]}${numero}` });
    }
    if (this.#gzip.write(`<row r="${numero}">${xml}</row>`)) return;
    // What broke the file breaks the wait.
    await Promise.race([once(this.#gzip, 'drain'), this.#written]);
  }

  /** Ends it. @throws what the disk breaks with */
  async end(): Promise<void> {
    this.#gzip.end(rodapeDaAba(this));
    await this.#written;
  }

  /** Lets go of its file, whatever became of it. */
  destroy(): void {
    this.#gzip.destroy();
  }

  /** Its XML, once it is ended. */
  read(): NodeJS.ReadableStream {
    const source = createReadStream(this.#path);
    const xml = source.pipe(createGunzip());
    source.on('error', (error) => xml.destroy(error));
    return xml;
  }
}

/** `A`, `B` … `AA`: of a column counted from 0. */
export function letra(index: number): string {
  const rest = String.fromCharCode(65 + (index % 26));
  return index < 26 ? rest : letra(Math.floor(index / 26) - 1) + rest;
}

/** Writes the workbook of sheets that are ended. @throws what the stream or the disk breaks with */
export async function writeLivro(out: NodeJS.WritableStream, abas: readonly Aba[]): Promise<void> {
  const zip = new ZipFile();
  const piped = zip.outputStream.pipe(out);
  const failed = new Promise<never>((_resolve, reject) => {
    zip.on('error', reject);
    out.on('error', reject);
  });
  failed.catch(() => {});
  zip.addBuffer(Buffer.from(tiposXml(abas)), '[Content_Types].xml');
  zip.addBuffer(Buffer.from(RAIZ_XML), '_rels/.rels');
  zip.addBuffer(Buffer.from(livroXml(abas)), 'xl/workbook.xml');
  zip.addBuffer(Buffer.from(relacoesXml(abas)), 'xl/_rels/workbook.xml.rels');
  zip.addBuffer(Buffer.from(ESTILOS_XML), 'xl/styles.xml');
  for (const [index, aba] of abas.entries())
    zip.addReadStreamLazy(`xl/worksheets/sheet${index + 1}.xml`, (give) => give(null, aba.read()));
  zip.end();
  await Promise.race([finished(piped as NodeJS.WritableStream), failed]);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PRINCIPAL = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DO_ESCRITORIO = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DO_PACOTE = 'http://schemas.openxmlformats.org/package/2006';

function cabecalhoDaAba(colunas: readonly ColunaDaAba[]): string {
  const cols = colunas
    .map(({ tipo, largura, titulo }, index) => {
      const n = index + 1;
      const width = largura ?? Math.max(LARGURA[tipo], Math.min(titulo.length + 4, 26));
      return `<col min="${n}" max="${n}" width="${width}" customWidth="1"/>`;
    })
    .join('');
  const cells = colunas
    .map(({ titulo }, index) => textoXml(titulo, { ref: `${letra(index)}1`, estilo: ESTILO.cabeca }))
    .join('');
  return `${XML}<worksheet xmlns="${PRINCIPAL}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${cols}</cols><sheetData><row r="1" ht="30" customHeight="1">${cells}</row>`;
}

/** Keys and CNPJs are texts of digits on purpose: no program has to warn of it. */
function rodapeDaAba(aba: Aba): string {
  const area = areaDe(aba);
  const filtro = aba.comFiltro ? `<autoFilter ref="${area}"/>` : '';
  return `</sheetData>${filtro}<ignoredErrors><ignoredError sqref="${area}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
}

const areaDe = ({ colunas, linhas }: Aba) => `A1:${letra(colunas.length - 1)}${linhas}`;

function celulaXml(
  celula: NonNullable<Celula> | Formula,
  { coluna, ref }: { coluna: ColunaDaAba | undefined; ref: string },
): string {
  const tipo = coluna?.tipo ?? 'texto';
  const estilo = ESTILO_DO_TIPO[tipo];
  if (typeof celula === 'object')
    return `<c r="${ref}" s="${tipo === 'formula' ? ESTILO.negrito : estilo}"><f>${escapar(celula.formula)}</f><v>${celula.valor}</v></c>`;
  const numero = tipo === 'data' ? serialDe(String(celula)) : numeroDe(tipo, celula);
  return numero === null
    ? textoXml(inofensivo(String(celula)).slice(0, TEXTO_MAX), { ref, estilo: ESTILO.texto })
    : `<c r="${ref}" s="${estilo}"><v>${numero}</v></c>`;
}

const NUMERICOS: ReadonlySet<TipoDeCelula> = new Set(['moeda', 'quantidade', 'inteiro', 'formula']);
const NUMERO = /^-?\d{1,18}(?:\.\d{1,10})?$/;

/** The very digits of the XML: no amount passes through floating point. */
function numeroDe(tipo: TipoDeCelula, celula: string | number): string | null {
  const text = String(celula);
  return NUMERICOS.has(tipo) && NUMERO.test(text) ? text : null;
}

/** Days since 30 December 1899, by the wall clock of the document: spreadsheets know no offsets. Null for no date. */
function serialDe(iso: string): string | null {
  const ms = Date.parse(`${iso.slice(0, 19)}${iso.length > 10 ? 'Z' : ''}`);
  return Number.isNaN(ms) ? null : String(ms / 86_400_000 + 25_569);
}

function textoXml(text: string, { ref, estilo }: { ref: string; estilo: number }): string {
  return `<c r="${ref}" s="${estilo}" t="inlineStr"><is><t xml:space="preserve">${escapar(text)}</t></is></c>`;
}

/** Nearly all texts have none of these: a text is looked through once. */
const A_ESCAPAR = /[^ -~\u00a1-\ud7ff]|[&<>]/;

/** What XML 1.0 has no sign for is taken out. */
function escapar(text: string): string {
  if (!A_ESCAPAR.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function tiposXml(abas: readonly Aba[]): string {
  const folha = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const partes = abas
    .map(
      (_aba, n) =>
        `<Override PartName="/xl/worksheets/sheet${n + 1}.xml" ContentType="${folha}.worksheet+xml"/>`,
    )
    .join('');
  return `${XML}<Types xmlns="${DO_PACOTE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${folha}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${folha}.styles+xml"/>${partes}</Types>`;
}

const RAIZ_XML = `${XML}<Relationships xmlns="${DO_PACOTE}/relationships"><Relationship Id="rId1" Type="${DO_ESCRITORIO}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

/** Formulas are worked out once more when it is opened; the hidden names say to which cells a filter belongs. */
function livroXml(abas: readonly Aba[]): string {
  const sheets = abas
    .map(({ nome }, n) => `<sheet name="${escapar(nome)}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`)
    .join('');
  const filtros = abas
    .map((aba, n) => {
      if (!aba.comFiltro) return '';
      const absoluta = areaDe(aba).replaceAll(/([A-Z]+)(\d+)/g, '$$$1$$$2');
      return `<definedName name="_xlnm._FilterDatabase" localSheetId="${n}" hidden="1">'${escapar(aba.nome)}'!${absoluta}</definedName>`;
    })
    .join('');
  return `${XML}<workbook xmlns="${PRINCIPAL}" xmlns:r="${DO_ESCRITORIO}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${sheets}</sheets><definedNames>${filtros}</definedNames><calcPr fullCalcOnLoad="1"/></workbook>`;
}

function relacoesXml(abas: readonly Aba[]): string {
  const partes = abas
    .map(
      (_aba, n) =>
        `<Relationship Id="rId${n + 1}" Type="${DO_ESCRITORIO}/worksheet" Target="worksheets/sheet${n + 1}.xml"/>`,
    )
    .join('');
  return `${XML}<Relationships xmlns="${DO_PACOTE}/relationships">${partes}<Relationship Id="rId${abas.length + 1}" Type="${DO_ESCRITORIO}/styles" Target="styles.xml"/></Relationships>`;
}

/** In the order of `ESTILO`. 49 is text, 4 is `#,##0.00`, 1 is `0`. */
const ESTILOS_XML = `${XML}<styleSheet xmlns="${PRINCIPAL}"><numFmts count="2"><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="#,##0.####"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE7ECEF"/><bgColor indexed="64"/></patternFill></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="8"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyAlignment="1"><alignment vertical="center" wrapText="1"/></xf>${[49, 4, 164, 1, 165].map((formato) => `<xf numFmtId="${formato}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}<xf numFmtId="4" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
