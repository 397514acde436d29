/** Capture against the simulated services, in one process and in a time that is moved by hand: for tests. */
import { join } from 'node:path';
import type { Servico } from '../banco/tabelas-captura.ts';
import { type BancoDeTeste, openBancoDeTeste } from '../contas/banco-de-teste.ts';
import { keepA1, openPfx } from '../contas/certificado/a1-de-teste.ts';
import { registerCliente } from '../contas/clientes.ts';
import { createContador } from '../contas/contadores.ts';
import type { Empresa } from '../gerador/empresas.ts';
import { createLogger } from '../platform/http/log.ts';
import type { BlobStore } from '../platform/storage/blob-store.ts';
import { openDiskBlobStore } from '../platform/storage/disk.ts';
import { certificadoDoCliente } from '../simulador/certificados.ts';
import { MundoSimulado } from '../simulador/pedidos-de-teste.ts';
import type { Simulador } from '../simulador/simulador.ts';
import type { CertificadoApresentado } from '../simulador/tipos.ts';
import { Captor } from './captor.ts';
import { enderecosDe } from './client/enderecos.ts';
import { FalhaDeTransporte, type PedidoHttp, type RespostaHttp, type Transporte } from './client/tipos.ts';
import { setCaptura } from './ligar.ts';

export const AGENTE = 'malote';
const SENHA = 'senha';

/** Calls the simulator without a network. */
class TransporteSimulado implements Transporte {
  readonly pedidos: PedidoHttp[] = [];
  readonly certificados = new Map<string, CertificadoApresentado>();
  readonly #simulador: Simulador;
  /** As the real one does, a certificate is opened for its first call. */
  readonly #opened = new Set<string>();

  constructor(simulador: Simulador) {
    this.#simulador = simulador;
  }

  async pedir(pedido: PedidoHttp): Promise<RespostaHttp> {
    this.pedidos.push(pedido);
    const { impressao } = pedido.certificado;
    if (!this.#opened.has(impressao)) await pedido.certificado.open();
    this.#opened.add(impressao);
    const base = enderecosDe(1)(pedido.endereco);
    const desfecho = await this.#simulador.call({
      servico: pedido.endereco,
      metodo: pedido.method,
      caminho: pedido.url.slice(base.length),
      cabecalhos: { ...pedido.headers, 'user-agent': AGENTE },
      corpo: pedido.body ?? '',
      certificado: this.certificados.get(impressao) ?? null,
    });
    if (desfecho.tipo === 'queda') {
      const codigo = desfecho.queda === 'reset' ? 'interrompida' : 'prazo_de_resposta';
      throw new FalhaDeTransporte(codigo, { enviado: true });
    }
    const { status, cabecalhos, corpo } = desfecho.resposta;
    return { status, headers: cabecalhos, bytes: Buffer.from(corpo) };
  }

  close(): void {}
}

/** An office with clients whose capture is on, and the services that it captures from. */
export class MundoDaCaptura extends MundoSimulado {
  readonly banco: BancoDeTeste;
  readonly storage: BlobStore;
  readonly transporte = new TransporteSimulado(this.simulador);
  readonly log = createLogger('silent');
  #captor: Captor;

  private constructor(banco: BancoDeTeste, storage: BlobStore) {
    super();
    this.banco = banco;
    this.storage = storage;
    this.#captor = this.#newCaptor();
  }

  static async open(): Promise<MundoDaCaptura> {
    const banco = await openBancoDeTeste();
    return new MundoDaCaptura(banco, await openDiskBlobStore(join(banco.pasta, 'arquivos')));
  }

  async close(): Promise<void> {
    await this.storage.close();
    await this.banco.close();
  }

  get deps() {
    const relogio = {
      agora: () => this.relogio.now(),
      parede: () => this.relogio.now(),
      naParede: (em: number) => em,
    };
    return { db: this.banco.db, relogio, ambiente: 1 } as const;
  }

  get captor(): Captor {
    return this.#captor;
  }

  /** As if the process had died: nothing of the old one goes on. */
  restart(): void {
    this.#captor = this.#newCaptor();
  }

  /** Everything that is due from now until then, in its time. @param ms how long */
  async pass(ms: number): Promise<void> {
    const end = this.relogio.now() + ms;
    for (;;) {
      const next = await this.#captor.round();
      if (next === null || next > end) break;
      this.relogio.set(Math.max(this.relogio.now() + 1, next));
    }
    this.relogio.set(end);
  }

  async openEscritorio(codigoCrm: string): Promise<number> {
    const clock = this.relogio;
    const input = { codigoCrm, nome: 'Escritório', email: 'a@exemplo.com.br' };
    const { id } = await createContador({ db: this.banco.db, clock }, input);
    return id;
  }

  async addCliente(contadorId: number, empresa: Empresa): Promise<{ id: number; cpfCnpj: string }> {
    const { id } = await registerCliente(
      { db: this.banco.db, clock: this.relogio },
      {
        ...{ contadorId, cpfCnpj: empresa.id, nome: empresa.nome, email: 'a@exemplo.com.br' },
        aoRegistrar: async () => {},
      },
    );
    return { id, cpfCnpj: empresa.id };
  }

  /** Keeps an A1 for a client; `de` is whose it is. */
  async keepA1(contadorId: number, clienteId: number, de: Empresa): Promise<void> {
    const agora = this.relogio.now();
    const { pfx, apresentado } = certificadoDoCliente(de, new Date(agora));
    const certificado = openPfx(pfx(SENHA), SENHA);
    this.transporte.certificados.set(certificado.impressao, apresentado);
    await keepA1(this.banco.db, this.banco.vault, { contadorId, clienteId, certificado, agora });
  }

  ligar(contadorId: number, cliente: { id: number; cpfCnpj: string }, servico: Servico, mais = {}) {
    const input = { contadorId, cliente, servico, autor: 'cli', ligada: true, passiva: false, ...mais };
    return setCaptura(this.deps, input);
  }

  async estado(cpfCnpj: string, servico: Servico) {
    return this.banco.db.read
      .selectFrom('captura_estado')
      .selectAll()
      .where('cpf_cnpj', '=', cpfCnpj)
      .where('servico', '=', servico)
      .executeTakeFirstOrThrow();
  }

  /** What the simulator says of us. */
  get contas() {
    return this.simulador.relatorio.de(AGENTE);
  }

  /** Numbers of all documents in the stored files, in their order. */
  async nsusGuardados(): Promise<number[]> {
    const rows = await this.banco.db.read.selectFrom('arquivo').select('blob').orderBy('numero').execute();
    const nsus: number[] = [];
    for (const { blob } of rows) {
      const text = (await this.storage.get(blob ?? '')).toString();
      for (const [, nsu] of text.matchAll(/<docZip NSU="(\d+)"/g)) nsus.push(Number(nsu));
    }
    return nsus;
  }

  #newCaptor(): Captor {
    const { banco, storage, log, transporte } = this;
    const { db, vault } = banco;
    const cliente = { transporte, ambiente: 1, endereco: enderecosDe(1) } as const;
    return new Captor({ db, storage, log, vault, cliente, relogio: this.deps.relogio });
  }
}
