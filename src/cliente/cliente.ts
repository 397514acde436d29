/**
 * `malote/cliente`: a small typed client of the HTTP API. It imports nothing but Node's own modules, so it can be
 * used apart from the server. Names of things are those of the API; see docs/cliente.md.
 */
import { createEnvio, type Envio } from './envio.ts';
import { ConteudoExcluido, NaoEncontrado, Proibido } from './erros.ts';
import type {
  ClienteDoEscritorio,
  DocumentoComNsu,
  FiltrosDeListagem,
  FinalidadeDoDocumento,
  FinalidadeInformada,
  ItemDoArquivo,
  Pagina,
  PaginaDeClientes,
  PaginaDeItens,
} from './tipos.ts';
import { createTransporte, type OpcoesDeTransporte, type Transporte } from './transporte.ts';

export { type ArquivoDaEntrada, arquivosDe, pastaDaSituacao } from './arquivos.ts';
export type { OpcoesDeEnvio } from './envio.ts';
export {
  ArquivoGrandeDemais,
  Conflito,
  ConteudoExcluido,
  type ErroDeCampo,
  ErroInterno,
  FalhaDeRede,
  Indisponivel,
  LimiteExcedido,
  MaloteError,
  NaoAutorizado,
  NaoEncontrado,
  Proibido,
  RequisicaoInvalida,
  RespostaInesperada,
  TempoEsgotado,
} from './erros.ts';
export type * from './tipos.ts';

/** Records of a page when a loop reads page after page; the service allows up to 500. */
const LOOP_PAGE_SIZE = 100;
/** Items and clients are small: with the largest page a zip of 5,000 documents takes ten calls. */
const LARGEST_PAGE = 500;

export interface OpcoesDoCliente extends OpcoesDeTransporte {
  /** Address of the service, such as `https://malote.exemplo.com.br`. */
  url: string;
  /** Where the import area has an address of its own. */
  urlImportacao?: string;
  /** 1 to 6 digits. Needed by the export calls. */
  codigoCrm?: string | number;
  /** With or without mask. Needed by the export calls; `daEmpresa` changes it. */
  cpfCnpj?: string;
}

export interface OpcoesDePagina {
  /** 1…500; the service's default is 50. */
  tamanho?: number;
  /** From 1. */
  pagina?: number;
}

export interface Cliente extends Envio {
  /** The same client for another company of the office. */
  daEmpresa(cpfCnpj: string, codigoCrm?: string | number): Cliente;
  /** The clients of the office that the token reaches, by CPF/CNPJ, with how far each one's feed has come. */
  clientes(): AsyncGenerator<ClienteDoEscritorio, void, undefined>;
  /** Every document found in a file, in their order, page after page. */
  itensDoArquivo(id: string): AsyncGenerator<ItemDoArquivo, void, undefined>;
  /** One page of what is newer than `nsu`. To follow a feed use `percorrer`. */
  novos(nsu: number, opcoes?: OpcoesDePagina & { xml?: boolean }): Promise<Pagina<DocumentoComNsu>>;
  /**
   * All that is newer than `desdeNsu`, in order of NSU, page after page. Keep the `nsu` of the last document you
   * have dealt with and start from it the next time: nothing is missed and nothing comes twice.
   */
  percorrer(
    desdeNsu?: number,
    opcoes?: { tamanho?: number; xml?: boolean },
  ): AsyncGenerator<DocumentoComNsu, void, undefined>;
  /**
   * What is new for all clients that the token reaches, client after client. Keep the `nsu` of the last document of each one.
   * @param opcoes.desde last NSU that was dealt with, by CPF/CNPJ without mask; from the beginning where it names none
   */
  percorrerTodos(opcoes?: {
    desde?: Readonly<Record<string, number>>;
    tamanho?: number;
    xml?: boolean;
  }): AsyncGenerator<{ cliente: ClienteDoEscritorio; documento: DocumentoComNsu }, void, undefined>;
  /** The entry with this NSU. @throws NaoEncontrado */
  porNsu(nsu: number, opcoes?: { xml?: boolean }): Promise<DocumentoComNsu>;
  /** The document with this key. @throws NaoEncontrado */
  porChave(chave: string, opcoes?: { xml?: boolean }): Promise<DocumentoComNsu>;
  /** One page of the NF-e (55) listing. */
  nfe(filtros: FiltrosDeListagem): Promise<Pagina>;
  /** One page of the NFC-e (65) listing. */
  nfce(filtros: FiltrosDeListagem): Promise<Pagina>;
  /** The original bytes. Given a document whose address has expired, a new address is asked for. */
  baixar(de: string | DocumentoComNsu): Promise<Uint8Array>;
  /** The original bytes of the event that an entry tells of, in the same way. @throws ConteudoExcluido where it has none */
  baixarEvento(de: DocumentoComNsu): Promise<Uint8Array>;
  /** One page of what is newer than `nsu`, with `url_finalidade` filled. */
  finalidade(nsu: number, opcoes?: OpcoesDePagina): Promise<Pagina<DocumentoComNsu>>;
  /** What `url_finalidade` answers. */
  lerFinalidade(urlFinalidade: string): Promise<FinalidadeDoDocumento>;
  /** Sets the purpose of a document's purchase; answers what holds from now on. */
  informarFinalidade(chave: string, finalidade: FinalidadeInformada): Promise<FinalidadeDoDocumento>;
}

