/** Tenancy in the console: every route, every role, things of one's own, of a sibling, of other offices, of nobody. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ACESSO } from '../../src/console/acesso.ts';
import type { Pedinte } from '../support/console.ts';
import {
  createMundoDoConsole,
  DE_NINGUEM,
  type EscritorioNoConsole,
  LINHAS,
  type Linha,
  rotasDoConsole,
} from '../support/console-inquilinos.ts';
import { type Malote, startMalote } from '../support/malote.ts';
import { send } from '../support/pedido.ts';

const PAPEIS = ['administrador', 'operador', 'cliente'] as const;
const PODEM = {
  publica: PAPEIS,
  todos: PAPEIS,
  escritorio: ['administrador', 'operador'],
  administrador: ['administrador'],
} as const;

/** Told here once more, apart from the table of the product. */
const DE_TODO_O_ESCRITORIO = [
  ...['GET /retidos', 'GET /retidos/resumo', 'GET /retidos/provaveis'],
  ...['POST /retidos/cadastrar', 'POST /retidos/cadastrar-varios'],
  ...[
    'GET /falhas',
    'GET /falhas/itens',
    'GET /falhas/csv',
    'GET /falhas/xlsx',
    'POST /falhas/marcar',
    'POST /falhas/reabrir',
  ],
  ...['GET /leiautes', 'POST /leiautes', 'POST /leiautes/avaliar', 'GET /leiautes/{id}/arquivo'],
  'GET /notas-a-ensinar/{id}',
  'POST /clientes',
  'POST /clientes/lote/previa',
  'POST /clientes/lote',
];
const limitados = (office: EscritorioNoConsole) =>
  [
    ['cliente', office.pessoas.cliente],
    ['operador', office.carteira],
  ] as const;

let malote: Malote;
let escritorios: EscritorioNoConsole[];
let rotas: string[];
before(async () => {
  malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '0' } });
  escritorios = await createMundoDoConsole(malote);
  rotas = (await rotasDoConsole(malote.url)).sort();
});
after(() => malote[Symbol.asyncDispose]());

const podem = (linha: Linha): readonly string[] => PODEM[linha.quem];

/** Asks a route of the matrix; `valor` stands for its thing. */
async function ask(rota: string, { quem, valor }: { quem: Pedinte | null; valor: string }) {
  const linha = LINHAS[rota];
  assert.ok(linha, rota);
  const [method = '', path = ''] = rota.split(' ');
  const { alvo } = linha;
  const named = (em: string) => (alvo?.em === em ? { [alvo.campo]: valor } : {});
  const values: Record<string, string> = { ...linha.caminho, ...named('caminho') };
  const query = new URLSearchParams({ ...linha.query, ...named('query') });
  const corpo = linha.corpo || alvo?.em === 'corpo' ? { ...linha.corpo, ...named('corpo') } : undefined;
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? '1'));
  return send({
    method,
    url: `${malote.url}/console/api${filled}?${query}`,
    headers: [
      ...(quem
        ? ([
            ['cookie', quem.cookie],
            ['x-csrf-token', quem.csrf],
          ] as const)
        : []),
      ...(corpo ? ([['content-type', 'application/json']] as const) : []),
      ...(corpo || method === 'GET' ? [] : ([['content-length', '0']] as const)),
    ],
    ...(corpo ? { body: JSON.stringify(corpo) } : {}),
  });
}

const codigoOf = (text: string) => /"codigo":"([a-z0-9_]+)"/.exec(text)?.[1] ?? null;
/** A problem without what differs from request to request. */
const bare = (text: string) => text.replace(/"(?:instance|requestId)":"[^"]*"/g, '');

/** And without the very thing that was asked for, which an answer may repeat. */
const unnamed = (text: string, valor: string) =>
  bare(text).replaceAll(/^\d{1,6}$/.test(valor) ? `número ${valor}` : valor, '');

