import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { prepareConteudo } from '../../documentos/bytes/conteudo.ts';
import { type Cofre, chaveDe, EMITENTE, evento, nota, openCofre } from '../../documentos/cofre-testing.ts';
import { deleteDocumentos } from '../../documentos/delete/excluir.ts';
import type { PecaLida } from '../../documentos/tipos.ts';
import type { Codificacao } from '../../fiscal/tipos.ts';
import type { CodificacaoPronta } from './codificacao.ts';
import { Estoque } from './estoque.ts';
import { fatiasDe, paginaComXml } from './pagina.ts';
import { preparePagina } from './pagina-inteira.ts';
import { prepareSegmentos } from './preparar-segmentos.ts';
import { prepareTrechos, trechoDe } from './preparar-trechos.ts';

const CERTIFICADO = randomBytes(900).toString('base64');
const LATIN1 = '<?xml version="1.0" encoding="ISO-8859-1"?>';

/** A document in each form in which one may stand in the vault. */
const TEXTOS: readonly (readonly [string, Codificacao])[] = [
  ['<nota a="1">ação – “nota” \\ / \u2028 😀\r\n\t</nota>', 'utf-8'],
  ['\ufeff<nota>com marca</nota>', 'utf-8'],
  ['\n <nota>com espaço</nota>', 'utf-8'],
  [`${LATIN1}<nota>ação</nota>`, 'iso-8859-1'],
  [`<nota><X509Certificate>${CERTIFICADO}</X509Certificate></nota>`, 'utf-8'],
  [`<nota><X509Certificate>${CERTIFICADO}</X509Certificate>${'ção"'.repeat(9_000)}</nota>`, 'utf-8'],
  [`<nota>${randomBytes(60_000).toString('hex')}</nota>`, 'utf-8'],
];

const bytesOf = (text: string, codificacao: Codificacao) =>
  Buffer.from(text, codificacao === 'utf-8' ? 'utf8' : 'latin1');

let cofre: Cofre;
let clienteId = 0;
beforeEach(async () => {
  cofre = await openCofre();
  clienteId = await cofre.registrar(EMITENTE);
  // Nearly all stand in blocks; what comes alone does not.
  const pecas = Array.from({ length: 120 }, (_, i) => comTexto(i));
  await cofre.gravar(...pecas.slice(1));
  await cofre.gravar(...pecas.slice(0, 1));
});
afterEach(() => cofre.db.close());

function comTexto(i: number): PecaLida {
  const peca = nota({ numero: i + 1 });
  assert.ok(peca.kind === 'registro');
  const [text, codificacao] = TEXTOS[i % TEXTOS.length] ?? ['', 'utf-8'];
  const own = text.replace('<nota', `<nota n="${i}"`);
  return { ...peca, conteudo: prepareConteudo(bytesOf(own, codificacao), codificacao) };
}

const variante = { origin: 'https://notas.exemplo', comFinalidade: true };
const assinatura = { kid: 'k', secret: Buffer.alloc(32, 7), expiresAtSeconds: 1_900_000_000 };
const paginacao = { total: 120, tamanho: 100, pagina: 1 };

function inteira(de: number, ate: number, codificacao: CodificacaoPronta = 'gzip') {
  const pedido = { clienteId, variante, assinatura, paginacao, codificacao, de, ate };
  return preparePagina(cofre.db.read, pedido);
}

/** The same page out of parts. */
async function dePartes(de: number, ate: number): Promise<Buffer | null> {
  const trechos = await prepareTrechos(cofre.db.read, {
    clienteId,
    variante,
    assinatura,
    de: trechoDe(de),
    ate: trechoDe(ate),
    comGrupos: false,
  });
  const fatias = fatiasDe(trechos, de, ate);
  const versaoIds = fatias.flatMap(({ registros }) =>
    registros.flatMap(({ textos }) => textos.map(({ versaoId }) => versaoId)),
  );
  const segmentos = new Estoque().putSegmentos(await prepareSegmentos(cofre.db.read, versaoIds));
  return paginaComXml(paginacao, fatias, segmentos);
}

async function assertSame(de: number, ate: number): Promise<void> {
  const [one, other] = [await inteira(de, ate), await dePartes(de, ate)];
  assert.ok(one && other);
  assert.equal(gunzipSync(one.bytes).toString(), gunzipSync(other).toString());
}

test('is byte for byte what the page out of parts is, whatever form its documents have', async () => {
  await assertSame(1, 100);
  await assertSame(21, 120);
  await assertSame(7, 7);
});

test('is the same text for who takes nothing compressed', async () => {
  const [plain, gzip] = [await inteira(1, 100, 'identity'), await inteira(1, 100)];
  assert.ok(plain && gzip);
  assert.equal(Buffer.from(plain.bytes).toString(), gunzipSync(gzip.bytes).toString());
});

test('shows the text of each document', async () => {
  const page = await inteira(1, 120);
  assert.ok(page);
  const { documentos, ...rest } = JSON.parse(gunzipSync(page.bytes).toString());
  assert.deepEqual(rest, { total: 120, paginas: 2, tamanho: 100, pagina: 1 });
  const texts = new Set(documentos.map(({ xml }: { xml: string }) => xml.replace(/ n="\d+"/, '')));
  const shown = TEXTOS.map(([text]) => text.replace(/^[\ufeff\s]+/, '').replace('ISO-8859-1', 'UTF-8'));
  assert.deepEqual([...texts].sort(), shown.toSorted());
});

test('shows of an event the text of its document, and its own beside it', async () => {
  await cofre.gravar(evento(chaveDe({ numero: 1 })), evento(chaveDe({ numero: 200 })));
  await assertSame(101, 122);
  const page = await inteira(1, 122, 'identity');
  assert.ok(page);
  const { documentos } = JSON.parse(Buffer.from(page.bytes).toString());
  const [daNota, soEvento] = documentos.slice(120);
  assert.equal(daNota.xml, documentos.find(({ chave }: { chave: string }) => chave === daNota.chave).xml);
  assert.match(daNota.evento.xml, /110111/);
  assert.equal(daNota.status, 'Cancelada');
  assert.equal(soEvento.status, 'Evento');
  assert.equal(soEvento.xml, soEvento.evento.xml, 'its document has not come');
  assert.notEqual(soEvento.xml, '');
});

test('shows no text of what was deleted', async () => {
  const { db, contadorId, agora } = cofre;
  const { documento_id } = await db.read
    .selectFrom('entrada')
    .select('documento_id')
    .where('nsu', '=', 30)
    .executeTakeFirstOrThrow();
  await db.write
    .transaction()
    .execute((trx) => deleteDocumentos(trx, { contadorId, ids: [documento_id], agora }));
  await assertSame(1, 100);
});

test('is none where the feed has fewer entries', async () => {
  assert.equal(await inteira(50, 121), null);
});
