/**
 * Makes mass exports beside the work: one at a time, into a folder of the data folder, for 24 hours. What a process
 * leaves behind when it ends is told as `interrompida`, and nothing of it stays on the disk.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../deps.ts';
import { ATO_DE_ACESSO, type RegistroDeAcessos } from '../../documentos/acessos.ts';
import { descomprimir } from '../../documentos/conteudo.ts';
import type { Codificacao } from '../../fiscal/tipos.ts';
import { DocumentoIlegivel, type LeitorDeDocumentos } from '../documento/leitor-de-documentos.ts';
import { findConteudo } from '../documento/queries-documento.ts';
import { tituloDoDocumento } from '../documento/vista.ts';
import type { Documento } from '../documentos/apresentar.ts';
import type { FiltroDeDocumentos } from '../documentos/filtro.ts';
import { totalDaLista } from '../documentos/lista.ts';
import { passaDoFiltro } from '../documentos/passa.ts';
import { ExportacaoGrandeDemais, paginasDeDocumentos } from './documentos.ts';
import { csv, planilha } from './planilha.ts';
import * as queries from './queries-exportacoes.ts';
import { type ArquivoDoDocumento, type Desenho, escreverZip } from './zip.ts';

/** Folder of the finished files, below the data folder. */
export const EXPORTACOES_FOLDER = 'exportacoes';
const VALE_MS = 24 * 3_600_000;
const LIMPEZA_MS = 10 * 60_000;
const PROGRESSO_MS = 1_000;
/** Documents of one ZIP: what two gigabytes hold, and a person can wait for. */
const ZIP_MAX = 200_000;
/** Rows of one table: five sheets of Excel. */
const TABELA_MAX = 5_000_000;
/** A PDF takes about a third of a second. */
export const PDF_MAX = 5_000;

export type TipoDeExportacao = 'zip' | 'xlsx' | 'csv';

export interface PedidoDeExportacao {
  tipo: TipoDeExportacao;
  filtro: FiltroDeDocumentos;
  pasta: string;
  comPdf: boolean;
}

export interface ExecutorDeps extends Pick<Deps, 'db' | 'clock' | 'log'> {
  dataFolder: string;
  leitor: LeitorDeDocumentos;
  acessos: RegistroDeAcessos;
}

interface Tarefa {
  id: string;
  pedido: PedidoDeExportacao;
  autor: string;
  abort: AbortController;
}

class Cancelada extends Error {}

