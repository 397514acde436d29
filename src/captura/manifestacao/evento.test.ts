import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { chaveDe, cnpj, EMITENTE } from '../../fiscal/amostras-de-teste.ts';
import { ler, lida, only } from '../../fiscal/leitura-de-teste.ts';
import type { Chave, CpfCnpj } from '../../fiscal/tipos.ts';
import { certificadoDe } from '../../gerador/certificado.ts';
import { generateEmpresa } from '../../gerador/empresas.ts';
import { schemaFault, textsOf, verifySignatures } from '../../gerador/oraculo-de-teste.ts';
import { makeEvento, type PedidoDeEvento } from './evento.ts';
import { readJustificativa } from './justificativa.ts';
import { makeLote, makeProcEvento } from './lote.ts';
import { enderecoDoCte, mensagemCte, mensagemNfe } from './mensagem.ts';
import { desfechoDe, readRecepcao } from './retorno.ts';
import { type CodigoDeManifestacao, MANIFESTACOES } from './tipos.ts';

const EM = Date.parse('2026-09-10T15:04:05.678Z');
const empresa = generateEmpresa('manifestacao', { perfil: 'comercio' });
const a1 = certificadoDe(empresa, 'manifestacao', new Date(EM));
const certificado = {
  chave: a1.chavePrivada.export({ format: 'der', type: 'pkcs8' }),
  cadeia: [a1.der],
};
const NOTA = chaveDe() as Chave;
const FRETE = chaveDe({ modelo: '57', cUF: '41' }) as Chave;
const MOTIVO = 'Mercadoria recusada na portaria: caixa "A" < 3 & molhada';

function pedido(codigo: CodigoDeManifestacao, outros: Partial<PedidoDeEvento> = {}): PedidoDeEvento {
  const tipo = MANIFESTACOES[codigo];
  return {
    tipo,
    chave: tipo.documento === 'CTe' ? FRETE : NOTA,
    autor: empresa.id,
    ambiente: 1,
    em: EM,
    justificativa: tipo.justificativa ? MOTIVO : null,
    ...outros,
  };
}

function assertSigned(xml: string, autor = empresa.id): void {
  const [found, ...others] = verifySignatures(xml);
  assert.ok(found);
  assert.equal(others.length, 0);
  assert.deepEqual(
    [found.digest, found.assinatura, found.elemento, found.algoritmo],
    [true, true, 'infEvento', 'rsa-sha1'],
  );
  assert.ok(found.certificado.subject.includes(autor));
}

describe('the event of a recipient', () => {
  for (const codigo of ['210200', '210210', '210220', '210240'] as const) {
    it(`${codigo} is valid by the official schema and signed, alone and in a lot`, () => {
      const evento = makeEvento(pedido(codigo), certificado);
      const lote = makeLote({ idLote: '1', eventos: [evento] });
      assert.equal(schemaFault(lote, 'envConfRecebto_v1.00.xsd'), null);
      assertSigned(evento.xml);
      assertSigned(lote);
      assert.equal(evento.id, `ID${codigo}${NOTA}01`);
      assert.deepEqual(textsOf(lote, '//nfe:dhEvento'), ['2026-09-10T12:04:05-03:00']);
      assert.deepEqual(textsOf(lote, '//nfe:cOrgao'), ['91']);
      assert.deepEqual(textsOf(lote, '//nfe:descEvento'), [MANIFESTACOES[codigo].descEvento]);
      assert.deepEqual(textsOf(lote, '//nfe:xJust'), codigo === '210240' ? [MOTIVO] : []);
    });
  }

  it('goes out twenty at most in a lot, each with a signature that verifies there', () => {
    const eventos = Array.from({ length: 20 }, (_, at) =>
      makeEvento(pedido('210210', { chave: chaveDe({ numero: String(at + 1) }) as Chave }), certificado),
    );
    const lote = makeLote({ idLote: '123456789012345', eventos });
    assert.equal(schemaFault(lote, 'envConfRecebto_v1.00.xsd'), null);
    assert.equal(verifySignatures(lote).filter(({ digest, assinatura }) => digest && assinatura).length, 20);
    assert.throws(() => makeLote({ idLote: '1', eventos: [...eventos, ...eventos] }), RangeError);
    assert.throws(() => makeLote({ idLote: '1', eventos: [] }), RangeError);
    assert.throws(() => makeLote({ idLote: '1234567890123456', eventos }), RangeError);
  });

  it('is for an alphanumeric CNPJ, a CPF, and the test environment too', () => {
    const autor = cnpj('12ABC3450001') as CpfCnpj;
    const chave = chaveDe({ emitente: cnpj('7A9B1C2D0001') }) as Chave;
    const pessoa = '12345678909' as CpfCnpj;
    for (const outros of [{ autor }, { chave }, { autor: pessoa }, { ambiente: 2 as const }]) {
      const { xml } = makeEvento(pedido('210200', outros), certificado);
      const lote = makeLote({ idLote: '1', eventos: [{ id: '', xml }] });
      assert.equal(schemaFault(lote, 'envConfRecebto_v1.00.xsd'), null);
    }
    assert.deepEqual(textsOf(makeEvento(pedido('210200', { autor: pessoa }), certificado).xml, '//nfe:CPF'), [
      pessoa,
    ]);
  });

  it('is not made with a reason where there is none, without one, or for a document of the other kind', () => {
    assert.throws(() => makeEvento(pedido('210240', { justificativa: null }), certificado), RangeError);
    assert.throws(() => makeEvento(pedido('210200', { justificativa: MOTIVO }), certificado), RangeError);
    assert.throws(() => makeEvento(pedido('210200', { chave: FRETE }), certificado), RangeError);
    assert.throws(() => makeEvento(pedido('610110', { chave: NOTA }), certificado), RangeError);
  });

  it('does not leave the house where key and certificate are not a pair', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const chave = privateKey.export({ format: 'der', type: 'pkcs8' });
    assert.throws(() => makeEvento(pedido('210210'), { ...certificado, chave }), /does not verify/);
  });
});

