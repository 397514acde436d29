/** What makes a SOAP request one that the services take. @fonte NT 2014.002, 3; MOC NF-e 7.0, 5.7 */
import { textOf } from './contexto.ts';
import { element, html, soapFault } from './soap.ts';
import type { Pedido, Resposta } from './tipos.ts';

/** Of the message in `nfeDadosMsg`. */
const MENSAGEM_MAX_BYTES = 10_240;

export interface Operacao {
  /** Namespace of the service's WSDL. */
  wsdl: string;
  /** Local names of what stands in Body, from outside in, down to the message. */
  envoltorios: readonly string[];
  /** Last part of the action. */
  acao: string;
  /** Root of the message. */
  mensagem: string;
  /** Whether a wrong action is refused. */
  acaoConferida: boolean;
}

type MensagemLida =
  | { mensagem: string }
  | { resposta: Resposta }
  /** A rejection that stands in an answer of the service. */
  | { cStat: string };

/** Takes the message out of its envelope, or says how the service answers. */
export function readMensagem(pedido: Pedido, operacao: Operacao): MensagemLida {
  const type = pedido.cabecalhos['content-type'] ?? '';
  if (!pedido.cabecalhos['user-agent']) return { resposta: html(403, '403 - Forbidden: Access is denied.') };
  if (pedido.metodo !== 'POST') return { resposta: html(405, '405 - HTTP verb used is not allowed.') };
  if (!type.startsWith('application/soap+xml'))
    return { resposta: soapFault('Server did not recognize the media type.') };
  const action = /action="([^"]*)"/.exec(type)?.[1];
  if (operacao.acaoConferida && action && action !== `${operacao.wsdl}/${operacao.acao}`)
    return {
      resposta: soapFault(`Server did not recognize the value of HTTP Header SOAPAction: ${action}.`),
    };
  return unwrap(textOf(pedido), operacao);
}

function unwrap(text: string, operacao: Operacao): MensagemLida {
  const pattern = operacao.envoltorios.map((nome) => `<(?:\\w+:)?${nome}[^>]*>\\s*`).join('');
  const body = new RegExp(`<(?:\\w+:)?Body[^>]*>\\s*${pattern}`).exec(text);
  if (!body?.[0].includes(operacao.wsdl))
    return { resposta: soapFault('Server was unable to read request.') };
  if (/^<\?xml[^>]*encoding=["'](?!utf-8)/i.test(text)) return { cStat: '402' };
  const inside = text.slice(body.index + body[0].length);
  if (new RegExp(`^<\\w+:${operacao.mensagem}`).test(inside)) return { cStat: '404' };
  const mensagem = element(inside, operacao.mensagem);
  if (!mensagem || !inside.startsWith(mensagem)) return { cStat: '215' };
  if (Buffer.byteLength(mensagem) > MENSAGEM_MAX_BYTES && operacao.mensagem === 'distDFeInt')
    return { cStat: '214' };
  if (/<\w+:/.test(mensagem)) return { cStat: '404' };
  return />\s+</.test(mensagem) ? { cStat: '215' } : { mensagem };
}
