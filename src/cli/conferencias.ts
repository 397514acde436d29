/** What `malote verificar` looks at: the database itself, the vault, the uploads, the audit log. It changes nothing. */
import { verifyAuditoria } from '../auditoria/verificar.ts';
import { MIGRATIONS } from '../banco/migrations.ts';
import type { Achado as AchadoNoCofre } from '../documentos/verify/achados.ts';
import { conferenciasDoCofre } from '../documentos/verify/verificar.ts';
import { loadEsquemas } from '../importacao/standards/esquemas-instalados.ts';
import { isSurroundings } from '../importacao/storing/surroundings.ts';
import { checkEngine } from '../platform/db/engine-check.ts';
import type { EngineFault } from '../platform/db/engine-fault.ts';
import { checkEnvios, findOrfaos } from './conferir-arquivos.ts';
import { checkSelados } from './conferir-selados.ts';
import { contar } from './contar.ts';
import type { DepsComArquivos } from './deps.ts';
import { autoridadesDe, readEnvioDe } from './ler-envio.ts';
import { destinoDe, faltaDoOrfao } from './orfaos.ts';
import { createProgresso } from './progresso.ts';
import * as queries from './queries-verificar.ts';
import type { Saida } from './saida.ts';

/** Something that must not be. */
interface Achado {
  conferencia: string;
  mensagem: string;
}

export interface Relatorio {
  clientes: number;
  documentos: number;
  entradas: number;
  versoes: number;
  /** Uploaded files whose bytes were read and compared. */
  arquivos: number;
  achados: Achado[];
  /** Oddities that lose nothing, such as bytes that are stored a second time. */
  avisos: string[];
}

/** A report, and the findings in it that something may be done about. */
interface Conferido {
  relatorio: Relatorio;
  doBanco: EngineFault[];
  doCofre: AchadoNoCofre[];
}

/** Under which name a finding of the vault is shown: what a person would look into. */
const CONFERENCIA_DO_CODIGO: Readonly<Record<string, string>> = {
  nsu_com_lacuna: 'nsu',
  contagem_errada: 'contagem',
  entrada_de_outro_escritorio: 'escritorio',
  documento_de_outro_escritorio: 'escritorio',
  arquivo_de_outro_escritorio: 'escritorio',
  entrada_sem_listagem: 'listagem',
  listagem_com_nsu_antigo: 'listagem',
  listagem_sem_entrada: 'listagem',
  listagem_divergente: 'listagem',
  papel_errado: 'listagem',
  repetida_errada: 'listagem',
  versao_servida: 'versoes',
  conteudo_ausente: 'versoes',
  conteudo_danificado: 'sha256',
  linha_divergente: 'linhas',
  versao_divergente: 'linhas',
  partes_divergentes: 'linhas',
  entrada_divergente: 'listagem',
};

/** Tables whose rows are compared with what they follow from, and written anew from that. */
const TABELAS_DERIVADAS: ReadonlySet<string> = new Set([
  'documento',
  'versao',
  'conteudo',
  'bloco',
  'certificado_de_documento',
  'participante',
  'participacao',
  'contagem',
  'empresa',
  'empresa_palavra',
  'item',
  'job',
]);

const O_QUE_FAZER: Readonly<Record<EngineFault['remedio'], string>> = {
  refazer_indice:
    '--reparar o refaz a partir da tabela; se não puder, por haver nela linhas que não podem ser iguais, restaure uma cópia de segurança',
  escolher:
    'nada diz qual dos dois vale: restaure uma cópia de segurança; ou, se o da tabela está certo, --reparar --aceitar e o nome da tabela',
  refazer_arquivo:
    'as linhas se leem todas: faça uma cópia (malote backup) e restaure-a (malote restaurar --substituir), que refaz o arquivo',
  restaurar:
    'não se conserta: restaure uma cópia de segurança; os envios feitos depois dela são importados de novo por --reparar',
};

