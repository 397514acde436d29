/** Files on their way to the server, outside of any screen: going elsewhere in the console does not stop them. */
import { useSyncExternalStore } from 'react';
import { chamar } from '../../api/chamar.ts';
import { cache } from '../../api/consulta.ts';
import { comoFalha, FalhaDeApi, semConexao } from '../../api/falha.ts';

export type FaseDoEnvio = 'na fila' | 'enviando' | 'processando' | 'pronto' | 'com erro' | 'falhou';

export interface Envio {
  chave: number;
  nome: string;
  tamanho: number;
  fase: FaseDoEnvio;
  /** 0 to 1, of the bytes. */
  enviado: number;
  /** Number of the import, once there is one. */
  id: string | null;
  mensagem: string | null;
  /** Not accepted before anything was sent: to try again would change nothing. */
  recusado: boolean;
}

/** At once; more would only make each slower. */
const SIMULTANEOS = 3;
/** The specification's limit of one file, in bytes. */
export const LIMITE_BYTES = 30_000_000;
const ESPERA_MS = 1_200;
const FINAIS: Readonly<Record<string, FaseDoEnvio>> = {
  Uploaded: 'pronto',
  'Com Erro': 'com erro',
  Expirado: 'falhou',
};

let envios: readonly Envio[] = [];
let ativos = 0;
let proximaChave = 1;
const arquivos = new Map<number, File>();
const ouvintes = new Set<() => void>();

function mudar(chave: number, mudanca: Partial<Envio>): void {
  envios = envios.map((envio) => (envio.chave === chave ? { ...envio, ...mudanca } : envio));
  for (const ouvinte of ouvintes) ouvinte();
}

/** Puts files in line; what cannot be accepted is told beside its name and not sent. */
export function enviarArquivos(escolhidos: readonly File[]): void {
  const novos = escolhidos.map((arquivo): Envio => {
    const chave = proximaChave++;
    const recusa = recusaDe(arquivo);
    if (recusa === null) arquivos.set(chave, arquivo);
    return {
      chave,
      nome: caminhoDe(arquivo),
      tamanho: arquivo.size,
      fase: recusa === null ? 'na fila' : 'falhou',
      enviado: 0,
      id: null,
      mensagem: recusa,
      recusado: recusa !== null,
    };
  });
  envios = [...novos, ...envios];
  for (const ouvinte of ouvintes) ouvinte();
  andar();
}

export function limparEnvios(): void {
  envios = envios.filter(({ fase }) => !['pronto', 'com erro', 'falhou'].includes(fase));
  for (const ouvinte of ouvintes) ouvinte();
}

export function tentarDeNovo(chave: number): void {
  if (!arquivos.has(chave)) return;
  // What was begun stays behind and expires; a new address is asked for.
  mudar(chave, { fase: 'na fila', enviado: 0, id: null, mensagem: null });
  andar();
}

export function useEnvios(): readonly Envio[] {
  return useSyncExternalStore(
    (ouvinte) => {
      ouvintes.add(ouvinte);
      return () => ouvintes.delete(ouvinte);
    },
    () => envios,
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
  while (ativos < SIMULTANEOS) {
    // The oldest first: new ones are put in front of the list.
    const proximo = envios.findLast(({ fase }) => fase === 'na fila');
    const arquivo = proximo && arquivos.get(proximo.chave);
    if (!proximo || !arquivo) return;
    ativos += 1;
    void enviar(proximo.chave, arquivo).finally(() => {
      ativos -= 1;
      andar();
    });
    mudar(proximo.chave, { fase: 'enviando' });
  }
}

async function enviar(chave: number, arquivo: File): Promise<void> {
  try {
    const nome = caminhoDe(arquivo);
    const { id, url } = await chamar('POST /importacoes', { corpo: { nome, tamanho: arquivo.size } });
    mudar(chave, { id });
    await subir(url, arquivo, (enviado) => mudar(chave, { enviado }));
    mudar(chave, { fase: 'processando', enviado: 1 });
    void cache.invalidateQueries({ queryKey: ['GET /importacoes'] });
    void acompanhar(chave, id);
  } catch (error) {
    mudar(chave, { fase: 'falhou', mensagem: comoFalha(error).message });
  }
}

/** The signed address is one of this very server: sent to our own origin whatever public name stands in it. */
function daqui(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return `${pathname.slice(pathname.lastIndexOf('/upload/'))}${search}`;
}

/** `fetch` tells nothing of the bytes that have gone out; XMLHttpRequest does. */
function subir(url: string, arquivo: File, aoAvancar: (parte: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const pedido = new XMLHttpRequest();
    pedido.open('PUT', daqui(url));
    pedido.setRequestHeader('accept', 'application/json');
    pedido.upload.onprogress = ({ loaded, total }) => aoAvancar(total > 0 ? loaded / total : 0);
    pedido.onerror = () => reject(semConexao());
    pedido.onload = () => {
      if (pedido.status === 200) return resolve();
      reject(recusaDoServidor(pedido));
    };
    pedido.send(arquivo);
  });
}

/** Whatever stands before the server may answer with a page of its own. */
function recusaDoServidor({ status, responseText }: XMLHttpRequest): FalhaDeApi {
  let problema: { mensagem?: string; codigo?: string } = {};
  try {
    problema = JSON.parse(responseText) as typeof problema;
  } catch {
    // Only the status is known then.
  }
  return new FalhaDeApi({
    status,
    codigo: problema.codigo ?? 'envio_recusado',
    mensagem: problema.mensagem ?? `O servidor recusou o envio (${status}).`,
  });
}

/** Until the import has ended; what became of each document is in its own page. */
async function acompanhar(chave: number, id: string): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, ESPERA_MS));
    const importacao = await chamar('GET /importacoes/{id}', { caminho: { id } }).catch(() => null);
    const fase = importacao && FINAIS[importacao.status];
    if (!fase) {
      if (envios.every((envio) => envio.chave !== chave)) return;
      continue;
    }
    if (fase !== 'falhou') arquivos.delete(chave);
    mudar(chave, { fase, mensagem: importacao.log.split('\n')[0] || null });
    for (const rota of ['GET /importacoes', 'GET /documentos', 'GET /inicio', 'GET /retidos']) {
      void cache.invalidateQueries({ queryKey: [rota] });
    }
    return;
  }
}
