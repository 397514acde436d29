/** What is read of real documents against an independent reading, and against what other programs say of them. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { lerConteudo } from '../src/fiscal/ler.ts';
import type { Peca, Registro } from '../src/fiscal/tipos.ts';
import { loadEsquemas } from '../src/importacao/standards/esquemas-instalados.ts';
import { type Amostra, assinaturaEsperada, CORPUS, readAcervo, SEM_ACERVO } from './acervo/amostras.ts';
import { vereditoDoArquivo } from './acervo/assinaturas.ts';
import { EXCECOES_DA_ASSINATURA } from './acervo/excecoes.ts';
import { type Fatos, fatos } from './acervo/leitura/fatos.ts';
import { readByXPath } from './acervo/leitura/ler.ts';

const skip = existsSync(CORPUS) ? false : SEM_ACERVO;
/** No file of the collection may keep a reader longer. */
const SLOWEST_MS = 500;

/** What the product read, in the terms of the independent reading. */
function fatosDe(registro: Registro): Fatos {
  const common = {
    classe: registro.classe,
    chave: registro.chave,
    modelo: registro.modelo,
    ambiente: String(registro.ambiente),
    data: registro.dataEmissao,
    cStat: registro.protocolo?.cStat ?? null,
  };
  switch (registro.classe) {
    case 'documento':
      return fatos({
        ...common,
        serie: registro.serie,
        numero: registro.numero,
        valor: registro.valor,
        status: registro.statusProtocolo,
        partes: registro.participantes.map(({ papel, cpfCnpj }) => `${papel} ${cpfCnpj}`).sort(),
      });
    case 'evento':
      return fatos({
        ...common,
        partes: registro.autor ? [`autor ${registro.autor}`] : [],
        tpEvento: registro.codigo,
      });
    case 'inutilizacao':
      return fatos({
        ...common,
        serie: registro.serie,
        numero: `${registro.numeroInicial}-${registro.numeroFinal}`,
        status: 'Inutilizada',
        partes: [`emitente ${registro.emitente}`],
      });
  }
}

/** A date without time means the start of that day, one without offset the local time of its UF. */
function sameMoment(read: string, written: string): boolean {
  const whole = written.replace(/(:\d\d)\.\d+/, '$1').replace(' ', 'T');
  if (/[+-]\d\d:\d\d$|Z$/.test(whole)) return Date.parse(read) === Date.parse(whole);
  return read.startsWith(whole);
}

const sameAmount = (read: string | null, written: string | null) =>
  read === written || (read !== null && written !== null && Number(read) === Number(written));

function differences(read: Fatos, written: Fatos): string[] {
  return (Object.keys(written) as (keyof Fatos)[]).flatMap((key) => {
    const [expected, got] = [written[key], read[key]];
    const same =
      (key === 'data' && sameMoment(String(got), String(expected))) ||
      (key === 'valor' &&
        (written.status === 'Pendente' && expected === null
          ? true
          : sameAmount(read.valor, written.valor))) ||
      // What the file does not say has nothing to agree with.
      ((key === 'ambiente' || key === 'cStat') && expected === null) ||
      String(got) === String(expected);
    return same ? [] : [`${key}: expected ${expected}, got ${got}`];
  });
}

const identity = ({ classe, chave, tpEvento }: Fatos) => `${classe} ${chave} ${tpEvento ?? ''}`;

/** Every piece has its fact, every fact its piece or a refusal. */
function compare(sample: Amostra, pieces: readonly Peca[]): string[] {
  const written = Map.groupBy(readByXPath(sample.bytes), identity);
  const read = pieces.flatMap((piece) => {
    if (piece.resultado === 'lida') return [fatosDe(piece.registro)];
    return piece.resultado === 'esperado' ? [fatos({ classe: 'esperado', chave: piece.chave })] : [];
  });
  const faults = read.flatMap((one) => {
    const twin = written.get(identity(one))?.shift();
    return twin ? differences(one, twin) : [`read, but not found: ${identity(one)}`];
  });
  const left = [...written.values()].flat();
  const refused = pieces.filter(({ resultado }) => resultado === 'rejeitada').length;
  if (left.length > refused) faults.push(`${left.length} found (${left.map(identity)}), ${refused} refused`);
  return faults;
}

