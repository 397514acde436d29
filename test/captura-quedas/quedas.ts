/**
 * Processes that capture from the simulated services over TLS and are killed between each two steps of a call: what they
 * leave must go on without a call too many and without a document too few.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDepsDaCaptura } from '../../src/captura/abrir.ts';
import { setCaptura } from '../../src/captura/ligar.ts';
import { SERVICOS } from '../../src/captura/servicos.ts';
import { keepA1, openPfx } from '../../src/contas/certificado/a1-de-teste.ts';
import { Aleatorio } from '../../src/gerador/aleatorio.ts';
import { openVault } from '../../src/platform/crypto/cofre.ts';
import { FAILPOINTS_DA_CAPTURA } from '../../src/platform/failpoint.ts';
import { openDiskBlobStore } from '../../src/platform/storage/disk.ts';
import { certificadoDoCliente, raizEmPem } from '../../src/simulador/certificados.ts';
import { makeExemplos } from '../../src/simulador/exemplos.ts';
import { RelogioVirtual } from '../../src/simulador/relogio.ts';
import { type SimuladorNoAr, serveSimulador } from '../../src/simulador/servidor.ts';
import { Simulador } from '../../src/simulador/simulador.ts';
import type { Entrega } from '../../src/simulador/tipos.ts';
import { createCliente, createEscritorio, makeDataFolder, withDeps } from '../support/malote.ts';
import { ambienteDoBanco, releaseBanco } from '../support/motor.ts';

const HORA_MS = 3_600_000;
const AGENTE = 'Malote (captura)';
const SENHA = 'senha-do-arquivo-pfx';
const CLIENTES = 2;
/** Times that hours pass at the end, at most: it is over when two of them have brought nothing. */
const SOSSEGOS = 1_000;
/** Nobody is killed then, and the SAE gives one document at a time. */
const SOSSEGO_NO_MAXIMO_MS = 60_000;

export interface ResultadoDasQuedas {
  quedas: number;
  perdidos: number;
  dobrados: number;
  /** Breaches of a limit that a service states, calls within the hour among them. */
  limites_violados: number;
  bloqueios: number;
  /** Numbers that a cursor had passed and that were not stored, at any time. */
  cursor_adiantado: number;
  documentos: number;
  /** Pieces of keys and passwords in a snapshot of the heap of a process that holds connections. */
  segredos_no_retrato: number;
}

type Julgado = 'perdidos' | 'dobrados' | 'limites_violados' | 'bloqueios' | 'documentos';

/** One installation and its services. */
export class Quedas {
  readonly #relogio = RelogioVirtual.going();
  readonly #simulador = new Simulador({ relogio: this.#relogio });
  readonly #exemplos = makeExemplos(this.#simulador, 'quedas', CLIENTES);
  readonly #random: Aleatorio;
  readonly #pasta = makeDataFolder();
  readonly #esperados = new Set<string>();
  readonly notas: string[] = [];
  #noAr: SimuladorNoAr | null = null;

  constructor(semente: string) {
    this.#random = new Aleatorio(`quedas/${semente}`);
  }

