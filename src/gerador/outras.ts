import { type Chave, type CpfCnpj, ESPECIE } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import { businessClock, type Periodo, periodoDe } from './calendario.ts';
import { type CfeGerado, generateCfe, generateCfeCanc } from './cfe.ts';
import { type CteGerado, generateCte } from './cte.ts';
import { generateEventoCte } from './cte-evento.ts';
import { generateCteOs } from './cte-os.ts';
import type { Empresa } from './empresas.ts';
import type { Esperado, OutraEspecie } from './esperado.ts';
import { type Ato, folderOf, type ItemDoCenario } from './item.ts';
import type { Mundo } from './mundo.ts';
import { generateNfse, type NfseGerada } from './nfse.ts';
import { generateNfseAbrasf } from './nfse-abrasf.ts';
import { generateEventoNfse } from './nfse-evento.ts';
import { SorteioDasOutras, type Viagem } from './outras-sorteio.ts';

/** What the scenario lends to the other families. */
interface Cena {
  pedido: { semente: string; ambiente?: 1 | 2; outras?: number };
  mundo: Mundo;
  periodo: Periodo;
  esperado: Esperado;
  /** Plans an act for a moment (milliseconds since 1970). */
  schedule: (em: number, act: Ato) => void;
  /** Plans an act some time after another (milliseconds), inside the period. */
  later: (random: Aleatorio, from: Date, least: number, most: number, act: Ato) => void;
}

type Familia = 'cte' | 'cteOs' | 'nfse' | 'abrasf' | 'cfe';

/** The families take turns, so that a few documents show them all. */
const TURNOS: readonly Familia[] = [
  'cte',
  'nfse',
  'abrasf',
  'cfe',
  'cteOs',
  'cte',
  'nfse',
  'cte',
  'abrasf',
  'cfe',
];
/** In each family, of so many documents one is cancelled and (CT-e) one corrected. */
const RODADA = 6;
const CANCELADA = 2;
const CORRIGIDA = 4;

/** São Paulo forbade the SAT from this moment on. @fonte Portaria SRE 79/2024 */
const FIM_DO_SAT = new Date('2026-01-01T00:00:00-03:00');
const ULTIMO_MES_DO_SAT = '2025-12-01';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** One document of a family that is to come. */
interface Vez {
  random: Aleatorio;
  /** Tells it from the others of the scenario. */
  rotulo: string;
  destino: 'nada' | 'cancelada' | 'corrigida';
}

/** CT-e, CT-e OS, NFS-e and CF-e SAT of a scenario, among its clients and third parties. */
export class Outras {
  readonly #cena: Cena;
  readonly #sorteio: SorteioDasOutras;
  /** Last number by issuer and series. */
  readonly #numeros = new Map<string, number>();

  constructor(cena: Cena) {
    this.#cena = cena;
    this.#sorteio = new SorteioDasOutras(cena.pedido.semente, cena.mundo);
  }

  /** Remembers an authorised NF-e whose goods a CT-e may carry. */
  remember(viagem: Viagem): void {
    this.#sorteio.remember(viagem);
  }

  /** Puts every document into the agenda. Coupons are older where the period begins after the end of the SAT. */
  plan(): void {
    const { pedido, periodo, schedule } = this.#cena;
    const { semente, outras = 0 } = pedido;
    const clock = businessClock(periodo);
    const isAfterSat = periodo.fim > FIM_DO_SAT;
    const satClock = businessClock(isAfterSat ? periodoDe(ULTIMO_MES_DO_SAT, 1) : periodo);
    const made = new Map<Familia, number>();
    for (let i = 0; i < outras; i++) {
      const random = new Aleatorio(`outras/${semente}/${i}`);
      const familia = TURNOS[i % TURNOS.length] ?? 'cte';
      const ordinal = made.get(familia) ?? 0;
      made.set(familia, ordinal + 1);
      const turn = ordinal % RODADA;
      const destino = turn === CANCELADA ? 'cancelada' : turn === CORRIGIDA ? 'corrigida' : 'nada';
      const fraction = (i + random.real()) / outras;
      const em = (familia === 'cfe' ? satClock : clock)(fraction);
      schedule(em.getTime(), this.#act(familia, { random, rotulo: `outra/${i}`, destino }));
    }
  }

  #act(familia: Familia, vez: Vez): Ato {
    switch (familia) {
      case 'cte':
        return (em) => this.#cte(vez, em);
      case 'cteOs':
        return (em) => this.#cteOs(vez, em);
      case 'nfse':
        return (em) => this.#nfse(vez, em);
      case 'abrasf':
        return (em) => this.#abrasf(vez, em);
      case 'cfe':
        return (em) => this.#cfe(vez, em);
    }
  }

