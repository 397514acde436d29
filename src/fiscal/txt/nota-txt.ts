import { createHash } from 'node:crypto';
import { chaveCheckDigit, hasValidCheckDigit, parseChave44, withoutLeadingZeros } from '../chave.ts';
import { partyId } from '../cpf-cnpj.ts';
import { readDateTime } from '../data-hora.ts';
import { describeFinNFe } from '../nfe/finalidade-nfe.ts';
import { type CodigoRejeicao, type Recusa, reject } from '../rejeicoes.ts';
import {
  type Chave,
  type CpfCnpj,
  type Documento,
  ESPECIE,
  PAPEL,
  type Papel,
  type Participante,
} from '../tipos.ts';
import { type CamposDaLinhaB, decimal, readLinhaB, readLinhaI } from './layout.ts';
import type { Linha } from './linhas.ts';
import type { NotaComTotais } from './totais.ts';
import { findings } from './validar-linhas.ts';

/** Lines of one note; the first is its line A. */
interface Nota {
  a: Linha;
  linhas: readonly Linha[];
  /** Known as soon as it is read, so that every later refusal names it. */
  chave: Chave | null;
  especie: 'NFe' | 'NFCe';
}

const RASCUNHO = 'Nota em TXT: é o rascunho do emissor, sem assinatura nem protocolo.';

function refuse(nota: Nota, codigo: CodigoRejeicao, mensagem: string, linha: Linha = nota.a): Recusa {
  return {
    ok: false,
    especie: nota.especie,
    chave: nota.chave,
    rejeicao: reject(codigo, `Linha ${linha.numero}: ${mensagem}`, linha.numero),
  };
}

function lineOf(nota: Nota, letra: string): Linha | null {
  return nota.linhas.find((linha) => linha.letra === letra) ?? null;
}

function field(nota: Nota, letra: string, index = 1): string | null {
  const text = lineOf(nota, letra)?.campos[index] ?? '';
  return text === '' ? null : text;
}

/**
 * Letters of the lines that say who somebody is, each with the line that has the name. Lines F and G of SEBRAE 4.00
 * begin with the CNPJ or CPF and the name; in other dialects they begin with the street.
 * @fonte TXT layout of the emissor NF-e
 */
const PARTES: readonly { papel: Papel; ids: readonly string[]; nome: string | null }[] = [
  { papel: PAPEL.emitente, ids: ['C02', 'C02A'], nome: 'C' },
  { papel: PAPEL.destinatario, ids: ['E02', 'E03'], nome: 'E' },
  { papel: PAPEL.transportador, ids: ['X04', 'X05'], nome: 'X03' },
  { papel: PAPEL.retirada, ids: ['F02', 'F02A', 'F'], nome: 'F02B' },
  { papel: PAPEL.entrega, ids: ['G02', 'G02A', 'G'], nome: 'G02B' },
  { papel: PAPEL.intermediario, ids: ['YB'], nome: null },
];
/** G51 and G52 are what 3.10 calls them. */
const AUTORIZADOS: readonly string[] = ['GA02', 'GA03', 'G51', 'G52'];

function readParticipantes(nota: Nota): Participante[] {
  const parts = PARTES.flatMap(({ papel, ids, nome }): Participante[] => {
    for (const letra of ids) {
      const cpfCnpj = partyId(field(nota, letra));
      if (cpfCnpj === null) continue;
      if (letra.length === 1) return [{ papel, cpfCnpj, nome: field(nota, letra, 2) }];
      return [{ papel, cpfCnpj, nome: nome === null ? null : field(nota, nome) }];
    }
    return [];
  });
  const authorised = nota.linhas
    .filter(({ letra }) => AUTORIZADOS.includes(letra))
    .flatMap(({ campos }) => partyId(campos[1] ?? null) ?? []);
  return [
    ...parts,
    ...[...new Set(authorised)].map((cpfCnpj) => ({ papel: PAPEL.autorizado, cpfCnpj, nome: null })),
  ];
}

/**
 * Key of line A, or the one that B and C02 make with their cNF; its check digit is computed. Up to layout 1.10 the
 * key has no tpEmis, and cNF 9 digits.
 * @fonte MOC NF-e 7.0 Anexo I; TXT layout of the emissor NF-e
 */
