/**
 * Files on their way to the server, outside of any screen: going elsewhere in the console does not stop them. A folder
 * may bring thousands: a change costs the same however many there are, and screens hear of it some times a second.
 */
import { useSyncExternalStore } from 'react';
import { chamar } from '../../api/chamar.ts';
import { envelhecer } from '../../api/consulta.ts';
import { comoFalha } from '../../api/falha.ts';
import { plural } from '../../formatos/numeros.ts';
import { aoEsquecer } from '../../sessao/ao-esquecer.ts';
import { subir } from './subir.ts';

/** In the order in which they are shown. */
export const FASES = ['enviando', 'falhou', 'com erro', 'processando', 'na fila', 'pronto'] as const;
export type FaseDoEnvio = (typeof FASES)[number];

/** Never changed: what has changed is another object. */
export interface Envio {
  readonly chave: number;
  readonly nome: string;
  readonly tamanho: number;
  readonly fase: FaseDoEnvio;
  /** 0 to 1, of the bytes. */
  readonly enviado: number;
  /** Number of the import, once there is one. */
  readonly id: string | null;
  readonly mensagem: string | null;
  /** Not accepted before anything was sent: to try again would change nothing. */
  readonly recusado: boolean;
}

/** What a screen shows of all of them. */
export interface Retrato {
  readonly total: number;
  readonly quantos: Readonly<Record<FaseDoEnvio, number>>;
  /** Those that failed and can be tried again. */
  readonly repetiveis: number;
  /** The server has asked for a pause; it goes on by itself. */
  readonly pausado: boolean;
  /** A few of each phase. */
  readonly aVista: Readonly<Record<FaseDoEnvio, readonly Envio[]>>;
}

/** At once; more would only make each slower. */
const SIMULTANEOS = 3;
/** The specification's limit of one file, in bytes. */
const LIMITE_BYTES = 30_000_000;
/** Rows of one phase. */
const A_VISTA = 20;
const AVISO_MS = 150;
const ESPERA_MS = 1_200;
/** Lists are read again at most this often, however many files end meanwhile. */
const RENOVACAO_MS = 2_500;
/** Imports read in one question, and those older than these that are asked for one by one. */
const POR_PERGUNTA = 500;
const AVULSOS = 3;
const FINAIS: Readonly<Record<string, FaseDoEnvio>> = {
  Uploaded: 'pronto',
  'Com Erro': 'com erro',
  Expirado: 'falhou',
};

export const terminou = (fase: FaseDoEnvio) => fase === 'pronto' || fase === 'com erro' || fase === 'falhou';

/** By key, the oldest first. */
const envios = new Map<number, Envio>();
/** What may still have to be sent. */
const arquivos = new Map<number, File>();
const fila: number[] = [];
/** Key and number of imports whose end is waited for. */
const emProcesso = new Map<number, string>();
const ouvintes = new Set<() => void>();
let ativos = 0;
let proximaChave = 1;
let acompanhando = false;
/** Until then the server wants to be asked nothing. */
let pausaAte = 0;
let retrato = retratar();
/** Ends whatever is under way for the person at the screen. */
let turno = new AbortController();

function retratar(): Retrato {
  const listas = new Map(FASES.map((fase) => [fase, [] as Envio[]]));
  let repetiveis = 0;
  for (const envio of envios.values()) {
    listas.get(envio.fase)?.push(envio);
    if (envio.fase === 'falhou' && !envio.recusado) repetiveis += 1;
  }
  const porFase = <T>(de: (lista: Envio[], fase: FaseDoEnvio) => T) =>
    Object.fromEntries([...listas].map(([fase, lista]) => [fase, de(lista, fase)])) as Record<FaseDoEnvio, T>;
  return {
    total: envios.size,
    quantos: porFase(({ length }) => length),
    repetiveis,
    pausado: Date.now() < pausaAte,
    // The newest of what has ended; what comes next of the rest.
    aVista: porFase((lista, fase) =>
      terminou(fase) ? lista.slice(-A_VISTA).reverse() : lista.slice(0, A_VISTA),
    ),
  };
}

