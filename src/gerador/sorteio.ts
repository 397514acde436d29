import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import type { Aleatorio } from './aleatorio.ts';
import type { Empresa, Pessoa } from './empresas.ts';
import type { Mundo } from './mundo.ts';
import type { CodigoOperacao } from './operacoes.ts';

/** Draws who sells what to whom. */
export interface Negocio {
  emitente: Empresa;
  destinatario: Empresa | Pessoa | null;
  modelo: '55' | '65';
  serie: number;
  operacao: CodigoOperacao;
  referencias: readonly Chave[];
}

/** A note that its recipient may still return. */
interface Compra {
  fornecedor: Empresa;
  chave: Chave;
}

const MAX_RECENT = 5;

/** The deals of a scenario. Remembers the latest purchases of each client, for returns. */
export class Sorteio {
  readonly #mundo: Mundo;
  readonly #lojas: readonly Empresa[];
  readonly #compras = new Map<CpfCnpj, Compra[]>();

  constructor(mundo: Mundo) {
    this.#mundo = mundo;
    this.#lojas = mundo.clientes.filter((c) => c.perfil === 'varejo' || c.perfil === 'restaurante');
  }

  /** Remembers an authorised purchase of a client. */
  remember(cliente: CpfCnpj, compra: Compra): void {
    const recent = this.#compras.get(cliente) ?? [];
    recent.push(compra);
    if (recent.length > MAX_RECENT) recent.shift();
    this.#compras.set(cliente, recent);
  }

  draw(random: Aleatorio): Negocio {
    const kind = random.weighted([
      ['cupom', this.#lojas.length > 0 ? 36 : 0],
      ['emitida', 30],
      ['recebida', 34],
    ] as const);
    if (kind === 'cupom') return this.#cupom(random);
    return kind === 'emitida' ? this.#emitida(random) : this.#recebida(random);
  }

  #cupom(random: Aleatorio): Negocio {
    const { consumidores } = this.#mundo;
    return {
      emitente: random.pick(this.#lojas),
      destinatario: random.chance(0.3) ? random.pick(consumidores) : null,
      modelo: '65',
      // Two tills, the first one busier.
      serie: random.chance(0.7) ? 1 : 2,
      operacao: 'venda',
      referencias: [],
    };
  }

  #recebida(random: Aleatorio): Negocio {
    const { fornecedores, clientes } = this.#mundo;
    return {
      emitente: random.pick(fornecedores),
      destinatario: random.pick(clientes),
      modelo: '55',
      serie: 1,
      operacao: random.chance(0.06) ? 'bonificacao' : 'venda',
      referencias: [],
    };
  }

  #emitida(random: Aleatorio): Negocio {
    const { clientes } = this.#mundo;
    const emitente = random.pick(clientes);
    const deal = {
      emitente,
      modelo: '55' as const,
      serie: emitente.id.length === 11 ? 920 : 1,
      referencias: [],
    };
    const compra = this.#compras.get(emitente.id)?.at(-1);
    const filial = this.#mundo.filiais.get(emitente.id);
    const isBuyer = emitente.perfil !== 'produtor' && emitente.perfil !== 'restaurante';
    const operacao = random.weighted<CodigoOperacao>([
      ['venda', 82],
      ['devolucao', compra ? 6 : 0],
      ['devolucao_uso_consumo', compra ? 1 : 0],
      ['transferencia', filial ? 6 : 0],
      ['transferencia_uso_consumo', filial ? 2 : 0],
      ['entrada_produtor', isBuyer ? 3 : 0],
      ['ativo', 1],
      ['bonificacao', 3],
      ['remessa_conserto', 2],
    ]);
    if (compra && operacao.startsWith('devolucao')) {
      this.#compras.get(emitente.id)?.pop();
      return { ...deal, operacao, destinatario: compra.fornecedor, referencias: [compra.chave] };
    }
    if (filial && operacao.startsWith('transferencia')) return { ...deal, operacao, destinatario: filial };
    if (operacao === 'entrada_produtor') {
      return { ...deal, operacao, destinatario: random.pick(this.#mundo.produtores) };
    }
    return { ...deal, operacao, destinatario: this.#buyer(random, emitente, operacao) };
  }

  #buyer(random: Aleatorio, emitente: Empresa, operacao: CodigoOperacao): Empresa | Pessoa {
    const { clientes, compradores, consumidores } = this.#mundo;
    const sellsToPeople = emitente.perfil === 'comercio' || emitente.perfil === 'varejo';
    if (operacao === 'venda' && sellsToPeople && random.chance(0.25)) return random.pick(consumidores);
    const others = clientes.filter((c) => c.id !== emitente.id);
    return others.length > 0 && random.chance(0.3) ? random.pick(others) : random.pick(compradores);
  }
}
