/**
 * SAE-NFC-e of São Paulo: an issuer's keys, and its NFC-e one by one.
 * @fonte SAE-NFC-e 1.0.0, Sefaz-SP
 */
import { type Contexto, refusalOfCertificate } from './contexto.ts';
import { type Operacao, readMensagem } from './pedido-soap.ts';
import type { NfceConhecida } from './publicar.ts';
import { field, html, soap } from './soap.ts';
import { DIA_MS, type Resposta } from './tipos.ts';

const CHAVES_MAX = 2_000;
const ALCANCE_MS = 100 * DIA_MS;
/** Between two downloads from one address. */
const PAUSA_MS = 1_000;
const CASTIGO_MS = 30 * 60_000;

const operation = (servico: string, acao: string): Operacao => ({
  wsdl: `http://www.portalfiscal.inf.br/nfe/wsdl/${servico}`,
  envoltorios: ['nfeDadosMsg'],
  acao,
  mensagem: acao,
  acaoConferida: false,
});
const LISTAGEM = operation('NFCeListagemChaves', 'nfceListagemChaves');
const DOWNLOAD = operation('NFCeDownloadXML', 'nfceDownloadXML');

const MOTIVOS: Readonly<Record<string, string>> = {
  '100': 'Consulta realizada com sucesso',
  '101': 'Consulta realizada com sucesso - resultado incompleto',
  '102': 'Rejeição: Versão do arquivo XML não suportada',
  '104': 'Rejeição: Data inicial anterior a 100 dias',
  '107': 'Nenhuma NFC-e localizada no período',
  '110': 'Rejeição: Data final menor que a data inicial',
  '200': 'Download realizado com sucesso',
  '203': 'Rejeição: CNPJ do certificado difere do emitente',
  '204': 'Rejeição: Chave de acesso inválida',
  '205': 'Rejeição: NFC-e não localizada',
  '207': 'Rejeição: NFC-e emitida há mais de 100 dias',
  '215': 'Rejeição: Falha no esquema XML',
  '656': 'Rejeição: Consumo Indevido',
};

/** When somebody downloaded last. The service counts by address; one caller is one address here. */
export class RitmoDoSae {
  readonly #ultimo = new Map<string, { em: number; bloqueadoAte: number }>();

  /** @returns whether the download may go on */
  admit(agente: string, agora: number): boolean {
    const known = this.#ultimo.get(agente) ?? { em: Number.NEGATIVE_INFINITY, bloqueadoAte: 0 };
    const early = agora < known.bloqueadoAte || agora - known.em < PAUSA_MS;
    this.#ultimo.set(agente, { em: agora, bloqueadoAte: early ? agora + CASTIGO_MS : 0 });
    return !early;
  }
}

function read(contexto: Contexto, operacao: Operacao): { mensagem: string } | { resposta: Resposta } {
  const { pedido, agora, revogados } = contexto;
  if (!pedido.certificado || refusalOfCertificate(pedido.certificado, agora, revogados))
    return { resposta: html(403, '403 - Forbidden: Access is denied.') };
  const message = readMensagem(pedido, operacao);
  return 'cStat' in message ? { mensagem: '' } : message;
}

function result(operacao: Operacao, nome: string, cStat: string, tpAmb: string, dentro = ''): Resposta {
  return soap(
    `<nfeResultMsg xmlns="${operacao.wsdl}"><${nome} versao="1.00" xmlns="http://www.portalfiscal.inf.br/nfe">` +
      `<tpAmb>${tpAmb}</tpAmb><verAplic>SAE-SIM</verAplic><cStat>${cStat}</cStat><xMotivo>${MOTIVOS[cStat] ?? ''}</xMotivo>` +
      `${dentro}</${nome}></nfeResultMsg>`,
  );
}

