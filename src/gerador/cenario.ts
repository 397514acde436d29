import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import { ESPECIE } from '../fiscal/tipos.ts';
import { Agenda } from './agenda.ts';
import { Aleatorio } from './aleatorio.ts';
import { businessClock, type Periodo, periodoDe } from './calendario.ts';
import type { Empresa } from './empresas.ts';
import { Esperado } from './esperado.ts';
import { generateEvento } from './eventos.ts';
import { generateInutilizacao } from './inutilizacao.ts';
import { type Ato, folderOf, type ItemDoCenario } from './item.ts';
import { generateMundo, type Mundo } from './mundo.ts';
import { generateNfe, type NfeGerada } from './nfe.ts';
import { Outras } from './outras.ts';
import { isEmpresa } from './partes.ts';
import { type Negocio, Sorteio } from './sorteio.ts';

export type { ItemDoCenario };

export interface PedidoCenario {
  semente: string;
  /** How many clients the office has, 1 or more. */
  clientes: number;
  /** How many NF-e and NFC-e; events (about 1 to 10 notes) and inutilizações come on top. */
  documentos: number;
  /** First day (`AAAA-MM-DD`, time of Brasília) or moment. */
  inicio: Date | string;
  /** Months from there. */
  meses: number;
  ambiente?: 1 | 2;
  /** Some companies have a CNPJ with letters. Default true. */
  alfanumericos?: boolean;
  /** Share of a client's notes before which numbers are skipped, 0 to 1. Default 0.015. */
  lacunas?: number;
  /** Old denied notes (2023) of the first client, in a series of their own; on top of `documentos`. Default 0. */
  denegadas?: number;
  /** How many of `documentos` have no protocol. Default 0. */
  pendentes?: number;
  /** How many CT-e, CT-e OS, NFS-e and CF-e SAT, in turns; on top of `documentos`, as their events are. Default 0. */
  outras?: number;
}

export interface Cenario {
  /** The clients. */
  empresas: readonly Empresa[];
  mundo: Mundo;
  periodo: Periodo;
  /** Can be walked once. Holds no document after it was taken. */
  documentos: Generator<ItemDoCenario, void, undefined>;
  /** Follows what was taken from `documentos`; final when that has ended. */
  esperado: Esperado;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SHARE = { cancelada: 0.03, cartaCorrecao: 0.015, manifestacao: 0.14, substituicao: 0.15 };
const SERIE_DENEGADAS = 5;

/**
 * A month (or more) of an accounting office: notes among clients and third parties, NFC-e of shops, cancellations,
 * corrections, manifestações, skipped numbers of which some are given up; where they are asked for, documents of
 * the other families too. Deterministic by seed; what is asked for besides the notes does not change the notes.
 *
 * @throws RangeError for counts or dates that make no scenario.
 */
export function generateCenario(pedido: PedidoCenario): Cenario {
  const { semente, clientes, documentos, denegadas = 0, pendentes = 0, outras = 0, lacunas = 0.015 } = pedido;
  const counts = { clientes, documentos, denegadas, pendentes, outras };
  for (const [name, n] of Object.entries(counts)) {
    if (!Number.isInteger(n) || n < 0) throw new RangeError(`${name}: ${n}`);
  }
  if (clientes < 1) throw new RangeError('clientes: at least 1');
  if (pendentes > documentos) throw new RangeError('pendentes: more than documentos');
  if (!(lacunas >= 0 && lacunas <= 1)) throw new RangeError(`lacunas: ${lacunas}`);
  const periodo = periodoDe(pedido.inicio, pedido.meses);
  const mundo = generateMundo(semente, clientes, documentos, pedido.alfanumericos ?? true);
  const run = new Encenacao(pedido, mundo, periodo);
  return { empresas: mundo.clientes, mundo, periodo, documentos: run.play(), esperado: run.esperado };
}

class Encenacao {
  readonly esperado: Esperado;
  readonly #pedido: PedidoCenario;
  readonly #mundo: Mundo;
  readonly #periodo: Periodo;
  readonly #random: Aleatorio;
  readonly #sorteio: Sorteio;
  readonly #agenda = new Agenda<Ato>();
  readonly #outras: Outras;
  /** Last number by `emitente/modelo/serie`. */
  readonly #numeros = new Map<string, number>();
  /** Last authorised note by `emitente/modelo/serie`, to stand for a cancelled one. */
  readonly #ultimas = new Map<string, Chave>();