  /** @param input.limiteMs no further kill after so long @param input.tell is told after each process */
  async run(input: {
    quedas: number;
    limiteMs?: number;
    tell?: (quedas: number) => void;
  }): Promise<ResultadoDasQuedas> {
    const { quedas: wanted, limiteMs = Number.POSITIVE_INFINITY, tell } = input;
    const began = performance.now();
    this.#noAr = await serveSimulador({ simulador: this.#simulador, relogio: this.#relogio });
    try {
      await this.#populate();
      const segredos_no_retrato = await this.#countSecrets();
      let [quedas, ahead] = [0, 0];
      for (let turn = 0; quedas < wanted && performance.now() - began < limiteMs; turn++) {
        if (turn % 2 === 0) await this.#nextHours();
        if (await this.#capture(this.#somewhere(turn))) quedas++;
        ahead += await this.#countAhead();
        tell?.(quedas);
      }
      await this.#comeToRest();
      const cursor_adiantado = ahead + (await this.#countAhead());
      return { quedas, ...(await this.#judge()), cursor_adiantado, segredos_no_retrato };
    } finally {
      await this.#noAr[Symbol.asyncDispose]();
      await releaseBanco(this.#pasta);
      rmSync(this.#pasta, { recursive: true, force: true });
    }
  }

  async #populate(): Promise<void> {
    writeFileSync(join(this.#pasta, 'raiz.pem'), raizEmPem());
    const { contadorId } = await createEscritorio(this.#pasta, { crm: '000055' });
    await withDeps(this.#pasta, async (deps) => {
      const captura = await openDepsDaCaptura(deps);
      for (const empresa of this.#exemplos.clientes) {
        const id = await createCliente(deps, { contadorId, cpfCnpj: empresa.id });
        const certificado = openPfx(certificadoDoCliente(empresa, new Date()).pfx(SENHA), SENHA);
        const input = { contadorId, clienteId: id, certificado, agora: Date.now() };
        await keepA1(deps.db, openVault(deps.config), input);
        const cliente = { id, cpfCnpj: empresa.id };
        for (const servico of SERVICOS)
          await setCaptura(captura, {
            ...{ contadorId, cliente, servico, autor: 'cli', ligada: true, passiva: false },
          });
      }
    });
  }

  /** Each failpoint in its turn, at one of the first calls of the process. */
  #somewhere(turn: number): string {
    const point = FAILPOINTS_DA_CAPTURA[turn % FAILPOINTS_DA_CAPTURA.length] ?? '';
    return `${point}:${this.#random.integer(1, 4)}`;
  }

  /** Documents come, and the hours of all sequences pass. */
  async #nextHours(): Promise<void> {
    const own = new Set(this.#exemplos.clientes.map(({ id }) => id as string));
    const given = this.#exemplos.add(5 * CLIENTES) as Entrega[];
    for (const entrega of given) if (own.has(entrega.interessado)) this.#esperados.add(nameOf(entrega));
    await this.#pass(this.#random.pick([1.2, 1.2, 2.3]));
  }

  async #pass(hours: number): Promise<void> {
    this.#relogio.advance(hours * HORA_MS);
    await withDeps(this.#pasta, ({ db }) =>
      db.write
        .updateTable('captura_relogio')
        .set((eb) => ({ inicio: eb('inicio', '+', Math.round(hours * HORA_MS)) }))
        .execute(),
    );
  }

  /** What a snapshot of the heap tells of the clients' keys, in the forms in which they are kept as text. */
  async #countSecrets(): Promise<number> {
    const file = join(this.#pasta, 'retrato.heapsnapshot');
    await this.#capture(null, { QUEDAS_RETRATO: file });
    const snapshot = readFileSync(file, 'latin1');
    if (!snapshot.includes('Malote (captura)')) throw new Error('the snapshot shows nothing of the captor');
    const secrets = this.#exemplos.clientes.flatMap((empresa) => {
      const { chavePrivada, der } = certificadoDoCliente(empresa, new Date()).certificado;
      const key = chavePrivada.export({ format: 'der', type: 'pkcs8' });
      const pieces = [key, Buffer.from(der)].map((bytes) => bytes.subarray(300, 330));
      return pieces.flatMap((piece) => [piece.toString('hex'), piece.toString('base64').slice(0, 40)]);
    });
    return ['BEGIN PRIVATE KEY', 'BEGIN RSA PRIVATE', SENHA, ...secrets].filter((one) =>
      snapshot.includes(one),
    ).length;
  }

  /** Nothing comes and nobody dies, until two runs bring nothing more. */
  async #comeToRest(): Promise<void> {
    let [before, same] = [-1, 0];
    for (let turn = 0; turn < SOSSEGOS && same < 2; turn++) {
      await this.#pass(2.2);
      await this.#capture(null, { QUEDAS_NO_MAXIMO_MS: String(SOSSEGO_NO_MAXIMO_MS) });
      const { size } = await this.#stored();
      same = size === before ? same + 1 : 0;
      before = size;
    }
  }

  /** @returns whether the process was killed */
  async #capture(ponto: string | null, mais: Record<string, string> = {}): Promise<boolean> {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'filho.ts')], {
      env: {
        ...process.env,
        ...(await ambienteDoBanco(this.#pasta)),
        MALOTE_DATA: this.#pasta,
        MALOTE_CAPTURA_ENDERECOS: JSON.stringify(this.#noAr?.enderecos),
        MALOTE_CAPTURA_AUTORIDADES: join(this.#pasta, 'raiz.pem'),
        MALOTE_PONTO_DE_FALHA: ponto ?? '',
        ...mais,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (signal === 'SIGKILL' && ponto !== null) return true;
    if (code !== 0) throw new Error(`the process ended with ${code ?? signal} at ${ponto}`);
    return false;
  }

  /** How often each document is in stored files that have their rows. */
  async #stored(): Promise<Map<string, number>> {
    const storage = await openDiskBlobStore(join(this.#pasta, 'arquivos'));
    const found = new Map<string, number>();
    const rows = await withDeps(this.#pasta, ({ db }) =>
      db.read.selectFrom('arquivo').select(['blob', 'nome', 'fonte']).execute(),
    );
    for (const { blob, nome, fonte } of rows) {
      const text = (await storage.get(blob ?? '')).toString('latin1');
      for (const name of namesIn(text, { nome: nome ?? '', fonte: fonte ?? '' }))
        found.set(name, (found.get(name) ?? 0) + 1);
    }
    await storage.close();
    return found;
  }

  async #countAhead(): Promise<number> {
    const stored = await this.#stored();
    const estados = await withDeps(this.#pasta, ({ db }) =>
      db.read.selectFrom('captura_estado').select(['cpf_cnpj', 'servico', 'ult_nsu']).execute(),
    );
    let ahead = 0;
    for (const { cpf_cnpj, servico, ult_nsu } of estados) {
      if (servico === 'nfce') continue;
      for (let nsu = 1; nsu <= ult_nsu; nsu++)
        if (!stored.has(`${servico} ${cpf_cnpj} ${nsu}`)) {
          ahead++;
          this.notas.push(`não guardado: ${servico} ${cpf_cnpj} NSU ${nsu}, cursor em ${ult_nsu}`);
        }
    }
    return ahead;
  }

  async #judge(): Promise<Pick<ResultadoDasQuedas, Julgado>> {
    const stored = await this.#stored();
    const lost = [...this.#esperados].filter((name) => !stored.has(name));
    const counts = this.#simulador.relatorio.de(AGENTE);
    this.notas.push(...lost.slice(0, 20).map((name) => `perdido: ${name}`));
    for (const { regra, chave, detalhe } of this.#simulador.relatorio.violacoes.slice(0, 20))
      this.notas.push(`violação: ${regra} ${chave} ${detalhe}`);
    this.notas.push(`chamadas: ${counts.chamadas}`);
    return {
      perdidos: lost.length,
      dobrados: [...stored.values()].filter((times) => times > 1).length,
      limites_violados: counts.violacoes,
      bloqueios: counts.bloqueios,
      documentos: stored.size,
    };
  }
}

/** `nfe 11222333000181 7`; of the SAE, which has no numbers, `nfce <key>`. */
function nameOf({ servico, interessado, nsu, chave }: Entrega): string {
  if (servico === 'sae') return `nfce ${chave}`;
  return `${servico === 'adn' ? 'nfse' : servico} ${interessado} ${nsu}`;
}

const SERVICO_DO_NOME: readonly (readonly [string, string])[] = [
  ['NF-e', 'nfe'],
  ['CT-e', 'cte'],
  ['NFS-e', 'nfse'],
];

/** The documents of one stored answer. */
function namesIn(text: string, { nome, fonte }: { nome: string; fonte: string }): string[] {
  if (fonte === 'sae') return [...text.matchAll(/Id="NFe(\d{44})"/g)].map(([, chave]) => `nfce ${chave}`);
  const cnpj = / de (\w{11,14}),/.exec(nome)?.[1];
  const servico = SERVICO_DO_NOME.find(([begin]) => nome.startsWith(`${begin} `))?.[1];
  if (!cnpj || !servico) return [];
  return [...text.matchAll(/(?:<docZip NSU="|"NSU":)0*(\d+)/g)].map(([, nsu]) => `${servico} ${cnpj} ${nsu}`);
}