function readChave(
  nota: Nota,
  from: { b: CamposDaLinhaB; emitente: CpfCnpj; data: string; layout: string },
): { ok: true; chave: Chave; avisos: string[] } | Recusa {
  const id = (field(nota, 'A', 2) ?? '').replace(/^NF(?:C?-?e)?/i, '');
  const told = parseChave44(id);
  if (told) {
    nota.chave = told;
    if (hasValidCheckDigit(told)) return { ok: true, chave: told, avisos: disagreements(told, from) };
    return refuse(
      nota,
      'chave_com_dv_invalido',
      `o dígito verificador da chave ${told} não confere. Corrija-a no emissor, ou envie o XML autorizado (nfeProc).`,
    );
  }
  const chave = buildChave(from);
  if (!chave) {
    return refuse(
      nota,
      'txt_sem_chave',
      'a nota não traz a chave de acesso (linha A), nem os campos que a formam (cNF e tpEmis da linha B). Envie o XML gerado pelo emissor, de preferência com o protocolo (nfeProc).',
    );
  }
  const aviso =
    id === ''
      ? 'A chave não está na linha A; foi formada com os campos das linhas B e C02.'
      : `O Id da linha A ("${id.slice(0, 50)}") não é chave; ela foi formada com os campos das linhas B e C02.`;
  return { ok: true, chave, avisos: [aviso] };
}

function buildChave(from: {
  b: CamposDaLinhaB;
  emitente: CpfCnpj;
  data: string;
  layout: string;
}): Chave | null {
  const { b, emitente, data, layout } = from;
  const isOld = layout.startsWith('1.');
  if (b.cUF === null || b.cNF === null || (!isOld && (b.tpEmis === null || b.cNF.length > 8))) return null;
  const code = isOld ? b.cNF.padStart(9, '0') : `${b.tpEmis}${b.cNF.padStart(8, '0')}`;
  const body = [
    b.cUF,
    data.slice(2, 4) + data.slice(5, 7),
    emitente.padStart(14, '0'),
    b.mod,
    (b.serie ?? '').padStart(3, '0'),
    (b.nNF ?? '').padStart(9, '0'),
    code,
  ].join('');
  return parseChave44(body + chaveCheckDigit(body));
}

/** Where the key and the fields disagree. */
function disagreements(chave: Chave, from: { b: CamposDaLinhaB; emitente: CpfCnpj; data: string }): string[] {
  const { b, emitente, data } = from;
  const rows: (readonly [string, string, string])[] = [
    ['ano e mês da emissão', data.slice(2, 4) + data.slice(5, 7), chave.slice(2, 6)],
    ['emitente', emitente.padStart(14, '0'), chave.slice(6, 20)],
    ['mod', b.mod, chave.slice(20, 22)],
    ['serie', (b.serie ?? '').padStart(3, '0'), chave.slice(22, 25)],
    ['nNF', (b.nNF ?? '').padStart(9, '0'), chave.slice(25, 34)],
  ];
  const different = rows.filter(([, said, inKey]) => said !== inKey).map(([name]) => name);
  return different.length === 0
    ? []
    : [`A chave não confere com o conteúdo da nota em: ${different.join(', ')}. Vale o que está nas linhas.`];
}

interface Itens {
  itens: Documento['itens'];
  /** Values of those that are part of vProd. */
  produtos: (string | null)[];
}

function readItens(linhas: readonly Linha[]): Itens {
  const itens: (Documento['itens'][number] & { isProduto: boolean })[] = [];
  let told: number | null = null;
  for (const { letra, campos } of linhas) {
    if (letra === 'H') told = /^[1-9]\d{0,3}$/.test(campos[1] ?? '') ? Number(campos[1]) : null;
    const last = itens.at(-1);
    // ISSQN: the item is a service, whose value is part of vServ.
    if (letra === 'U' && last) last.isProduto = false;
    if (letra !== 'I') continue;
    const { cfop, ncm, vProd, noTotal } = readLinhaI(campos);
    itens.push({ numero: told ?? itens.length + 1, cfop, ncm, valor: vProd, isProduto: noTotal });
    told = null;
  }
  return {
    itens: itens.map(({ isProduto: _, ...item }) => item),
    produtos: itens.filter(({ isProduto }) => isProduto).map(({ valor }) => valor),
  };
}

/** What the total of a note is read from, for all notes of its file together. */
export function totaisDe(linhas: readonly [Linha, ...Linha[]]): NotaComTotais {
  const of = (letra: string) => linhas.find((linha) => linha.letra === letra)?.campos ?? [];
  return {
    layout: linhas[0].campos[1] ?? '',
    w02: of('W02'),
    vServ: decimal(of('W17')[1]),
    produtos: readItens(linhas).produtos,
  };
}

/** Identity of a draft: its lines without what does not change their meaning (ends of lines, blanks behind them). */
function digestOfLines(linhas: readonly Linha[]): string {
  return createHash('sha1')
    .update(linhas.map(({ texto }) => texto).join('\n'), 'utf8')
    .digest('base64');
}

function readEmitente(nota: Nota): { ok: true; emitente: CpfCnpj } | Recusa {
  const line = lineOf(nota, 'C02') ?? lineOf(nota, 'C02A');
  const text = field(nota, 'C02') ?? field(nota, 'C02A');
  const emitente = partyId(field(nota, 'C02')) ?? partyId(field(nota, 'C02A'));
  if (emitente) return { ok: true, emitente };
  return text === null
    ? refuse(
        nota,
        'emitente_ausente',
        'a nota não identifica o emitente (linha C02, CNPJ, ou C02a, CPF). Exporte-a de novo, completa.',
      )
    : refuse(
        nota,
        'emitente_invalido',
        `o emitente "${text.slice(0, 30)}" não é CNPJ (14 posições) nem CPF (11 dígitos). Corrija na origem e envie de novo.`,
        line ?? nota.a,
      );
}

