import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ArquivoDaEntrada, arquivosDe } from '../cliente/arquivos.ts';
import type { Cliente, DocumentoComNsu } from '../cliente/cliente.ts';
import { syncFolder } from '../platform/sync-folder.ts';
import { estadoInvalido, readEstado, storeEstado } from './estado.ts';
import { Arrumacao, type Gravado, storeDocumento } from './exportar-pasta.ts';
import { createProgresso } from './progresso.ts';
import { FalhaDoComando, type Saida } from './saida.ts';

const STATE_FILE = '.malote-nsu.json';
/** Since 2, what is cancelled or denied lies in folders of its own. */
const VERSAO_DO_ESTADO = 2;
const PAGE_SIZE = 100;
/** While nothing is downloaded, pages are small. */
const PAGE_SIZE_SEM_BYTES = 500;
/** Downloads at once: enough to hide the way to the server, few enough to be a polite client. */
const DOWNLOADS = 6;

export interface ResumoDaExportacao {
  pasta: string;
  desde: number;
  /** Last NSU that lies safely in the folder. */
  nsu: number;
  /** Entries of the feed; one of an event shows its document again. */
  documentos: number;
  /** Files, of documents and of events. */
  novos: number;
  iguais: number;
  substituidos: number;
  /** Entries whose content the server has deleted: there is nothing to save. */
  excluidos: number;
  /** Files whose document is now in another situation, such as cancelled: they were moved to its folder. */
  movidos: number;
}

interface Pedido {
  /** Used while the folder has no NSU of its own. */
  desde: number;
  pasta: string;
  /** Take the text out of the pages instead of downloading the original bytes one by one. */
  comXml: boolean;
  /** Whose documents the folder receives; another one's are refused. */
  dono: { servidor: string; codigoCrm: string; cpfCnpj: string };
}

/** Brings a folder up to date with a client's feed, going on at the NSU that the folder remembers. */
export async function exportar(
  deps: { cliente: Cliente; saida: Saida },
  pedido: Pedido,
): Promise<ResumoDaExportacao> {
  const statePath = join(pedido.pasta, STATE_FILE);
  const estado = await readEstado(statePath);
  const daPasta = readNsu(estado, pedido);
  const desde = Math.max(pedido.desde, daPasta);
  const counts = { novo: 0, igual: 0, substituido: 0, excluido: 0, movido: 0 };
  const resumo = { pasta: pedido.pasta, desde, nsu: desde, documentos: 0 };
  const progresso = createProgresso(deps.saida, { total: 0, unidade: 'documentos' });
  try {
    if (daPasta > 0 && estado?.versao !== VERSAO_DO_ESTADO)
      counts.movido += await arrumarDeAntes(deps, { pedido, ate: daPasta });
    for (;;) {
      const pagina = await deps.cliente.novos(resumo.nsu, { tamanho: PAGE_SIZE, xml: pedido.comXml });
      // A client that is refused leaves no empty folder.
      await mkdir(pedido.pasta, { recursive: true });
      const { documentos } = pagina;
      const last = documentos.at(-1);
      if (!last) break;
      progresso.total(resumo.documentos + pagina.total);
      const arrumacao = new Arrumacao(pedido.pasta);
      const aGravar = documentos.flatMap((documento) =>
        arquivosDe(documento).map((arquivo) => ({ documento, arquivo })),
      );
      for (const documento of documentos) counts.movido += await arrumacao.arrumar(documento);
      await saveInOrder(aGravar, async ({ documento, arquivo }) => {
        const outcome = await saveOne(deps.cliente, pedido, { documento, arquivo });
        // A document that an event shows again is nearly always there: that is no news.
        const deNovo = arquivo.de === 'documento' && documento.evento !== null;
        if (outcome !== 'igual' || !deNovo) counts[outcome]++;
        if (outcome === 'substituido')
          progresso.dizer(`  ${documento.chave}: chegou outra versão; a anterior foi guardada ao lado.`);
        if (outcome === 'excluido')
          progresso.dizer(`  NSU ${documento.nsu}, ${documento.chave}: conteúdo excluído ao fim da guarda.`);
      });
      progresso.avancar(documentos.length);
      const saved = aGravar.filter(({ arquivo }) => arquivo.url !== '');
      const folders = saved.map(({ arquivo }) => dirname(join(pedido.pasta, arquivo.lugar)));
      for (const folder of new Set([...folders, ...arrumacao.mudadas])) await syncFolder(folder);
      resumo.nsu = last.nsu;
      resumo.documentos += documentos.length;
      // Only now: whoever finds this NSU finds everything up to it.
      await storeEstado(statePath, { versao: VERSAO_DO_ESTADO, ...pedido.dono, nsu: resumo.nsu });
      if (documentos.length < PAGE_SIZE) break;
    }
  } finally {
    progresso.fim();
  }
  const {
    novo: novos,
    igual: iguais,
    substituido: substituidos,
    excluido: excluidos,
    movido: movidos,
  } = counts;
  return { ...resumo, novos, iguais, substituidos, excluidos, movidos };
}

