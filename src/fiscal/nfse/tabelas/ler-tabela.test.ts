import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ler, lida, only, readBytes, rejeitada, textOf } from '../../leitura-de-teste.ts';
import { documento, PRESTADOR, partesDe, TOMADOR } from '../amostras-de-teste.ts';
import { validateLeiaute } from '../leiautes/validar-leiaute.ts';
import { POSICOES, TABELAS } from './leiaute-de-tabela.ts';

const CABECALHO =
  'Tipo de Registro;Nº NFS-e;Data Hora NFE;Código de Verificação da NFS-e;Tipo de RPS;Série do RPS;Número do RPS;Data do Fato Gerador;Inscrição Municipal do Prestador;Indicador de CPF/CNPJ do Prestador;CPF/CNPJ do Prestador;Razão Social do Prestador;Situação da Nota Fiscal;Data de Cancelamento;Valor dos Serviços;Valor das Deduções;CPF/CNPJ do Tomador;Razão Social do Tomador;Discriminação dos Serviços';
const linha = (
  input: { numero?: string; situacao?: string; data?: string; tomador?: string; tipo?: string } = {},
) =>
  `${input.tipo ?? '2'};${input.numero ?? '77'};10/03/2026 09:30:00;ABCD-1234;RPS;1;5;10/03/2026;40670945;2;${PRESTADOR};Padaria Aurora;${input.situacao ?? 'T'};${input.data ?? ''};1.500,00;0,00;${input.tomador ?? TOMADOR};Mercado & Filhos;"Revisão; com ""peças""\ne mais"`;
const csv = (...linhas: string[]) => [CABECALHO, ...linhas, 'Total;2;;;;;;;;;;;;;3.000,00;;;;'].join('\r\n');

