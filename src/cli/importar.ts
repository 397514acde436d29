import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import {
  ArquivoGrandeDemais,
  type Cliente,
  criarCliente,
  type ItemDoArquivo,
  RequisicaoInvalida,
} from '../cliente/cliente.ts';
import { PROBLEMAS } from '../documentos/tipos.ts';
import { contar } from './contar.ts';
import {
  type ArquivoLocal,
  type Ilegivel,
  listArquivos,
  packArquivos,
  planRemessas,
  type Remessa,
} from './importar-arquivos.ts';
import { Feitos } from './importar-feitos.ts';
import { comAcesso, type Registrar } from './programa.ts';
import { createProgresso, type Progresso } from './progresso.ts';
import { describeError, FalhaDoComando, type Saida } from './saida.ts';

const STATE_FILE = '.malote-importar.json';
/** What keeps a file from being done: it is sent again the next time. */
const PROBLEMS: ReadonlySet<string> = new Set(PROBLEMAS);
const SHOWN_PROBLEMS = 200;

interface ProblemaDeImportacao {
  /** The user's file. */
  arquivo: string;
  /** Path inside that file, when it is a zip. */
  caminho: string;
  chave: string | null;
  resultado: string;
  codigo: string | null;
  mensagem: string;
  elemento: string | null;
}

interface ResumoDaImportacao {
  arquivos: number;
  enviados: number;
  jaEnviados: number;
  ignorados: number;
  comProblema: number;
  /** Items by `resultado`. */
  itens: Record<string, number>;
  problemas: ProblemaDeImportacao[];
}

interface Lido extends ArquivoLocal {
  bytes: Buffer;
  sha256: string;
}

/** Sends files through the HTTP API and tells what became of each; a file that was done before is left out. */
export async function importar(
  deps: { cliente: Cliente; saida: Saida },
  input: { caminhos: readonly string[]; servidor: string; estado: string | null },
): Promise<ResumoDaImportacao> {
  const { arquivos, ignorados, ilegiveis } = await listArquivos(input.caminhos);
  const feitos = await Feitos.open(input.estado, input.servidor);
  const resumo: ResumoDaImportacao = {
    arquivos: arquivos.length,
    enviados: 0,
    jaEnviados: 0,
    ignorados,
    comProblema: 0,
    itens: {},
    problemas: [],
  };
  const progresso = createProgresso(deps.saida, { total: arquivos.length, unidade: 'arquivos' });
  const noteUnread = ({ nome, erro }: Ilegivel) => {
    const problema = wholeFault(nome, 'arquivo_ilegivel', describeError(erro).mensagem);
    resumo.comProblema += 1;
    resumo.problemas.push(problema);
    progresso.dizer(problemLine(problema));
  };
  try {
    ilegiveis.forEach(noteUnread);
    for (const remessa of planRemessas(arquivos)) {
      const { lidos, ilegiveis: unread } = await readNew(remessa, feitos);
      unread.forEach(noteUnread);
      progresso.avancar(unread.length);
      const already = remessa.arquivos.length - lidos.length - unread.length;
      resumo.jaEnviados += already;
      progresso.avancar(already);
      if (lidos.length > 0)
        await sendOne({ ...deps, feitos, resumo, progresso }, { lidos, sozinho: remessa.sozinho });
      progresso.avancar(lidos.length);
    }
  } finally {
    progresso.fim();
  }
  return resumo;
}

/** Reads the files that were not sent before. One that cannot be read does not stop the others. */
async function readNew(remessa: Remessa, feitos: Feitos): Promise<{ lidos: Lido[]; ilegiveis: Ilegivel[] }> {
  const lidos: Lido[] = [];
  const ilegiveis: Ilegivel[] = [];
  for (const arquivo of remessa.arquivos) {
    try {
      const bytes = await readFile(arquivo.path);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      if (!feitos.has(sha256)) lidos.push({ ...arquivo, bytes, sha256 });
    } catch (erro) {
      ilegiveis.push({ nome: arquivo.nome, erro });
    }
  }
  return { lidos, ilegiveis };
}

interface Andamento {
  cliente: Cliente;
  feitos: Feitos;
  resumo: ResumoDaImportacao;
  progresso: Progresso;
}

async function sendOne(andamento: Andamento, remessa: { lidos: Lido[]; sozinho: boolean }): Promise<void> {
  const { cliente, feitos, resumo } = andamento;
  const [first] = remessa.lidos;
  if (!first) return;
  const bytes = remessa.sozinho ? first.bytes : await packArquivos(remessa.lidos);
  const extensao = remessa.sozinho ? first.extensao : '.zip';
  const faulty = new Set<string>();
  const note = (problema: ProblemaDeImportacao) => {
    faulty.add(problema.arquivo);
    resumo.problemas.push(problema);
    andamento.progresso.dizer(problemLine(problema));
  };
  const byName = new Map(remessa.lidos.map((lido) => [lido.nome, lido]));
  let known = true;
  try {
    const arquivo = await cliente.enviarArquivo(bytes, { extensao });
    const told: string[] = [];
    for await (const item of cliente.itensDoArquivo(arquivo.id)) {
      resumo.itens[item.resultado] = (resumo.itens[item.resultado] ?? 0) + 1;
      const owner = remessa.sozinho ? first : ownerOf(item, byName);
      if (owner) told.push(owner.nome);
      if (!PROBLEMS.has(item.resultado)) continue;
      note(problemOf(item, owner, remessa));
      known &&= owner !== undefined;
    }
    if (arquivo.status !== 'Uploaded') {
      const open = faulty.size === 0 ? remessa.lidos : unfinished(remessa.lidos, told);
      const fault = ({ nome }: Lido) => wholeFault(nome, 'com_erro', arquivo.log || arquivo.status);
      open
        .filter(({ nome }) => !faulty.has(nome))
        .map(fault)
        .forEach(note);
    }
  } catch (error) {
    // A fault of this very upload; without network or token there is no sense in trying the others.
    if (!(error instanceof ArquivoGrandeDemais || error instanceof RequisicaoInvalida)) throw error;
    for (const { nome } of remessa.lidos) note(wholeFault(nome, error.codigo, error.message));
  }
  resumo.enviados += remessa.lidos.length;
  resumo.comProblema += faulty.size;
  // A problem that is nobody's may be anybody's: a path that was too long is told cut.
  const done = known ? remessa.lidos.filter(({ nome }) => !faulty.has(nome)) : [];
  await feitos.add(done.map(({ sha256 }) => sha256));
}

