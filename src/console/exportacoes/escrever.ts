/** Writes the content of one export into a stream: a ZIP of documents, or a table of them. */
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../deps.ts';
import { descomprimir } from '../../documentos/bytes/conteudo.ts';
import { ATO_DE_ACESSO, type RegistroDeAcessos } from '../../documentos/read/acessos.ts';
import type { Codificacao } from '../../fiscal/tipos.ts';
import { contextoDoPdf } from '../documento/contexto-do-pdf.ts';
import { DocumentoIlegivel, type LeitorDeDocumentos } from '../documento/leitor-de-documentos.ts';
import { findConteudo } from '../documento/queries-documento.ts';
import type { Documento } from '../documentos/apresentar.ts';
import type { FiltroDeDocumentos } from '../documentos/filtro.ts';
import { passaDoFiltro } from '../documentos/passa.ts';
import { paginasDeDocumentos } from './documentos.ts';
import { csv, planilha } from './planilha.ts';
import * as queries from './queries-exportacoes.ts';
import { type ArquivoDoDocumento, type Desenho, writeZip } from './zip.ts';

/** Documents of one ZIP: what two gigabytes hold, and a person can wait for. */
const ZIP_MAX = 200_000;
/** Rows of one table: five sheets of Excel. */
const TABELA_MAX = 5_000_000;
/** A PDF takes some hundredths of a second, one of hundreds of items longer. */
const PDF_MAX = 5_000;

export type TipoDeExportacao = 'zip' | 'xlsx' | 'csv';

export interface PedidoDeExportacao {
  tipo: TipoDeExportacao;
  filtro: FiltroDeDocumentos;
  pasta: string;
  comPdf: boolean;
}

export interface EscreverDeps extends Pick<Deps, 'db'> {
  leitor: LeitorDeDocumentos;
  acessos: RegistroDeAcessos;
}

export interface Escrita {
  pedido: PedidoDeExportacao;
  /** Who asked, for the record of accesses. */
  autor: string;
  /** Where a ZIP's manifest grows until it is put in; removed at the end. */
  manifesto: string;
  signal: AbortSignal;
  /** Told as documents are written. */
  onDocumentos(more: number): void;
}

/** @throws ExportacaoGrandeDemais; the signal's reason when it is aborted; what the stream breaks with */
export async function writeExportacao(deps: EscreverDeps, out: Writable, escrita: Escrita): Promise<void> {
  const { pedido, signal } = escrita;
  const paginas = paginasDeDocumentos(deps.db.read, {
    filtro: pedido.filtro,
    passa: passaDoFiltro(deps.db.read, pedido.filtro),
    limite: pedido.tipo === 'zip' ? (pedido.comPdf ? PDF_MAX : ZIP_MAX) : TABELA_MAX,
    signal,
  });
  if (pedido.tipo !== 'zip') {
    const counted = contadas(paginas, escrita);
    await pipeline(pedido.tipo === 'xlsx' ? await planilha(counted) : csv(counted), out, { signal });
    return;
  }
  await writeZip(out, {
    paginas,
    pasta: pedido.pasta,
    manifesto: escrita.manifesto,
    arquivosDe: (pagina) => arquivosDe(deps, { escrita, pagina }),
    onDocumento: () => {
      if (signal.aborted) out.destroy(signal.reason);
      escrita.onDocumentos(1);
    },
  });
}

async function* contadas(
  paginas: AsyncIterable<Documento[]>,
  escrita: Pick<Escrita, 'onDocumentos'>,
): AsyncGenerator<Documento[]> {
  for await (const pagina of paginas) {
    yield pagina;
    escrita.onDocumentos(pagina.length);
  }
}

async function arquivosDe(
  deps: EscreverDeps,
  { escrita, pagina }: { escrita: Escrita; pagina: readonly Documento[] },
): Promise<(ArquivoDoDocumento | null)[]> {
  const { db, acessos } = deps;
  const { pedido, autor } = escrita;
  const ids = pagina.flatMap(({ id }) => (id === null ? [] : [id]));
  const servidas = new Map(
    (await queries.findServidas(db.read, ids)).map((versao) => [versao.documento_id, versao]),
  );
  return pagina.map((documento) => {
    const versao = documento.id === null ? undefined : servidas.get(documento.id);
    if (!versao) return null;
    acessos.documento({
      contadorId: pedido.filtro.contadorId,
      documentoId: versao.documento_id,
      ato: ATO_DE_ACESSO.exportacao,
      autor,
    });
    const xml = () => xmlDe(deps, versao);
    return {
      sha256: versao.sha256,
      tamanho: versao.tamanho,
      xml,
      pdf: pedido.comPdf ? async () => desenhar(deps, { documento, versao, bytes: await xml() }) : null,
    };
  });
}

async function xmlDe({ db }: EscreverDeps, versao: queries.VersaoServida): Promise<Uint8Array> {
  const row = await findConteudo(db.read, { documentoId: versao.documento_id, versaoId: versao.versao_id });
  return row ? descomprimir(row) : new Uint8Array();
}

/** A document that cannot be drawn does not end the export: its XML is there, and the manifest says why. */
async function desenhar(
  { leitor }: EscreverDeps,
  input: { documento: Documento; versao: queries.VersaoServida; bytes: Uint8Array },
): Promise<Desenho> {
  const { documento, versao, bytes } = input;
  const contexto = contextoDoPdf(documento);
  const codificacao = versao.codificacao as Codificacao;
  try {
    return { bytes: await leitor.run<'pdf'>({ kind: 'pdf', bytes, codificacao, contexto }) };
  } catch (error) {
    const late = error instanceof DocumentoIlegivel && error.demorou;
    return { falta: `Sem PDF: o desenho ${late ? 'passou do tempo' : 'falhou'}, o XML está completo` };
  }
}
