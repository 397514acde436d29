/** Whether a text in columns is a list of notes that a portal exported, of a form that is not read. */
import { isCnpj, isCpf } from '../../cpf-cnpj.ts';
import { decodeText } from '../../detect.ts';
import { nomeDaColuna } from './leiaute-de-tabela.ts';

const OLHADOS = 8_000;
const COLUNAS_MIN = 4;

/** What the heading of such a list names: a party, the note, and its amount. */
const TITULOS: readonly RegExp[] = [
  /prestador|emitente|tomador|contratante|destinatario/,
  /nfse|nfs$|nfe$|nota|^nf$|servico/,
  /valor|^vl|total/,
];

const CPF_CNPJ = /(?<!\d)(?:\d{2}\.?\d{3}\.?\d{3}\/?\d{4}-?\d{2}|\d{3}\.?\d{3}\.?\d{3}-?\d{2})(?!\d)/g;

function temParte(line: string): boolean {
  const ids = (line.match(CPF_CNPJ) ?? []).map((id) => id.replace(/\D/g, ''));
  return ids.some((id) => isCnpj(id) || isCpf(id));
}

function isHeading(line: string): boolean {
  const titles = line.split(/[;,\t|]/).map(nomeDaColuna);
  return titles.length >= COLUNAS_MIN && TITULOS.every((words) => titles.some((title) => words.test(title)));
}

/** By a heading that names what a note has, and a line below it with a CPF or CNPJ. */
export function pareceListaDeNotas(bytes: Uint8Array): boolean {
  const lines = decodeText(bytes.subarray(0, OLHADOS)).split(/[\r\n]+/);
  const heading = lines.findIndex(isHeading);
  return heading >= 0 && lines.slice(heading + 1).some(temParte);
}
