/** One of each kind of thing that is read, for campaigns that change them. */
import { cfe, cfeCanc } from './cfe.ts';
import { chaveDoCte, cte, eventoCte } from './cte.ts';
import { jsonNacional, loteEnviNFe, retDistDFeInt, soap, soapCdata, soapEscaped } from './envelopes.ts';
import { eventoNfe, inutilizacaoNfe, nfe } from './nfe.ts';
import {
  cancelamentoAbrasf,
  chaveDaNfse,
  eventoNfse,
  nfseAbrasf,
  nfseIpm,
  nfseNacional,
  nfsePaulistana,
} from './nfse.ts';
import { TOMADOR } from './partes.ts';

export interface Semente {
  familia: string;
  /** With the extension that it would have on a disk. */
  nome: string;
  bytes: Buffer;
}

const NFE_TXT = (chave: string, emitente: string, destinatario: string) =>
  [
    'NOTAFISCAL|1|',
    `A|4.00|NFe${chave}|`,
    `B|35|${chave.slice(35, 43)}|Venda|55|1|${Number(chave.slice(25, 34))}|2026-03-10T10:00:00-03:00||1|1|3550308|1|1|${chave.slice(43)}|1|1|0|1||0|Teste|||`,
    'C|Empresa de Teste||111111111111|||1|',
    `C02|${emitente}|`,
    'E|Cliente de Teste|1|||||',
    `E02|${destinatario}|`,
    'H|1||',
    'I|1|SEM GTIN|Produto|84713012|||5102|UN|1.0000|10.00|10.00|SEM GTIN|UN|1.0000|10.00|||||1|',
    'W|',
    'W02|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|10.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|10.00|0.00|',
    '',
  ].join('\n');

/** Every family and envelope; the same bytes at every call. */
export function todasAsSementes(): Semente[] {
  const nota = nfe('55', { numero: 1 });
  const nfce = nfe('65', { numero: 1 });
  const bare = nfe('55', { numero: 2, cStat: null });
  const evento = eventoNfe({ chave: nota.chave, codigo: '110111' });
  const inut = inutilizacaoNfe({ de: 10, ate: 12 });
  const chaveCte = chaveDoCte('CTe', { numero: 1 });
  const nfse = nfseNacional({ numero: 1 });
  const rows: [familia: string, nome: string, text: string][] = [
    ['nfe', 'nfeProc.xml', nota.xml],
    ['nfe', 'NFe.xml', bare.xml],
    ['nfce', 'nfceProc.xml', nfce.xml],
    ['evento-nfe', 'procEventoNFe.xml', evento],
    ['evento-nfe', 'cce.xml', eventoNfe({ chave: nota.chave, codigo: '110110' })],
    ['evento-nfe', 'manifestacao.xml', eventoNfe({ chave: nota.chave, codigo: '210200', autor: TOMADOR })],
    ['inutilizacao', 'procInutNFe.xml', inut.inteira],
    ['inutilizacao', 'retInutNFe.xml', inut.resposta],
    ['cte', 'cteProc.xml', cte('CTe', { numero: 1 })],
    ['cte', 'CTe.xml', cte('CTe', { numero: 2, cStat: null })],
    ['cte', 'cteSimpProc.xml', cte('CTeSimp', { numero: 3 })],
    ['cte-os', 'cteOSProc.xml', cte('CTeOS', { numero: 1 })],
    ['gtve', 'GTVeProc.xml', cte('GTVe', { numero: 1 })],
    ['evento-cte', 'procEventoCTe.xml', eventoCte({ chave: chaveCte, codigo: '110111' })],
    ['cfe', 'CFe.xml', cfe({ numero: 1 })],
    ['cfe', 'CFeCanc.xml', cfeCanc({ numero: 1 })],
    ['nfse-nacional', 'NFSe.xml', nfse],
    ['nfse-nacional', 'evento.xml', eventoNfse({ chave: chaveDaNfse({ numero: 1 }), codigo: '101101' })],
    ['nfse-abrasf', 'CompNfse.xml', nfseAbrasf({ numero: 1 })],
    ['nfse-abrasf', 'CompNfse-cancelada.xml', nfseAbrasf({ numero: 2, cancelada: true })],
    ['nfse-abrasf', 'CancelarNfseResposta.xml', cancelamentoAbrasf({ numero: 1 })],
    ['nfse-sp', 'RetornoConsulta.xml', nfsePaulistana({ numero: 1 })],
    ['nfse-ipm', 'nfse.xml', nfseIpm({ numero: 1 })],
    ['envelope', 'enviNFe.xml', loteEnviNFe([bare.nfe, nfe('55', { numero: 3, cStat: null }).nfe])],
    ['envelope', 'retDistDFeInt.xml', retDistDFeInt([nota.xml, evento])],
    ['envelope', 'soap.xml', soap(nota.xml)],
    ['envelope', 'soap-cdata.xml', soapCdata(nfse)],
    ['envelope', 'soap-escapado.xml', soapEscaped(nota.xml)],
    ['envelope', 'nfse.json', jsonNacional(nfse)],
    ['txt', 'nota.txt', NFE_TXT(bare.chave, bare.emitente, TOMADOR.id)],
    ['txt', 'chaves.txt', `${nota.chave}\r\n${chaveCte}\r\n${chaveDaNfse({ numero: 1 })}\r\n`],
  ];
  return rows.map(([familia, nome, text]) => ({ familia, nome, bytes: Buffer.from(text) }));
}
