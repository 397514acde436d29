import assert from 'node:assert/strict';
import { it } from 'node:test';
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
