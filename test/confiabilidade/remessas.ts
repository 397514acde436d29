/** What an office sends: generated documents in files, and for each file what must come out of it, in which feeds. */
import { gerarCenario, type ItemDoCenario } from '../../src/gerador/cenario.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import type { DocumentoEnviado } from './diario.ts';
import { sha256 } from './sonda.ts';

export interface ArquivoEnviado {
  nome: string;
  extension: '.xml' | '.zip';
  bytes: Uint8Array;
  itens: ItemDoCenario[];
}

export interface Remessa {
  clientes: string[];
  itens: ItemDoCenario[];
  arquivos: ArquivoEnviado[];
}

export function identidadeDe({ chave, evento }: ItemDoCenario): string {
  return evento ? `${chave}/${evento.codigo}/${evento.sequencia}` : chave;
}

/** What a file holds, for an office with these clients. */
export function documentosDe(
  itens: readonly ItemDoCenario[],
  dono: { codigoCrm: string; clientes: readonly string[] },
): DocumentoEnviado[] {
  return itens.map((item) => ({
    identidade: identidadeDe(item),
    sha256: sha256(item.bytes),
    escopos: item.clientes
      .filter((cliente) => dono.clientes.includes(cliente))
      .map((cliente) => `${dono.codigoCrm}/${cliente}`),
  }));
}

export async function arquivoDe(nome: string, itens: ItemDoCenario[]): Promise<ArquivoEnviado> {
  return { nome: `${nome}.zip`, extension: '.zip', bytes: await zipDe(itens), itens };
}

/** Packs items into files, in order. Every third file is one bare XML instead of a zip. */
export async function empacotar(
  itens: readonly ItemDoCenario[],
  input: { porArquivo: number; prefixo?: string; soZips?: boolean },
): Promise<ArquivoEnviado[]> {
  const { porArquivo, prefixo = 'lote', soZips = false } = input;
  const rest = [...itens];
  const arquivos: ArquivoEnviado[] = [];
  while (rest.length > 0) {
    const single = !soZips && arquivos.length % 3 === 2;
    const part = rest.splice(0, single ? 1 : porArquivo);
    const nome = `${prefixo}-${arquivos.length}`;
    const [first] = part;
    if (single && first)
      arquivos.push({ nome: `${nome}.xml`, extension: '.xml', bytes: first.bytes, itens: part });
    else arquivos.push(await arquivoDe(nome, part));
  }
  return arquivos;
}

/** A month of an office with some clients. The same seed, the same bytes. */
export async function gerarRemessa(input: {
  semente: string;
  clientes: number;
  documentos: number;
  porArquivo: number;
}): Promise<Remessa> {
  const { semente, clientes, documentos, porArquivo } = input;
  const cenario = gerarCenario({ semente, clientes, documentos, inicio: '2026-03-01', meses: 1 });
  const itens = [...cenario.documentos];
  return {
    clientes: cenario.empresas.map(({ id }) => id),
    itens,
    arquivos: await empacotar(itens, { porArquivo }),
  };
}