/** When an import was given up: the file that it was at, and those that it did not come to. None when all were told of. */
function unfinished(lidos: readonly Lido[], told: readonly string[]): Lido[] {
  const known = new Set(told);
  if (lidos.every(({ nome }) => known.has(nome))) return [];
  return lidos.filter(({ nome }) => !known.has(nome) || nome === told.at(-1));
}

/** Packed by us, the first part of the path is the user's file; what follows lies inside that one. */
function ownerOf({ caminho }: ItemDoArquivo, byName: ReadonlyMap<string, Lido>): Lido | undefined {
  for (let end = caminho.length; end > 0; end = caminho.lastIndexOf('/', end - 1)) {
    const owner = byName.get(caminho.slice(0, end));
    if (owner) return owner;
  }
  return undefined;
}

function problemOf(
  item: ItemDoArquivo,
  owner: Lido | undefined,
  remessa: { sozinho: boolean },
): ProblemaDeImportacao {
  const { caminho, chave, resultado, codigo, elemento } = item;
  const nome = owner?.nome ?? caminho;
  const inside = remessa.sozinho ? caminho : caminho.slice(nome.length + 1);
  return {
    arquivo: nome,
    caminho: inside,
    chave,
    resultado,
    codigo,
    mensagem: item.mensagem ?? resultado,
    elemento,
  };
}

function wholeFault(arquivo: string, codigo: string, mensagem: string): ProblemaDeImportacao {
  return { arquivo, caminho: '', chave: null, resultado: 'rejeitado', codigo, mensagem, elemento: null };
}

function problemLine({ arquivo, caminho, mensagem, codigo }: ProblemaDeImportacao): string {
  return `  ✗ ${arquivo}${caminho === '' ? '' : ` › ${caminho}`}: ${mensagem}${codigo ? ` [${codigo}]` : ''}`;
}

/** `novo` 3, `duplicado` 1 → `3 novos, 1 duplicado`. */
function itemsLine(itens: Record<string, number>): string {
  const words: Record<string, [string, string]> = {
    novo: ['novo', 'novos'],
    atualizado: ['atualizado', 'atualizados'],
    duplicado: ['já existente', 'já existentes'],
    evento: ['evento', 'eventos'],
    esperado: ['chave esperada', 'chaves esperadas'],
    sem_cliente: ['sem cliente cadastrado', 'sem cliente cadastrado'],
    sem_leiaute: ['de leiaute que não é lido', 'de leiaute que não é lido'],
    homologacao: ['de homologação', 'de homologação'],
    conflito: ['em conflito', 'em conflito'],
    ignorado: ['ignorado', 'ignorados'],
    rejeitado: ['rejeitado', 'rejeitados'],
  };
  const parts = Object.entries(itens).map(([name, n]) => `${n} ${words[name]?.[n === 1 ? 0 : 1] ?? name}`);
  return parts.length === 0 ? 'nenhum documento' : parts.join(', ');
}

/** Where the state is kept unless told: in the folder that is imported. */
async function defaultState(caminhos: readonly string[]): Promise<string | null> {
  const [only] = caminhos;
  if (caminhos.length !== 1 || only === undefined || !(await stat(only)).isDirectory()) return null;
  return join(only, STATE_FILE);
}

interface Opcoes {
  url: string;
  token: string;
  estado?: string;
}

export const registerImportar: Registrar = (program: Command, executar) => {
  comAcesso(program.command('importar'))
    .argument('<caminhos...>', 'pastas e arquivos .xml, .zip ou .txt')
    .option(
      '--estado <arquivo>',
      `onde anotar o que já foi enviado (padrão: ${STATE_FILE} na pasta importada)`,
    )
    .description('envia arquivos pela API e mostra o resultado de cada um; pode ser interrompido e retomado')
    .action(
      executar<Opcoes>(async ({ argumentos, opcoes, saida }) => {
        const { url, token } = opcoes;
        const resumo = await importar(
          { cliente: criarCliente({ url, token }), saida },
          {
            caminhos: argumentos,
            servidor: url.replace(/\/+$/, ''),
            estado: opcoes.estado ?? (await defaultState(argumentos)),
          },
        );
        saida.resultado({ ...resumo, problemas: resumo.problemas.slice(0, SHOWN_PROBLEMS) }, [
          `${contar(resumo.enviados, 'arquivo enviado', 'arquivos enviados')}, ${contar(resumo.jaEnviados, 'já enviado', 'já enviados')} antes, ${contar(resumo.ignorados, 'de outro tipo ignorado', 'de outro tipo ignorados')}.`,
          `Documentos: ${itemsLine(resumo.itens)}.`,
        ]);
        if (resumo.comProblema > 0) {
          throw new FalhaDoComando(
            'importacao_com_erro',
            `${contar(resumo.comProblema, 'arquivo')} com problema.`,
          );
        }
      }),
    );
};
