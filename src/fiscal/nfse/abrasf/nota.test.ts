import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { swap } from '../../assinatura/amostras-de-teste.ts';
import { codeOf, ler, lida, only, rejeitada, textOf } from '../../leitura-de-teste.ts';
import {
  abrasf1,
  abrasf2,
  assertRefused,
  cancelamentoAbrasf,
  chave50,
  documento,
  evento,
  INTERMEDIARIO,
  PRESTADOR,
  partesDe,
  TOMADOR,
} from '../amostras-de-teste.ts';

const read = (xml: string) => documento(only(ler(xml)));
const CHAVE = `NFSE-3304557-${PRESTADOR}-202600000000015`;

describe('a note with the names of ABRASF', () => {
  it('of layout 1.00 is read with its parties, value, city and composed key', () => {
    const nota = read(abrasf1());
    assert.deepEqual(
      [nota.especie, nota.modelo, nota.chave, nota.numero, nota.serie, nota.layout, nota.ambiente],
      ['NFSe', 'NFSe', CHAVE, '202600000000015', 'U', '1.00', 1],
    );
    assert.deepEqual(partesDe(nota), [
      `prestador ${PRESTADOR} Padaria Aurora Ltda`,
      `tomador ${TOMADOR} Mercado Horizonte`,
      `intermediario ${INTERMEDIARIO} Ponte`,
    ]);
    assert.deepEqual(
      [nota.valor, nota.municipioPrestacao, nota.layoutNacional, nota.statusProtocolo, nota.protocolo],
      ['10.00', 3303302, false, 'Autorizada', null],
    );
    assert.deepEqual(nota.itens, [{ numero: 1, cfop: null, ncm: null, valor: '10.00' }]);
  });

  for (const [versao, tomador] of [
    ['2.03', 'Tomador'],
    ['2.04', 'TomadorServico'],
  ] as const) {
    it(`of layout ${versao} is read where the prestador stands in the declaration only`, () => {
      const nota = read(abrasf2(tomador, versao));
      assert.equal(nota.chave, `NFSE-3304557-${PRESTADOR}-15`);
      assert.deepEqual(partesDe(nota), [
        `prestador ${PRESTADOR} Padaria Aurora Ltda`,
        'tomador 52998224725 Maria',
        `intermediario ${INTERMEDIARIO} Ponte`,
      ]);
      assert.deepEqual([nota.valor, nota.serie, nota.layout], ['10.00', '99', versao]);
    });
  }

  it('has its tomador with an id that stands without its groups', () => {
    const groups = /<IdentificacaoTomador><CpfCnpj>(<Cnpj>\d+<\/Cnpj>)<\/CpfCnpj><\/IdentificacaoTomador>/;
    const nota = read(swap(abrasf1(), groups, '$1'));
    assert.equal(partesDe(nota)[1], `tomador ${TOMADOR} Mercado Horizonte`);
    // What stands deeper is of something else.
    const other = read(swap(abrasf1(), groups, '<Contato><Cnpj>52998224725</Cnpj></Contato>'));
    assert.equal(partesDe(other).length, 2);
  });

  it('is the same note in any namespace, with prefixes, in another case and in any indentation', () => {
    const { chave, digest } = read(abrasf1());
    const prefixed = abrasf1({}, ' xmlns:ns3="http://vendor.invalid/tipos"').replaceAll(
      /<(\/?)(?=[A-Z])/g,
      '<$1ns3:',
    );
    const forms = [
      prefixed,
      abrasf1({}, ''),
      abrasf1({}, ' xmlns="u:vendor"'),
      abrasf1().replaceAll('><', '>\n  <'),
      abrasf1().replaceAll(/CompNfse/g, 'tcCompNfse'),
      abrasf1().replaceAll(/CompNfse/g, 'ComplNfse'),
      abrasf1().replaceAll(/InfNfse/g, 'infNfse'),
    ];
    for (const form of forms) {
      const nota = read(form);
      assert.deepEqual([nota.chave, nota.digest], [chave, digest], form.slice(0, 80));
    }
    assert.notEqual(read(abrasf1({ valor: '11.00' })).digest, digest);
    assert.notEqual(read(abrasf1({ codigo: 'OUTRO' })).digest, digest, 'another code is a conflict');
  });

  it('of a list stands beside one that nobody reads: that is told, and waits, and is not passed over', () => {
    const desconhecida = `<Registro><nro>88</nro><dtEmissao>2026-03-10</dtEmissao><prestadorDoc>${PRESTADOR}</prestadorDoc><tomadorDoc>${TOMADOR}</tomadorDoc><valorServico>900,00</valorServico></Registro>`;
    const list = (outra: string) =>
      `<Lista>${abrasf1({}, '')}${outra}${abrasf1({ numero: '16' }, '')}<Quantidade>3</Quantidade></Lista>`;
    const [first, told, last, ...more] = ler(list(desconhecida));
    const numeros = [first, last].map((one) => documento(one).numero);
    assert.deepEqual([...numeros, more], ['202600000000015', '16', []]);
    const refused = rejeitada(told);
    assert.equal(refused.rejeicao.codigo, 'nfse_layout_desconhecido');
    assert.ok(refused.aEnsinar);
    assert.equal(ler(list('')).length, 2);
    assert.equal(ler(list('<Totais><valorServico>900,00</valorServico></Totais>')).length, 2);
  });

  it('is one of many in a list, each kept by itself with what stands beside it', () => {
    const list = `<ConsultarNfseResposta xmlns="u:x"><ListaNfse>${abrasf1({}, '')}${abrasf1({ numero: '16', ao_lado: cancelamentoAbrasf({ numero: '16' }) }, '')}<Nfse>${/<InfNfse>.*<\/InfNfse>/.exec(abrasf1({ numero: '17' }))?.[0]}</Nfse></ListaNfse></ConsultarNfseResposta>`;
    const notes = ler(list);
    assert.deepEqual(
      notes.map((piece) => [documento(piece).numero, documento(piece).statusProtocolo]),
      [
        ['202600000000015', 'Autorizada'],
        ['16', 'Cancelada'],
        ['17', 'Autorizada'],
      ],
    );
    assert.match(textOf(lida(notes[1]).bytes), /^<CompNfse xmlns="u:x">.*NfseCancelamento>.*<\/CompNfse>$/);
    assert.match(textOf(lida(notes[2]).bytes), /^<Nfse xmlns="u:x"><InfNfse>/);
  });

  it('gets the clock of its city where the date has no zone, and keeps a zone that it has', () => {
    const at = (gerador: string, data: string) =>
      read(
        abrasf1({
          gerador: `<OrgaoGerador><CodigoMunicipio>${gerador}</CodigoMunicipio></OrgaoGerador>`,
          data,
        }),
      ).dataEmissao;
    const noon = '<DataEmissao>2026-03-10T12:00:00</DataEmissao>';
    assert.equal(at('1302603', noon), '2026-03-10T12:00:00-04:00');
    assert.equal(at('1200401', noon), '2026-03-10T12:00:00-05:00');
    assert.equal(
      at('3304557', '<DataEmissao>2012-01-10T12:00:00</DataEmissao>'),
      '2012-01-10T12:00:00-02:00',
    );
    assert.equal(
      at('1302603', '<DataEmissao>2026-03-10T12:00:00.330-03:00</DataEmissao>'),
      '2026-03-10T12:00:00-03:00',
    );
    assert.equal(at('3304557', '<DataEmissao>10/03/2026 09:30</DataEmissao>'), '2026-03-10T09:30:00-03:00');
  });

  it('takes the city of the prestador where the issuing one is not said, then none', () => {
    assert.equal(read(abrasf1({ gerador: '' })).chave, CHAVE);
    const nowhere = abrasf1({ gerador: '' }).replaceAll('3304557', '82');
    const nota = read(nowhere);
    assert.equal(nota.chave, `NFSE-0000000-${PRESTADOR}-202600000000015`);
    assert.match(nota.avisos.join(), /município a gerou/);
  });

  it('is read with a masked CNPJ, a CPF in the place of one, and an alphanumeric CNPJ', () => {
    const prestadorOf = (prestador: string) => read(abrasf1({ prestador })).participantes[0]?.cpfCnpj;
    assert.equal(prestadorOf('<Cnpj>12.ABC.345/01DE-35</Cnpj>'), '12ABC34501DE35');
    assert.equal(prestadorOf('<CpfCnpj><Cpf>529.982.247-25</Cpf></CpfCnpj>'), '52998224725');
    assert.equal(prestadorOf('<CpfCnpj>52998224725</CpfCnpj>'), '52998224725');
  });
});

