/** R21: a backup taken while documents pour in, restored elsewhere, is one sound moment of the whole. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, quanto } from '../cenario.ts';
import type { Fato } from '../diario.ts';
import { Diario } from '../diario.ts';
import { julgar, type Violacao } from '../julgar.ts';
import { novaPasta, openDeposito } from '../motores.ts';
import { ate, comando, Processo, portaLivre } from '../processo.ts';
import { escopoDe, Sonda } from '../sonda.ts';

const IDLE_WITHIN_MS = 60_000;

export const copiaDeSeguranca: Cenario = {
  id: 'R21',
  titulo: 'cópia de segurança durante a importação, restaurada em outro lugar',
  motores: ['sqlite', 'postgres'],
  // `test/contrato/copia.test.ts` restores backups that were made while uploads went on, in every run of the tests.
  motoresCurtos: [],
  async rodar(contexto) {
    const copies = quanto(contexto, 1, 10);
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r21`,
      clientes: 3,
      documentos: copies * quanto(contexto, 300, 600),
      porArquivo: 15,
    });
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa });
    await bancada.iniciar();
    const folder = novaPasta('copias');
    const violacoes: Violacao[] = [];
    let [kept, total] = [0, 0];
    try {
      const queue = [...remessa.arquivos];
      const perCopy = Math.floor(queue.length / copies);
      for (let copy = 0; copy < copies; copy++) {
        const files = queue.splice(0, perCopy);
        await bancada.enviarTodos(files.splice(0, Math.ceil(perCopy / 3)));
        const before = new Set(bancada.aceitos);
        const sending = bancada.enviarTodos(files);
        const target = join(folder, `copia-${copy}`);
        const made = await comando(['backup', '--para', target, '--com-chave', '--json'], {
          env: bancada.env,
        });
        await sending;
        if (made.codigo !== 0)
          violacoes.push({ regra: 'R21', detalhe: `backup: ${made.erros.slice(0, 300)}` });
        else {
          const restored = await restaurar(bancada, { copia: target, confirmados: before });
          violacoes.push(...restored.violacoes);
          kept += restored.entradas;
        }
        total += before.size;
        contexto.aoAvancar(`${copy + 1}/${copies}`);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    violacoes.push(...(await bancada.concluir()));
    return {
      feito: `${copies} cópias durante a importação, cada uma restaurada e conferida`,
      medido: `${total} arquivos confirmados antes do início de cada cópia, todos nela; ${kept} entradas restauradas`,
      violacoes,
    };
  },
};

/**
 * Restores into an empty installation of the same engine, starts it, lets it finish what was open, and judges it: what
 * was acknowledged before the backup began must be there, and nothing that was not sent.
 */
async function restaurar(
  { deposito, diario, escritorio, clientes }: Bancada,
  input: { copia: string; confirmados: ReadonlySet<string> },
): Promise<{ entradas: number; violacoes: Violacao[] }> {
  await using other = await openDeposito(deposito.motor);
  const back = await comando(['restaurar', '--de', input.copia, '--json'], { env: other.env });
  if (back.codigo !== 0) {
    return { entradas: 0, violacoes: [{ regra: 'R21', detalhe: `restaurar: ${back.erros.slice(0, 300)}` }] };
  }
  const own = new Diario(join(other.pasta, 'diario-da-copia.jsonl'));
  // What was sent is known from the other journal; what is required, only what was acknowledged by then.
  const known = diario.ler().filter(({ fato }) => fato === 'arquivo' || fato === 'ticket');
  own.anotar(...known);
  const porta = await portaLivre();
  const processo = new Processo({ nome: 'restaurado', porta, env: other.env });
  try {
    if ((await processo.pronto()) === null) {
      return { entradas: 0, violacoes: [{ regra: 'R21', detalhe: 'a cópia restaurada não inicia' }] };
    }
    const sonda = new Sonda(own, () => `http://127.0.0.1:${porta}`);
    const final = await lerTudo(sonda, {
      escritorio,
      clientes,
      confirmados: input.confirmados,
      env: other.env,
    });
    return {
      entradas: final,
      violacoes: julgar(own.ler()).map((one) => ({ ...one, regra: `R21 ${one.regra}` })),
    };
  } finally {
    await processo.matar();
  }
}

async function lerTudo(
  sonda: Sonda,
  input: {
    escritorio: Bancada['escritorio'];
    clientes: readonly string[];
    confirmados: ReadonlySet<string>;
    env: Record<string, string>;
  },
): Promise<number> {
  const { escritorio } = input;
  const facts: Fato[] = [];
  const deadline = performance.now() + 60_000;
  for (const id of input.confirmados) {
    facts.push({ fato: 'aceito', id, em: Date.now() });
    let state = await sonda.status(escritorio, id);
    while (state.status === 'Em Processamento' && performance.now() < deadline) {
      state = await sonda.status(escritorio, id);
    }
    facts.push({ fato: 'status', id, status: state.status, em: Date.now(), quem: 'copia' });
  }
  // Files that were being imported when the copy was made are finished by the restored service.
  const idle = () => sonda.pedir('/metrics').then(({ text }) => /^malote_importacao_fila 0$/m.test(text));
  if (!(await ate(idle, IDLE_WITHIN_MS))) throw new Error('the restored service does not come to rest');
  let entradas = 0;
  for (const cpfCnpj of input.clientes) {
    const escopo = escopoDe(escritorio, cpfCnpj);
    let [nsu, quantos, total] = [0, 0, 0];
    for (;;) {
      const page = await sonda.novos(escritorio, { cpfCnpj, nsu });
      if (nsu === 0) total = page.total;
      for (const entrada of page.entradas) facts.push({ fato: 'final', escopo, ...entrada });
      quantos += page.entradas.length;
      nsu = page.entradas.at(-1)?.nsu ?? nsu;
      if (page.entradas.length === 0) break;
    }
    facts.push({ fato: 'feed_lido', escopo, quantos, total });
    entradas += quantos;
  }
  const checked = await comando(['verificar', '--json'], { env: input.env });
  const achados = (JSON.parse(checked.saida || '{}').achados ?? []).map(
    (one: { conferencia: string; mensagem: string }) => `${one.conferencia}: ${one.mensagem}`,
  );
  sonda.diario.anotar(...facts, { fato: 'verificar', codigo: checked.codigo, achados });
  return entradas;
}