/** What a note needs to be one. */
interface Cabecalho {
  layout: string;
  b: CamposDaLinhaB & { mod: '55' | '65'; serie: string; nNF: string; tpAmb: '1' | '2' };
  emitente: CpfCnpj;
  data: string;
}

function judgeLineB(nota: Nota, lineB: Linha, layout: string): { ok: true; b: Cabecalho['b'] } | Recusa {
  const fields = readLinhaB(lineB.campos, layout);
  const { mod, serie, nNF, tpAmb } = fields;
  if (mod !== '55' && mod !== '65') {
    return refuse(
      nota,
      'modelo_nao_suportado',
      `o modelo (mod) é "${mod.slice(0, 10)}"; uma NF-e tem 55 e uma NFC-e, 65. Confira os campos da linha B.`,
      lineB,
    );
  }
  nota.especie = mod === '65' ? ESPECIE.nfce : ESPECIE.nfe;
  if (serie === null || nNF === null) {
    return refuse(
      nota,
      'txt_mal_formado',
      'a linha B não tem série e número válidos; o número de campos não é o do layout. Exporte a nota de novo.',
      lineB,
    );
  }
  if (tpAmb !== '1' && tpAmb !== '2') {
    return refuse(
      nota,
      'ambiente_invalido',
      'o campo tpAmb deve ser 1 (produção) ou 2 (homologação); o número de campos pode não ser o do layout. Corrija na origem e envie de novo.',
      lineB,
    );
  }
  return { ok: true, b: { ...fields, mod, serie, nNF, tpAmb } };
}

function readCabecalho(nota: Nota): { ok: true; cabecalho: Cabecalho } | Recusa {
  const layout = field(nota, 'A', 1) ?? '';
  const lineB = lineOf(nota, 'B');
  if (!lineB) {
    return refuse(
      nota,
      'txt_mal_formado',
      'a nota não tem a linha B (identificação). Exporte-a de novo, completa.',
    );
  }
  const judged = judgeLineB(nota, lineB, layout);
  if (!judged.ok) return judged;
  const { b } = judged;
  const issuer = readEmitente(nota);
  if (!issuer.ok) return issuer;
  const data = readDateTime(b.dhEmi, b.cUF);
  if (data !== null) return { ok: true, cabecalho: { layout, b, emitente: issuer.emitente, data } };
  return b.dhEmi === ''
    ? refuse(
        nota,
        'data_emissao_ausente',
        'falta a data de emissão. Corrija na origem e envie de novo.',
        lineB,
      )
    : refuse(
        nota,
        'data_emissao_invalida',
        `a data de emissão "${b.dhEmi.slice(0, 40)}" não é válida; o formato é AAAA-MM-DDThh:mm:ss-03:00. Corrija na origem e envie de novo.`,
        lineB,
      );
}

/**
 * Reads one note of an NF-e TXT (layouts 1.10 to 4.00, SEBRAE and local dialects).
 * @param linhas the note's lines, the first of them its line A
 * @param valor its total, as `lerTotais` found it
 * @fonte docs/regras.md, uploads; TXT layout of the emissor NF-e
 */
export function readNotaTxt(
  linhas: readonly [Linha, ...Linha[]],
  valor: string | null,
): { ok: true; registro: Documento } | Recusa {
  const nota: Nota = { a: linhas[0], linhas, chave: null, especie: ESPECIE.nfe };
  const head = readCabecalho(nota);
  if (!head.ok) return head;
  const { b, data, layout } = head.cabecalho;
  const key = readChave(nota, head.cabecalho);
  if (!key.ok) return key;

  const { itens } = readItens(linhas);
  const registro: Documento = {
    classe: 'documento',
    especie: nota.especie,
    chave: key.chave,
    modelo: b.mod,
    ambiente: b.tpAmb === '1' ? 1 : 2,
    layout: layout === '' ? null : layout,
    serie: withoutLeadingZeros(b.serie),
    numero: withoutLeadingZeros(b.nNF),
    dataEmissao: data,
    tpNF: b.tpNF,
    natureza: b.natOp,
    participantes: readParticipantes(nota),
    valor,
    finalidade: describeFinNFe(b),
    itens,
    protocolo: null,
    statusProtocolo: 'Pendente',
    digest: digestOfLines(linhas),
    layoutNacional: false,
    municipioPrestacao: null,
    avisos: [
      RASCUNHO,
      ...key.avisos,
      ...(valor === null ? ['O valor da nota (vNF, linha W02) não foi reconhecido.'] : []),
      ...findings(linhas),
    ],
  };
  return { ok: true, registro };
}
