/** The vault against a model of it that fits on a page: random arrivals in random batches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MOTOR } from '../../../test/support/motor.ts';
import type { Chave, CpfCnpj } from '../../fiscal/tipos.ts';
import { comHash } from '../bytes/hash-guardado.ts';
import {
  type Cofre,
  chaveDe,
  collect,
  DESTINATARIO,
  EMITENTE,
  evento,
  nota,
  openCofre,
  TRANSPORTADOR,
} from '../cofre-testing.ts';
import { paginaDeNovos } from '../read/feed.ts';
import { paginaDeListagem } from '../read/listagem.ts';
import type { Entrada, PecaLida } from '../tipos.ts';
import { verifyCofre } from '../verify/verificar.ts';

type Chegada =
  | { kind: 'nota'; numero: number; conteudo: 'a' | 'b'; cStat: '100' | null; copia: string }
  | { kind: 'evento'; numero: number; codigo: '110111' | '110110' | '210200'; sequencia: number };

type Passo = { kind: 'lote'; chegadas: Chegada[] } | { kind: 'registro'; cliente: CpfCnpj };

/** Each run opens a vault of its own, which on PostgreSQL is a database. */
const RUNS = MOTOR === 'postgres' ? 8 : 30;

const numero = fc.integer({ min: 1, max: 5 });
const chegada: fc.Arbitrary<Chegada> = fc.oneof(
  fc.record({
    kind: fc.constant('nota' as const),
    numero,
    conteudo: fc.constantFrom('a' as const, 'b' as const),
    cStat: fc.constantFrom('100' as const, '100' as const, null),
    copia: fc.constantFrom('', 'x'),
  }),
  fc.record({
    kind: fc.constant('evento' as const),
    numero,
    codigo: fc.constantFrom('110111' as const, '110110' as const, '210200' as const),
    sequencia: fc.integer({ min: 1, max: 2 }),
  }),
);
const passo: fc.Arbitrary<Passo> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('lote' as const),
      chegadas: fc.array(chegada, { maxLength: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('registro' as const),
      cliente: fc.constantFrom(EMITENTE, DESTINATARIO, TRANSPORTADOR),
    }),
  },
);

function chaveDoNumero(n: number): Chave {
  return chaveDe({ numero: n });
}

/** The carrier takes part in the even ones. */
function pecaDe(item: Chegada): PecaLida {
  if (item.kind === 'evento') {
    const { codigo, sequencia } = item;
    return evento(chaveDoNumero(item.numero), { codigo, sequencia });
  }
  const outros = item.numero % 2 === 0 ? ([['transportador', TRANSPORTADOR]] as const) : [];
  return nota({ numero: item.numero, conteudo: item.conteudo, cStat: item.cStat, copia: item.copia, outros });
}

class Modelo {
  readonly #notas = new Map<number, { conteudo: string; autorizada: boolean }>();
  readonly #eventos = new Map<string, { numero: number; codigo: string }>();
  readonly clientes = new Map<CpfCnpj, number>();

  chega(item: Chegada): void {
    if (item.kind === 'evento') {
      this.#eventos.set(`${item.numero}/${item.codigo}/${item.sequencia}`, item);
      return;
    }
    const known = this.#notas.get(item.numero);
    const autorizada = item.cStat !== null;
    // Served is the first authorised one, and before there is one, the first.
    if (!known || (autorizada && !known.autorizada)) {
      this.#notas.set(item.numero, { conteudo: item.conteudo, autorizada });
    }
  }

  statusDe(n: number): string {
    const temEvento = (codigo: string) =>
      [...this.#eventos.values()].some((e) => e.numero === n && e.codigo === codigo);
    if (temEvento('110111')) return 'Cancelada';
    const status = this.#notas.get(n)?.autorizada ? 'Autorizada' : 'Pendente';
    return status === 'Autorizada' && temEvento('110110') ? 'Autorizada com carta' : status;
  }

  #participa(cliente: CpfCnpj, n: number): boolean {
    return cliente !== TRANSPORTADOR || n % 2 === 0;
  }

