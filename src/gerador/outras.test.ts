import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ler, lida, only } from '../fiscal/leitura-de-teste.ts';
import { effectiveStatus } from '../fiscal/status.ts';
import type { Documento, Evento } from '../fiscal/tipos.ts';
import { type Cenario, generateCenario, type ItemDoCenario, type PedidoCenario } from './cenario.ts';
import { assertAssinado } from './leitura-de-teste.ts';

const PEDIDO: PedidoCenario = {
  semente: 'outras',
  clientes: 5,
  documentos: 80,
  inicio: '2026-03-01',
  meses: 1,
  outras: 60,
};

function play(pedido: PedidoCenario): { cenario: Cenario; items: ItemDoCenario[] } {
  const cenario = generateCenario(pedido);
  return { cenario, items: [...cenario.documentos] };
}

const textOf = (item: ItemDoCenario) => Buffer.from(item.bytes).toString('utf8');
const { cenario, items } = play(PEDIDO);
const { esperado } = cenario;
const read = items.map((item) => ({ item, ...lida(only(ler(textOf(item)))) }));
const FAMILIES = ['CTe', 'CTeOS', 'NFSe', 'CFe'];
const isOther = (item: ItemDoCenario) => !/portalfiscal\.inf\.br\/nfe"/.test(textOf(item));

test('the other families come on top and change no note', () => {
  const hash = (list: ItemDoCenario[]) =>
    list.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'));
  const { outras: _, ...without } = PEDIDO;
  assert.deepEqual(hash(items.filter((item) => !isOther(item))), hash(play(without).items));
  assert.deepEqual(play({ ...without, outras: 0 }).cenario.esperado, play(without).cenario.esperado);
  assert.equal(items.filter((item) => FAMILIES.includes(item.tipo)).length, 60);
});

test('the same order gives the same bytes and the same truth; another seed others', () => {
  const hash = (list: ItemDoCenario[]) => {
    const sum = createHash('sha256');
    for (const { nome, bytes } of list) sum.update(nome).update(bytes);
    return sum.digest('hex');
  };
  const small = { ...PEDIDO, documentos: 10, outras: 20 };
  const [once, again] = [play(small), play(small)];
  assert.equal(hash(again.items), hash(once.items));
  assert.deepEqual(again.cenario.esperado, once.cenario.esperado);
  assert.notEqual(hash(play({ ...small, semente: 'mais uma' }).items), hash(once.items));
});

test('every file is read as the document or event that the scenario says, whole where it is signed', () => {
  for (const { item, especie, registro, assinatura } of read) {
    assert.deepEqual([especie, registro.chave], [item.tipo, item.chave], item.nome);
    const isAbrasf = item.chave.startsWith('NFSE-');
    assert.equal(assinatura.resultado, isAbrasf ? 'sem_assinatura' : 'integra', item.nome);
    if (item.tipo !== 'Evento') assert.equal(item.evento, null);
    else {
      const { codigo, sequencia } = registro as Evento;
      assert.deepEqual(item.evento, { codigo, sequencia });
    }
  }
  for (const item of items.filter(isOther).filter((i, n) => n % 4 === 0 && !i.chave.startsWith('NFSE-'))) {
    assertAssinado(textOf(item));
  }
});

