/** What the reader of layouts does with fields that are wrong, twice there or missing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { swap } from '../../assinatura/amostras-de-teste.ts';
import { cnpjCheckDigits } from '../../cpf-cnpj.ts';
import { ler, only } from '../../leitura-de-teste.ts';
import {
  abrasf1,
  assertRefused,
  documento,
  PRESTADOR,
  paulistana,
  retornoPaulistana,
  TOMADOR,
} from '../amostras-de-teste.ts';
import { AMOSTRAS, PADRAO } from './amostras-de-teste.ts';

const read = (xml: string) => documento(only(ler(xml)));
const amostra = (id: string) => AMOSTRAS.find(({ leiaute }) => leiaute === id)?.xml(PADRAO) ?? '';
const tomadorDe = (xml: string) =>
  read(xml).participantes.find(({ papel }) => papel === 'tomador')?.cpfCnpj ?? null;

describe('a party', () => {
  const ipm = (tipo: string, id: string) =>
    swap(amostra('ipm'), `<tipo>J</tipo><cpfcnpj>${TOMADOR}<`, `<tipo>${tipo}</tipo><cpfcnpj>${id}<`);

  it('whose number lost its zeros, or got some, is found by its check digits', () => {
    assert.equal(tomadorDe(ipm('J', '1234567000195')), '01234567000195');
    assert.equal(tomadorDe(ipm('F', '1234567890')), '01234567890');
    assert.equal(tomadorDe(ipm('F', '00001234567890')), '01234567890');
    assert.equal(tomadorDe(ipm('J', '30201040000162')), '30201040000162');
    assert.equal(tomadorDe(ipm('J', '030201040000162')), '30201040000162');
    // A CNPJ without its three zeros has the length of a CPF.
    const short = `000123450001${cnpjCheckDigits('000123450001')}`;
    assert.equal(tomadorDe(ipm('J', short.slice(3))), short);
  });

  it('whose number is none is told with its text, whichever party it is', () => {
    for (const id of ['EXTERIOR', '123456789012', '12345'])
      assert.match(
        read(ipm('J', id)).avisos.join(),
        new RegExp(`CPF ou CNPJ do tomador "${id}" não pôde ser lido`),
      );
    assert.doesNotMatch(read(ipm('J', '00000000000000')).avisos.join(), /não pôde ser lido/);
    const intermediary = abrasf1().replace(
      /<IntermediarioServico>.*?<\/IntermediarioServico>/,
      '<IntermediarioServico><CpfCnpj><Cnpj>XYZ</Cnpj></CpfCnpj></IntermediarioServico>',
    );
    assert.match(read(intermediary).avisos.join(), /do intermediário "XYZ" não pôde ser lido/);
  });

  it('that stands in the head of a list, where that has none or one that is none, is named with its layout', () => {
    const lista = (cabecalho: string) => swap(amostra('siappa'), /<Cab_CNPJ>.*<\/Cab_CNPJ>/, cabecalho);
    assertRefused(
      only(ler(lista(''))),
      'nfse_layout_desconhecido',
      /NFS-e nº 77 é do layout SIAPPA, mas não foi encontrado o CNPJ ou CPF do prestador onde/,
    );
    assertRefused(
      only(ler(lista('<Cab_CNPJ>3131313100015</Cab_CNPJ>'))),
      'emitente_invalido',
      /prestador "3131313100015" não pôde ser lido/,
    );
  });

  it('is read wherever its own name says whose the number is, though the layout has it elsewhere', () => {
    const tomador = /<TomadorServico>.*<\/TomadorServico>/;
    for (const dita of [
      `<TomadorServico><Documento>${TOMADOR}</Documento></TomadorServico>`,
      `<DadosTomador><IdentificacaoTomador><CpfCnpj><Cnpj>${TOMADOR}</Cnpj></CpfCnpj></IdentificacaoTomador></DadosTomador>`,
      `<TomadorServico><IdentificacaoTomador><CpfCnpj><CnpjCpf>${TOMADOR}</CnpjCpf></CpfCnpj></IdentificacaoTomador></TomadorServico>`,
      `<InfTomador><CpfCnpj><Cnpj>${TOMADOR}</Cnpj></CpfCnpj></InfTomador>`,
      `<CpfCnpjTomador>CNPJ: ${TOMADOR}</CpfCnpjTomador>`,
    ])
      assert.equal(tomadorDe(abrasf1().replace(tomador, dita)), TOMADOR, dita);
    // Whom the note names in the place of its layout is the taker, readable or not.
    const [estrangeiro] = [
      '<TomadorServico><IdentificacaoTomador><CpfCnpj><Cnpj>EX</Cnpj></CpfCnpj></IdentificacaoTomador></TomadorServico>',
    ].map((dita) => read(abrasf1().replace(tomador, `${dita}<CnpjTomador>${TOMADOR}</CnpjTomador>`)));
    assert.match(estrangeiro?.avisos.join() ?? '', /do tomador "EX" não pôde ser lido/);
    const outroNome = abrasf1().replaceAll('PrestadorServico>', 'DadosPrestador>');
    assert.equal(read(outroNome).participantes[0]?.cpfCnpj, PRESTADOR);
  });

  it('that is the prestador, without a number that can be read, refuses the note with that text', () => {
    assertRefused(
      only(ler(swap(amostra('ipm'), `<cpfcnpj>${PRESTADOR}<`, '<cpfcnpj>12AB<'))),
      'emitente_invalido',
      /prestador "12AB" não pôde ser lido/,
    );
  });
});

describe('a note', () => {
  it('that has a field twice, with other texts, is refused: it could be read in two ways', () => {
    const twice: [string, string | RegExp, string][] = [
      [amostra('ipm'), '<numero_nfse>77<', '<numero_nfse>78</numero_nfse><numero_nfse>77<'],
      [amostra('ipm'), '<valor_total>1', '<valor_total>9,00</valor_total><valor_total>1'],
      [amostra('ipm'), `<cpfcnpj>${PRESTADOR}<`, `<cpfcnpj>${TOMADOR}</cpfcnpj><cpfcnpj>${PRESTADOR}<`],
      [amostra('cecam'), '<Emissao>', '<Emissao>01/01/2026</Emissao><Emissao>'],
      [
        retornoPaulistana(paulistana()),
        '<DataEmissaoNFe>',
        '<ChaveNFe><NumeroNFe>9</NumeroNFe></ChaveNFe><DataEmissaoNFe>',
      ],
    ];
    for (const [xml, from, to] of twice)
      assertRefused(only(ler(swap(xml, from, to))), 'elemento_repetido', /aparece 2 vezes/);
  });

  it('of hundreds of items has the sum of all of them', () => {
    const items = '<Item><ValorTotal>1.00</ValorTotal></Item>'.repeat(350);
    assert.equal(read(swap(amostra('dsf'), '</Itens>', `${items}</Itens>`)).valor, '1850.00');
  });

  it('of several services has the sum of them, and says so', () => {
    const second =
      '<Servico><Valores><ValorServicos>2.50</ValorServicos></Valores></Servico><PrestadorServico>';
    const nota = read(swap(abrasf1(), '<PrestadorServico>', second));
    assert.equal(nota.valor, '12.50');
    assert.match(nota.avisos.join(), /soma dos 2 serviços/);
  });

  it('whose value cannot be read says so, and does not take another for it', () => {
    const nota = read(swap(abrasf1(), '>10.00<', '>dez<'));
    assert.equal(nota.valor, null);
    assert.match(nota.avisos.join(), /O valor "dez" não pôde ser lido/);
  });

  it('whose competence is another month than its day says so', () => {
    const month = (texto: string) =>
      read(abrasf1({ mais: `<Competencia>${texto}</Competencia>` })).avisos.join();
    for (const texto of ['2026-02-01', '02/2026', '01/02/2026', '202602', '2026-02-01T00:00:00'])
      assert.match(month(texto), /A competência é 02\/2026, outra que o mês da emissão/, texto);
    for (const texto of ['2026-03-31', '03/2026', '0', '13/2026'])
      assert.doesNotMatch(month(texto), /competência/, texto);
  });

  it('has the day of its own city where month and day are the other way round', () => {
    assert.equal(
      read(swap(amostra('sigissweb'), '10/03/2026', '10.03.2026 09:30:15')).dataEmissao,
      '2026-03-10T09:30:15-03:00',
    );
    assert.equal(
      read(swap(amostra('cecam'), '10/03/2026 10:11:12', '10/03/2026 10:11:12 PM')).dataEmissao,
      '2026-03-10T22:11:12-03:00',
    );
  });

  it('without prestador in an export that has none is refused by name, with what to export instead', () => {
    const without = (id: string, field: RegExp) => only(ler(swap(amostra(id), field, '')));
    assertRefused(
      without('sigiss-dadosnota', /<cnpj_prestador>.*<\/cnpj_prestador>/),
      'nfse_sem_prestador',
      /SigISS \(nº 77\).*não traz o CNPJ do prestador.*XML da própria NFS-e/,
    );
    assertRefused(
      without('ds-exportar', /<CNPJCPFPrestador>.*<\/CNPJCPFPrestador>/),
      'nfse_sem_prestador',
      /exportação de NFS-e \(nº 77\).*exporte o XML da própria NFS-e/,
    );
    assertRefused(
      only(
        ler(
          '<CrystalReport xmlns="urn:crystal-reports:schemas:report-detail"><Details><Section><Field Name="N"><Value>77</Value></Field></Section></Details></CrystalReport>',
        ),
      ),
      'nfse_sem_prestador',
      /Crystal Reports.*textos da folha impressa.*exporte do site da prefeitura o XML da própria NFS-e/,
    );
  });

  it('of a city that is given by name has its code, where the name says which city', () => {
    const city = (prefeitura: string, uf: string) =>
      read(
        swap(
          swap(amostra('sigcorp'), '<Prefeitura>Bauru<', `<Prefeitura>${prefeitura}<`),
          '<Cidade>BAURU</Cidade><UF>SP<',
          `<UF>${uf}<`,
        ),
      ).chave.slice(5, 12);
    assert.equal(city('Presidente Prudente', 'SP'), '3541406');
    assert.equal(city('Prefeitura Municipal de São José dos Campos', 'SP'), '3549904');
    assert.equal(city("SANTA BARBARA D'OESTE", 'SP'), '3545803');
    assert.equal(city('BOM JESUS/RS', ''), '4302303');
    // Six states have one.
    assert.equal(city('Bom Jesus', ''), '0000000');
  });
});

it('an amount with three digits behind its only point is told: it may be thousands', () => {
  const com = (valor: string) => read(abrasf1({ valor })).ressalva?.mensagem ?? '';
  assert.match(com('1.500'), /"1.500" pode ter milhares ou decimais/);
  assert.equal(com('1500.00') + com('1.500,00') + com('1500.000'), '');
});

describe('a list of notes', () => {
  it('is looked at once for each: three times as many take no more than six times as long', () => {
    const taken = (count: number): number => {
      const notes = Array.from({ length: count }, (_, at) => abrasf1({ numero: String(at + 1) }));
      const xml = `<ListaNfse>${notes.join('')}</ListaNfse>`;
      const before = process.threadCpuUsage();
      assert.equal(ler(xml).length, count);
      const { user, system } = process.threadCpuUsage(before);
      return user + system;
    };
    taken(200);
    const [few, many] = [taken(300), taken(900)];
    assert.ok(many < 6 * few + 200_000, `${few} µs, then ${many} µs`);
  });
});

describe('an answer that says of cancelling beside several notes', () => {
  const goiania = AMOSTRAS.find(({ leiaute }) => leiaute === 'goiania')?.xml(PADRAO) ?? '';
  const comDuas = (mensagem: string, nome = 'InfNfse') =>
    goiania
      .replace(/<CompNfse>.*<\/CompNfse>/s, (uma) => uma + uma.replace('<Numero>77<', '<Numero>78<'))
      .replace('NORMAL', mensagem)
      .replaceAll('InfNfse', nome);
  const lidas = (xml: string) =>
    ler(xml).map((peca) => {
      const { numero, statusProtocolo, avisos } = documento(peca);
      return [numero, statusProtocolo, avisos.some((aviso) => /sem dizer de qual/.test(aviso))];
    });

  it('is told of each of them, for nobody knows which it is', () => {
    const duas = (dito: boolean) => ['77', '78'].map((numero) => [numero, 'Autorizada', dito]);
    assert.deepEqual(lidas(comDuas('NORMAL')), duas(false));
    assert.deepEqual(lidas(comDuas('CANCELADA')), duas(true));
  });

  it('cancels the only note, whatever its own element is called', () => {
    for (const nome of ['InfNfse', 'outro']) {
      const [nota] = ler(goiania.replace('NORMAL', 'CANCELADA').replaceAll('InfNfse', nome));
      assert.equal(nota && documento(nota).statusProtocolo, 'Cancelada', nome);
    }
  });
});

it('an answer that has no message, beside its note, leaves the note to the layout that knows it best', () => {
  const abrasf = AMOSTRAS.find(({ leiaute }) => leiaute === 'abrasf')?.xml(PADRAO) ?? '';
  const doBetha = `<ConsultarNfseRpsResposta>${abrasf.replaceAll('CompNfse', 'ComplNfse')}<ListaMensagemRetorno/></ConsultarNfseRpsResposta>`;
  const [sozinha, comResposta] = [abrasf, doBetha].map((xml) => documento(ler(xml)[0] as never));
  assert.ok(sozinha?.serie);
  assert.equal(comResposta?.serie, sozinha?.serie);
  assert.equal(comResposta?.numero, sozinha?.numero);
});

describe('what a layout does not name', () => {
  const dita = (dito: string) => {
    const { statusProtocolo, protocolo, avisos } = read(
      swap(amostra('rlz'), '<situacao>', `${dito}<situacao>`),
    );
    const incerto = avisos.find((aviso) => aviso.includes('Não está claro')) ?? null;
    return [statusProtocolo, protocolo?.dhRecbto ?? null, incerto && /"(.*)"/.exec(incerto)?.[1]];
  };

  it('and says by its name when the note was cancelled, or by which it was replaced, is never passed over', () => {
    const quando = '11/03/2026';
    for (const [dito, status, data, incerto] of [
      [`<cancelamento><data>${quando}</data><motivo>erro</motivo></cancelamento>`, 'Cancelada', quando, null],
      [`<cancelamento>${quando}</cancelamento>`, 'Cancelada', quando, null],
      [`<cancelada>${quando}</cancelada>`, 'Cancelada', quando, null],
      ['<cancelamento>erro de valor</cancelamento>', 'Autorizada', null, 'erro de valor'],
      ['<cancelamento><data/><motivo/></cancelamento>', 'Autorizada', null, null],
      ['<cancelamento><data>0000-00-00</data></cancelamento>', 'Autorizada', null, null],
      ['<cancelamento>N</cancelamento>', 'Autorizada', null, null],
      ['<cancelada>00/00/0000</cancelada>', 'Autorizada', null, null],
      ['<nota_cancelada>S</nota_cancelada>', 'Cancelada', null, null],
      ['<tsStatusNfse>2</tsStatusNfse>', 'Autorizada', null, '2'],
      ['<StatusNFe>C</StatusNFe>', 'Autorizada', null, 'C'],
      ['<DsSituacao>Cancelada</DsSituacao>', 'Cancelada', null, null],
      ['<DtCanc>11/03/2026</DtCanc>', 'Cancelada', quando, null],
      ['<CodigoCancelamento>2</CodigoCancelamento>', 'Autorizada', null, '2'],
      ['<Status>2</Status>', 'Autorizada', null, null],
      ['<substituida_por>80</substituida_por>', 'Autorizada', null, '80'],
      ['<substituicao><nota_substituta>80</nota_substituta></substituicao>', 'Autorizada', null, '80'],
      ['<nota_substituta>77</nota_substituta>', 'Autorizada', null, null],
      ['<nfse_substituta>N</nfse_substituta>', 'Autorizada', null, null],
    ] as const)
      assert.deepEqual(dita(dito), [status, data, incerto], dito);
  });

  it('and names a party in words is that party, by the one CPF or CNPJ with its check digits', () => {
    const outro = '11222333000181';
    const semTomador = swap(amostra('rlz'), `<cpfcnpj>${TOMADOR}</cpfcnpj>`, '');
    const partes = (dita: string) =>
      read(swap(semTomador, '<situacao>', `${dita}<situacao>`))
        .participantes.slice(1)
        .map(({ papel, cpfCnpj }) => `${papel} ${cpfCnpj}`);
    for (const dita of [
      `<TomadorDeServicos><Cnpj>${outro}</Cnpj></TomadorDeServicos>`,
      `<DadosTomador><Identificacao><Numero>11.222.333/0001-81</Numero></Identificacao></DadosTomador>`,
      `<DocumentoDoTomador>${outro}</DocumentoDoTomador>`,
      `<Contratante cnpj="${outro}"/>`,
    ])
      assert.deepEqual(partes(dita), [`tomador ${outro}`], dita);
    assert.deepEqual(partes(`<IntermediarioServicos><Id>${outro}</Id></IntermediarioServicos>`), [
      `intermediario ${outro}`,
    ]);
    for (const ninguem of [
      '<DadosDoTomador><Telefone>52998224725</Telefone><Id>52998224726</Id></DadosDoTomador>',
      `<DadosDoTomador><Contato><Cnpj>${outro}</Cnpj></Contato></DadosDoTomador>`,
      `<Destinatario><Cnpj>${outro}</Cnpj></Destinatario>`,
    ])
      assert.deepEqual(partes(ninguem), [], ninguem);
    const dois = `<Contratantes><Um>${outro}</Um><Dois>${TOMADOR}</Dois></Contratantes>`;
    const { avisos } = read(swap(semTomador, '<situacao>', `${dois}<situacao>`));
    assert.match(avisos.join(), new RegExp(`do tomador "${outro} e ${TOMADOR}" não pôde ser lido`));
  });

  it('beside a prestador and a tomador, an emitente is the city, and a destinatario somebody else', () => {
    const outro = '<cnpj>11222333000181</cnpj>';
    const nota = read(
      `<nota><numero_nota>77</numero_nota><data_emissao>10/03/2026</data_emissao><codigo_verificacao>AB</codigo_verificacao><emitente>${outro}</emitente><prestador><cnpj>${PRESTADOR}</cnpj></prestador><destinatario>${outro}</destinatario><tomador><cnpj>${TOMADOR}</cnpj></tomador><valor_servico>1,00</valor_servico></nota>`,
    );
    assert.deepEqual(
      nota.participantes.map(({ papel, cpfCnpj }) => `${papel} ${cpfCnpj}`),
      [`prestador ${PRESTADOR}`, `tomador ${TOMADOR}`],
    );
  });

  it('a date that is none is named as the note writes it', () => {
    const bad = swap(amostra('generico'), /<data_emissao>[^<]*/, '<data_emissao>1773147600000');
    assertRefused(only(ler(bad)), 'data_emissao_invalida', /A data data_emissao "1773147600000"/);
  });
});
