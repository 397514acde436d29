import type { Chave, CpfCnpj, StatusDocumento } from '../fiscal/tipos.ts';
import { ESPECIE, STATUS_DOCUMENTO } from '../fiscal/tipos.ts';

/**
 * The truth of a scenario: what a correct reader of its documents must come to. It always speaks of what was
 * taken from the generator so far, and is final when the generator has ended.
 */

/** Numbers of one client's series. */
interface SerieEsperada {
  emitente: CpfCnpj;
  modelo: '55' | '65';
  serie: number;
  primeiro: number;
  ultimo: number;
  /** How many documents were issued between the two. */
  emitidos: number;
  /** Ascending: neither issued nor given up. */
  faltantes: number[];
  inutilizados: { de: number; ate: number; chave: Chave }[];
}

interface ContagemCliente {
  /** Documents that the client issued. */
  emitidas: number;
  /** Documents that others issued and that name it: NF-e and NFC-e as recipient, the other families in any part. */
  recebidas: number;
  /** Events about any of these. */
  eventos: number;
  inutilizacoes: number;
}

const CONTAGEM = {
  [ESPECIE.cte]: 'cte',
  [ESPECIE.cteOs]: 'cteOs',
  [ESPECIE.nfse]: 'nfse',
  [ESPECIE.cfe]: 'cfe',
} as const;
/** Families besides NF-e and NFC-e. */
export type OutraEspecie = keyof typeof CONTAGEM;

const CANCELAM: ReadonlySet<string> = new Set(['110111', '110112', '101101', 'CFeCanc']);

export class Esperado {
  /** By `emitente/modelo/serie`. */
  readonly series = new Map<string, SerieEsperada>();
  readonly canceladas = new Set<Chave>();
  readonly denegadas = new Set<Chave>();
  readonly pendentes = new Set<Chave>();
  /** Documents with a registered letter of correction; those are Autorizada too. */
  readonly cartasCorrecao = new Set<Chave>();
  /** tpEvento of the recipient's manifestação. */
  readonly manifestacoes = new Map<Chave, string>();
  readonly clientes = new Map<CpfCnpj, ContagemCliente>();
  /** `documentos` is the sum of all kinds of documents. */
  readonly totais = {
    documentos: 0,
    nfe: 0,
    nfce: 0,
    cte: 0,
    cteOs: 0,
    nfse: 0,
    cfe: 0,
    eventos: 0,
    inutilizacoes: 0,
  };

  constructor(clientes: readonly CpfCnpj[]) {
    for (const id of clientes) {
      this.clientes.set(id, { emitidas: 0, recebidas: 0, eventos: 0, inutilizacoes: 0 });
    }
  }

  /** Final status of a document of the scenario. */
  statusDe(chave: Chave): StatusDocumento {
    if (this.canceladas.has(chave)) return STATUS_DOCUMENTO.cancelada;
    if (this.denegadas.has(chave)) return STATUS_DOCUMENTO.denegada;
    return this.pendentes.has(chave) ? STATUS_DOCUMENTO.pendente : STATUS_DOCUMENTO.autorizada;
  }

  /** Every number that is missing, of all clients. */
  get faltantes(): { emitente: CpfCnpj; modelo: '55' | '65'; serie: number; numero: number }[] {
    return [...this.series.values()].flatMap(({ emitente, modelo, serie, faltantes }) =>
      faltantes.map((numero) => ({ emitente, modelo, serie, numero })),
    );
  }

  /** Notes an issued document and the numbers skipped before it. Third parties' series are not kept. */
  addDocumento(nota: {
    emitente: CpfCnpj;
    destinatario: CpfCnpj | null;
    modelo: '55' | '65';
    serie: number;
    numero: number;
  }): void {
    this.totais.documentos++;
    this.totais[nota.modelo === '55' ? 'nfe' : 'nfce']++;
    const recipient = nota.destinatario ? this.clientes.get(nota.destinatario) : undefined;
    if (recipient && nota.destinatario !== nota.emitente) recipient.recebidas++;
    const issuer = this.clientes.get(nota.emitente);
    if (!issuer) return;
    issuer.emitidas++;
    const { emitente, modelo, serie, numero } = nota;
    const id = `${emitente}/${modelo}/${serie}`;
    const known = this.series.get(id);
    if (!known) {
      const first = { primeiro: numero, ultimo: numero, emitidos: 1, faltantes: [], inutilizados: [] };
      this.series.set(id, { emitente, modelo, serie, ...first });
      return;
    }
    for (let n = known.ultimo + 1; n < numero; n++) known.faltantes.push(n);
    known.ultimo = numero;
    known.emitidos++;
  }

  /** Notes a document of another family: who issued it, and everybody that takes part. */
  addOutra(documento: {
    especie: OutraEspecie;
    chave: Chave;
    emitente: CpfCnpj;
    clientes: readonly CpfCnpj[];
    /** It came with its cancellation, as municipal NFS-e do. */
    cancelada: boolean;
  }): void {
    const { especie, chave, emitente, clientes, cancelada } = documento;
    this.totais.documentos++;
    this.totais[CONTAGEM[especie]]++;
    if (cancelada) this.canceladas.add(chave);
    for (const id of clientes) {
      const count = this.clientes.get(id);
      if (count) count[id === emitente ? 'emitidas' : 'recebidas']++;
    }
  }

  /** Notes a homologated inutilização of skipped numbers. */
  addInutilizacao(faixa: {
    emitente: CpfCnpj;
    modelo: '55' | '65';
    serie: number;
    de: number;
    ate: number;
    chave: Chave;
  }): void {
    const { emitente, modelo, serie, de, ate, chave } = faixa;
    this.totais.inutilizacoes++;
    const issuer = this.clientes.get(emitente);
    if (issuer) issuer.inutilizacoes++;
    const known = this.series.get(`${emitente}/${modelo}/${serie}`);
    if (!known) return;
    known.faltantes = known.faltantes.filter((n) => n < de || n > ate);
    known.inutilizados.push({ de, ate, chave });
  }

  /** Notes a registered event and whom it concerns. */
  addEvento(codigo: string, chave: Chave, clientes: readonly CpfCnpj[]): void {
    this.totais.eventos++;
    for (const id of clientes) {
      const count = this.clientes.get(id);
      if (count) count.eventos++;
    }
    if (CANCELAM.has(codigo)) this.canceladas.add(chave);
    else if (codigo === '110110') this.cartasCorrecao.add(chave);
    else this.manifestacoes.set(chave, codigo);
  }
}
