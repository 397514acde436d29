import assert from 'node:assert/strict';
import { it } from 'node:test';
import { processada } from './amostras-de-teste.ts';
import { ler, lida, only, textOf } from './leitura-de-teste.ts';
import { lerConteudo } from './ler.ts';

const SEM_ESQUEMA = {
  validar: () => ({ resultado: 'nao_verificado', esquema: null, motivo: null }) as const,
};

/** What is said of a page that was saved under a name. */
function dito(nome: string, html: string): string {
  const [peca] = lerConteudo({ bytes: Buffer.from(html), nome }, { validador: SEM_ESQUEMA });
  if (peca?.resultado === 'ignorada') return peca.mensagem;
  return peca?.resultado === 'rejeitada' ? peca.rejeicao.mensagem : assert.fail(nome);
}

it('a saved page that shows a note is named for it, with what to do; another page is not', () => {
  const danfse = '<html><body><h1>DANFSe v1.0</h1>Documento Auxiliar da <b>NFS-e</b></body></html>';
  for (const nome of ['danfse.html', 'danfse.xml'])
    assert.match(dito(nome, danfse), /mostra uma nota fiscal.*baixe-o/);
  const erro = '<!doctype html><html><head><title>502</title></head><body>Bad Gateway</body></html>';
  for (const nome of ['erro.html', 'erro.xml']) assert.doesNotMatch(dito(nome, erro), /mostra uma nota/);
});

it('a note that a browser showed is read from the page that was saved of it', () => {
  const escaped = processada().replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const pages = [
    `<html><body><div id="webkit-xml-viewer-source-xml">${processada()}</div><div id="tree">NF-e</div></body></html>`,
    `<!doctype html><html><body><pre style="x">${escaped}</pre></body></html>`,
  ];
  for (const page of pages) {
    const piece = lida(only(ler(page, 'nota.html')));
    assert.equal(textOf(piece.bytes), processada());
    assert.match(piece.registro.avisos.join(), /página da internet/);
  }
  assert.match(dito('ajuda.html', '<html><pre>&lt;xml&gt; exemplo de NF-e</pre></html>'), /mostra uma nota/);
});

it('a list of notes in columns that is not read is named for it, with what to export; other tables are not', () => {
  const lista =
    'Número da NFS-e;Emissão;CNPJ do Tomador;Valor dos Serviços\n77;10/03/2026;42.424.242/0001-52;1.500,00\n';
  for (const nome of ['notas.csv', 'notas.txt', 'notas.xml'])
    assert.match(dito(nome, lista), /^Lista de notas de serviço em colunas.*exporte as NFS-e em XML/);
  const commas =
    'numero,data,prestador_cnpj,tomador_cnpj,valor_servicos\n7,2026-03-10,42424242000152,,1500.00\n';
  assert.match(dito('notas.csv', commas), /^Lista de notas de serviço em colunas/);
  for (const other of [
    'conta;nome;nota;valor total\n1.1;Caixa;1;100,00\n',
    lista.replace('42.424.242/0001-52', '42.424.242/0001-53'),
    lista.replace('Tomador', 'Sócio'),
  ])
    assert.doesNotMatch(dito('outra.csv', other), /notas de serviço/);
});
