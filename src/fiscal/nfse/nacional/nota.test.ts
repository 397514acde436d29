import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MODERN, signature, swap } from '../../assinatura/amostras-de-teste.ts';
import { ler, lida, only } from '../../leitura-de-teste.ts';
import {
  assertRefused,
  chave50,
  documento,
  evento,
  INTERMEDIARIO,
  infDPS,
  NS_NACIONAL,
  nacional,
  PRESTADOR,
  partesDe,
  TOMADOR,
} from '../amostras-de-teste.ts';

const read = (xml: string) => documento(only(ler(xml)));
const withDps = (options: Parameters<typeof infDPS>[0]) => nacional({ infDPS: infDPS(options) });

describe('a national NFS-e', () => {
  it('is read with its key, number, series, dates, value and city', () => {
    const nota = read(nacional());
    assert.deepEqual(
      [nota.especie, nota.chave, nota.modelo, nota.numero, nota.serie, nota.layout],
      ['NFSe', chave50(), 'NFSe', '42', '70', '1.01'],
    );
    assert.deepEqual(
      [nota.dataEmissao, nota.ambiente, nota.statusProtocolo, nota.valor],
      ['2026-03-10T09:30:00-03:00', 1, 'Autorizada', '1500.00'],
    );
    assert.deepEqual([nota.layoutNacional, nota.municipioPrestacao], [true, 3304557]);
    assert.deepEqual(nota.itens, [{ numero: 1, cfop: null, ncm: null, valor: '1500.00' }]);
    assert.deepEqual(nota.avisos, []);
  });

  it('takes the name of the prestador from emit when the DPS has none', () => {
    assert.deepEqual(partesDe(read(nacional())), [
      `prestador ${PRESTADOR} Padaria Aurora Ltda`,
      `tomador ${TOMADOR} Mercado Horizonte`,
    ]);
  });

  it('issued by the tomador or the intermediário keeps everybody in the part that they play', () => {
    const partes = `<prest><NIF>US1</NIF><xNome>Acme Inc</xNome></prest><toma><CNPJ>${TOMADOR}</CNPJ></toma><interm><CNPJ>${INTERMEDIARIO}</CNPJ></interm>`;
    const byTomador = nacional({
      infDPS: swap(infDPS({ partes }), '<tpEmit>1', '<tpEmit>2'),
      emit: `<emit><CNPJ>${TOMADOR}</CNPJ><xNome>Mercado Horizonte</xNome></emit>`,
    });
    assert.deepEqual(partesDe(read(byTomador)), [
      `tomador ${TOMADOR} Mercado Horizonte`,
      `intermediario ${INTERMEDIARIO} null`,
    ]);
  });

  it('reads a CPF and an alphanumeric CNPJ, and takes nobody abroad for a party', () => {
    const partes =
      '<prest><CNPJ>12ABC34501DE35</CNPJ></prest><toma><NIF>123</NIF><xNome>Acme</xNome></toma><interm><CPF>52998224725</CPF></interm>';
    const nota = read(nacional({ infDPS: infDPS({ partes }), emit: '' }));
    assert.deepEqual(partesDe(nota), ['prestador 12ABC34501DE35 null', 'intermediario 52998224725 null']);
  });

  it('has its parties also where a city masked them or left zeros out, and tells whom it could not read', () => {
    const tomador = (id: string) => read(swap(nacional(), `<toma><CNPJ>${TOMADOR}<`, `<toma><CNPJ>${id}<`));
    const idDe = (id: string) => tomador(id).participantes.find(({ papel }) => papel === 'tomador')?.cpfCnpj;
    assert.equal(idDe(TOMADOR.replace(/^(..)(...)(...)(....)/, '$1.$2.$3/$4-')), TOMADOR);
    assert.equal(idDe('1234567000195'), '01234567000195');
    assert.match(tomador('EXTERIOR').avisos.join(), /do tomador "EXTERIOR" não pôde ser lido/);
    assert.equal(tomador('EXTERIOR').ressalva?.codigo, 'lido_com_duvida');
    assert.deepEqual(tomador('00000000000000').avisos, []);
  });

  it('has the net value, which is told, where nobody says that of the service', () => {
    const nota = read(nacional({ dps: '' }));
    assert.equal(nota.valor, '1400.00');
    assert.match(nota.avisos.join(), /foi lido o líquido \(vLiq\)/);
  });

  it('is of its day also where a city writes that in its own form', () => {
    for (const data of ['10/03/2026 09:30:00', '2026-03-10 09:30:00-03:00'])
      assert.equal(
        read(withDps({ data: `<dhEmi>${data}</dhEmi>` })).dataEmissao,
        '2026-03-10T09:30:00-03:00',
      );
  });

  it('falls back on the city of incidence, then on that of the emitter', () => {
    const abroad = '<serv><locPrest><cPaisPrestacao>US</cPaisPrestacao></locPrest></serv>';
    assert.equal(read(withDps({ serv: abroad })).municipioPrestacao, 3550308);
    const noIncidence = swap(withDps({ serv: abroad }), '<cLocIncid>3550308</cLocIncid>', '');
    assert.equal(
      read(swap(noIncidence, '3550308</cLocEmi>', '3304557</cLocEmi>')).municipioPrestacao,
      3304557,
    );
  });

  it('falls back on dhProc where the DPS has no date', () => {
    assert.equal(read(withDps({ data: '' })).dataEmissao, '2026-03-10T09:31:00-03:00');
  });

  it('is read wherever versao stands, in another case, without the namespace and in that of a vendor', () => {
    const moved = nacional().replace(' versao="1.01"><infNFSe', '><infNFSe versao="1.00"');
    assert.equal(read(moved).layout, '1.00');
    assert.match(read(nacional({ ns: '' })).avisos.join(), /sem o namespace/);
    assert.match(read(nacional({ ns: ' xmlns="u:vendor"' })).avisos.join(), /namespace u:vendor/);
    const beside = nacional({ dps: '' }).replace('</infNFSe>', `</infNFSe><DPS>${infDPS()}</DPS>`);
    assert.equal(read(beside).valor, '1500.00');
  });

  it('of homologação is told by tpAmb, and not by who generated it', () => {
    assert.equal(read(withDps({ tpAmb: '2' })).ambiente, 2);
    assert.equal(read(nacional().replace('<cStat>', '<ambGer>2</ambGer><cStat>')).ambiente, 1);
  });

  it('that replaces another says which, and stays authorised', () => {
    const nota = read(withDps({ mais: `<subst><chSubstda>${chave50('41')}</chSubstda></subst>` }));
    assert.deepEqual(nota.finalidade, { codigo: '101', descricao: 'NFS-e de substituição' });
    assert.match(nota.avisos.join(), new RegExp(`substitui a de chave ${chave50('41')}`));
    assert.equal(nota.statusProtocolo, 'Autorizada');
  });

  it('says its declared purpose (finNFSe) where it has one', () => {
    const nota = read(withDps({ mais: '<IBSCBS><finNFSe>0</finNFSe></IBSCBS>' }));
    assert.deepEqual(nota.finalidade, { codigo: '0', descricao: 'NFS-e regular' });
    assert.equal(read(nacional()).finalidade, null);
  });

  for (const cStat of ['100', '101', '102', '103', '107']) {
    it(`of cStat ${cStat} is authorised`, () => {
      const nota = read(nacional({ cStat: `<cStat>${cStat}</cStat>` }));
      assert.equal(nota.statusProtocolo, 'Autorizada');
      assert.equal(nota.protocolo?.cStat, cStat);
      assert.deepEqual(nota.avisos, []);
    });
  }

  it('of a cStat that nobody knows is authorised, and the doubt is told', () => {
    assert.match(read(nacional({ cStat: '<cStat>199</cStat>' })).avisos.join(), /cStat 199/);
  });

  it('whose key has a wrong check digit is told of when the system answered, and refused when nothing backs it', () => {
    const wrong = chave50().replace(/.$/, (d) => String((Number(d) + 1) % 10));
    assert.match(read(nacional({ chave: wrong })).avisos.join(), /dígito verificador/);
    const refused = assertRefused(
      only(ler(nacional({ chave: wrong, cStat: '' }))),
      'chave_com_dv_invalido',
      /não traz assinatura nem cStat/,
    );
    assert.equal(refused.chave, wrong);
  });

  it('signed with SHA-256 and exclusive C14N verifies on infNFSe, with the DPS signed or not', () => {
    const infNFSe = /<infNFSe.*<\/infNFSe>/.exec(nacional())?.[0] ?? '';
    const form = infNFSe.replace('<infNFSe', `<infNFSe${NS_NACIONAL}`).replace(`<DPS${NS_NACIONAL}`, '<DPS');
    const assinatura = signature({ ...MODERN, uri: `#NFS${chave50()}`, form });
    const piece = lida(only(ler(nacional({ assinatura }))));
    assert.deepEqual([piece.assinatura.resultado, piece.assinatura.motivo], ['integra', null]);
    const altered = swap(nacional({ assinatura }), '<vServ>1500.00', '<vServ>1.00');
    assert.equal(lida(only(ler(altered))).assinatura.resultado, 'alterada');
  });
});

