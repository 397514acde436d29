import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bytesOf, chaveDe, NS, nota, procEvento, processada } from '../amostras-de-teste.ts';
import { chaveLida, codeOf, ler, lida, only, readBytes, rejeitada, textOf } from '../leitura-de-teste.ts';
import { inflar } from './inflar.ts';
import { COMPACTADOS } from './limites.ts';

const gz = (content: string | Uint8Array): Buffer => gzipSync(content);
const b64 = (content: string | Uint8Array): string => gz(content).toString('base64');
const docZip = (content: string, nsu = '000000000000201', schema = 'procNFe_v4.00.xsd') =>
  `<docZip NSU="${nsu}" schema="${schema}">${content}</docZip>`;
const distribution = (...docs: string[]) =>
  `<retDistDFeInt${NS} versao="1.01"><tpAmb>1</tpAmb><cStat>138</cStat><loteDistDFeInt>${docs.join('')}</loteDistDFeInt></retDistDFeInt>`;

const SEGUNDA = chaveDe({ numero: '43' });

describe('docZip in the answer of the distribution service', () => {
  it('is opened and read as a document of its own, kept as it was before it was compressed', () => {
    const latin1 = Buffer.from(
      `<?xml version="1.0" encoding="ISO-8859-1"?>${nota({ partes: '<infAdic>ção</infAdic>' })}`,
      'latin1',
    );
    const summary = `<resNFe${NS}><chNFe>${SEGUNDA}</chNFe><cSitNFe>1</cSitNFe></resNFe>`;
    const pieces = ler(distribution(docZip(b64(latin1)), docZip(b64(procEvento())), docZip(b64(summary))));
    const first = lida(pieces[0]);
    assert.deepEqual(Buffer.from(first.bytes), latin1);
    assert.equal(first.codificacao, 'iso-8859-1');
    assert.deepEqual(
      pieces.map((p) => [p.resultado, p.especie]),
      [
        ['lida', 'NFe'],
        ['lida', 'Evento'],
        ['esperado', 'Resumo'],
      ],
    );
  });

  it('is told by its content where its schema says something else', () => {
    const piece = only(ler(distribution(docZip(b64(processada()), '1', 'resEvento_v1.01.xsd'))));
    assert.equal(chaveLida(piece), chaveDe());
    assert.equal(lida(piece).registro.avisos.length, 0);
  });

  it('is opened alone, in SOAP, and in Base64 with line breaks', () => {
    const broken = b64(processada()).replace(/(.{76})/g, '$1\r\n');
    for (const xml of [
      docZip(broken),
      `<s:Envelope xmlns:s="u:s"><s:Body>${distribution(docZip(broken))}</s:Body></s:Envelope>`,
      `<qualquer>${b64(processada())}</qualquer>`,
    ]) {
      assert.equal(chaveLida(only(ler(xml))), chaveDe());
    }
  });

  it('that is broken is told by its NSU, its path and its place, and its neighbours are read', () => {
    const cut = gz(processada()).subarray(0, 200).toString('base64');
    const xml = distribution(docZip(cut, '7'), docZip('xXxX', '8'), docZip(b64(processada()), '9'));
    const pieces = ler(xml);
    assert.deepEqual(pieces.map(codeOf), ['compactado_invalido', 'compactado_invalido', 'lida']);
    const { rejeicao } = rejeitada(pieces[1]);
    assert.equal(rejeicao.elemento, 'retDistDFeInt/loteDistDFeInt/docZip[2]');
    assert.match(rejeicao.mensagem, /^NSU 8 \(procNFe_v4\.00\.xsd\): /);
    assert.equal(rejeicao.coluna, xml.indexOf('<docZip NSU="8"') + 1);
  });

  it('tells a fault inside it by both paths', () => {
    const bad = nota({ data: '<dhEmi>ontem</dhEmi>' });
    const { rejeicao } = rejeitada(only(ler(distribution(docZip(b64(bad))))));
    assert.equal(rejeicao.codigo, 'data_emissao_invalida');
    assert.equal(rejeicao.elemento, 'retDistDFeInt/loteDistDFeInt/docZip/NFe/infNFe/ide/dhEmi');
  });

  it('is not opened more than two levels deep', () => {
    const wrap = (inner: string) => distribution(docZip(b64(inner)));
    assert.equal(codeOf(only(ler(wrap(wrap(processada()))))), 'lida');
    assert.equal(codeOf(only(ler(wrap(wrap(wrap(processada())))))), 'compactado_grande_demais');
  });
});

