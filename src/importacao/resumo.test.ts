import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LOG_MAX_BYTES } from './limites.ts';
import { concluir, logDeDesistencia } from './resumo.ts';

describe('how a file ends', () => {
  for (const quantidades of [
    { novo: 1 },
    { atualizado: 1, ignorado: 3 },
    { duplicado: 2 },
    { evento: 1 },
    { esperado: 5 },
    { novo: 2, evento: 1, esperado: 1, duplicado: 1, ignorado: 1 },
  ]) {
    it(`is Uploaded with an empty log for ${JSON.stringify(quantidades)}`, () => {
      assert.deepEqual(concluir({ quantidades, problemas: [] }), { status: 'Uploaded', log: '' });
    });
  }

  for (const problema of ['rejeitado', 'conflito', 'sem_cliente', 'homologacao']) {
    it(`is Com Erro as soon as one thing is ${problema}, whatever else is in`, () => {
      const problemas = [{ caminho: 'a.xml', codigo: 'um_codigo', mensagem: 'Não deu.' }];
      const { status, log } = concluir({ quantidades: { novo: 9, [problema]: 1 }, problemas });
      assert.equal(status, 'Com Erro');
      assert.match(log, /^9 documentos importados, 1 .+\na\.xml: Não deu\. \[um_codigo\]$/);
    });
  }

  it('counts in the summary what a person asks for, in the singular and the plural', () => {
    const quantidades = { novo: 10, atualizado: 2, evento: 3, duplicado: 2, rejeitado: 1 };
    const problemas = [{ caminho: 'x', codigo: 'c', mensagem: 'm' }];
    const [summary] = concluir({ quantidades, problemas }).log.split('\n');
    assert.equal(summary, '12 documentos importados, 3 eventos, 2 já existentes, 1 erro');
    const one = concluir({ quantidades: { novo: 1, evento: 1, rejeitado: 2 }, problemas });
    assert.equal(one.log.split('\n')[0], '1 documento importado, 1 evento, 2 erros');
  });

  it('is Com Erro with sem_documentos when nothing in it is a document', () => {
    for (const quantidades of [{}, { ignorado: 4 }]) {
      const { status, log } = concluir({ quantidades, problemas: [] });
      assert.equal(status, 'Com Erro');
      assert.match(log, /\[sem_documentos\]$/);
    }
  });

  it('names the file itself where there is no path, and quotes no line break of the sender', () => {
    const problemas = [
      { caminho: '', codigo: 'xml_mal_formado', mensagem: 'Falta\no fim.' },
      { caminho: 'a\nb\r\u2028.xml', codigo: null, mensagem: null },
    ];
    const { log } = concluir({ quantidades: { rejeitado: 2 }, problemas });
    assert.deepEqual(log.split('\n').slice(1), [
      'arquivo: Falta o fim. [xml_mal_formado]',
      'a b .xml: Não foi importado. [erro]',
    ]);
  });

  it('keeps the log within 8 KB of UTF-8 and tells the rest by count', () => {
    const problemas = Array.from({ length: 200 }, (_, index) => ({
      caminho: `ação/${index}.xml`,
      codigo: 'xml_mal_formado',
      mensagem: 'á'.repeat(100),
    }));
    const { log } = concluir({ quantidades: { rejeitado: 5_000 }, problemas });
    assert.ok(Buffer.byteLength(log) <= LOG_MAX_BYTES, `${Buffer.byteLength(log)}`);
    assert.ok(Buffer.byteLength(log) > LOG_MAX_BYTES - 400, 'as many as fit');
    const lines = log.split('\n');
    assert.equal(
      lines.at(-1),
      `e mais ${5_000 - (lines.length - 2)} problemas: consulte os itens do arquivo.`,
    );
  });

  it('fills the log to the last byte without a closing line when all problems fit', () => {
    const line = (size: number) => ({ caminho: 'a', codigo: 'c', mensagem: 'x'.repeat(size) });
    const overhead = Buffer.byteLength('2 erros\na:  [c]\na:  [c]');
    const problemas = [line(4_000), line(LOG_MAX_BYTES - overhead - 4_000)];
    const { log } = concluir({ quantidades: { rejeitado: 2 }, problemas });
    assert.equal(Buffer.byteLength(log), LOG_MAX_BYTES);
    assert.equal(log.split('\n').length, 3);
  });

  it('tells of a file that was given up what is in, and an id, but no reason of ours', () => {
    const log = logDeDesistencia({ arquivoId: 'o-id', quantidades: { novo: 3 } });
    assert.match(log, /^3 documentos importados\n.*Id: o-id \[falha_interna\]$/);
    assert.match(logDeDesistencia({ arquivoId: 'o-id', quantidades: {} }), /^O serviço não conseguiu/);
  });
});