/** Looks at everything that must hold in the installation; may run beside the server. */
export async function conferir(deps: DepsComArquivos, saida: Saida): Promise<Conferido> {
  const engine = await checkEngine(deps.config, { folder: MIGRATIONS, derived: TABELAS_DERIVADAS });
  const achados: Achado[] = engine.faults.map(({ mensagem, remedio }) => ({
    conferencia: 'banco',
    mensagem: `${mensagem}; ${O_QUE_FAZER[remedio]}`,
  }));
  const part = async (conferencia: string, act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      // A database or a store that is away says nothing about what is kept.
      if (isSurroundings(error)) throw error;
      achados.push({ conferencia, mensagem: parou(conferencia, error) });
    }
  };
  const counts = { clientes: 0, documentos: 0, entradas: 0, versoes: 0 };
  await part('banco', async () => void Object.assign(counts, await queries.countRows(deps.db.read)));
  const doCofre = await checkCofre(deps, { saida, versoes: counts.versoes, part });
  for (const { codigo, alvo, mensagem } of doCofre) {
    achados.push({
      conferencia: CONFERENCIA_DO_CODIGO[codigo] ?? codigo,
      mensagem: `${alvo}: ${mensagem}`,
    });
  }
  const files = { arquivos: 0, sobras: 0 };
  await part('arquivos', () => checkArquivos(deps, { achados, files }));
  await part('auditoria', () => checkAuditoria(deps, achados));
  const avisos = [...engine.avisos, ...avisoDasSobras(files.sobras)];
  await part('selados', async () => {
    const { faltas, aviso } = await checkSelados(deps);
    achados.push(...faltas.map((mensagem) => ({ conferencia: 'selados', mensagem })));
    if (aviso) avisos.push(aviso);
  });
  const relatorio = { ...counts, arquivos: files.arquivos, achados, avisos };
  return { relatorio, doBanco: engine.faults, doCofre };
}

/** Does one part of the check. */
type Parte = (conferencia: string, act: () => Promise<void>) => Promise<void>;

function parou(conferencia: string, error: unknown): string {
  return `a conferência de ${conferencia} parou em algo que não se lê (${(error as Error).message}); ${O_QUE_FAZER.restaurar}`;
}

/** What does not hang together in the vault, part by part. */
export async function checkCofre(
  deps: DepsComArquivos,
  input: { saida: Saida; versoes: number; part: Parte },
): Promise<AchadoNoCofre[]> {
  const found: AchadoNoCofre[] = [];
  const progresso = createProgresso(input.saida, { total: input.versoes, unidade: 'documentos conferidos' });
  try {
    const { homologacao } = deps.config;
    const aoConferir = (versoes: number) => progresso.avancar(versoes);
    const autoridades = await autoridadesDe(deps);
    const validador = loadEsquemas(deps.config);
    const options = { homologacao, aoConferir, lerEnvio: readEnvioDe(deps), autoridades, validador };
    for (const { nome, achados } of conferenciasDoCofre(deps.db.read, options)) {
      await input.part(nome, async () => {
        for await (const achado of achados) found.push(achado);
      });
    }
  } finally {
    progresso.fim();
  }
  return found;
}

async function checkArquivos(
  deps: DepsComArquivos,
  { achados, files }: { achados: Achado[]; files: { arquivos: number; sobras: number } },
): Promise<void> {
  const conferencia = 'arquivos';
  for await (const { conferidos, faltas } of checkEnvios(deps)) {
    files.arquivos += conferidos;
    achados.push(...faltas.map((mensagem) => ({ conferencia, mensagem })));
  }
  for (const { id } of await queries.findSemTrabalho(deps.db.read)) {
    const mensagem = `arquivo ${id}: recebido, e não há trabalho que o importe; --reparar o põe na fila`;
    achados.push({ conferencia: 'fila', mensagem });
  }
  for await (const key of findOrfaos(deps)) {
    const orfao = await destinoDe(deps, key);
    const mensagem = orfao && faltaDoOrfao(orfao);
    if (mensagem) achados.push({ conferencia, mensagem });
    else if (orfao) files.sobras += 1;
  }
}

async function checkAuditoria({ db }: DepsComArquivos, achados: Achado[]): Promise<void> {
  const { quebra } = await verifyAuditoria(db.read);
  if (!quebra) return;
  const mensagem = `registro ${quebra.n}: ${quebra.mensagem} Não se conserta: veja malote auditoria verificar`;
  achados.push({ conferencia: 'auditoria', mensagem });
}

function avisoDasSobras(sobras: number): string[] {
  if (sobras === 0) return [];
  const quantas = contar(sobras, 'arquivo guardado', 'arquivos guardados');
  return [`${quantas} a mais: o que traz está também em outro lugar; --reparar apaga.`];
}