  /** What a client's listing shows: number, content and status. */
  listagem(cliente: CpfCnpj): string[] {
    return [...this.#notas]
      .filter(([n]) => this.#participa(cliente, n))
      .map(([n, { conteudo }]) => `${n} ${conteudo} ${this.statusDe(n)}`)
      .sort();
  }

  /** Which events it has: the issuer at once, the others when the document is there. */
  eventos(cliente: CpfCnpj): string[] {
    return [...this.#eventos]
      .filter(
        ([, { numero: n }]) => cliente === EMITENTE || (this.#notas.has(n) && this.#participa(cliente, n)),
      )
      .map(([key]) => key)
      .sort();
  }
}

async function listadasDe(cofre: Cofre, clienteId: number): Promise<Entrada[]> {
  const { total, entradas } = await paginaDeListagem(cofre.db.read, {
    clienteId,
    modelo: '55',
    desde: Date.parse('2026-01-01T00:00:00-03:00'),
    ate: null,
    tipo: null,
    filtro: null,
    pagina: 1,
    tamanho: 500,
  });
  assert.equal(total, entradas.length);
  return entradas;
}

async function comConteudo(cofre: Cofre, entradas: readonly Entrada[]): Promise<string[]> {
  const rows = await cofre.db.read
    .selectFrom('documento')
    .innerJoin('versao', 'versao.documento_id', 'documento.id')
    .select(['documento.id', 'versao.id as versao_id', 'versao.sha256', 'documento.carta_correcao'])
    .where('versao.servida', '=', 1)
    .execute();
  const porId = new Map(rows.map((row) => [row.id, comHash(row)]));
  return entradas
    .map(({ documentoId, numero: n, status, versaoId }) => {
      const row = porId.get(documentoId);
      assert.ok(row);
      assert.equal(versaoId, row.versao_id);
      return `${n} ${conteudoPorSha(Number(n)).get(row.sha256)} ${status}${row.carta_correcao ? ' com carta' : ''}`;
    })
    .sort();
}

const contents = new Map<number, Map<string, string>>();

/** Which content bytes are of. */
function conteudoPorSha(n: number): Map<string, string> {
  const known = contents.get(n);
  if (known) return known;
  const made = new Map<string, string>();
  for (const conteudo of ['a', 'b'] as const) {
    for (const cStat of ['100', null] as const) {
      for (const copia of ['', 'x']) {
        const peca = pecaDe({ kind: 'nota', numero: n, conteudo, cStat, copia });
        if (peca.kind === 'registro') made.set(peca.conteudo.sha256, conteudo);
      }
    }
  }
  contents.set(n, made);
  return made;
}

interface Vista {
  nsu: number;
  chave: string;
  evento: string;
}

/** What a reader of each client knows who keeps its NSU, reads on from there and looks at nothing but what an entry shows. */
class Leitores {
  readonly #lidos = new Map<CpfCnpj, { nsu: number; notas: Map<string, string> }>();

  /** @returns number, version and status of each document, as last read */
  le(cliente: CpfCnpj, entradas: readonly Entrada[]): string[] {
    const lido = this.#lidos.get(cliente) ?? { nsu: 0, notas: new Map<string, string>() };
    this.#lidos.set(cliente, lido);
    for (const { nsu, chave, numero: n, versaoId, status } of entradas) {
      if (nsu <= lido.nsu) continue;
      lido.nsu = nsu;
      if (status !== 'Evento') lido.notas.set(chave, `${n} ${versaoId} ${status}`);
    }
    return [...lido.notas.values()].sort();
  }
}

async function compare(
  cofre: Cofre,
  modelo: Modelo,
  { vistas, leitores }: { vistas: Map<CpfCnpj, Vista[]>; leitores: Leitores },
): Promise<void> {
  for (const [cliente, clienteId] of modelo.clientes) {
    const { total, entradas } = await paginaDeNovos(cofre.db.read, {
      clienteId,
      nsu: 0,
      pagina: 1,
      tamanho: 10_000,
      comXml: false,
    });
    const feed = entradas.map(({ nsu, chave, evento: e }) => ({ nsu, chave, evento: e?.id ?? '' }));
    assert.deepEqual(
      feed.map(({ nsu }) => nsu),
      Array.from({ length: total }, (_, i) => i + 1),
      'numbers are dense',
    );
    const before = vistas.get(cliente) ?? [];
    assert.deepEqual(feed.slice(0, before.length), before, 'no number is given again');
    vistas.set(cliente, feed);

    const listadas = await listadasDe(cofre, clienteId);
    assert.deepEqual(await comConteudo(cofre, listadas), modelo.listagem(cliente));
    assert.deepEqual(
      leitores.le(cliente, entradas),
      listadas.map(({ numero: n, versaoId, status }) => `${n} ${versaoId} ${status}`).sort(),
      'who reads by NSU misses no change',
    );
    const eventos = entradas.flatMap(({ numero: n, evento: e }) =>
      e && e.codigo !== 'correcao' ? [`${n}/${e.codigo}/${e.sequencia}`] : [],
    );
    assert.deepEqual(eventos.sort(), modelo.eventos(cliente), 'each event once');
  }
}

test('whatever comes in whatever order and batches, the vault is what the model says', async () => {
  const property = fc.asyncProperty(fc.array(passo, { minLength: 1, maxLength: 12 }), async (passos) => {
    const cofre = await openCofre();
    try {
      const modelo = new Modelo();
      const lidas = { vistas: new Map<CpfCnpj, Vista[]>(), leitores: new Leitores() };
      for (const step of passos) {
        if (step.kind === 'lote') {
          await cofre.gravar(...step.chegadas.map(pecaDe));
          for (const item of step.chegadas) modelo.chega(item);
        } else if (!modelo.clientes.has(step.cliente)) {
          modelo.clientes.set(step.cliente, await cofre.registrar(step.cliente));
        }
        await compare(cofre, modelo, lidas);
      }
      assert.deepEqual(await collect(verifyCofre(cofre.db.read, { tamanho: 3 })), []);
    } finally {
      await cofre.db.close();
    }
  });
  await fc.assert(property, { numRuns: RUNS * 2, interruptAfterTimeLimit: 20_000 });
});

test('the same arrivals in one batch, one by one and backwards end in the same status', async () => {
  const property = fc.asyncProperty(fc.array(chegada, { minLength: 1, maxLength: 10 }), async (chegadas) => {
    const statuses = async (lotes: Chegada[][]) => {
      const cofre = await openCofre();
      await cofre.registrar(EMITENTE);
      for (const lote of lotes) await cofre.gravar(...lote.map(pecaDe));
      const rows = await cofre.db.read
        .selectFrom('documento')
        .select(['chave', 'identidade', 'status', 'carta_correcao', 'manifestacao'])
        .orderBy('chave')
        .orderBy('identidade')
        .execute();
      await cofre.db.close();
      return rows.map((row) => ({ ...row }));
    };
    const together = await statuses([chegadas]);
    assert.deepEqual(await statuses(chegadas.map((item) => [item])), together);
    assert.deepEqual(await statuses([chegadas.toReversed()]), together);
  });
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: 20_000 });
});
