/**
 * R08: an fsync that fails: no 200 for what it was to make durable, no second try taken for success, and the process
 * does not call itself ready any more.
 * R09: the order of the calls behind each 200, as the kernel saw them.
 */

import { generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';
import { ate } from '../processo.ts';
import { type Chamada, Rastreador } from '../rastreador.ts';

const SINCRONIZAM = 'fsync,fdatasync';

export const fsyncQueFalha: Cenario = {
  id: 'R08',
  titulo: 'fsync falha (EIO) na enésima vez',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async rodar(contexto) {
    const enesimas = quanto(contexto, 2, 20);
    const violacoes: Violacao[] = [];
    let injected = 0;
    for (let n = 1; n <= enesimas; n++) {
      const remessa = await generateRemessa({
        semente: `${contexto.semente}/r08/${n}`,
        clientes: 2,
        documentos: 60,
        porArquivo: 3,
      });
      await using bancada = await Bancada.abrir({
        motor: contexto.motor,
        remessa,
        env: { MALOTE_MODO: 'api' },
      });
      await bancada.iniciar();
      const { pid = 0 } = bancada.processo().child;
      const inject = ['-e', `trace=${SINCRONIZAM}`, '-e', `inject=${SINCRONIZAM}:error=EIO:when=${n}`];
      const tracer = await Rastreador.seguir(pid, inject);
      const before = injected;
      for (const arquivo of remessa.arquivos) {
        const { failed, broken } = await enviarUma(bancada, tracer, arquivo);
        violacoes.push(...broken.map((detalhe) => ({ regra: 'R08', detalhe: `n=${n}: ${detalhe}` })));
        if (!failed) continue;
        injected += 1;
        break;
      }
      await tracer[Symbol.asyncDispose]();
      if (injected === before) {
        violacoes.push({ regra: 'R08', detalhe: `n=${n}: nenhum fsync falhou` });
      }
      const ready = await fetch(`${bancada.sonda.url}/readyz`).catch(() => null);
      if (ready?.status === 200) {
        violacoes.push({ regra: 'R08', detalhe: `n=${n}: o processo ainda se diz pronto` });
      }
      // As the orchestrator does with a process that is not ready; then everything must be sound.
      await bancada.matar();
      await bancada.iniciar({ env: { MALOTE_MODO: 'tudo' } });
      for (const arquivo of remessa.arquivos.slice(-2)) await bancada.enviar(arquivo);
      violacoes.push(...(await bancada.concluir()));
      contexto.aoAvancar(`n=${n}`);
    }
    return {
      feito: `EIO no 1º ao ${enesimas}º fsync de cada thread (${injected} injetados)`,
      medido:
        'nenhum 200 ao que não ficou durável; readyz deixa de responder 200; depois de reiniciar, tudo confere',
      violacoes,
    };
  },
};

/**
 * Ticket and PUT, one after the other. A PUT whose file or folder was not synced must not say 200; nor may one that met
 * a failed sync of the log and has no good one behind it (the failed one may be of the token's last use).
 */
async function enviarUma(
  bancada: Bancada,
  tracer: Rastreador,
  arquivo: Parameters<Bancada['anunciar']>[0],
): Promise<{ failed: boolean; broken: string[] }> {
  const { sonda, escritorio } = bancada;
  const isFailure = ({ resultado }: Chamada) => /INJECTED/.test(resultado);
  bancada.anunciar(arquivo);
  const atTicket = tracer.lugar;
  const { nome, extension, bytes } = arquivo;
  const ticket = await sonda.ticket(escritorio, { nome, size: bytes.length, extension });
  if (tracer.chamadas(atTicket).some(isFailure)) return { failed: true, broken: [] };
  if (!ticket) return { failed: false, broken: ['nenhum bilhete, sem falha'] };
  const atPut = tracer.lugar;
  const status = await sonda.put(ticket, bytes);
  if (status === 200) bancada.aceito(ticket.id);
  const calls = tracer.chamadas(atPut);
  const at = calls.findIndex(isFailure);
  const failure = calls[at];
  if (!failure) return { failed: false, broken: status === 200 ? [] : [`PUT ${status} sem falha`] };
  const ofLog = /-wal>/.test(failure.argumentos);
  const committed = calls.slice(at + 1).some((call) => /-wal>/.test(call.argumentos) && !isFailure(call));
  if (status !== 200 || (ofLog && committed)) return { failed: true, broken: [] };
  return { failed: true, broken: [`PUT 200 apesar de ${failure.nome}(${failure.argumentos}) ter falhado`] };
}

/** The tracer writes a call down after it has returned: the answer is here before its own line is. */
const SEEN_WITHIN_MS = 60_000;

/** What must have returned, in this order, before the 200 is written. */
const ORDEM: readonly { passo: string; e: (call: Chamada, id: string) => boolean }[] = [
  { passo: 'write', e: ({ nome, argumentos }, id) => /^p?write/.test(nome) && temporary(argumentos, id) },
  {
    passo: 'fdatasync do arquivo',
    e: ({ nome, argumentos }, id) => /sync$/.test(nome) && temporary(argumentos, id),
  },
  { passo: 'rename', e: ({ nome, argumentos }, id) => /^rename/.test(nome) && argumentos.includes(id) },
  {
    passo: 'fsync da pasta',
    e: ({ nome, argumentos }) => nome === 'fsync' && /\/arquivos\/\w\w>/.test(argumentos),
  },
  { passo: 'commit durável', e: ({ nome, argumentos }) => /sync$/.test(nome) && /-wal>/.test(argumentos) },
  {
    passo: '200',
    e: ({ nome, argumentos }) =>
      /^(write|writev|sendto|sendmsg)$/.test(nome) && /HTTP\/1\.1 200/.test(argumentos),
  },
];

function temporary(argumentos: string, id: string): boolean {
  return argumentos.includes('/arquivos/tmp/') && argumentos.includes(id);
}

export const ordemDaDurabilidade: Cenario = {
  id: 'R09',
  titulo:
    'ordem das chamadas por trás de cada 200: write, fdatasync, rename, fsync da pasta, commit, resposta',
  motores: ['sqlite'],
  async rodar(contexto) {
    const uploads = quanto(contexto, 8, 100);
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r09`,
      clientes: 2,
      documentos: uploads * 3,
      porArquivo: 2,
    });
    await using bancada = await Bancada.abrir({
      motor: contexto.motor,
      remessa,
      env: { MALOTE_MODO: 'api' },
      acompanhar: false,
    });
    await bancada.iniciar();
    const trace = [
      '-e',
      'trace=write,pwrite64,pwritev,writev,sendto,sendmsg,fsync,fdatasync,rename,renameat,renameat2',
    ];
    const violacoes: Violacao[] = [];
    {
      await using tracer = await Rastreador.seguir(bancada.processo().child.pid ?? 0, trace);
      for (const arquivo of remessa.arquivos.slice(0, uploads)) {
        const { sonda, escritorio } = bancada;
        bancada.anunciar(arquivo);
        const { nome, extension, bytes } = arquivo;
        const ticket = await sonda.ticket(escritorio, { nome, size: bytes.length, extension });
        if (!ticket) throw new Error('no ticket');
        const from = tracer.lugar;
        if ((await sonda.put(ticket, bytes)) !== 200) throw new Error('not acknowledged');
        bancada.aceito(ticket.id);
        const firstMissing = () => foraDeOrdem(tracer.chamadas(from), ticket.id);
        await ate(() => firstMissing() === null, SEEN_WITHIN_MS);
        const missing = firstMissing();
        if (missing !== null)
          violacoes.push({ regra: 'R09', detalhe: `${ticket.id}: ${missing} não veio na ordem` });
      }
    }
    await bancada.matar();
    await bancada.iniciar({ env: { MALOTE_MODO: 'tudo' } });
    return {
      feito: `${uploads} envios, cada um com as ${ORDEM.length} etapas`,
      medido: 'todas presentes e em ordem, vistas por strace',
      violacoes: [...violacoes, ...(await bancada.concluir())],
    };
  },
};

/** The first step that did not come behind the one before it; null when all did. */
function foraDeOrdem(calls: readonly Chamada[], id: string): string | null {
  let at = 0;
  for (const { passo, e } of ORDEM) {
    const found = calls.findIndex((call, index) => index >= at && e(call, id));
    if (found < 0) return passo;
    at = found + 1;
  }
  return null;
}