describe('the event of a tomador', () => {
  it('has the form of layout 4.00, the time of the state that authorised, and a signature', () => {
    const { id, xml } = makeEvento(
      pedido('610110', { chave: chaveDe({ modelo: '57', cUF: '13' }) as Chave }),
      certificado,
    );
    assertSigned(xml);
    assert.match(id, /^ID610110\d{44}001$/);
    assert.deepEqual(textsOf(xml, '//cte:detEvento/cte:evPrestDesacordo/*'), [
      'Prestacao do Servico em Desacordo',
      '1',
      MOTIVO,
    ]);
    assert.deepEqual(textsOf(xml, '//cte:infEvento/*').slice(0, 7), [
      '13',
      '1',
      empresa.id,
      id.slice(8, 52),
      '2026-09-10T11:04:05-04:00',
      '610110',
      '1',
    ]);
  });

  it('goes to the authority that authorised the CT-e', () => {
    const svrs = 'https://cte.svrs.rs.gov.br/ws/CTeRecepcaoEventoV4/CTeRecepcaoEventoV4.asmx';
    const host = (cUF: string, proprio = svrs) => {
      const chave = chaveDe({ modelo: '57', cUF }) as Chave;
      return new URL(enderecoDoCte({ chave, ambiente: 1, svrs, proprio })).host;
    };
    const hosts = {
      35: 'nfe.fazenda.sp.gov.br',
      26: 'nfe.fazenda.sp.gov.br',
      14: 'nfe.fazenda.sp.gov.br',
      41: 'cte.fazenda.pr.gov.br',
      31: 'cte.fazenda.mg.gov.br',
      50: 'producao.cte.ms.gov.br',
      51: 'cte.sefaz.mt.gov.br',
      43: 'cte.svrs.rs.gov.br',
      29: 'cte.svrs.rs.gov.br',
      53: 'cte.svrs.rs.gov.br',
    };
    for (const [uf, expected] of Object.entries(hosts)) assert.equal(host(uf), expected, uf);
    assert.equal(host('35', 'https://127.0.0.1:8443/cte'), '127.0.0.1:8443');
  });
});

describe('the message', () => {
  it('holds what was signed untouched, directly in the body, and names its operation', () => {
    const lote = makeLote({ idLote: '9', eventos: [makeEvento(pedido('210240'), certificado)] });
    assert.deepEqual(mensagemNfe(lote), {
      action: 'http://www.portalfiscal.inf.br/nfe/wsdl/NFeRecepcaoEvento4/nfeRecepcaoEventoNF',
      body: `<nfeDadosMsg xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/NFeRecepcaoEvento4">${lote}</nfeDadosMsg>`,
    });
    const { xml } = makeEvento(pedido('610110'), certificado);
    assert.deepEqual(mensagemCte(xml), {
      action: 'http://www.portalfiscal.inf.br/cte/wsdl/CTeRecepcaoEventoV4/cteRecepcaoEvento',
      body: `<cteDadosMsg xmlns="http://www.portalfiscal.inf.br/cte/wsdl/CTeRecepcaoEventoV4">${xml}</cteDadosMsg>`,
    });
  });
});

const NFE = 'xmlns="http://www.portalfiscal.inf.br/nfe"';
const soap = (inside: string) =>
  `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><nfeResultMsg xmlns="urn:x">${inside}</nfeResultMsg></s:Body></s:Envelope>`;
