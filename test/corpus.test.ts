import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { lerConteudo } from '../src/fiscal/ler.ts';
import type { Peca, Registro } from '../src/fiscal/tipos.ts';
import { carregarEsquemas } from '../src/importacao/esquemas-instalados.ts';
import { type Amostra, assinaturaEsperada, CORPUS, readCorpus } from './corpus/amostras.ts';
import { type Fatos, lerPorXPath } from './corpus/leitura-independente.ts';

/** Files that are refused, by SHA-256: the code, and why a person agrees with it. No content is kept here. */
const REJEITADOS: Record<string, { codigo: string; note: string }> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'corpus', 'rejeitados.json'), 'utf8'),
);
const skip = existsSync(CORPUS)
  ? false
  : 'the corpus of real documents (../shared/corpus) is not beside the project; it is not part of it';

/** What the product read, in the terms of the independent reading. */
function fatosDe(registro: Registro): Fatos {
  const common = {
    classe: registro.classe,
    chave: registro.chave,
    modelo: registro.modelo,
    ambiente: String(registro.ambiente),
    data: registro.dataEmissao,
    cStat: registro.protocolo?.cStat ?? null,
    tpEvento: null,
  };
  switch (registro.classe) {
    case 'documento':
      return {
        ...common,
        serie: registro.serie,
        numero: registro.numero,
        status: registro.statusProtocolo,
        partes: registro.participantes.map(({ papel, cpfCnpj }) => `${papel} ${cpfCnpj}`).sort(),
      };
    case 'evento':
      return {
        ...common,
        serie: '',
        numero: '',
        status: '',
        partes: registro.autor ? [`autor ${registro.autor}`] : [],
        tpEvento: registro.codigo,
      };
    case 'inutilizacao':
      return {
        ...common,
        serie: registro.serie,
        numero: `${registro.numeroInicial}-${registro.numeroFinal}`,
        status: 'Inutilizada',
        partes: [`emitente ${registro.emitente}`],
      };
  }
}

/** A date without time means the start of that day, one without offset the local time of its UF. */
const sameMoment = (read: string, written: string) =>
  written === read ||
  (/[+-]\d\d:\d\d$|Z$/.test(written) ? Date.parse(read) === Date.parse(written) : read.startsWith(written));

function compare(sample: Amostra, pieces: readonly Peca[]): string[] {
  const read = pieces.flatMap((piece) => (piece.resultado === 'lida' ? [fatosDe(piece.registro)] : []));
  const written = lerPorXPath(sample.bytes);
  if (read.length !== written.length) return [`${read.length} documents read, ${written.length} in the file`];
  const faults: string[] = [];
  written.forEach((fact, at) => {
    const got = read[at];
    for (const key of Object.keys(fact) as (keyof Fatos)[]) {
      const [expected, value] = [fact[key], got?.[key]];
      const same =
        key === 'data' ? sameMoment(String(value), String(expected)) : String(value) === String(expected);
      if (!same) faults.push(`${key}: expected ${expected}, got ${value}`);
    }
  });
  return faults;
}

/** What the corpus' manifest says, made by other programs than ours. */
function compareWithManifest({ manifest }: Amostra, pieces: readonly Peca[]): string[] {
  const read = pieces.flatMap((piece) => (piece.resultado === 'lida' ? [piece] : []));
  const one = (name: string, expected: string | null, values: (string | null)[]) =>
    expected === null || values.includes(expected)
      ? []
      : [`${name}: expected ${expected}, got ${values.join(', ')}`];
  const registros = read.map(({ registro }) => registro);
  const wanted = assinaturaEsperada(manifest);
  // A note that carries the answer to its own cancellation: the manifest tells the answer's codes.
  const tellsEvent = manifest.tpEvento !== null && manifest.root !== 'procEventoNFe';
  return [
    ...one(
      'accessKey',
      manifest.accessKey,
      registros.map((registro) => registro.chave),
    ),
    ...one(
      'mod',
      manifest.mod,
      registros.map((registro) => registro.modelo),
    ),
    ...one(
      'tpAmb',
      manifest.tpAmb,
      registros.map((registro) => String(registro.ambiente)),
    ),
    ...one(
      'cStat',
      tellsEvent ? null : manifest.cStat,
      registros.map((registro) => registro.protocolo?.cStat ?? null),
    ),
    ...one(
      'tpEvento',
      tellsEvent ? null : manifest.tpEvento,
      registros.map((registro) => (registro.classe === 'evento' ? registro.codigo : null)),
    ),
    ...(wanted === null
      ? []
      : read.flatMap(({ assinatura }) => one('signature', wanted, [assinatura.resultado]))),
  ];
}

