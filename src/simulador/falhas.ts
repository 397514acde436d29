/** Faults that are put in by hand: each is taken by the calls that it fits, as often as it says. */
import type { DefeitoDoLote } from './contexto.ts';
import { MOTIVOS } from './motivos.ts';
import { html, json, retDistDFeInt, soap, soapFault } from './soap.ts';
import type { Pedido, Resposta, Servico } from './tipos.ts';

const DEFEITOS: readonly DefeitoDoLote[] = [
  'gzip_errado',
  'documento_quebrado',
  'cinquenta_e_um',
  'latin1',
  'chave_dobrada',
];

export const TIPOS_DE_FALHA = [
  /** Nothing was done, and nothing comes. */
  'timeout_antes',
  /** All was done, and nothing comes. */
  'timeout_depois',
  'reset_antes',
  'reset_depois',
  'http_503',
  'http_403',
  'http_429',
  'redirecionamento',
  'soap_fault',
  /** The service refuses with the code that `cStat` tells; of the ADN, the code of its fault. */
  'cstat',
  ...DEFEITOS,
] as const;
type TipoDeFalha = (typeof TIPOS_DE_FALHA)[number];

export interface Falha {
  tipo: TipoDeFalha;
  /** Default: all services. */
  servico?: Servico;
  /** Whom is asked about. Default: everybody. */
  cpfCnpj?: string;
  /** How many calls it spoils. Default 1. */
  vezes?: number;
  /** ms; calls from then on are well. Default: for ever. */
  ate?: number;
  cStat?: string;
}

export class Falhas {
  #falhas: (Falha & { vezes: number })[] = [];

  add(falha: Falha): void {
    this.#falhas.push({ ...falha, vezes: falha.vezes ?? 1 });
  }

  clear(): void {
    this.#falhas = [];
  }

  get pendentes(): readonly Falha[] {
    return this.#falhas;
  }

  /** Takes a fault of the wanted kinds that fits the call. */
  take(call: { servico: Servico; cpfCnpj: string; agora: number }, defeito: boolean): Falha | null {
    if (this.#falhas.length === 0) return null;
    this.#falhas = this.#falhas.filter(
      ({ vezes, ate }) => vezes > 0 && (ate === undefined || call.agora < ate),
    );
    const found = this.#falhas.find(
      (falha) =>
        isDefeito(falha.tipo) === defeito &&
        (falha.servico ?? call.servico) === call.servico &&
        (falha.cpfCnpj ?? call.cpfCnpj) === call.cpfCnpj,
    );
    if (!found) return null;
    found.vezes--;
    return found;
  }
}

export function isDefeito(tipo: TipoDeFalha): tipo is DefeitoDoLote {
  return (DEFEITOS as readonly string[]).includes(tipo);
}

/** The answer of a fault that answers by itself, without that anything was done. */
export function answerOfFalha(
  { tipo, cStat = '999' }: Falha,
  pedido: Pedido,
  agora: number,
): Resposta | null {
  if (tipo === 'http_503') return html(503, 'Service Unavailable');
  if (tipo === 'http_403') return html(403, '403 - Forbidden: Access is denied.');
  if (tipo === 'http_429') return json(429, { mensagem: 'Too Many Requests' }, { 'retry-after': '60' });
  if (tipo === 'redirecionamento')
    return { status: 302, cabecalhos: { location: 'https://localhost/manutencao' }, corpo: '' };
  if (tipo === 'soap_fault') return soapFault('Server was unable to process request.');
  return tipo === 'cstat' ? refusal(pedido, cStat, agora) : null;
}

function refusal({ servico }: Pedido, cStat: string, agora: number): Resposta {
  if (servico === 'nfe' || servico === 'cte')
    return retDistDFeInt(servico, '1', agora, { cStat, ultNSU: 0, maxNSU: 0 }, '');
  if (servico === 'adn' || servico === 'sefin' || servico === 'convenio')
    return json(400, {
      StatusProcessamento: 'REJEICAO',
      LoteDFe: [],
      Erros: [{ Codigo: cStat, Descricao: MOTIVOS[cStat] ?? 'Rejeição simulada.' }],
    });
  return soap(`<retorno><cStat>${cStat}</cStat><xMotivo>${MOTIVOS[cStat] ?? ''}</xMotivo></retorno>`);
}
