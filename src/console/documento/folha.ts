/** A plain sheet of any document: what it says, group by group, with its key as a barcode and clear marks of its state. */
import bwipjs from '@bwip-js/node';
import PDFDocument from 'pdfkit';
import type { Campo, Grupo, ItemLegivel } from './leitura.ts';
import type { ContextoDoPdf } from './pdf/marcas.ts';

const MARGIN = 36;
const SMALL = 7;
const NORMAL = 9;
const COLUMNS = 3;
const GAP = 8;
const ROW = 24;
/** Longer values take the whole width. */
const SHORT = 42;

type Doc = InstanceType<typeof PDFDocument>;

/** Draws everything that a document says, group by group. */
export function desenharFolha(input: {
  contexto: ContextoDoPdf;
  grupos: readonly Grupo[];
  itens: readonly ItemLegivel[];
}): Doc {
  const { contexto } = input;
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: plain(`${contexto.titulo} ${contexto.chave}`), Creator: 'Malote' },
  });
  // The barcode is drawn as soon as it is there; everything else follows.
  void head(doc, contexto)
    .then(() => {
      for (const grupo of input.grupos) group(doc, grupo);
      if (input.itens.length > 0) items(doc, input.itens);
      finish(doc, contexto);
    })
    .catch((error: unknown) => doc.emit('error', error));
  return doc;
}

async function head(doc: Doc, { titulo, chave, status }: ContextoDoPdf): Promise<void> {
  doc.font('Helvetica-Bold').fontSize(14).text(plain(titulo));
  doc
    .font('Helvetica')
    .fontSize(NORMAL)
    .text(plain(`Situação: ${status}`));
  doc.moveDown(0.3);
  if (/^[0-9A-Z]{44,50}$/.test(chave)) {
    const png = await bwipjs.toBuffer({ bcid: 'code128', text: chave, height: 9, scale: 2 });
    doc.image(png, { fit: [360, 34] });
    doc.y += 4;
  }
  doc
    .font('Helvetica')
    .fontSize(NORMAL)
    .text(plain(`Chave: ${chave}`));
  doc.moveDown(0.8);
}

function group(doc: Doc, grupo: Grupo): void {
  title(doc, grupo.titulo);
  fields(doc, grupo.campos);
  if (grupo.tabela) {
    table(doc, {
      heads: grupo.tabela.colunas.map((coluna) => coluna.rotulo),
      rows: grupo.tabela.linhas.map((linha) =>
        linha.map((valor, index) => format({ valor, tipo: grupo.tabela?.colunas[index]?.tipo ?? 'texto' })),
      ),
    });
    const more = grupo.tabela.total - grupo.tabela.linhas.length;
    if (more > 0) doc.fontSize(SMALL).text(`e mais ${more} linhas no XML`);
  }
  doc.moveDown(0.5);
}

function title(doc: Doc, text: string): void {
  room(doc, ROW * 2);
  doc.font('Helvetica-Bold').fontSize(10).fillColor('black').text(plain(text), MARGIN);
  const y = doc.y + 1;
  doc
    .moveTo(MARGIN, y)
    .lineTo(doc.page.width - MARGIN, y)
    .lineWidth(0.5)
    .strokeColor('#999')
    .stroke();
  doc.y = y + 4;
}

/** Label above value, three to a line; long values alone. */
function fields(doc: Doc, campos: readonly Campo[]): void {
  const width = (doc.page.width - 2 * MARGIN - GAP * (COLUMNS - 1)) / COLUMNS;
  let column = 0;
  for (const campo of campos) {
    const text = format(campo);
    if (text.length > SHORT) {
      if (column > 0) doc.y += ROW;
      column = 0;
      long(doc, campo.rotulo, text);
      continue;
    }
    if (column === 0) room(doc, ROW);
    const y = doc.y;
    const x = MARGIN + column * (width + GAP);
    cell(doc, { x, y, width, label: campo.rotulo, text });
    column = (column + 1) % COLUMNS;
    doc.y = column === 0 ? y + ROW : y;
  }
  if (column > 0) doc.y += ROW;
  doc.x = MARGIN;
}

function cell(doc: Doc, input: { x: number; y: number; width: number; label: string; text: string }): void {
  const { x, y, width } = input;
  const line = { width, height: 11, ellipsis: true, lineBreak: false };
  doc.font('Helvetica').fontSize(SMALL).fillColor('#555').text(plain(input.label), x, y, line);
  doc
    .fontSize(NORMAL)
    .fillColor('black')
    .text(plain(input.text), x, y + 9, line);
}

function long(doc: Doc, label: string, text: string): void {
  room(doc, ROW);
  doc.font('Helvetica').fontSize(SMALL).fillColor('#555').text(plain(label), MARGIN);
  doc
    .fontSize(NORMAL)
    .fillColor('black')
    .text(plain(text), MARGIN, doc.y, { width: doc.page.width - 2 * MARGIN });
  doc.y += 3;
}

