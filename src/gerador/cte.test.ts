import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasValidCheckDigit, splitChave } from '../fiscal/chave.ts';
import { effectiveStatus } from '../fiscal/status.ts';
import type { Chave } from '../fiscal/tipos.ts';
import { type EntradaCte, generateCte } from './cte.ts';
import { type EntradaEventoCte, generateEventoCte } from './cte-evento.ts';
import { generateCteOs } from './cte-os.ts';
import { generateEmpresa, generatePessoa } from './empresas.ts';
import { assertAssinado, cents, documentoDe, eventoDe, partesDe } from './leitura-de-teste.ts';
import { generateNfe } from './nfe.ts';
import { textsOf } from './oraculo-de-teste.ts';

const SEED = 'cte';
const EM = new Date('2026-03-10T13:00:00Z');
const CARRIER = generateEmpresa('cte/transportadora', { perfil: 'transportadora', uf: 'SP' });
const SENDER = generateEmpresa('cte/industria', { perfil: 'industria', uf: 'SP' });
const RECIPIENT = generateEmpresa('cte/comercio', { perfil: 'comercio', uf: 'BA' });
const OTHER = generateEmpresa('cte/deposito', { perfil: 'distribuidora', uf: 'SP' });

function input(rest: Partial<EntradaCte> = {}): EntradaCte {
  return {
    semente: SEED,
    sementeCertificados: SEED,
    emitente: CARRIER,
    remetente: SENDER,
    destinatario: RECIPIENT,
    serie: 1,
    numero: 4321,
    emissao: EM,
    carga: { notas: [], valor: 1_234_567 },
    ...rest,
  };
}

describe('a generated CT-e', () => {
  it('is read with its key, number, parties, value and status', () => {
    const cte = generateCte(input({ autorizados: [OTHER.id] }));
    const doc = documentoDe(cte.xml);
    assert.deepEqual(
      [doc.especie, doc.chave, doc.modelo, doc.layout, doc.ambiente],
      ['CTe', cte.chave, '57', '4.00', 1],
    );
    assert.deepEqual([doc.serie, doc.numero, doc.dataEmissao], ['1', '4321', '2026-03-10T10:00:00-03:00']);
    assert.deepEqual([doc.valor, doc.itens[0]?.cfop, doc.statusProtocolo], [cte.valor, '6353', 'Autorizada']);
    assert.deepEqual(
      partesDe(doc),
      cte.participantes.map(({ papel, cpfCnpj }) => `${papel} ${cpfCnpj}`).sort(),
    );
    assert.deepEqual(doc.avisos, []);
    assert.ok(hasValidCheckDigit(cte.chave));
    assert.equal(splitChave(cte.chave).emitente, CARRIER.id);
  });

  it('names who pays in every form that the layout has', () => {
    const payer = (rest: Partial<EntradaCte>) => {
      const cte = generateCte(input({ expedidor: OTHER, ...rest }));
      const said = documentoDe(cte.xml).participantes.find(({ papel }) => papel === 'tomador')?.cpfCnpj;
      return [said, textsOf(cte.xml, '//cte:toma3/cte:toma | //cte:toma4/cte:toma').join()];
    };
    const third = generatePessoa('cte/terceiro', 'SP');
    assert.deepEqual(payer({ tomador: 'remetente' }), [SENDER.id, '0']);
    assert.deepEqual(payer({ tomador: 'expedidor' }), [OTHER.id, '1']);
    assert.deepEqual(payer({ recebedor: third, tomador: 'recebedor' }), [third.id, '2']);
    assert.deepEqual(payer({}), [RECIPIENT.id, '3']);
    assert.deepEqual(payer({ tomador: third }), [third.id, '4']);
  });

  it('has the CFOP of the border, of who pays and of where the transport starts', () => {
    const cfop = (rest: Partial<EntradaCte>) => generateCte(input(rest)).cfop;
    const near = generateEmpresa('cte/perto', { perfil: 'varejo', uf: 'SP' });
    assert.equal(cfop({ destinatario: near }), '5353');
    assert.equal(cfop({ tomador: 'remetente' }), '6352');
    assert.equal(cfop({ destinatario: generatePessoa('cte/pessoa', 'SP') }), '5357');
    assert.equal(cfop({ remetente: RECIPIENT, destinatario: near }), '6932');
    assert.equal(cfop({ expedidor: RECIPIENT, destinatario: RECIPIENT }), '5932');
  });

  it('carries the keys of its notes, and its total is the sum of its components', () => {
    const { chave } = generateNfe({
      semente: SEED,
      sementeCertificados: SEED,
      emitente: SENDER,
      destinatario: RECIPIENT,
      modelo: '55',
      serie: 1,
      numero: 9,
      emissao: EM,
    });
    const { xml, valor } = generateCte(input({ carga: { notas: [chave], valor: 500_000 } }));
    assert.deepEqual(textsOf(xml, '//cte:infDoc/cte:infNFe/cte:chave'), [chave]);
    assert.deepEqual(textsOf(xml, '//cte:vCarga'), ['5000.00']);
    const parts = textsOf(xml, '//cte:vPrest/cte:Comp/cte:vComp').map(cents);
    assert.equal(
      parts.reduce((sum, part) => sum + part, 0),
      cents(valor),
    );
    assert.deepEqual(textsOf(xml, '//cte:vRec'), [valor]);
  });

  it('is signed, and the digest that was signed is the one authorised', () => {
    for (const n of [1, 2, 3]) {
      const emitente = generateEmpresa(`cte/estilo/${n}`, {
        perfil: 'transportadora',
        alfanumerico: n === 3,
      });
      const { xml, digest } = generateCte(input({ emitente }));
      assert.deepEqual(assertAssinado(xml), ['infCte rsa-sha1']);
      assert.deepEqual(textsOf(xml, '//cte:digVal'), [digest]);
    }
  });

  it('without protocol is pending', () => {
    assert.equal(documentoDe(generateCte(input({ autorizado: false })).xml).statusProtocolo, 'Pendente');
  });

  it('of homologação says so in the environment and in the names', () => {
    const { xml } = generateCte(input({ ambiente: 2 }));
    assert.equal(documentoDe(xml).ambiente, 2);
    assert.match(textsOf(xml, '//cte:dest/cte:xNome').join(), /SEM VALOR FISCAL/);
  });

  it('has the same bytes for the same input, others for another seed', () => {
    assert.equal(generateCte(input()).xml, generateCte(input()).xml);
    assert.notEqual(generateCte(input({ semente: 'b' })).xml, generateCte(input()).xml);
  });

  it('that cannot exist is refused', () => {
    const refuses = (rest: Partial<EntradaCte>) => assert.throws(() => generateCte(input(rest)), RangeError);
    refuses({ serie: 1000 });
    refuses({ numero: 0 });
    refuses({ tomador: 'expedidor' });
    refuses({ carga: { notas: [], valor: 0.5 } });
    refuses({ emitente: generateEmpresa('cte/produtor', { perfil: 'produtor' }) });
    refuses({ autorizados: Array.from({ length: 11 }, () => OTHER.id) });
  });
});

