import { bytesDoEnvio } from '../documentos/bytes/envios.ts';
import type { LerEnvio, Lido } from '../documentos/verify/verificar-linhas.ts';
import type { Autoridades } from '../fiscal/certificado/autoridades.ts';
import { readContent } from '../importacao/reading/leitor.ts';
import { juntar, todasAsAutoridades } from '../importacao/standards/autoridades.ts';
import { loadEsquemas } from '../importacao/standards/esquemas-instalados.ts';
import { isSurroundings } from '../importacao/storing/surroundings.ts';
import { entradasDe } from '../importacao/unpack/entradas.ts';
import type { DepsComArquivos } from './deps.ts';

/** Reads uploads again as the import did, for what documents say only there. */
export function readEnvioDe({ config, storage }: Pick<DepsComArquivos, 'config' | 'storage'>): LerEnvio {
  const validador = loadEsquemas(config);
  return async (db, { arquivoId, blob }) => {
    try {
      const bytes = await bytesDoEnvio({ db, storage }, { id: arquivoId, blob });
      return bytes && (await lidosDe(bytes, validador));
    } catch (error) {
      if (isSurroundings(error)) throw error;
      return null;
    }
  };
}

async function lidosDe(
  bytes: Buffer,
  validador: ReturnType<typeof loadEsquemas>,
): Promise<Map<string, Lido>> {
  const lidos = new Map<string, Lido>();
  for await (const entrada of entradasDe({ bytes, prontas: 0 })) {
    if (!('bytes' in entrada)) continue;
    for (const peca of readContent(entrada, { validador })) {
      if (peca.kind !== 'registro') continue;
      const { registro, conteudo, assinatura, prova, esquema } = peca;
      lidos.set(conteudo.sha256, { registro, codificacao: conteudo.codificacao, assinatura, prova, esquema });
    }
  }
  return lidos;
}

/** Who answers for signers; null where that cannot be read, which is told of the rows themselves. */
export async function autoridadesDe({ db }: Pick<DepsComArquivos, 'db'>): Promise<Autoridades | null> {
  try {
    return juntar(await todasAsAutoridades(db.read));
  } catch (error) {
    if (isSurroundings(error)) throw error;
    return null;
  }
}