describe('the console’s tenant matrix', () => {
  it('has a row for every route of the OpenAPI document, and none that nobody means to have', () => {
    assert.deepEqual(
      rotas.filter((rota) => !LINHAS[rota]),
      [],
    );
    const meant = new Set(Object.keys(ACESSO).map((key) => key.replace(/:(\w+)/g, '{$1}')));
    assert.deepEqual(
      Object.keys(LINHAS).filter((rota) => !meant.has(rota)),
      [],
    );
  });

  it('is one of who may do what with the product’s own table', () => {
    for (const [rota, linha] of Object.entries(LINHAS)) {
      const row = ACESSO[rota.replace(/\{(\w+)\}/g, ':$1')];
      assert.deepEqual(row, linha.quem === 'publica' ? 'publica' : PODEM[linha.quem], rota);
    }
  });

  it('lets nobody in without a session, and no role beyond its own routes', async () => {
    let asked = 0;
    const [office] = escritorios;
    assert.ok(office);
    for (const rota of rotas) {
      const linha = LINHAS[rota];
      if (!linha || linha.quem === 'publica') continue;
      const valor = linha.alvo ? DE_NINGUEM[linha.alvo.coisa] : '';
      const none = await ask(rota, { quem: null, valor });
      assert.deepEqual([none.status, codigoOf(none.text)], [401, 'sessao_ausente'], rota);
      for (const papel of PAPEIS) {
        // Logging out works, and would leave the others without anybody to ask as.
        if (rota === 'POST /sair') continue;
        const { status, text } = await ask(rota, { quem: office.pessoas[papel], valor });
        asked++;
        if (podem(linha).includes(papel))
          assert.ok(status !== 401 && codigoOf(text) !== 'papel_insuficiente', `${rota} ${papel}: ${text}`);
        else assert.deepEqual([status, codigoOf(text)], [403, 'papel_insuficiente'], `${rota} ${papel}`);
      }
    }
    assert.ok(asked > 150, `${asked}`);
  });

  it('answers a thing of another office exactly as one that is not there, and the own one', async () => {
    let asked = 0;
    for (const [at, office] of escritorios.entries()) {
      const other = escritorios[(at + 1) % escritorios.length];
      assert.ok(other);
      for (const rota of rotas) {
        const linha = LINHAS[rota];
        if (!linha?.alvo) continue;
        const { coisa, falta } = linha.alvo;
        for (const papel of podem(linha)) {
          const quem = office.pessoas[papel as (typeof PAPEIS)[number]];
          const where = `${rota}, ${office.mundo.codigoCrm} ${papel}`;
          const nobody = await ask(rota, { quem, valor: DE_NINGUEM[coisa] });
          assert.deepEqual([nobody.status, codigoOf(nobody.text)], [404, falta], `${where}: ${nobody.text}`);
          const foreign = await ask(rota, { quem, valor: other.coisas[coisa] });
          assert.deepEqual(
            [foreign.status, unnamed(foreign.text, other.coisas[coisa])],
            [404, unnamed(nobody.text, DE_NINGUEM[coisa])],
            `${where}, of another office`,
          );
          asked += 2;
          const proprio: Linha['proprio'] = linha.proprio === undefined ? 200 : linha.proprio;
          // An export is of who asked for it; who sees some clients only sees none of the office's uploads.
          const deOutro = papel === 'cliente' ? 'importacao' : 'exportacao';
          if (proprio === null || coisa === deOutro) continue;
          const own: Awaited<ReturnType<typeof send>> = await ask(rota, {
            quem,
            valor: office.coisas[coisa],
          });
          const got: number | string | null = typeof proprio === 'number' ? own.status : codigoOf(own.text);
          assert.equal(got, proprio, `${where}: ${own.text.slice(0, 300)}`);
        }
      }
    }
    assert.ok(asked > 200, `${asked}`);
  });

  it('shows the role cliente, and an operator with a portfolio, nothing of its siblings', async () => {
    let asked = 0;
    for (const office of escritorios) {
      for (const [papel, quem] of limitados(office)) {
        for (const rota of rotas) {
          const linha = LINHAS[rota];
          if (!linha?.alvo || !podem(linha).includes(papel)) continue;
          const valor = office.doIrmao[linha.alvo.coisa];
          if (valor === undefined) continue;
          const { status, text } = await ask(rota, { quem, valor });
          asked++;
          assert.deepEqual([status, codigoOf(text)], [404, linha.alvo.falta], `${rota} ${papel}: ${text}`);
        }
      }
    }
    assert.ok(asked > 100, `${asked}`);
  });

  it('keeps an operator with a portfolio from what is of the whole office, and from nothing else', async () => {
    const [office] = escritorios;
    assert.ok(office);
    for (const rota of rotas) {
      const linha = LINHAS[rota];
      if (!linha || !podem(linha).includes('operador') || rota === 'POST /sair') continue;
      if (linha.quem === 'publica') continue;
      const valor = linha.alvo ? DE_NINGUEM[linha.alvo.coisa] : '';
      const { status, text } = await ask(rota, { quem: office.carteira, valor });
      const refused = status === 403 && codigoOf(text) === 'papel_insuficiente';
      assert.equal(refused, DE_TODO_O_ESCRITORIO.includes(rota), `${rota}: ${status} ${text}`);
    }
  });

  it('leaks no word of another office, or of a sibling, in anything that is read', async () => {
    for (const office of escritorios) {
      for (const rota of rotas) {
        const linha = LINHAS[rota];
        if (!linha || !rota.startsWith('GET ') || linha.quem === 'publica') continue;
        const pessoas = [
          ...podem(linha).map((papel) => [papel, office.pessoas[papel as (typeof PAPEIS)[number]]] as const),
          ...(podem(linha).includes('operador') ? [['carteira', office.carteira] as const] : []),
        ];
        for (const [papel, quem] of pessoas) {
          // Once about the own thing, and once, where a thing narrows a list, about everything.
          const plain = linha.alvo?.em === 'query' ? { ...linha, alvo: undefined } : null;
          const valores = [linha.alvo ? office.coisas[linha.alvo.coisa] : ''];
          const texts = await Promise.all(
            valores.map(async (valor) => (await ask(rota, { quem, valor })).text),
          );
          if (plain)
            texts.push((await quem.ask(rota.slice(4)).then(({ body }) => JSON.stringify(body))) ?? '');
          const foreign = escritorios
            .filter((one) => one !== office)
            .flatMap(({ mundo }) => [
              mundo.codigoCrm,
              ...mundo.clientes.flatMap(({ cpfCnpj, chave }) => [cpfCnpj, chave]),
            ]);
          const siblings =
            papel === 'cliente' || papel === 'carteira'
              ? office.mundo.clientes.slice(1).flatMap(({ cpfCnpj, chave }) => [cpfCnpj, chave])
              : [];
          for (const word of [...foreign, ...siblings])
            for (const text of texts) assert.ok(!text.includes(word), `${rota} ${papel}: ${word}`);
        }
      }
    }
  });
});
