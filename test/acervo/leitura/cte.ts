import type { XmlNode } from 'libxml2-wasm';
import { all, distintas, type Fatos, fatos, keyIn, parte, plain, statusOf, text } from './fatos.ts';

const APONTADO: Readonly<Record<string, string>> = { 0: 'rem', 1: 'exped', 2: 'receb', 3: 'dest' };
const NA_GTVE: Readonly<Record<string, string>> = { 0: 'rem', 1: 'dest' };

function tomador(infCte: XmlNode): string[] {
  const isGtve = all(infCte, 'ancestor::*[local-name()="GTVe"]').length > 0;
  const code = text(infCte, 'ide/toma3/toma', 'ide/toma03/toma', ...(isGtve ? ['ide/toma/toma'] : []));
  const pointed = (isGtve ? NA_GTVE : APONTADO)[code ?? ''];
  if (pointed) return parte('tomador', infCte, pointed);
  return [
    ...parte('tomador', infCte, 'ide/toma4'),
    ...parte('tomador', infCte, 'ide/tomaTerceiro'),
    ...parte('tomador', infCte, 'toma'),
  ];
}

/** CT-e, CT-e Simplificado, CT-e OS and GTV-e. */
export function cte(infCte: XmlNode): Fatos[] {
  const chave = keyIn(text(infCte, '@Id'));
  const cStat = text(infCte, '../../protCTe/infProt/cStat');
  return [
    fatos({
      chave,
      modelo: text(infCte, 'ide/mod') ?? chave.slice(20, 22),
      ambiente: text(infCte, 'ide/tpAmb'),
      serie: plain(text(infCte, 'ide/serie')),
      numero: plain(text(infCte, 'ide/nCT')),
      data: text(infCte, 'ide/dhEmi') ?? '',
      valor: text(infCte, 'vPrest/vTPrest', 'total/vTPrest'),
      status: statusOf(cStat),
      partes: distintas([
        ...parte('emitente', infCte, 'emit'),
        ...parte('remetente', infCte, 'rem'),
        ...parte('expedidor', infCte, 'exped'),
        ...parte('recebedor', infCte, 'receb'),
        ...parte('destinatario', infCte, 'dest'),
        ...parte('autorizado', infCte, 'autXML'),
        ...tomador(infCte),
      ]),
      cStat,
    }),
  ];
}
