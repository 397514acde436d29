/**
 * A year of an office's capture against the simulated services: what comes, what breaks, and who else asks. The scheduler,
 * the database and the import are the real ones; the wire and the time are not.
 */
import type { Servico } from '../../src/banco/tabelas-captura.ts';
import { PAUSA_MS } from '../../src/captura/decidir.ts';
import { Aleatorio } from '../../src/gerador/aleatorio.ts';
import { type Empresa, generateEmpresa, generateFilial } from '../../src/gerador/empresas.ts';
import { RelogioVirtual } from '../../src/simulador/relogio.ts';
import { Simulador } from '../../src/simulador/simulador.ts';
import { type CertificadoApresentado, DIA_MS, HORA_MS } from '../../src/simulador/tipos.ts';
import { Agenda } from './agenda.ts';
import { Documentos, type Tipo } from './documentos.ts';
import { Expediente } from './expediente.ts';
import { type ClienteDoAno, MaloteDoAno, TRABALHADORES } from './malote.ts';
import { OutroPrograma } from './outro-programa.ts';
import { Placar, type Resultado } from './placar.ts';
import { MALOTE } from './transporte.ts';

const INICIO = Date.UTC(2026, 0, 5, 3);
/** Time goes on by so much at least: what is due within it is done together. The SAE takes one call at a time, at its own pace. */
const PASSO_MS = 60_000;
const PASSO_DO_SAE_MS = PAUSA_MS.nfce + 1;
/** The year ends when nothing has come for so long: two rounds of every sequence. */
const DUAS_RODADAS_MS = 3 * HORA_MS;
const IMPORTAR_A_CADA_MS = 12 * HORA_MS;
const ESCRITORIOS = 3;

export interface OpcoesDoAno {
  semente: string;
  clientes: number;
  dias: number;
  /** Of each client, in 30 days. */
  documentosPorMes: number;
  /** How many of a thousand calls end badly, on the line or by a death of ours. */
  falhasPorMil: number;
  /** Days after it in which nothing comes and nothing breaks: what is on its way arrives. */
  sossegoDias: number;
  /** The machine is never turned off. */
  semParar: boolean;
  /** The year ends earlier when it has taken so long, ms of real time. */
  limiteMs?: number;
  /** Told of every simulated day. */
  aoPassar?: (dia: number, placar: Placar) => void;
}

interface Participante {
  empresa: Empresa;
  cliente: ClienteDoAno;
  servicos: Servico[];
  outro: OutroPrograma | null;
}

export class Ano {
  readonly #opcoes: OpcoesDoAno;
  readonly #relogio = new RelogioVirtual(INICIO);
  readonly #simulador = new Simulador({ relogio: this.#relogio });
  readonly #agenda = new Agenda();
  readonly #documentos: Documentos;
  readonly #random: Aleatorio;
  readonly #placar: Placar;
  readonly #certificados = new Map<string, CertificadoApresentado>();
  readonly #tempo = { now: () => this.#relogio.now(), desvio: 0 };
  readonly #expediente: Expediente;
  readonly #consentimentos = new Set<string>();
  readonly #participantes: Participante[] = [];
  /** Nothing breaks and nobody else asks any more. */
  #sossego = false;
  #wasOn = true;

  constructor(opcoes: OpcoesDoAno) {
    this.#opcoes = opcoes;
    this.#documentos = new Documentos(opcoes.semente);
    this.#random = new Aleatorio(`ano/${opcoes.semente}`);
    this.#placar = new Placar(this.#simulador);
    this.#expediente = new Expediente(INICIO, opcoes.semParar);
  }

  /** What the result does not tell. */
  get notas(): readonly string[] {
    return this.#placar.notas;
  }

  async run(): Promise<Resultado> {
    const malote = await MaloteDoAno.open({
      tempo: this.#tempo,
      linha: {
        simulador: this.#simulador,
        certificados: this.#certificados,
        morte: () => this.#death(),
        onResposta: (pedido, bytes) => this.#placar.see(pedido, bytes, this.#relogio.now()),
      },
    });
    try {
      this.#simulador.consentimentos = this.#consentimentos;
      await this.#populate(malote);
      this.#plan(malote);
      await this.#live(malote);
      return await this.#placar.judge(malote.banco.db, MALOTE);
    } finally {
      await malote.close();
    }
  }

