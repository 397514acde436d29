/**
 * The bench of a scenario: an engine, two offices (one that sends, one that must stay apart), the processes of the
 * service, the journal, the live readers. `concluir` ends a run: waits, reads everything, and has the journal judged.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ItemDoCenario } from '../../src/gerador/cenario.ts';
import { type Arquivo, arquivoDe, identidadeDe, type Remessa } from '../support/remessa.ts';
import { openBalanceador } from './balanceador.ts';
import { Diario, type DocumentoEnviado } from './diario.ts';
import { createEscritorios } from './escritorios.ts';
import { type Exigencias, julgar, type Violacao } from './julgar.ts';
import {
  type Deposito,
  type NomeDoMotor,
  novaPasta,
  type OpcoesDoDeposito,
  openDeposito,
} from './motores.ts';
import { Acompanhante, Vigia } from './observar.ts';
import { ate, comando, type Partida, Processo, portaLivre } from './processo.ts';
import { type Escritorio, escopoDe, Sonda, sha256 } from './sonda.ts';

/** One process that does everything, or web and import apart, two of each behind a balancer. */
export type Formacao = 'um' | 'quatro';

const PAPEIS: Readonly<Record<Formacao, readonly { nome: string; modo: string }[]>> = {
  um: [{ nome: 'tudo', modo: 'tudo' }],
  quatro: [
    { nome: 'api-1', modo: 'api' },
    { nome: 'api-2', modo: 'api' },
    { nome: 'worker-1', modo: 'worker' },
    { nome: 'worker-2', modo: 'worker' },
  ],
};

const DIARIO = 'diario-do-conferente.jsonl';
const CRM = '000701';
const CRM_ALHEIO = '000702';
/** No more files wait at a time: I1 asks whether each gets through, not how much a machine imports in a minute. */
export const MAX_PENDENTES = 60;
/** Where nothing is imported for so long, the rest is sent all the same. */
const ROOM_WITHIN_MS = 60_000;
const TERMINAL_WITHIN_MS = 15 * 60_000;
const CAUGHT_UP_WITHIN_MS = 120_000;
/** Beside other tests on few cores all takes many times as long as the long form allows. */
const EM_TESTE: Exigencias = process.env.NODE_TEST_CONTEXT ? { prazoMs: 10 * 60_000 } : {};
const DOWNLOADS_POR_FEED = 10;

export interface OpcoesDaBancada extends OpcoesDoDeposito {
  motor: NomeDoMotor;
  remessa: Pick<Remessa, 'clientes'>;
  formacao?: Formacao;
  /** For every process. */
  env?: Record<string, string>;
  /** The journal lies elsewhere than in the data folder, whose disk the scenario plays with. */
  diarioFora?: boolean;
  /** Tree of an older version, which makes the offices. */
  raizDaPreparacao?: string;
  /** Live readers of the feeds. Default true. */
  acompanhar?: boolean;
}

let compiledIsKept = false;

interface Lugar {
  nome: string;
  modo: string;
  porta: number;
  processo: Processo | null;
}

export class Bancada implements AsyncDisposable {
  readonly deposito: Deposito;
  readonly diario: Diario;
  readonly sonda: Sonda;
  readonly lugares: Lugar[];
  readonly escritorio: Escritorio;
  readonly alheio: Escritorio;
  readonly clientes: readonly string[];
  readonly vigia: Vigia;
  readonly acompanhantes: Acompanhante[] = [];
  /** ms from start to ready, of each start. */
  readonly partidas: number[] = [];
  /** Ids of acknowledged files. */
  readonly aceitos: string[] = [];
  readonly #env: Record<string, string>;
  readonly #toClose: AsyncDisposableStack;

