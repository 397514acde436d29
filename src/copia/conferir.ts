/** Looks whether a backup is whole: every part against its sum, every list against the manifest. */
import { ErroDeCopia } from './erros.ts';
import { MANIFESTO, readLista, readManifesto, sha256De } from './formato.ts';
import { partesDe } from './recipiente.ts';
import type { Manifesto } from './schemas-da-copia.ts';

/**
 * Reads all of it, in constant memory.
 * @param aoLer told of each part's bytes
 * @throws ErroDeCopia that names the damaged parts
 */
export async function checkCopia(de: string, aoLer: (bytes: number) => void = () => {}): Promise<Manifesto> {
  const damaged: string[] = [];
  const listas: Soma[] = [];
  let waiting = new Map<string, string>();
  let partes = 0;
  for await (const { nome, bytes } of partesDe(de)) {
    aoLer(bytes.length);
    if (nome === MANIFESTO) {
      const manifesto = readManifesto(bytes);
      if (waiting.size > 0 || partes !== manifesto.partes) damaged.push(MANIFESTO);
      damaged.push(...listasErradas(manifesto, listas));
      if (damaged.length > 0) throw danificada(damaged);
      return manifesto;
    }
    if (nome.startsWith('somas/')) {
      listas.push({ nome, sha256: sha256De(bytes) });
      damaged.push(...partesErradas(waiting, readLista(nome, bytes)));
      waiting = new Map();
    } else {
      waiting.set(nome, sha256De(bytes));
      partes += 1;
    }
  }
  throw new ErroDeCopia('copia_incompleta', `${de} não é uma cópia inteira.`);
}

interface Soma {
  nome: string;
  sha256: string;
}

/** Lists of the manifest that are missing, or have other sums. */
function listasErradas({ somas }: Manifesto, listas: readonly Soma[]): string[] {
  return somas
    .filter(({ nome, sha256 }, at) => listas[at]?.nome !== nome || listas[at]?.sha256 !== sha256)
    .map(({ nome }) => nome);
}

/** Parts of a list whose bytes are others, and parts that stand before it and not in it. */
function partesErradas(lidas: ReadonlyMap<string, string>, lista: readonly Soma[]): string[] {
  const left = new Map(lidas);
  const wrong: string[] = [];
  for (const { nome, sha256 } of lista) {
    if (left.get(nome) !== sha256) wrong.push(nome);
    left.delete(nome);
  }
  return [...wrong, ...left.keys()];
}

function danificada(nomes: readonly string[]): ErroDeCopia {
  const shown = nomes.slice(0, 20).join(', ');
  const more = nomes.length > 20 ? ` e mais ${nomes.length - 20}` : '';
  return new ErroDeCopia('copia_danificada', `A cópia está danificada: ${shown}${more}.`);
}
