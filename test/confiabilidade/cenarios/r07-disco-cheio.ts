/** R07: the disk of the data folder is full, really; and later it is not any more. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, Pulado, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';
import { novaPasta } from '../motores.ts';
import { ate } from '../processo.ts';
import { integridadeDe } from './r06-integridade.ts';

const DISCO_MB = 24;
const MB = 1_000_000;
/** R07: imports and uploads go on by themselves when there is room again. */
const RESUMES_MS = 30_000;
const RESUMES_BUSY_MS = 180_000;

/** A disk of its own. @throws Pulado where nothing may be mounted */
function montar(): { pasta: string } & Disposable {
  const pasta = novaPasta('disco');
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISCO_MB}m`, 'tmpfs', pasta], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0) {
    rmSync(pasta, { recursive: true, force: true });
    throw new Pulado(`não se pode montar um disco pequeno aqui: ${(mounted.stderr ?? '').trim()}`);
  }
  return {
    pasta,
    [Symbol.dispose]() {
      spawnSync('umount', ['-l', pasta]);
      rmSync(pasta, { recursive: true, force: true });
    },
  };
}

export const discoCheio: Cenario = {
  id: 'R07',
  titulo: 'disco cheio (ENOSPC) na pasta dos dados, e depois com espaço de novo',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async rodar(contexto) {
    const times = quanto(contexto, 1, 10);
    using disco = montar();
    const violacoes: Violacao[] = [];
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r07`,
      clientes: 2,
      documentos: 60 * times,
      porArquivo: 6,
    });
    const pasta = join(disco.pasta, 'dados');
    mkdirSync(pasta);
    // The reserve would refuse uploads long before the disk is full: here it is to be really full.
    const env = { MALOTE_DISCO_MINIMO: '0' };
    await using bancada = await Bancada.abrir({
      motor: contexto.motor,
      remessa,
      pasta,
      diarioFora: true,
      env,
    });
    await bancada.iniciar();
    const perTime = Math.floor(remessa.arquivos.length / times);
    const withinMs = quanto(contexto, RESUMES_BUSY_MS, RESUMES_MS);
    let [refused, worst] = [0, 0];
    for (let time = 0; time < times; time++) {
      const files = remessa.arquivos.slice(time * perTime, (time + 1) * perTime);
      const sending = bancada.enviarTodos(files.slice(0, 2));
      await sending;
      await bancada.waitForTerminais();
      encher(disco.pasta);
      // Senders go on trying; what they are told until there is room must be 503 or 507.
      const waiting = bancada.enviarTodos(files.slice(2));
      const full = await ate(() => bancada.sonda.recusas > refused, withinMs);
      if (!full) violacoes.push({ regra: 'R07', detalhe: 'o disco cheio não foi notado por envio algum' });
      violacoes.push(...(await responde(bancada)));
      rmSync(join(disco.pasta, 'lastro'), { recursive: true, force: true });
      const freedAt = performance.now();
      await waiting;
      await bancada.waitForTerminais();
      worst = Math.max(worst, performance.now() - freedAt);
      refused = bancada.sonda.recusas;
      contexto.aoAvancar(`${time + 1}/${times}`);
    }
    if (worst > withinMs) {
      violacoes.push({ regra: 'R07', detalhe: `só voltou a importar depois de ${Math.round(worst)} ms` });
    }
    violacoes.push(...(await bancada.concluir()));
    await bancada.matar();
    violacoes.push(...integridadeDe(pasta).map((detalhe) => ({ regra: 'R07', detalhe })));
    return {
      feito: `${times} vezes ENOSPC em um disco de ${DISCO_MB} MB`,
      medido: `${refused} respostas 503; de volta sem reiniciar em até ${Math.round(worst / 1000)} s`,
      violacoes,
    };
  },
};

/** Writes until nothing more fits: large pieces first, then bytes. */
function encher(folder: string): void {
  const path = join(folder, 'lastro');
  mkdirSync(path, { recursive: true });
  let count = 0;
  for (const size of [MB, 64 * 1024, 4096]) {
    for (;;) {
      try {
        writeFileSync(join(path, String(count++)), Buffer.alloc(size));
      } catch {
        break;
      }
    }
  }
}

/** Reading goes on: the feed, a status, health. */
async function responde({ sonda, escritorio, clientes, aceitos }: Bancada): Promise<Violacao[]> {
  const feed = await sonda.novos(escritorio, { cpfCnpj: clientes[0] ?? '', nsu: 0 }).catch(String);
  const status = await sonda.status(escritorio, aceitos[0] ?? '').catch(String);
  return [feed, status]
    .filter((answer) => typeof answer === 'string')
    .map((answer) => ({ regra: 'R07', detalhe: `leitura com disco cheio: ${answer}` }));
}
