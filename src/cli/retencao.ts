/** `malote retencao …`: terms, legal holds, and the deletion in two steps. */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { diaDe } from '../fiscal/dia.ts';
import { syncFolder } from '../platform/sync-folder.ts';
import {
  askForExclusao,
  cancelExclusao,
  confirmExclusao,
  downloadPacote,
  exclusaoDe,
  listExclusoes,
  resumeExclusao,
} from '../retencao/exclusoes.ts';
import { releasePacotes } from '../retencao/executar.ts';
import { advanceExclusao } from '../retencao/executor.ts';
import { type Guarda, liftGuarda, listGuardas, putGuarda } from '../retencao/guardas.ts';
import { previaDe } from '../retencao/previa.ts';
import type { Exclusao } from '../retencao/queries-exclusoes.ts';
import { setPrazo } from '../retencao/regras.ts';
import { contar } from './contar.ts';
import { comArquivos, type DepsComArquivos, type DoEscritorio, noEscritorio } from './deps.ts';
import { CRM, type Executar, inteiro, MAX_ID, type Registrar, required } from './programa.ts';

const AUTOR = 'cli';
/** Whoever has taken the deletion tells nobody when its step is done. */
const AGAIN_MS = 500;

export const registerRetencao: Registrar = (program: Command, executar) => {
  const retencao = program
    .command('retencao')
    .description('prazos de guarda, guardas legais e exclusão do que venceu');
  registerPrazos(retencao, executar);
  registerGuardas(retencao, executar);
  registerCopia(retencao, executar);
  registerExclusao(retencao, executar);
  registerLista(retencao, executar);
};

function registerPrazos(retencao: Command, executar: Executar): void {
  required(retencao.command('previa'), CRM)
    .description('conta o que venceu, o que está sob guarda legal e o que vencerá; não muda nada')
    .action(
      executar<{ crm: string }>(async ({ opcoes, saida }) => {
        const previa = await noEscritorio(opcoes.crm, (deps, { contadorId }) =>
          previaDe(deps, { contadorId }),
        );
        saida.resultado(previa, [
          'modelo   prazo (meses)   vencidos   sob guarda   em 30 dias   em 90 dias   em 1 ano',
          ...previa.linhas.map((linha) => {
            const meses = previa.prazos.find(({ modelo }) => modelo === linha.modelo)?.meses ?? 0;
            const { vencidos, sobGuarda, em30Dias, em90Dias, em365Dias } = linha;
            const cells = [meses, vencidos, sobGuarda, em30Dias, em90Dias, em365Dias];
            return `${linha.modelo.padEnd(6)}${cells.map((cell) => String(cell).padStart(13)).join('')}`;
          }),
        ]);
      }),
    );
  required(retencao.command('prazo'), {
    ...CRM,
    '--modelo <modelo>': "55, 65, 57, 67, 64, 59, NFSe, ou '*' para todos os que não têm prazo próprio",
    '--meses <n>': "meses de guarda, a partir da emissão; 'padrao' volta ao padrão",
  })
    .description('define por quantos meses os documentos de um modelo são guardados')
    .action(
      executar<{ crm: string; modelo: string; meses: string }>(async ({ opcoes, saida }) => {
        const meses = opcoes.meses === 'padrao' ? null : Number(opcoes.meses);
        await noEscritorio(opcoes.crm, (deps, { contadorId }) =>
          setPrazo(deps, { contadorId, autor: AUTOR, modelo: opcoes.modelo, meses }),
        );
        saida.resultado({ modelo: opcoes.modelo, meses }, ['Prazo gravado.']);
      }),
    );
}

