/** A Malote of four workers over one database, all in this process, in a time that is moved by hand. */
import { hash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Servico } from '../../src/banco/tabelas-captura.ts';
import { Captor } from '../../src/captura/captor.ts';
import { enderecosDe } from '../../src/captura/client/enderecos.ts';
import { setCaptura } from '../../src/captura/ligar.ts';
import { Relogio } from '../../src/captura/relogio.ts';
import { keepA1 } from '../../src/contas/certificado/a1-de-teste.ts';
import { registerCliente } from '../../src/contas/clientes.ts';
import { createContador } from '../../src/contas/contadores.ts';
import type { CpfCnpj } from '../../src/fiscal/tipos.ts';
import type { Empresa } from '../../src/gerador/empresas.ts';
import { emptyMetrics } from '../../src/importacao/metrics.ts';
import { readContent } from '../../src/importacao/reading/leitor.ts';
import type { Leitor } from '../../src/importacao/reading/leitores.ts';
import { judged } from '../../src/importacao/reading/pecas.ts';
import { Importador } from '../../src/importacao/thread/importador.ts';
import { type MasterVault, openVault } from '../../src/platform/crypto/cofre.ts';
import { createLogger } from '../../src/platform/http/log.ts';
import type { BlobStore } from '../../src/platform/storage/blob-store.ts';
import { openDiskBlobStore } from '../../src/platform/storage/disk.ts';
import type { CertificadoApresentado } from '../../src/simulador/tipos.ts';
import { type BancoAberto, openBanco } from '../support/bancos.ts';
import { type Linha, TransporteDoAno } from './transporte.ts';

export const TRABALHADORES = 4;

const SEM_ESQUEMA = {
  validar: () => ({ resultado: 'nao_verificado' as const, esquema: null, motivo: null }),
};

/** Reads in this thread. */
const LEITOR: Leitor = {
  atOnce: 3,
  read: async (entradas) => ({
    pecas: entradas.map((entrada) =>
      'bytes' in entrada ? readContent(entrada, { validador: SEM_ESQUEMA }) : [judged(entrada)],
    ),
    memorias: [],
    segundos: 0,
  }),
  close: async () => {},
};

export interface ClienteDoAno {
  id: number;
  contadorId: number;
  cpfCnpj: CpfCnpj;
}

interface Trabalhador {
  captor: Captor;
  /** Resolves when the process has died. */
  morte: Promise<null>;
}

/** True time, and what the clock on the wall makes of it. */
export interface Tempo {
  now(): number;
  /** ms that the wall clock is ahead. */
  desvio: number;
}

export class MaloteDoAno {
  readonly banco: BancoAberto;
  readonly #storage: BlobStore;
  readonly #vault: MasterVault;
  readonly #log = createLogger('silent');
  readonly #tempo: Tempo;
  readonly #linha: Linha;
  readonly #pasta: string;
  readonly #importador: Importador;
  readonly #mortos = new Set<Trabalhador>();
  #trabalhadores: Trabalhador[] = [];
  #relogio: Relogio | null = null;
  #partida = 0;
  #partiuEm = 0;

