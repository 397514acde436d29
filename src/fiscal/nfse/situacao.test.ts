import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { swap } from '../assinatura/amostras-de-teste.ts';
import { ler, only } from '../leitura-de-teste.ts';
import { abrasf1, cancelamentoAbrasf, documento, paulistana } from './amostras-de-teste.ts';
import { AMOSTRAS, PADRAO } from './leiautes/amostras-de-teste.ts';
import { decideSituacao, lerSituacao, readPresencaDeData, type Sinal } from './situacao.ts';

const read = (xml: string) => documento(only(ler(xml)));
const dsf = AMOSTRAS.find(({ leiaute }) => leiaute === 'dsf-portal')?.xml(PADRAO) ?? '';

describe('a date of cancellation', () => {
  it('of zeros, of the year 1 or of the days that programs begin to count at is none', () => {
    for (const texto of [
      '',
      '0',
      '-',
      '0000000000000000000',
      '00/00/0000 00:00:00',
      '0000-00-00',
      '00000000',
      '0001-01-01T00:00:00',
      '01/01/0001',
      '01/01/0001 00:00:00',
      '1899-12-30T00:00:00',
      '30/12/1899',
      '1900-01-01',
      '01/01/1900 00:00',
      'Jan  1 1900 12:00AM',
      '1753-01-01T00:00:00',
      'null',
      '9999-12-31T23:59:59',
      '31/12/9999',
      '99999999',
      '2999-12-31',
      '01/01/01',
      '30/12/99 00:00',
      '1970-01-01T00:00:00Z',
    ])
      assert.equal(readPresencaDeData(texto), 'nenhuma', texto);
  });

  it('in any form is one', () => {
    for (const texto of [
      '2026-03-12T08:00:00',
      '12/03/2026',
      '12/03/26',
      '20260312',
      '20260312080000',
      '12032026',
      'Mar 12 2026 12:00AM',
    ])
      assert.equal(readPresencaDeData(texto), 'data', texto);
    // Milliseconds may be a date: that is told, not read.
    for (const texto of ['ontem', '1773100000000'])
      assert.equal(readPresencaDeData(texto), 'ilegivel', texto);
  });
});

it('of a layout without codes is told where its words may speak of a cancellation that they do not say', () => {
  for (const [texto, aviso] of [
    ['Aguardando cancelamento', true],
    ['Bloqueada', true],
    ['Escriturada', false],
    ['7', false],
    // What most layouts have for cancelled.
    ['2', true],
  ] as const) {
    const nota = read(dsf.replace('<SITUACAO_NF>Normal', `<SITUACAO_NF>${texto}`));
    assert.equal(nota.statusProtocolo, 'Autorizada', texto);
    assert.equal(
      nota.avisos.some((one) => one.includes('Não está claro')),
      aviso,
      texto,
    );
  }
});

describe('a situation', () => {
  const codigos = { cancelada: ['2'], normal: ['1'] };

  it('is told by the codes of its layout, whatever zeros stand before them, then by words', () => {
    for (const [texto, diz] of [
      ['2', 'cancelada'],
      ['02', 'cancelada'],
      ['1', 'normal'],
      ['3', 'incerto'],
      ['Cancelada', 'cancelada'],
      ['NOTA CANCELADA', 'cancelada'],
      ['Anulada', 'cancelada'],
      ['Não cancelada', 'normal'],
      ['NAO', 'normal'],
      ['Substituída', 'substituida'],
      ['Cancelada por substituição', 'cancelada'],
      ['Normal', 'normal'],
      ['Ativa', 'normal'],
      ['C', 'cancelada'],
      ['Aguardando cancelamento', 'incerto'],
    ] as const)
      assert.equal(lerSituacao(texto, codigos), diz, texto);
  });

  it('that its layout has no code for is told to people, and cancels nothing', () => {
    const nota = read(abrasf1({ mais: '<StatusNfse>7</StatusNfse>' }));
    assert.equal(nota.statusProtocolo, 'Autorizada');
    assert.match(nota.avisos.join(), /Não está claro o que diz StatusNfse "7"/);
  });
});

describe('signs that contradict each other', () => {
  it('are told, and a date counts more than a situation, which may be from before', () => {
    const dated = read(swap(dsf, '0000000000000000000', '12/03/2026 10:00:00'));
    assert.equal(dated.statusProtocolo, 'Cancelada');
    // Also beside what became of the file.
    assert.match(dated.ressalva?.mensagem ?? '', /foi lida como cancelada/);
    assert.equal(read(dsf).ressalva, undefined);
    assert.match(
      dated.avisos.join(),
      /traz DATA_HORA_CANCELAMENTO "12\/03\/2026 10:00:00", mas SITUACAO_NF "Normal": foi lida como cancelada/,
    );
  });

  it('are told, and a reason alone counts less than a situation', () => {
    const reason = read(
      swap(dsf, '<SITUACAO_NF>', '<MOTIVO_CANCELAMENTO>erro</MOTIVO_CANCELAMENTO><SITUACAO_NF>'),
    );
    assert.equal(reason.statusProtocolo, 'Autorizada');
    assert.match(reason.avisos.join(), /mas SITUACAO_NF "Normal": foi lida como válida/);
    assert.doesNotMatch(read(dsf).avisos.join(), /SITUACAO_NF/);
  });

  it('give the same answer in whatever order they come', () => {
    const sinal = (diz: Sinal['diz'], forca: Sinal['forca']): Sinal => ({
      nome: `${diz}-${forca}`,
      texto: 'x',
      diz,
      forca,
      quando: forca === 'data' ? '2026-03-12' : null,
    });
    const all = [
      sinal('normal', 'situacao'),
      sinal('cancelada', 'data'),
      sinal('cancelada', 'motivo'),
      sinal('incerto', 'grupo'),
    ];
    for (let turn = 0; turn < all.length; turn++) {
      const { cancelamento } = decideSituacao([...all.slice(turn), ...all.slice(0, turn)]);
      assert.equal(cancelamento?.quando, '2026-03-12');
    }
  });
});