  #common(label: string): { semente: string; sementeCertificados: string; ambiente: 1 | 2 } {
    const { semente, ambiente = 1 } = this.#cena.pedido;
    return { semente: `${semente}/${label}`, sementeCertificados: semente, ambiente };
  }

  #isClient(id: CpfCnpj): boolean {
    return this.#cena.esperado.clientes.has(id);
  }

  /** Next number of an issuer's series; that of a third party goes on with its other customers too. */
  #next(random: Aleatorio, emitente: Empresa, serie: string): number {
    const id = `${emitente.id}/${serie}`;
    const last = this.#numeros.get(id);
    const step = this.#isClient(emitente.id) ? 1 : random.integer(1, 40);
    const next = last === undefined ? random.integer(1, 9_000) : last + step;
    this.#numeros.set(id, next);
    return next;
  }

  /** The file of a document, and its place in the truth. */
  #file(p: {
    especie: OutraEspecie;
    chave: Chave;
    bytes: Uint8Array;
    /** The issuer first. */
    partes: readonly CpfCnpj[];
    nome: string;
    iso: string;
    em: Date;
    cancelada?: boolean;
  }): ItemDoCenario {
    const { especie, chave, bytes, partes, nome, iso, em, cancelada = false } = p;
    const [emitente] = partes;
    const clientes = [...new Set(partes)].filter((id) => this.#isClient(id));
    if (emitente) this.#cena.esperado.addOutra({ especie, chave, emitente, clientes, cancelada });
    const path = `${clientes[0] ?? emitente}/${folderOf(iso)}/${nome}`;
    return { nome: path, bytes, chave, tipo: especie, evento: null, emissao: em, clientes };
  }

  #event(p: {
    documento: ItemDoCenario;
    codigo: string;
    sequencia: number;
    bytes: Uint8Array;
    nome: string;
    em: Date;
  }): ItemDoCenario {
    const { documento, codigo, sequencia, bytes, nome, em } = p;
    const { chave, clientes } = documento;
    this.#cena.esperado.addEvento(codigo, chave, clientes);
    const folder = documento.nome.slice(0, documento.nome.lastIndexOf('/'));
    const evento = { codigo, sequencia };
    return { nome: `${folder}/${nome}`, bytes, chave, tipo: ESPECIE.evento, evento, emissao: em, clientes };
  }

  #cte({ random, rotulo, destino }: Vez, em: Date): ItemDoCenario {
    const { fornecedores, transportadoras, escritorio } = this.#cena.mundo;
    const emitente = random.pick(transportadoras);
    const frete = this.#sorteio.frete(random);
    const expedidor = random.chance(0.2) ? random.pick(fornecedores) : null;
    const recebedor = random.chance(0.2) ? random.pick(fornecedores) : null;
    const tomador = random.weighted<'remetente' | 'destinatario' | 'expedidor' | 'recebedor' | Empresa>([
      ['remetente', 35],
      ['destinatario', 40],
      ['expedidor', expedidor ? 10 : 0],
      ['recebedor', recebedor ? 10 : 0],
      [random.pick(fornecedores), 12],
    ]);
    const cte = generateCte({
      ...this.#common(rotulo),
      ...frete,
      emitente,
      expedidor,
      recebedor,
      tomador,
      serie: 1,
      numero: this.#next(random, emitente, '57/1'),
      emissao: em,
      autorizados: random.chance(0.4) ? [escritorio] : [],
    });
    return this.#transport({ cte, emitente, em, random, destino });
  }

  #cteOs({ random, rotulo, destino }: Vez, em: Date): ItemDoCenario {
    const { clientes, transportadoras } = this.#cena.mundo;
    const emitente = random.pick(transportadoras);
    const cte = generateCteOs({
      ...this.#common(rotulo),
      emitente,
      tomador: random.pick(clientes),
      serie: 1,
      numero: this.#next(random, emitente, '67/1'),
      emissao: em,
    });
    return this.#transport({ cte, emitente, em, random, destino });
  }

  #transport(p: {
    cte: CteGerado;
    emitente: Empresa;
    em: Date;
    random: Aleatorio;
    destino: Vez['destino'];
  }): ItemDoCenario {
    const { cte, emitente, em, random, destino } = p;
    const { chave, bytes } = cte;
    const especie = cte.modelo === '57' ? ESPECIE.cte : ESPECIE.cteOs;
    const partes = cte.participantes.map(({ cpfCnpj }) => cpfCnpj);
    const documento = this.#file({
      especie,
      chave,
      bytes,
      partes,
      nome: `CTe${chave}-procCTe.xml`,
      iso: cte.dhEmi,
      em,
    });
    if (destino === 'nada') return documento;
    const nProt = cte.protocolo?.nProt ?? null;
    const codigo = destino === 'cancelada' ? '110111' : '110110';
    this.#cena.later(random, em, HOUR, 4 * DAY, (moment) => {
      const label = `evento/${chave}/${codigo}`;
      const evento = generateEventoCte({
        ...this.#common(label),
        codigo,
        chave,
        autor: emitente,
        em: moment,
        nProt,
      });
      const nome = `${chave}_${codigo}_001-procEventoCTe.xml`;
      return this.#event({ documento, codigo, sequencia: 1, bytes: evento.bytes, nome, em: moment });
    });
    return documento;
  }

  #nfse({ random, rotulo, destino }: Vez, em: Date): ItemDoCenario {
    const servico = this.#sorteio.servico(random);
    const { prestador } = servico;
    const numero = this.#next(random, prestador, 'nfse');
    const nota = generateNfse({
      ...this.#common(rotulo),
      ...servico,
      numero,
      dps: { serie: 1, numero: numero + 12 },
      emissao: em,
    });
    const documento = this.#service(nota, em, `NFSe${nota.chave}.xml`);
    if (destino !== 'cancelada') return documento;
    this.#cena.later(random, em, HOUR, 5 * DAY, (moment) => {
      const { chave } = nota;
      const label = `evento/${chave}`;
      const evento = generateEventoNfse({ ...this.#common(label), chave, autor: prestador, em: moment });
      const { codigo, sequencia, bytes } = evento;
      const nome = `${chave}_${codigo}_001-evento.xml`;
      return this.#event({ documento, codigo, sequencia, bytes, nome, em: moment });
    });
    return documento;
  }

  /** Cities export a note once, at the end of the month: with its cancellation, where there was one. */
  #abrasf({ random, rotulo, destino }: Vez, em: Date): ItemDoCenario {
    const servico = this.#sorteio.servico(random);
    const numero = this.#next(random, servico.prestador, 'abrasf');
    const end = this.#cena.periodo.fim.getTime() - MINUTE;
    const cancelled = Math.min(end, em.getTime() + random.integer(1, 72) * HOUR);
    const nota = generateNfseAbrasf({
      ...this.#common(rotulo),
      ...servico,
      numero: Number(`${em.getUTCFullYear()}${String(numero).padStart(11, '0')}`),
      rps: { serie: 'A1', numero },
      emissao: em,
      cancelamento: destino === 'cancelada' ? new Date(cancelled) : null,
    });
    const { dataEmissao: dhEmi, cancelada } = nota;
    return this.#service({ ...nota, dhEmi }, em, `${nota.chave}.xml`, cancelada);
  }

  #service(
    nota: Pick<NfseGerada, 'chave' | 'bytes' | 'prestador' | 'tomador' | 'intermediario' | 'dhEmi'>,
    em: Date,
    nome: string,
    cancelada = false,
  ): ItemDoCenario {
    const { chave, bytes, dhEmi: iso } = nota;
    const partes = [nota.prestador, nota.tomador, nota.intermediario].filter((id) => id !== null);
    return this.#file({ especie: ESPECIE.nfse, chave, bytes, partes, nome, iso, em, cancelada });
  }

  #cfe({ random, rotulo, destino }: Vez, em: Date): ItemDoCenario {
    const { emitente, consumidor } = this.#sorteio.compra(random);
    const nserieSAT = `000${new Aleatorio(`sat/${emitente.id}`).digits(6)}`;
    const numero = this.#next(random, emitente, nserieSAT);
    const cupom = generateCfe({
      ...this.#common(rotulo),
      emitente,
      consumidor,
      nserieSAT,
      numero,
      emissao: em,
    });
    const { chave, bytes, dEmi } = cupom;
    const partes = consumidor ? [emitente.id, consumidor.id] : [emitente.id];
    const iso = `${dEmi.slice(0, 4)}-${dEmi.slice(4, 6)}`;
    const documento = this.#file({
      especie: ESPECIE.cfe,
      chave,
      bytes,
      partes,
      nome: `AD${chave}.xml`,
      iso,
      em,
    });
    if (destino === 'cancelada') this.#cancelCupom({ random, cupom, documento, emitente });
    return documento;
  }

  /** A coupon can be cancelled for half an hour, by the same device and with a number of its own. */
  #cancelCupom(p: {
    random: Aleatorio;
    cupom: CfeGerado;
    documento: ItemDoCenario;
    emitente: Empresa;
  }): void {
    const { random, cupom: cancelado, documento, emitente } = p;
    const { nserieSAT } = cancelado;
    this.#cena.later(random, documento.emissao, MINUTE, 29 * MINUTE, (moment) => {
      const coupon = generateCfeCanc({
        ...this.#common(`cancelamento/${cancelado.chave}`),
        emitente,
        nserieSAT,
        numero: this.#next(random, emitente, nserieSAT),
        emissao: moment,
        cancelado,
      });
      const nome = `ADC${coupon.propria}.xml`;
      return this.#event({
        documento,
        codigo: 'CFeCanc',
        sequencia: 1,
        bytes: coupon.bytes,
        nome,
        em: moment,
      });
    });
  }
}