/** Tells screens now. */
function mostrar(): void {
  retrato = retratar();
  if (porEnviar() > 0) window.addEventListener('beforeunload', perguntarAntes);
  else window.removeEventListener('beforeunload', perguntarAntes);
  for (const ouvinte of ouvintes) ouvinte();
}

/** Those that would be lost with the page. */
const porEnviar = () => retrato.quantos.enviando + retrato.quantos['na fila'];
const perguntarAntes = (event: BeforeUnloadEvent) => event.preventDefault();

aoEsquecer({
  esquecer: () => {
    turno.abort();
    turno = new AbortController();
    fila.length = 0;
    for (const um of [envios, arquivos, emProcesso]) um.clear();
    mostrar();
  },
  perda: () =>
    porEnviar() === 0
      ? null
      : plural(
          porEnviar(),
          'arquivo ainda não foi enviado; se você sair, não será.',
          'arquivos ainda não foram enviados; se você sair, não serão.',
        ),
});

/** At most once in that time; what is asked for meanwhile is done together. */
function agrupar(ms: number, fazer: () => void): () => void {
  let marcado = false;
  return () => {
    if (marcado) return;
    marcado = true;
    setTimeout(() => {
      marcado = false;
      fazer();
    }, ms);
  };
}

const avisar = agrupar(AVISO_MS, mostrar);
const renovar = agrupar(RENOVACAO_MS, () => {
  void envelhecer([
    'GET /importacoes',
    'GET /documentos',
    'GET /documentos/contagens',
    'GET /documentos/totais',
    'GET /inicio',
    'GET /retidos',
    'GET /retidos/provaveis',
    'GET /retidos/resumo',
    'GET /falhas',
    'GET /falhas/itens',
  ]);
});

function mudar(chave: number, mudanca: Partial<Envio>): void {
  const envio = envios.get(chave);
  if (!envio) return;
  envios.set(chave, { ...envio, ...mudanca });
  avisar();
}

/** Puts files in line; what cannot be accepted is told beside its name and not sent. */
export function sendArquivos(escolhidos: readonly File[]): void {
  for (const arquivo of escolhidos) {
    const chave = proximaChave++;
    const recusa = recusaDe(arquivo);
    if (recusa === null) {
      arquivos.set(chave, arquivo);
      fila.push(chave);
    }
    envios.set(chave, {
      chave,
      nome: caminhoDe(arquivo),
      tamanho: arquivo.size,
      fase: recusa === null ? 'na fila' : 'falhou',
      enviado: 0,
      id: null,
      mensagem: recusa,
      recusado: recusa !== null,
    });
  }
  andar();
  mostrar();
}

export function cleanEnvios(): void {
  for (const { chave, fase } of envios.values()) {
    if (!terminou(fase)) continue;
    envios.delete(chave);
    arquivos.delete(chave);
  }
  mostrar();
}

/** What was begun stays behind and expires; a new address is asked for. */
function devolverAFila(chave: number): void {
  mudar(chave, { fase: 'na fila', enviado: 0, id: null, mensagem: null });
  fila.push(chave);
}

export function tentarDeNovo(chave: number): void {
  if (!arquivos.has(chave)) return;
  devolverAFila(chave);
  andar();
}

export function tryAllAgain(): void {
  for (const { chave, fase } of envios.values())
    if (fase === 'falhou' && arquivos.has(chave)) devolverAFila(chave);
  andar();
}

/** Numbers of the imports that have ended. */
export function importados(): string[] {
  return [...envios.values()].flatMap(({ id, fase }) => (id !== null && terminou(fase) ? [id] : []));
}

export function useEnvios(): Retrato {
  return useSyncExternalStore(
    (ouvinte) => {
      ouvintes.add(ouvinte);
      return () => ouvintes.delete(ouvinte);
    },
    () => retrato,
  );
}

