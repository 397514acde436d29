/**
 * CTeRecepcaoEventoV4 of an authorising SEFAZ, for the payer's objection (610110) and its withdrawal (610111).
 * @fonte MOC CT-e 4.00, 5; XSD evPrestDesacordo_v4.00
 */
import { isSigned, protocolNumber } from './assinatura.ts';
import { type Contexto, mayAskAbout, refusalOfCertificate, textOf } from './contexto.ts';
import { readPublicado } from './documentos.ts';
import { MOTIVOS } from './motivos.ts';
import { type Operacao, readMensagem } from './pedido-soap.ts';
import { dataHora, field, html, soap } from './soap.ts';
import { DIA_MS, type Resposta } from './tipos.ts';

const NS = 'http://www.portalfiscal.inf.br/cte';
const OPERACAO: Operacao = {
  wsdl: 'http://www.portalfiscal.inf.br/cte/wsdl/CTeRecepcaoEventoV4',
  envoltorios: ['cteDadosMsg'],
  acao: 'cteRecepcaoEvento',
  mensagem: 'eventoCTe',
  acaoConferida: true,
};
const PRAZO_MS = 45 * DIA_MS;
const DETALHES: Readonly<Record<string, RegExp>> = {
  '610110':
    /<evPrestDesacordo><descEvento>Presta(?:ção do Serviço|cao do Servico) em Desacordo<\/descEvento><indDesacordoOper>1<\/indDesacordoOper><xObs>[^<]{15,255}<\/xObs><\/evPrestDesacordo>/,
  '610111':
    /<evCancPrestDesacordo><descEvento>[^<]+<\/descEvento><nProtEvPrestDes>\d{15}<\/nProtEvPrestDes><\/evCancPrestDesacordo>/,
};

/** Answers one event; what is accepted goes to who receives it. */
export function receiveEventoCte(contexto: Contexto): Resposta {
  const { pedido, agora, revogados, acervo } = contexto;
  if (!pedido.certificado) return html(403, '403.7 - Forbidden: Client certificate required.');
  const read = readMensagem(pedido, OPERACAO);
  if ('resposta' in read) return read.resposta;
  const refused = refusalOfCertificate(pedido.certificado, agora, revogados);
  const evento = 'mensagem' in read ? read.mensagem : '';
  const cStat = refused ?? ('cStat' in read ? read.cStat : judge(contexto, evento));
  const answer = retEventoCte(evento || textOf(pedido), cStat, agora);
  if (cStat === '135') {
    const xml = `<?xml version="1.0" encoding="UTF-8"?><procEventoCTe xmlns="${NS}" versao="4.00">${evento}${answer}</procEventoCTe>`;
    const published = readPublicado(xml);
    if (published.tipo === 'evento_cte') acervo.registerEventoCte(published, agora);
  }
  return soap(`<cteRecepcaoEventoResult xmlns="${OPERACAO.wsdl}">${answer}</cteRecepcaoEventoResult>`);
}

function judge({ agora, acervo, pedido }: Contexto, evento: string): string {
  const codigo = field(evento, 'tpEvento') ?? '';
  const autor = field(evento, 'CNPJ') ?? field(evento, 'CPF') ?? '';
  if (!DETALHES[codigo]?.test(evento)) return '215';
  if (!isSigned(evento)) return '297';
  if (!pedido.certificado || !mayAskAbout(pedido.certificado, autor)) return '593';
  const known = acervo.ctes.get(field(evento, 'chCTe') ?? '');
  if (!known) return '217';
  if (known.cte.tomador !== autor) return '575';
  if (known.eventos.has(`${codigo}/${field(evento, 'nSeqEvento')}`)) return '631';
  return agora > known.em + PRAZO_MS ? '628' : '135';
}

/** What CT-e has other words for than NF-e. */
const PROPRIOS: Readonly<Record<string, string>> = {
  '135': 'Evento registrado e vinculado a CT-e',
  '217': 'Rejeição: CT-e não consta na base de dados da SEFAZ',
  '575': 'Rejeição: O autor do evento diverge do tomador do CT-e',
};

function retEventoCte(evento: string, cStat: string, agora: number): string {
  const chave = field(evento, 'chCTe') ?? '';
  const codigo = field(evento, 'tpEvento') ?? '';
  const sequencia = field(evento, 'nSeqEvento') ?? '1';
  const prot = cStat === '135' ? `<nProt>${protocolNumber(`${codigo}${chave}${sequencia}`)}</nProt>` : '';
  return (
    `<retEventoCTe xmlns="${NS}" versao="4.00"><infEvento><tpAmb>${field(evento, 'tpAmb') ?? '1'}</tpAmb>` +
    `<verAplic>SIM</verAplic><cOrgao>${chave.slice(0, 2) || '35'}</cOrgao><cStat>${cStat}</cStat>` +
    `<xMotivo>${PROPRIOS[cStat] ?? MOTIVOS[cStat] ?? ''}</xMotivo>` +
    (chave
      ? `<chCTe>${chave}</chCTe><tpEvento>${codigo}</tpEvento><nSeqEvento>${sequencia}</nSeqEvento>`
      : '') +
    `<dhRegEvento>${dataHora(agora)}</dhRegEvento>${prot}</infEvento></retEventoCTe>`
  );
}