describe('a note of ABRASF', () => {
  for (const [mais, status] of [
    ['<DataCancelamento>0001-01-01T00:00:00</DataCancelamento>', 'Autorizada'],
    ['<DataCancelamento>2026-03-12T08:00:00</DataCancelamento>', 'Cancelada'],
    ['<DescricaoCancelamento/>', 'Autorizada'],
    ['<DescricaoCancelamento>Erro</DescricaoCancelamento>', 'Cancelada'],
    ['<Anulada>S</Anulada>', 'Cancelada'],
    ['<Anulada>N</Anulada>', 'Autorizada'],
    ['<tsStatusRps>2</tsStatusRps>', 'Autorizada'],
  ] as const)
    it(`with ${mais} is ${status}, and the same note`, () => {
      const nota = read(abrasf1({ mais }));
      assert.equal(nota.statusProtocolo, status);
      if (!mais.includes('Rps')) assert.equal(nota.digest, read(abrasf1()).digest);
    });

  it('says that it is cancelled in fields of whatever name, in it and beside it', () => {
    for (const dito of [
      '<IsCancelada>true</IsCancelada>',
      '<NotaCancelada>Sim</NotaCancelada>',
      '<SituacaoNota>Cancelada</SituacaoNota>',
      '<DescricaoSituacao>NFS-e cancelada</DescricaoSituacao>',
      '<SituacaoNfse><Codigo>2</Codigo><Descricao>Cancelada</Descricao></SituacaoNfse>',
      '<DtCancelamento>12/03/2026</DtCancelamento>',
      '<InfCancelamento><DataHora>2026-03-12T10:00:00</DataHora></InfCancelamento>',
    ]) {
      const nota = read(abrasf1({ mais: dito }));
      assert.equal(nota.statusProtocolo, 'Cancelada', dito);
      assert.equal(nota.digest, read(abrasf1()).digest, dito);
    }
    // What is no sign is part of the note.
    const com = (texto: string) => read(abrasf1({ mais: `<Descricao>${texto}</Descricao>` })).digest;
    assert.notEqual(com('Revisão'), com('Pintura'));
    assert.equal(read(abrasf1({ ao_lado: '<Situacao>Cancelada</Situacao>' })).statusProtocolo, 'Cancelada');
    const paulista = read(paulistana({ mais: '<MotivoCancelamento>Erro</MotivoCancelamento>' }));
    assert.equal(paulista.statusProtocolo, 'Autorizada');
    assert.match(paulista.avisos.join(), /Não está claro o que diz MotivoCancelamento "Erro"/);
    // Of the RPS, of the one that it replaces, of a request that was refused; codes of nobody knows what.
    for (const outro of [
      '<IdentificacaoRps><Status>Cancelado</Status></IdentificacaoRps>',
      '<NfseSubstituida><Situacao>Cancelada</Situacao></NfseSubstituida>',
      '<PedidoCancelamento><DataCancelamento>2026-03-12</DataCancelamento></PedidoCancelamento>',
      '<SituacaoNota>C</SituacaoNota>',
      '<IsCancelada>false</IsCancelada>',
      '<DtCancelamento>0001-01-01</DtCancelamento>',
    ])
      assert.equal(read(abrasf1({ ao_lado: outro })).statusProtocolo, 'Autorizada', outro);
  });

  it('may have a group of cancellation that is all zeros, which is told and cancels nothing', () => {
    const zeros = cancelamentoAbrasf({
      numero: '0',
      data: '<DataHora>0001-01-01T00:00:00</DataHora>',
    }).replace('<CodigoCancelamento>1', '<CodigoCancelamento>0');
    const nota = read(abrasf1({ ao_lado: zeros }));
    assert.equal(nota.statusProtocolo, 'Autorizada');
    assert.match(nota.avisos.join(), /Não está claro o que diz NfseCancelamento/);
  });

  it('may have its group of cancellation by another name, of which a date of the year 1 says nothing', () => {
    const group = (dia: string) =>
      read(
        abrasf1({
          ao_lado: `<CancelamentoNfse><Confirmacao><DataHora>${dia}</DataHora></Confirmacao></CancelamentoNfse>`,
        }),
      );
    assert.equal(group('2026-03-12T08:00:00').statusProtocolo, 'Cancelada');
    assert.equal(group('0001-01-01T00:00:00').statusProtocolo, 'Autorizada');
  });
});
