/** The whole collection of real documents through the real service: in one zip of zips, and file by file. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type Amostra, CORPUS, ehDasFamilias, readAcervo, SEM_ACERVO } from './acervo/amostras.ts';
import { clientesDoAcervo } from './acervo/clientes.ts';
import { type Acervo, type Envio, type Item, openAcervo, sendLoose, sendWhole } from './acervo/importar.ts';
import { type Achado, precisaDeNota, readTabela, resumir, type Tabela } from './acervo/tabela.ts';
import { fetchJson } from './support/malote.ts';

const skip = existsSync(CORPUS) ? false : SEM_ACERVO;

/**
 * In the vault and in some client's feed, or kept apart or for whoever comes. Which of these depends on what came before:
 * of two notes with one key the second is the conflict, test notes included.
 */
const ACEITOS = ['novo', 'atualizado', 'duplicado', 'evento', 'conflito', 'sem_cliente', 'homologacao'];
const VISIVEIS = ['novo', 'atualizado', 'duplicado', 'evento'];
/** Whole file, no XML: there is no element to name. */
const SEM_ELEMENTO = ['arquivo_vazio', 'html_no_lugar_do_xml', 'doctype_proibido'];

/** Without what depends on the order in which files arrive. */
const bare = (itens: readonly Achado[]) =>
  itens.flatMap(({ especie, resultado, codigo, vezes }) => {
    const one = ACEITOS.includes(resultado) ? `${especie} aceito` : `${especie} ${resultado} ${codigo}`;
    return Array.from({ length: vezes }, () => one);
  });

describe('the collection of real documents, through the service', { skip }, () => {
  let amostras: Amostra[] = [];
  let tabela: Tabela = {};
  let acervo: Acervo;
  let clientes: string[] = [];
  let envio: Envio;
  let porArquivo: Map<string, Item[]>;
  let avulsos: Map<string, Envio>;

  before(async () => {
    amostras = readAcervo();
    tabela = readTabela();
    clientes = clientesDoAcervo(amostras);
    acervo = await openAcervo(clientes);
    ({ envio, porArquivo } = await sendWhole(acervo, amostras));
    avulsos = await sendLoose(acervo, amostras);
  });
  after(() => acervo?.[Symbol.asyncDispose]());

  const faultsOf = (check: (amostra: Amostra) => string[]) =>
    amostras.flatMap((amostra) => check(amostra).map((fault) => `${amostra.arquivo}: ${fault}`));
  const refused = ({ sha256 }: Amostra) =>
    (porArquivo.get(sha256) ?? []).filter(({ resultado }) => resultado === 'rejeitado');

  it('comes out of one zip of zips as the table says', () => {
    assert.equal(envio.status, 'Com Erro');
    for (const { sha256, kind } of amostras) {
      const expected = tabela[sha256];
      assert.ok(expected, `${kind} ${sha256} is not in the table; node test/acervo/escrever.ts writes it`);
      assert.deepEqual(
        { kind, itens: resumir(porArquivo.get(sha256) ?? []) },
        { kind: expected.kind, itens: expected.itens },
      );
    }
    assert.equal(porArquivo.size, amostras.length, 'an item for every file, and none of another');
    assert.equal(Object.keys(tabela).length, amostras.length, 'the table has no other file');
  });

  it('comes out the same file by file', () => {
    for (const { sha256, arquivo } of amostras) {
      const sent = avulsos.get(sha256);
      // Half of an event that comes first is told as that; in one file with the other half, as the event that both make.
      if (
        sent?.itens.some(({ mensagem }) =>
          /O pedido ficou guardado|A resposta ficou guardada/.test(mensagem ?? ''),
        )
      ) {
        assert.equal(sent.status, 'Com Erro', arquivo);
        continue;
      }
      assert.deepEqual(bare(resumir(sent?.itens ?? [])), bare(tabela[sha256]?.itens ?? []), arquivo);
      const isDelivered = sent?.itens.every(({ resultado }) =>
        [...VISIVEIS, 'atualizado', 'ignorado', 'esperado'].includes(resultado),
      );
      assert.equal(sent?.status, isDelivered ? 'Uploaded' : 'Com Erro', `${arquivo}: ${sent?.log}`);
      assert.equal(sent?.log === '', isDelivered, arquivo);
    }
  });

  it('shows every outcome that a file can have', () => {
    const seen = new Set(envio.itens.map(({ resultado }) => resultado));
    for (const one of [
      'novo',
      'duplicado',
      'evento',
      'sem_cliente',
      'homologacao',
      'conflito',
      'esperado',
      'rejeitado',
      'ignorado',
    ])
      assert.ok(seen.has(one), one);
  });

  it('brings no refusal without a code, a cause in Portuguese and the place of the fault', () => {
    const faults = faultsOf((amostra) =>
      refused(amostra).flatMap(({ codigo, mensagem, elemento }) => {
        const text = mensagem ?? '';
        return [
          ...(/^[a-z0-9_]+$/.test(codigo ?? '') && codigo !== 'documento_nao_processavel'
            ? []
            : [`code ${codigo}`]),
          ...(text.length > 25 &&
          !/\b(?:the|element|expected|error|invalid|undefined|null|object)\b/i.test(
            text.replace(/"[^"]*"|elemento \w+|Resposta: .*/g, ''),
          )
            ? []
            : [`message ${text}`]),
          ...(elemento || amostra.nome.endsWith('.txt') || SEM_ELEMENTO.includes(codigo ?? '')
            ? []
            : [`no element: ${text}`]),
        ];
      }),
    );
    assert.deepEqual(faults, []);
  });

  it('has a reason, with which a person agrees, for every refusal of something of the five families', () => {
    const faults = faultsOf(({ sha256, kind, manifesto }) => {
      const row = tabela[sha256];
      if (manifesto?.wellFormed === false || !ehDasFamilias(kind) || !row || !precisaDeNota(row.itens))
        return [];
      return (row.note ?? '').length > 20 ? [] : ['no note in the table'];
    });
    assert.deepEqual(faults, []);
  });

  it('stands in the feeds of its clients with a dense NSU, and is served byte for byte', async () => {
    const { malote, inteiro } = acervo;
    const hashes = new Set(amostras.map(({ sha256 }) => sha256));
    let whole = 0;
    for (const cliente of clientes) {
      const url = `${malote.url}/api/v1/${inteiro.codigoCrm}/${cliente}/documentos/0/novos?Tamanho=500`;
      const { body } = await fetchJson(url, { token: inteiro.token });
      assert.ok(body.total > 0, cliente);
      assert.deepEqual(
        body.documentos.map(({ nsu }: { nsu: number }) => nsu),
        Array.from({ length: body.total }, (_, at) => at + 1),
      );
      for (const { url_download } of body.documentos.slice(0, 20)) {
        const bytes = Buffer.from(await (await fetch(url_download)).arrayBuffer());
        // What was cut out of a wrapper has bytes of its own; what is a file is that very file.
        if (hashes.has(createHash('sha256').update(bytes).digest('hex'))) whole++;
      }
    }
    assert.ok(whole >= 10, `${whole} files served as they came`);
  });
});