  private constructor(fields: {
    deposito: Deposito;
    diario: Diario;
    sonda: Sonda;
    lugares: Lugar[];
    escritorio: Escritorio;
    alheio: Escritorio;
    options: OpcoesDaBancada;
    toClose: AsyncDisposableStack;
  }) {
    const { options, sonda, escritorio, alheio } = fields;
    this.deposito = fields.deposito;
    this.diario = fields.diario;
    this.sonda = sonda;
    this.lugares = fields.lugares;
    this.escritorio = escritorio;
    this.alheio = alheio;
    this.clientes = options.remessa.clientes;
    this.#env = { ...fields.deposito.env, ...options.env };
    this.#toClose = fields.toClose;
    sonda.segredos.push(escritorio.token, alheio.token);
    this.vigia = new Vigia(sonda, { escritorio });
    if (options.acompanhar === false) return;
    for (const cpfCnpj of this.clientes) {
      this.acompanhantes.push(new Acompanhante(sonda, { escritorio, cpfCnpj }));
    }
    const [first] = this.clientes;
    if (first) this.acompanhantes.push(new Acompanhante(sonda, { escritorio: alheio, cpfCnpj: first }));
  }

  /** Nothing runs yet: `iniciar` does. */
  static async abrir(options: OpcoesDaBancada): Promise<Bancada> {
    await using stack = new AsyncDisposableStack();
    const deposito = stack.use(await openDeposito(options.motor, options));
    const { clientes } = options.remessa;
    const env = { ...deposito.env, ...options.env };
    const [escritorio, alheio] = await createEscritorios(env, options.raizDaPreparacao ?? null, [
      { crm: CRM, clientes },
      // The other office has one of these clients too: what is sent by the first must never be seen there.
      { crm: CRM_ALHEIO, clientes: clientes.slice(0, 1) },
    ]);
    if (!escritorio || !alheio) throw new Error('no offices');
    const lugares: Lugar[] = [];
    for (const papel of PAPEIS[options.formacao ?? 'um']) {
      lugares.push({ ...papel, porta: await portaLivre(), processo: null });
    }
    const web = lugares.filter(({ modo }) => modo !== 'worker');
    const balanceador =
      web.length > 1 ? stack.use(await openBalanceador(() => web.map(({ porta }) => porta))) : null;
    const fora = options.diarioFora ? novaPasta('diario') : null;
    if (fora) stack.defer(() => rmSync(fora, { recursive: true, force: true }));
    const diario = new Diario(join(fora ?? deposito.pasta, DIARIO));
    const sonda = new Sonda(diario, () => balanceador?.url ?? `http://127.0.0.1:${web[0]?.porta}`);
    return new Bancada({
      deposito,
      diario,
      sonda,
      lugares,
      escritorio,
      alheio,
      options,
      toClose: stack.move(),
    });
  }

  get env(): Record<string, string> {
    return this.#env;
  }

  /** The process of a place; for benches with one process, that one. */
  processo(nome?: string): Processo {
    const found = this.#lugar(nome).processo;
    if (!found) throw new Error('the process is not running');
    return found;
  }

