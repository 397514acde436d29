/**
 * R22: an installation of the version before, with data and work in its queue, is brought to this one by a process that
 * is killed in the middle again and again. The version before is the commit before the newest change of the migrations:
 * it really runs, from its own files.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Aleatorio } from '../../../src/gerador/aleatorio.ts';
import { FAILPOINTS_DA_MIGRACAO } from '../../../src/platform/failpoint.ts';
import { generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, Pulado, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';
import { type NomeDoMotor, novaPasta } from '../motores.ts';
import { RAIZ } from '../processo.ts';

const git = (...args: string[]) => execFileSync('git', args, { cwd: RAIZ, encoding: 'utf8' }).trim();

/** The tree of a commit in a folder of its own, with the packages of this one. */
function arvoreDe(commit: string): { raiz: string } & Disposable {
  const raiz = novaPasta('versao-anterior');
  // Whole, since what it reads beside its code has changed with the versions; only the documents' pictures are large.
  const tar = spawnSync('git', ['archive', commit, '--', '.', ':(exclude)docs', ':(exclude)test'], {
    cwd: RAIZ,
    maxBuffer: 1 << 28,
  });
  const out = spawnSync('tar', ['-x', '-C', raiz], { input: tar.stdout });
  if (tar.status !== 0 || out.status !== 0) throw new Pulado('a versão anterior não pôde ser tirada do git');
  symlinkSync(join(RAIZ, 'node_modules'), join(raiz, 'node_modules'));
  return { raiz, [Symbol.dispose]: () => rmSync(raiz, { recursive: true, force: true }) };
}

/** The last commit with fewer migrations of this engine than this tree, that had some. */
function commitAnterior(motor: NomeDoMotor): string {
  try {
    const names = (commit: string) =>
      git('ls-tree', '--name-only', `${commit}:migrations`)
        .split('\n')
        .filter(
          (name) => name.endsWith('.sql') && !name.includes(motor === 'sqlite' ? '.postgres.' : '.sqlite.'),
        );
    const now = names('HEAD').length;
    const commits = git('log', '--format=%H', '--', 'migrations').split('\n').filter(Boolean);
    for (const commit of commits) {
      const before = `${commit}^`;
      const count =
        spawnSync('git', ['cat-file', '-e', `${before}:migrations`], { cwd: RAIZ }).status === 0
          ? names(before).length
          : 0;
      if (count > 0 && count < now) return git('rev-parse', before);
    }
  } catch {
    // No git here, or a clone without its history.
  }
  throw new Pulado('a história do repositório não está aqui: não há versão anterior para atualizar');
}

export const atualizacao: Cenario = {
  id: 'R22',
  titulo: 'atualização da versão anterior, com dados e fila, morta no meio da migração',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async rodar(contexto) {
    const kills = quanto(contexto, 2, 20);
    const commit = commitAnterior(contexto.motor);
    using old = arvoreDe(commit);
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r22`,
      clientes: 2,
      documentos: quanto(contexto, 200, 2_000),
      porArquivo: 20,
    });
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa, raizDaPreparacao: old.raiz });
    const half = Math.ceil(remessa.arquivos.length / 2);
    if (!(await bancada.iniciar({ raiz: old.raiz }))) {
      throw new Pulado(`a versão anterior (${commit.slice(0, 7)}) não inicia com estes pacotes`);
    }
    await bancada.enviarTodos(remessa.arquivos.slice(0, half));
    await bancada.matar();
    const sorte = new Aleatorio(`${contexto.semente}/r22`);
    const violacoes: Violacao[] = [];
    for (let kill = 0; kill < kills; kill++) {
      await killMigracao(bancada, { kill, sorte });
      contexto.aoAvancar(`${kill + 1}/${kills} quedas`);
    }
    if (!(await bancada.iniciar())) {
      violacoes.push({ regra: 'R22', detalhe: 'a nova versão não inicia depois das quedas' });
    }
    await bancada.enviarTodos(remessa.arquivos.slice(half));
    violacoes.push(...(await bancada.concluir()));
    return {
      feito: `${kills} kill -9 durante a migração de ${commit.slice(0, 7)} para esta versão`,
      medido: `${bancada.aceitos.length} arquivos aceitos pelas duas versões, todos importados`,
      violacoes,
    };
  },
};

/** Alternately at a named step, further on each time, and at any moment of the start. */
async function killMigracao(
  bancada: Bancada,
  { kill, sorte }: { kill: number; sorte: Aleatorio },
): Promise<void> {
  const point = FAILPOINTS_DA_MIGRACAO[kill % FAILPOINTS_DA_MIGRACAO.length];
  const env: Record<string, string> = kill % 3 === 2 ? {} : { MALOTE_PONTO_DE_FALHA: `${point}:1` };
  const starting = bancada.iniciar({ env });
  if (kill % 3 === 2) await delay(sorte.integer(100, 1_500));
  else await Promise.race([starting, delay(20_000)]);
  await bancada.matar();
  await starting;
}