export class ExecutorDeExportacoes {
  readonly #deps: ExecutorDeps;
  readonly #folder: string;
  /** Which process has the file: the same after a restart on the same folder. */
  readonly processo: string;
  readonly #fila: Tarefa[] = [];
  #atual: Tarefa | null = null;
  #working: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
    this.#folder = join(deps.dataFolder, EXPORTACOES_FOLDER);
    this.processo = `${hostname()}:${deps.dataFolder}`;
  }

  /** Tells what was interrupted and removes what belongs to nothing. */
  async start(): Promise<void> {
    const { db, clock } = this.#deps;
    const { processo } = this;
    await db.write
      .transaction()
      .execute((trx) => queries.interruptAll(trx, { processo, agora: clock.now() }));
    await this.#cleanUp();
    this.#timer = setInterval(() => void this.#cleanUp(), LIMPEZA_MS).unref();
  }

  /** Ends what is in work; it is told as interrupted. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    const parada = new Error('the service stops');
    for (const tarefa of [...this.#fila, ...(this.#atual ? [this.#atual] : [])]) tarefa.abort.abort(parada);
    this.#fila.length = 0;
    await this.#working;
    const { db, clock } = this.#deps;
    const { processo } = this;
    await db.write
      .transaction()
      .execute((trx) => queries.interruptAll(trx, { processo, agora: clock.now() }))
      .catch(() => {});
  }

  /** Writes an export down and makes it when its turn comes. @returns its id */
  async add(input: {
    contadorId: number;
    usuarioId: number;
    clienteId: number | null;
    pedido: PedidoDeExportacao;
    autor: string;
  }): Promise<string> {
    const { db, clock } = this.#deps;
    const id = randomUUID();
    const agora = clock.now();
    await db.write.transaction().execute((trx) =>
      queries.insertExportacao(trx, {
        id,
        contador_id: input.contadorId,
        usuario_id: input.usuarioId,
        cliente_id: input.clienteId,
        tipo: input.pedido.tipo,
        pedido: JSON.stringify(input.pedido),
        estado: 'na_fila',
        processo: this.processo,
        total: null,
        bytes: null,
        erro: null,
        criado_em: agora,
        fim_em: null,
        expira_em: agora + VALE_MS,
      }),
    );
    this.#fila.push({ id, pedido: input.pedido, autor: input.autor, abort: new AbortController() });
    this.#working = this.#working.then(() => this.#next());
    return id;
  }

  /** Where the file of a finished export lies. */
  caminhoDe({ id, tipo }: { id: string; tipo: string }): string {
    return join(this.#folder, `${id}.${tipo}`);
  }

  /** Ends it if it is in work, and removes row and file. */
  async remove(exportacao: { id: string; tipo: string }): Promise<void> {
    const waiting = this.#fila.findIndex((tarefa) => tarefa.id === exportacao.id);
    if (waiting >= 0) this.#fila.splice(waiting, 1);
    if (this.#atual?.id === exportacao.id) this.#atual.abort.abort(new Cancelada('cancelled'));
    await this.#deps.db.write.transaction().execute((trx) => queries.deleteExportacao(trx, exportacao.id));
    await rm(this.caminhoDe(exportacao), { force: true });
  }

  async #next(): Promise<void> {
    const tarefa = this.#fila.shift();
    if (!tarefa || this.#stopped) return;
    this.#atual = tarefa;
    const { id, pedido } = tarefa;
    try {
      await this.#make(tarefa);
    } catch (error) {
      await this.#fail(tarefa, error);
    } finally {
      this.#atual = null;
      await rm(`${this.caminhoDe({ id, tipo: pedido.tipo })}.parte`, { force: true });
      await rm(`${this.caminhoDe({ id, tipo: pedido.tipo })}.manifesto`, { force: true });
    }
  }

  async #make(tarefa: Tarefa): Promise<void> {
    const { db, clock } = this.#deps;
    const { id, pedido } = tarefa;
    const total = await totalDaLista(db.read, pedido.filtro);
    const begun = await this.#update(id, { estado: 'em_andamento', total });
    if (!begun) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.caminhoDe({ id, tipo: pedido.tipo });
    await this.#write(tarefa, `${path}.parte`);
    await rename(`${path}.parte`, path);
    const { size } = await stat(path);
    const kept = await this.#update(id, {
      estado: 'pronta',
      feitos: this.#feitos,
      total: this.#feitos,
      bytes: size,
      fim_em: clock.now(),
    });
    if (!kept) await rm(path, { force: true });
  }

  #feitos = 0;
  #contadoEm = 0;

  async #write(tarefa: Tarefa, path: string): Promise<void> {
    const { pedido, abort } = tarefa;
    const { db } = this.#deps;
    this.#feitos = 0;
    const limite = pedido.tipo === 'zip' ? (pedido.comPdf ? PDF_MAX : ZIP_MAX) : TABELA_MAX;
    const paginas = paginasDeDocumentos(db.read, {
      filtro: pedido.filtro,
      passa: passaDoFiltro(db.read, pedido.filtro),
      limite,
      signal: abort.signal,
    });
    const out = createWriteStream(path, { mode: 0o600 });
    if (pedido.tipo !== 'zip') {
      const counted = this.#counted(tarefa, paginas);
      const source = pedido.tipo === 'xlsx' ? planilha(counted) : csv(counted);
      await pipeline(source, out, { signal: abort.signal });
      return;
    }
    await escreverZip(out, {
      paginas,
      pasta: pedido.pasta,
      manifesto: path.replace(/\.parte$/, '.manifesto'),
      arquivosDe: (pagina) => this.#arquivosDe(tarefa, pagina),
      onDocumento: () => {
        if (abort.signal.aborted) out.destroy(abort.signal.reason);
        void this.#count(tarefa.id, 1);
      },
    });
  }

  async *#counted(tarefa: Tarefa, paginas: AsyncIterable<Documento[]>): AsyncGenerator<Documento[]> {
    for await (const pagina of paginas) {
      yield pagina;
      await this.#count(tarefa.id, pagina.length);
    }
  }

  /** Progress is written at most once a second. */
  async #count(id: string, more: number): Promise<void> {
    this.#feitos += more;
    const agora = performance.now();
    if (agora - this.#contadoEm < PROGRESSO_MS) return;
    this.#contadoEm = agora;
    await this.#update(id, { feitos: this.#feitos }).catch(() => false);
  }

  async #arquivosDe(tarefa: Tarefa, pagina: readonly Documento[]): Promise<(ArquivoDoDocumento | null)[]> {
    const { db, acessos } = this.#deps;
    const ids = pagina.flatMap(({ id }) => (id === null ? [] : [id]));
    const servidas = new Map(
      (await queries.findServidas(db.read, ids)).map((versao) => [versao.documento_id, versao]),
    );
    return pagina.map((documento) => {
      const versao = documento.id === null ? undefined : servidas.get(documento.id);
      if (!versao) return null;
      acessos.documento({
        contadorId: tarefa.pedido.filtro.contadorId,
        documentoId: versao.documento_id,
        ato: ATO_DE_ACESSO.exportacao,
        autor: tarefa.autor,
      });
      const xml = () => this.#xml(versao);
      return {
        sha256: versao.sha256,
        tamanho: versao.tamanho,
        xml,
        pdf: tarefa.pedido.comPdf ? async () => this.#pdf(documento, { versao, bytes: await xml() }) : null,
      };
    });
  }

  async #xml(versao: queries.VersaoServida): Promise<Uint8Array> {
    const row = await findConteudo(this.#deps.db.read, {
      documentoId: versao.documento_id,
      versaoId: versao.versao_id,
    });
    return row ? descomprimir(row) : new Uint8Array();
  }

  /** A document that cannot be drawn does not end the export: its XML is there, and the manifest says why. */
  async #pdf(
    documento: Documento,
    input: { versao: queries.VersaoServida; bytes: Uint8Array },
  ): Promise<Desenho> {
    const contexto = {
      especie: documento.especie,
      status: documento.status,
      homologacao: documento.homologacao,
      titulo: tituloDoDocumento(documento),
      chave: documento.chave ?? '',
    };
    const codificacao = input.versao.codificacao as Codificacao;
    try {
      return {
        bytes: await this.#deps.leitor.run<'pdf'>({ kind: 'pdf', bytes: input.bytes, codificacao, contexto }),
      };
    } catch (error) {
      const late = error instanceof DocumentoIlegivel && error.demorou;
      return { falta: `Sem PDF: o desenho ${late ? 'passou do tempo' : 'falhou'}, o XML está completo` };
    }
  }

  async #fail({ id, pedido }: Tarefa, error: unknown): Promise<void> {
    if (error instanceof Cancelada || this.#stopped) return;
    const told = error instanceof ExportacaoGrandeDemais ? error.message : SEM_EXPLICACAO;
    if (!(error instanceof ExportacaoGrandeDemais)) {
      this.#deps.log.error({ err: error, exportacao: id, tipo: pedido.tipo }, 'an export failed');
    }
    await this.#update(id, { estado: 'falhou', erro: told, fim_em: this.#deps.clock.now() }).catch(
      () => false,
    );
  }

  #update(id: string, set: Parameters<typeof queries.updateViva>[1]['set']): Promise<boolean> {
    return this.#deps.db.write.transaction().execute((trx) => queries.updateViva(trx, { id, set }));
  }

  /** Files of expired exports go; so does whatever no finished export has. */
  async #cleanUp(): Promise<void> {
    try {
      const { db, clock } = this.#deps;
      const vencidas = await queries.findVencidas(db.read, { processo: this.processo, agora: clock.now() });
      const ids = vencidas.map(({ id }) => id);
      if (ids.length > 0) await db.write.transaction().execute((trx) => queries.expire(trx, ids));
      const prontas = new Set(await queries.findProntas(db.read, this.processo));
      for (const name of await readdir(this.#folder).catch(() => [])) {
        const id = name.split('.')[0] ?? '';
        if (!prontas.has(id) && this.#atual?.id !== id) await rm(join(this.#folder, name), { force: true });
      }
    } catch (err) {
      this.#deps.log.error({ err }, 'old exports could not be removed');
    }
  }
}

const SEM_EXPLICACAO =
  'A exportação falhou por um erro do serviço. Peça-a de novo; se persistir, avise quem opera o serviço.';
