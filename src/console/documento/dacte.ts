/** The DACTE on one page of A4, and more where the documents that travel do not fit. @fonte MOC CT-e 4.00, Anexo II */
import bwipjs from '@bwip-js/node';
import PDFDocument from 'pdfkit';
import { type DadosDoDacte, instante, type ParteDoCte } from './dacte-dados.ts';
import { finish, format, plain } from './folha.ts';
import type { ContextoDoPdf } from './pdf/marcas.ts';

type Doc = InstanceType<typeof PDFDocument>;

const LEFT = 20;
const WIDTH = 555;
const TOP = 20;
const BOTTOM = 812;
const HALF = WIDTH / 2;
const LABEL = 5;
const VALUE = 8;
const PAD = 3;
const ROW = 20;
const BAND = 11;

const dinheiro = (valor: string) => (valor === '' ? '' : format({ valor, tipo: 'moeda' }));
const quantidade = (valor: string) => (valor === '' ? '' : format({ valor, tipo: 'numero' }));
const documento = (valor: string) => (valor === '' ? '' : format({ valor, tipo: 'cpfCnpj' }));
const emGrupos = (chave: string) => chave.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** Draws the DACTE of a CT-e or CT-e OS. */
export function desenharDacte(dados: DadosDoDacte, contexto: ContextoDoPdf): Doc {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    info: { Title: plain(`DACTE ${dados.chave}`), Creator: 'Malote' },
  });
  // The barcodes are drawn as soon as they are there; everything else follows.
  void codigosDe(dados)
    .then((codigos) => {
      let y = cabecalho(doc, dados, codigos);
      y = prestacao(doc, dados, y);
      y = partes(doc, dados, y);
      y = carga(doc, dados, y);
      y = valores(doc, dados, y);
      y = originarios(doc, dados, y);
      rodape(doc, dados, y);
      doc.page.margins.bottom = 0;
      const nome = dados.modelo === '67' ? 'DACTE OS' : 'DACTE';
      finish(doc, contexto, (page, count) => `${nome} ${dados.numero}, folha ${page} de ${count}`);
    })
    .catch((error: unknown) => doc.emit('error', error));
  return doc;
}

interface Codigos {
  barras: Buffer | null;
  qr: Buffer | null;
}

async function codigosDe({ chave, qrCode }: DadosDoDacte): Promise<Codigos> {
  const barras = /^[0-9A-Z]{44}$/.test(chave)
    ? await bwipjs.toBuffer({ bcid: 'code128', text: chave, height: 10, scale: 3 })
    : null;
  const qr = qrCode ? await bwipjs.toBuffer({ bcid: 'qrcode', text: qrCode, scale: 3 }) : null;
  return { barras, qr };
}

interface Caixa {
  x: number;
  y: number;
  width: number;
  height?: number;
}

/** A frame with its small label and a value; a value that is too long ends in an ellipsis. */
function caixa(
  doc: Doc,
  at: Caixa,
  input: {
    rotulo: string;
    valor: string;
    alinhamento?: 'left' | 'right' | 'center';
    negrito?: boolean;
    tamanho?: number;
  },
): void {
  const { x, y, width, height = ROW } = at;
  const { rotulo, valor, alinhamento: align = 'left', negrito = false, tamanho = VALUE } = input;
  moldura(doc, at);
  const line = { width: width - 2 * PAD, lineBreak: false, ellipsis: true };
  doc.font('Helvetica').fontSize(LABEL).fillColor('black');
  doc.text(plain(rotulo.toUpperCase()), x + PAD, y + 2, { ...line, height: LABEL + 2 });
  doc.font(negrito ? 'Helvetica-Bold' : 'Helvetica').fontSize(tamanho);
  doc.text(plain(valor), x + PAD, y + height - tamanho - 3, { ...line, align, height: tamanho + 2 });
}

function moldura(doc: Doc, { x, y, width, height = ROW }: Caixa): void {
  doc.lineWidth(0.6).strokeColor('black').rect(x, y, width, height).stroke();
}

/** Frames side by side over the whole width, by shares. @returns where the next row begins */
function fila(
  doc: Doc,
  y: number,
  caixas: readonly { rotulo: string; valor: string; parte?: number; alinhamento?: 'right' | 'center' }[],
  { x = LEFT, width = WIDTH, height = ROW }: { x?: number; width?: number; height?: number } = {},
): number {
  const whole = caixas.reduce((sum, { parte = 1 }) => sum + parte, 0);
  let left = x;
  for (const { parte = 1, ...input } of caixas) {
    const own = (width * parte) / whole;
    caixa(doc, { x: left, y, width: own, height }, input);
    left += own;
  }
  return y + height;
}