  /** Starts what is not running. @returns false when one of them ended before it was ready */
  async iniciar(
    options: Partial<Pick<Partida, 'env' | 'raiz' | 'medido'>> & { nome?: string } = {},
  ): Promise<boolean> {
    const places = options.nome ? [this.#lugar(options.nome)] : this.lugares;
    const results = await Promise.all(
      places.filter((lugar) => !lugar.processo?.vivo).map((lugar) => this.#start(lugar, options)),
    );
    return results.every(Boolean);
  }

  async #start(lugar: Lugar, options: Partial<Pick<Partida, 'env' | 'raiz' | 'medido'>>): Promise<boolean> {
    const { nome, modo, porta } = lugar;
    const processo = new Processo({
      nome,
      porta,
      env: { MALOTE_MODO: modo, ...this.#env, ...options.env },
      ...(options.raiz ? { raiz: options.raiz } : {}),
      ...(options.medido ? { medido: true } : {}),
      aoRegistrar: (line) => this.sonda.lookAtRegistro(line, nome),
    });
    lugar.processo = processo;
    const levouMs = await processo.pronto();
    if (levouMs === null) return false;
    this.partidas.push(levouMs);
    this.diario.anotar({ fato: 'no_ar', em: Date.now(), levouMs: Math.round(levouMs) });
    return true;
  }

  /** Something that the service needs was away, and is there again: the system is up from now on. */
  voltou(): void {
    this.diario.anotar({ fato: 'no_ar', em: Date.now(), levouMs: 0 });
  }

  /** Pulls the cord of one process, or of all. */
  async matar(nome?: string): Promise<void> {
    const places = nome ? [this.#lugar(nome)] : this.lugares;
    this.diario.anotar({ fato: 'queda', alvo: nome ?? 'todos', em: Date.now() });
    await Promise.all(places.map(({ processo }) => processo?.matar()));
  }

  #lugar(nome?: string): Lugar {
    const lugar = nome ? this.lugares.find((one) => one.nome === nome) : this.lugares[0];
    if (!lugar) throw new Error(`no process ${nome}`);
    return lugar;
  }

  /** Tells the journal what is in a file, before it is sent. */
  anunciar(arquivo: Arquivo, dono: Escritorio = this.escritorio): void {
    const clientes = dono === this.alheio ? this.clientes.slice(0, 1) : this.clientes;
    this.diario.anotar({
      fato: 'arquivo',
      nome: arquivo.nome,
      crm: dono.codigoCrm,
      sha256: sha256(arquivo.bytes),
      documentos: documentosDe(arquivo.itens, { codigoCrm: dono.codigoCrm, clientes }),
    });
  }

  /** Announces, sends until it is acknowledged, and watches. @returns the id, or null when told to stop */
  async enviar(arquivo: Arquivo, enquanto?: () => boolean): Promise<string | null> {
    this.anunciar(arquivo);
    const id = await this.sonda.enviar(this.escritorio, arquivo, enquanto);
    if (id !== null) this.aceito(id);
    return id;
  }

  /** An acknowledged file that some scenario sent by itself. */
  aceito(id: string): void {
    this.aceitos.push(id);
    this.vigia.vigiar(id);
  }

  /** The other office sends documents of its own client: it may see those, and nothing else. */
  async sendOfAnother(itens: readonly ItemDoCenario[]): Promise<void> {
    const [cliente] = this.clientes;
    const own = itens.filter(({ clientes }) => clientes.some((one) => one === cliente));
    const arquivo = await arquivoDe('alheio', own);
    this.anunciar(arquivo, this.alheio);
    const id = await this.sonda.enviar(this.alheio, arquivo);
    const watch = new Vigia(this.sonda, { escritorio: this.alheio });
    if (id !== null) watch.vigiar(id);
    await ate(() => watch.abertos === 0, TERMINAL_WITHIN_MS);
    await watch.parar();
  }

  /** Sends files with some senders at once, until all are acknowledged. */
  async enviarTodos(arquivos: readonly Arquivo[], enviadores = 4): Promise<void> {
    const rest = [...arquivos];
    const send = async () => {
      for (let arquivo = rest.shift(); arquivo; arquivo = rest.shift()) {
        await ate(() => this.vigia.abertos < MAX_PENDENTES, ROOM_WITHIN_MS);
        await this.enviar(arquivo);
      }
    };
    await Promise.all(Array.from({ length: enviadores }, send));
  }

  /** Waits until every acknowledged file is terminal, or the time for it is long over. */
  async waitForTerminais(): Promise<void> {
    await ate(() => this.vigia.abertos === 0, TERMINAL_WITHIN_MS);
  }

  /** The end of a run: everything is read, checked by the product's own command, and judged. */
  async concluir(exigencias: Exigencias & { itens?: boolean; parado?: boolean } = {}): Promise<Violacao[]> {
    await this.waitForTerminais();
    await this.readEnds();
    await this.#stopReaders();
    if (exigencias.itens !== false) for (const id of this.aceitos) await this.#readItens(id);
    if (exigencias.parado) await this.matar();
    await this.verificar();
    return julgar(this.diario.ler(), { ...EM_TESTE, ...exigencias });
  }

  /** Reads every feed from the beginning, and waits until the live readers are there too. */
  async readEnds(): Promise<void> {
    const feeds = [
      ...this.clientes.map((cpfCnpj) => ({ escritorio: this.escritorio, cpfCnpj })),
      ...this.clientes.slice(0, 1).map((cpfCnpj) => ({ escritorio: this.alheio, cpfCnpj })),
    ];
    for (const { escritorio, cpfCnpj } of feeds) {
      const escopo = escopoDe(escritorio, cpfCnpj);
      const quantos = await this.#readFeed(escritorio, cpfCnpj);
      for (const reader of this.acompanhantes) {
        if (reader.escopo === escopo) await ate(() => reader.nsu >= quantos, CAUGHT_UP_WITHIN_MS);
      }
    }
  }

  async #readFeed(escritorio: Escritorio, cpfCnpj: string): Promise<number> {
    const escopo = escopoDe(escritorio, cpfCnpj);
    let [nsu, quantos, total] = [0, 0, 0];
    for (;;) {
      const page = await this.sonda.novos(escritorio, { cpfCnpj, nsu });
      if (nsu === 0) {
        total = page.total;
        for (const [at, entrada] of page.entradas.slice(0, DOWNLOADS_POR_FEED).entries()) {
          const { identidade } = entrada;
          const bytes = await this.#download(page.downloads[at] ?? '');
          this.diario.anotar({ fato: 'baixado', escopo, identidade, sha256: sha256(bytes) });
        }
      }
      if (page.entradas.length === 0) break;
      for (const entrada of page.entradas) this.diario.noteLater({ fato: 'final', escopo, ...entrada });
      quantos += page.entradas.length;
      nsu = page.entradas.at(-1)?.nsu ?? nsu;
    }
    this.diario.descarregar();
    this.diario.anotar({ fato: 'feed_lido', escopo, quantos, total });
    return quantos;
  }

  async #download(url: string): Promise<Uint8Array> {
    const answer = await fetch(url);
    return new Uint8Array(await answer.arrayBuffer());
  }

