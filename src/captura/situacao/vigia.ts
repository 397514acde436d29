/** Tells in the log what stands still in capture, once for each thing that happens, and gives numbers for `/metrics`. */
import type { Ambiente } from '../../banco/tabelas-captura.ts';
import type { Deps } from '../../deps.ts';
import type { Measure } from '../../platform/http/metricas.ts';
import type { DepsDaCaptura } from '../deps-da-captura.ts';
import type { Porque } from './causas.ts';
import { AVISO_DIAS, ERROS_QUE_AVISAM, porQueNadaVeio } from './porque.ts';
import * as queries from './queries.ts';
import { situacoesDe } from './situacoes.ts';

const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 3_600_000;

export class VigiaDaCaptura {
  readonly #deps: DepsDaCaptura & Pick<Deps, 'log'>;
  /** What was told already of a client at a service. */
  #ditas = new Map<string, Porque['causa']>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(deps: DepsDaCaptura & Pick<Deps, 'log'>) {
    this.#deps = deps;
  }

  /** Looks now and then once an hour, until `stop`. */
  start(): void {
    this.#lookQuietly();
    this.#timer = setInterval(() => this.#lookQuietly(), LOOK_EVERY_MS).unref();
  }

  /** Resolves when the look that runs has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  /** Warns of everything that stands still or wants somebody, and did not when it was looked at before. */
  async check(): Promise<void> {
    const { db } = this.#deps;
    const agora = new Map<string, Porque['causa']>();
    for (const contadorId of await queries.findEscritorios(db.read)) {
      const clientes = await queries.findClientes(db.read, contadorId);
      const todas = await situacoesDe(this.#deps, { contadorId, clientes });
      for (const [at, { situacoes }] of todas.entries()) {
        const cliente = clientes[at];
        if (!cliente) continue;
        for (const situacao of situacoes) {
          const [{ causa, gravidade, titulo }] = porQueNadaVeio(situacao);
          if (gravidade !== 'parada' && gravidade !== 'atencao') continue;
          const { servico } = situacao;
          const key = `${cliente.id} ${servico}`;
          agora.set(key, causa);
          if (this.#ditas.get(key) === causa) continue;
          const { codigoCrm, cpfCnpj } = cliente;
          this.#deps.log.warn({ codigoCrm, cpfCnpj, servico, causa }, `captura: ${titulo}`);
        }
      }
    }
    this.#ditas = agora;
  }

  #lookQuietly(): void {
    this.#looking = this.check().catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'a captura não foi conferida');
    });
  }
}

/** For `/metrics`: how many services stand how, and what waits to be declared. No label tells whose they are. */
export function medidasDaCaptura(
  deps: Pick<Deps, 'db' | 'clock'>,
  { ambiente }: { ambiente: Ambiente },
): Measure[] {
  return [
    {
      kind: 'gauge',
      name: 'malote_capturas',
      help: 'Serviços de clientes com captura ligada, por situação (um pode estar em várias)',
      labelNames: ['situacao'],
      read: async () => {
        const desde = deps.clock.now() - AVISO_DIAS * DAY_MS;
        const found = await queries.countCapturas(deps.db.read, { ambiente, desde, erros: ERROS_QUE_AVISAM });
        const rows: [string, number][] = [
          ['ligada', found.ligadas],
          ['passiva', found.passivas],
          ['parada', found.paradas],
          ['bloqueada', found.bloqueadas],
          ['com_erros', found.comErros],
          ['sem_sucesso_45_dias', found.semSucesso],
        ];
        return rows.map(([situacao, value]) => ({ value, labels: { situacao } }));
      },
    },
    {
      kind: 'gauge',
      name: 'malote_manifestacoes_a_enviar',
      help: 'Manifestações pedidas que a SEFAZ ainda não respondeu',
      read: async () => [{ value: (await queries.countAEnviar(deps.db.read)).quantas }],
    },
    {
      kind: 'gauge',
      name: 'malote_manifestacao_mais_antiga_segundos',
      help: 'Há quanto tempo espera a manifestação pedida há mais tempo; ausente quando nenhuma espera',
      read: async () => {
        const { desde } = await queries.countAEnviar(deps.db.read);
        return desde === null ? [] : [{ value: (deps.clock.now() - desde) / 1_000 }];
      },
    },
  ];
}
