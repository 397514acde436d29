/**
 * What the services' codes mean, for somebody who keeps books: what happened, and what to do. One table for each service,
 * since the same number means other things elsewhere.
 */
import type { Servico } from '../../banco/tabelas-captura.ts';
import { tabela } from '../../fiscal/tabela.ts';
import type { Frase } from './frase.ts';
import { CONEXAO } from './frases-conexao.ts';
import { EVENTO } from './frases-evento.ts';
import { fraseDeHttp } from './frases-http.ts';
import { ADN, CTE, NFE, SAE } from './frases-servicos.ts';

/** The services of capture, and that of events (manifestação), whose answers have a table of their own. */
export type ServicoComFrases = Servico | 'evento';

const TABELAS: Readonly<Record<ServicoComFrases, Readonly<Record<string, Frase>>>> = {
  nfe: tabela(NFE),
  cte: tabela(CTE),
  nfse: tabela(ADN),
  nfce: tabela(SAE),
  evento: tabela(EVENTO),
};

/**
 * The sentence of an answer.
 * @param input.codigo cStat or `E…` of the service, `http_503` for an answer that is not the service's own, or a `CodigoDeFalha`
 * @param input.motivo the service's own words, shown where the code is not known here
 */
export function fraseDe(input: { servico: ServicoComFrases; codigo: string; motivo?: string | null }): Frase {
  const { servico, codigo, motivo } = input;
  const known = TABELAS[servico][codigo] ?? CONEXAO[codigo] ?? fraseDeHttp(codigo);
  if (known) return known;
  return {
    diz: `O serviço recusou a consulta com o código ${codigo}${motivo ? `: "${motivo}"` : ''}.`,
    fazer:
      'O Malote tenta de novo mais tarde. Se a mesma resposta voltar, envie o código e o texto ao suporte do Malote.',
    quem: 'operador',
  };
}

/** Codes that have a sentence of their own at a service. */
export function codigosComFrase(servico: ServicoComFrases): string[] {
  return Object.keys(TABELAS[servico]);
}
