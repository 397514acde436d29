/**
 * What capture costs a running service: 300 clients of whom nothing comes, and many documents that wait. The services are the
 * simulated ones over TLS; the processor and the memory are those of the real process.
 */
import { hash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, residentMemory } from '../../bench/observar.ts';
import type { Servico } from '../../src/banco/tabelas-captura.ts';
import { openDepsDaCaptura } from '../../src/captura/abrir.ts';
import { PAUSA_MS } from '../../src/captura/decidir.ts';
import { setCaptura } from '../../src/captura/ligar.ts';
import { SERVICOS } from '../../src/captura/servicos.ts';
import { keepA1 } from '../../src/contas/certificado/a1-de-teste.ts';
import { type Empresa, generateEmpresa } from '../../src/gerador/empresas.ts';
import { openVault } from '../../src/platform/crypto/cofre.ts';
import { certificadoDoCliente, raizEmPem } from '../../src/simulador/certificados.ts';
import { RelogioVirtual } from '../../src/simulador/relogio.ts';
import { type SimuladorNoAr, serveSimulador } from '../../src/simulador/servidor.ts';
import { Simulador } from '../../src/simulador/simulador.ts';
import { Documentos } from '../captura-ano/documentos.ts';
import {
  createCliente,
  createEscritorio,
  type Malote,
  makeDataFolder,
  startMalote,
  withDeps,
} from '../support/malote.ts';
import { releaseBanco } from '../support/motor.ts';

const HORA_MS = 3_600_000;
const LOTE = 50;
const MB = 1e6;
/** What goes on after the start or the last call is over by then. */
const ASSENTAR_MS = 15_000;

export interface CustoEmRepouso {
  clientes: number;
  /** Calls of one hour: one of each service of each client. */
  chamadas: number;
  /** Of the whole process, one hour's calls and its looking for what is due. */
  nucleo_porcento: number;
  cpu_por_chamada_ms: number;
  /** More than the same service has with capture turned off. */
  memoria_mb: number;
}

export interface CustoDaFila {
  documentos: number;
  paginas: number;
  /** No client's documents can come faster than this: 50 of a page, and the pause that the service wants between two. */
  passo_do_servico_s: number;
  /** From the start of the process until the last page was stored, and until the last document was in a feed. */
  buscados_s: number;
  entregues_s: number;
  /** Of fetching, importing and everything else. */
  cpu_por_pagina_ms: number;
}

export class Custo {
  readonly #relogio = RelogioVirtual.going();
  readonly #simulador = new Simulador({ relogio: this.#relogio });
  readonly #pasta = makeDataFolder();
  readonly #empresas: Empresa[];
  #noAr: SimuladorNoAr | null = null;

