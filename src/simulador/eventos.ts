/**
 * NFeRecepcaoEvento4 of the national environment, for the manifestation of the recipient.
 * @fonte NT 2020.001; Ajuste SINIEF 07/05, cláusula décima quinta-C
 */
import { isSigned, protocolNumber } from './assinatura.ts';
import { type Contexto, mayAskAbout, refusalOfCertificate, textOf } from './contexto.ts';
import { readPublicado } from './documentos.ts';
import { MOTIVOS } from './motivos.ts';
import { type Operacao, readMensagem } from './pedido-soap.ts';
import type { NotaConhecida } from './publicar.ts';
import { dataHora, elements, field, html, soap } from './soap.ts';
import { DIA_MS, HORA_MS, type Resposta } from './tipos.ts';

const NS = 'http://www.portalfiscal.inf.br/nfe';
const OPERACAO: Operacao = {
  wsdl: 'http://www.portalfiscal.inf.br/nfe/wsdl/NFeRecepcaoEvento4',
  envoltorios: ['nfeDadosMsg'],
  acao: 'nfeRecepcaoEventoNF',
  mensagem: 'envEvento',
  acaoConferida: true,
};

/** Codes with their literal names and the days that they may come in after the authorisation. */
const TIPOS: Readonly<Record<string, { descricao: string; dias: number; justifica: boolean }>> = {
  '210200': { descricao: 'Confirmacao da Operacao', dias: 90, justifica: false },
  '210210': { descricao: 'Ciencia da Operacao', dias: 10, justifica: false },
  '210220': { descricao: 'Desconhecimento da Operacao', dias: 90, justifica: false },
  '210240': { descricao: 'Operacao nao Realizada', dias: 90, justifica: true },
};
const CIENCIA = '210210';
/** Conclusive manifestations of one note. */
const CONCLUSIVAS_MAX = 2;
const LOTE_MAX = 20;
/** Of one event, in an hour, before the sender is blocked. */
const REJEICOES_MAX = 20;
const RELOGIO_ADIANTADO_MS = 5 * 60_000;

interface EventoPedido {
  xml: string;
  id: string;
  tpAmb: string;
  autor: string;
  chave: string;
  dhEvento: number;
  codigo: string;
  sequencia: string;
  detalhe: string;
}

const EVENTO =
  /^<evento[^>]*><infEvento Id="(ID[0-9A-Z]{52})"><cOrgao>91<\/cOrgao><tpAmb>([12])<\/tpAmb><(?:CNPJ|CPF)>([0-9A-Z]{11,14})<\/(?:CNPJ|CPF)><chNFe>([0-9A-Z]{44})<\/chNFe><dhEvento>([0-9T:-]{19}[+-]\d{2}:\d{2})<\/dhEvento><tpEvento>(\d{6})<\/tpEvento><nSeqEvento>([1-9]\d?)<\/nSeqEvento><verEvento>1\.00<\/verEvento>(<detEvento versao="1\.00">.*<\/detEvento>)<\/infEvento><Signature[\s>].*<\/evento>$/s;

function readEvento(xml: string): EventoPedido | null {
  const [, id, tpAmb, autor, chave, dhEvento, codigo, sequencia, detalhe] = EVENTO.exec(xml) ?? [];
  if (!id || !tpAmb || !autor || !chave || !dhEvento || !codigo || !sequencia || !detalhe) return null;
  return { xml, id, tpAmb, autor, chave, dhEvento: Date.parse(dhEvento), codigo, sequencia, detalhe };
}

/** How often an event was rejected, by its Id: kept for the hour's rule. */
export class RejeicoesDeEventos {
  readonly #vezes = new Map<string, number[]>();

