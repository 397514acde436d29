/**
 * Who receives what, when a document comes to the national environments.
 * @fonte NT 2014.002, table of documents of interest; NT 2020.001; NT 2015.002 (CT-e)
 */
import type {
  CtePublicado,
  EventoNfsePublicado,
  EventoPublicado,
  NfcePublicada,
  NfsePublicada,
  NotaPublicada,
} from './documentos.ts';
import { readPublicado } from './documentos.ts';
import { Filas } from './filas.ts';
import { resEvento, resNFe } from './resumos.ts';
import type { Entrega } from './tipos.ts';

const MANIFESTACOES = ['210200', '210210', '210220', '210240'];
const CANCELAMENTOS = ['110111', '110112'];
const ATOR_INTERESSADO = '110150';

export interface NotaConhecida {
  nota: NotaPublicada;
  /** ms of coming in. */
  em: number;
  cancelada: boolean;
  /** Codes of accepted manifestations, in order. */
  manifestacoes: string[];
  /** A manifestation but Desconhecimento came from the recipient. */
  liberada: boolean;
  atores: Set<string>;
  /** `codigo/sequencia` of every registered event. */
  eventos: Set<string>;
}

interface CteConhecido {
  cte: CtePublicado;
  em: number;
  eventos: Set<string>;
}

export interface NfseConhecida {
  nfse: NfsePublicada;
  eventos: Map<string, { xml: string; em: number }>;
}

export interface NfceConhecida {
  nfce: NfcePublicada;
  eventos: string[];
}

type Papel = 'emitente' | 'destinatario' | 'transportador' | 'autorizado' | 'ator';

/** Events and their receivers; the first expression that fits counts. */
const RECEBEM: readonly [codigo: RegExp, papeis: readonly Papel[]][] = [
  [/^2102[0-4]0$/, ['emitente', 'autorizado']],
  [/^11011[0-2]$/, ['destinatario', 'transportador', 'autorizado', 'ator']],
  [/^110140$/, ['destinatario', 'transportador', 'ator']],
  [/^9909[0-9]{2}$/, ['emitente', 'destinatario', 'autorizado']],
  [/^11150[0-3]$/, ['destinatario']],
  [/^41150[0-3]$/, ['emitente', 'destinatario']],
  [/^1101(?:30|31|92|93)$/, ['destinatario', 'transportador', 'autorizado']],
  [/^/, ['emitente', 'destinatario', 'transportador', 'autorizado', 'ator']],
];

/** All that the simulated environments hold. */
export class Acervo {
  readonly nfe = new Filas({ sobDemanda: true });
  readonly cte = new Filas({ sobDemanda: true });
  readonly adn = new Filas({ sobDemanda: false });
  readonly notas = new Map<string, NotaConhecida>();
  readonly ctes = new Map<string, CteConhecido>();
  readonly nfses = new Map<string, NfseConhecida>();
  readonly nfces = new Map<string, NfceConhecida>();

  /**
   * Takes a document in and gives it to all who receive it.
   * @param em ms
   * @returns what was put into which queue
   * @throws DocumentoDesconhecido
   */
  publish(xml: string, em: number): Entrega[] {
    const found = readPublicado(xml);
    if (found.tipo === 'nfe') return this.#publishNota(found, em);
    if (found.tipo === 'cte') return this.#publishCte(found, em);
    if (found.tipo === 'nfse') return this.#publishNfse(found, em);
    if (found.tipo === 'nfce') return this.#publishNfce(found);
    if (found.tipo === 'evento_nfse') return this.#publishEventoNfse(found, em);
    return found.tipo === 'evento_nfe' ? this.registerEvento(found, em) : this.registerEventoCte(found, em);
  }

  /** Forgets what is older than a moment. A year's documents would fill the memory. */
  forget(antesDe: number): void {
    for (const known of [this.notas, this.ctes] as Map<string, { em: number }>[])
      for (const [chave, { em }] of known) if (em < antesDe) known.delete(chave);
  }

