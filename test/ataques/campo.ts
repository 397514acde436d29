/** The field of an attack: a service within its memory, the attacker's office, and an honest one that works beside it. */
import { type Deposito, type NomeDoMotor, openDeposito } from '../confiabilidade/motores.ts';
import { ServidorPostgres } from '../confiabilidade/servidor-postgres.ts';
import { logInToConsole, type Pedinte } from '../support/console.ts';
import { adoptBanco } from '../support/motor.ts';
import { send } from '../support/pedido.ts';
import { Envios } from './envios.ts';
import { Lado } from './lado.ts';
import { Servico } from './servico.ts';
import { Vizinho } from './vizinho.ts';

const CRM_DO_ATACANTE = '000901';
const CRM_DO_VIZINHO = '000902';

/** Nobody looks at a page that long. */
const CONSOLE_WITHIN_MS = 60_000;
const ESPERA_MAX_MS = 10_000;
const VEZES_O_SOSSEGO = 20;

export interface Pagina {
  /** 0 for none. */
  status: number;
  bytes: number;
  ms: number;
  text: string;
}

export interface OpcoesDoCampo {
  motor: NomeDoMotor;
  /** For `npm test`. */
  curto: boolean;
  semente: string;
  comServidorProprio: boolean;
  aoAvancar(text: string): void;
}

export class Campo implements AsyncDisposable {
  readonly curto: boolean;
  readonly pasta: string;
  readonly servico: Servico;
  readonly atacante: Lado;
  readonly honesto: Lado;
  readonly vizinho: Vizinho;
  readonly envios: Envios;
  /** Of the attack alone; null where it shares one, or stands on SQLite. */
  readonly servidor: ServidorPostgres | null;
  aoAvancar: (text: string) => void;
  readonly #toClose: AsyncDisposableStack;

  private constructor(fields: {
    options: OpcoesDoCampo;
    deposito: Deposito;
    servico: Servico;
    servidor: ServidorPostgres | null;
    atacante: Lado;
    honesto: Lado;
    cookie: string;
    toClose: AsyncDisposableStack;
  }) {
    const { servico, atacante, honesto, cookie, options } = fields;
    this.curto = options.curto;
    this.aoAvancar = options.aoAvancar;
    this.pasta = fields.deposito.pasta;
    this.servico = servico;
    this.servidor = fields.servidor;
    this.atacante = atacante;
    this.honesto = honesto;
    this.envios = new Envios(() => servico.url, atacante);
    this.vizinho = new Vizinho({ lado: honesto, url: servico.url, cookie });
    this.#toClose = fields.toClose;
  }

  /** @throws Pulado where there is no PostgreSQL */
  static async abrir(options: OpcoesDoCampo): Promise<Campo> {
    await using stack = new AsyncDisposableStack();
    const { motor, semente } = options;
    const servidor = options.comServidorProprio ? stack.use(await ServidorPostgres.abrir()) : null;
    const deposito = stack.use(await openDeposito(motor, servidor ? { servidor } : {}));
    const { pasta, banco } = deposito;
    // The helpers of all tests work on the same database; it goes with its server.
    if (banco) adoptBanco(pasta, { ...banco, nome: '', drop: async () => {} });
    const atacante = await Lado.abrir(pasta, { crm: CRM_DO_ATACANTE, semente });
    const honesto = await Lado.abrir(pasta, { crm: CRM_DO_VIZINHO, semente });
    // As the unit file starts it: readers as the machine has cores.
    const env = { ...deposito.env, MALOTE_LEITORES: '0', MALOTE_LOG: 'warn' };
    const servico = stack.use(await Servico.iniciar(env));
    const { cookie } = await logInToConsole(
      { url: servico.url, dataFolder: pasta },
      { contadorId: honesto.contadorId },
    );
    const toClose = stack.move();
    return new Campo({ options, deposito, servico, servidor, atacante, honesto, cookie, toClose });
  }

  /** For another attack: what came before is there, and nothing of it counts. */
  recomecar(aoAvancar: (text: string) => void): void {
    this.aoAvancar = aoAvancar;
    this.envios.aceitos.length = 0;
    this.servico.recomecar();
    this.vizinho.recomecar();
  }

  /** Somebody of an office who is logged in to the console. */
  pessoa(lado: Lado, input: Omit<Parameters<typeof logInToConsole>[1], 'contadorId'> = {}): Promise<Pedinte> {
    const { contadorId } = lado;
    return logInToConsole({ url: this.servico.url, dataFolder: this.pasta }, { contadorId, ...input });
  }

  /** One answer of the console, as somebody gets it who waits as long as it takes; status 0 when none comes. */
  async doConsole(quem: Pick<Pedinte, 'cookie'>, path: string): Promise<Pagina> {
    const since = performance.now();
    const answer = await send({
      method: 'GET',
      url: `${this.servico.url}/console/api${path}`,
      headers: [['Cookie', quem.cookie]],
      withinMs: CONSOLE_WITHIN_MS,
    }).catch(() => null);
    const ms = performance.now() - since;
    return { status: answer?.status ?? 0, bytes: answer?.bytes ?? 0, ms, text: answer?.text ?? '' };
  }

  /** Opens the document of a key in the console; status 404 when it is not there. */
  async verDocumento(quem: Pick<Pedinte, 'cookie'>, chave: string): Promise<Pagina> {
    const id = await this.idDoDocumento(quem, chave);
    return id === null
      ? { status: 404, bytes: 0, ms: 0, text: '' }
      : this.doConsole(quem, `/documentos/${id}`);
  }

  /** Number of the document of a key in the console; null when it is not there. */
  async idDoDocumento(quem: Pick<Pedinte, 'cookie'>, chave: string): Promise<number | null> {
    const { status, text } = await this.doConsole(quem, `/documentos?chave=${chave}&Tamanho=50`);
    const { itens } = status === 200 ? JSON.parse(text) : { itens: [] };
    return itens.find((item: { classe: string }) => item.classe === 'documento')?.id ?? null;
  }

  /** What is held against every attack. On a machine that is busy with others, so many times what is waited for in peace. */
  get esperaMaxMs(): number {
    return Math.max(ESPERA_MAX_MS, VEZES_O_SOSSEGO * this.vizinho.sossegoMs);
  }

  /** Short or long, whichever is running. */
  quanto(curta: number, longa: number): number {
    return this.curto ? curta : longa;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#toClose[Symbol.asyncDispose]();
  }
}