  add(id: string, agora: number): number {
    const recent = (this.#vezes.get(id) ?? []).filter((em) => em > agora - HORA_MS);
    recent.push(agora);
    this.#vezes.set(id, recent);
    return recent.length;
  }
}

/** Answers a lot of events; what is accepted goes to who receives it. */
export function receiveEventos(contexto: Contexto, rejeicoes: RejeicoesDeEventos): Resposta {
  const { pedido, agora, revogados } = contexto;
  const { certificado } = pedido;
  if (!certificado) return html(403, '403.7 - Forbidden: Client certificate required.');
  const read = readMensagem(pedido, OPERACAO);
  if ('resposta' in read) return read.resposta;
  const refused = refusalOfCertificate(certificado, agora, revogados);
  if (refused) return writeLote(contexto, { cStat: refused, idLote: '0', retornos: [] });
  if ('cStat' in read) return writeLote(contexto, { cStat: read.cStat, idLote: '0', retornos: [] });
  const idLote = /^<envEvento[^>]*\sversao="1\.00"[^>]*><idLote>(\d{1,15})<\/idLote>/.exec(
    read.mensagem,
  )?.[1];
  const eventos = elements(read.mensagem, 'evento').map(readEvento);
  if (!idLote || eventos.length === 0 || eventos.length > LOTE_MAX || eventos.includes(null))
    return writeLote(contexto, { cStat: '215', idLote: idLote ?? '0', retornos: [] });
  const retornos = eventos.flatMap((evento) => (evento ? [answerEvento(contexto, evento, rejeicoes)] : []));
  return writeLote(contexto, { cStat: '128', idLote, retornos });
}

function answerEvento(contexto: Contexto, evento: EventoPedido, rejeicoes: RejeicoesDeEventos): string {
  const { agora, acervo, relatorio, origem } = contexto;
  const cStat = judge(contexto, evento);
  if (cStat !== '135') {
    const times = rejeicoes.add(evento.id, agora);
    if (times <= REJEICOES_MAX) return retEvento(evento, cStat, agora);
    relatorio.de(origem.agente).bloqueios++;
    const chave = `nfe_eventos/${evento.autor}`;
    const detalhe = `${evento.id}: ${times} vezes`;
    relatorio.addViolacao({ regra: 'evento_repetido', agente: origem.agente, chave, em: agora, detalhe });
    return retEvento(evento, '656', agora);
  }
  const answer = retEvento(evento, cStat, agora);
  const proc = `<?xml version="1.0" encoding="UTF-8"?><procEventoNFe xmlns="${NS}" versao="1.00">${evento.xml}${answer}</procEventoNFe>`;
  const published = readPublicado(proc);
  if (published.tipo === 'evento_nfe') acervo.registerEvento(published, agora);
  return answer;
}

/** cStat of one event; 135 for one that is registered. */
function judge(contexto: Contexto, evento: EventoPedido): string {
  const { agora, acervo, pedido } = contexto;
  const tipo = TIPOS[evento.codigo];
  if (!tipo) return '491';
  const form = new RegExp(
    `^<detEvento versao="1\\.00"><descEvento>${tipo.descricao}</descEvento>${tipo.justifica ? '<xJust>[^<]{15,255}</xJust>' : ''}</detEvento>$`,
  );
  if (!form.test(evento.detalhe)) return '493';
  if (evento.id !== `ID${evento.codigo}${evento.chave}${evento.sequencia.padStart(2, '0')}`) return '493';
  if (!isSigned(evento.xml)) return '297';
  const { certificado } = pedido;
  if (!certificado || !mayAskAbout(certificado, evento.autor)) return '593';
  const known = acervo.notas.get(evento.chave);
  return known ? judgeAgainst(known, evento, tipo.dias, agora) : '494';
}

function judgeAgainst(known: NotaConhecida, evento: EventoPedido, dias: number, agora: number): string {
  const { nota, eventos, manifestacoes } = known;
  const isCiencia = evento.codigo === CIENCIA;
  const conclusive = manifestacoes.filter((codigo) => codigo !== CIENCIA).length;
  if (evento.autor !== nota.destinatario) return '575';
  if (eventos.has(`${evento.codigo}/${evento.sequencia}`)) return '573';
  if (isCiencia && manifestacoes.includes(CIENCIA)) return '573';
  if (known.cancelada || nota.situacao === '2') return isCiencia ? '650' : '651';
  if (isCiencia && conclusive > 0) return '655';
  if (!isCiencia && conclusive >= CONCLUSIVAS_MAX) return '594';
  if (evento.dhEvento > agora + RELOGIO_ADIANTADO_MS) return '578';
  if (evento.dhEvento < nota.autorizadaEm) return '579';
  return agora > nota.autorizadaEm + dias * DIA_MS ? '596' : '135';
}

function retEvento(evento: EventoPedido, cStat: string, agora: number): string {
  const registered = cStat === '135';
  const descricao = TIPOS[evento.codigo]?.descricao ?? '';
  const idNome = evento.autor.length === 14 ? 'CNPJDest' : 'CPFDest';
  return (
    `<retEvento xmlns="${NS}" versao="1.00"><infEvento><tpAmb>${evento.tpAmb}</tpAmb><verAplic>AN_1.6.4-SIM</verAplic>` +
    `<cOrgao>91</cOrgao><cStat>${cStat}</cStat><xMotivo>${MOTIVOS[cStat] ?? ''}</xMotivo><chNFe>${evento.chave}</chNFe>` +
    `<tpEvento>${evento.codigo}</tpEvento><xEvento>${descricao}</xEvento><nSeqEvento>${evento.sequencia}</nSeqEvento>` +
    `${registered ? `<${idNome}>${evento.autor}</${idNome}>` : ''}<dhRegEvento>${dataHora(agora)}</dhRegEvento>` +
    `${registered ? `<nProt>${protocolNumber(evento.id)}</nProt>` : ''}</infEvento></retEvento>`
  );
}

function writeLote(
  { pedido }: Contexto,
  { cStat, idLote, retornos }: { cStat: string; idLote: string; retornos: readonly string[] },
): Resposta {
  const tpAmb = field(textOf(pedido), 'tpAmb');
  return soap(
    `<nfeResultMsg xmlns="${OPERACAO.wsdl}"><retEnvEvento versao="1.00" xmlns="${NS}"><idLote>${idLote}</idLote>` +
      `<tpAmb>${tpAmb ?? '1'}</tpAmb><verAplic>AN_1.6.4-SIM</verAplic><cOrgao>91</cOrgao><cStat>${cStat}</cStat>` +
      `<xMotivo>${MOTIVOS[cStat] ?? ''}</xMotivo>${retornos.join('')}</retEnvEvento></nfeResultMsg>`,
  );
}
