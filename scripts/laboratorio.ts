/** Trust in the authorities of the generator, given as an operator gives it: by the fingerprints of their roots. */
import { X509Certificate } from 'node:crypto';
import type { Deps } from '../src/deps.ts';
import {
  autoridadeDeLaboratorio,
  EMISSORES,
  type EmissorDeLaboratorio,
  type RaizDeLaboratorio,
  raizDeLaboratorio,
} from '../src/gerador/autoridades.ts';
import { type Instalacao, instalarAutoridades } from '../src/importacao/autoridades-instaladas.ts';

/**
 * From then on what the generator signs has a chain that is proven, but for what strangers sign. Before a start or beside
 * a running server, which has them in a second.
 * @param raiz `sat`: what SAT devices sign
 */
export function instalarLaboratorio(
  deps: Pick<Deps, 'db' | 'clock'>,
  raiz: RaizDeLaboratorio = 'documentos',
): Promise<Instalacao> {
  const { der, sha256 } = raizDeLaboratorio(raiz);
  const emissores = (Object.keys(EMISSORES) as EmissorDeLaboratorio[]).filter(
    (emissor) => EMISSORES[emissor].raiz === raiz,
  );
  return instalarAutoridades(deps, {
    certificados: [der, ...emissores.map((emissor) => autoridadeDeLaboratorio(emissor).der)].map(
      (bytes) => new X509Certificate(bytes),
    ),
    aceitarRaizes: [sha256],
    sat: raiz === 'sat',
    autor: 'cli',
  });
}