  constructor(clientes: number) {
    this.#empresas = Array.from({ length: clientes }, (_, i) =>
      generateEmpresa(`custo/${i}`, { perfil: 'comercio', uf: 'SP' }),
    );
  }

  async open(servicos: readonly Servico[] = SERVICOS): Promise<void> {
    this.#noAr = await serveSimulador({ simulador: this.#simulador, relogio: this.#relogio });
    writeFileSync(join(this.#pasta, 'raiz.pem'), raizEmPem());
    const { contadorId } = await createEscritorio(this.#pasta, { crm: '000055' });
    await withDeps(this.#pasta, async (deps) => {
      const captura = await openDepsDaCaptura(deps);
      const vault = openVault(deps.config);
      for (const empresa of this.#empresas) {
        const id = await createCliente(deps, { contadorId, cpfCnpj: empresa.id });
        const certificado = abertoDe(empresa);
        await keepA1(deps.db, vault, { contadorId, clienteId: id, certificado, agora: Date.now() });
        const cliente = { id, cpfCnpj: empresa.id };
        for (const servico of servicos)
          await setCaptura(captura, {
            ...{ contadorId, cliente, servico, autor: 'cli', ligada: true, passiva: false },
          });
      }
    });
  }

  async close(): Promise<void> {
    await this.#noAr?.[Symbol.asyncDispose]();
    await releaseBanco(this.#pasta);
    rmSync(this.#pasta, { recursive: true, force: true });
  }

  /** The calls of one hour, then a time in which nothing is due; all of it against the same without capture. */
  async emRepouso(segundos: number): Promise<CustoEmRepouso> {
    const sem = await this.#watch({ MALOTE_CAPTURA: '0' }, segundos);
    const com = await this.#watch({}, segundos);
    const chamadas = this.#empresas.length * SERVICOS.length;
    const daHora = com.chamando - sem.chamando + Math.max(0, com.parado - sem.parado) * (HORA_MS / 1_000);
    return {
      clientes: this.#empresas.length,
      chamadas,
      nucleo_porcento: round((100 * daHora) / (HORA_MS / 1_000)),
      cpu_por_chamada_ms: round((1_000 * (com.chamando - sem.chamando)) / chamadas),
      memoria_mb: round((com.memoria - sem.memoria) / MB),
    };
  }

  /** @param documentos of all clients together, one queue each */
  async fila(documentos: number): Promise<CustoDaFila> {
    // The first call begins the queues.
    await this.#run({}, async () => this.#called());
    const modelos = new Documentos('custo');
    for (let n = 0; n < documentos; n++) {
      const empresa = this.#empresas[n % this.#empresas.length] as Empresa;
      this.#simulador.publish(modelos.make('nfe_autorizado', empresa, this.#simulador.now()).xml);
    }
    await this.#passHour();
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1_000;
    return this.#run({}, async (malote) => {
      await this.#until('everything was fetched', async () => (await this.#fetched()) >= documentos);
      const buscados_s = round(seconds());
      await this.#until('everything was imported', async () => (await this.#delivered()) >= documentos);
      const cada = Math.ceil(documentos / this.#empresas.length / LOTE);
      const paginas = cada * this.#empresas.length;
      return {
        documentos,
        paginas,
        passo_do_servico_s: round(((cada - 1) * PAUSA_MS.nfe) / 1_000),
        buscados_s,
        entregues_s: round(seconds()),
        cpu_por_pagina_ms: round((1_000 * (cpuSeconds(malote) ?? 0)) / paginas),
      };
    });
  }

  /** Processor seconds of the start with the first calls, and of one second in which nothing is due. */
  async #watch(env: Record<string, string>, segundos: number) {
    return this.#run(env, async (malote) => {
      if (env.MALOTE_CAPTURA !== '0') await this.#called();
      await sleep(ASSENTAR_MS);
      const chamando = cpuSeconds(malote) ?? Number.NaN;
      await sleep(segundos * 1_000);
      const parado = ((cpuSeconds(malote) ?? Number.NaN) - chamando) / segundos;
      return { chamando, parado, memoria: residentMemory(malote) ?? Number.NaN };
    });
  }

  async #run<T>(env: Record<string, string>, act: (malote: Malote) => Promise<T>): Promise<T> {
    await using malote = await startMalote({
      dataFolder: this.#pasta,
      medido: true,
      env: {
        MALOTE_CAPTURA_ENDERECOS: JSON.stringify(this.#noAr?.enderecos),
        MALOTE_CAPTURA_AUTORIDADES: join(this.#pasta, 'raiz.pem'),
        MALOTE_ESPERA_AO_PARAR: '0',
        ...env,
      },
    });
    return await act(malote);
  }

  /** Every sequence has had its call. */
  #called(): Promise<void> {
    return this.#until('everybody was asked about', async () => {
      const due = await withDeps(this.#pasta, ({ db }) =>
        db.read
          .selectFrom('captura_estado')
          .select('cpf_cnpj')
          .where('ultima_ok_em', 'is', null)
          .limit(1)
          .execute(),
      );
      return due.length === 0;
    });
  }

  async #fetched(): Promise<number> {
    const { total } = await withDeps(this.#pasta, ({ db }) =>
      db.read
        .selectFrom('captura_estado')
        .select(({ fn }) => fn.sum<number>('ult_nsu').as('total'))
        .executeTakeFirstOrThrow(),
    );
    return Number(total);
  }

  async #delivered(): Promise<number> {
    const { total } = await withDeps(this.#pasta, ({ db }) =>
      db.read
        .selectFrom('cliente')
        .select(({ fn }) => fn.sum<number>('ultimo_nsu').as('total'))
        .executeTakeFirstOrThrow(),
    );
    return Number(total);
  }

  /** While no process is up. */
  async #passHour(): Promise<void> {
    const ms = Math.round(1.2 * HORA_MS);
    this.#relogio.advance(ms);
    await withDeps(this.#pasta, ({ db }) =>
      db.write
        .updateTable('captura_relogio')
        .set((eb) => ({ inicio: eb('inicio', '+', ms) }))
        .execute(),
    );
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + HORA_MS;
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error(`not within an hour: ${what}`);
      await sleep(1_000);
    }
  }
}

/** An A1 as the store takes it, without the file that it comes in. */
function abertoDe(empresa: Empresa) {
  const { certificado } = certificadoDoCliente(empresa, new Date());
  const impressao = hash('sha256', certificado.der);
  return {
    chave: certificado.chavePrivada.export({ format: 'der', type: 'pkcs8' }),
    cadeia: [certificado.der],
    titular: certificado.titular,
    titularNome: empresa.nome,
    serie: impressao.slice(0, 16),
    impressao,
    validoDe: certificado.validoDe.getTime(),
    validoAte: certificado.validoAte.getTime(),
  };
}

const round = (value: number) => Math.round(value * 100) / 100;
