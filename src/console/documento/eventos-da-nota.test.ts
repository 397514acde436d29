import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateEmpresa } from '../../gerador/empresas.ts';
import { generateEvento } from '../../gerador/eventos.ts';
import { textoDoEvento } from './eventos-da-nota.ts';

describe('what an event says', () => {
  const autor = generateEmpresa('autor', { perfil: 'industria', uf: 'SP' });
  const em = new Date(Date.UTC(2026, 2, 9, 15));
  const chave = '35260312408021000120550010000000011000000017' as never;
  const evento = (codigo: '110110' | '110111' | '210210') =>
    Buffer.from(
      generateEvento({ semente: codigo, codigo, chave, autor, em, nProt: '135260000000001' } as never).bytes,
    ).toString();

  it('is the reason of a cancellation and the text of a correction, never the answer of the authority', () => {
    for (const [codigo, campo] of [
      ['110111', 'xJust'],
      ['110110', 'xCorrecao'],
    ] as const) {
      const xml = evento(codigo);
      assert.equal(textoDoEvento(xml), new RegExp(`<${campo}>([^<]+)<`).exec(xml)?.[1]);
    }
    assert.equal(textoDoEvento(evento('210210')), null);
  });

  it('is each field that a correction of a CT-e changes, and the reason of a national NFS-e', () => {
    const cte =
      '<infCorrecao><grupoAlterado>ide</grupoAlterado><campoAlterado>cfop</campoAlterado><valorAlterado>6353</valorAlterado></infCorrecao>' +
      '<infCorrecao><grupoAlterado>rem</grupoAlterado><campoAlterado>fone</campoAlterado><valorAlterado>1 &amp; 2</valorAlterado></infCorrecao>';
    assert.equal(textoDoEvento(cte), 'cfop: 6353; fone: 1 & 2');
    const nfse = '<e101101><xDesc>Cancelamento</xDesc><cMotivo>1</cMotivo><xMotivo>Erro</xMotivo></e101101>';
    assert.equal(textoDoEvento(nfse), 'Erro');
    assert.equal(textoDoEvento('<infEvento><xMotivo>Evento registrado</xMotivo></infEvento>'), null);
  });
});
