import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasValidCheckDigit, splitChave } from '../fiscal/chave.ts';
import { ler, lida } from '../fiscal/leitura-de-teste.ts';
import { effectiveStatus } from '../fiscal/status.ts';
import { generateEmpresa, generatePessoa } from './empresas.ts';
import { assertAssinado, assinaturaDe, cents, documentoDe, eventoDe, partesDe } from './leitura-de-teste.ts';
import { type EntradaNfse, generateNfse } from './nfse.ts';
import { type EntradaNfseAbrasf, generateListaAbrasf, generateNfseAbrasf } from './nfse-abrasf.ts';
import { generateEventoNfse } from './nfse-evento.ts';
import { textsOf } from './oraculo-de-teste.ts';

const SEED = 'nfse';
const EM = new Date('2026-03-10T13:00:00Z');
const PROVIDER = generateEmpresa('nfse/prestador', { perfil: 'servicos', uf: 'SP' });
const CLIENT = generateEmpresa('nfse/tomador', { perfil: 'industria', uf: 'SP' });
const BROKER = generateEmpresa('nfse/intermediario', { perfil: 'servicos' });
const CITY = PROVIDER.endereco.municipio.codigo;

function input(rest: Partial<EntradaNfse> = {}): EntradaNfse {
  return {
    semente: SEED,
    sementeCertificados: SEED,
    prestador: PROVIDER,
    tomador: CLIENT,
    numero: 42,
    dps: { serie: 70, numero: 9 },
    emissao: EM,
    ...rest,
  };
}

