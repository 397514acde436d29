import { type Faltante, MOTIVO_DO_FALTANTE, type MotivoDoFaltante } from '../documentos/read/faltantes.ts';
import type { Entrada } from '../documentos/tipos.ts';
import type { Prova } from '../fiscal/tipos.ts';
import { STATUS_DOCUMENTO } from '../fiscal/tipos.ts';

/** What happened to the document. `xml` stands last: prepared pages look for its place (`preparar-trechos.ts`). */
interface EventoDoRegistro {
  codigo: string;
  descricao: string;
  sequencia: number;
  id: string;
  data: string;
  prova: Prova;
  url_download: string;
  xml: string;
}

/**
 * The wire record: the twelve keys of the specification in its order, then ours (specification 2.1). Typed readers
 * fail on a `null` where a number or a text is specified: what does not apply or was not asked for is 0 or empty, and only
 * timestamps that are not known are `null`.
 */
export interface RegistroDeDocumento {
  nsu: number;
  data_emissao: string | null;
  data_importacao: string | null;
  chave: string;
  modelo: string;
  status: string;
  tipo: string;
  url_download: string;
  xml: string;
  url_finalidade: string;
  layout_nacional: boolean;
  municipio_prestacao: number;
  evento: EventoDoRegistro | null;
  papel: string | null;
  serie: string | null;
  numero: string | null;
  /** Proof of the status that is shown. */
  prova: Prova | null;
}

/** Gives an entry its wire form. */
export function presentEntrada(
  entrada: Entrada,
  links: { download: string; finalidade: string; evento: string },
): RegistroDeDocumento {
  return {
    nsu: entrada.nsu,
    data_emissao: entrada.dataEmissao,
    data_importacao: presentInstante(entrada.importadoEm),
    chave: entrada.chave,
    modelo: entrada.modelo,
    status: entrada.status,
    tipo: entrada.tipo,
    url_download: links.download,
    xml: entrada.xml ?? '',
    url_finalidade: links.finalidade,
    layout_nacional: entrada.layoutNacional,
    municipio_prestacao: entrada.municipioPrestacao ?? 0,
    evento: presentEvento(entrada, links.evento),
    papel: entrada.papel,
    serie: entrada.serie,
    numero: entrada.numero,
    prova: entrada.prova,
  };
}

function presentEvento({ evento, importadoEm }: Entrada, download: string): EventoDoRegistro | null {
  if (!evento) return null;
  return {
    codigo: evento.codigo,
    descricao: evento.descricao,
    sequencia: evento.sequencia,
    id: evento.id,
    data: evento.data ?? presentInstante(importadoEm),
    prova: evento.prova,
    url_download: download,
    xml: evento.xml ?? '',
  };
}

/** A record of `Status=Faltantes`: two keys more, which explain the number. */
interface RegistroDeFaltante extends RegistroDeDocumento {
  motivo: MotivoDoFaltante;
  explicacao: string;
}

/** Gives a missing number its wire form: the client is its issuer, and nothing else is known of it. */
export function presentFaltante(faltante: Faltante): RegistroDeFaltante {
  return {
    nsu: 0,
    data_emissao: null,
    data_importacao: null,
    chave: faltante.chave ?? '',
    modelo: faltante.modelo,
    status: STATUS_DOCUMENTO.faltante,
    tipo: 'Emitida',
    url_download: '',
    xml: '',
    url_finalidade: '',
    layout_nacional: false,
    municipio_prestacao: 0,
    evento: null,
    papel: 'emitente',
    serie: faltante.serie,
    numero: faltante.numero,
    prova: null,
    motivo: faltante.motivo,
    explicacao: MOTIVO_DO_FALTANTE[faltante.motivo],
  };
}

/** America/Sao_Paulo has had no daylight saving since 2019, and nothing was imported before. */
const OFFSET_MS = -3 * 3_600_000;

/** The latest one: documents that came together have the same, and stand together. */
let presented = { instante: Number.NaN, text: '' };

/** ISO 8601 to the second, with the offset of America/Sao_Paulo. */
export function presentInstante(instante: number): string {
  if (instante !== presented.instante) {
    presented = { instante, text: `${new Date(instante + OFFSET_MS).toISOString().slice(0, 19)}-03:00` };
  }
  return presented.text;
}
