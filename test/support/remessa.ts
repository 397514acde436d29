/** A month of an office, cut into files to upload, and what each client must have in the end. */
import { createHash } from 'node:crypto';
import { gerarCenario, type ItemDoCenario } from '../../src/gerador/cenario.ts';
import { zipDe } from '../../src/gerador/zip.ts';

export interface Arquivo {
  nome: string;
  extension: '.xml' | '.zip';
  bytes: Uint8Array;
}

export interface Remessa {
  clientes: string[];
  arquivos: Arquivo[];
  /** By client: identity of each entry → SHA-256 of its bytes. */
  esperadas: Map<string, Map<string, string>>;
}

function identidadeDe({ chave, evento }: ItemDoCenario): string {
  return evento ? `${chave}/${evento.codigo}/${evento.sequencia}` : chave;
}

/**
 * @param input.porArquivo documents in each file; every third file is one bare XML instead of a zip
 * @param input.outras CT-e, CT-e OS, NFS-e and CF-e SAT on top of `documentos`. Default none
 */
export async function gerarRemessa(input: {
  semente: string;
  clientes: number;
  documentos: number;
  porArquivo: number;
  outras?: number;
}): Promise<Remessa> {
  const { semente, clientes, documentos, outras = 0 } = input;
  const cenario = gerarCenario({ semente, clientes, documentos, outras, inicio: '2026-03-01', meses: 1 });
  const itens = [...cenario.documentos];
  const ids = cenario.empresas.map((empresa) => empresa.id);
  const esperadas = new Map<string, Map<string, string>>(ids.map((id) => [id, new Map()]));
  for (const item of itens) {
    const sha256 = createHash('sha256').update(item.bytes).digest('hex');
    for (const cliente of item.clientes) esperadas.get(cliente)?.set(identidadeDe(item), sha256);
  }
  const arquivos: Arquivo[] = [];
  while (itens.length > 0) {
    const single = arquivos.length % 3 === 2;
    const part = itens.splice(0, single ? 1 : input.porArquivo);
    const [first] = part;
    if (!first) break;
    arquivos.push(
      single
        ? { nome: first.nome, extension: '.xml', bytes: first.bytes }
        : { nome: `lote-${arquivos.length}.zip`, extension: '.zip', bytes: await zipDe(part) },
    );
  }
  return { clientes: ids, arquivos, esperadas };
}