describe('limits of what is inflated', () => {
  it('refuse a content that grows too much, before it is whole in memory', () => {
    const budget = { bytes: COMPACTADOS.bytesDeTodos, pecas: 10 };
    const bomb = gz(new Uint8Array(COMPACTADOS.bytesDeUm * 3));
    const inflated = inflar(bomb, budget);
    assert.equal(inflated.ok, false);
    assert.match(inflated.ok ? '' : inflated.mensagem, /100 vezes/);
    assert.ok(budget.bytes < COMPACTADOS.bytesDeTodos, 'the attempt is paid for');
  });

  it('are shared by everything in one file', () => {
    const bomb = b64(new Uint8Array(COMPACTADOS.bytesDeUm * 2));
    const pieces = ler(distribution(...Array.from({ length: 80 }, () => docZip(bomb)), docZip(b64(nota()))));
    assert.equal(pieces.length, 81);
    assert.equal(codeOf(pieces[80] as (typeof pieces)[0]), 'compactado_grande_demais');
    assert.match(rejeitada(pieces[80]).rejeicao.mensagem, /juntos/);
  });

  it('count the pieces of all contents together', () => {
    const many = `<r>${`<resNFe${NS}>${' '.repeat(150)}</resNFe>`.repeat(4_000)}</r>`;
    assert.equal(codeOf(only(ler(distribution(docZip(b64(many)), docZip(b64(many)))))), 'pecas_demais');
    assert.equal(codeOf(only(ler(`[${'"H4sI",'.repeat(5_001)}1]`))), 'pecas_demais');
  });
});

describe('a compressed file', () => {
  it('saved raw, or as Base64 text, is opened', () => {
    for (const bytes of [gz(processada()), bytesOf(`\ufeff ${b64(processada())}\n`)]) {
      const piece = lida(only(readBytes(new Uint8Array(bytes), 'nota.xml.gz')));
      assert.equal(textOf(piece.bytes), processada());
    }
  });

  it('holds whatever a file may hold', () => {
    assert.equal(codeOf(only(readBytes(gz(`${chaveDe()}\n`), 'chaves.txt.gz'))), 'esperado');
    assert.equal(codeOf(only(readBytes(gz('%PDF-1.7'), 'danfe.xml.gz'))), 'pdf_no_lugar_do_xml');
    assert.equal(codeOf(only(readBytes(gz('a;b'), 'planilha.csv.gz'))), 'planilha');
  });
});

describe('Base64 of a document that nobody compressed', () => {
  const plain = (text: string): string => Buffer.from(text).toString('base64');

  it('is read in JSON, in a docZip and as a file', () => {
    for (const text of [processada(), `\ufeff<?xml version="1.0" encoding="UTF-8"?>${processada()}`]) {
      const json = JSON.stringify({ LoteDFe: [{ NSU: 1, ArquivoXml: plain(text) }] });
      for (const content of [json, distribution(docZip(plain(text))), plain(text)])
        assert.equal(codeOf(only(ler(content))), 'lida');
    }
    const broken = plain(processada()).replace(/(.{76})/g, '$1\r\n');
    for (const content of [
      `<resposta><xml>\n${broken}\n</xml></resposta>`,
      `<resposta><![CDATA[${b64(processada())}]]></resposta>`,
      `data:application/xml;base64,${plain(processada())}`,
    ])
      assert.equal(codeOf(only(ler(content))), 'lida', content.slice(0, 60));
    assert.equal(codeOf(only(ler(`PAGAMENTO${'A'.repeat(100)}`))), 'conteudo_nao_reconhecido');
  });
});

