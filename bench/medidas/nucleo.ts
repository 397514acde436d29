import { readTogether } from '../../src/fiscal/assinatura/provas.ts';
import { canonicalBytes, scanFast, scanPlainFile, withPassingTrees } from '../../src/fiscal/camadas.ts';
import { desmontar } from '../../src/fiscal/desmontar.ts';
import { type DepsDaLeitura, lerConteudo, type ValidadorDeEsquema } from '../../src/fiscal/ler.ts';
import { decodeXml } from '../../src/fiscal/xml/decode.ts';
import { LOTE_ENTRADAS } from '../../src/importacao/limites.ts';
import { loadEsquemas } from '../../src/importacao/standards/esquemas-instalados.ts';
import type { Conjunto } from '../conjunto.ts';
import { middle } from '../melhor.ts';
import type { Linha, Resultado } from '../razoes.ts';
import { compilarNativo, type Nativo } from './nativo.ts';
import { type Programa, xmllint, xmlsec1 } from './programas.ts';

type Entrada = { nome: string; bytes: Uint8Array };

/** Documents read before the clock starts: compiles the schema, warms the code up. */
const WARM_UP_READS = 8_000;
/** Both sides take turns this often; the middle ratio counts, for the machine changes between turns. */
const TURNS = 15;
/** Ready programs take a turn with every so many: they are slow, and told for comparison. */
const PROGRAMS_EVERY = 5;
/** The slow tier is told for comparison only. */
const SLOW_TURNS = 2;

/** Microseconds of processor time of this process: other work on the machine counts little, helper threads count. */
function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Form, schema, fields and canonical form of one document, without its signature: what `lerConteudo` does up to there. */
function semAssinatura({ bytes, nome }: Entrada, validador: ValidadorDeEsquema): void {
  const tree = scanPlainFile(bytes, 'ambas') ?? scanDecoded(bytes);
  const [achado] = tree ? desmontar(tree) : [];
  if (!tree || achado?.tipo !== 'lido') throw new Error(`${nome} was not taken by the fast tier`);
  // Digests are part of judging a signature.
  const reading = achado.ler({ tree, root: tree.root, digest: () => '' });
  if (!reading.ok || validador.validar(tree, tree.root).resultado !== 'valido')
    throw new Error(`${nome} was not read as a valid document`);
  canonicalBytes(tree, reading.assinado, { exclusive: false, withComments: false });
}

/** A document in another encoding. */
function scanDecoded(bytes: Uint8Array): ReturnType<typeof scanFast> {
  const decoded = decodeXml(bytes);
  return 'rejeicao' in decoded ? null : scanFast(decoded.bytes, 'ambas');
}

/** Some documents with their signatures, in batches as the import's readers get them. */
function comAssinatura(
  entradas: readonly Entrada[],
  validador: ValidadorDeEsquema,
  camadas: 'ambas' | 'lenta' = 'ambas',
): void {
  for (let i = 0; i < entradas.length; i += LOTE_ENTRADAS) {
    const lote = entradas.slice(i, i + LOTE_ENTRADAS);
    readTogether(lote, (entrada, provas) => readWhole(entrada, { validador, camadas, provas }));
  }
}

function readWhole(entrada: Entrada, deps: DepsDaLeitura): void {
  const [peca] = lerConteudo(entrada, deps);
  if (
    peca?.resultado !== 'lida' ||
    peca.esquema.resultado !== 'valido' ||
    peca.assinatura.resultado !== 'integra'
  )
    throw new Error(`${entrada.nome} was not read as a valid and intact document`);
}

interface Turno {
  /** Documents per processor second. */
  sem: number;
  com: number;
  nativoEsquema: number | null;
  nativoAssinatura: number | null;
  /** By the clock. */
  xmllint: number | null;
  xmlsec1: number | null;
}

/** What the core is held against. */
interface Bases {
  nativo: Nativo | null;
  xmllint: Programa | null;
  xmlsec1: Programa | null;
}

function turn(
  conjunto: Conjunto,
  { validador, bases, n }: { validador: ValidadorDeEsquema; bases: Bases; n: number },
): Turno {
  const { documentos } = conjunto;
  const { nativo } = bases;
  const withPrograms = n % PROGRAMS_EVERY === 0;
  const rate = (read: () => void): number => {
    const startedAt = cpuMicros();
    read();
    return (documentos.length / (cpuMicros() - startedAt)) * 1e6;
  };
  return {
    nativoEsquema: nativo && documentos.length / nativo.medir('esquema'),
    sem: rate(() => {
      for (const entrada of documentos) withPassingTrees(() => semAssinatura(entrada, validador));
    }),
    nativoAssinatura: nativo && documentos.length / nativo.medir('assinatura'),
    com: rate(() => comAssinatura(documentos, validador)),
    xmllint: withPrograms ? (bases.xmllint?.() ?? null) : null,
    xmlsec1: withPrograms ? (bases.xmlsec1?.() ?? null) : null,
  };
}

/**
 * The fiscal core in one thread against a native program that does the same: once without signatures (form, fields,
 * schema, canonical form) and once with them (all that the import does to a document, but for storing it).
 */
