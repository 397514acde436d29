import type { XmlNode } from 'libxml2-wasm';
import { all, distintas, type Fatos, fatos, keyIn, parte, plain, quem, statusOf, text } from './fatos.ts';

/** An answer to a cancellation that some emitters put into the note's own file. */
function isCancelledInside(infNFe: XmlNode): boolean {
  return all(infNFe, '../..//retEvento/infEvento').some((answer) => {
    const tpEvento = text(answer, 'tpEvento', '../../evento/infEvento/tpEvento') ?? '';
    const isRegistered = ['101', '135', '136', '151', '155'].includes(text(answer, 'cStat') ?? '');
    return isRegistered && ['110111', '110112'].includes(tpEvento);
  });
}

/** Programs of old put the answer to an event into the place of the note's own: it says nothing of the note. */
const OF_AN_EVENT = ['135', '136'];

export function nota(infNFe: XmlNode): Fatos[] {
  const answered = text(infNFe, '../../protNFe/infProt/cStat', '../../infProt/cStat');
  const cStat = OF_AN_EVENT.includes(answered ?? '') ? null : answered;
  const chave = keyIn(text(infNFe, '@Id')) || (text(infNFe, '../../protNFe/infProt/chNFe') ?? '');
  return [
    fatos({
      chave,
      modelo: text(infNFe, 'ide/mod') ?? chave.slice(20, 22),
      ambiente: text(infNFe, 'ide/tpAmb', '../../protNFe/infProt/tpAmb'),
      serie: plain(text(infNFe, 'ide/serie')),
      numero: plain(text(infNFe, 'ide/nNF')),
      data: text(infNFe, 'ide/dhEmi', 'ide/dEmi') ?? '',
      valor: text(infNFe, 'total/ICMSTot/vNF'),
      status: isCancelledInside(infNFe) ? 'Cancelada' : statusOf(cStat),
      partes: distintas([
        ...parte('emitente', infNFe, 'emit'),
        ...parte('destinatario', infNFe, 'dest'),
        ...parte('transportador', infNFe, 'transp/transporta'),
        ...parte('retirada', infNFe, 'retirada'),
        ...parte('entrega', infNFe, 'entrega'),
        ...parte('intermediario', infNFe, 'infIntermed'),
        ...parte('autorizado', infNFe, 'autXML'),
      ]),
      cStat,
    }),
  ];
}

/** Of NF-e and of CT-e: the same shape under other names. */
export function evento(proc: XmlNode): Fatos[] {
  const asked = all(proc, 'evento/infEvento')[0] ?? all(proc, 'eventoCTe/infEvento')[0];
  const answer = all(proc, 'retEvento/infEvento')[0] ?? all(proc, 'retEventoCTe/infEvento')[0];
  const chave = asked && text(asked, 'chNFe', 'chCTe');
  // One sample carries an empty stub of an event inside its note: without a key it is no event.
  if (!asked || !chave) return [];
  return [
    fatos({
      classe: 'evento',
      chave: chave.toUpperCase(),
      modelo: chave.slice(20, 22),
      ambiente: text(asked, 'tpAmb') ?? (answer ? text(answer, 'tpAmb') : null),
      data: text(asked, 'dhEvento') ?? '',
      partes: parte('autor', asked, '.'),
      tpEvento: text(asked, 'tpEvento'),
      cStat: answer ? text(answer, 'cStat') : null,
    }),
  ];
}

/** The time before events: told as the event that took its place. */
export function cancelamentoAntigo(proc: XmlNode): Fatos[] {
  const chave = text(proc, 'retCancNFe/infCanc/chNFe', 'cancNFe/infCanc/chNFe', 'infCanc/chNFe') ?? '';
  const author = quem(chave.slice(6, 20));
  return [
    fatos({
      classe: 'evento',
      chave,
      modelo: chave.slice(20, 22),
      ambiente: text(proc, 'retCancNFe/infCanc/tpAmb', 'infCanc/tpAmb'),
      data: text(proc, 'retCancNFe/infCanc/dhRecbto', 'infCanc/dhRecbto') ?? '',
      partes: author ? [`autor ${author}`] : [],
      tpEvento: '110111',
      cStat: text(proc, 'retCancNFe/infCanc/cStat', 'infCanc/cStat'),
    }),
  ];
}

export function inutilizacao(infInut: XmlNode): Fatos[] {
  const digits = (path: string, length: number) => (text(infInut, path) ?? '').padStart(length, '0');
  // The answer may have no Id: it is put together as the request's is, of UF, year, issuer, model, series and range.
  const composed = `${digits('cUF', 2)}${digits('ano', 2)}${text(infInut, 'CNPJ', 'CPF')}${digits('mod', 2)}${digits('serie', 3)}${digits('nNFIni', 9)}${digits('nNFFin', 9)}`;
  const id = keyIn(text(infInut, '@Id'));
  return [
    fatos({
      classe: 'inutilizacao',
      chave: id.length === 41 ? id : composed,
      modelo: text(infInut, 'mod') ?? '',
      ambiente: text(infInut, 'tpAmb'),
      serie: plain(text(infInut, 'serie')),
      numero: `${plain(text(infInut, 'nNFIni'))}-${plain(text(infInut, 'nNFFin'))}`,
      data: text(infInut, 'dhRecbto') ?? '',
      status: 'Inutilizada',
      partes: parte('emitente', infInut, '.'),
      cStat: text(infInut, 'cStat'),
    }),
  ];
}

/** SEFAZ's summary of a document, or of an event about one: it announces it. */
export function resumo(summary: XmlNode): Fatos[] {
  return [fatos({ classe: 'esperado', chave: text(summary, 'chNFe') ?? '' })];
}
