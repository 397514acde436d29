/**
 * Import order does not matter: whatever arrives, in whatever order and batches, what can be seen in the end is the
 * same, NSUs aside. Two things are of the kind of an NSU, by contract, and are not compared: of several contents
 * under one key that the authority has authorised (or that nobody has), the first to come is served; and while only
 * events of a document are held, the newest of these answers for its key.
 *
 * `npm run permutacoes` tries ten times as many; PERMUTACOES and SEMENTE change their number and choice.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type Chegada, canceladaNoProtocolo, todasAsChegadas } from './permutacoes/chegadas.ts';
import { type Estado, Oficina, type Passo } from './permutacoes/cofre.ts';

const QUANTAS = Number(process.env.PERMUTACOES ?? 50);
const SEMENTE = Number(process.env.SEMENTE ?? 20261121);
const MOST_FILES = 40;

/** Identity of the record in a file, as the vault's state names it. */
function identityOf({ pecas }: Chegada): string | null {
  const [peca] = pecas;
  if (peca?.kind !== 'registro') return null;
  const { registro } = peca;
  const { classe, chave } = registro;
  return registro.classe === 'evento'
    ? `${classe} ${chave}/${registro.codigo}/${registro.sequencia}`
    : `${classe} ${chave}`;
}

/** Contents that may be served: those of the highest rank. More than one: the first to come is. */
function candidates(arrivals: readonly Chegada[], identity: string): Set<string> {
  const versions = arrivals.flatMap((one) => {
    const [peca] = one.pecas;
    if (identityOf(one) !== identity || peca?.kind !== 'registro') return [];
    const { registro } = peca;
    return [
      { digest: registro.digest, proven: registro.classe !== 'documento' || registro.protocolo !== null },
    ];
  });
  const proven = versions.filter((version) => version.proven);
  return new Set((proven.length > 0 ? proven : versions).map(({ digest }) => digest));
}

/** The state without what is of the kind of an NSU. */
function comparable(estado: Estado, arrivals: readonly Chegada[]): Estado {
  const documentos = Object.entries(estado.documentos).map(([identity, row]) => {
    const possible = candidates(arrivals, identity);
    if (possible.size < 2) return [identity, row] as const;
    const { digest } = row.versao;
    // Of several, one: but it must be one of these.
    const versao = {
      ...row.versao,
      digest: possible.has(digest) ? 'one of several' : digest,
      assinatura: '',
    };
    return [identity, { ...row, versao }] as const;
  });
  return { ...estado, documentos: Object.fromEntries(documentos) };
}

/** What a person would say of a document after all that arrived about it. */
function expectedStatus(about: readonly Chegada[]): string {
  const says = (...words: Chegada['diz'][]) => about.some(({ diz }) => words.includes(diz));
  if (says('cancela', 'cancelada')) return 'Cancelada';
  if (says('denegada')) return 'Denegada';
  return says('autorizada') ? 'Autorizada' : 'Pendente';
}

/** Notes of one city that are there in its own form and in the national one: what cancels one is told on both. */
const GEMEAS: Readonly<Record<string, string>> = {
  nfse: 'paulistana',
  paulistana: 'nfse',
  'nfse/2': 'paulistana/2',
  'paulistana/2': 'nfse/2',
};

function expectedWithTwin(alvo: string, byTarget: ReadonlyMap<string, readonly Chegada[]>): string {
  const own = expectedStatus(byTarget.get(alvo) ?? []);
  const twin = byTarget.get(GEMEAS[alvo] ?? '') ?? [];
  return twin.some(isDocument) && expectedStatus(twin) === 'Cancelada' ? 'Cancelada' : own;
}

const isAltered = ({ pecas: [peca] }: Chegada) =>
  peca?.kind === 'registro' && peca.assinatura.resultado === 'alterada';

const isDocument = ({ diz }: Chegada) => ['pendente', 'autorizada', 'denegada', 'cancelada'].includes(diz);

function statusFaults(estado: Estado, arrivals: readonly Chegada[]): string[] {
  const byTarget = Map.groupBy(arrivals, ({ alvo }) => alvo);
  return [...byTarget].flatMap(([alvo, about]) => {
    const identity = about.filter(isDocument).map(identityOf)[0];
    if (!identity) return [];
    const [expected, got] = [expectedWithTwin(alvo, byTarget), estado.documentos[identity]?.status];
    // What only an altered copy says of its own content is not said of another one that waits.
    const onlyAltered = about.every((one) => one.diz !== 'autorizada' || isAltered(one));
    if (expected === 'Autorizada' && onlyAltered && got === 'Pendente') return [];
    return got === expected ? [] : [`${alvo}: expected ${expected}, got ${got}`];
  });
}

/** Arrivals in a drawn order, cut into steps at drawn places, with a client registered in between. */
interface Roteiro {
  quais: number[];
  cortes: number[];
  cliente: number;
}