describe('a list of notes of São Paulo in columns', () => {
  it('is described as data, which passes the check of layouts', () => {
    for (const { leiaute } of [...TABELAS, ...POSICOES])
      assert.ok(validateLeiaute(JSON.parse(JSON.stringify(leiaute))).ok, leiaute.id);
  });

  it('is read row by row, under the key that the XML of the note has; totals are no notes', () => {
    const pieces = ler(csv(linha(), linha({ numero: '78', situacao: 'C', data: '12/03/2026' })), 'NFSe.csv');
    const notas = pieces.map(documento);
    assert.deepEqual(
      notas.map(({ chave, statusProtocolo, valor, dataEmissao }) => [
        chave,
        statusProtocolo,
        valor,
        dataEmissao,
      ]),
      [
        [`NFSE-3550308-${PRESTADOR}-77~40670945`, 'Autorizada', '1500.00', '2026-03-10T09:30:00-03:00'],
        [`NFSE-3550308-${PRESTADOR}-78~40670945`, 'Cancelada', '1500.00', '2026-03-10T09:30:00-03:00'],
      ],
    );
    assert.deepEqual(partesDe(notas[0] as (typeof notas)[number]), [
      `prestador ${PRESTADOR} Padaria Aurora`,
      `tomador ${TOMADOR} Mercado & Filhos`,
    ]);
    assert.match(notas[0]?.avisos.join() ?? '', /uma linha de uma lista/);
  });

  it('is the same note once it is cancelled, and is read again from what is kept of it', () => {
    const [one, other] = [linha(), linha({ situacao: 'C', data: '12/03/2026' })].map((row) =>
      lida(only(ler(csv(row), 'a.csv'))),
    );
    assert.equal(one?.registro.digest, other?.registro.digest);
    assert.ok(textOf(one?.bytes ?? new Uint8Array()).startsWith(`${CABECALHO}\r\n2;77;`));
    assert.equal(lida(only(readBytes(one?.bytes ?? new Uint8Array()))).registro.chave, one?.registro.chave);
  });

  it('may be in CP1252, with a mark, or separated by tabs', () => {
    const cp1252 = Buffer.from(csv(linha()).replace('Nº', 'N\u00ba'), 'latin1');
    assert.equal(lida(only(readBytes(cp1252, 'a.csv'))).codificacao, 'windows-1252');
    assert.equal(documento(only(ler(`\ufeff${csv(linha())}`, 'a.csv'))).numero, '77');
    const tabs = csv(linha()).replaceAll(';', '\t');
    assert.equal(documento(only(ler(tabs, 'a.csv'))).numero, '77');
  });

  it('is found behind what programs write before it, in their encodings, and by other words for its number', () => {
    const list = csv(linha());
    for (const text of [
      `sep=;\r\n${list}`,
      `\r\nNFS-e emitidas em março;;\r\n${list}`,
      list.replace('Nº NFS-e', 'Número da NFS-e'),
      list.replace(`;${TOMADOR};`, `;="${TOMADOR}";`),
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(list.replaceAll(';', '\t'), 'utf16le')]),
    ]) {
      const piece = only(typeof text === 'string' ? ler(text, 'a.csv') : readBytes(text, 'a.csv'));
      assert.deepEqual(partesDe(documento(piece)).length, 2, String(text).slice(0, 40));
      assert.equal(documento(only(readBytes(lida(piece).bytes))).chave, documento(piece).chave);
    }
  });

  it('of DSF has the columns of its XML, and the keys of its notes', () => {
    const colunas =
      'NUM_NOTA;DATA_HORA_EMISSAO;SITUACAO_NF;CODIGO_CIDADE;PRESTADOR_CPF_CNPJ;TOMADOR_CPF_CNPJ;VALOR_NOTA';
    const row = (numero: string, situacao: string) =>
      `${numero};10/03/2026 09:07:21;${situacao};5869;${PRESTADOR};${TOMADOR};1.500,00`;
    const list = [colunas, row('77', 'Normal'), row('78', 'Cancelada')].join('\r\n');
    for (const text of [list, list.replaceAll(';', '|')])
      assert.deepEqual(
        ler(text, 'notas.csv')
          .map(documento)
          .map(({ chave, statusProtocolo, valor }) => [chave, statusProtocolo, valor]),
        [
          [`NFSE-3303500-${PRESTADOR}-77`, 'Autorizada', '1500.00'],
          [`NFSE-3303500-${PRESTADOR}-78`, 'Cancelada', '1500.00'],
        ],
      );
  });

  it('has its faults told by the number of the line', () => {
    const [, second] = ler(csv(linha(), linha({ numero: '' })), 'a.csv');
    // The first row has a break in quotes: the second begins in line 4.
    const { rejeicao } = rejeitada(second);
    assert.deepEqual([rejeicao.codigo, rejeicao.linha], ['numero_nfse_invalido', 4]);
    assert.match(rejeicao.mensagem, /^Linha 4: A NFS-e não traz o seu número/);
    assert.match(
      documento(only(ler(csv(linha({ tomador: 'EXTERIOR' })), 'a.csv'))).avisos.join(),
      /tomador "EXTERIOR" não pôde ser lido/,
    );
  });

  it('without the columns that a note needs is named, with what to export', () => {
    const { rejeicao } = rejeitada(
      only(
        ler(
          '\ufeffTipo de Registro;Nº NFS-e;Data Hora NFE;Tipo de RPS\r\n2;77;10/03/2026 10:00:00;RPS\r\n',
          'a.csv',
        ),
      ),
    );
    assert.deepEqual([rejeicao.codigo, rejeicao.linha], ['nfse_layout_desconhecido', 1]);
    assert.match(
      rejeicao.mensagem,
      /São Paulo.*sem todas as colunas.*exporte-a com todas as colunas, ou o XML/,
    );
  });

  it('is told from other texts', () => {
    assert.equal(only(ler('Nº NFS-e;b;c\n1;2;3', 'a.csv')).resultado, 'ignorada');
  });
});