describe('a note of ABRASF whose city wrote the national key beside it', () => {
  const chave = (key: string) => `<ChaveNotaNacional>${key}</ChaveNotaNacional>`;

  it('tells it, and keeps the composed one, by which the city cancels it', () => {
    for (const nota of [
      read(abrasf1({ ao_lado: chave(chave50('15')) })),
      read(abrasf1({ mais: chave(chave50('15')) })),
      read(abrasf1({ mais: `<ChaveADN>NFS${chave50('15')}</ChaveADN>` })),
    ]) {
      assert.deepEqual([nota.chave, nota.digest], [CHAVE, read(abrasf1()).digest]);
      assert.match(nota.avisos.join(), new RegExp(`No sistema nacional, a chave .* ${chave50('15')}`));
    }
  });

  it('says so where that key is wrong', () => {
    const nota = read(abrasf1({ ao_lado: chave('1'.repeat(50)) }));
    assert.equal(nota.chave, CHAVE);
    assert.match(nota.avisos.join(), /chave nacional/);
  });
});

describe('a note of ABRASF that was cancelled or replaced', () => {
  const confirmed = cancelamentoAbrasf();
  const when = '<DataHoraCancelamento>2026-03-12T08:00:00</DataHoraCancelamento>';
  const replaced = (by: string) =>
    `<NfseSubstituicao><SubstituicaoNfse><NfseSubstituidora>${by}</NfseSubstituidora></SubstituicaoNfse></NfseSubstituicao>`;

  it('is cancelled, with when, by either name of the date', () => {
    for (const ao_lado of [confirmed, cancelamentoAbrasf({ data: when })]) {
      const nota = read(abrasf1({ ao_lado }));
      assert.deepEqual([nota.statusProtocolo, nota.protocolo?.cStat], ['Cancelada', '101']);
      assert.equal(nota.protocolo?.dhRecbto, '2026-03-12T08:00:00');
    }
  });

  it('has the content of the note before, so that it is known for the same', () => {
    const nota = read(abrasf1({ ao_lado: confirmed }));
    assert.deepEqual([nota.digest, nota.chave], [read(abrasf1()).digest, read(abrasf1()).chave]);
  });

  it('is not cancelled by an empty group, nor by one that says that it failed', () => {
    for (const ao_lado of [
      '<NfseCancelamento/>',
      '<NfseCancelamento><Confirmacao><Pedido><InfPedidoCancelamento/></Pedido></Confirmacao></NfseCancelamento>',
      `<NfseCancelamento><Confirmacao><Sucesso>false</Sucesso>${when}</Confirmacao></NfseCancelamento>`,
      '<NfseSubstituicao><SubstituicaoNfse/></NfseSubstituicao>',
      replaced('0'),
    ])
      assert.equal(read(abrasf1({ ao_lado })).statusProtocolo, 'Autorizada', ao_lado);
  });

  it('is cancelled, and says that no date is there, by the request for it that its city put beside it', () => {
    for (const data of ['<DataHora></DataHora>', '', '<DataHora>0001-01-01T00:00:00</DataHora>']) {
      const nota = read(abrasf1({ ao_lado: cancelamentoAbrasf({ data }) }));
      assert.deepEqual([nota.statusProtocolo, nota.protocolo?.dhRecbto], ['Cancelada', null], data);
      assert.match(nota.avisos.join(), /sem data: foi lida como cancelada/);
    }
    const empty = read(abrasf1({ ao_lado: '<NfseCancelamento><Confirmacao/></NfseCancelamento>' }));
    assert.equal(empty.statusProtocolo, 'Autorizada');
    assert.match(empty.avisos.join(), /Não está claro o que diz NfseCancelamento/);
  });

  it('is cancelled by what stands beside it in or around elements of names that nobody knows', () => {
    const xml = abrasf1({ ao_lado: cancelamentoAbrasf() });
    for (const [from, to] of [
      [/(<\/?)Nfse(?=[ >])/g, '$1Outro'],
      [/(<\/?)CompNfse/g, '$1Outro'],
    ] as const)
      assert.equal(read(xml.replace(from, to)).statusProtocolo, 'Cancelada', to);
  });

  it('tells that the cancellation beside it is of another number', () => {
    const other = read(abrasf1({ ao_lado: cancelamentoAbrasf({ numero: '202600000000016' }) }));
    assert.equal(other.statusProtocolo, 'Cancelada');
    assert.match(other.avisos.join(), /nº 202600000000015 traz o cancelamento da nº 202600000000016/);
    const short = read(abrasf1({ ao_lado: cancelamentoAbrasf({ numero: '15' }) }));
    assert.equal(short.statusProtocolo, 'Cancelada');
    assert.doesNotMatch(short.avisos.join(), /traz o cancelamento/);
  });

  it('is cancelled by a situation that a vendor added, and stays the same note', () => {
    const nota = read(abrasf1({ mais: '<Situacao>Cancelada</Situacao>' }));
    assert.deepEqual([nota.statusProtocolo, nota.digest], ['Cancelada', read(abrasf1()).digest]);
    assert.equal(read(abrasf1({ mais: '<Cancelada>true</Cancelada>' })).statusProtocolo, 'Cancelada');
    assert.equal(read(abrasf1({ mais: '<Situacao>1</Situacao>' })).statusProtocolo, 'Autorizada');
  });

  it('is cancelled by the codes that cities have for it: CA of Sigep, 2 of Porto Velho', () => {
    for (const [mais, status] of [
      ['<StatusNfse>CA</StatusNfse>', 'Cancelada'],
      ['<StatusNfse>EM</StatusNfse>', 'Autorizada'],
      ['<StatusNfse>SC</StatusNfse>', 'Autorizada'],
      ['<Status>2</Status>', 'Cancelada'],
      ['<Status>1</Status>', 'Autorizada'],
    ] as const) {
      const nota = read(abrasf1({ mais }));
      assert.deepEqual([nota.statusProtocolo, nota.digest], [status, read(abrasf1()).digest], mais);
    }
    const doRps = '<DeclaracaoPrestacaoServico><Rps><Status>2</Status></Rps></DeclaracaoPrestacaoServico>';
    assert.equal(read(abrasf1({ mais: doRps })).statusProtocolo, 'Autorizada', 'that of the RPS is another');
  });

  it('by substitution is cancelled, and the substitute is named', () => {
    const nota = read(abrasf1({ ao_lado: replaced('202600000000016') }));
    assert.equal(nota.statusProtocolo, 'Cancelada');
    assert.match(nota.avisos.join(), /substituída pela de número 202600000000016/);
  });

  it('is not cancelled when it is the substitute, which names the note that it replaces', () => {
    const mais = '<NfseSubstituida>14</NfseSubstituida>';
    const nota = read(abrasf1({ mais, ao_lado: replaced('202600000000015') }));
    assert.equal(nota.statusProtocolo, 'Autorizada');
    assert.equal(nota.finalidade?.codigo, '101');
    assert.match(nota.avisos.join(), /substitui a de número 14/);
  });
});