  private constructor(
    parts: { banco: BancoAberto; storage: BlobStore; pasta: string },
    world: { tempo: Tempo; linha: Linha },
  ) {
    this.banco = parts.banco;
    this.#storage = parts.storage;
    this.#pasta = parts.pasta;
    this.#tempo = world.tempo;
    this.#linha = world.linha;
    this.#vault = openVault({ chaveMestra: '', dataFolder: parts.pasta });
    this.#importador = new Importador({
      db: parts.banco.db,
      storage: parts.storage,
      clock: { now: () => world.tempo.now() },
      log: this.#log,
      leitor: LEITOR,
      owner: { host: 'ano', pid: process.pid, processRun: 'ano', threadRun: 'ano' },
      homologacao: false,
      metricas: emptyMetrics(),
      espacoLivre: async () => Number.MAX_SAFE_INTEGER,
    });
  }

  static async open(world: { tempo: Tempo; linha: Linha }): Promise<MaloteDoAno> {
    const pasta = mkdtempSync(join(tmpdir(), 'malote-ano-'));
    // In memory, on SQLite: what a cut of power would lose is not what this year is about.
    const banco = await openBanco();
    const storage = await openDiskBlobStore(join(pasta, 'arquivos'));
    const malote = new MaloteDoAno({ banco, storage, pasta }, world);
    await malote.restartMachine();
    return malote;
  }

  async close(): Promise<void> {
    await this.#storage.close();
    await this.banco.close();
    rmSync(this.#pasta, { recursive: true, force: true });
  }

  /** A machine that is started anew, whatever the clock on its wall says. */
  async restartMachine(): Promise<void> {
    this.#partida++;
    this.#partiuEm = this.#tempo.now();
    this.#relogio = await Relogio.open(
      { db: this.banco.db, clock: { now: () => this.#tempo.now() + this.#tempo.desvio } },
      { partida: `ano-${this.#partida}`, corrido: () => this.#tempo.now() - this.#partiuEm },
    );
    this.restart();
  }

  /** All processes anew. */
  restart(): void {
    this.#trabalhadores = Array.from({ length: TRABALHADORES }, () => this.#start());
  }

  get relogio(): Relogio {
    if (!this.#relogio) throw new Error('not open');
    return this.#relogio;
  }

  /**
   * Does all that is due now.
   * @param quantos workers that look at once @returns true time of what is due next
   */
  async round(quantos: number): Promise<number | null> {
    await this.relogio.anotar();
    const rounds = this.#trabalhadores
      .slice(0, quantos)
      .map(({ captor, morte }) => Promise.race([captor.round(), morte]));
    const nexts = (await Promise.all(rounds)).filter((next) => next !== null);
    // Who has died has not said what is due.
    if (this.#mortos.size > 0) nexts.push(this.relogio.agora());
    this.#replaceTheDead();
    // Another begins the next time.
    this.#trabalhadores.push(...this.#trabalhadores.splice(0, 1));
    const ahead = this.relogio.agora() - this.#tempo.now();
    return nexts.length === 0 ? null : Math.min(...nexts) - ahead;
  }

  #replaceTheDead(): void {
    this.#trabalhadores = this.#trabalhadores.map((worker) =>
      this.#mortos.delete(worker) ? this.#start() : worker,
    );
  }

  #start(): Trabalhador {
    const { banco, relogio } = this;
    const died = Promise.withResolvers<null>();
    const worker: Partial<Trabalhador> = { morte: died.promise };
    const transporte = new TransporteDoAno(this.#linha, () => {
      this.#mortos.add(worker as Trabalhador);
      // Its call never ends; nothing of it goes on.
      void worker.captor?.stop();
      died.resolve(null);
    });
    const cliente = { transporte, ambiente: 1, endereco: enderecosDe(1) } as const;
    worker.captor = new Captor({
      db: banco.db,
      storage: this.#storage,
      log: this.#log,
      vault: this.#vault,
      cliente,
      relogio,
    });
    return worker as Trabalhador;
  }

  /** Imports what has come. */
  import(): Promise<void> {
    return this.#importador.drain();
  }

  async openEscritorio(codigoCrm: string): Promise<number> {
    const clock = { now: () => this.#tempo.now() };
    const email = `a${codigoCrm}@exemplo.com.br`;
    return (await createContador({ db: this.banco.db, clock }, { codigoCrm, nome: 'Escritório', email })).id;
  }

  async addCliente(contadorId: number, empresa: Empresa): Promise<ClienteDoAno> {
    const clock = { now: () => this.#tempo.now() };
    const { id } = await registerCliente(
      { db: this.banco.db, clock },
      {
        contadorId,
        cpfCnpj: empresa.id,
        nome: empresa.nome,
        email: 'a@exemplo.com.br',
        aoRegistrar: async () => {},
      },
    );
    return { id, contadorId, cpfCnpj: empresa.id };
  }

  /**
   * Keeps an A1 whose bytes nobody opens: the line shows `apresentado` for it.
   * @returns its fingerprint
   */
  async keepCertificado(
    { id, contadorId }: ClienteDoAno,
    { nome, uf }: Empresa,
    apresentado: CertificadoApresentado,
  ): Promise<string> {
    const der = randomBytes(64);
    const impressao = hash('sha256', der);
    const certificado = {
      chave: randomBytes(64),
      cadeia: [der],
      titular: apresentado.titular as CpfCnpj | null,
      titularNome: nome,
      serie: impressao.slice(0, 16),
      impressao,
      validoDe: apresentado.validoDe,
      validoAte: apresentado.validoAte,
    };
    const input = { contadorId, clienteId: id, certificado, uf, agora: this.#tempo.now() };
    await keepA1(this.banco.db, this.#vault, input);
    return impressao;
  }

  async setCaptura(
    { id, contadorId, cpfCnpj }: ClienteDoAno,
    servico: Servico,
    ligada: boolean,
  ): Promise<void> {
    await setCaptura(
      { db: this.banco.db, relogio: this.relogio, ambiente: 1 },
      { contadorId, cliente: { id, cpfCnpj }, servico, autor: 'cli', ligada, passiva: false },
    );
  }
}
