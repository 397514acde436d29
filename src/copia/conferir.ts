/** Looks whether a backup is whole: every part against its sum, every list against the manifest. */
import { ErroDeCopia } from './erros.ts';
import { lerLista, lerManifesto, MANIFESTO, type Manifesto, sha256De } from './formato.ts';
import { partesDe } from './recipiente.ts';

/**
 * Reads all of it, in constant memory.
 * @param aoLer told of each part's bytes
 * @throws ErroDeCopia that names the damaged parts
 */
export async function conferirCopia(
  de: string,
  aoLer: (bytes: number) => void = () => {},
): Promise<Manifesto> {
  const damaged: string[] = [];
  const listas: { nome: string; sha256: string }[] = [];
  let waiting = new Map<string, string>();
  let partes = 0;
  for await (const { nome, bytes } of partesDe(de)) {
    aoLer(bytes.length);
    if (nome === MANIFESTO) {
      const manifesto = lerManifesto(bytes);
      if (waiting.size > 0 || partes !== manifesto.partes) damaged.push(MANIFESTO);
      for (const [at, { nome: lista, sha256 }] of manifesto.somas.entries()) {
        if (listas[at]?.nome !== lista || listas[at]?.sha256 !== sha256) damaged.push(lista);
      }
      if (damaged.length > 0) throw danificada(damaged);
      return manifesto;
    }
    if (!nome.startsWith('somas/')) {
      waiting.set(nome, sha256De(bytes));
      partes += 1;
      continue;
    }
    listas.push({ nome, sha256: sha256De(bytes) });
    for (const parte of lerLista(nome, bytes)) {
      if (waiting.get(parte.nome) !== parte.sha256) damaged.push(parte.nome);
      waiting.delete(parte.nome);
    }
    damaged.push(...waiting.keys());
    waiting = new Map();
  }
  throw new ErroDeCopia('copia_incompleta', `${de} não é uma cópia inteira.`);
}

function danificada(nomes: readonly string[]): ErroDeCopia {
  const shown = nomes.slice(0, 20).join(', ');
  const more = nomes.length > 20 ? ` e mais ${nomes.length - 20}` : '';
  return new ErroDeCopia('copia_danificada', `A cópia está danificada: ${shown}${more}.`);
}
