import type { XmlNode } from 'libxml2-wasm';
import { distintas, type Fatos, fatos, keyIn, parte, plain, statusOf, text } from './fatos.ts';

/** NFCom: what it has in common with its siblings. */
export function nfcom(infNFCom: XmlNode): Fatos[] {
  const cStat = text(infNFCom, '../../protNFCom/infProt/cStat');
  return [
    fatos({
      chave: keyIn(text(infNFCom, '@Id')),
      modelo: text(infNFCom, 'ide/mod') ?? '',
      ambiente: text(infNFCom, 'ide/tpAmb'),
      serie: plain(text(infNFCom, 'ide/serie')),
      numero: plain(text(infNFCom, 'ide/nNF')),
      data: text(infNFCom, 'ide/dhEmi') ?? '',
      valor: text(infNFCom, 'total/vNF'),
      status: statusOf(cStat),
      partes: distintas([
        ...parte('emitente', infNFCom, 'emit'),
        ...parte('destinatario', infNFCom, 'dest'),
        ...parte('autorizado', infNFCom, 'autXML'),
      ]),
      cStat,
    }),
  ];
}
