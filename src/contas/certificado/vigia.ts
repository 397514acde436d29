/** Watches certificates run out: a warning in the log at each threshold, once, and numbers for `/metrics`. */
import type { Deps } from '../../deps.ts';
import { diaDe, inicioDoDia } from '../../fiscal/dia.ts';
import type { Measure } from '../../platform/http/metricas.ts';
import * as queries from './queries.ts';

const DAY_MS = 86_400_000;
/** Days left at which the log warns. */
const AVISOS = [60, 30, 15, 7, 1] as const;
const CHECK_EVERY_MS = DAY_MS;
/** Rows warned of in one step. */
const STEP = 200;

/** The day in America/Sao_Paulo that an instant (ms UTC) falls on, counted from 1970. */
function diaDoCalendario(instante: number): number {
  return Date.parse(diaDe(instante)) / DAY_MS;
}

/** Days of the calendar until a certificate ends: 0 on its last day; negative when it has run out, even if today. */
export function diasRestantes(validoAte: number, agora: number): number {
  const dias = diaDoCalendario(validoAte) - diaDoCalendario(agora);
  return validoAte < agora ? Math.min(-1, dias) : dias;
}

/** What ends before this instant (ms UTC) has so many days left at most, as `diasRestantes` counts them. */
export function fimDosDias(dias: number, agora: number): number {
  const next = new Date((diaDoCalendario(agora) + dias + 1) * DAY_MS).toISOString().slice(0, 10);
  return inicioDoDia(next);
}

export interface CertificadoListado {
  cpfCnpj: string;
  nome: string;
  titular: string | null;
  titularNome: string | null;
  serie: string;
  impressao: string;
  uf: string;
  /** ISO 8601, UTC. */
  validoDe: string;
  validoAte: string;
  diasRestantes: number;
}

/** Certificates of an office, the first to end first. */
export async function listCertificados(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { contadorId: number },
): Promise<CertificadoListado[]> {
  const agora = deps.clock.now();
  const rows = await queries.findPorVencimento(deps.db.read, input.contadorId);
  return rows.map((row) => ({
    cpfCnpj: row.cpf_cnpj,
    nome: row.nome,
    titular: row.titular,
    titularNome: row.titular_nome,
    serie: row.serie,
    impressao: row.impressao,
    uf: row.uf,
    validoDe: new Date(row.valido_de).toISOString(),
    validoAte: new Date(row.valido_ate).toISOString(),
    diasRestantes: diasRestantes(row.valido_ate, agora),
  }));
}

/** The daily look. Several processes may run it: each warning is written by the one that notes it first. */
export class VigiaDeCertificados {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /** Looks now and then once a day, until `stop`. */
  start(): void {
    this.#checkQuietly();
    this.#timer = setInterval(() => this.#checkQuietly(), CHECK_EVERY_MS).unref();
  }

  /** Resolves when the look that runs has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
  }

  /** Warns of every certificate that has passed a threshold since it was last warned of. */
  async check(): Promise<void> {
    const { db, clock } = this.#deps;
    const agora = clock.now();
    // From the smallest threshold up: one that passed several at once is warned of for the last of them only.
    for (const dias of AVISOS.toReversed()) {
      for (;;) {
        const antesDe = fimDosDias(dias, agora);
        const rows = await queries.findParaAvisar(db.read, { antesDe, dias, limite: STEP });
        const avisados = await queries.markAvisados(db.write, { ids: rows.map(({ id }) => id), dias });
        for (const row of rows) if (avisados.has(row.id)) this.#warn(row, agora);
        if (rows.length < STEP) break;
      }
    }
  }

  #warn(row: { valido_ate: number; cpf_cnpj: string; codigo_crm: string }, agora: number): void {
    const dias = diasRestantes(row.valido_ate, agora);
    const fields = { codigoCrm: row.codigo_crm, cpfCnpj: row.cpf_cnpj, diasRestantes: dias };
    this.#deps.log.warn(fields, dias < 0 ? 'certificado vencido' : 'certificado perto de vencer');
  }

  #checkQuietly(): void {
    this.#checking = this.check().catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'o vencimento dos certificados não foi conferido');
    });
  }
}

/** For `/metrics`: how many certificates have how many days left. No label tells whose they are. */
export function medidasDeCertificados(deps: Pick<Deps, 'db' | 'clock'>): Measure[] {
  const limites = [0, ...AVISOS.toReversed()];
  const count = () => {
    const agora = deps.clock.now();
    const instants = limites.map((dias) => (dias === 0 ? agora : fimDosDias(dias, agora)));
    return queries.countPorVencimento(deps.db.read, instants);
  };
  return [
    {
      kind: 'gauge',
      name: 'malote_certificados',
      help: 'Certificados A1 guardados, por dias que faltam até vencer (até este limite; todos em +Inf)',
      labelNames: ['dias'],
      read: async () => {
        const { total, antesDe } = await count();
        const upTo = limites.map((dias, at) => ({ value: antesDe[at] ?? 0, labels: { dias: String(dias) } }));
        return [...upTo, { value: total, labels: { dias: '+Inf' } }];
      },
    },
    {
      kind: 'gauge',
      name: 'malote_certificado_primeiro_vencimento_dias',
      help: 'Dias até o primeiro certificado A1 vencer; negativo quando já venceu, ausente quando não há nenhum',
      read: async () => {
        const { primeiro } = await count();
        return primeiro === null ? [] : [{ value: diasRestantes(primeiro, deps.clock.now()) }];
      },
    },
  ];
}
