/** Writes the content of one export into a stream: a ZIP of documents, or a table of them. */
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../deps.ts';
import { descomprimir } from '../../documentos/bytes/conteudo.ts';
import { lerEmissao } from '../../documentos/lean/emissao-guardada.ts';
import { ATO_DE_ACESSO, type RegistroDeAcessos } from '../../documentos/read/acessos.ts';
import type { Codificacao } from '../../fiscal/tipos.ts';
import { contextoDoPdf } from '../documento/contexto-do-pdf.ts';
import { DocumentoIlegivel, type LeitorDeDocumentos } from '../documento/leitor-de-documentos.ts';
import { findConteudo } from '../documento/queries-documento.ts';
import type { Documento } from '../documentos/apresentar.ts';
import type { FiltroDeDocumentos } from '../documentos/filtro.ts';
import { passaDoFiltro } from '../documentos/passa.ts';
import { paginasDeDocumentos } from './documentos.ts';
import type { DescricaoDoPedido } from './leia-me.ts';
import { Linhas, type PaginaDeLinhas } from './linhas.ts';
import { csv, writePlanilha } from './planilha.ts';
import * as queries from './queries-exportacoes.ts';
import { ehValida, situacaoDe } from './situacoes.ts';
import { type ArquivoGuardado, type ConteudoDoDocumento, type Desenho, writeZip } from './zip.ts';

export type TipoDeExportacao = 'zip' | 'xlsx' | 'csv';

/** Documents of one export. */
const LIMITE: Readonly<Record<TipoDeExportacao | 'pdf', number>> = {
  /** What two gigabytes hold, and a person can wait for. */
  zip: 200_000,
  /** One sheet of Excel, so that its sums are of one sheet. */
  xlsx: 1_000_000,
  csv: 5_000_000,
  /** A PDF takes about a third of a second. */
  pdf: 5_000,
};

export interface PedidoDeExportacao {
  tipo: TipoDeExportacao;
  filtro: FiltroDeDocumentos;
  pasta: string;
  comPdf: boolean;
  /** Leaves out what is cancelled, denied, without protocol or given up. */
  soValidas: boolean;
  comEventos: boolean;
  descricao: DescricaoDoPedido;
  /** Of the file, without extension. */
  nome: string;
}

export interface EscreverDeps extends Pick<Deps, 'db'> {
  leitor: LeitorDeDocumentos;
  acessos: RegistroDeAcessos;
}

interface Escrita {
  pedido: PedidoDeExportacao;
  /** Who asked, for the record of accesses. */
  autor: string;
  /** Where something with this name may grow until it is put in; all of them are removed at the end. */
  rascunho(nome: string): string;
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
    limite: LIMITE[pedido.comPdf ? 'pdf' : pedido.tipo],
    signal,
  });
  if (pedido.tipo === 'zip') return writeTudo(deps, out, { escrita, paginas });
  const linhas = linhasDe(deps, { escrita, paginas });
  if (pedido.tipo === 'csv') return pipeline(csv(linhas), out, { signal });
  const { descricao } = pedido;
  return writePlanilha(out, { paginas: linhas, descricao, rascunho: escrita.rascunho });
}

async function writeTudo(
  deps: EscreverDeps,
  out: Writable,
  { escrita, paginas }: { escrita: Escrita; paginas: AsyncIterable<Documento[]> },
): Promise<void> {
  const { pedido, signal } = escrita;
  await writeZip(out, {
    ...pedido,
    paginas,
    manifesto: escrita.rascunho('manifesto'),
    conteudosDe: (pagina) => conteudosDe(deps, { escrita, pagina }),
    onDocumento: () => {
      if (signal.aborted) out.destroy(signal.reason);
      escrita.onDocumentos(1);
    },
  });
}

/** Rows of tables, some at a time, told once they were taken. */
async function* linhasDe(
  deps: EscreverDeps,
  { escrita, paginas }: { escrita: Escrita; paginas: AsyncIterable<Documento[]> },
): AsyncGenerator<PaginaDeLinhas> {
  const { pedido } = escrita;
  const { contadorId } = pedido.filtro;
  const { leitor, db } = deps;
  const arquivosDe = async (ids: readonly number[]) => {
    const servidas = await queries.findServidas(db.read, ids);
    return new Map(
      servidas.flatMap((versao): [number, ArquivoGuardado][] => {
        const guardado = arquivo(deps, { escrita, versao });
        return guardado ? [[versao.documento_id, guardado]] : [];
      }),
    );
  };
  const linhas = new Linhas(
    { db: db.read, leitor, arquivosDe },
    { contadorId, comEventos: pedido.comEventos && pedido.tipo === 'xlsx' },
  );
  for await (const pagina of paginas) {
    const pedidas = pedido.soValidas ? pagina.filter((each) => ehValida(situacaoDe(each))) : pagina;
    for (let at = 0; at < pedidas.length; at += DE_UMA_VEZ)
      yield await linhas.daPagina(pedidas.slice(at, at + DE_UMA_VEZ));
    escrita.onDocumentos(pagina.length);
  }
}

/** Documents whose rows are in memory at one time: each may have a thousand items. */
const DE_UMA_VEZ = 100;

async function conteudosDe(
  deps: EscreverDeps,
  { escrita, pagina }: { escrita: Escrita; pagina: readonly Documento[] },
): Promise<ConteudoDoDocumento[]> {
  const { db } = deps;
  const { comEventos, comPdf, soValidas, filtro } = escrita.pedido;
  // What is left out is not read, and nobody is written down as having got it.
  const dentro = pagina.filter((each) => !soValidas || ehValida(situacaoDe(each)));
  const documentoIds = dentro.flatMap(({ id }) => (id === null ? [] : [id]));
  const { contadorId } = filtro;
  const eventos = comEventos ? await queries.findEventosDasNotas(db.read, { contadorId, documentoIds }) : [];
  const eventosDaNota = Map.groupBy(eventos, ({ nota_id }) => nota_id);
  const ids = [...new Set([...documentoIds, ...eventos.map(({ id }) => id)])];
  const servidas = new Map(
    (await queries.findServidas(db.read, ids)).map((versao) => [versao.documento_id, versao]),
  );
  const arquivoDe = (id: number | null) => arquivo(deps, { escrita, versao: servidas.get(id ?? 0) });
  return pagina.map((documento) => {
    const versao = servidas.get(documento.id ?? 0);
    const nota = arquivoDe(documento.id);
    return {
      nota,
      pdf:
        comPdf && nota && versao
          ? async () => desenhar(deps, { documento, versao, bytes: await nota.xml() })
          : null,
      eventos: (eventosDaNota.get(documento.id ?? 0) ?? []).map((evento) => ({
        codigo: evento.codigo ?? '',
        descricao: evento.descricao ?? 'Evento',
        sequencia: evento.sequencia ?? 1,
        data: lerEmissao(evento),
        afastado: evento.afastado === 1,
        arquivo: arquivoDe(evento.id),
      })),
    };
  });
}

/** The bytes of a served version; whoever gets them is written down. */
function arquivo(
  deps: EscreverDeps,
  { escrita, versao }: { escrita: Escrita; versao: queries.VersaoServida | undefined },
): ArquivoGuardado | null {
  if (!versao) return null;
  const { autor, pedido } = escrita;
  deps.acessos.documento({
    contadorId: pedido.filtro.contadorId,
    documentoId: versao.documento_id,
    ato: ATO_DE_ACESSO.exportacao,
    autor,
  });
  return { sha256: versao.sha256, tamanho: versao.tamanho, xml: () => xmlDe(deps, versao) };
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
