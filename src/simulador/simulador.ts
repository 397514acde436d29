/**
 * The services of the tax authorities as a state machine: queues, clocks, refusals. A call is a function of what was called
 * before and of the clock that is handed in; whether a socket stands in between does not matter.
 */
import type { Clock } from '../platform/clock.ts';
import { answerAdn, answerConvenio, answerSefin, UsosDoAdn } from './adn.ts';
import { type Contexto, textOf } from './contexto.ts';
import { distribute } from './distribuicao.ts';
import { RejeicoesDeEventos, receiveEventos } from './eventos.ts';
import { receiveEventoCte } from './eventos-cte.ts';
import { answerOfFalha, type Falha, Falhas, isDefeito } from './falhas.ts';
import { Acervo } from './publicar.ts';
import { Relatorio } from './relatorio.ts';
import { downloadNfce, listChaves, RitmoDoSae } from './sae.ts';
import { field } from './soap.ts';
import { type Desfecho, DIA_MS, type Entrega, type Origem, type Pedido, type Servico } from './tipos.ts';

interface OpcoesDoSimulador {
  relogio: Clock;
  /** IBGE codes of the cities that take part in the national environment; null: all. */
  conveniados?: ReadonlySet<string> | null;
  /** Waits while a call is under way; by default it ends at once. */
  demora?: (pedido: Pedido) => Promise<void>;
}

/** Who may be asked about, as `nfe/12345678000195`; by the service whose consent covers it. */
const CONSENTIMENTO: Readonly<Partial<Record<Servico, string>>> = {
  nfe: 'nfe',
  nfe_eventos: 'nfe',
  cte: 'cte',
  cte_eventos: 'cte',
  adn: 'adn',
  sefin: 'adn',
  sae_chaves: 'sae',
  sae_download: 'sae',
};

/** Notes are forgotten after this: the last that can be asked of them is long over. */
const ESQUECE_MS = 200 * DIA_MS;

export class Simulador {
  readonly acervo = new Acervo();
  readonly relatorio = new Relatorio();
  readonly falhas = new Falhas();
  readonly revogados = new Set<string>();
  /** `servico/CNPJ` of all that may be asked about; null: nobody looks. */
  consentimentos: ReadonlySet<string> | null = null;
  conveniados: ReadonlySet<string> | null;
  readonly #relogio: Clock;
  readonly #demora: ((pedido: Pedido) => Promise<void>) | null;
  readonly #usosDoAdn = new UsosDoAdn();
  readonly #ritmoDoSae = new RitmoDoSae();
  readonly #rejeicoes = new RejeicoesDeEventos();
  /** `servico/CNPJ` of the calls that are under way. */
  readonly #emCurso = new Set<string>();

  constructor({ relogio, conveniados = null, demora }: OpcoesDoSimulador) {
    this.#relogio = relogio;
    this.conveniados = conveniados;
    this.#demora = demora ?? null;
  }

  now(): number {
    return this.#relogio.now();
  }

  /**
   * Takes a document in, now, and gives it to all who receive it.
   * @throws DocumentoDesconhecido
   */
  publish(xml: string): Entrega[] {
    const agora = this.now();
    const given = this.acervo.publish(xml, agora);
    if (this.acervo.notas.size > 0 && this.acervo.notas.size % 5_000 === 0)
      this.acervo.forget(agora - ESQUECE_MS);
    return given;
  }

  /** Gives up the next number of a party's queue in the ADN, as the environment has done. */
  addVoidNsu(cpfCnpj: string): void {
    this.acervo.adn.add('1', cpfCnpj, { schema: 'NENHUM', chave: '', xml: '', em: this.now() });
  }

  /** A call, from its coming in to its end. */
  async call(pedido: Pedido): Promise<Desfecho> {
    const id = `${pedido.servico}/${whoIsAsked(pedido)}`;
    const already = this.#emCurso.has(id);
    if (already) this.#breach(pedido, 'chamadas_paralelas', id);
    this.#emCurso.add(id);
    try {
      const desfecho = this.answer(pedido);
      await this.#demora?.(pedido);
      return desfecho;
    } finally {
      if (!already) this.#emCurso.delete(id);
    }
  }

  /** The same in one step. */
  answer(pedido: Pedido): Desfecho {
    const agora = this.now();
    const { servico } = pedido;
    const cpfCnpj = whoIsAsked(pedido);
    const origem: Origem = { agente: agentOf(pedido), entregue: true };
    this.relatorio.countCall(origem.agente, servico);
    this.#checkConsent(pedido, cpfCnpj);
    const call = { servico, cpfCnpj, agora };
    const falha = this.falhas.take(call, false);
    if (falha?.tipo.endsWith('_antes')) return lost(falha, { ...origem, entregue: false });
    const ready = falha && answerOfFalha(falha, pedido, agora);
    if (ready) return { tipo: 'resposta', resposta: ready, origem };
    const resposta = this.#dispatch(pedido, agora, origem, () => {
      const found = this.falhas.take(call, true);
      return found && isDefeito(found.tipo) ? found.tipo : null;
    });
    if (!falha) return { tipo: 'resposta', resposta, origem };
    origem.entregue = false;
    return lost(falha, origem);
  }

  #checkConsent(pedido: Pedido, cpfCnpj: string): void {
    const service = CONSENTIMENTO[pedido.servico];
    if (this.consentimentos === null || service === undefined) return;
    const id = `${service}/${cpfCnpj}`;
    if (!this.consentimentos.has(id)) this.#breach(pedido, 'sem_consentimento', id);
  }

  #breach(pedido: Pedido, regra: 'sem_consentimento' | 'chamadas_paralelas', chave: string): void {
    this.relatorio.addViolacao({ regra, agente: agentOf(pedido), chave, em: this.now(), detalhe: '' });
  }

  #dispatch(pedido: Pedido, agora: number, origem: Origem, takeDefeito: Contexto['takeDefeito']) {
    const { acervo, relatorio, revogados } = this;
    const contexto: Contexto = { pedido, agora, origem, acervo, relatorio, revogados, takeDefeito };
    switch (pedido.servico) {
      case 'nfe':
      case 'cte':
        return distribute(contexto, pedido.servico);
      case 'nfe_eventos':
        return receiveEventos(contexto, this.#rejeicoes);
      case 'cte_eventos':
        return receiveEventoCte(contexto);
      case 'adn':
        return answerAdn(contexto, this.#usosDoAdn);
      case 'sefin':
        return answerSefin(contexto);
      case 'sae_chaves':
        return listChaves(contexto);
      case 'sae_download':
        return downloadNfce(contexto, this.#ritmoDoSae);
      case 'convenio':
        return answerConvenio(contexto, this.conveniados);
    }
  }
}

function lost({ tipo }: Falha, origem: Origem): Desfecho {
  return { tipo: 'queda', queda: tipo.startsWith('reset') ? 'reset' : 'timeout', origem };
}

const agentOf = (pedido: Pedido) => pedido.cabecalhos['user-agent'] ?? '';

/** Whom a call is about: who stands in its message or its query, else the certificate's holder. */
function whoIsAsked(pedido: Pedido): string {
  const titular = pedido.certificado?.titular ?? '';
  if (pedido.metodo !== 'POST') return /[?&]cnpjConsulta=(\w+)/.exec(pedido.caminho)?.[1] ?? titular;
  const text = textOf(pedido);
  return field(text, 'CNPJ') ?? field(text, 'CPF') ?? titular;
}
