import { isUtf8 } from 'node:buffer';
import { anotar } from '../../dfe/anotar.ts';
import { piecesIn, tooManyText } from '../../pecas.ts';
import { julgarProva } from '../../prova.ts';
import { reject } from '../../rejeicoes.ts';
import type { Chave, Codificacao, Documento, Peca, Rejeicao, VeredictoAssinatura } from '../../tipos.ts';
import { scanXml } from '../../xml/scan.ts';
import { compilar, type LeiauteCompilado } from '../leiautes/compilar.ts';
import { lerComLeiaute } from '../leiautes/ler-nota.ts';
import { type LeiauteDeTabela, nomeDaColuna, TABELAS } from './leiaute-de-tabela.ts';
import { type LinhaDeTabela, linhasDeTabela } from './linhas-de-tabela.ts';

const COMPILADAS = TABELAS.map((tabela) => ({ tabela, leiaute: compilar(tabela.leiaute) }));

const SEPARADORES = [';', ',', '\t'] as const;
const MARCA = '\u00ef\u00bb\u00bf';

/** A list that is known, opened at its heading. */
interface Lista {
  tabela: LeiauteDeTabela;
  leiaute: LeiauteCompilado;
  texto: string;
  separador: string;
  codificacao: Codificacao;
  colunas: string[];
}

function decode(letters: string, codificacao: Codificacao): string {
  return codificacao === 'utf-8' ? Buffer.from(letters, 'latin1').toString('utf8') : windows(letters);
}

function windows(letters: string): string {
  return new TextDecoder('windows-1252').decode(Buffer.from(letters, 'latin1'));
}

/** What a heading may be: nothing of a file that is no list is looked at further. */
const CABECALHO_MAX = 8_000;

function abrir(bytes: Uint8Array): Lista | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, CABECALHO_MAX));
  const line =
    head
      .toString('latin1')
      .replace(MARCA, '')
      .split(/[\r\n]/, 1)[0] ?? '';
  const codificacao: Codificacao = isUtf8(bytes) ? 'utf-8' : 'windows-1252';
  for (const separador of SEPARADORES) {
    const [first] = linhasDeTabela(line, separador);
    const colunas = (first?.campos ?? []).map((campo) => nomeDaColuna(decode(campo, codificacao)));
    const known = COMPILADAS.find(({ tabela }) => tabela.colunas.every((name) => colunas.includes(name)));
    if (known) {
      const texto = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
      return { ...known, texto, separador, codificacao, colunas };
    }
  }
  return null;
}

function escaped(text: string): string {
  // What XML cannot hold is no text of a note.
  const plain = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' ');
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The row as an element, for the reader of layouts. */
function comoElemento({ colunas, codificacao }: Lista, { campos }: LinhaDeTabela): string {
  const fields = colunas.map((nome, at) => {
    const text = decode(campos[at] ?? '', codificacao).trim();
    return text === '' || !/^[a-z]/.test(nome) ? '' : `<${nome}>${escaped(text)}</${nome}>`;
  });
  return `<linha>${fields.join('')}</linha>`;
}

function isNote({ tabela, colunas }: Lista, { campos }: LinhaDeTabela): boolean {
  if (campos.every((campo) => campo.trim() === '')) return false;
  if (!tabela.linhas) return true;
  const kind = campos[colunas.indexOf(tabela.linhas.coluna)]?.trim() ?? '';
  return tabela.linhas.valores.includes(kind);
}

/** A fault of a row, told where the row stands: places in what was made of it say nothing to people. */
function refused(linha: number, rejeicao: Rejeicao, chave: Chave | null = null): Peca {
  const mensagem = `Linha ${linha}: ${rejeicao.mensagem}`;
  return {
    resultado: 'rejeitada',
    especie: 'NFSe',
    chave,
    rejeicao: { codigo: rejeicao.codigo, mensagem, linha, coluna: null, elemento: null },
  };
}

/** The heading and the row: what the row says, it says only by the heading. */
function kept({ texto }: Lista, heading: LinhaDeTabela, linha: LinhaDeTabela): Uint8Array {
  return Buffer.from(
    texto.slice(heading.inicio, heading.fim) + texto.slice(linha.inicio, linha.fim),
    'latin1',
  );
}

function readRow(
  lista: Lista,
  rows: { heading: LinhaDeTabela; linha: LinhaDeTabela },
  avisos: readonly string[],
): Peca {
  const { linha } = rows;
  const scan = scanXml(new TextEncoder().encode(comoElemento(lista, linha)));
  if (!scan.ok) return refused(linha.numero, scan.rejeicao);
  const reading = lerComLeiaute(lista.leiaute, { tree: scan.tree, root: scan.tree.root });
  if (!reading.ok) return refused(linha.numero, reading.rejeicao, reading.chave);
  const registro: Documento = {
    ...reading.registro,
    avisos: [
      ...avisos,
      'A NFS-e foi lida de uma linha de planilha, que não tem assinatura; o XML dela diz mais.',
      ...reading.registro.avisos,
    ],
  };
  const assinatura: VeredictoAssinatura = {
    resultado: 'sem_assinatura',
    motivo: 'Uma linha de planilha não tem assinatura.',
    algoritmo: null,
    titular: null,
    digestCalculado: registro.digest,
    digestMetodo: 'sha1',
    signatario: null,
  };
  return {
    resultado: 'lida',
    especie: registro.especie,
    registro: anotar(registro),
    bytes: kept(lista, rows.heading, linha),
    codificacao: lista.codificacao,
    esquema: { resultado: 'nao_verificado', esquema: null, motivo: 'Planilha não tem esquema.' },
    assinatura,
    prova: julgarProva(registro, assinatura),
  };
}

/**
 * Reads a list of notes that a portal exported in columns: each row that is a note is a document, kept as the heading and
 * itself.
 *
 * @returns null where the file is no such list
 */
export function lerTabela(file: { bytes: Uint8Array; avisos: readonly string[] }): Peca[] | null {
  const lista = abrir(file.bytes);
  if (!lista) return null;
  const limit = piecesIn(file.bytes.length);
  const pieces: Peca[] = [];
  let heading: LinhaDeTabela | null = null;
  for (const linha of linhasDeTabela(lista.texto, lista.separador)) {
    if (heading === null) heading = linha;
    else if (isNote(lista, linha)) pieces.push(readRow(lista, { heading, linha }, file.avisos));
    if (pieces.length > limit) return [refused(1, reject('pecas_demais', tooManyText(limit)))];
  }
  return pieces.length > 0 ? pieces : null;
}
