/** A month of an office in the order in which files reach it: events before their notes, notes before their protocol. */
import { createHash } from 'node:crypto';
import { conteudoOriginal } from '../../src/documentos/read/feed.ts';
import type { ItemDoCenario } from '../../src/gerador/cenario.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import { type Escritorio, fetchJson, imported, type Malote, upload, withDeps } from '../support/malote.ts';
import { generateRemessa } from '../support/remessa.ts';

export interface Mes {
  clientes: string[];
  /** Zips, to be sent in their order. */
  arquivos: Buffer[];
  /** Notes that are sent without their protocol first. */
  rascunhos: number;
}

/** One of so many notes is sent without its protocol first. */
const RASCUNHO_DE_CADA = 7;

export async function generateMes(input: { documentos: number; arquivos: number }): Promise<Mes> {
  const outras = Math.ceil(input.documentos / 5);
  const { clientes, itens: gerados } = await generateRemessa({
    semente: 'um mês espelhado',
    clientes: 2,
    documentos: input.documentos - outras,
    outras,
    porArquivo: 1,
  });
  const falta = umaDoMeio(gerados, clientes[0] ?? '');
  const itens = gerados.filter((item) => item !== falta);
  const rascunhos = itens.filter(({ tipo }) => tipo === 'NFe').filter((_, at) => at % RASCUNHO_DE_CADA === 0);
  const todos = [...rascunhos.map(semProtocolo), ...misturados(itens)];
  const porArquivo = Math.ceil(todos.length / input.arquivos);
  const arquivos: Buffer[] = [];
  for (let at = 0; at < todos.length; at += porArquivo)
    arquivos.push(await zipDe(todos.slice(at, at + porArquivo)));
  return { clientes, arquivos, rascunhos: rascunhos.length };
}

/** A note of the middle of its series, with no events: left out, its number is missing. */
function umaDoMeio(itens: readonly ItemDoCenario[], emitente: string): ItemDoCenario {
  const comEvento = new Set(itens.filter(({ evento }) => evento !== null).map(({ chave }) => chave));
  const emitidas = itens.filter(({ tipo, chave }) => tipo === 'NFe' && chave.slice(6, 20) === emitente);
  const series = Map.groupBy(emitidas, ({ chave }) => chave.slice(20, 25));
  for (const serie of series.values()) {
    const emOrdem = serie.toSorted((a, b) => (a.chave.slice(25, 34) < b.chave.slice(25, 34) ? -1 : 1));
    const achada = emOrdem.slice(1, -1).find(({ chave }) => !comEvento.has(chave));
    if (achada) return achada;
  }
  throw new Error('no series of three notes');
}

/** In an order that has nothing to do with what came when, and is the same each time. */
function misturados(itens: readonly ItemDoCenario[]): ItemDoCenario[] {
  const place = ({ nome }: ItemDoCenario) => createHash('sha1').update(nome).digest('hex');
  return itens.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}

function semProtocolo({ nome, bytes }: ItemDoCenario): { nome: string; bytes: Uint8Array } {
  const texto = Buffer.from(bytes).toString();
  const nota = texto.slice(texto.indexOf('<NFe'), texto.indexOf('</NFe>') + '</NFe>'.length);
  return { nome: `rascunhos/${nome}`, bytes: Buffer.from(nota) };
}

/** What may not be, however a file is cut. */
const PROBLEMAS = new Set(['rejeitado', 'conflito', 'homologacao', 'ignorado']);

/**
 * Sends a file and waits for its import. @throws when anything of it is missing but the issuer of an event's document, who
 * is no client: such an event waits for that document
 */
export async function enviar(malote: Malote, { token }: Escritorio, bytes: Uint8Array): Promise<void> {
  const id = await upload(malote, { token, bytes, extension: '.zip' });
  const { status, log } = await imported(malote, { token, id });
  if (status === 'Uploaded') return;
  for (let pagina = 1; ; pagina++) {
    const url = `${malote.url}/storage/arquivo/${id}/itens?Tamanho=500&Pagina=${pagina}`;
    const { body } = await fetchJson(url, { token });
    if (body.itens.some(({ resultado }: { resultado: string }) => PROBLEMAS.has(resultado)))
      throw new Error(log);
    if (pagina >= body.paginas) return;
  }
}

export interface Guardado {
  /** File name without `.xml`, as somebody who keeps them would call it. */
  nome: string;
  classe: string;
  status: string;
  bytes: Buffer;
}

/** All that the store has for a client, as it serves it. */
export function guardadosDe(malote: Malote, cpfCnpj: string): Promise<Guardado[]> {
  return withDeps(malote.dataFolder, async ({ db }) => {
    const linhas = await db.read
      .selectFrom('participacao')
      .innerJoin('cliente', 'cliente.id', 'participacao.cliente_id')
      .innerJoin('documento', 'documento.id', 'participacao.documento_id')
      .innerJoin('versao', 'versao.documento_id', 'documento.id')
      .select(['documento.chave', 'documento.classe', 'documento.status', 'versao.id as versao_id'])
      .select(['documento.evento_codigo', 'documento.evento_sequencia'])
      .where('cliente.cpf_cnpj', '=', cpfCnpj)
      .where('versao.servida', '=', 1)
      .execute();
    const guardados: Guardado[] = [];
    for (const { chave, classe, status, versao_id: versaoId, ...evento } of linhas) {
      const conteudo = await conteudoOriginal(db.read, { versaoId });
      if (!conteudo) throw new Error(`${chave}: no bytes`);
      const nome = evento.evento_codigo
        ? `${chave}-${evento.evento_codigo}-${evento.evento_sequencia}`
        : chave;
      guardados.push({ nome, classe, status, bytes: conteudo.bytes });
    }
    return guardados;
  });
}