function faixa(doc: Doc, y: number, titulo: string, { x = LEFT, width = WIDTH } = {}): number {
  doc.rect(x, y, width, BAND).fillAndStroke('#e6e6e6', 'black');
  doc.font('Helvetica-Bold').fontSize(6.5).fillColor('black');
  doc.text(plain(titulo.toUpperCase()), x, y + 3, { width, align: 'center', lineBreak: false });
  return y + BAND;
}

function cabecalho(doc: Doc, dados: DadosDoDacte, { barras, qr }: Codigos): number {
  const [emitente, meio] = [200, 235];
  const qrLeft = LEFT + emitente + meio;
  const qrWidth = WIDTH - emitente - meio;
  const height = 132;
  moldura(doc, { x: LEFT, y: TOP, width: emitente, height });
  identificacao(doc, dados.emitente, { x: LEFT, y: TOP, width: emitente, height });
  moldura(doc, { x: qrLeft, y: TOP, width: qrWidth, height });
  if (qr) doc.image(qr, qrLeft + 8, TOP + 12, { fit: [qrWidth - 16, qrWidth - 16], align: 'center' });
  const x = LEFT + emitente;
  moldura(doc, { x, y: TOP, width: meio, height: 32 });
  doc.font('Helvetica-Bold').fontSize(13).fillColor('black');
  doc.text(dados.modelo === '67' ? 'DACTE OS' : 'DACTE', x, TOP + 3, { width: 150, align: 'center' });
  doc.font('Helvetica').fontSize(5.5);
  const titulo =
    dados.modelo === '67'
      ? 'Documento Auxiliar do Conhecimento de Transporte Eletrônico para Outros Serviços'
      : 'Documento Auxiliar do Conhecimento de Transporte Eletrônico';
  doc.text(titulo, x + 6, TOP + 17, { width: 138, align: 'center' });
  caixa(
    doc,
    { x: x + 150, y: TOP, width: meio - 150, height: 32 },
    { rotulo: 'Modal', valor: dados.modal, alinhamento: 'center', negrito: true },
  );
  let y = fila(
    doc,
    TOP + 32,
    [
      { rotulo: 'Modelo', valor: dados.modelo, parte: 0.8, alinhamento: 'center' },
      { rotulo: 'Série', valor: dados.serie, parte: 0.7, alinhamento: 'center' },
      { rotulo: 'Número', valor: dados.numero, parte: 1.2, alinhamento: 'center' },
      { rotulo: 'Data e hora de emissão', valor: instante(dados.emissao), parte: 2.2, alinhamento: 'center' },
    ],
    { x, width: meio },
  );
  moldura(doc, { x, y, width: meio, height: 40 });
  if (barras) doc.image(barras, x + 8, y + 4, { width: meio - 16, height: 32 });
  y += 40;
  caixa(doc, { x, y, width: meio }, { rotulo: 'Chave de acesso', valor: '' });
  chaveNumaLinha(doc, dados.chave, { x: x + PAD, y: y + 9, width: meio - 2 * PAD });
  y += ROW;
  caixa(
    doc,
    { x, y, width: meio },
    {
      rotulo: 'Protocolo de autorização de uso',
      valor: dados.protocolo,
      alinhamento: 'center',
      negrito: true,
      tamanho: 7,
    },
  );
  return TOP + height;
}

/** Letters are wider than digits: the key is as large as its line allows. */
function chaveNumaLinha(
  doc: Doc,
  chave: string,
  { x, y, width }: { x: number; y: number; width: number },
): void {
  const text = emGrupos(chave);
  const perPoint = doc.font('Helvetica-Bold').fontSize(1).widthOfString(text);
  doc.fontSize(Math.min(VALUE, (width - 1) / perPoint));
  doc.text(plain(text), x, y, { width, align: 'center', lineBreak: false });
}

