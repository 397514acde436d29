/**
 * What somebody who is limited to some clients of the office may bring in: what one of those clients takes part in. All else
 * is refused before anything is compared with the vault, in the same words whether the office has it or not: who sends a
 * stranger's key learns nothing. What is known by its key alone (events, protocols, keys of a list) is theirs when a client
 * of theirs issued it, or takes part in the document that the office, or this very file, has: of a file that counts if it is
 * proven who wrote the document, for whoever knows a key can write himself into a copy. What only an issuer does is no one's
 * but the issuer's, whomever an event names as its author.
 */
import { splitChave } from '../../fiscal/chave.ts';
import { ehSoDoEmitente } from '../../fiscal/eventos/autores.ts';
import { forcaDe, provaDaAutoria } from '../../fiscal/prova.ts';
import type { Chave } from '../../fiscal/tipos.ts';
import type { PecaLida, RegistroSemItens, Trx } from '../tipos.ts';
import { participantesDe } from './identidade.ts';
import * as queries from './queries-alcance.ts';

const FORA = {
  codigo: 'fora_do_acesso',
  mensagem:
    'Nenhuma das empresas que você vê participa deste documento: ele não foi guardado. Envie só documentos dessas empresas.',
  elemento: null,
  linha: null,
  coluna: null,
};

/** The pieces of a file as they may be stored, in their order; with `alcance` null as they are. */
export async function dentroDoAlcance(
  trx: Trx,
  input: { contadorId: number; alcance: readonly number[] | null; pecas: readonly PecaLida[] },
): Promise<readonly PecaLida[]> {
  const { contadorId, alcance, pecas } = input;
  if (alcance === null) return pecas;
  const suas = await queries.findCpfCnpjs(trx, { contadorId, clienteIds: alcance });
  const participa = (peca: PecaLida) =>
    peca.kind === 'registro' &&
    !escreveSoOEmitente(peca.registro) &&
    participantesDe(peca.registro).some(({ cpfCnpj }) => suas.has(cpfCnpj));
  const doArquivo = pecas.flatMap((peca) =>
    peca.kind === 'registro' && ehDocumentoDeAutorProvado(peca) && participa(peca)
      ? [peca.registro.chave]
      : [],
  );
  const daCasa = await queries.findChavesDosClientes(trx, {
    contadorId,
    clienteIds: alcance,
    chaves: [...new Set(pecas.flatMap(chavesDe))],
  });
  const conhecidas = new Set<string>([...doArquivo, ...daCasa]);
  const isDelas = (chave: Chave) => conhecidas.has(chave) || suas.has(splitChave(chave).emitente ?? '');
  return pecas.map((peca) => (participa(peca) ? peca : judged(peca, isDelas)));
}

function escreveSoOEmitente(registro: RegistroSemItens): boolean {
  return registro.classe === 'evento' && ehSoDoEmitente(registro.modelo, registro.codigo);
}

/** Of notes under a city's own key nothing is proven: what they say has to do. */
function ehDocumentoDeAutorProvado({ registro, prova }: Extract<PecaLida, { kind: 'registro' }>): boolean {
  if (registro.classe !== 'documento') return false;
  return registro.chave.startsWith('NFSE-') || forcaDe(provaDaAutoria(prova.falhas)) > 0;
}

/** Keys that say alone what a piece is about. */
function chavesDe(peca: PecaLida): Chave[] {
  if (peca.kind === 'registro') return peca.registro.classe === 'evento' ? [peca.registro.chave] : [];
  if (peca.kind === 'esperado') return [peca.chave];
  const metade = peca.kind === 'rejeitado' && peca.metade ? [peca.metade.chave] : [];
  return [...metade, ...(peca.protocolos ?? []).map(({ chave }) => chave)];
}

function judged(peca: PecaLida, isDelas: (chave: Chave) => boolean): PecaLida {
  const { caminho, especie } = peca;
  if (peca.kind === 'registro') {
    const { registro, conteudo } = peca;
    if (registro.classe === 'evento' && isDelas(registro.chave)) return peca;
    const { chave } = registro;
    return { caminho, especie, kind: 'rejeitado', chave, sha256: conteudo.sha256, rejeicao: FORA };
  }
  if (peca.kind === 'esperado') {
    const { chave } = peca;
    return isDelas(chave)
      ? peca
      : { caminho, especie, kind: 'rejeitado', chave, sha256: null, rejeicao: FORA };
  }
  const { protocolos, ...semProtocolos } = peca;
  const deles = { ...semProtocolos, protocolos: (protocolos ?? []).filter(({ chave }) => isDelas(chave)) };
  if (deles.kind !== 'rejeitado' || !deles.metade || isDelas(deles.metade.chave)) return deles;
  const { metade: _metade, ...semMetade } = deles;
  return semMetade;
}