  constructor(pedido: PedidoCenario, mundo: Mundo, periodo: Periodo) {
    this.#pedido = pedido;
    this.#mundo = mundo;
    this.#periodo = periodo;
    this.#random = new Aleatorio(`cenario/${pedido.semente}`);
    this.#sorteio = new Sorteio(mundo);
    this.esperado = new Esperado(mundo.clientes.map((c) => c.id));
    this.#outras = new Outras({
      pedido,
      mundo,
      periodo,
      esperado: this.esperado,
      schedule: (em, act) => this.#agenda.schedule(em, act),
      later: (...plan) => this.#later(...plan),
    });
  }

  *play(): Generator<ItemDoCenario, void, undefined> {
    const { documentos, pendentes = 0 } = this.#pedido;
    yield* this.#denied();
    this.#outras.plan();
    const clock = businessClock(this.#periodo);
    for (let i = 0; i < documentos; i++) {
      const random = this.#random.fork(String(i));
      const em = clock((i + random.real()) / documentos);
      yield* this.#due(em.getTime());
      const isPending =
        Math.floor(((i + 1) * pendentes) / documentos) > Math.floor((i * pendentes) / documentos);
      yield this.#issue(random, i, em, isPending);
    }
    yield* this.#due(Number.POSITIVE_INFINITY);
  }

  *#due(until: number): Generator<ItemDoCenario, void, undefined> {
    for (let next = this.#agenda.take(until); next; next = this.#agenda.take(until)) {
      yield next.valor(new Date(next.em));
    }
  }

  /** Plans an act some time later, inside the period. */
  #later(random: Aleatorio, from: Date, least: number, most: number, act: Ato): void {
    const end = this.#periodo.fim.getTime() - 60_000;
    const wanted = from.getTime() + random.integer(least, most);
    const room = Math.max(0, end - from.getTime());
    const at = wanted <= end ? wanted : from.getTime() + Math.floor(room * random.real());
    this.#agenda.schedule(Math.floor(at / 1_000) * 1_000, act);
  }

  *#denied(): Generator<ItemDoCenario, void, undefined> {
    const { denegadas = 0 } = this.#pedido;
    const emitente = this.#mundo.clientes[0];
    if (!emitente) return;
    for (let i = 0; i < denegadas; i++) {
      const random = this.#random.fork(`denegada/${i}`);
      const emissao = new Date(Date.UTC(2023, 4, 8, 13) + i * HOUR);
      const nota = generateNfe({
        ...this.#common(`denegada/${i}`),
        emitente,
        destinatario: random.pick(this.#mundo.compradores),
        modelo: '55',
        serie: emitente.id.length === 11 ? 925 : SERIE_DENEGADAS,
        numero: i + 1,
        emissao,
        protocolo: { cStat: random.pick(['110', '301', '302'] as const) },
      });
      this.esperado.denegadas.add(nota.chave);
      yield this.#file(nota, emissao);
    }
  }

  #common(label: string): { semente: string; sementeCertificados: string; ambiente: 1 | 2 } {
    const { semente, ambiente = 1 } = this.#pedido;
    return { semente: `${semente}/${label}`, sementeCertificados: semente, ambiente };
  }

  #isClient(id: CpfCnpj): boolean {
    return this.esperado.clientes.has(id);
  }

  #nextNumber(random: Aleatorio, negocio: Negocio, em: Date): number {
    const { emitente, modelo, serie } = negocio;
    const id = `${emitente.id}/${modelo}/${serie}`;
    const last = this.#numeros.get(id);
    let next = last === undefined ? random.integer(1, 9_000) : last + 1;
    if (last !== undefined && !this.#isClient(emitente.id)) {
      // Others buy from a third party too.
      next = last + random.integer(1, 40);
    } else if (last !== undefined && random.chance(this.#pedido.lacunas ?? 0.015)) {
      const size = random.weighted([
        [1, 7],
        [random.integer(2, 4), 3],
      ]);
      next += size;
      // Half of the gaps are given up; an issuer with CPF cannot do that.
      if (emitente.id.length === 14 && random.chance(0.5)) {
        this.#giveUp(random, negocio, last + 1, last + size, em);
      }
    }
    this.#numeros.set(id, next);
    return next;
  }

  #giveUp(random: Aleatorio, negocio: Negocio, de: number, ate: number, em: Date): void {
    const { emitente, modelo, serie } = negocio;
    const isAnswerAlone = random.chance(0.2);
    this.#later(random, em, DAY, 9 * DAY, (moment) => {
      const range = { emitente, modelo, serie, numeroInicial: de, numeroFinal: ate };
      const inut = generateInutilizacao({
        ...this.#common(`inut/${emitente.id}/${modelo}/${serie}/${de}`),
        ...range,
        em: moment,
      });
      this.esperado.addInutilizacao({ emitente: emitente.id, modelo, serie, de, ate, chave: inut.chave });
      const suffix = isAnswerAlone ? 'retInutNFe' : 'procInutNFe';
      return {
        nome: `${emitente.id}/${folderOf(inut.dhRecbto)}/ID${inut.chave}-${suffix}.xml`,
        bytes: isAnswerAlone ? inut.resposta.bytes : inut.bytes,
        chave: inut.chave,
        tipo: ESPECIE.inutilizacao,
        evento: null,
        emissao: moment,
        clientes: [emitente.id],
      };
    });
  }

  #issue(random: Aleatorio, index: number, em: Date, isPending: boolean): ItemDoCenario {
    const negocio = this.#sorteio.draw(random);
    const { emitente, destinatario, modelo } = negocio;
    const isOffline = modelo === '65' && random.chance(0.02);
    const nota = generateNfe({
      ...this.#common(`nota/${index}`),
      ...negocio,
      numero: this.#nextNumber(random, negocio, em),
      emissao: em,
      protocolo: isPending ? null : { cStat: isOffline || random.chance(0.01) ? '150' : '100' },
      tpEmis: isOffline ? '9' : '1',
      autorizados: this.#isClient(emitente.id) && random.chance(0.4) ? [this.#mundo.escritorio] : [],
      transportador: random.chance(0.35) ? random.pick(this.#mundo.transportadoras) : null,
    });
    if (isPending) this.esperado.pendentes.add(nota.chave);
    const item = this.#file(nota, em);
    if (isPending) return item;
    const willLast = this.#plan(random, negocio, nota, item.clientes, em);
    if (willLast) {
      this.#ultimas.set(`${emitente.id}/${modelo}/${negocio.serie}`, nota.chave);
      if (destinatario && modelo === '55') this.#outras.remember({ nota, emitente, destinatario });
      const isPurchase = destinatario && this.#isClient(destinatario.id) && negocio.operacao === 'venda';
      if (isPurchase) this.#sorteio.remember(destinatario.id, { fornecedor: emitente, chave: nota.chave });
    }
    return item;
  }

  #file(nota: NfeGerada, emissao: Date): ItemDoCenario {
    this.esperado.addDocumento(nota);
    const parties = nota.destinatario ? [nota.emitente, nota.destinatario] : [nota.emitente];
    const clientes = parties.filter((id) => this.#isClient(id));
    const suffix = nota.protocolo ? '-procNFe.xml' : '.xml';
    return {
      nome: `${clientes[0] ?? nota.emitente}/${folderOf(nota.dhEmi)}/NFe${nota.chave}${suffix}`,
      bytes: nota.bytes,
      chave: nota.chave,
      tipo: nota.modelo === '55' ? ESPECIE.nfe : ESPECIE.nfce,
      evento: null,
      emissao,
      clientes,
    };
  }

  /** Decides what becomes of an authorised note; false when it will be cancelled. */
  #plan(
    random: Aleatorio,
    negocio: Negocio,
    nota: NfeGerada,
    clientes: readonly CpfCnpj[],
    em: Date,
  ): boolean {
    const { destinatario, emitente, modelo } = negocio;
    const recipient = destinatario && isEmpresa(destinatario) ? destinatario : null;
    const isReceived = recipient !== null && modelo === '55' && this.#isClient(recipient.id);
    const fate = random.weighted([
      ['nada', 1 - SHARE.cancelada - SHARE.cartaCorrecao - SHARE.manifestacao],
      ['cancelada', SHARE.cancelada],
      [modelo === '55' ? 'carta' : 'nada', SHARE.cartaCorrecao],
      [isReceived ? 'manifestacao' : 'nada', SHARE.manifestacao],
    ] as const);
    if (fate === 'nada') return true;
    if (fate === 'manifestacao' && recipient) {
      const codigo = random.weighted([
        ['210210', 60],
        ['210200', 34],
        ['210240', 4],
        ['210220', 2],
      ]);
      this.#later(random, em, 2 * HOUR, 15 * DAY, this.#event(nota, recipient, codigo, 1, clientes));
    } else if (fate === 'carta') {
      const second = this.#event(nota, emitente, '110110', 2, clientes);
      const first = this.#event(nota, emitente, '110110', 1, clientes);
      const isCorrectedAgain = random.chance(0.15);
      this.#later(random, em, 4 * HOUR, 10 * DAY, (moment) => {
        if (isCorrectedAgain) this.#later(random, moment, HOUR, 4 * DAY, second);
        return first(moment);
      });
    } else {
      const bySubstitute = modelo === '65' && random.chance(SHARE.substituicao);
      // A NFC-e is cancelled within half an hour, or for a substitute within a week; an NF-e within a day.
      const window = bySubstitute ? 6 * DAY : modelo === '65' ? 25 * 60_000 : 20 * HOUR;
      const code = bySubstitute ? '110112' : '110111';
      this.#later(random, em, 60_000, window, this.#event(nota, emitente, code, 1, clientes));
    }
    return fate !== 'cancelada';
  }

  #event(
    nota: NfeGerada,
    autor: Empresa,
    wanted: string,
    sequencia: number,
    clientes: readonly CpfCnpj[],
  ): Ato {
    // Of the note only what the event needs is held, not its bytes.
    const { chave, emitente, modelo, serie, destinatario } = nota;
    const nProt = nota.protocolo?.nProt ?? null;
    return (em) => {
      const substitute = this.#ultimas.get(`${emitente}/${modelo}/${serie}`);
      const isSubstitution = wanted === '110112' && substitute !== undefined && substitute > chave;
      const codigo = wanted === '110112' && !isSubstitution ? '110111' : wanted;
      const evento = generateEvento({
        ...this.#common(`evento/${chave}/${codigo}/${sequencia}`),
        codigo,
        chave,
        autor,
        em,
        sequencia,
        nProt,
        destinatario,
        ...(isSubstitution ? { chaveSubstituta: substitute } : {}),
      });
      this.esperado.addEvento(codigo, chave, clientes);
      const order = String(sequencia).padStart(2, '0');
      return {
        nome: `${clientes[0] ?? emitente}/${folderOf(evento.dhEvento)}/${chave}_${codigo}_${order}-procEventoNFe.xml`,
        bytes: evento.bytes,
        chave,
        tipo: ESPECIE.evento,
        evento: { codigo, sequencia },
        emissao: em,
        clientes,
      };
    };
  }
}