function registerGuardas(retencao: Command, executar: Executar): void {
  required(retencao.command('guardar'), { ...CRM, '--motivo <texto>': 'por que os documentos são guardados' })
    .option('--cpf-cnpj <numero>', 'só os documentos deste cliente')
    .option('--chave <chave>', 'só o documento com esta chave, e os seus eventos')
    .option('--modelo <modelo>', 'só os documentos deste modelo')
    .option('--de <dia>', 'emitidos a partir deste dia (AAAA-MM-DD)')
    .option('--ate <dia>', 'emitidos até este dia (AAAA-MM-DD)')
    .description('põe documentos sob guarda legal: não são excluídos enquanto ela durar')
    .action(
      executar<Record<'crm' | 'motivo', string> & Partial<Record<string, string>>>(
        async ({ opcoes, saida }) => {
          const { motivo, cpfCnpj, chave, modelo, de, ate } = opcoes;
          const guarda = { motivo, cpfCnpj, chave, modelo, emissaoDe: de, emissaoAte: ate };
          const { id } = await noEscritorio(opcoes.crm, (deps, { contadorId }) =>
            putGuarda(deps, { contadorId, autor: AUTOR, guarda }),
          );
          saida.resultado({ id }, [`Guarda legal ${id} em vigor.`]);
        },
      ),
    );
  required(retencao.command('levantar'), { ...CRM, '--motivo <texto>': 'por que ela termina' })
    .requiredOption(
      '--id <n>',
      'número da guarda legal, como em `retencao guardas`',
      inteiro('--id', 1, MAX_ID),
    )
    .description('termina uma guarda legal')
    .action(
      executar<{ crm: string; id: number; motivo: string }>(async ({ opcoes, saida }) => {
        const { id, motivo } = opcoes;
        await noEscritorio(opcoes.crm, (deps, { contadorId }) =>
          liftGuarda(deps, { contadorId, autor: AUTOR, id, motivo }),
        );
        saida.resultado({ id }, [`Guarda legal ${id} levantada.`]);
      }),
    );
  required(retencao.command('guardas'), CRM)
    .description('lista as guardas legais, as em vigor primeiro')
    .action(
      executar<{ crm: string }>(async ({ opcoes, saida }) => {
        const guardas = await noEscritorio(opcoes.crm, (deps, { contadorId }) =>
          listGuardas(deps.db.read, contadorId),
        );
        saida.resultado(
          { guardas },
          guardas.length === 0 ? ['Nenhuma guarda legal.'] : guardas.map(lineOfGuarda),
        );
      }),
    );
}

/** The first step of a deletion: what is to go, and its copy. */
function registerCopia(retencao: Command, executar: Executar): void {
  required(retencao.command('preparar'), CRM)
    .description('primeiro passo da exclusão: lista o que venceu e faz a cópia em ZIP; nada é excluído')
    .action(
      executar<{ crm: string }>(async ({ opcoes, saida }) => {
        const exclusao = await comPacotes(opcoes.crm, async (deps, { contadorId }) => {
          const { id } = await askForExclusao(deps, { contadorId, autor: AUTOR });
          return advanceHere(deps, { contadorId, id });
        });
        saida.resultado(exclusao, [
          `Exclusão ${exclusao.id}: ${contar(exclusao.documentos, 'documento')} em ${contar(exclusao.pacotes.length, 'pacote')}.`,
          `Baixe a cópia: malote retencao baixar --crm ${opcoes.crm} --id ${exclusao.id} --para <pasta>`,
          `Depois confirme: malote retencao confirmar --crm ${opcoes.crm} --id ${exclusao.id}`,
        ]);
      }),
    );
  required(retencao.command('baixar'), {
    ...CRM,
    '--id <id>': 'id da exclusão',
    '--para <pasta>': 'pasta que recebe os ZIPs',
  })
    .description('baixa a cópia em ZIP de uma exclusão preparada')
    .action(
      executar<{ crm: string; id: string; para: string }>(async ({ opcoes, saida }) => {
        const arquivos = await comPacotes(opcoes.crm, async (deps, { contadorId }) => {
          const { pacotes } = await exclusaoDe(deps.db.read, { contadorId, id: opcoes.id });
          const written: string[] = [];
          await mkdir(opcoes.para, { recursive: true });
          for (const { parte } of pacotes) {
            const input = { contadorId, autor: AUTOR, id: opcoes.id, parte };
            await downloadPacote(deps, input, async ({ nome, stream }) => {
              const path = join(opcoes.para, nome);
              await pipeline(stream, createWriteStream(path, { flush: true }));
              await syncFolder(opcoes.para);
              written.push(path);
            });
          }
          return written;
        });
        saida.resultado({ arquivos }, arquivos);
      }),
    );
}

