import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import yauzl from 'yauzl';
import { hasValidCheckDigit, splitChave } from '../fiscal/chave.ts';
import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import { type Cenario, generateCenario, type ItemDoCenario, type PedidoCenario } from './cenario.ts';
import { schemaFault, textsOf, verifySignatures } from './oraculo-de-teste.ts';
import { zipDe } from './zip.ts';

const PEDIDO: PedidoCenario = {
  semente: 'cenario',
  clientes: 7,
  documentos: 700,
  inicio: '2026-03-01',
  meses: 1,
  lacunas: 0.06,
  denegadas: 3,
  pendentes: 9,
};

function play(pedido: PedidoCenario): { cenario: Cenario; items: ItemDoCenario[] } {
  const cenario = generateCenario(pedido);
  return { cenario, items: [...cenario.documentos] };
}

const { cenario, items } = play(PEDIDO);
const { esperado } = cenario;
const isDocument = (item: ItemDoCenario) => item.tipo === 'NFe' || item.tipo === 'NFCe';
const documents = items.filter(isDocument);
const textOf = (item: ItemDoCenario) => Buffer.from(item.bytes).toString('utf8');

/** First text of an element, by plain search: the generator writes one line without comments. */
function field(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)<`).exec(xml)?.[1] ?? '';
}

test('the same order gives the same bytes and the same truth; another seed others', () => {
  const hash = (list: ItemDoCenario[]) => {
    const sum = createHash('sha256');
    for (const { nome, bytes } of list) sum.update(nome).update(bytes);
    return sum.digest('hex');
  };
  const small = { ...PEDIDO, documentos: 60 };
  const [once, again] = [play(small), play(small)];
  assert.equal(hash(again.items), hash(once.items));
  assert.deepEqual(again.cenario.esperado, once.cenario.esperado);
  assert.notEqual(hash(play({ ...small, semente: 'outra' }).items), hash(once.items));
});

test('every file of the scenario is valid against the official schemas', () => {
  const schemaOf = (item: ItemDoCenario): string => {
    if (item.nome.endsWith('-retInutNFe.xml')) return 'retInutNFe_v4.00.xsd';
    if (item.tipo === 'Inutilizacao') return 'procInutNFe_v4.00.xsd';
    if (item.tipo !== 'Evento')
      return item.nome.endsWith('-procNFe.xml') ? 'procNFe_v4.00.xsd' : 'nfe_v4.00.xsd';
    const code = field(textOf(item), 'tpEvento');
    if (code === '110110') return 'procCCeNFe_v1.00.xsd';
    if (code === '110111') return 'procEventoCancNFe_v1.00.xsd';
    return code === '110112' ? 'procEventoCancSubst_v1.00.xsd' : 'procConfRecebtoNFe_v1.00.xsd';
  };
  for (const item of items) assert.equal(schemaFault(textOf(item), schemaOf(item)), null, item.nome);
});

test('signatures of a sample of every kind verify with the certificate of their author', () => {
  const sample = items.filter((item, i) => i % 20 === 0 || item.tipo === 'Inutilizacao');
  for (const item of sample) {
    for (const found of verifySignatures(textOf(item))) {
      assert.ok(found.digest && found.assinatura, item.nome);
      const issued = item.emissao.getTime();
      assert.ok(new Date(found.certificado.validFrom).getTime() <= issued, item.nome);
      assert.ok(issued <= new Date(found.certificado.validTo).getTime(), item.nome);
    }
  }
});

test('keys are unique, have valid check digits and the digest that was signed was authorised', () => {
  assert.equal(new Set(documents.map((d) => d.chave)).size, documents.length);
  assert.equal(new Set(items.map((i) => i.nome)).size, items.length);
  for (const item of documents) {
    assert.ok(hasValidCheckDigit(item.chave));
    const xml = textOf(item);
    assert.equal(/<infNFe [^>]*Id="NFe(\w+)"/.exec(xml)?.[1], item.chave);
    if (item.nome.endsWith('-procNFe.xml')) assert.equal(field(xml, 'digVal'), field(xml, 'DigestValue'));
  }
});

test('dates ascend and lie inside the period, the old denied notes apart', () => {
  let last = 0;
  for (const item of items) {
    assert.ok(item.emissao.getTime() >= last, item.nome);
    last = item.emissao.getTime();
    if (esperado.denegadas.has(item.chave)) continue;
    assert.ok(item.emissao >= cenario.periodo.inicio && item.emissao < cenario.periodo.fim, item.nome);
  }
  assert.equal(cenario.periodo.inicio.toISOString(), '2026-03-01T03:00:00.000Z');
  assert.equal(cenario.periodo.fim.toISOString(), '2026-04-01T03:00:00.000Z');
});

test('every event is about a document that came before it, written by issuer or recipient', () => {
  const seen = new Map<Chave, { parties: string[]; nProt: string }>();
  let events = 0;
  for (const item of items) {
    const xml = textOf(item);
    if (isDocument(item)) {
      const parties = textsOf(xml, '//nfe:emit/*[1] | //nfe:dest/*[1]');
      seen.set(item.chave, { parties, nProt: field(xml, 'nProt') });
    }
    if (item.tipo !== 'Evento') continue;
    events++;
    const about = seen.get(item.chave);
    assert.ok(about, item.nome);
    const code = field(xml, 'tpEvento');
    const author = textsOf(xml, '//nfe:evento/nfe:infEvento/*[self::nfe:CNPJ or self::nfe:CPF]')[0] ?? '';
    assert.equal(author, code.startsWith('2') ? about.parties[1] : about.parties[0]);
    if (code === '110111') assert.equal(field(xml, 'nProt'), about.nProt);
    if (code === '110112') assert.ok(seen.has(field(xml, 'chNFeRef') as Chave));
  }
  assert.equal(events, esperado.totais.eventos);
});

test('the truth about statuses is what the files say', () => {
  const cancelled = new Set<string>();
  const corrected = new Set<string>();
  for (const item of items.filter((i) => i.tipo === 'Evento')) {
    const code = field(textOf(item), 'tpEvento');
    if (code === '110111' || code === '110112') cancelled.add(item.chave);
    if (code === '110110') corrected.add(item.chave);
    if (code.startsWith('2')) assert.equal(esperado.manifestacoes.get(item.chave), code);
  }
  assert.deepEqual(new Set(esperado.canceladas), cancelled);
  assert.deepEqual(new Set(esperado.cartasCorrecao), corrected);
  assert.ok(cancelled.size > 0 && corrected.size > 0 && esperado.manifestacoes.size > 0);
  assert.equal(esperado.denegadas.size, 3);
  assert.equal(esperado.pendentes.size, 9);
  for (const item of documents) {
    const cStat = /<cStat>(\d+)</.exec(textOf(item))?.[1] ?? null;
    const own = cStat === null ? 'Pendente' : /^(110|30[123])$/.test(cStat) ? 'Denegada' : 'Autorizada';
    assert.equal(esperado.statusDe(item.chave), cancelled.has(item.chave) ? 'Cancelada' : own);
  }
});

test('the numbering of every client has exactly the gaps that the truth claims', () => {
  const clients = new Set<CpfCnpj>(cenario.empresas.map((e) => e.id));
  const issued = new Map<string, Set<number>>();
  for (const { chave } of documents) {
    const { emitente, modelo, serie, numero } = splitChave(chave);
    if (!emitente || !clients.has(emitente)) continue;
    const id = `${emitente}/${modelo}/${serie}`;
    const numbers = issued.get(id) ?? new Set();
    assert.ok(!numbers.has(Number(numero)), 'a number is used once');
    issued.set(id, numbers.add(Number(numero)));
  }
  const givenUp = new Map<string, Set<number>>();
  for (const item of items.filter((i) => i.tipo === 'Inutilizacao')) {
    const xml = textOf(item);
    const id = `${field(xml, 'CNPJ')}/${field(xml, 'mod')}/${field(xml, 'serie')}`;
    const numbers = givenUp.get(id) ?? new Set();
    for (let n = Number(field(xml, 'nNFIni')); n <= Number(field(xml, 'nNFFin')); n++) numbers.add(n);
    givenUp.set(id, numbers);
  }
  assert.deepEqual([...esperado.series.keys()].sort(), [...issued.keys()].sort());
  for (const [id, serie] of esperado.series) {
    const numbers = issued.get(id) ?? new Set();
    assert.equal(serie.primeiro, Math.min(...numbers));
    assert.equal(serie.ultimo, Math.max(...numbers));
    assert.equal(serie.emitidos, numbers.size);
    const missing: number[] = [];
    for (let n = serie.primeiro; n <= serie.ultimo; n++) {
      if (!numbers.has(n) && !givenUp.get(id)?.has(n)) missing.push(n);
    }
    assert.deepEqual(serie.faltantes, missing, id);
    const claimed = serie.inutilizados.flatMap(({ de, ate }) =>
      Array.from({ length: ate - de + 1 }, (_, i) => de + i),
    );
    assert.deepEqual(new Set(claimed), givenUp.get(id) ?? new Set());
  }
  assert.ok(esperado.faltantes.length > 0 && esperado.totais.inutilizacoes > 0);
});

test('the truth counts what every client issued and received', () => {
  const count = new Map(
    cenario.empresas.map((e) => [e.id as string, { emitidas: 0, recebidas: 0, eventos: 0 }]),
  );
  for (const item of items) {
    const xml = textOf(item);
    if (isDocument(item)) {
      const [issuer = '', recipient = ''] = [
        textsOf(xml, '//nfe:emit/*[1]')[0],
        textsOf(xml, '//nfe:dest/*[1]')[0],
      ];
      const [from, to] = [count.get(issuer), count.get(recipient)];
      if (from) from.emitidas++;
      if (to) to.recebidas++;
      assert.deepEqual(
        [...item.clientes],
        [issuer, recipient].filter((id) => count.has(id)),
      );
    }
    if (item.tipo === 'Evento') {
      for (const id of item.clientes) {
        const client = count.get(id);
        if (client) client.eventos++;
      }
    }
    assert.ok(item.clientes.length > 0, 'every file concerns a client');
  }
  for (const [id, { inutilizacoes, ...rest }] of esperado.clientes) {
    assert.deepEqual(rest, count.get(id));
    assert.ok(inutilizacoes >= 0 && rest.emitidas > 0 && rest.recebidas > 0);
  }
  assert.equal(esperado.totais.documentos, documents.length);
  assert.equal(documents.length, PEDIDO.documentos + (PEDIDO.denegadas ?? 0));
});

test('sizes are those of real documents, and texts carry accents and escaped ampersands', () => {
  const nfe = documents.filter((d) => d.tipo === 'NFe');
  const mean = nfe.reduce((n, d) => n + d.bytes.length, 0) / nfe.length;
  assert.ok(mean > 7_500 && mean < 10_500, `mean ${mean}`);
  const share = (pattern: RegExp) => nfe.filter((d) => pattern.test(textOf(d))).length / nfe.length;
  assert.ok(share(/&amp;/) > 0.25);
  assert.ok(share(/[ãçéíõáâêô]/) > 0.9);
  assert.equal(share(/\n/), 0);
});

test('alphanumeric CNPJs occur unless they are refused', () => {
  const letters = (c: Cenario) => c.empresas.filter((e) => /[A-Z]/.test(e.id)).length;
  assert.ok(letters(cenario) > 0);
  const plain = play({ ...PEDIDO, documentos: 40, alfanumericos: false });
  assert.equal(letters(plain.cenario), 0);
  assert.ok(plain.items.every((i) => /^\d+$/.test(i.chave)));
});

test('the truth follows what was taken, so a scenario can be left early', () => {
  const partial = generateCenario(PEDIDO);
  for (let i = 0; i < 50; i++) partial.documentos.next();
  const { documentos, eventos, inutilizacoes } = partial.esperado.totais;
  assert.equal(documentos + eventos + inutilizacoes, 50);
});

test('one client, one document and months with other lengths work; senseless orders are refused', () => {
  const tiny = play({ semente: 't', clientes: 1, documentos: 1, inicio: '2026-01-31', meses: 1 });
  assert.equal(tiny.cenario.esperado.totais.documentos, 1);
  assert.equal(tiny.cenario.periodo.fim.toISOString(), '2026-02-28T03:00:00.000Z');
  assert.deepEqual(play({ ...PEDIDO, documentos: 0, denegadas: 0, pendentes: 0 }).items, []);
  for (const wrong of [
    { clientes: 0 },
    { documentos: -1 },
    { documentos: 1.5 },
    { meses: 0 },
    { inicio: 'ontem' },
    { lacunas: 2 },
    { pendentes: 701 },
  ]) {
    assert.throws(() => generateCenario({ ...PEDIDO, ...wrong }), RangeError, JSON.stringify(wrong));
  }
});

test('homologação reaches every document, event and inutilização', () => {
  const { items: test2 } = play({ ...PEDIDO, documentos: 120, ambiente: 2, denegadas: 0, pendentes: 0 });
  for (const item of test2) assert.equal(field(textOf(item), 'tpAmb'), '2');
});

test('a zip of the same entries has the same bytes, and gives them back', async () => {
  const some = items.slice(0, 12);
  const zip = await zipDe(some);
  assert.ok(zip.equals(await zipDe(some)));
  const opened = await yauzl.fromBufferPromise(zip);
  const back: [string, Buffer][] = [];
  for await (const entry of opened.eachEntry()) {
    back.push([entry.fileName, await buffer(await opened.openReadStreamPromise(entry))]);
  }
  assert.deepEqual(
    back,
    some.map((i) => [i.nome, Buffer.from(i.bytes)]),
  );
});