describe('the corpus of real documents', { skip }, () => {
  let samples: Amostra[] = [];
  const pieces = new Map<string, Peca[]>();

  before(() => {
    samples = readCorpus();
    // No folder of installed schemas: the packaged ones judge.
    const validador = carregarEsquemas({ dataFolder: join(import.meta.dirname, 'corpus') });
    for (const { file, bytes } of samples)
      pieces.set(file, lerConteudo({ bytes, nome: file }, { validador }));
  });

  const faultsOf = (check: (sample: Amostra, pieces: readonly Peca[]) => string[]) =>
    samples.flatMap((sample) =>
      check(sample, pieces.get(sample.file) ?? []).map((fault) => `${sample.file}: ${fault}`),
    );
  const accepted = (sample: Amostra) => !REJEITADOS[sample.sha256];

  it('is there, whole, and not empty', () => {
    assert.ok(samples.length > 200, `${samples.length} files`);
    for (const { file, bytes, sha256 } of samples)
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, file);
  });

  it('is imported with key, model, series, number, parties, date and status that an independent reading finds', () => {
    assert.deepEqual(
      faultsOf((sample, read) => (accepted(sample) ? compare(sample, read) : [])),
      [],
    );
  });

  it('is imported with what its manifest says, signature verdicts included', () => {
    assert.deepEqual(
      faultsOf((sample, read) => (accepted(sample) ? compareWithManifest(sample, read) : [])),
      [],
    );
  });

  it('is refused only where the table of refused files says so, for the reason that stands there', () => {
    const faults = faultsOf((sample, read) => {
      const refused = read.flatMap((piece) =>
        piece.resultado === 'rejeitada' ? [piece.rejeicao.codigo] : [],
      );
      const expected = REJEITADOS[sample.sha256]?.codigo;
      if (expected === undefined) return refused.map((codigo) => `refused with ${codigo}, not in the table`);
      return refused.length === 1 && refused[0] === expected
        ? []
        : [`the table says ${expected}, got ${refused.join(', ') || 'no refusal'}`];
    });
    assert.deepEqual(faults, []);
    const known = new Set(samples.map(({ sha256 }) => sha256));
    assert.deepEqual(
      Object.keys(REJEITADOS).filter((sha256) => !known.has(sha256)),
      [],
    );
    for (const { note } of Object.values(REJEITADOS)) assert.ok(note.length > 20, note);
  });

  it('names place or rule in every refusal', () => {
    const vague = faultsOf((_, read) =>
      read.flatMap((piece) =>
        piece.resultado === 'rejeitada' && piece.rejeicao.elemento === null ? [piece.rejeicao.mensagem] : [],
      ),
    );
    assert.deepEqual(vague, []);
  });

  it('keeps every whole file byte for byte', () => {
    const faults = faultsOf(({ bytes, manifest }, read) =>
      read.flatMap((piece) =>
        piece.resultado === 'lida' && manifest.docsInside !== 2 && manifest.root !== 'enviNFe'
          ? Buffer.compare(piece.bytes, bytes) === 0
            ? []
            : ['kept other bytes']
          : [],
      ),
    );
    assert.deepEqual(faults, []);
  });

  after(() => pieces.clear());
});