  async #readItens(id: string): Promise<void> {
    const times = new Map<string, number>();
    let quantos = 0;
    for (let pagina = 1; ; pagina++) {
      const path = `/storage/arquivo/${id}/itens?Tamanho=500&Pagina=${pagina}`;
      const { body } = await this.sonda.pedir(path, { token: this.escritorio.token });
      const itens: { caminho: string }[] = body.itens;
      quantos += itens.length;
      for (const { caminho } of itens) times.set(caminho, (times.get(caminho) ?? 0) + 1);
      if (pagina >= body.paginas) break;
    }
    const repetidos = [...times].flatMap(([caminho, count]) => (count > 1 ? [caminho] : []));
    this.diario.anotar({ fato: 'itens', id, quantos, repetidos });
  }

  /** `malote verificar`, beside the running service. */
  async verificar(): Promise<string[]> {
    const { codigo, saida, erros } = await comando(['verificar', '--json'], { env: this.#env });
    const relatorio = JSON.parse(saida || '{}');
    const achados: string[] = (relatorio.achados ?? []).map(
      (one: { conferencia: string; mensagem: string }) => `${one.conferencia}: ${one.mensagem}`,
    );
    if (codigo !== 0 && achados.length === 0) achados.push(erros.slice(0, 500));
    this.diario.anotar({ fato: 'verificar', codigo, achados });
    return achados;
  }

  async #stopReaders(): Promise<void> {
    await Promise.all([...this.acompanhantes, this.vigia].map((reader) => reader.parar()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.sonda.fechar();
    // Only a process that ends by itself leaves behind what it has compiled: once is enough.
    const signal = compiledIsKept ? 'SIGKILL' : 'SIGTERM';
    compiledIsKept = true;
    await Promise.all(this.lugares.map(({ processo }) => processo?.parar(signal)));
    await this.#stopReaders();
    await this.#toClose[Symbol.asyncDispose]();
  }
}

/** What a file holds, for an office with these clients. */
function documentosDe(
  itens: readonly ItemDoCenario[],
  dono: { codigoCrm: string; clientes: readonly string[] },
): DocumentoEnviado[] {
  return itens.map((item) => ({
    identidade: identidadeDe(item),
    sha256: sha256(item.bytes),
    escopos: item.clientes
      .filter((cliente) => dono.clientes.includes(cliente))
      .map((cliente) => `${dono.codigoCrm}/${cliente}`),
  }));
}