function identificacao(doc: Doc, emitente: ParteDoCte, { x, y, width }: Required<Caixa>): void {
  const line = { width: width - 12, align: 'center' as const };
  doc.font('Helvetica-Bold').fontSize(10).fillColor('black');
  doc.text(plain(emitente.nome), x + 6, y + 22, { ...line, height: 24, ellipsis: true });
  doc.font('Helvetica').fontSize(7);
  const rows = [
    emitente.endereco,
    `${emitente.cep}  ${emitente.municipio} - ${emitente.uf}`,
    `CNPJ ${documento(emitente.cpfCnpj)}   IE ${emitente.ie}`,
    emitente.fone === '' ? '' : `Fone ${emitente.fone}`,
  ];
  for (const [at, row] of rows.entries())
    doc.text(plain(row), x + 6, y + 54 + at * 13, { ...line, height: 12, ellipsis: true });
}

function prestacao(doc: Doc, dados: DadosDoDacte, y: number): number {
  const next = fila(doc, y, [
    { rotulo: 'Tipo do CT-e', valor: dados.tipo },
    { rotulo: 'Tipo do serviço', valor: dados.servico, parte: 1.4 },
    { rotulo: 'Tomador do serviço', valor: dados.quemPaga },
    { rotulo: 'CFOP - natureza da prestação', valor: dados.cfop, parte: 2 },
  ]);
  return fila(doc, next, [
    { rotulo: 'Início da prestação', valor: dados.inicio },
    { rotulo: 'Término da prestação', valor: dados.fim },
    { rotulo: 'Inscrição SUFRAMA do destinatário', valor: dados.suframa },
  ]);
}

const PARTE = 46;

function partes(doc: Doc, dados: DadosDoDacte, y: number): number {
  const pairs = [
    [
      ['Remetente', dados.remetente],
      ['Destinatário', dados.destinatario],
    ],
    [
      ['Expedidor', dados.expedidor],
      ['Recebedor', dados.recebedor],
    ],
  ] as const;
  let next = y;
  for (const pair of dados.modelo === '67' ? [] : pairs) {
    for (const [at, [rotulo, pessoa]] of pair.entries())
      parte(doc, { x: LEFT + at * HALF, y: next, width: HALF, height: PARTE }, { rotulo, pessoa });
    next += PARTE;
  }
  parte(
    doc,
    { x: LEFT, y: next, width: WIDTH, height: PARTE },
    { rotulo: 'Tomador do serviço', pessoa: dados.tomador },
  );
  return next + PARTE;
}

function parte(
  doc: Doc,
  at: Required<Caixa>,
  { rotulo, pessoa }: { rotulo: string; pessoa: ParteDoCte | null },
): void {
  const { x, y, width } = at;
  moldura(doc, at);
  const rows: readonly (readonly [string, string])[] = [
    [rotulo, pessoa?.nome ?? ''],
    ['Endereço', pessoa?.endereco ?? ''],
    ['Município', pessoa ? `${pessoa.municipio} - ${pessoa.uf}   CEP ${pessoa.cep}   ${pessoa.pais}` : ''],
    ['CNPJ/CPF', pessoa ? `${documento(pessoa.cpfCnpj)}   IE ${pessoa.ie}   Fone ${pessoa.fone}` : ''],
  ];
  for (const [index, [nome, valor]] of rows.entries()) {
    const top = y + 4 + index * 10.5;
    const line = { lineBreak: false, ellipsis: true, height: 9 };
    doc
      .font('Helvetica')
      .fontSize(LABEL + 0.5)
      .fillColor('black');
    doc.text(plain(nome.toUpperCase()), x + PAD, top + 2, { ...line, width: 66 });
    doc.font(index === 0 ? 'Helvetica-Bold' : 'Helvetica').fontSize(7);
    doc.text(plain(valor), x + 70, top, { ...line, width: width - 74 });
  }
}

function carga(doc: Doc, { carga: transportada, quantidades }: DadosDoDacte, y: number): number {
  let next = fila(doc, y, [
    { rotulo: 'Produto predominante', valor: transportada.produto, parte: 2 },
    { rotulo: 'Outras características da carga', valor: transportada.caracteristicas, parte: 2 },
    { rotulo: 'Valor total da mercadoria', valor: dinheiro(transportada.valor), alinhamento: 'right' },
  ]);
  const shown = quantidades.slice(0, 5);
  if (shown.length > 0)
    next = fila(
      doc,
      next,
      shown.map(({ nome, valor }) => ({ rotulo: nome, valor: quantidade(valor), alinhamento: 'right' })),
    );
  return next;
}

const LINHA = 10;
const COMPONENTES = 3;