describe('a national NFS-e is refused, and told why,', () => {
  const cases: [string, string, string, RegExp][] = [
    ['without a key', nacional({ id: '' }), 'chave_ausente', /infNFSe\/@Id/],
    [
      'with a key of 46 positions',
      nacional({ chave: chave50().slice(4) }),
      'chave_invalida',
      /tem 46 posições/,
    ],
    [
      'with letters outside the CNPJ',
      nacional({ chave: `X${chave50().slice(1)}` }),
      'chave_invalida',
      /letras/,
    ],
    [
      'without prestador and tomador',
      nacional({ infDPS: infDPS({ partes: '' }), emit: '' }),
      'emitente_ausente',
      /prest/,
    ],
    ['without tpAmb', withDps({ tpAmb: '' }), 'ambiente_invalido', /tpAmb/],
    [
      'without any date',
      nacional({ infDPS: infDPS({ data: '' }), dhProc: '' }),
      'data_emissao_ausente',
      /dhEmi/,
    ],
    [
      'with a date that does not exist',
      nacional({ infDPS: infDPS({ data: '<dhEmi>2026-02-30</dhEmi>' }), dhProc: '' }),
      'data_emissao_invalida',
      /2026-02-30/,
    ],
    [
      'with two infNFSe',
      nacional().replace('<infNFSe', '<infNFSe/><infNFSe'),
      'elemento_repetido',
      /infNFSe/,
    ],
    ['with two DPS', nacional().replace('<DPS', '<DPS/><DPS'), 'elemento_repetido', /DPS/],
  ];
  for (const [name, xml, codigo, says] of cases)
    it(name, () => void assertRefused(only(ler(xml)), codigo, says));
});