describe('the cancellation of a note of ABRASF without the note', () => {
  const answer = (inside: string) => `<CancelarNfseResposta xmlns="u:x">${inside}</CancelarNfseResposta>`;

  it('is an event about the key of that note', () => {
    const read = evento(only(ler(answer(`<RetCancelamento>${cancelamentoAbrasf()}</RetCancelamento>`))));
    assert.deepEqual(
      [read.chave, read.codigo, read.efeito, read.sequencia, read.autor, read.dataEmissao],
      [CHAVE, '101101', 'cancela', 1, PRESTADOR, '2026-03-12T08:00:00-03:00'],
    );
    const old = cancelamentoAbrasf().replaceAll('NfseCancelamento', 'Cancelamento');
    assert.equal(evento(only(ler(answer(old)))).chave, CHAVE);
    // Goiânia has a code of its own, in its notes and here.
    const goiania = evento(only(ler(answer(cancelamentoAbrasf({ municipio: '0025300' })))));
    assert.equal(goiania.chave, CHAVE.replace('3304557', '5208707'));
  });

  it('is refused when it does not say of which note it is, when, or that it succeeded', () => {
    const refused = (inside: string, codigo: string, says: RegExp) =>
      assertRefused(only(ler(answer(inside))), codigo, says);
    refused(cancelamentoAbrasf({ municipio: '' }), 'chave_ausente', /CodigoMunicipio/);
    refused(cancelamentoAbrasf({ numero: 'ANON' }), 'chave_ausente', /Numero/);
    refused(
      cancelamentoAbrasf({ data: '' }),
      'evento_sem_registro',
      /não traz a data em que a prefeitura o confirmou/,
    );
    refused(cancelamentoAbrasf({ data: '<Sucesso>true</Sucesso>' }), 'data_emissao_ausente', /DataHora/);
    refused(cancelamentoAbrasf({ data: '<DataHora>ontem</DataHora>' }), 'data_emissao_invalida', /ontem/);
    refused(
      swap(cancelamentoAbrasf(), '<Pedido>', '<Sucesso>false</Sucesso><Pedido>'),
      'evento_sem_registro',
      /não foi confirmado/,
    );
  });

  it('is not taken from the request', () => {
    const request = `<CancelarNfseEnvio>${/<Pedido>.*<\/Pedido>/.exec(cancelamentoAbrasf())?.[0]}</CancelarNfseEnvio>`;
    assert.equal(codeOf(only(ler(request))), 'mensagem_sem_documento');
  });
});

