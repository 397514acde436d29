import type { XmlNode } from 'libxml2-wasm';
import { all, distintas, type Fatos, fatos, keyIn, parte, plain, text } from './fatos.ts';

function emissao(infCFe: XmlNode): string {
  const [day, time] = [text(infCFe, 'ide/dEmi') ?? '', text(infCFe, 'ide/hEmi') ?? ''];
  const date = day.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  return `${date}T${time.replace(/^(\d\d)(\d\d)(\d\d)$/, '$1:$2:$3')}`;
}

/** A coupon, or the coupon that cancels one: without an Id it is only what was sent to the device. */
export function cfe(infCFe: XmlNode): Fatos[] {
  const id = keyIn(text(infCFe, '@Id'));
  if (id === '') return [];
  const cancelled = keyIn(text(infCFe, '@chCanc'));
  const common = { modelo: '59', ambiente: text(infCFe, 'ide/tpAmb'), data: emissao(infCFe) };
  if (cancelled !== '') {
    const partes = parte('autor', infCFe, 'emit');
    return [
      fatos({ ...common, classe: 'evento', chave: cancelled, partes, tpEvento: 'CFeCanc', cStat: '101' }),
    ];
  }
  const isSigned = all(infCFe, '../Signature').length > 0;
  return [
    fatos({
      ...common,
      chave: id,
      serie: plain(text(infCFe, 'ide/nserieSAT')),
      numero: plain(text(infCFe, 'ide/nCFe')),
      valor: text(infCFe, 'total/vCFe'),
      status: isSigned ? 'Autorizada' : 'Pendente',
      partes: distintas([...parte('emitente', infCFe, 'emit'), ...parte('destinatario', infCFe, 'dest')]),
    }),
  ];
}