  get #fim(): number {
    return INICIO + this.#opcoes.dias * DIA_MS;
  }

  async #live(malote: MaloteDoAno): Promise<void> {
    const { sossegoDias, limiteMs = Number.POSITIVE_INFINITY } = this.#opcoes;
    const began = performance.now();
    let end = this.#fim + sossegoDias * DIA_MS;
    let importAt = INICIO;
    let day = 0;
    let last = { em: INICIO, chegados: 0 };
    for (;;) {
      const now = this.#relogio.now();
      const { chegados } = this.#placar;
      if (chegados > last.chegados) last = { em: now, chegados };
      if (now >= Math.max(end, last.em + DUAS_RODADAS_MS)) break;
      await this.#power(malote, now);
      await this.#agenda.runUntil(now);
      if (!this.#sossego && performance.now() - began > limiteMs) {
        await this.#endEarly(malote);
        end = now + sossegoDias * DIA_MS;
      }
      const due = await this.#work(malote);
      if (now >= importAt) {
        await malote.import();
        importAt = now + IMPORTAR_A_CADA_MS;
      }
      for (; INICIO + (day + 1) * DIA_MS <= now; day++) this.#opcoes.aoPassar?.(day, this.#placar);
      const idle = Math.max(end, now + PASSO_MS);
      this.#relogio.set(Math.min(due ?? idle, this.#agenda.next ?? idle, idle));
    }
    await malote.import();
  }

  /** What was planned for the rest of the year happens at once, as far as it leaves nobody without capture. */
  async #endEarly(malote: MaloteDoAno): Promise<void> {
    this.#sossego = true;
    await this.#power(malote, this.#relogio.now());
    await this.#agenda.runUntil(this.#fim);
    this.#placar.notas.push(`o ano terminou no dia ${Math.floor((this.#relogio.now() - INICIO) / DIA_MS)}`);
  }

  /** The machine is turned on or off. */
  async #power(malote: MaloteDoAno, now: number): Promise<void> {
    const isOn = this.#sossego || now >= this.#fim || this.#expediente.isOn(now);
    if (isOn && !this.#wasOn) await malote.restartMachine();
    this.#wasOn = isOn;
  }

  /** What the machine does now, if it is on. @returns when there is something to do next */
  async #work(malote: MaloteDoAno): Promise<number | null> {
    const now = this.#relogio.now();
    if (!this.#wasOn) return Math.min(this.#fim, this.#expediente.nextOn(now));
    const next = await malote.round(this.#random.chance(0.05) ? TRABALHADORES : 1);
    if (next === null) return null;
    return Math.max(next, now + (next <= now + PASSO_DO_SAE_MS ? PASSO_DO_SAE_MS : PASSO_MS));
  }

  // ── who is there ────────────────────────────────────────────────────────────────────────────────────────────

  async #populate(malote: MaloteDoAno): Promise<void> {
    const offices = [];
    for (let i = 0; i < ESCRITORIOS; i++)
      offices.push(await malote.openEscritorio(String(i + 1).padStart(6, '0')));
    for (let i = 0; i < this.#opcoes.clientes; i++) {
      const matriz = this.#participantes.at(-1)?.empresa;
      // Each tenth is a branch of the one before, in the same office, whose certificate serves it.
      const branch = i % 10 === 9 && matriz;
      const empresa = branch
        ? generateFilial(matriz, 2, this.#opcoes.semente)
        : generateEmpresa(`${this.#opcoes.semente}/${i}`, { perfil: 'comercio', uf: 'SP' });
      const office = offices[(branch ? i - 1 : i) % offices.length] ?? 0;
      const cliente = await malote.addCliente(office, empresa);
      const servicos = SERVICOS.slice(0, 2 + (i % 3));
      if (!branch) await this.#keepCertificado(malote, { empresa, cliente });
      // The SAE takes the establishment's own certificate only.
      const chosen = branch ? servicos.filter((servico) => servico !== 'nfce') : servicos;
      const outro = i % 20 === 7 ? new OutroPrograma(this.#simulador, empresa.id) : null;
      this.#participantes.push({ empresa, cliente, servicos: chosen, outro });
      for (const servico of chosen) await this.#turn(malote, { empresa, cliente }, servico, true);
    }
  }

  async #turn(
    malote: MaloteDoAno,
    { empresa, cliente }: Pick<Participante, 'empresa' | 'cliente'>,
    servico: Servico,
    ligada: boolean,
  ): Promise<void> {
    const id = `${CONSENTIDO[servico]}/${empresa.id}`;
    if (ligada) this.#consentimentos.add(id);
    await malote.setCaptura(cliente, servico, ligada);
    if (!ligada) this.#consentimentos.delete(id);
  }

  async #keepCertificado(
    malote: MaloteDoAno,
    { empresa, cliente }: Pick<Participante, 'empresa' | 'cliente'>,
  ) {
    const now = this.#relogio.now();
    const apresentado = {
      titular: empresa.id,
      validoDe: now - DIA_MS,
      // The first ones end somewhere in the year.
      validoAte: now + this.#random.integer(20, 364) * DIA_MS,
    };
    this.#certificados.set(await malote.keepCertificado(cliente, empresa, apresentado), apresentado);
    return apresentado;
  }

  // ── what happens ────────────────────────────────────────────────────────────────────────────────────────────

  #plan(malote: MaloteDoAno): void {
    for (const one of this.#participantes) {
      this.#planDocuments(one);
      this.#planCertificates(malote, one);
      if (one.outro) this.#planOther(one, one.outro);
    }
    for (const [i, one] of this.#participantes.entries()) if (i % 25 === 3) this.#planConsent(malote, one);
    this.#planOutages();
    for (const off of this.#expediente.offWithin(INICIO, this.#fim)) this.#placar.excuse(off);
    this.#planMachine(malote);
    this.#agenda.add(this.#fim, () => {
      this.#sossego = true;
      this.#simulador.falhas.clear();
    });
  }

  #planDocuments(one: Participante): void {
    const { documentosPorMes, dias } = this.#opcoes;
    const count = Math.round((documentosPorMes * dias) / 30);
    for (let i = 0; i < count; i++) {
      const at = this.#workingHour();
      const tipo = this.#random.pick(one.servicos.flatMap((servico) => TIPOS[servico]));
      // Now and then many come together.
      const many = this.#random.chance(0.01) ? this.#random.integer(20, 120) : 1;
      this.#agenda.add(at, () => {
        for (let n = 0; n < many; n++) this.#publish(one, tipo);
      });
    }
  }

  #workingHour(): number {
    const day = this.#random.integer(0, this.#opcoes.dias - 1);
    return INICIO + day * DIA_MS + this.#random.integer(5 * HORA_MS, 20 * HORA_MS);
  }

  #publish({ empresa, cliente }: Participante, tipo: Tipo): void {
    if (this.#sossego) return;
    const now = this.#relogio.now();
    const { xml, chave } = this.#documentos.make(tipo, empresa, now);
    const given = this.#simulador.publish(xml).filter(({ interessado }) => interessado === empresa.id);
    if (given.length === 0) return;
    // A summary is no document yet; who wants the note says so.
    if (tipo === 'nfe_destinatario') this.#placar.expectResumo(cliente, chave);
    else this.#placar.expect(cliente, { chave, servico: SERVICO_DE[tipo], em: now });
  }

  #planCertificates(malote: MaloteDoAno, one: Participante): void {
    const own = [...this.#certificados.values()].findLast(({ titular }) => titular === one.empresa.id);
    if (own) this.#planReplacement(malote, one, own.validoAte);
  }

  /** Most are replaced in time, some only days after they have ended. */
  #planReplacement(malote: MaloteDoAno, one: Participante, validoAte: number): void {
    const late = this.#random.chance(0.3);
    const at =
      validoAte + (late ? this.#random.integer(1, 72) * HORA_MS : -this.#random.integer(1, 240) * HORA_MS);
    if (at >= this.#fim) {
      this.#agenda.add(this.#fim, () => this.#renew(malote, one).then(() => undefined));
      this.#without(one, validoAte, this.#fim);
      return;
    }
    this.#agenda.add(at, async () => {
      const next = await this.#renew(malote, one);
      this.#planReplacement(malote, one, next.validoAte);
    });
    if (late) this.#without(one, validoAte, at);
  }

  async #renew(malote: MaloteDoAno, one: Participante) {
    return this.#keepCertificado(malote, one);
  }

  /** Without a certificate nothing comes, for the branches either. */
  #without(one: Participante, from: number, to: number): void {
    const raiz = one.empresa.id.slice(0, 8);
    for (const { cliente } of this.#participantes)
      if (cliente.cpfCnpj.startsWith(raiz)) this.#placar.excuse({ cliente, de: from, ate: to });
  }

  /** Another program asks for weeks: what it has taken comes later. */
  #planOther({ empresa, cliente }: Participante, outro: OutroPrograma): void {
    const certificado = { titular: empresa.id, validoDe: 0, validoAte: Number.MAX_SAFE_INTEGER };
    const from = INICIO + this.#random.integer(5, Math.max(6, Math.floor(this.#opcoes.dias / 2))) * DIA_MS;
    const to = Math.min(this.#fim, from + 20 * DIA_MS);
    const ask = () => {
      if (this.#sossego || this.#relogio.now() >= to) return;
      outro.ask(certificado);
      this.#agenda.add(this.#relogio.now() + this.#random.integer(61, 300) * 60_000, ask);
    };
    this.#agenda.add(from, ask);
    // It may have blocked the CNPJ for hours, and single documents are asked for slowly.
    this.#placar.excuse({ cliente, servico: 'nfe', de: from, ate: to + 2 * DIA_MS });
  }

  /** An office turns a service off, and on again. */
  #planConsent(malote: MaloteDoAno, one: Participante): void {
    const servico = this.#random.pick(one.servicos);
    const off = this.#expediente.nextOn(this.#workingHour());
    const on = Math.min(this.#fim, this.#expediente.nextOn(off + this.#random.integer(1, 30) * DIA_MS));
    this.#agenda.add(off, () => this.#turn(malote, one, servico, false));
    this.#agenda.add(on, () => this.#turn(malote, one, servico, true));
    this.#placar.excuse({ cliente: one.cliente, servico, de: off, ate: on });
  }

  /** Services are out for a day, each in its own way, every two months. */
  #planOutages(): void {
    const ways = [
      { servico: 'nfe', de: ['nfe'], tipo: 'http_503' },
      { servico: 'cte', de: ['cte'], tipo: 'timeout_antes' },
      { servico: 'nfse', de: ['adn'], tipo: 'http_503' },
      { servico: 'nfce', de: ['sae_chaves', 'sae_download'], tipo: 'reset_antes' },
      { servico: 'nfe', de: ['nfe'], tipo: 'cstat' },
    ] as const;
    for (let day = 9, at = 0; day < this.#opcoes.dias - 2; day += 61, at++) {
      const { servico, de, tipo } = ways[at % ways.length] ?? ways[0];
      const from = INICIO + day * DIA_MS;
      const ate = from + DIA_MS;
      const vezes = Number.POSITIVE_INFINITY;
      this.#agenda.add(from, () => {
        for (const one of de) this.#simulador.falhas.add({ tipo, servico: one, vezes, ate, cStat: '109' });
      });
      this.#placar.excuse({ servico, de: from, ate });
    }
  }

  /** Processes and the machine are started anew, and somebody sets its clock. */
  #planMachine(malote: MaloteDoAno): void {
    for (let day = 1; day < this.#opcoes.dias; day += 1 + this.#random.integer(0, 5))
      this.#agenda.add(this.#workingHourOf(day), () => malote.restart());
    for (let day = 4; day < this.#opcoes.dias; day += 30)
      this.#agenda.add(this.#workingHourOf(day), () => malote.restartMachine());
    for (let day = 6; day < this.#opcoes.dias; day += 23) {
      const desvio = this.#random.pick([-5, -1, 1, 3]) * HORA_MS;
      const at = this.#workingHourOf(day);
      const restarted = this.#random.chance(0.5);
      this.#agenda.add(at, async () => {
        this.#tempo.desvio = desvio;
        if (restarted) await malote.restartMachine();
      });
      this.#agenda.add(at + 9 * HORA_MS, () => {
        this.#tempo.desvio = 0;
      });
    }
  }

  #workingHourOf(day: number): number {
    return INICIO + day * DIA_MS + this.#random.integer(8 * HORA_MS, 12 * HORA_MS);
  }

  /** In each call something may go wrong, on the line or in our process. */
  #death(): 'antes' | 'depois' | null {
    if (this.#sossego || !this.#random.chance(this.#opcoes.falhasPorMil / 1_000)) return null;
    const what = this.#random.integer(0, 5);
    if (what === 0) return 'antes';
    if (what === 1) return 'depois';
    const tipo = (['reset_depois', 'timeout_antes', 'soap_fault', 'http_503'] as const)[what - 2];
    if (tipo) this.#simulador.falhas.add({ tipo });
    return null;
  }
}

const SERVICOS: readonly Servico[] = ['nfe', 'cte', 'nfse', 'nfce'];
/** As the simulator names what somebody has agreed to. */
const CONSENTIDO: Record<Servico, string> = { nfe: 'nfe', cte: 'cte', nfse: 'adn', nfce: 'sae' };
const TIPOS: Record<Servico, readonly Tipo[]> = {
  nfe: ['nfe_autorizado', 'nfe_autorizado', 'nfe_destinatario'],
  cte: ['cte'],
  nfse: ['nfse'],
  nfce: ['nfce'],
};
const SERVICO_DE: Record<Tipo, Servico> = {
  nfe_autorizado: 'nfe',
  nfe_destinatario: 'nfe',
  cte: 'cte',
  nfse: 'nfse',
  nfce: 'nfce',
};