describe('a generated national NFS-e', () => {
  it('is read with its key, numbers, parties, value and city', () => {
    const nota = generateNfse(input({ intermediario: BROKER }));
    const doc = documentoDe(nota.xml);
    assert.deepEqual(
      [doc.especie, doc.chave, doc.layout, doc.serie, doc.numero, doc.ambiente],
      ['NFSe', nota.chave, '1.01', '70', '42', 1],
    );
    assert.deepEqual(
      [doc.dataEmissao, doc.valor, doc.statusProtocolo],
      ['2026-03-10T10:00:00-03:00', nota.valor, 'Autorizada'],
    );
    assert.deepEqual([doc.layoutNacional, doc.municipioPrestacao], [true, Number(CITY)]);
    assert.deepEqual(partesDe(doc), [
      `intermediario ${BROKER.id}`,
      `prestador ${PROVIDER.id}`,
      `tomador ${CLIENT.id}`,
    ]);
    assert.deepEqual(doc.avisos, []);
  });

  it('has a key of 50 positions that names city, prestador, number and month', () => {
    const { chave } = generateNfse(input());
    assert.equal(chave.slice(0, 40), `${CITY}22${PROVIDER.id}00000000000422603`);
    assert.ok(chave.length === 50 && hasValidCheckDigit(chave));
    const farmer = generateEmpresa('nfse/produtor', { perfil: 'produtor' });
    assert.equal(splitChave(generateNfse(input({ prestador: farmer })).chave).emitente, farmer.id);
    const letters = generateEmpresa('nfse/letras', { perfil: 'servicos', alfanumerico: true });
    const { xml } = generateNfse(input({ prestador: letters }));
    assert.ok(partesDe(documentoDe(xml)).includes(`prestador ${letters.id}`));
    assertAssinado(xml);
  });

  it('is signed twice: the DPS by the prestador, the whole by the system', () => {
    for (const autoFechado of [true, false]) {
      const prestador = { ...PROVIDER, estilo: { ...PROVIDER.estilo, autoFechado } };
      const { xml } = generateNfse(input({ prestador }));
      assert.deepEqual(assertAssinado(xml), ['infDPS rsa-sha1', 'infNFSe rsa-sha256']);
    }
    const { xml } = generateNfse(input({ dpsAssinada: false }));
    assert.deepEqual(assertAssinado(xml), ['infNFSe rsa-sha256']);
    assert.equal(assinaturaDe(xml.replace(/<vServ>\d/, '<vServ>99')), 'alterada');
  });

  it('of layout 1.00 is signed as its schema fixes it', () => {
    const { xml } = generateNfse(input({ layout: '1.00' }));
    assert.equal(documentoDe(xml).layout, '1.00');
    assert.deepEqual(assertAssinado(xml), ['infDPS rsa-sha1', 'infNFSe rsa-sha1']);
  });

  it('pays what is left of the service after discount and withholding', () => {
    for (let i = 0; i < 40; i++) {
      const prestador = { ...PROVIDER, crt: i % 2 === 0 ? ('3' as const) : ('1' as const) };
      const { xml } = generateNfse(input({ semente: String(i), prestador }));
      const value = (path: string) => cents(textsOf(xml, path)[0] ?? '0');
      const withheld = value('//nfse:vTotalRet');
      const isWithheld = textsOf(xml, '//nfse:tpRetISSQN').join() === '2';
      const parts = value('//nfse:vRetIRRF') + (isWithheld ? value('//nfse:vISSQN') : 0);
      assert.equal(withheld, parts);
      assert.equal(value('//nfse:vLiq'), value('//nfse:vServ') - value('//nfse:vDescIncond') - withheld);
    }
  });

  it('knows homologação, and a tomador who is a person or nobody', () => {
    assert.equal(documentoDe(generateNfse(input({ ambiente: 2 })).xml).ambiente, 2);
    const person = generatePessoa('nfse/pessoa');
    const parties = (tomador: EntradaNfse['tomador']) =>
      partesDe(documentoDe(generateNfse(input({ tomador })).xml));
    assert.deepEqual(parties(person), [`prestador ${PROVIDER.id}`, `tomador ${person.id}`]);
    assert.deepEqual(parties(null), [`prestador ${PROVIDER.id}`]);
  });

  it('has the same bytes for the same input, others for another seed; one that cannot exist is refused', () => {
    assert.equal(generateNfse(input()).xml, generateNfse(input()).xml);
    assert.notEqual(generateNfse(input({ semente: 'b' })).xml, generateNfse(input()).xml);
    for (const rest of [{ numero: 0 }, { dps: { serie: 0, numero: 1 } }, { dps: { serie: 1, numero: 0 } }]) {
      assert.throws(() => generateNfse(input(rest)), RangeError);
    }
  });
});

describe('a generated cancellation of a national NFS-e', () => {
  for (const layout of ['1.00', '1.01'] as const) {
    it(`of layout ${layout} is read, signed twice, and cancels`, () => {
      const { chave } = generateNfse(input({ layout }));
      const entrada = { semente: SEED, sementeCertificados: SEED, chave, autor: PROVIDER, em: EM, layout };
      const { xml } = generateEventoNfse(entrada);
      const evento = eventoDe(xml);
      assert.deepEqual(
        [evento.chave, evento.codigo, evento.sequencia, evento.autor, evento.layout],
        [chave, '101101', 1, PROVIDER.id, layout],
      );
      assert.deepEqual(evento.avisos, []);
      const outer = layout === '1.00' ? 'rsa-sha1' : 'rsa-sha256';
      assert.deepEqual(assertAssinado(xml), ['infPedReg rsa-sha1', `infEvento ${outer}`]);
      const { status } = effectiveStatus({ statusProtocolo: 'Autorizada', eventos: [evento] });
      assert.equal(status, 'Cancelada');
      assert.equal(generateEventoNfse(entrada).xml, xml);
    });
  }
});

