/**
 * R04: writers that dawdle between numbering and commit, and live readers over HTTP who must not be led past a number.
 * (The naive sequence lost 37 % of the documents in this experiment.)
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, quanto, segundos } from '../cenario.ts';
import type { Ordem } from '../escritor-nsu.ts';
import { contadorIdDe } from '../escritorios.ts';
import type { Violacao } from '../julgar.ts';
import { ate } from '../processo.ts';

const ESCRITORES = 8;
const ATRASO_MS = 50;
const PAGINA = 500;
const CAUGHT_UP_MS = 60_000;

export const corridaDeNsu: Cenario = {
  id: 'R04',
  titulo: 'oito escritores que demoram entre numerar e confirmar, e leitores ao vivo em todos os clientes',
  motores: ['sqlite', 'postgres'],
  async rodar(contexto) {
    const documentos = quanto(contexto, 2_000, 500_000);
    const { clientes } = await generateRemessa({
      semente: `${contexto.semente}/r04`,
      clientes: 4,
      documentos: 1,
      porArquivo: 1,
    });
    await using bancada = await Bancada.abrir({
      motor: contexto.motor,
      remessa: { clientes },
      env: { MALOTE_MODO: 'api' },
      acompanhar: false,
    });
    await bancada.iniciar();
    const readers = clientes.map((cpfCnpj) => new LeitorDeNsu(bancada, cpfCnpj));
    const contadorId = await contadorIdDe(bancada.env, bancada.escritorio.codigoCrm);
    const startedAt = performance.now();
    const each = Math.ceil(documentos / ESCRITORES);
    const codes = await Promise.all(
      Array.from({ length: ESCRITORES }, (_, escritor) =>
        escrever({
          env: bancada.env,
          contadorId,
          clientes,
          escritor,
          documentos: each,
          porTransacao: quanto(contexto, 25, 500),
          atrasoMs: ATRASO_MS,
        }),
      ),
    );
    const took = performance.now() - startedAt;
    const violacoes: Violacao[] = codes
      .filter((code) => code !== 0)
      .map((code) => ({ regra: 'R04', detalhe: `um escritor terminou com código ${code}` }));
    let entradas = 0;
    for (const reader of readers) {
      const { quantas, faltas } = await reader.conferir();
      entradas += quantas;
      violacoes.push(...faltas.map((detalhe) => ({ regra: 'R04', detalhe })));
    }
    // One entry for the issuer of each document, and one more for every fourth's recipient.
    const expected = ESCRITORES * (each + Math.floor(each / 4));
    if (entradas !== expected)
      violacoes.push({ regra: 'R04', detalhe: `${entradas} entradas em vez de ${expected}` });
    return {
      feito: `${ESCRITORES * each} documentos por ${ESCRITORES} escritores com 0 a ${ATRASO_MS} ms entre numerar e confirmar`,
      medido: `${entradas} entradas em ${segundos(took)}, vistas por leitores ao vivo sem uma falta, densas`,
      violacoes,
    };
  },
};

async function escrever(ordem: Ordem): Promise<number | null> {
  const program = join(import.meta.dirname, '..', 'escritor-nsu.ts');
  const child = spawn(process.execPath, [program, JSON.stringify(ordem)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'exit');
  return child.exitCode;
}

/** Follows a feed by NSU and remembers which key stood at which number. */
class LeitorDeNsu {
  readonly #bancada: Bancada;
  readonly #cpfCnpj: string;
  /** Key at index NSU − 1. */
  readonly #chaves: string[] = [];
  readonly #faltas: string[] = [];
  #running = true;
  readonly #loop: Promise<void>;

  constructor(bancada: Bancada, cpfCnpj: string) {
    this.#bancada = bancada;
    this.#cpfCnpj = cpfCnpj;
    this.#loop = this.#run();
  }

  async #run(): Promise<void> {
    while (this.#running) {
      const page = await this.#page(this.#chaves.length);
      for (const { nsu, chave } of page) {
        if (nsu !== this.#chaves.length + 1) {
          this.#faltas.push(`${this.#cpfCnpj}: NSU ${nsu} depois do ${this.#chaves.length}`);
          this.#running = false;
          return;
        }
        this.#chaves.push(chave);
      }
      if (page.length < PAGINA) await delay(5);
    }
  }

  async #page(nsu: number): Promise<{ nsu: number; chave: string }[]> {
    const { sonda, escritorio } = this.#bancada;
    const path = `/api/v1/${escritorio.codigoCrm}/${this.#cpfCnpj}/documentos/${nsu}/novos?Tamanho=${PAGINA}`;
    const { status, body } = await sonda.pedir(path, { token: escritorio.token });
    if (status !== 200) throw new Error(`feed: ${status}`);
    return body.documentos;
  }

  /** Reads everything again and compares. */
  async conferir(): Promise<{ quantas: number; faltas: string[] }> {
    let quantas = 0;
    const keys = new Set<string>();
    const wrong: string[] = [];
    for (;;) {
      const page = await this.#page(quantas);
      if (page.length === 0) break;
      for (const { nsu, chave } of page) {
        quantas += 1;
        if (nsu !== quantas) wrong.push(`${this.#cpfCnpj}: o NSU ${nsu} está no lugar do ${quantas}`);
        keys.add(chave);
        const at = nsu - 1;
        if (at < this.#chaves.length && this.#chaves[at] !== chave)
          wrong.push(`o NSU ${nsu} mudou de documento`);
      }
    }
    const caughtUp = await ate(() => this.#chaves.length >= quantas || !this.#running, CAUGHT_UP_MS);
    this.#running = false;
    await this.#loop;
    if (!caughtUp || this.#chaves.length !== quantas) {
      wrong.push(`${this.#cpfCnpj}: o leitor viu ${this.#chaves.length} de ${quantas}`);
    }
    if (keys.size !== quantas) wrong.push(`${this.#cpfCnpj}: ${quantas - keys.size} chaves em dobro`);
    return { quantas, faltas: [...this.#faltas, ...wrong].slice(0, 20) };
  }
}