describe('a national note with what is not in its layout', () => {
  it('is one of production where its DPS, which says that, was left out', () => {
    const nota = documento(only(ler(nacional({ dps: '' }))));
    assert.deepEqual([nota.ambiente, nota.numero, nota.valor], [1, '42', '1400.00']);
    assert.deepEqual(partesDe(nota), [`prestador ${PRESTADOR} Padaria Aurora Ltda`]);
    assert.match(nota.avisos.join(), /sem a DPS/);
  });

  it('is cancelled by what its city puts beside it', () => {
    const beside = (numero: string): string =>
      `<ListaNfse><CompNfse>${nacional()}<NfseCancelamento><Confirmacao><Pedido><InfPedidoCancelamento><IdentificacaoNfse><Numero>${numero}</Numero><CpfCnpj><Cnpj>${PRESTADOR}</Cnpj></CpfCnpj><CodigoMunicipio>3550308</CodigoMunicipio></IdentificacaoNfse></InfPedidoCancelamento></Pedido><DataHora>2026-03-12T10:00:00</DataHora></Confirmacao></NfseCancelamento></CompNfse></ListaNfse>`;
    const [note, cancellation] = ler(beside('42'));
    assert.equal(documento(note).chave, chave50());
    assert.deepEqual([evento(cancellation).chave, evento(cancellation).efeito], [chave50(), 'cancela']);
    assert.equal(evento(ler(beside('43'))[1]).chave, `NFSE-3550308-${PRESTADOR}-43`);
  });
});
