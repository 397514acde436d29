/** R12: very many uploads at once: all get in, with tries again where they are told so, in bounded memory. */

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { zipDe } from '../../../src/gerador/zip.ts';
import { type Arquivo, generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, type Contexto, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';
import { ate } from '../processo.ts';

const MB = 1_000_000;
/** R12: of each process, judged in the long form. The short one only sees that nobody keeps what should stream by. */
const RSS_MAX_MB = 600;
const RSS_MAX_MB_CURTA = 900;
/**
 * Files, pipes and events that come and go, and the threads that prepare pages, which start when somebody reads, each with
 * its connection. What stays behind of a thousand uploads would be hundreds, of the sixty of the short form sixty.
 */
const FD_SLACK = 24;
/** One entry of a zip may have 10 MB. */
const LASTRO_MAX = 9 * MB;
const ZIP_OVERHEAD = 3_000;

/** Highest resident memory of a process so far, MB. */
export function picoDe(pid: number): number {
  const kb = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round((Number(kb) * 1024) / MB);
}

/** Open files of a process. Sockets are not counted: this very client keeps its connections for a while. */
function descritoresDe(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const targets = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(join(folder, fd));
    } catch {
      return 'socket:closed since';
    }
  });
  return targets.filter((target) => !target.startsWith('socket:')).length;
}

/** A zip with one document and ballast that is no document: a file of the wanted size. */
async function comLastro(arquivo: Arquivo, bytes: number): Promise<Arquivo> {
  const ballast: { nome: string; bytes: Uint8Array }[] = [];
  for (let left = bytes - arquivo.bytes.length - ZIP_OVERHEAD; left > 0; left -= LASTRO_MAX) {
    // What begins like a PDF is taken for none of ours, whatever the dice say of the rest.
    const bytes = Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(Math.min(left, LASTRO_MAX))]);
    ballast.push({ nome: `anexo-${ballast.length}.pdf`, bytes });
  }
  return { ...arquivo, extension: '.zip', bytes: await zipDe([...arquivo.itens, ...ballast]) };
}

async function onda(
  contexto: Contexto,
  bancada: Bancada,
  input: { arquivos: Arquivo[]; megabytes: number },
): Promise<void> {
  const files = await Promise.all(input.arquivos.map((arquivo) => comLastro(arquivo, input.megabytes * MB)));
  contexto.aoAvancar(`${files.length} × ${input.megabytes} MB`);
  await Promise.all(files.map((arquivo) => bancada.enviar(arquivo)));
  await bancada.waitForTerminais();
}

export const muitosEnvios: Cenario = {
  id: 'R12',
  titulo: 'envios simultâneos de 1 MB e de 29 MB',
  motores: ['sqlite', 'postgres'],
  // `test/e2e/rajada.test.ts` sends 200 files at once, with a bound of memory, in every run of the tests.
  motoresCurtos: [],
  async rodar(contexto) {
    const [small, large] = [quanto(contexto, 60, 1_000), quanto(contexto, 3, 100)];
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r12`,
      clientes: 2,
      documentos: small + large,
      porArquivo: 1,
    });
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa });
    await bancada.iniciar({ medido: true });
    const pid = bancada.processo().child.pid ?? 0;
    await bancada.enviar(remessa.arquivos[0] ?? never());
    await bancada.waitForTerminais();
    const before = descritoresDe(pid);
    await onda(contexto, bancada, { arquivos: remessa.arquivos.slice(1, small), megabytes: 1 });
    const picoDosPequenos = picoDe(pid);
    for (let at = small; at < small + large; at += 10) {
      const arquivos = remessa.arquivos.slice(at, Math.min(at + 10, small + large));
      await onda(contexto, bancada, { arquivos, megabytes: 29 });
    }
    const pico = picoDe(pid);
    const flat = await ate(() => descritoresDe(pid) <= before + FD_SLACK, 20_000);
    const violacoes: Violacao[] = await bancada.concluir();
    if (pico > quanto(contexto, RSS_MAX_MB_CURTA, RSS_MAX_MB))
      violacoes.push({ regra: 'R12', detalhe: `pico de ${pico} MB de memória` });
    if (!flat) {
      const detalhe = `${before} descritores antes, ${descritoresDe(pid)} depois`;
      violacoes.push({ regra: 'R12', detalhe });
    }
    return {
      feito: `${small} envios de 1 MB ao mesmo tempo e ${large} de 29 MB`,
      medido: `pico de memória: ${picoDosPequenos} MB com os de 1 MB, ${pico} MB no fim; ${bancada.aceitos.length} aceitos`,
      violacoes,
    };
  },
};

function never(): never {
  throw new Error('nothing was generated');
}