const minute = (text: string) => Date.parse(`${text}:00-03:00`);
const PEDIDO_DE_CHAVES =
  /^<nfceListagemChaves(?=[^>]*\sversao="1\.00")[^>]*><tpAmb>([12])<\/tpAmb><dataHoraInicial>(\d{4}-\d\d-\d\dT\d\d:\d\d)<\/dataHoraInicial>(?:<dataHoraFinal>(\d{4}-\d\d-\d\dT\d\d:\d\d)<\/dataHoraFinal>)?<\/nfceListagemChaves>$/;

export function listChaves(contexto: Contexto): Resposta {
  const message = read(contexto, LISTAGEM);
  if ('resposta' in message) return message.resposta;
  const { agora } = contexto;
  const answer = (cStat: string, tpAmb: string, dentro = '') =>
    result(LISTAGEM, 'retNfceListagemChaves', cStat, tpAmb, dentro);
  const [, tpAmb, inicial, final] = PEDIDO_DE_CHAVES.exec(message.mensagem) ?? [];
  if (!tpAmb || !inicial) return answer('215', '1');
  const from = minute(inicial);
  const to = final ? minute(final) : agora;
  if (from < agora - ALCANCE_MS) return answer('104', tpAmb);
  if (to < from) return answer('110', tpAmb);
  // The minute at the end belongs to the period.
  const found = issuedBy(contexto, tpAmb).filter(({ em }) => em >= from && em < to + 60_000);
  if (found.length === 0) return answer('107', tpAmb);
  const page = found.slice(0, CHAVES_MAX);
  const keys = page.map(({ nfce }) => `<chNFCe>${nfce.chave}</chNFCe>`).join('');
  const last = page.at(-1)?.nfce.dhEmi.slice(0, 16) ?? '';
  return answer(
    found.length > page.length ? '101' : '100',
    tpAmb,
    `${keys}<dhEmisUltNfce>${last}</dhEmisUltNfce>`,
  );
}

/** NFC-e of the certificate's holder, by moment of issue. */
function issuedBy({ acervo, pedido }: Contexto, tpAmb: string) {
  const titular = pedido.certificado?.titular;
  return [...acervo.nfces.values()]
    .filter(({ nfce }) => nfce.emitente === titular && nfce.tpAmb === tpAmb)
    .map(({ nfce }) => ({ nfce, em: Date.parse(nfce.dhEmi) }))
    .sort((a, b) => a.em - b.em);
}

export function downloadNfce(contexto: Contexto, ritmo: RitmoDoSae): Resposta {
  const { agora, origem, pedido, relatorio, acervo } = contexto;
  const message = read(contexto, DOWNLOAD);
  if ('resposta' in message) return message.resposta;
  const tpAmb = field(message.mensagem, 'tpAmb') ?? '1';
  const answer = (cStat: string, dentro = '') => result(DOWNLOAD, 'retNfceDownloadXML', cStat, tpAmb, dentro);
  if (!ritmo.admit(origem.agente, agora)) {
    const chave = `sae_download/${pedido.certificado?.titular}`;
    relatorio.de(origem.agente).bloqueios++;
    relatorio.addViolacao({ regra: 'sae_sem_pausa', agente: origem.agente, chave, em: agora, detalhe: '' });
    return answer('656');
  }
  const [, chave] = /<chNFCe>([0-9A-Z]{44})<\/chNFCe>/.exec(message.mensagem) ?? [];
  if (chave?.slice(20, 22) !== '65') return answer('204');
  const known = acervo.nfces.get(chave);
  if (!known) return answer('205');
  const refused = refusalOf(known, pedido.certificado?.titular ?? '', agora);
  if (refused) return answer(refused);
  relatorio.de(origem.agente).documentos++;
  const bare = (xml: string) => xml.replace(/^<\?xml[^>]*\?>/, '');
  return answer('200', `<proc>${bare(known.nfce.xml)}</proc>${known.eventos.map(bare).join('')}`);
}

function refusalOf({ nfce }: NfceConhecida, titular: string, agora: number): string | null {
  if (nfce.emitente !== titular) return '203';
  return Date.parse(nfce.dhEmi) < agora - ALCANCE_MS ? '207' : null;
}
