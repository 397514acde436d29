/**
 * R29: a hundred readers of the states of files during their import see them go forward only.
 * R30: whoever walks `/novos` page by page while documents arrive gets every entry once, and totals that fit.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';
import { Vigia } from '../observar.ts';

export const statusMonotono: Cenario = {
  id: 'R29',
  titulo: 'leitores do status de cada arquivo durante a importação',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['postgres'],
  async rodar(contexto) {
    const readers = quanto(contexto, 10, 100);
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r29`,
      clientes: 2,
      // The readers' questions take most of the machine: few enough that the rest imports them within I1's minute.
      documentos: quanto(contexto, 180, 4_000),
      porArquivo: quanto(contexto, 60, 200),
    });
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa });
    await bancada.iniciar();
    const { sonda, escritorio } = bancada;
    const watchers = Array.from(
      { length: readers },
      (_, at) => new Vigia(sonda, { escritorio, quem: `vigia-${at}`, pausaMs: 20 }),
    );
    let last = performance.now();
    await Promise.all(
      remessa.arquivos.map(async (arquivo) => {
        bancada.anunciar(arquivo);
        const { nome, extension, bytes } = arquivo;
        const ticket = await sonda.ticket(escritorio, { nome, size: bytes.length, extension });
        if (!ticket) throw new Error('no ticket');
        // Watched before it is sent: the first state is seen too.
        for (const watcher of watchers) watcher.vigiar(ticket.id);
        await delay(50);
        if ((await sonda.put(ticket, bytes)) === 200) bancada.aceito(ticket.id);
        last = performance.now();
      }),
    );
    await bancada.waitForTerminais();
    contexto.aoAvancar(`importado ${Math.round(performance.now() - last)} ms depois do último envio`);
    await Promise.all(watchers.map((watcher) => watcher.parar()));
    const seen = bancada.diario.ler().filter(({ fato }) => fato === 'status').length;
    return {
      feito: `${readers} leitores de ${remessa.arquivos.length} arquivos`,
      medido: `${seen} mudanças de status vistas`,
      violacoes: await bancada.concluir(),
    };
  },
};

export const paginasEstaveis: Cenario = {
  id: 'R30',
  titulo: 'percorrer /novos por Pagina enquanto chegam documentos',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['postgres'],
  async rodar(contexto) {
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r30`,
      clientes: 2,
      documentos: quanto(contexto, 250, 20_000),
      porArquivo: 50,
    });
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa });
    await bancada.iniciar();
    const violacoes: Violacao[] = [];
    let [walks, pages, arriving] = [0, 0, true];
    const walker = async (cpfCnpj: string) => {
      while (arriving || walks === 0) {
        pages += await percorrer(bancada, cpfCnpj, violacoes).catch((error: Error) => {
          violacoes.push({ regra: 'R30', detalhe: String(error) });
          return 0;
        });
        walks += 1;
        await delay(quanto(contexto, 100, 20));
      }
    };
    const walking = Promise.all(bancada.clientes.map(walker));
    await bancada.enviarTodos(remessa.arquivos, 4);
    await bancada.waitForTerminais();
    arriving = false;
    await walking;
    return {
      feito: `${walks} percursos, ${pages} páginas, durante ${remessa.itens.length} documentos`,
      medido: 'nenhuma entrada faltou ou veio duas vezes; total e paginas coerentes em cada resposta',
      violacoes: [...violacoes, ...(await bancada.concluir())],
    };
  },
};

const TAMANHO = 7;

/** From page 1 to the first page that is not full. @returns how many pages */
async function percorrer(bancada: Bancada, cpfCnpj: string, violacoes: Violacao[]): Promise<number> {
  const { escritorio, sonda } = bancada;
  let [expected, total] = [1, 0];
  for (let pagina = 1; ; pagina++) {
    const page = await sonda.novos(escritorio, { cpfCnpj, nsu: 0 }, { tamanho: TAMANHO, pagina });
    const wrong = (detalhe: string) =>
      violacoes.push({ regra: 'R30', detalhe: `${cpfCnpj}, página ${pagina}: ${detalhe}` });
    if (page.total < total) wrong(`o total caiu de ${total} para ${page.total}`);
    total = page.total;
    for (const { nsu } of page.entradas) {
      if (nsu !== expected) wrong(`NSU ${nsu} no lugar do ${expected}`);
      expected = nsu + 1;
    }
    const should = Math.min(TAMANHO, Math.max(0, total - (pagina - 1) * TAMANHO));
    if (page.entradas.length !== should) wrong(`${page.entradas.length} entradas com total ${total}`);
    if (page.entradas.length < TAMANHO) return pagina;
  }
}