function valores(doc: Doc, dados: DadosDoDacte, y: number): number {
  let next = faixa(doc, y, 'Componentes do valor da prestação do serviço');
  const lines = Math.max(3, Math.ceil(dados.componentes.length / COMPONENTES));
  const height = lines * LINHA + 6;
  const lists = WIDTH * 0.76;
  const width = lists / COMPONENTES;
  for (let column = 0; column < COMPONENTES; column++) {
    const x = LEFT + column * width;
    moldura(doc, { x, y: next, width, height });
    for (const [at, { nome, valor }] of dados.componentes
      .slice(column * lines, (column + 1) * lines)
      .entries()) {
      const top = next + 4 + at * LINHA;
      doc.font('Helvetica').fontSize(7).fillColor('black');
      doc.text(plain(nome), x + PAD, top, {
        width: width * 0.6,
        height: 8,
        lineBreak: false,
        ellipsis: true,
      });
      doc.text(dinheiro(valor), x + PAD, top, { width: width - 2 * PAD, align: 'right', lineBreak: false });
    }
  }
  const total = { x: LEFT + lists, width: WIDTH - lists, height: height / 2 };
  caixa(
    doc,
    { ...total, y: next },
    { rotulo: 'Valor total da prestação', valor: dinheiro(dados.total), alinhamento: 'right', negrito: true },
  );
  caixa(
    doc,
    { ...total, y: next + height / 2 },
    { rotulo: 'Valor a receber', valor: dinheiro(dados.aReceber), alinhamento: 'right', negrito: true },
  );
  next = faixa(doc, next + height, 'Informações relativas ao imposto');
  const { situacao, base, aliquota, valor, reducao, st } = dados.imposto;
  return fila(doc, next, [
    { rotulo: 'Situação tributária', valor: situacao, parte: 2.6 },
    { rotulo: 'Base de cálculo', valor: dinheiro(base), alinhamento: 'right' },
    { rotulo: 'Alíq. ICMS', valor: quantidade(aliquota), parte: 0.7, alinhamento: 'right' },
    { rotulo: 'Valor do ICMS', valor: dinheiro(valor), alinhamento: 'right' },
    { rotulo: '% red. BC', valor: quantidade(reducao), parte: 0.7, alinhamento: 'right' },
    { rotulo: 'ICMS ST', valor: dinheiro(st), alinhamento: 'right' },
  ]);
}

/** What has to stand below the documents on the first page. */
const RODAPE = 100;

function originarios(doc: Doc, { originarios: todos }: DadosDoDacte, y: number): number {
  let next = faixa(doc, y, 'Documentos originários');
  let start = next;
  const end = () => BOTTOM - RODAPE;
  const close = (bottom: number) => {
    for (const x of [LEFT, LEFT + HALF]) moldura(doc, { x, y: start, width: HALF, height: bottom - start });
  };
  for (let at = 0; at < todos.length; at += 2) {
    if (next + LINHA > end()) {
      close(next + 4);
      doc.addPage();
      next = faixa(doc, TOP, 'Documentos originários (continuação)');
      start = next;
    }
    for (const [column, one] of todos.slice(at, at + 2).entries()) {
      const x = LEFT + column * HALF + PAD;
      doc.font('Helvetica').fontSize(7).fillColor('black');
      doc.text(plain(one.tipo), x, next + 4, { width: 36, height: 8, lineBreak: false, ellipsis: true });
      doc.text(plain(one.identificacao), x + 38, next + 4, {
        width: HALF - 46,
        height: 8,
        lineBreak: false,
        ellipsis: true,
      });
    }
    next += LINHA;
  }
  const bottom = Math.max(next + 4, doc.bufferedPageRange().count === 1 ? end() : next + 4);
  close(bottom);
  return bottom;
}

function rodape(doc: Doc, dados: DadosDoDacte, y: number): void {
  let next = faixa(doc, y, 'Observações');
  moldura(doc, { x: LEFT, y: next, width: WIDTH, height: 34 });
  doc.font('Helvetica').fontSize(7).fillColor('black');
  doc.text(plain(dados.observacoes), LEFT + PAD, next + 4, {
    width: WIDTH - 2 * PAD,
    height: 28,
    ellipsis: true,
  });
  next = faixa(doc, next + 34, `Dados específicos do modal ${dados.modal}`);
  fila(doc, next, [
    { rotulo: dados.rntrc === '' ? 'Registro' : 'RNTRC da empresa', valor: dados.rntrc },
    { rotulo: 'Reservado ao fisco', valor: dados.aoFisco, parte: 3 },
  ]);
}