/**
 * Makes a client. Calls are tried again on network faults, 429, 502, 503 and 504 (obeying `Retry-After`), six times
 * in all by default, then fail with an error class of `erros.ts` whose `codigo` is the service's own.
 */
export function criarCliente(opcoes: OpcoesDoCliente): Cliente {
  return clienteSobre(createTransporte(opcoes), opcoes);
}

function clienteSobre(transporte: Transporte, opcoes: OpcoesDoCliente): Cliente {
  const baseUrl = addressOf(opcoes.url);
  const importUrl = addressOf(opcoes.urlImportacao ?? opcoes.url);

  const get = <T>(url: string, comToken = true) => transporte.json<T>({ method: 'GET', url, comToken });
  const exportUrl = (path: string, query: Query = {}) =>
    `${baseUrl}${companyPath(opcoes)}${path}${search(query)}`;

  const novos = (nsu: number, { xml, ...pagina }: OpcoesDePagina & { xml?: boolean } = {}) =>
    get<Pagina<DocumentoComNsu>>(
      exportUrl(`/documentos/${nsu}/novos`, { ...pageQuery(pagina), Xml: xml ? 'true' : undefined }),
    );

  async function* percorrer(desdeNsu = 0, { tamanho = LOOP_PAGE_SIZE, xml = false } = {}) {
    for (let nsu = desdeNsu; ; ) {
      // Always the first page after what was read: entries that arrive meanwhile do not shift it.
      const { documentos } = await novos(nsu, { tamanho, xml });
      for (const documento of documentos) {
        yield documento;
        nsu = documento.nsu;
      }
      if (documentos.length < tamanho) return;
    }
  }

  async function* itensDoArquivo(id: string) {
    for (let pagina = 1; ; pagina++) {
      const query = search({ Pagina: pagina, Tamanho: LARGEST_PAGE });
      const page = await get<PaginaDeItens>(
        `${importUrl}/storage/arquivo/${encodeURIComponent(id)}/itens${query}`,
      );
      yield* page.itens;
      if (page.itens.length < LARGEST_PAGE) return;
    }
  }

  async function* clientes() {
    for (let pagina = 1; ; pagina++) {
      const query = search({ Pagina: pagina, Tamanho: LARGEST_PAGE });
      const page = await get<PaginaDeClientes>(`${baseUrl}${officePath(opcoes)}/clientes${query}`);
      yield* page.clientes;
      if (page.clientes.length < LARGEST_PAGE) return;
    }
  }

  async function* percorrerTodos({
    desde = {},
    ...pagina
  }: NonNullable<Parameters<Cliente['percorrerTodos']>[0]> = {}) {
    for await (const cliente of clientes()) {
      const nsu = desde[cliente.cpf_cnpj] ?? 0;
      if (cliente.nsu <= nsu) continue;
      const sua = daEmpresa(cliente.cpf_cnpj);
      for await (const documento of sua.percorrer(nsu, pagina)) yield { cliente, documento };
    }
  }

  const daEmpresa = (cpfCnpj: string, codigoCrm = opcoes.codigoCrm): Cliente =>
    clienteSobre(transporte, { ...opcoes, cpfCnpj, ...(codigoCrm === undefined ? {} : { codigoCrm }) });

  const porNsu = (nsu: number, { xml = false } = {}) =>
    get<DocumentoComNsu>(exportUrl(`/documentos/${nsu}`, { Xml: xml ? 'true' : undefined }));

  const download = (url: string, nsu?: number) => {
    if (!url) throw conteudoExcluido(nsu);
    return transporte.bytes({ method: 'GET', url, comToken: false });
  };

  async function downloadDe(
    { nsu, ...documento }: DocumentoComNsu,
    urlDe: (documento: Omit<DocumentoComNsu, 'nsu'>) => string,
  ): Promise<Uint8Array> {
    try {
      return await download(urlDe(documento), nsu);
    } catch (error) {
      if (!(error instanceof Proibido || error instanceof NaoEncontrado)) throw error;
      return download(urlDe(await porNsu(nsu)), nsu);
    }
  }

  return {
    ...createEnvio(transporte, importUrl),
    daEmpresa,
    clientes,
    itensDoArquivo,
    novos,
    percorrer,
    percorrerTodos,
    porNsu,
    porChave: (chave, { xml = false } = {}) =>
      get(exportUrl(`/documentos/${encodeURIComponent(chave)}/chave`, { Xml: xml ? 'true' : undefined })),
    nfe: (filtros) => get(exportUrl('/nfe', filterQuery(filtros))),
    nfce: (filtros) => get(exportUrl('/nfce', filterQuery(filtros))),
    baixar: (de) =>
      typeof de === 'string' ? download(de) : downloadDe(de, (documento) => documento.url_download),
    baixarEvento: (de) => downloadDe(de, ({ evento }) => evento?.url_download ?? ''),
    finalidade: (nsu, pagina = {}) =>
      get(exportUrl(`/documentos/${nsu}/finalidade`, { ...pageQuery(pagina), Finalidade: 'true' })),
    lerFinalidade: (url) => get(url, false),
    informarFinalidade: (chave, finalidade) =>
      transporte.json({
        method: 'PUT',
        url: exportUrl(`/documentos/${encodeURIComponent(chave)}/chave/finalidade`),
        comToken: true,
        json: finalidade,
      }),
  };
}

