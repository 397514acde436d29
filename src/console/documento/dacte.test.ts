import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textoDoPdf } from '../../../test/support/ler-pdf.ts';
import type { Chave } from '../../fiscal/tipos.ts';
import { generateCte } from '../../gerador/cte.ts';
import { generateEmpresa } from '../../gerador/empresas.ts';
import { generateNfe } from '../../gerador/nfe.ts';
import { drawDocumento } from './pdf.ts';

const empresa = (semente: string, uf = 'SP', alfanumerico = false) =>
  generateEmpresa(`dacte-${semente}`, { perfil: 'comercio', uf, alfanumerico });
const [remetente, destinatario, expedidor, recebedor, outro] = [
  empresa('rem'),
  empresa('dest', 'MG'),
  empresa('exp'),
  empresa('rec'),
  empresa('toma'),
] as const;
const emissao = new Date(Date.UTC(2026, 9, 1, 12));

function cte(notas: readonly Chave[], more: Partial<Parameters<typeof generateCte>[0]> = {}) {
  return generateCte({
    semente: 'dacte',
    emitente: empresa('transporte', 'SP', true),
    remetente,
    destinatario,
    serie: 1,
    numero: 77,
    emissao,
    carga: { notas, valor: 1_234_567 },
    ...more,
  });
}

const nota = (numero: number) =>
  generateNfe({
    semente: `dacte-${numero}`,
    emitente: remetente,
    destinatario,
    modelo: '55',
    serie: 1,
    numero,
    emissao,
    itens: 1,
  }).chave;

async function pdfDe(gerado: ReturnType<typeof cte>, status = 'Autorizada') {
  const contexto = {
    especie: 'CTe',
    status,
    homologacao: false,
    naoProvado: false,
    titulo: 'CT-e',
    chave: gerado.chave,
    resumo: null,
  };
  return drawDocumento({ bytes: gerado.bytes, codificacao: 'utf-8', contexto });
}

const paginas = (pdf: Uint8Array) =>
  Buffer.from(pdf)
    .toString('latin1')
    .match(/\/Type \/Page\b(?!s)/g)?.length;

describe('the DACTE', () => {
  it('says modal, parties, payer, values, tax, documents, protocol and the key in one line', async () => {
    const gerado = cte([nota(1), nota(2)], { expedidor, recebedor, tomador: outro });
    const pdf = await pdfDe(gerado);
    const texto = textoDoPdf(pdf);
    const um = (tag: string) => new RegExp(`<${tag}>([^<]*)<`).exec(gerado.xml)?.[1] ?? '?';
    for (const dito of [
      'DACTE',
      'RODOVIÁRIO',
      'OUTROS',
      ...[remetente, destinatario, expedidor, recebedor, outro].map(({ nome }) => nome),
      um('nProt'),
      um('RNTRC'),
      '12.345,67',
      Number(um('vTPrest')).toLocaleString('pt-BR', { minimumFractionDigits: 2 }),
      'FRETE PESO',
      nota(1),
      nota(2),
      gerado.chave.replaceAll(/(.{4})(?=.)/g, '$1 '),
      '1/1',
    ])
      assert.ok(texto.includes(dito), `${dito} in ${texto}`);
    assert.ok(!texto.includes('CANCELADA'));
  });

  it('goes on over as many pages as its documents need, and says what is no longer worth anything', async () => {
    const notas = Array.from({ length: 150 }, (_, at) => nota(at + 1));
    const pdf = await pdfDe(cte(notas), 'Cancelada');
    const texto = textoDoPdf(pdf);
    for (const chave of notas) assert.ok(texto.includes(chave), chave);
    const count = paginas(pdf) ?? 0;
    assert.ok(count > 1, `${count}`);
    assert.match(texto, new RegExp(`^${count}/${count}$`, 'm'));
    assert.equal(texto.match(/CANCELADA/g)?.length, count, 'on every page');
    assert.ok(texto.includes('OBSERVAÇÕES'));
  });

  it('names the party that pays, and is marked without a protocol', async () => {
    const texto = textoDoPdf(
      await pdfDe(cte([nota(1)], { tomador: 'remetente', autorizado: false }), 'Pendente'),
    );
    assert.ok(texto.includes('REMETENTE') && texto.includes('SEM AUTORIZAÇÃO'), texto);
  });
});