/** With its folder, when a whole folder was dropped. */
function caminhoDe(arquivo: File): string {
  const { path, webkitRelativePath } = arquivo as File & { path?: string };
  return (webkitRelativePath || path || arquivo.name).replace(/^\.?\//, '');
}

function recusaDe({ name, size }: File): string | null {
  if (!/\.(xml|zip)$/i.test(name))
    return 'Só .xml e .zip são aceitos; coloque outros arquivos dentro de um .zip.';
  if (size === 0) return 'O arquivo está vazio.';
  return size > LIMITE_BYTES ? 'O arquivo passa de 30 MB; divida-o em zips menores.' : null;
}

function andar(): void {
  while (ativos < SIMULTANEOS && Date.now() >= pausaAte) {
    const chave = fila.shift();
    if (chave === undefined) return;
    const arquivo = arquivos.get(chave);
    if (!arquivo) continue;
    ativos += 1;
    mudar(chave, { fase: 'enviando' });
    void enviar(chave, arquivo).finally(() => {
      ativos -= 1;
      andar();
    });
  }
}

/** Whether the server has had enough questions for now: everything in line waits as long as it says. */
function pausarSe(error: unknown): boolean {
  const { codigo, esperar } = comoFalha(error);
  if (codigo !== 'limite_excedido' || esperar === null) return false;
  pausaAte = Date.now() + esperar * 1_000;
  setTimeout(() => {
    andar();
    avisar();
  }, esperar * 1_000);
  return true;
}

async function enviar(chave: number, arquivo: File): Promise<void> {
  const { signal } = turno;
  try {
    const corpo = { nome: caminhoDe(arquivo), tamanho: arquivo.size };
    const { id, url } = await chamar('POST /importacoes', { corpo }, signal);
    mudar(chave, { id });
    await subir(url, arquivo, { signal, aoAvancar: (enviado) => mudar(chave, { enviado }) });
    mudar(chave, { fase: 'processando', enviado: 1 });
    emProcesso.set(chave, id);
    renovar();
    if (!acompanhando) void acompanhar();
  } catch (error) {
    if (signal.aborted) return;
    if (pausarSe(error)) devolverAFila(chave);
    else mudar(chave, { fase: 'falhou', mensagem: comoFalha(error).message });
  }
}

/** Until all imports have ended; what became of each document is in the import's own page. */
async function acompanhar(): Promise<void> {
  acompanhando = true;
  while (emProcesso.size > 0) {
    await new Promise((resolve) => setTimeout(resolve, ESPERA_MS));
    if (Date.now() >= pausaAte) await perguntar().catch(pausarSe);
  }
  acompanhando = false;
}

/** One question for all: they are among the newest imports. Only where many others came in between, one by one. */
async function perguntar(): Promise<void> {
  const Tamanho = Math.min(POR_PERGUNTA, emProcesso.size + A_VISTA);
  const { itens } = await chamar('GET /importacoes', { query: { Tamanho } });
  const situacoes = new Map(itens.map((item) => [item.id, item]));
  const avulsos: [number, string][] = [];
  for (const [chave, id] of emProcesso) {
    const item = situacoes.get(id);
    if (item) terminar(chave, item);
    else avulsos.push([chave, id]);
  }
  for (const [chave, id] of avulsos.slice(0, AVULSOS))
    terminar(chave, await chamar('GET /importacoes/{id}', { caminho: { id } }));
}

function terminar(
  chave: number,
  { status, falhou, resumo }: { status: string; falhou: boolean; resumo: string | null },
): void {
  // What only waits for a client to be registered has come well.
  const fase = status === 'Com Erro' && !falhou ? 'pronto' : FINAIS[status];
  if (!fase) return;
  emProcesso.delete(chave);
  if (fase !== 'falhou') arquivos.delete(chave);
  mudar(chave, { fase, mensagem: resumo });
  renovar();
}