describe('a note of ABRASF is refused, and told why,', () => {
  const cases: [string, string, string, RegExp][] = [
    ['without number', abrasf1({ numero: '' }), 'numero_nfse_invalido', /não traz o seu número/],
    ['with a number that is none', abrasf1({ numero: 'ANON_NUMERO' }), 'numero_nfse_invalido', /ANON_NUMERO/],
    ['with the number zero', abrasf1({ numero: '0' }), 'numero_nfse_invalido', /"0"/],
    ['without prestador', abrasf1({ prestador: '' }), 'emitente_ausente', /prestador/],
    [
      'with a prestador of zeros',
      abrasf1({ prestador: '<Cnpj>00000000000000</Cnpj>' }),
      'emitente_ausente',
      /prestador/,
    ],
    ['without date', abrasf1({ data: '' }), 'data_emissao_ausente', /DataEmissao/],
    [
      'with a date that is none',
      abrasf1({ data: '<DataEmissao>ontem</DataEmissao>' }),
      'data_emissao_invalida',
      /ontem/,
    ],
    ['with two numbers', abrasf1({ mais: '<Numero>2</Numero>' }), 'elemento_repetido', /Numero/],
  ];
  for (const [name, xml, codigo, says] of cases)
    it(name, () => void assertRefused(only(ler(xml)), codigo, says));
});