/** The second step, and what becomes of one that is not to go on, or could not. */
function registerExclusao(retencao: Command, executar: Executar): void {
  required(retencao.command('confirmar'), { ...CRM, '--id <id>': 'id da exclusão' })
    .description('segundo passo: exclui o que foi preparado; o que entrou em guarda legal fica')
    .action(
      executar<{ crm: string; id: string }>(async ({ opcoes, saida }) => {
        const exclusao = await comPacotes(opcoes.crm, async (deps, { contadorId }) => {
          await confirmExclusao(deps, { contadorId, autor: AUTOR, id: opcoes.id });
          const done = await advanceHere(deps, { contadorId, id: opcoes.id });
          await releasePacotes(deps);
          return done;
        });
        saida.resultado(exclusao, [
          `${contar(exclusao.excluidos, 'documento excluído', 'documentos excluídos')}, ${contar(exclusao.mantidos, 'mantido')}.`,
          `${contar(exclusao.arquivos_apagados, 'arquivo enviado apagado', 'arquivos enviados apagados')}; ${contar(exclusao.arquivos_mantidos, 'ainda tem', 'ainda têm')} outros documentos.`,
        ]);
      }),
    );
  required(retencao.command('cancelar'), { ...CRM, '--id <id>': 'id da exclusão' })
    .description('desiste de uma exclusão antes que algo seja excluído')
    .action(
      executar<{ crm: string; id: string }>(async ({ opcoes, saida }) => {
        await noEscritorio(opcoes.crm, (deps, { contadorId }) =>
          cancelExclusao(deps, { contadorId, autor: AUTOR, id: opcoes.id }),
        );
        saida.resultado({ id: opcoes.id }, ['Exclusão cancelada; nada foi excluído.']);
      }),
    );
  required(retencao.command('retomar'), { ...CRM, '--id <id>': 'id da exclusão' })
    .description('tenta de novo o passo em que uma exclusão falhou')
    .action(
      executar<{ crm: string; id: string }>(async ({ opcoes, saida }) => {
        const exclusao = await comPacotes(opcoes.crm, async (deps, { contadorId }) => {
          await resumeExclusao(deps, { contadorId, autor: AUTOR, id: opcoes.id });
          return advanceHere(deps, { contadorId, id: opcoes.id });
        });
        saida.resultado(exclusao, [
          `Exclusão ${exclusao.id}: ${exclusao.estado}, ${contar(exclusao.excluidos, 'documento excluído', 'documentos excluídos')}.`,
        ]);
      }),
    );
}

function registerLista(retencao: Command, executar: Executar): void {
  required(retencao.command('exclusoes'), CRM)
    .description('lista as exclusões, a mais nova primeiro')
    .action(
      executar<{ crm: string }>(async ({ opcoes, saida }) => {
        const exclusoes = await noEscritorio(opcoes.crm, (deps, { contadorId }) =>
          listExclusoes(deps.db.read, contadorId),
        );
        saida.resultado(
          { exclusoes },
          exclusoes.length === 0 ? ['Nenhuma exclusão.'] : exclusoes.map(lineOfExclusao),
        );
      }),
    );
}

/** With the stored files at hand, where the copies of a deletion lie. */
function comPacotes<T>(
  crm: string,
  act: (deps: DepsComArquivos, contador: DoEscritorio) => Promise<T>,
): Promise<T> {
  return noEscritorio(crm, (deps, contador) => comArquivos(deps, (all) => act(all, contador)));
}

/** Does the next step in this very process; a server that is running may have taken it already. */
async function advanceHere(deps: DepsComArquivos, input: { contadorId: number; id: string }) {
  for (;;) {
    const exclusao = await exclusaoDe(deps.db.read, input);
    if (exclusao.estado !== 'preparando' && exclusao.estado !== 'confirmada') return exclusao;
    if (!(await advanceExclusao(deps, { exclusao, por: `cli-${process.pid}` }))) await sleep(AGAIN_MS);
  }
}

/** The day is that of the office, which has São Paulo's calendar. */
export function lineOfExclusao(
  exclusao: Pick<Exclusao, 'id' | 'estado' | 'documentos' | 'excluidos' | 'criada_em' | 'erro'>,
): string {
  const { id, estado, documentos, excluidos, criada_em, erro } = exclusao;
  const quantos = `${contar(documentos, 'documento')}, ${contar(excluidos, 'excluído')}`;
  const fields = [id, diaDe(criada_em), estado.padEnd(10), quantos, erro];
  return fields.filter((field) => field !== null).join('  ');
}

function lineOfGuarda(guarda: Guarda): string {
  const { cliente, chave, modelo, emissaoDe, emissaoAte } = guarda;
  const limites = [
    cliente && `cliente ${cliente.cpfCnpj}`,
    chave && `chave ${chave}`,
    modelo && `modelo ${modelo}`,
    emissaoDe && `de ${emissaoDe}`,
    emissaoAte && `até ${emissaoAte}`,
  ].filter(Boolean);
  const estado = guarda.levantadaEm === null ? 'em vigor' : 'levantada';
  return `${guarda.id}  ${estado}  ${limites.join(', ') || 'todo o escritório'}  ${guarda.motivo}`;
}