describe('JSON of the national NFS-e services', () => {
  it('holds compressed documents in its fields', () => {
    const adn = JSON.stringify({
      StatusProcessamento: 'DOCUMENTOS_LOCALIZADOS',
      LoteDFe: [
        { NSU: 1, ArquivoXml: b64(processada()) },
        { NSU: 2, ArquivoXml: b64(procEvento()) },
      ],
    });
    const pieces = ler(adn, 'resposta.json');
    assert.deepEqual(
      pieces.map((p) => p.especie),
      ['NFe', 'Evento'],
    );
    assert.equal(textOf(lida(pieces[0]).bytes), processada());
    assert.match(lida(pieces[0]).registro.avisos.join(), /dentro de um arquivo JSON/);
    for (const field of ['nfseXmlGZipB64', 'eventoXmlGZipB64']) {
      assert.equal(codeOf(only(ler(JSON.stringify({ [field]: b64(nota()) })))), 'lida', field);
    }
  });

  it('of SEFIN holds events in two layers: Base64 of the text that is Base64 of gzip', () => {
    const twice = Buffer.from(b64(procEvento())).toString('base64');
    const sefin = JSON.stringify({ eventos: [{ chaveAcesso: chaveDe(), arquivoXml: twice }] });
    assert.equal(only(ler(sefin)).especie, 'Evento');
    const thrice = Buffer.from(twice).toString('base64');
    assert.equal(codeOf(only(ler(JSON.stringify({ arquivoXml: thrice })))), 'compactado_invalido');
  });

  it('may hold the XML as text', () => {
    const piece = only(ler(JSON.stringify([{ xml: `<?xml version="1.0"?>${processada()}` }])));
    assert.equal(textOf(lida(piece).bytes), processada());
  });

  it('may be the document alone, an answer in an answer, or one JSON a line; whatever its fields are called', () => {
    const xml = processada();
    const one = JSON.stringify({ conteudo: Buffer.from(xml).toString('base64') });
    const other = JSON.stringify({ conteudo: nota({ chave: SEGUNDA }) });
    for (const [text, pieces] of [
      [JSON.stringify(`<?xml version="1.0"?>\n${xml}`), 1],
      [JSON.stringify(b64(xml)), 1],
      [JSON.stringify({ dados: one }), 1],
      [`${one}\n${other}\n`, 2],
      [`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n${one}`, 1],
      [
        JSON.stringify({ xml: xml.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') }),
        1,
      ],
      [JSON.stringify({ anexo: `data:text/xml;base64,${Buffer.from(xml).toString('base64')}` }), 1],
    ] as const)
      assert.deepEqual(ler(text, 'a.json').map(codeOf), Array(pieces).fill('lida'), text.slice(0, 60));
  });

  it('tells a broken field by its path', () => {
    const { rejeicao } = rejeitada(only(ler('{"LoteDFe":[{"ArquivoXml":"xXxX"}]}')));
    assert.equal(rejeicao.codigo, 'compactado_invalido');
    assert.equal(rejeicao.elemento, 'LoteDFe[0].ArquivoXml');
  });

  it('without documents is named for what it is', () => {
    const none = '{"StatusProcessamento":"NENHUM_DOCUMENTO_LOCALIZADO","LoteDFe":[]}';
    assert.match(rejeitada(only(ler(none, 'a.json'))).rejeicao.mensagem, /NENHUM_DOCUMENTO_LOCALIZADO/);
    assert.equal(codeOf(only(ler('{"a":1}', 'package.json'))), 'outro_arquivo');
    assert.equal(codeOf(only(ler('{"a":1', 'nota.xml'))), 'json_nao_aceito');
  });
});