describe('a list of notes in fixed places', () => {
  const at = (fields: readonly (readonly [inicio: number, texto: string])[], tamanho: number): string => {
    const letters = Array.from({ length: tamanho }, () => ' ');
    for (const [inicio, texto] of fields) letters.splice(inicio - 1, texto.length, ...texto);
    return letters.join('');
  };
  const CABECALHO_TXT = '1001406709452026030120260331';
  const paulista = (input: { numero?: string; situacao?: string; desvio?: number } = {}) =>
    at(
      (
        [
          [1, '2'],
          [2, (input.numero ?? '77').padStart(8, '0')],
          [10, '20260310093000'],
          [24, 'ABCD1234'],
          [37, '1'],
          [62, '40670945'],
          [70, '2'],
          [71, PRESTADOR],
          [85, 'PADARIA ÁUREA'],
          [419, input.situacao ?? 'T'],
          [448, '000000000150000'],
          [518, '2'],
          [519, TOMADOR],
          [553, 'MERCADO'],
        ] as const
      ).map(([inicio, texto]) => [inicio + (inicio > 400 ? (input.desvio ?? 0) : 0), texto] as const),
      700,
    );
  const txt = (...linhas: string[]) =>
    Buffer.from([CABECALHO_TXT, ...linhas, '9000000200000000300000'].join('\r\n'), 'latin1');

  it('of São Paulo is read line by line, as its CSV is', () => {
    const pieces = readBytes(txt(paulista(), paulista({ numero: '78', situacao: 'C' })), 'NFSe.txt');
    assert.deepEqual(
      pieces
        .map(documento)
        .map(({ chave, statusProtocolo, valor, dataEmissao }) => [
          chave,
          statusProtocolo,
          valor,
          dataEmissao,
        ]),
      [
        [`NFSE-3550308-${PRESTADOR}-77~40670945`, 'Autorizada', '1500.00', '2026-03-10T09:30:00-03:00'],
        [`NFSE-3550308-${PRESTADOR}-78~40670945`, 'Cancelada', '1500.00', '2026-03-10T09:30:00-03:00'],
      ],
    );
    assert.deepEqual(partesDe(documento(pieces[0])), [
      `prestador ${PRESTADOR} PADARIA ÁUREA`,
      `tomador ${TOMADOR} MERCADO`,
    ]);
    const again = only(readBytes(lida(pieces[0]).bytes, 'uma.txt'));
    assert.equal(lida(again).registro.digest, lida(pieces[0]).registro.digest);
  });

  it('of another version is refused: its fields would be read from other places', () => {
    const { rejeicao } = rejeitada(only(readBytes(txt(paulista({ desvio: 3 })), 'NFSe.txt')));
    assert.deepEqual([rejeicao.codigo, rejeicao.linha], ['nfse_layout_desconhecido', 2]);
    assert.match(rejeicao.mensagem, /não estão nas posições/);
  });

  it('of Barueri does not name its prestador, and is refused for that, with what to export instead', () => {
    const linha = at(
      [
        [1, '2'],
        [7, '000077'],
        [13, '20260310'],
        [67, 'A'],
        [94, TOMADOR],
      ],
      300,
    );
    const { rejeicao } = rejeitada(
      only(readBytes(Buffer.from(`11234567PMB00200000000001\r\n${linha}\r\n9`), 'b.txt')),
    );
    assert.equal(rejeicao.codigo, 'nfse_sem_prestador');
    assert.match(rejeicao.mensagem, /^Linha 2: É a NFS-e nº 000077 de Barueri.*exporte o XML/);
    // With dates behind the inscription, and lines of fewer places.
    const other = '147050302026031020260310PMB00200000000000\r\n2     0012026031008230277AB\r\n9\r\n';
    const told = rejeitada(only(readBytes(Buffer.from(other), 'barueri.txt'))).rejeicao;
    assert.equal(told.codigo, 'nfse_sem_prestador');
    assert.match(
      told.mensagem,
      /^Linha 2: É uma lista de NFS-e \(Barueri.*não traz o CNPJ do prestador.*exporte o XML/,
    );
    const cut = readBytes(Buffer.from(`${CABECALHO_TXT}\r\n200000077202603101020\r\n9\r\n`), 'NFSe_E.txt');
    assert.match(rejeitada(only(cut)).rejeicao.mensagem, /São Paulo.*menos posições.*exporte o XML/);
    // An inscription that is shorter than its place.
    const short = only(readBytes(Buffer.from(`112345  PMB00200000000001\r\n${linha}\r\n9`), 'b.txt'));
    assert.equal(rejeitada(short).rejeicao.codigo, 'nfse_sem_prestador');
  });
});
