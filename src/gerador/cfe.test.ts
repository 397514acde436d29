import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasValidCheckDigit, splitChave } from '../fiscal/chave.ts';
import { type EntradaCfe, type EntradaCfeCanc, generateCfe, generateCfeCanc } from './cfe.ts';
import { generateEmpresa, generatePessoa } from './empresas.ts';
import { assertAssinado, assinaturaDe, cents, documentoDe, eventoDe, partesDe } from './leitura-de-teste.ts';
import { textsOf, verifySignatures } from './oraculo-de-teste.ts';

const SEED = 'cfe';
const EM = new Date('2025-12-10T13:00:00Z');
const SHOP = generateEmpresa('cfe/loja', { perfil: 'varejo', uf: 'SP' });

function input(rest: Partial<EntradaCfe> = {}): EntradaCfe {
  return {
    semente: SEED,
    sementeCertificados: SEED,
    emitente: SHOP,
    nserieSAT: '000123456',
    numero: 42,
    emissao: EM,
    ...rest,
  };
}

describe('a generated CF-e SAT', () => {
  it('is read with its key, device, number, value and status', () => {
    const cfe = generateCfe(input());
    const doc = documentoDe(cfe.xml);
    assert.deepEqual(
      [doc.especie, doc.chave, doc.layout, doc.serie, doc.numero, doc.ambiente],
      ['CFe', cfe.chave, '0.08', '123456', '42', 1],
    );
    assert.deepEqual(
      [doc.dataEmissao, doc.valor, doc.statusProtocolo],
      ['2025-12-10T10:00:00-03:00', cfe.valor, 'Autorizada'],
    );
    assert.deepEqual(partesDe(doc), [`emitente ${SHOP.id}`]);
    assert.equal(doc.itens.length, cfe.itens);
    assert.deepEqual(doc.avisos, []);
    assert.ok(hasValidCheckDigit(cfe.chave));
    assert.equal(splitChave(cfe.chave).numero, '42');
  });

  it('names the buyer who said who he is', () => {
    const consumidor = generatePessoa('cfe/consumidor', 'SP');
    const { xml } = generateCfe(input({ consumidor }));
    assert.deepEqual(partesDe(documentoDe(xml)), [`destinatario ${consumidor.id}`, `emitente ${SHOP.id}`]);
  });

  it('is signed by its device, with SHA-256', () => {
    for (const crt of ['1', '3'] as const) {
      const estilo = { ...SHOP.estilo, autoFechado: crt === '1' };
      const { xml } = generateCfe(input({ emitente: { ...SHOP, crt, estilo } }));
      assert.deepEqual(assertAssinado(xml), ['infCFe rsa-sha256']);
      assert.equal(assinaturaDe(xml.replace('<vTroco>', '<vTroco>1')), 'alterada');
    }
    const [of1, of2] = ['000123456', '000123457'].map(
      (nserieSAT) => verifySignatures(generateCfe(input({ nserieSAT })).xml)[0]?.certificado.fingerprint256,
    );
    assert.notEqual(of1, of2);
  });

  it('has totals that are the sums of its items, and is paid in full', () => {
    for (const crt of ['1', '3'] as const) {
      const { xml, valor } = generateCfe(input({ emitente: { ...SHOP, crt }, itens: 12 }));
      const sum = (path: string) => textsOf(xml, path).reduce((n, text) => n + cents(text), 0);
      for (const name of ['vProd', 'vDesc'])
        assert.equal(sum(`//ICMSTot/${name}`), sum(`//prod/${name}`), name);
      for (const name of ['vICMS', 'vPIS', 'vCOFINS'])
        assert.equal(sum(`//ICMSTot/${name}`), sum(`//imposto//${name}`), name);
      assert.equal(cents(valor), sum('//prod/vItem'));
      assert.equal(sum('//vCFeLei12741'), sum('//vItem12741'));
      assert.equal(sum('//vMP') - sum('//vTroco'), cents(valor));
    }
  });

  it('has the same bytes for the same input, others for another seed', () => {
    assert.equal(generateCfe(input()).xml, generateCfe(input()).xml);
    assert.notEqual(generateCfe(input({ semente: 'b' })).xml, generateCfe(input()).xml);
  });

  it('that cannot exist is refused', () => {
    const refuses = (rest: Partial<EntradaCfe>) => assert.throws(() => generateCfe(input(rest)), RangeError);
    refuses({ nserieSAT: '123' });
    refuses({ numero: 0 });
    refuses({ numero: 1_000_000 });
    refuses({ itens: 0 });
    refuses({ emitente: generateEmpresa('cfe/produtor', { perfil: 'produtor' }) });
  });
});

describe('a generated cancellation of a CF-e SAT', () => {
  const consumidor = generatePessoa('cfe/consumidor', 'SP');
  const cancelado = generateCfe(input({ consumidor }));
  const entrada = (rest: Partial<EntradaCfeCanc> = {}): EntradaCfeCanc => ({
    ...input(),
    numero: 43,
    emissao: new Date(EM.getTime() + 600_000),
    cancelado,
    ...rest,
  });

  it('is read as an event about the sale, with a key and a number of its own', () => {
    const canc = generateCfeCanc(entrada());
    const evento = eventoDe(canc.xml);
    assert.deepEqual([evento.chave, evento.codigo, evento.efeito], [cancelado.chave, 'CFeCanc', 'cancela']);
    assert.deepEqual([evento.autor, evento.destinatario], [SHOP.id, consumidor.id]);
    assert.equal(evento.dataEmissao, '2025-12-10T10:10:00-03:00');
    assert.notEqual(canc.propria, cancelado.chave);
    assert.equal(splitChave(canc.propria).numero, '43');
    assert.deepEqual(textsOf(canc.xml, '//total/vCFe'), [cancelado.valor]);
    assert.deepEqual(assertAssinado(canc.xml), ['infCFe rsa-sha256']);
    assert.equal(generateCfeCanc(entrada()).xml, canc.xml);
  });

  it('of a training device is of homologação, as the sale is', () => {
    const sale = generateCfe(input({ ambiente: 2 }));
    assert.equal(documentoDe(sale.xml).ambiente, 2);
    assert.equal(eventoDe(generateCfeCanc(entrada({ ambiente: 2, cancelado: sale })).xml).ambiente, 2);
  });

  it('by another device is refused', () => {
    assert.throws(() => generateCfeCanc(entrada({ nserieSAT: '000999999' })), RangeError);
  });
});
