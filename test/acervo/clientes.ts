/** Whom the office of the tests has as clients: so few that most of what comes is for somebody else. */
import { parseCpfCnpj } from '../../src/fiscal/cpf-cnpj.ts';
import type { Amostra } from './amostras.ts';
import { readByXPath } from './leitura/ler.ts';

const EMISSORES = 6;
const DE_EVENTOS = 2;
const ISSUER = /^(?:emitente|prestador) (.+)$/;

interface Emissores {
  documentos: string[];
  /** Whose documents the events are about: the key says it. */
  eventos: string[];
}

function issuersIn({ bytes }: Amostra): Emissores {
  try {
    const real = readByXPath(bytes).filter(({ ambiente }) => ambiente !== '2');
    const events = real.filter(({ classe, chave }) => classe === 'evento' && chave.length === 44);
    return {
      documentos: real.flatMap(({ partes }) => partes.flatMap((parte) => ISSUER.exec(parte)?.[1] ?? [])),
      eventos: events.map(({ chave }) => chave.slice(6, 20)),
    };
  } catch {
    // What libxml2 cannot read has no say here.
    return { documentos: [], eventos: [] };
  }
}

/** The most frequent of them that can be clients. */
function mostFrequent(ids: readonly string[], quantos: number): string[] {
  const counted = Map.groupBy(
    ids.filter((id) => parseCpfCnpj(id)),
    (id) => id,
  );
  return [...counted]
    .sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
    .slice(0, quantos)
    .map(([id]) => id);
}

/** The issuers of most documents of produção, and of most events, by an independent reading. */
export function clientesDoAcervo(amostras: readonly Amostra[]): string[] {
  const found = amostras.map(issuersIn);
  const documentos = mostFrequent(
    found.flatMap((one) => one.documentos),
    EMISSORES,
  );
  const eventos = mostFrequent(
    found.flatMap((one) => one.eventos),
    DE_EVENTOS,
  );
  return [...new Set([...documentos, ...eventos])];
}