type Query = Record<string, string | number | undefined>;

function search(query: Query): string {
  const set = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) set.append(name, String(value));
  const text = set.toString();
  return text === '' ? '' : `?${text}`;
}

function pageQuery({ tamanho, pagina }: OpcoesDePagina): Query {
  return { Tamanho: tamanho, Pagina: pagina };
}

function filterQuery(filtros: FiltrosDeListagem): Query {
  return {
    DataInicial: dateText(filtros.dataInicial),
    DataFinal: filtros.dataFinal === undefined ? undefined : dateText(filtros.dataFinal),
    Tipo: filtros.tipo,
    Status: filtros.status,
    ...pageQuery(filtros),
  };
}

function dateText(date: string | Date): string {
  return typeof date === 'string' ? date : date.toISOString();
}

function officePath({ codigoCrm }: OpcoesDoCliente): string {
  if (codigoCrm === undefined)
    throw new TypeError('Diga codigoCrm em criarCliente() para ler o que é do escritório.');
  return `/api/v1/${encodeURIComponent(String(codigoCrm).padStart(6, '0'))}`;
}

function companyPath(opcoes: OpcoesDoCliente): string {
  const { codigoCrm, cpfCnpj } = opcoes;
  if (codigoCrm === undefined || cpfCnpj === undefined) {
    throw new TypeError('Diga codigoCrm e cpfCnpj em criarCliente() ou daEmpresa() para ler documentos.');
  }
  return `${officePath(opcoes)}/${encodeURIComponent(cpfCnpj)}`;
}

/** `localhost:8080` would else be tried six times, as an address of the scheme `localhost`. */
function addressOf(url: string): string {
  if (!/^https?:\/\/[^/]/i.test(url)) {
    throw new TypeError(`O endereço do Malote começa por http:// ou https://, e não "${url}".`);
  }
  return url.replace(/\/+$/, '');
}

function conteudoExcluido(nsu: number | undefined): ConteudoExcluido {
  const qual = nsu === undefined ? '' : ` do NSU ${nsu}`;
  const mensagem = `O conteúdo${qual} foi excluído ao fim da sua guarda; o registro continua na lista.`;
  return new ConteudoExcluido({ codigo: 'conteudo_excluido', status: 0, mensagem });
}
