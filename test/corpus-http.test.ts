import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseCpfCnpj } from '../src/fiscal/cpf-cnpj.ts';
import { lerConteudo } from '../src/fiscal/ler.ts';
import type { Documento, Peca } from '../src/fiscal/tipos.ts';
import { zipDe } from '../src/gerador/zip.ts';
import { carregarEsquemas } from '../src/importacao/esquemas-instalados.ts';
import { type Amostra, CORPUS, readCorpus } from './corpus/amostras.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  imported,
  type Malote,
  makeDataFolder,
  startMalote,
  upload,
} from './support/malote.ts';

const ONE_BY_ONE = 40;
const DOWNLOADS = 10;
const PAGE = 500;
/** In the vault and in some client's feed. */
const VISIBLE = ['novo', 'atualizado', 'duplicado', 'evento'];
const LATER = ['conflito', 'duplicado'];
const HELD = ['sem_cliente', 'conflito'];

const skip = existsSync(CORPUS)
  ? false
  : 'the corpus of real documents (../shared/corpus) is not beside the project; it is not part of it';

interface Item {
  caminho: string;
  chave: string | null;
  resultado: string;
  codigo: string | null;
}

interface Registro {
  nsu: number;
  chave: string;
  modelo: string;
  tipo: string;
  data_emissao: string;
  evento: object | null;
  url_download: string;
}

