/** Trust in the authorities of the generator, given as an operator gives it: by the fingerprints of their roots. */
import { X509Certificate } from 'node:crypto';
import type { Deps } from '../src/deps.ts';
import type { Confianca } from '../src/fiscal/certificado/autoridades.ts';
import {
  autoridadeDeLaboratorio,
  EMISSORES,
  type EmissorDeLaboratorio,
  type RaizDeLaboratorio,
  raizDeLaboratorio,
} from '../src/gerador/autoridades.ts';
import type { Autoridade } from '../src/importacao/standards/autoridades.ts';
import { type Instalacao, installAutoridades } from '../src/importacao/standards/autoridades-instaladas.ts';

const emissoresDe = (raiz: RaizDeLaboratorio) =>
  (Object.keys(EMISSORES) as EmissorDeLaboratorio[])
    .filter((emissor) => EMISSORES[emissor].raiz === raiz)
    .map(autoridadeDeLaboratorio);

/** All of them, for who judges without a database. */
export function autoridadesDeLaboratorio(): Autoridade[] {
  return (['documentos', 'sat'] as const).flatMap((raiz) => {
    const confianca: Confianca = raiz === 'sat' ? 'sat' : 'icp_brasil';
    const { der, sha256 } = raizDeLaboratorio(raiz);
    return [
      { der, sha256, confianca, instaladaEm: null },
      ...emissoresDe(raiz).map((ac) => ({
        der: ac.der,
        sha256: ac.sha256,
        confianca: null,
        instaladaEm: null,
      })),
    ];
  });
}

/**
 * From then on what the generator signs has a chain that is proven, but for what strangers sign. Before a start or beside
 * a running server, which has them in a second.
 * @param raiz `sat`: what SAT devices sign
 */
export function installLaboratorio(
  deps: Pick<Deps, 'db' | 'clock'>,
  raiz: RaizDeLaboratorio = 'documentos',
): Promise<Instalacao> {
  const { der, sha256 } = raizDeLaboratorio(raiz);
  return installAutoridades(deps, {
    certificados: [der, ...emissoresDe(raiz).map((ac) => ac.der)].map((bytes) => new X509Certificate(bytes)),
    aceitarRaizes: [sha256],
    sat: raiz === 'sat',
    autor: 'cli',
  });
}