function stepsOf({ quais, cortes, cliente }: Roteiro, all: readonly Chegada[]): Passo[] {
  const arrivals = quais.flatMap((at) => all[at] ?? []);
  const places = [...new Set(cortes.map((cut) => cut % (arrivals.length + 1)))].sort((a, b) => a - b);
  const steps: Passo[] = [0, ...places].map((from, at) =>
    arrivals.slice(from, places[at] ?? arrivals.length),
  );
  steps.splice(cliente % (steps.length + 1), 0, 'cliente');
  return steps.filter((step) => step === 'cliente' || step.length > 0);
}

describe('the order in which files arrive', () => {
  let chegadas: Chegada[] = [];
  let oficina: Oficina;

  before(async () => {
    chegadas = todasAsChegadas();
    oficina = await Oficina.abrir();
  });
  after(() => oficina?.[Symbol.dispose]());

  const roteiro = (): fc.Arbitrary<Roteiro> =>
    fc.record({
      quais: fc.shuffledSubarray(
        // Every file may come twice.
        [...chegadas.keys(), ...chegadas.keys()],
        { minLength: 2, maxLength: MOST_FILES },
      ),
      cortes: fc.array(fc.nat(MOST_FILES), { maxLength: 8 }),
      cliente: fc.nat(10),
    });

  it(`does not matter: ${QUANTAS} permutations of all families end in the same visible state`, async () => {
    const property = fc.asyncProperty(roteiro(), async (drawn) => {
      const arrivals = drawn.quais.flatMap((at) => chegadas[at] ?? []);
      const sorted = [...new Set(drawn.quais)].sort((a, b) => a - b).flatMap((at) => chegadas[at] ?? []);
      const reference = await oficina.estadoDepoisDe(['cliente', sorted]);
      const permuted = await oficina.estadoDepoisDe(stepsOf(drawn, chegadas));
      assert.deepEqual(comparable(permuted, arrivals), comparable(reference, arrivals));
      assert.deepEqual(statusFaults(permuted, arrivals), []);
      assert.deepEqual(permuted.defeitos, []);
      assert.ok(Object.values(permuted.clientes).every(({ densa }) => densa));
    });
    await fc.assert(property, { numRuns: QUANTAS, seed: SEMENTE });
  });

  /** What all clients see after these files, one by one, and in the opposite order. */
  async function bothWays(names: readonly string[]): Promise<[Estado, Estado]> {
    const files = names.map((name) => {
      const [alvo, what = ''] = name.split(' ');
      const found = chegadas.find((one) => one.alvo === alvo && one.nome.includes(what));
      if (!found) throw new Error(name);
      return [found];
    });
    const forth = await oficina.estadoDepoisDe(['cliente', ...files]);
    return [forth, await oficina.estadoDepoisDe(['cliente', ...files.toReversed()])];
  }

  it('does not matter for the part that a client plays in an event', async () => {
    const [forth, back] = await bothWays(['CTe autorizada', 'CTe desacordo']);
    assert.deepEqual(back.clientes, forth.clientes);
  });

  it('does not matter for the reason why a number is missing', async () => {
    for (const pair of [
      ['nfe55/5 chave.txt', 'nfe55/5 cancela'],
      ['nfe55/5 chave.txt', 'nfe55/5 evento'],
      ['nfe55/5 resumo1', 'nfe55/5 evento'],
      ['nfe55/5 resumo3', 'nfe55/5 resumo2'],
    ]) {
      const [forth, back] = await bothWays(pair);
      assert.deepEqual(back.clientes, forth.clientes);
    }
  });

  it('does not matter for a cancellation that only the protocol of another copy tells', async () => {
    const copies = canceladaNoProtocolo();
    for (const order of [copies, copies.toReversed()]) {
      const estado = await oficina.estadoDepoisDe(order.map((one) => [one]));
      assert.deepEqual(statusFaults(estado, copies), []);
    }
  });

  it('is tried with every family, conflicts and events before their documents', () => {
    const says = new Map(Map.groupBy(chegadas, ({ alvo }) => alvo.replace(/\/.*/, '')));
    for (const family of [
      'nfe55',
      'nfe65',
      'CTe',
      'CTeSimp',
      'CTeOS',
      'GTVe',
      'cfe',
      'nfse',
      'abrasf',
      'paulistana',
      'ipm',
    ]) {
      const words = new Set(says.get(family)?.map(({ diz }) => diz));
      assert.ok(words.has('autorizada') && (words.has('cancela') || words.has('cancelada')), family);
    }
    const contents = Map.groupBy(chegadas.filter(isDocument), (one) => identityOf(one));
    assert.ok([...contents].some(([identity]) => identity && candidates(chegadas, identity).size > 1));
  });
});