describe('the corpus through the real service', { skip }, () => {
  let samples: Amostra[] = [];
  let malote: Malote;
  let whole: Escritorio;
  let single: Escritorio;
  const pieces = new Map<string, Peca[]>();
  const clients = new Set<string>();
  /** Files that brought a key, or a key and digest, that was there already: the first one is served. */
  const laterCopies = new Set<string>();

  const documentsOf = (file: string): Documento[] =>
    (pieces.get(file) ?? []).flatMap((piece) =>
      piece.resultado === 'lida' && piece.registro.classe === 'documento' ? [piece.registro] : [],
    );

  before(async () => {
    samples = readCorpus();
    const validador = carregarEsquemas({ dataFolder: join(import.meta.dirname, 'corpus') });
    for (const { file, bytes } of samples) {
      pieces.set(file, lerConteudo({ bytes, nome: file }, { validador }));
      for (const { participantes } of documentsOf(file))
        for (const { cpfCnpj } of participantes) if (parseCpfCnpj(cpfCnpj)) clients.add(cpfCnpj);
    }
    const dataFolder = makeDataFolder();
    whole = await createEscritorio(dataFolder, { crm: '1', clientes: [...clients] });
    single = await createEscritorio(dataFolder, { crm: '2', clientes: [...clients] });
    // Most of the corpus is of homologação.
    malote = await startMalote({ dataFolder, env: { MALOTE_HOMOLOGACAO: '1', MALOTE_LIMITE_MINUTO: '0' } });
  });
  after(() => malote?.stop());

  async function itemsOf(token: string, id: string): Promise<Item[]> {
    const { body } = await fetchJson(`${malote.url}/storage/arquivo/${id}/itens?Tamanho=${PAGE}`, { token });
    assert.equal(body.itens.length, body.total);
    return body.itens;
  }

  async function feedOf(cpfCnpj: string): Promise<Registro[]> {
    const url = `${malote.url}/api/v1/${whole.codigoCrm}/${cpfCnpj}/documentos/0/novos?Tamanho=${PAGE}`;
    const { body } = await fetchJson(url, { token: whole.token });
    assert.equal(body.documentos.length, body.total);
    return body.documentos;
  }

  /** What an item must say, after what the core alone says of the same bytes. */
  function judge(file: string, items: readonly Item[]): string[] {
    const read = pieces.get(file) ?? [];
    if (items.length !== read.length) return [`${file}: ${items.length} items for ${read.length} pieces`];
    return read.flatMap((piece, at) => {
      const item = items[at];
      const expected = piece.resultado === 'rejeitada' ? ['rejeitado'] : [...VISIBLE, ...HELD];
      const codigo = piece.resultado === 'rejeitada' ? piece.rejeicao.codigo : null;
      const chave = piece.resultado === 'lida' ? piece.registro.chave : null;
      const ok =
        expected.includes(item?.resultado ?? '') &&
        (codigo === null || item?.codigo === codigo) &&
        (chave === null || item?.chave === chave);
      return ok
        ? []
        : [
            `${file}: expected ${expected.join('/')} ${codigo ?? ''} ${chave ?? ''}, got ${JSON.stringify(item)}`,
          ];
    });
  }

  it('comes out of one zip with an item for every document, refused ones by their own code', async () => {
    const zip = await zipDe(samples.map(({ file, bytes }) => ({ nome: file, bytes })));
    const id = await upload(malote, { token: whole.token, bytes: zip, extension: '.zip' });
    const record = await imported(malote, { token: whole.token, id });
    assert.equal(record.status, 'Com Erro');
    const all = await itemsOf(whole.token, id);
    for (const { caminho, resultado } of all) if (LATER.includes(resultado)) laterCopies.add(caminho);
    const items = Map.groupBy(all, ({ caminho }) => caminho);
    assert.deepEqual(
      samples.flatMap(({ file }) => judge(file, items.get(file) ?? [])),
      [],
    );
  });

  it('stands in the feeds of all clients that take part in it, with a dense NSU', async () => {
    const faults: string[] = [];
    for (const cpfCnpj of clients) {
      const feed = await feedOf(cpfCnpj);
      assert.deepEqual(
        feed.map(({ nsu }) => nsu),
        feed.map((_, at) => at + 1),
      );
      const byKey = new Map(
        feed.filter(({ evento }) => evento === null).map((entry) => [entry.chave, entry]),
      );
      for (const { file } of samples.filter((sample) => !laterCopies.has(sample.file)))
        for (const documento of documentsOf(file)) {
          const papeis = documento.participantes
            .filter((party) => party.cpfCnpj === cpfCnpj)
            .map(({ papel }) => papel);
          if (papeis.length === 0) continue;
          const entry = byKey.get(documento.chave);
          const tipo = papeis.includes('emitente') ? 'Emitida' : 'Recebida';
          if (entry?.modelo !== documento.modelo || entry.tipo !== tipo)
            faults.push(`${file} for ${cpfCnpj} (${papeis}): ${JSON.stringify(entry)}`);
        }
    }
    assert.deepEqual(faults, []);
  });

  it('is served back byte for byte', async () => {
    // A note of a lote is kept as its own element, any other as the file that it came in.
    const kept = [...pieces.values()]
      .flat()
      .flatMap((piece) => (piece.resultado === 'lida' ? [piece.bytes] : []));
    const originals = new Set(kept.map((bytes) => Buffer.from(bytes).toString('latin1')));
    const [client = ''] = clients;
    const entries = (await feedOf(client)).slice(0, DOWNLOADS);
    assert.ok(entries.length > 0);
    for (const { url_download, chave } of entries) {
      const bytes = Buffer.from(await (await fetch(url_download)).arrayBuffer());
      assert.ok(originals.has(bytes.toString('latin1')), chave);
    }
  });

  it('goes the same way file by file', async () => {
    const step = Math.floor(samples.length / ONE_BY_ONE);
    for (const { file, bytes } of samples.filter((_, at) => at % step === 0).slice(0, ONE_BY_ONE)) {
      const id = await upload(malote, { token: single.token, bytes, extension: '.xml' });
      const { status, log } = await imported(malote, { token: single.token, id });
      const items = await itemsOf(single.token, id);
      assert.deepEqual(judge(file, items), []);
      const isDelivered = items.every(({ resultado }) => VISIBLE.includes(resultado));
      assert.equal(status, isDelivered ? 'Uploaded' : 'Com Erro', `${file}: ${log}`);
      assert.equal(log === '', isDelivered);
    }
  });
});
