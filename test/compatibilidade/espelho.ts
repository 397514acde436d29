/**
 * Programs that keep a client's documents in a folder, written as integrators write them: read what is newer than the last
 * NSU, write a file for each entry, remember the NSU.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchJson } from '../support/malote.ts';
import { REGISTROS } from './campos.ts';

const TAMANHO = 100;

type Registro = Record<string, unknown> & { nsu: number; chave: string; status: string };

export interface Onde {
  /** Address of the client, without what follows. */
  base: string;
  token: string;
  pasta: string;
}

abstract class Espelho {
  readonly onde: Onde;
  /** Of each document, as it was last told. */
  readonly status = new Map<string, string>();
  #nsu = 0;

  constructor(onde: Onde) {
    this.onde = onde;
  }

  /** Reads on to the end of the feed. */
  async ler(): Promise<void> {
    for (;;) {
      const url = `${this.onde.base}/documentos/${this.#nsu}/novos?Tamanho=${TAMANHO}&Xml=${this.comXml}`;
      const { status, body } = await fetchJson(url, { token: this.onde.token });
      if (status !== 200) throw new Error(`${url}: ${status}`);
      for (const registro of body.documentos) {
        await this.gravar(registro);
        this.#nsu = registro.nsu;
      }
      if (body.documentos.length < TAMANHO) return;
    }
  }

  protected abstract comXml: boolean;
  protected abstract gravar(registro: Registro): Promise<void>;

  protected escrever(nome: string, bytes: string | Uint8Array): void {
    writeFileSync(join(this.onde.pasta, `${nome}.xml`), bytes);
  }
}

/** Knows the twelve keys of the specification and nothing else: whatever an entry is of, `{chave}.xml` is written. */
export class EspelhoDaEspecificacao extends Espelho {
  protected comXml: boolean;

  /** @param comXml takes the text of the pages; else the bytes of each address */
  constructor(onde: Onde, { comXml }: { comXml: boolean }) {
    super(onde);
    this.comXml = comXml;
  }

  protected async gravar(inteiro: Registro): Promise<void> {
    const registro = Object.fromEntries(REGISTROS.Documento.map(({ nome }) => [nome, inteiro[nome]]));
    const { chave, status, xml, url_download: url } = registro as Record<string, string>;
    this.escrever(String(chave), this.comXml ? String(xml) : await baixar(String(url)));
    this.status.set(String(chave), String(status));
  }
}

/** Knows `evento` too: the bytes of each event go into a file of their own. */
export class EspelhoComEventos extends Espelho {
  protected comXml = true;

  protected async gravar(registro: Registro): Promise<void> {
    const { chave, status, xml } = registro;
    if (status !== 'Evento') {
      this.escrever(chave, String(xml));
      this.status.set(chave, status);
    }
    const evento = registro.evento as { codigo: string; sequencia: number; xml: string } | null;
    if (evento && evento.xml !== '')
      this.escrever(`${chave}-${evento.codigo}-${evento.sequencia}`, evento.xml);
  }
}

async function baixar(url: string): Promise<Uint8Array> {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}