describe('a generated CT-e OS', () => {
  const entrada = { ...input(), tomador: RECIPIENT, numero: 77 };

  it('is read with its key, parties and value, and is signed', () => {
    const os = generateCteOs(entrada);
    const doc = documentoDe(os.xml);
    assert.deepEqual(
      [doc.especie, doc.chave, doc.modelo, doc.numero, doc.valor, doc.statusProtocolo],
      ['CTeOS', os.chave, '67', '77', os.valor, 'Autorizada'],
    );
    assert.deepEqual(partesDe(doc), [`emitente ${CARRIER.id}`, `tomador ${RECIPIENT.id}`]);
    assert.deepEqual(doc.avisos, []);
    assert.deepEqual(assertAssinado(os.xml), ['infCte rsa-sha1']);
    assert.equal(generateCteOs(entrada).xml, os.xml);
  });

  it('without protocol is pending; one that cannot exist is refused', () => {
    assert.equal(
      documentoDe(generateCteOs({ ...entrada, autorizado: false }).xml).statusProtocolo,
      'Pendente',
    );
    assert.throws(() => generateCteOs({ ...entrada, numero: 1_000_000_000 }), RangeError);
  });
});

describe('a generated event of a CT-e', () => {
  const cte = generateCte(input());
  const entrada = (rest: Partial<EntradaEventoCte> = {}): EntradaEventoCte => ({
    semente: SEED,
    sementeCertificados: SEED,
    codigo: '110111',
    chave: cte.chave as Chave,
    autor: CARRIER,
    em: EM,
    nProt: cte.protocolo?.nProt ?? null,
    ...rest,
  });

  it('that cancels is read, signed, and cancels', () => {
    const { xml } = generateEventoCte(entrada());
    const evento = eventoDe(xml);
    assert.deepEqual(
      [evento.chave, evento.codigo, evento.sequencia, evento.autor],
      [cte.chave, '110111', 1, CARRIER.id],
    );
    assert.deepEqual(assertAssinado(xml), ['infEvento rsa-sha1']);
    assert.deepEqual(textsOf(xml, '//cte:evCancCTe/cte:nProt'), [cte.protocolo?.nProt]);
    assert.equal(effectiveStatus({ statusProtocolo: 'Autorizada', eventos: [evento] }).status, 'Cancelada');
  });

  it('that corrects has a sequence of three digits in its Id, and cancels nothing', () => {
    const { xml, id } = generateEventoCte(entrada({ codigo: '110110', sequencia: 12 }));
    const evento = eventoDe(xml);
    assert.equal(id, `110110${cte.chave}012`);
    assert.deepEqual([evento.codigo, evento.sequencia, evento.efeito], ['110110', 12, 'carta_correcao']);
    assertAssinado(xml);
  });

  it('that SEFAZ rejected has no protocol number', () => {
    const evento = generateEventoCte(entrada({ cStat: '631' }));
    assert.equal(evento.registrado, false);
    assert.deepEqual(textsOf(evento.xml, '//cte:retEventoCTe//cte:nProt'), []);
  });

  it('that cannot exist is refused', () => {
    for (const sequencia of [0, 1000, 1.5]) {
      assert.throws(() => generateEventoCte(entrada({ sequencia })), RangeError);
    }
  });
});
