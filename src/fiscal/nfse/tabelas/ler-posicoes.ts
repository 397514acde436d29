import { isCnpj, isCpf } from '../../cpf-cnpj.ts';
import { piecesIn, tooManyText } from '../../pecas.ts';
import { reject } from '../../rejeicoes.ts';
import type { Codificacao, Peca } from '../../tipos.ts';
import { compilar, type LeiauteCompilado } from '../leiautes/compilar.ts';
import { readParty } from '../valores.ts';
import { type LeiauteDePosicoes, POSICOES } from './leiaute-de-tabela.ts';
import { codificacaoDe, decode, elementoDe, readRow, refusedRow, semUtf16 } from './ler-linha.ts';

const COMPILADAS = POSICOES.map((posicoes) => ({ posicoes, leiaute: compilar(posicoes.leiaute) }));

/** No first line is longer. */
const PRIMEIRA_MAX = 400;

function fitsFirst({ primeira }: LeiauteDePosicoes, line: string): boolean {
  const { comeca, contem, tamanho } = primeira;
  const bare = line.trimEnd();
  if (!bare.startsWith(comeca)) return false;
  // Behind the inscription, which may be shorter than its place.
  if (contem !== undefined) return /^\d[0-9A-Z ]{7}/.test(bare) && bare.slice(8, 40).includes(contem);
  return bare.length === tamanho && /^\d+$/.test(bare);
}

type Valores = readonly (readonly [nome: string, texto: string])[];

function fieldsOf({ campos, centavos = [] }: LeiauteDePosicoes, line: string): Valores {
  return campos.map(([nome, inicio, tamanho]) => {
    const text = line.slice(inicio - 1, inicio - 1 + tamanho).trim();
    return [nome, centavos.includes(nome) ? withPoint(text) : text] as const;
  });
}

function withPoint(text: string): string {
  return /^\d{3,}$/.test(text) ? `${text.slice(0, -2)}.${text.slice(-2)}` : text;
}

/** Whether the fields stand where this version has them: numbers with check digits are no accident. */
function areInPlace({ provam = [] }: LeiauteDePosicoes, campos: Valores): boolean {
  return campos.every(([nome, texto]) => {
    if (!provam.includes(nome) || /^0*$/.test(texto)) return true;
    const id = readParty(texto);
    return id !== null && (isCnpj(id) || isCpf(id));
  });
}

/** A line that is shorter than those of the version that is read; of a list that never names its prestador, that is told. */
function refuseShort({ nome, semPrestador }: LeiauteDePosicoes['leiaute'], numero: number): Peca {
  const lacks = semPrestador
    ? ', que não traz o CNPJ do prestador'
    : ', mas esta linha tem menos posições do que a versão que é lida';
  const mensagem = `É uma lista de NFS-e (${nome})${lacks}. No site da prefeitura, exporte o XML das NFS-e.`;
  return refusedRow(numero, reject(semPrestador?.codigo ?? 'nfse_layout_desconhecido', mensagem));
}

const OUTRA_VERSAO =
  'Os campos não estão nas posições da versão que é lida. Exporte as NFS-e em XML, ou em CSV, no site da prefeitura.';

interface Lista {
  posicoes: LeiauteDePosicoes;
  leiaute: LeiauteCompilado;
  codificacao: Codificacao;
  avisos: readonly string[];
}

function readLine(lista: Lista, at: { primeira: string; linha: string; numero: number }): Peca {
  const { posicoes, leiaute, codificacao, avisos } = lista;
  const { primeira, linha, numero } = at;
  const campos = fieldsOf(posicoes, decode(linha, codificacao));
  if (!areInPlace(posicoes, campos))
    return refusedRow(numero, reject('nfse_layout_desconhecido', OUTRA_VERSAO));
  const bytes = Buffer.from(primeira + linha, 'latin1');
  return readRow(leiaute, { elemento: elementoDe(campos), numero, bytes, codificacao, avisos });
}

/**
 * Reads a list of notes that a portal exported with fields in fixed places: each line that is a note is a document, kept
 * behind the first line of the file.
 *
 * @returns null where the file is no such list
 */
export function readPosicoes(file: { bytes: Uint8Array; avisos: readonly string[] }): Peca[] | null {
  const { avisos } = file;
  const bytes = semUtf16(file.bytes);
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, PRIMEIRA_MAX));
  const [first = ''] = head.toString('latin1').split(/[\r\n]/, 1);
  const known = COMPILADAS.find(({ posicoes }) => fitsFirst(posicoes, first));
  if (!known) return null;
  const lista: Lista = { ...known, codificacao: codificacaoDe(bytes), avisos };
  const limit = piecesIn(bytes.length);
  const pieces: Peca[] = [];
  let primeira = '';
  let numero = 0;
  const texto = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  for (const [linha] of texto.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)) {
    numero++;
    if (numero === 1) primeira = linha;
    const { comeca, minimo } = known.posicoes.linha;
    if (numero > 1 && linha.startsWith(comeca))
      pieces.push(
        linha.length >= minimo
          ? readLine(lista, { primeira, linha, numero })
          : refuseShort(known.posicoes.leiaute, numero),
      );
    if (pieces.length > limit) return [refusedRow(1, reject('pecas_demais', tooManyText(limit)))];
  }
  return pieces.length > 0 ? pieces : null;
}