describe('a generated municipal NFS-e', () => {
  const entrada = (rest: Partial<EntradaNfseAbrasf> = {}): EntradaNfseAbrasf => ({
    semente: SEED,
    prestador: PROVIDER,
    tomador: CLIENT,
    numero: 202600000000042,
    rps: { serie: 'A1', numero: 42 },
    emissao: EM,
    ...rest,
  });
  const CANCELADA = { cancelamento: new Date('2026-03-12T13:00:00Z') };

  it('is read with its composed key, parties, value and city', () => {
    const nota = generateNfseAbrasf(entrada({ intermediario: BROKER }));
    const doc = documentoDe(nota.xml);
    assert.equal(nota.chave, `NFSE-${CITY}-${PROVIDER.id}-202600000000042`);
    assert.deepEqual(
      [doc.especie, doc.chave, doc.layout, doc.serie, doc.numero],
      ['NFSe', nota.chave, '2.04', 'A1', '202600000000042'],
    );
    assert.deepEqual(
      [doc.dataEmissao, doc.valor, doc.statusProtocolo, doc.municipioPrestacao],
      ['2026-03-10T10:00:00-03:00', nota.valor, 'Autorizada', Number(CITY)],
    );
    assert.deepEqual(partesDe(doc), [
      `intermediario ${BROKER.id}`,
      `prestador ${PROVIDER.id}`,
      `tomador ${CLIENT.id}`,
    ]);
    assert.equal(assinaturaDe(nota.xml), 'sem_assinatura');
  });

  it('cancelled is the same note with the cancellation beside it', () => {
    const [valid, cancelled] = [generateNfseAbrasf(entrada()), generateNfseAbrasf(entrada(CANCELADA))];
    const doc = documentoDe(cancelled.xml);
    assert.equal(doc.statusProtocolo, 'Cancelada');
    assert.equal(doc.protocolo?.dhRecbto, '2026-03-12T10:00:00');
    assert.equal(doc.digest, documentoDe(valid.xml).digest);
    assert.equal(cancelled.chave, valid.chave);
  });

  it('stands with others in one file, each read on its own', () => {
    const notas = [1, 2, 3].map((n) =>
      generateNfseAbrasf(entrada({ numero: n, semente: String(n), ...(n === 2 ? CANCELADA : {}) })),
    );
    const { xml } = generateListaAbrasf(notas.map(({ bytes }) => bytes));
    const read = ler(xml).map((piece) => lida(piece).registro);
    assert.deepEqual(
      read.map((r) => [r.chave, r.classe === 'documento' && r.statusProtocolo]),
      notas.map(({ chave }, i) => [chave, i === 1 ? 'Cancelada' : 'Autorizada']),
    );
    assert.throws(() => generateListaAbrasf([]), RangeError);
    assert.throws(() =>
      generateListaAbrasf(Array.from({ length: 51 }, () => notas[0]?.bytes ?? new Uint8Array())),
    );
  });

  it('carries accents and escaped text, and pays what is left after withholding', () => {
    const texts = new Set<string>();
    for (let i = 0; i < 40; i++) {
      const prestador = generateEmpresa(`nfse/p/${i}`, { perfil: 'servicos' });
      const { xml } = generateNfseAbrasf(entrada({ semente: String(i), prestador }));
      texts.add(xml);
      const value = (path: string) => cents(textsOf(xml, `//abrasf:${path}`)[0] ?? '0');
      const iss = textsOf(xml, '//abrasf:IssRetido').join() === '1' ? value('Servico//abrasf:ValorIss') : 0;
      const paid = value('ValorServicos') - value('DescontoIncondicionado') - value('ValorIr') - iss;
      assert.equal(value('ValorLiquidoNfse'), paid);
    }
    const all = [...texts].join('');
    for (const pattern of [/&amp;/, /&lt;/, /[ãçéí]/]) assert.match(all, pattern);
  });

  it('that cannot exist is refused', () => {
    assert.throws(() => generateNfseAbrasf(entrada({ numero: 0 })), RangeError);
    const prestador = generateEmpresa('nfse/produtor', { perfil: 'produtor' });
    assert.throws(() => generateNfseAbrasf(entrada({ prestador })), RangeError);
  });
});
