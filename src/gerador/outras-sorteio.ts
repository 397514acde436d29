import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import type { Parte } from './cte-partes.ts';
import { type Empresa, generateEmpresa, type Pessoa } from './empresas.ts';
import type { Mundo } from './mundo.ts';

/** A note whose goods somebody carries. */
export interface Viagem {
  nota: { chave: Chave; valor: string };
  emitente: Empresa;
  destinatario: Empresa | Pessoa;
}

interface Frete {
  remetente: Parte;
  destinatario: Parte;
  /** As in `EntradaCte`. */
  carga: { notas: Chave[]; valor: number };
}

interface Servico {
  prestador: Empresa;
  tomador: Empresa | Pessoa;
  intermediario: Empresa | null;
}

interface Compra {
  emitente: Empresa;
  consumidor: Empresa | Pessoa | null;
}

const MAX_VIAGENS = 30;

/** CNPJs with letters came when the SAT devices were gone. */
const hasNumericId = ({ id }: { id: CpfCnpj }): boolean => /^\d+$/.test(id);

/** Draws who carries, serves and sells what to whom. Whoever is missing in the world for that is invented here. */
export class SorteioDasOutras {
  readonly #mundo: Mundo;
  readonly #prestadores: readonly Empresa[];
  readonly #clientesPrestadores: readonly Empresa[];
  /** Shops with a SAT device, in São Paulo. */
  readonly #lojasClientes: readonly Empresa[];
  readonly #outrasLojas: readonly Empresa[];
  readonly #viagens: Viagem[] = [];

  constructor(semente: string, mundo: Mundo) {
    const { clientes } = mundo;
    const random = new Aleatorio(`outras/mundo/${semente}`);
    const uf = clientes[0]?.uf ?? 'SP';
    this.#mundo = mundo;
    this.#prestadores = Array.from({ length: 4 }, (_, i) =>
      generateEmpresa(`${semente}/prestador/${i}`, {
        perfil: 'servicos',
        ...(random.chance(0.7) ? { uf } : {}),
      }),
    );
    this.#clientesPrestadores = clientes.filter(({ id }) => id.length === 14);
    this.#lojasClientes = clientes.filter(
      (c) => c.uf === 'SP' && (c.perfil === 'varejo' || c.perfil === 'restaurante') && hasNumericId(c),
    );
    this.#outrasLojas = (['varejo', 'restaurante'] as const).map((perfil) =>
      generateEmpresa(`${semente}/loja/${perfil}`, { perfil, uf: 'SP' }),
    );
  }

  /** Remembers an authorised NF-e whose goods a CT-e may carry. */
  remember(viagem: Viagem): void {
    this.#viagens.push(viagem);
    if (this.#viagens.length > MAX_VIAGENS) this.#viagens.shift();
  }

  /** A note that waits for its transport, or goods without one. Each is carried once. */
  frete(random: Aleatorio): Frete {
    const { clientes, fornecedores } = this.#mundo;
    const at = random.integer(0, Math.max(0, this.#viagens.length - 1));
    const [viagem] = this.#viagens.splice(at, 1);
    if (viagem) {
      const { nota, emitente, destinatario } = viagem;
      const carga = { notas: [nota.chave], valor: Math.round(Number(nota.valor) * 100) };
      return { remetente: emitente, destinatario, carga };
    }
    const carga = { notas: [], valor: random.integer(50_000, 4_000_000) };
    return { remetente: random.pick(fornecedores), destinatario: random.pick(clientes), carga };
  }

  /** A service that a client renders or takes. */
  servico(random: Aleatorio): Servico {
    const { clientes, compradores, consumidores } = this.#mundo;
    const intermediario = random.chance(0.08) ? random.pick(compradores) : null;
    if (this.#clientesPrestadores.length === 0 || random.chance(0.55)) {
      return { prestador: random.pick(this.#prestadores), tomador: random.pick(clientes), intermediario };
    }
    const tomador = random.chance(0.25) ? random.pick(consumidores) : random.pick(compradores);
    return { prestador: random.pick(this.#clientesPrestadores), tomador, intermediario };
  }

  /** A shop that is a client sells to whoever comes; that of somebody else is of interest when a client buys. */
  compra(random: Aleatorio): Compra {
    const { clientes, consumidores } = this.#mundo;
    if (this.#lojasClientes.length > 0 && random.chance(0.7)) {
      const consumidor = random.chance(0.4) ? random.pick(consumidores) : null;
      return { emitente: random.pick(this.#lojasClientes), consumidor };
    }
    const numeric = clientes.filter(hasNumericId);
    const consumidor = random.pick(numeric.length > 0 ? numeric : clientes);
    return { emitente: random.pick(this.#outrasLojas), consumidor };
  }
}