const retEvento = (chave: string, cStat: string, codigo = '210210') =>
  `<retEvento versao="1.00"><infEvento><tpAmb>1</tpAmb><verAplic>AN_1.4.3</verAplic><cOrgao>91</cOrgao><cStat>${cStat}</cStat><xMotivo>Evento registrado e vinculado a NF-e</xMotivo><chNFe>${chave}</chNFe><tpEvento>${codigo}</tpEvento><xEvento>Ciencia da Operacao</xEvento><nSeqEvento>1</nSeqEvento><CNPJDest>${empresa.id}</CNPJDest><dhRegEvento>2026-09-10T12:04:09-03:00</dhRegEvento><nProt>891260000000001</nProt></infEvento></retEvento>`;

describe('the answer', () => {
  it('is read by local names, event by event', () => {
    const corpo = soap(
      `<retEnvEvento ${NFE} versao="1.00"><idLote>1</idLote><tpAmb>1</tpAmb><cStat>128</cStat><xMotivo>Lote de Evento Processado</xMotivo>${retEvento(NOTA, '135')}${retEvento(FRETE, '596')}</retEnvEvento>`,
    );
    const resposta = readRecepcao(Buffer.from(corpo));
    assert.equal(resposta?.cStat, '128');
    assert.deepEqual(
      resposta?.eventos.map(({ chave, cStat, nProt }) => [chave, cStat, nProt]),
      [
        [NOTA, '135', '891260000000001'],
        [FRETE, '596', '891260000000001'],
      ],
    );
  });

  it('and the event are together a document that is read, signed and valid by the official schema', () => {
    const { xml } = makeEvento(pedido('210210'), certificado);
    const corpo = soap(
      `<retEnvEvento ${NFE} versao="1.00"><cStat>128</cStat>${retEvento(NOTA, '135')}</retEnvEvento>`,
    );
    const [evento] = readRecepcao(Buffer.from(corpo))?.eventos ?? [];
    assert.ok(evento);
    const documento = makeProcEvento(MANIFESTACOES['210210'], xml, evento.xml);
    assert.equal(schemaFault(documento, 'procConfRecebtoNFe_v1.00.xsd'), null);
    assertSigned(documento);
    const { registro } = lida(only(ler(documento)));
    assert.ok(registro.classe === 'evento');
    assert.deepEqual([registro.codigo, registro.chave, registro.autor], ['210210', NOTA, empresa.id]);
  });

  it('of a CT-e is that of its one event', () => {
    const corpo = `<retEventoCTe xmlns="http://www.portalfiscal.inf.br/cte" versao="4.00"><infEvento><cStat>134</cStat><xMotivo>Evento registrado</xMotivo><chCTe>${FRETE}</chCTe><tpEvento>610110</tpEvento></infEvento></retEventoCTe>`;
    const resposta = readRecepcao(Buffer.from(soap(corpo)));
    assert.deepEqual([resposta?.cStat, resposta?.eventos[0]?.chave], ['134', FRETE]);
  });

  it('that is none is told from a refusal', () => {
    for (const corpo of [
      '',
      '<html><body>503</body></html>',
      '<a>',
      soap('<s:Fault><s:Code/></s:Fault>'),
      soap(`<retEnvEvento ${NFE}/>`),
    ])
      assert.equal(readRecepcao(Buffer.from(corpo)), null, corpo);
  });

  it('means registered, registered before, held up, the certificate, or refused', () => {
    const desfechos = Object.fromEntries(
      [
        '135',
        '136',
        '134',
        '573',
        '631',
        '656',
        '108',
        '999',
        '281',
        '296',
        '596',
        '575',
        '650',
        '655',
        '1115',
      ].map((cStat) => [cStat, desfechoDe(cStat)]),
    );
    assert.deepEqual(desfechos, {
      135: 'registrada',
      136: 'registrada',
      134: 'registrada',
      573: 'ja_registrada',
      631: 'ja_registrada',
      656: 'adiada',
      108: 'adiada',
      999: 'adiada',
      281: 'certificado',
      296: 'certificado',
      596: 'recusada',
      575: 'recusada',
      650: 'recusada',
      655: 'recusada',
      1115: 'recusada',
    });
  });
});

describe('the reason', () => {
  it('is made plain: one line, no typographic signs, no blanks at its ends', () => {
    assert.deepEqual(readJustificativa('  “Recusada” — não\n  pedida…\u00a0aqui '), {
      texto: '"Recusada" - não pedida... aqui',
    });
  });

  it('has 15 to 255 characters, of those that the schema takes', () => {
    assert.ok('texto' in readJustificativa('x'.repeat(15)));
    assert.ok('texto' in readJustificativa('ç'.repeat(255)));
    for (const texto of [
      '',
      'x'.repeat(14),
      `${'x'.repeat(14)} `,
      'x'.repeat(256),
      'mercadoria recusada 🙂',
      'nota de 5 € errada',
    ]) {
      assert.ok('falha' in readJustificativa(texto), texto);
    }
  });

  it('is for the issuer none of ours to change: what it says stays', () => {
    assert.deepEqual(readJustificativa(`Emitente ${EMITENTE} cobrou a mais`), {
      texto: `Emitente ${EMITENTE} cobrou a mais`,
    });
  });
});