export function measureNucleo(
  conjunto: Conjunto,
  { wasm, pastaVazia }: { wasm: number; pastaVazia: string },
): {
  docsPorSegundo: number;
  xmllint: number | null;
  /** With signatures, documents per processor second. */
  nativo: number | null;
  resultado: Resultado;
} {
  const validador = loadEsquemas({ dataFolder: pastaVazia }, { lookEveryMs: 50 });
  const compiled = compilarNativo(conjunto, { pasta: pastaVazia });
  const nativo = 'motivo' in compiled ? null : compiled;
  const bases: Bases = { nativo, xmllint: xmllint(conjunto), xmlsec1: xmlsec1(conjunto) };
  const { documentos } = conjunto;
  for (let read = 0; read < Math.min(WARM_UP_READS, 10 * documentos.length); read += documentos.length) {
    for (const entrada of documentos) semAssinatura(entrada, validador);
    comAssinatura(documentos, validador);
  }
  const turnos = Array.from({ length: TURNS }, (_, n) => turn(conjunto, { validador, bases, n }));
  const com = middle(turnos.map((t) => t.com));
  const slow = Array.from({ length: SLOW_TURNS }, () => slowRate(conjunto, validador));
  const ratio = (ours: 'sem' | 'com', base: Base): number | null => {
    const ratios = turnos.flatMap((t) => (t[base] === null ? [] : t[ours] / t[base]));
    return ratios.length > 0 ? middle(ratios) : null;
  };
  const razoes = {
    // Without a compiler the baseline is a ready program, which reads its files too.
    nucleo: ratio('sem', 'nativoEsquema') ?? ratio('sem', 'xmllint'),
    nucleo_com_assinatura: ratio('com', 'nativoAssinatura'),
  };
  return {
    docsPorSegundo: com,
    xmllint: middleOf(turnos, 'xmllint'),
    nativo: middleOf(turnos, 'nativoAssinatura'),
    resultado: {
      titulo: 'Núcleo fiscal (uma thread, documentos por segundo de processador)',
      linhas: [
        ...baseRows(turnos),
        row(
          'Malote: forma, esquema, campos e forma canônica',
          middle(turnos.map((t) => t.sem)),
          against([
            [ratio('sem', 'nativoEsquema'), 'o nativo com esquema'],
            [ratio('sem', 'xmllint'), 'xmllint'],
          ]),
        ),
        row(
          'Malote: o mesmo e assinatura',
          com,
          against([
            [razoes.nucleo_com_assinatura, 'o nativo com assinatura'],
            [ratio('com', 'xmlsec1'), 'xmlsec1'],
            [com / wasm, 'libxml2-wasm (só forma e esquema)'],
          ]),
        ),
        row('Malote: só a camada lenta', Math.max(...slow), 'tudo, com assinatura'),
      ],
      razoes: Object.fromEntries(Object.entries(razoes).filter(([, value]) => value !== null)),
      motivos:
        'motivo' in compiled
          ? {
              ...(razoes.nucleo === null ? { nucleo: compiled.motivo } : {}),
              nucleo_com_assinatura: compiled.motivo,
            }
          : {},
    },
  };
}

/** The slow tier alone, on a part of the set: it takes long. */
function slowRate({ documentos }: Conjunto, validador: ValidadorDeEsquema): number {
  const part = documentos.slice(0, 500);
  const startedAt = cpuMicros();
  comAssinatura(part, validador, 'lenta');
  return (part.length / (cpuMicros() - startedAt)) * 1e6;
}

function row(oQue: string, valor: number, nota: string): Linha {
  return { oQue, valor, unidade: 'docs/s', nota };
}

type Base = 'nativoEsquema' | 'nativoAssinatura' | 'xmllint' | 'xmlsec1';

const PELO_RELOGIO = 'um processo; tempo de relógio, com leitura dos arquivos';

const BASES: readonly { base: Base; oQue: string; nota: string }[] = [
  { base: 'nativoEsquema', oQue: 'nativo (C, libxml2): forma e esquema', nota: '' },
  {
    base: 'nativoAssinatura',
    oQue: 'nativo (C, libxml2, OpenSSL): o mesmo e assinatura',
    nota: 'certificados lidos uma vez',
  },
  {
    base: 'xmllint',
    oQue: 'xmllint --schema: forma e esquema',
    nota: PELO_RELOGIO,
  },
  {
    base: 'xmlsec1',
    oQue: 'xmlsec1 --verify: forma e assinatura',
    nota: PELO_RELOGIO,
  },
];

function middleOf(turnos: readonly Turno[], base: Base): number | null {
  const values = turnos.flatMap((t) => t[base] ?? []);
  return values.length > 0 ? middle(values) : null;
}

function baseRows(turnos: readonly Turno[]): Linha[] {
  return BASES.flatMap(({ base, oQue, nota }) => {
    const value = middleOf(turnos, base);
    return value === null ? [] : row(oQue, value, nota);
  });
}

function against(ratios: readonly [ratio: number | null, base: string][]): string {
  return ratios.flatMap(([ratio, base]) => (ratio === null ? [] : `${ratio.toFixed(2)}x ${base}`)).join('; ');
}