  #publishNota(nota: NotaPublicada, em: number): Entrega[] {
    if (this.notas.has(nota.chave)) return [];
    const known: NotaConhecida = {
      nota,
      em,
      cancelada: false,
      manifestacoes: [],
      liberada: false,
      atores: new Set(),
      eventos: new Set(),
    };
    this.notas.set(nota.chave, known);
    const schema = `procNFe_v${nota.versao}.xsd`;
    return this.#papeis(known).flatMap(([cpfCnpj, papeis]) => {
      if (papeis.has('emitente')) return [];
      const onlyRecipient = papeis.size === 1 && papeis.has('destinatario');
      return onlyRecipient
        ? this.#give('nfe', nota, cpfCnpj, { schema: 'resNFe_v1.01.xsd', xml: resNFe(nota, false), em })
        : this.#give('nfe', nota, cpfCnpj, { schema, xml: nota.xml, em });
    });
  }

  /** An event of an NF-e, after it was accepted. One whose note is unknown goes to nobody. */
  registerEvento(evento: EventoPublicado, em: number): Entrega[] {
    const known = this.notas.get(evento.chave);
    const nfce = this.nfces.get(evento.chave);
    if (nfce) nfce.eventos.push(evento.xml);
    const id = `${evento.codigo}/${evento.sequencia}`;
    if (!known || known.eventos.has(id)) return [];
    known.eventos.add(id);
    if (CANCELAMENTOS.includes(evento.codigo)) known.cancelada = true;
    const [, receivers = []] = RECEBEM.find(([codigo]) => codigo.test(evento.codigo)) ?? [];
    const given = this.#papeis(known).flatMap(([cpfCnpj, papeis]) => {
      if (cpfCnpj === evento.autor || !receivers.some((papel) => papeis.has(papel))) return [];
      return this.#give('nfe', evento, cpfCnpj, { ...this.#formOf(evento, known, papeis), em });
    });
    return [...given, ...this.#release(evento, known, em)];
  }

  /** What a manifestation, or the naming of an actor, makes available. */
  #release(evento: EventoPublicado, known: NotaConhecida, em: number): Entrega[] {
    const { nota } = known;
    const whole = { schema: `procNFe_v${nota.versao}.xsd`, xml: nota.xml, em };
    if (evento.codigo === ATOR_INTERESSADO && evento.ator && !known.atores.has(evento.ator)) {
      known.atores.add(evento.ator);
      return this.#give('nfe', nota, evento.ator, whole);
    }
    if (!MANIFESTACOES.includes(evento.codigo)) return [];
    known.manifestacoes.push(evento.codigo);
    if (evento.codigo === '210220' || known.liberada || evento.autor !== nota.destinatario) return [];
    known.liberada = true;
    const alreadyWhole = this.#papeis(known).some(
      ([cpfCnpj, papeis]) => cpfCnpj === nota.destinatario && papeis.size > 1,
    );
    return alreadyWhole ? [] : this.#give('nfe', nota, evento.autor, whole);
  }

  /** Cancellations come whole; of other events the recipient of an unanswered note gets a summary. */
  #formOf(evento: EventoPublicado, known: NotaConhecida, papeis: ReadonlySet<Papel>) {
    const onlyRecipient = papeis.size === 1 && papeis.has('destinatario');
    return onlyRecipient && !known.liberada && !CANCELAMENTOS.includes(evento.codigo)
      ? { schema: 'resEvento_v1.01.xsd', xml: resEvento(evento) }
      : { schema: 'procEventoNFe_v1.00.xsd', xml: evento.xml };
  }

  #papeis({ nota, atores }: NotaConhecida): [string, Set<Papel>][] {
    const found = new Map<string, Set<Papel>>();
    const put = (id: string | null, papel: Papel) => {
      if (id) found.set(id, (found.get(id) ?? new Set()).add(papel));
    };
    put(nota.emitente, 'emitente');
    put(nota.destinatario, 'destinatario');
    put(nota.transportador, 'transportador');
    for (const id of nota.autorizados) put(id, 'autorizado');
    for (const id of atores) put(id, 'ator');
    return [...found];
  }

  #publishCte(cte: CtePublicado, em: number): Entrega[] {
    if (this.ctes.has(cte.chave)) return [];
    this.ctes.set(cte.chave, { cte, em, eventos: new Set() });
    return cte.interessados
      .filter((id) => id !== cte.emitente)
      .flatMap((id) => {
        const xml = cte.soAutorizados.includes(id) ? maskKeys(cte.xml) : cte.xml;
        return this.#give('cte', cte, id, { schema: cte.schema, xml, em });
      });
  }

  /** An event of a CT-e, after it was accepted: to all parties but who made it. */
  registerEventoCte(evento: EventoPublicado, em: number): Entrega[] {
    const known = this.ctes.get(evento.chave);
    const id = `${evento.codigo}/${evento.sequencia}`;
    if (!known || known.eventos.has(id)) return [];
    known.eventos.add(id);
    const parties = [
      ...known.cte.interessados,
      ...(evento.codigo.startsWith('61') ? [known.cte.emitente] : []),
    ];
    return [...new Set(parties)]
      .filter((party) => party !== evento.autor)
      .flatMap((party) =>
        this.#give('cte', evento, party, { schema: 'procEventoCTe_v4.00.xsd', xml: evento.xml, em }),
      );
  }

  #publishNfse(nfse: NfsePublicada, em: number): Entrega[] {
    if (this.nfses.has(nfse.chave)) return [];
    this.nfses.set(nfse.chave, { nfse, eventos: new Map() });
    return nfse.partes.flatMap((id) =>
      this.#give('adn', nfse, id, { schema: 'NFSE', xml: nfse.xml, em }, '1'),
    );
  }

  #publishEventoNfse(evento: EventoNfsePublicado, em: number): Entrega[] {
    const known = this.nfses.get(evento.chave);
    if (!known) return [];
    known.eventos.set(`${evento.codigo}/${evento.sequencia}`, { xml: evento.xml, em });
    return known.nfse.partes.flatMap((id) =>
      this.#give('adn', evento, id, { schema: 'EVENTO', xml: evento.xml, em }, '1'),
    );
  }

  #publishNfce(nfce: NfcePublicada): Entrega[] {
    if (this.nfces.has(nfce.chave)) return [];
    this.nfces.set(nfce.chave, { nfce, eventos: [] });
    return [{ servico: 'sae', interessado: nfce.emitente, nsu: 0, chave: nfce.chave, schema: 'nfeProc' }];
  }

  #give(
    servico: 'nfe' | 'cte' | 'adn',
    { chave, tpAmb }: { chave: string; tpAmb: string },
    interessado: string,
    item: { schema: string; xml: string; em: number },
    ambiente = tpAmb,
  ): Entrega[] {
    const added = this[servico].add(ambiente, interessado, { chave, ...item });
    return added ? [{ servico, interessado, nsu: added.nsu, chave, schema: item.schema }] : [];
  }
}

/** Who reads a CT-e by `autXML` alone does not learn which notes travel. @fonte NT 2015.002 */
function maskKeys(xml: string): string {
  return xml.replace(/<chave>[0-9A-Z]{44}<\/chave>/g, `<chave>${'9'.repeat(44)}</chave>`);
}