/** Columns of items that fit on paper; the rest is in the XML. */
const ITEM_COLUMNS = [
  { heads: ['Código'], share: 2 },
  { heads: ['Descrição'], share: 5 },
  { heads: ['NCM'], share: 1.6 },
  { heads: ['CFOP'], share: 1 },
  { heads: ['Unidade'], share: 1 },
  { heads: ['Quantidade'], share: 1.6 },
  { heads: ['Valor unitário'], share: 1.8 },
  { heads: ['Valor dos produtos', 'Valor do item'], share: 1.8 },
] as const;

function items(doc: Doc, itens: readonly ItemLegivel[]): void {
  title(doc, 'Itens');
  table(doc, {
    heads: ITEM_COLUMNS.map(({ heads }) => heads[0]),
    shares: ITEM_COLUMNS.map(({ share }) => share),
    rows: itens.map((item) =>
      ITEM_COLUMNS.map(({ heads }) => {
        const campo = item.campos.find(({ rotulo }) => (heads as readonly string[]).includes(rotulo));
        return campo ? format(campo) : '';
      }),
    ),
  });
}

function table(
  doc: Doc,
  input: { heads: readonly string[]; rows: readonly (readonly string[])[]; shares?: readonly number[] },
): void {
  const shares = input.shares ?? input.heads.map(() => 1);
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const widths = shares.map((share) => ((doc.page.width - 2 * MARGIN) * share) / whole);
  row(doc, { cells: input.heads, widths, font: 'Helvetica-Bold' });
  for (const cells of input.rows) row(doc, { cells, widths, font: 'Helvetica' });
  doc.x = MARGIN;
}

function row(doc: Doc, input: { cells: readonly string[]; widths: readonly number[]; font: string }): void {
  const HEIGHT = 11;
  room(doc, HEIGHT);
  const y = doc.y;
  let x = MARGIN;
  for (const [index, width] of input.widths.entries()) {
    const text = plain(cabe(input.cells[index] ?? '', width));
    doc
      .font(input.font)
      .fontSize(SMALL)
      .fillColor('black')
      .text(text, x, y, { width: width - 3, height: 9, ellipsis: true, lineBreak: false });
    x += width;
  }
  doc.y = y + HEIGHT;
}

/** Widths of the narrowest letters, by the size of the font. */
const NARROWEST = 0.2;

/** No more of a text than a line of such a width can hold: the fitting of one goes through it again and again. */
function cabe(text: string, width: number): string {
  return text.slice(0, Math.ceil(width / (SMALL * NARROWEST)));
}

function room(doc: Doc, height: number): void {
  if (doc.y + height > doc.page.height - MARGIN - 14) doc.addPage();
}

/** Page numbers, and across every page what no one may overlook. Ends the document. */
export function finish(
  doc: Doc,
  contexto: Pick<ContextoDoPdf, 'status' | 'homologacao'>,
  folha: (page: number, count: number) => string = (page, count) =>
    `Representação para leitura; o documento fiscal é o XML. Página ${page} de ${count}`,
): void {
  const marks = [
    ...(contexto.homologacao ? ['SEM VALOR FISCAL'] : []),
    ...(contexto.status === 'Cancelada' ? ['CANCELADA'] : []),
    ...(contexto.status === 'Denegada' ? ['DENEGADA'] : []),
    ...(contexto.status === 'Pendente' ? ['SEM AUTORIZAÇÃO'] : []),
  ];
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page);
    for (const [index, mark] of marks.entries()) across(doc, mark, index);
    doc.page.margins.bottom = 0;
    doc
      .font('Helvetica')
      .fontSize(SMALL)
      .fillColor('#555')
      .text(plain(folha(page - start + 1, count)), MARGIN, doc.page.height - MARGIN + 8, {
        width: doc.page.width - 2 * MARGIN,
        align: 'center',
        lineBreak: false,
      });
  }
  doc.end();
}

function across(doc: Doc, mark: string, index: number): void {
  const { width, height } = doc.page;
  doc.save();
  doc.rotate(-45, { origin: [width / 2, height / 2] });
  doc
    .font('Helvetica-Bold')
    .fontSize(54)
    .fillColor('#c00')
    .fillOpacity(0.28)
    .text(mark, 0, height / 2 - 30 + index * 70, { width, align: 'center', lineBreak: false });
  doc.restore();
  doc.fillOpacity(1);
}

/** A value as people read it, in pt-BR. */
export function format({ valor, tipo }: Pick<Campo, 'valor' | 'tipo'>): string {
  switch (tipo) {
    case 'moeda':
      return Number(valor).toLocaleString('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 10 });
    case 'numero':
      return Number(valor).toLocaleString('pt-BR', { maximumFractionDigits: 4 });
    case 'percentual':
      return `${Number(valor).toLocaleString('pt-BR', { maximumFractionDigits: 4 })}%`;
    case 'data': {
      const [, year, month, day, time = ''] =
        /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?))?/.exec(valor) ?? [];
      return `${day}/${month}/${year} ${time}`.trim();
    }
    case 'cpfCnpj':
      return valor.length === 14
        ? valor.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')
        : valor.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');
    default:
      return valor;
  }
}

/** The built-in fonts have the letters of Western Europe: all of Portuguese. Others become a question mark. */
export function plain(text: string): string {
  return text
    .replaceAll(/[\u2013\u2014]/g, '-')
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\u201c\u201d]/g, '"')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[^\u0020-\u00ff]/gu, '?');
}
