import type { Chave } from '../fiscal/tipos.ts';
import type { Aleatorio } from './aleatorio.ts';
import { localIso } from './municipios.ts';
import type { Layout } from './partes.ts';
import { leaf } from './xml.ts';

/** What SEFAZ is made to answer. 204 and 539 are rejections: such a file is no fiscal document. */
const MOTIVOS = {
  '100': 'Autorizado o uso da NF-e',
  '150': 'Autorizado o uso da NF-e, autorização fora de prazo',
  '110': 'Uso Denegado',
  '301': 'Uso Denegado: Irregularidade fiscal do emitente',
  '302': 'Uso Denegado: Irregularidade fiscal do destinatário',
  '303': 'Uso Denegado: Destinatário não habilitado a operar na UF',
  '204': 'Rejeição: Duplicidade de NF-e',
  '539': 'Rejeição: Duplicidade de NF-e com diferença na Chave de Acesso',
} as const;

export interface ResultadoProtocolo {
  cStat: keyof typeof MOTIVOS;
  /** Moment of the answer; some seconds after the issue when absent. */
  recebidoEm?: Date;
}

export interface ProtocoloGerado {
  cStat: string;
  nProt: string | null;
  dhRecbto: string;
}

/** Invents a protocol number: SEFAZ, UF, year, sequence (15 digits). */
export function generateNProt(random: Aleatorio, cUF: string, iso: string): string {
  return `1${cUF}${iso.slice(2, 4)}${random.digits(10)}`;
}

interface Pedido extends ResultadoProtocolo {
  chave: Chave;
  ambiente: 1 | 2;
  layout: Layout;
  uf: string;
  emissao: Date;
  digest: string;
}

/** Version text of the authorising service. */
export function verAplicOf(uf: string): string {
  return ['SP', 'MG', 'PR', 'RS', 'BA', 'GO', 'MT', 'MS', 'PE', 'AM'].includes(uf)
    ? `${uf}_NFE_PL_010_V1`
    : 'SVRS202603121145';
}

/** The `protNFe` element; a rejection has no number. */
export function protNFeXml(random: Aleatorio, p: Pedido): { xml: string; protocolo: ProtocoloGerado } {
  const moment = p.recebidoEm ?? new Date(p.emissao.getTime() + random.integer(1, 90) * 1_000);
  const dhRecbto = localIso(moment, p.uf);
  const isRejection = p.cStat === '204' || p.cStat === '539';
  const nProt = isRejection ? null : generateNProt(random, p.chave.slice(0, 2), dhRecbto);
  const fields = [
    leaf('tpAmb', p.ambiente),
    leaf('verAplic', verAplicOf(p.uf)),
    leaf('chNFe', p.chave),
    leaf('dhRecbto', dhRecbto),
    leaf('nProt', nProt),
    leaf('digVal', p.digest),
    leaf('cStat', p.cStat),
    leaf('xMotivo', MOTIVOS[p.cStat]),
  ].join('');
  const id = nProt && random.chance(0.5) ? ` Id="ID${nProt}"` : '';
  const xml = `<protNFe versao="${p.layout}"><infProt${id}>${fields}</infProt></protNFe>`;
  return { xml, protocolo: { cStat: p.cStat, nProt, dhRecbto } };
}