test('statuses, clients and counts are what the files say', () => {
  const events = read.filter(({ registro }) => registro.classe === 'evento');
  const seen = { emitidas: new Map<string, number>(), recebidas: new Map<string, number>() };
  const byKind = new Map<string, number>();
  const statuses = new Set<string>();
  for (const { item, registro } of read) {
    assert.ok(item.clientes.length > 0, item.nome);
    if (registro.classe !== 'documento') continue;
    byKind.set(item.tipo, (byKind.get(item.tipo) ?? 0) + 1);
    const { participantes, statusProtocolo } = registro as Documento;
    const eventos = events.map((e) => e.registro as Evento).filter((e) => e.chave === registro.chave);
    const { status } = effectiveStatus({ statusProtocolo, eventos });
    assert.equal(esperado.statusDe(item.chave), status, item.nome);
    if (FAMILIES.includes(item.tipo)) statuses.add(`${item.tipo} ${status}`);
    const isNota = !FAMILIES.includes(item.tipo);
    const parts = participantes.filter(
      ({ papel }) => !isNota || papel === 'emitente' || papel === 'destinatario',
    );
    const clients = new Set(parts.map((p) => p.cpfCnpj).filter((id) => esperado.clientes.has(id)));
    assert.deepEqual(new Set(item.clientes), clients, item.nome);
    const issuers = participantes.filter(({ papel }) => papel === 'emitente' || papel === 'prestador');
    for (const id of clients) {
      const count = issuers.some((p) => p.cpfCnpj === id) ? seen.emitidas : seen.recebidas;
      count.set(id, (count.get(id) ?? 0) + 1);
    }
  }
  for (const [id, { emitidas, recebidas }] of esperado.clientes) {
    assert.deepEqual([emitidas, recebidas], [seen.emitidas.get(id) ?? 0, seen.recebidas.get(id) ?? 0], id);
  }
  const { nfe, nfce, cte, cteOs, nfse, cfe, documentos, eventos } = esperado.totais;
  const counted = ['NFe', 'NFCe', 'CTe', 'CTeOS', 'NFSe', 'CFe'].map((kind) => byKind.get(kind) ?? 0);
  assert.deepEqual([nfe, nfce, cte, cteOs, nfse, cfe], counted);
  assert.equal(documentos, PEDIDO.documentos + 60);
  assert.equal(eventos, events.length);
  for (const kind of FAMILIES) {
    for (const status of ['Autorizada', 'Cancelada'])
      assert.ok(statuses.has(`${kind} ${status}`), `${kind} ${status}`);
  }
});

test('files ascend in time; events follow their document; a CT-e carries notes that came before it', () => {
  const known = new Set<string>();
  let last = 0;
  let carried = 0;
  for (const { item } of read) {
    assert.ok(item.emissao.getTime() >= last, item.nome);
    last = item.emissao.getTime();
    if (item.tipo === 'Evento') assert.ok(known.has(item.chave), item.nome);
    const [, nota] = /<infNFe><chave>(\w+)/.exec(textOf(item)) ?? [];
    if (nota) {
      carried++;
      assert.ok(known.has(nota), item.nome);
    }
    known.add(item.chave);
  }
  assert.ok(carried > 5);
  assert.equal(new Set(items.map(({ nome }) => nome)).size, items.length);
});

test('coupons are of the last month of the SAT, or of the period when that is older', () => {
  const months = (list: ItemDoCenario[]) =>
    new Set(
      list.filter(({ tipo }) => tipo === 'CFe').map(({ emissao }) => emissao.toISOString().slice(0, 7)),
    );
  assert.deepEqual([...months(items)], ['2025-12']);
  const old = play({ ...PEDIDO, inicio: '2025-06-01', outras: 10 });
  assert.deepEqual([...months(old.items)], ['2025-06']);
});

test('the smallest orders work; senseless ones are refused', () => {
  const one = play({ ...PEDIDO, clientes: 1, documentos: 0, outras: 10 });
  assert.equal(one.cenario.esperado.totais.documentos, 10);
  for (const item of one.items) assert.ok(item.clientes.length > 0);
  assert.throws(() => generateCenario({ ...PEDIDO, outras: -1 }), RangeError);
  assert.throws(() => generateCenario({ ...PEDIDO, outras: 1.5 }), RangeError);
});

test('homologação reaches the other families too', () => {
  const { items: tests } = play({ ...PEDIDO, documentos: 5, outras: 30, ambiente: 2 });
  for (const item of tests.filter((i) => !i.chave.startsWith('NFSE-'))) {
    assert.equal(lida(only(ler(textOf(item)))).registro.ambiente, 2, item.nome);
  }
});