/**
 * A folder that an earlier version filled has cancelled notes among the others: each entry is asked for its situation once more,
 * and nothing is downloaded.
 * @returns how many files were moved
 */
async function arrumarDeAntes(
  deps: { cliente: Cliente; saida: Saida },
  { pedido, ate }: { pedido: Pedido; ate: number },
): Promise<number> {
  const arrumacao = new Arrumacao(pedido.pasta);
  let movidos = 0;
  for await (const documento of deps.cliente.percorrer(0, { tamanho: PAGE_SIZE_SEM_BYTES })) {
    if (documento.nsu > ate) break;
    movidos += await arrumacao.arrumar(documento);
  }
  for (const folder of arrumacao.mudadas) await syncFolder(folder);
  await storeEstado(join(pedido.pasta, STATE_FILE), { versao: VERSAO_DO_ESTADO, ...pedido.dono, nsu: ate });
  return movidos;
}

interface AGravar {
  documento: DocumentoComNsu;
  arquivo: ArquivoDaEntrada;
}

/**
 * Saves the files of a page, several at once. Entries that go to the same file (a document that was updated, or that an
 * event is about) keep their order.
 */
async function saveInOrder(aGravar: readonly AGravar[], save: (um: AGravar) => Promise<void>): Promise<void> {
  const queues = [...Map.groupBy(aGravar, ({ arquivo }) => arquivo.lugar).values()];
  const work = async () => {
    for (let queue = queues.shift(); queue; queue = queues.shift()) for (const um of queue) await save(um);
  };
  await Promise.all(Array.from({ length: DOWNLOADS }, work));
}

async function saveOne(
  cliente: Cliente,
  pedido: Pedido,
  { documento, arquivo }: AGravar,
): Promise<Gravado | 'excluido'> {
  if (arquivo.url === '') return 'excluido';
  return storeDocumento(join(pedido.pasta, arquivo.lugar), await bytesOf(cliente, { documento, arquivo }));
}

async function bytesOf(cliente: Cliente, { documento, arquivo }: AGravar): Promise<Uint8Array> {
  if (arquivo.xml !== '') return Buffer.from(arquivo.xml);
  return arquivo.de === 'evento' ? cliente.baixarEvento(documento) : cliente.baixar(documento);
}

function readNsu(state: Record<string, unknown> | null, { dono, pasta }: Pedido): number {
  if (state === null) return 0;
  for (const [name, value] of Object.entries(dono)) {
    if (state[name] !== value) {
      throw new FalhaDoComando(
        'pasta_de_outro_cliente',
        `A pasta ${pasta} já recebe documentos de outro lugar (${name}: ${String(state[name])}). Escolha outra pasta.`,
      );
    }
  }
  if (typeof state.nsu !== 'number' || !Number.isSafeInteger(state.nsu) || state.nsu < 0)
    throw estadoInvalido(join(pasta, STATE_FILE));
  return state.nsu;
}
