import { mesmaRaiz } from './cpf-cnpj.ts';
import { CANCELA_EVENTO } from './eventos/tabela.ts';
import { type Documento, type EfeitoEvento, type Evento, STATUS_DOCUMENTO } from './tipos.ts';

/** What the status of a document needs to know of an event; an `Evento` has all of it. */
export interface EventoParaStatus {
  codigo: string;
  sequencia: number;
  efeito: EfeitoEvento;
  nProt?: string | null;
  desfaz?: Evento['desfaz'];
  /** How well it is proven: a greater number is stronger. */
  forca?: number;
  /** Who wrote it; absent or null where that is not known. */
  autor?: string | null;
}

export interface StatusEfetivo {
  status: Documento['statusProtocolo'];
  /** The document is valid and has a letter of correction. */
  cartaCorrecao: boolean;
  /** tpEvento of the manifestation that holds, such as `210200` (CT-e: `610110`); null when there is none. */
  manifestacao: string | null;
}

/** Ciência says only that the recipient knows of the note: any conclusive manifestation stands above it. */
const CIENCIA = '210210';

/** Protocol numbers of one body (here the national environment) grow with time; older events may lack one. */
function compareManifestations(a: EventoParaStatus, b: EventoParaStatus): number {
  const proven = (a.forca ?? 0) - (b.forca ?? 0);
  if (proven !== 0) return proven;
  const conclusive = Number(a.codigo !== CIENCIA) - Number(b.codigo !== CIENCIA);
  if (conclusive !== 0) return conclusive;
  const protA = a.nProt ?? '';
  const protB = b.nProt ?? '';
  if (protA.length !== protB.length) return protA.length - protB.length;
  if (protA !== protB) return protA < protB ? -1 : 1;
  return a.sequencia - b.sequencia || a.codigo.localeCompare(b.codigo);
}

/**
 * Whether a registered event took this one back: 610111 undoes the desacordo of a CT-e (610110), 205208 the rejection
 * of an NFS-e that it names by code and sequence, 110001 what it names by code and protocol.
 */
export function isUndone(event: EventoParaStatus, all: readonly EventoParaStatus[]): boolean {
  return all.some(({ codigo, efeito, desfaz, forca, autor }) => {
    if ((forca ?? 0) < (event.forca ?? 0)) return false;
    // Nobody takes back what another company said.
    if (codigo === CANCELA_EVENTO && autor && event.autor && !mesmaRaiz(autor, event.autor)) return false;
    if (efeito !== 'cancela_evento' || desfaz?.codigo !== event.codigo) return false;
    if (desfaz.sequencia !== null && desfaz.sequencia !== event.sequencia) return false;
    return desfaz.nProt === null || !event.nProt || desfaz.nProt === event.nProt;
  });
}

/**
 * Status of a document from its protocol and the registered events about it, in whatever order they came.
 * Cancelada stands above Denegada, Autorizada and Pendente. There is no cancellation of a cancellation: of the events
 * that have a say here, those of effect `cancela_evento` undo only manifestations (of CT-e the desacordo, of NFS-e the rejection).
 * @fonte docs/regras.md, status; XSD leiauteEvento_v1.00; XSD eventoCTeTiposBasico_v4.00; XSD tiposEventos 1.01
 */
export function effectiveStatus(input: {
  statusProtocolo: Documento['statusProtocolo'];
  eventos: readonly EventoParaStatus[];
}): StatusEfetivo {
  const { statusProtocolo, eventos } = input;
  const status = eventos.some((e) => e.efeito === 'cancela') ? STATUS_DOCUMENTO.cancelada : statusProtocolo;
  const manifestation = eventos
    .filter((e) => e.efeito === 'manifestacao' && !isUndone(e, eventos))
    .reduce<EventoParaStatus | null>(
      (best, next) => (best === null || compareManifestations(next, best) > 0 ? next : best),
      null,
    );
  return {
    status,
    cartaCorrecao:
      status === STATUS_DOCUMENTO.autorizada && eventos.some((e) => e.efeito === 'carta_correcao'),
    manifestacao: manifestation?.codigo ?? null,
  };
}

/** What an event says of its document's status, kept with it. Its entry shows the document's own status. */
export function statusDoEvento(evento: Pick<Evento, 'efeito'>): 'Cancelada' | 'CartaCorrecao' | 'Evento' {
  if (evento.efeito === 'cancela') return STATUS_DOCUMENTO.cancelada;
  if (evento.efeito === 'carta_correcao') return STATUS_DOCUMENTO.cartaCorrecao;
  return STATUS_DOCUMENTO.evento;
}

const CANCELADA = new Set(['101', '151', '155']);
const DENEGADA = new Set(['110', '205', '301', '302', '303']);
const AUTORIZADA = new Set(['100', '150']);
/** EPEC: SEFAZ took note of a contingency; the note itself still waits for its authorisation. */
const EPEC = new Set(['124', '136']);

/**
 * Status that the cStat of a protocol gives; null when it is a rejection, so that there is no document.
 * @fonte cStat of MOC NF-e 7.0
 */
export function statusDoProtocolo(cStat: string | null): Documento['statusProtocolo'] | null {
  if (cStat === null || EPEC.has(cStat)) return STATUS_DOCUMENTO.pendente;
  if (AUTORIZADA.has(cStat)) return STATUS_DOCUMENTO.autorizada;
  if (CANCELADA.has(cStat)) return STATUS_DOCUMENTO.cancelada;
  return DENEGADA.has(cStat) ? STATUS_DOCUMENTO.denegada : null;
}