/** What the collection's manifest says, made by other programs than ours. */
function compareWithManifest({ manifesto, sha256 }: Amostra, pieces: readonly Peca[]): string[] {
  const read = pieces.flatMap((piece) => (piece.resultado === 'lida' ? [piece] : []));
  // Of an answer of the distribution the manifest describes the answer, not what is compressed in it.
  if (!manifesto || read.length === 0 || manifesto.kind === 'retDistDFeInt') return [];
  const registros = read.map(({ registro }) => registro);
  const one = (name: string, expected: string | null, values: (string | null)[]) =>
    expected === null || values.includes(expected)
      ? []
      : [`${name}: expected ${expected}, got ${values.join(', ')}`];
  // A note that carries the answer to its own cancellation: the manifest tells the answer's codes.
  const tellsEvent = manifesto.tpEvento !== null && !/^procEvento/.test(manifesto.root ?? '');
  // The manifest tells the code of the note itself, which is no answer of SEFAZ.
  const tellsAnswer = registros.some((registro) => ['55', '65', '57', '67', '64'].includes(registro.modelo));
  const wanted = EXCECOES_DA_ASSINATURA[sha256] ? null : assinaturaEsperada(manifesto);
  const modelos = registros.map(({ modelo }) => modelo);
  const chaves = registros.map(({ chave }) => chave);
  return [
    // A cancellation of a coupon is an event about that coupon, not about its own key.
    ...one('accessKey', manifesto.root === 'CFeCanc' ? null : manifesto.accessKey, chaves),
    ...one(
      'mod',
      /^\d\d$/.test(manifesto.mod ?? '') && !modelos.includes('NFSe') ? manifesto.mod : null,
      modelos,
    ),
    ...one(
      'tpAmb',
      manifesto.tpAmb,
      registros.map(({ ambiente }) => String(ambiente)),
    ),
    ...one(
      'cStat',
      // An answer to an event in the place of the note's own says nothing of the note.
      tellsEvent || !tellsAnswer || manifesto.cStat === '135' ? null : manifesto.cStat,
      registros.map(({ protocolo }) => protocolo?.cStat ?? null),
    ),
    ...(wanted === null
      ? []
      : read.flatMap(({ assinatura }) => one('signature', wanted, [assinatura.resultado]))),
  ];
}

describe('the collection of real documents, as it is read', { skip }, () => {
  let samples: Amostra[] = [];
  const pieces = new Map<string, Peca[]>();
  const slow: string[] = [];

  before(() => {
    samples = readAcervo();
    // No folder of installed schemas: the packaged ones judge.
    const validador = loadEsquemas({ dataFolder: import.meta.dirname });
    for (const { arquivo, nome, bytes, sha256 } of samples) {
      const startedAt = process.threadCpuUsage();
      pieces.set(sha256, lerConteudo({ bytes, nome }, { validador }));
      const { user, system } = process.threadCpuUsage(startedAt);
      if ((user + system) / 1000 > SLOWEST_MS) slow.push(arquivo);
    }
  });
  after(() => pieces.clear());

  const faultsOf = (check: (sample: Amostra, pieces: readonly Peca[]) => string[]) =>
    samples.flatMap((sample) =>
      check(sample, pieces.get(sample.sha256) ?? []).map((fault) => `${sample.arquivo}: ${fault}`),
    );

  it('is there, whole', () => {
    assert.ok(samples.length >= 742, `${samples.length} files`);
    for (const { arquivo, bytes, sha256 } of samples)
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, arquivo);
  });

  const isMalformed = ({ rejeicao }: Extract<Peca, { resultado: 'rejeitada' }>) =>
    rejeicao.codigo === 'xml_mal_formado';

  it('agrees with an independent reading: key, model, series, number, date, parties, value and status', () => {
    const isRead = ({ resultado }: Peca) => resultado === 'lida' || resultado === 'esperado';
    assert.deepEqual(
      faultsOf((sample, read) => {
        if (!read.some(isRead)) return [];
        try {
          return compare(sample, read);
        } catch (error) {
          // Of a malformed file only what is sound by itself is read, which the other reader cannot do.
          const isTold = read.some((piece) => piece.resultado === 'rejeitada' && isMalformed(piece));
          return isTold ? [] : [`libxml2: ${String(error)}`];
        }
      }),
      [],
    );
  });

  it('agrees with its manifest, signature verdicts included', () => {
    assert.deepEqual(faultsOf(compareWithManifest), []);
  });

  it('has its signatures judged as by the manifest, in what is refused too', () => {
    const faults = samples.flatMap(({ arquivo, bytes, sha256, manifesto }) => {
      const expected = manifesto?.hasSignature ? assinaturaEsperada(manifesto) : null;
      if (expected === null || EXCECOES_DA_ASSINATURA[sha256]) return [];
      const verdict = vereditoDoArquivo(bytes);
      return verdict === expected ? [] : [`${arquivo}: expected ${expected}, got ${verdict}`];
    });
    assert.deepEqual(faults, []);
  });

  it('has intact and altered signatures of both algorithms among what is read', () => {
    const verdicts = [...pieces.values()]
      .flat()
      .flatMap((piece) =>
        piece.resultado === 'lida' && piece.assinatura.resultado !== 'sem_assinatura'
          ? [`${piece.assinatura.resultado} ${piece.assinatura.algoritmo}`]
          : [],
      );
    for (const one of ['integra rsa-sha1', 'integra rsa-sha256', 'alterada rsa-sha1', 'alterada rsa-sha256'])
      assert.ok(verdicts.includes(one), one);
  });

  it('is read within half a second of processor time for each file', () => {
    assert.deepEqual(slow, []);
  });
});
