/** What the report says of the imports that `importacao.ts` has run. */
import type { Conjunto } from '../conjunto.ts';
import { linhaDoPico } from '../observar.ts';
import type { Linha } from '../razoes.ts';

const MB = 1e6;

export interface Corrida {
  /** From the answer to the PUT to `Uploaded`. */
  segundos: number;
  putSegundos: number;
  picoBytes: number | null;
  /** Seconds of work by step. */
  etapas: Record<string, number>;
  lacoP99Ms: number;
  lacoMaxMs: number;
}

/** The middle one of several runs. */
export interface CorridaDoMeio extends Corrida {
  /** Seconds of the shortest and of the longest of them. */
  extremos: readonly [number, number];
  quantas: number;
}

/** On SQLite, with what it took of memory and disk. */
export function linhasDaImportacao(input: {
  conjunto: Conjunto;
  corrida: CorridaDoMeio;
  nucleos: number;
  bases: Bases;
  disco: number;
  xmlBytes: number;
}): Linha[] {
  const { conjunto, corrida, nucleos, bases, disco, xmlBytes } = input;
  const perSecond = conjunto.documentos.length / corrida.segundos;
  const against = [
    bases.xmllint === null ? '' : `${(perSecond / bases.xmllint).toFixed(2)}x xmllint`,
    `${(perSecond / bases.wasm).toFixed(2)}x libxml2-wasm`,
  ].filter(Boolean);
  const work = Object.values(corrida.etapas).reduce((sum, seconds) => sum + seconds, 0);
  return [
    ...linhasDoTempo({ conjunto, corrida, nucleos }, { contra: against.join(', '), nucleos: '' }),
    ...Object.entries(corrida.etapas).map(([step, seconds]) => ({
      oQue: `etapa ${step}`,
      valor: (100 * seconds) / work,
      unidade: '%',
      nota: `${seconds.toFixed(2)} s de trabalho`,
    })),
    ...linhaDoPico(corrida.picoBytes),
    {
      oQue: 'atraso do laço, p99',
      valor: corrida.lacoP99Ms,
      unidade: 'ms',
      nota: 'thread HTTP, inclui 5 ms de amostragem',
    },
    { oQue: 'atraso do laço, máximo', valor: corrida.lacoMaxMs, unidade: 'ms', nota: 'thread HTTP' },
    {
      oQue: 'disco sobre XML',
      valor: disco / xmlBytes,
      unidade: 'x',
      nota: `pasta de dados inteira, com os zips enviados; ${(xmlBytes / MB).toFixed(1)} MB de XML`,
    },
  ];
}

/** How long it takes, on either engine. */
export function linhasDoTempo(
  { conjunto, corrida, nucleos }: { conjunto: Conjunto; corrida: CorridaDoMeio; nucleos: number },
  notas: { contra: string; nucleos: string },
): Linha[] {
  const { segundos, putSegundos } = corrida;
  const count = conjunto.documentos.length;
  const perSecond = count / segundos;
  return [
    {
      oQue: 'do fim do PUT a Uploaded',
      valor: segundos,
      unidade: 's',
      nota: notaDasCorridas(count, corrida),
    },
    {
      oQue: 'do início do PUT a Uploaded',
      valor: putSegundos + segundos,
      unidade: 's',
      nota: 'com o bilhete',
    },
    { oQue: 'documentos por segundo', valor: perSecond, unidade: 'docs/s', nota: notas.contra },
    {
      oQue: 'por núcleo',
      valor: perSecond / nucleos,
      unidade: 'docs/s',
      nota: `${nucleos} núcleos${notas.nucleos}`,
    },
    {
      oQue: 'envio (PUT, com fsync)',
      valor: putSegundos,
      unidade: 's',
      nota: `com o bilhete; ${(conjunto.zip.length / MB).toFixed(1)} MB`,
    },
  ];
}

function notaDasCorridas(documentos: number, { extremos, quantas }: CorridaDoMeio): string {
  const [menor, maior] = extremos.map((segundos) => segundos.toFixed(2));
  return `${documentos} documentos num zip, depois de um outro de aquecimento; a do meio de ${quantas}, de ${menor} a ${maior} s`;
}

export interface Bases {
  xmllint: number | null;
  wasm: number;
  /** What only checks the documents: form, schema and signature, documents per processor second. */
  nativo: number | null;
}

/** The whole import, by core, over what native programs need only to check the same documents. */
export function sobreNativo(
  porNucleo: number,
  { nativo }: Pick<Bases, 'nativo'>,
): { linhas: Linha[]; valor: number | null } {
  if (nativo === null) return { linhas: [], valor: null };
  const valor = porNucleo / nativo;
  const nota = `por núcleo, contra ${nativo.toFixed(0)} docs/s do programa nativo, que confere forma, esquema e assinatura`;
  return { valor, linhas: [{ oQue: 'sobre só conferir', valor, unidade: 'x', nota }] };
}

export function linhaDaPrimeira(conjunto: Conjunto, segundos: number): Linha {
  return {
    oQue: 'a primeira importação de um processo',
    valor: segundos,
    unidade: 's',
    nota: `os mesmos ${conjunto.documentos.length} documentos, logo depois do início`,
  };
}
