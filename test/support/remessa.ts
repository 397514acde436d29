/** A month of an office, cut into files to upload, and what each client must have in the end. */
import { createHash } from 'node:crypto';
import { generateCenario, type ItemDoCenario } from '../../src/gerador/cenario.ts';
import { zipDe } from '../../src/gerador/zip.ts';

export interface Arquivo {
  /** Of this one alone in its set. */
  nome: string;
  extension: '.xml' | '.zip';
  bytes: Uint8Array;
  itens: ItemDoCenario[];
}

export interface Remessa {
  clientes: string[];
  itens: ItemDoCenario[];
  arquivos: Arquivo[];
  /** By client: identity of each entry → SHA-256 of its bytes. */
  esperadas: Map<string, Map<string, string>>;
}

export function identidadeDe({ chave, evento }: ItemDoCenario): string {
  return evento ? `${chave}/${evento.codigo}/${evento.sequencia}` : chave;
}

export async function arquivoDe(nome: string, itens: ItemDoCenario[]): Promise<Arquivo> {
  return { nome: `${nome}.zip`, extension: '.zip', bytes: await zipDe(itens), itens };
}

/** Packs items into files, in order. Every third file is one bare XML instead of a zip. */
export async function empacotar(
  itens: readonly ItemDoCenario[],
  input: { porArquivo: number; prefixo?: string; soZips?: boolean },
): Promise<Arquivo[]> {
  const { porArquivo, prefixo = 'lote', soZips = false } = input;
  const rest = [...itens];
  const arquivos: Arquivo[] = [];
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

/**
 * The same seed, the same bytes.
 * @param input.porArquivo documents in each file that is a zip
 * @param input.outras CT-e, CT-e OS, NFS-e and CF-e SAT on top of `documentos`. Default none
 */
export async function generateRemessa(input: {
  semente: string;
  clientes: number;
  documentos: number;
  porArquivo: number;
  outras?: number;
}): Promise<Remessa> {
  const { semente, clientes, documentos, porArquivo, outras = 0 } = input;
  const cenario = generateCenario({ semente, clientes, documentos, outras, inicio: '2026-03-01', meses: 1 });
  const itens = [...cenario.documentos];
  const ids = cenario.empresas.map(({ id }) => id);
  const esperadas = new Map<string, Map<string, string>>(ids.map((id) => [id, new Map()]));
  for (const item of itens) {
    const sha256 = createHash('sha256').update(item.bytes).digest('hex');
    for (const cliente of item.clientes) esperadas.get(cliente)?.set(identidadeDe(item), sha256);
  }
  return { clientes: ids, itens, arquivos: await empacotar(itens, { porArquivo }), esperadas };
}
