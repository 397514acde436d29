import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf } from '../../amostras-de-teste.ts';
import { familiasCom } from '../../familias.ts';
import { lerConteudo } from '../../ler.ts';
import type { Peca } from '../../tipos.ts';
import { scanXml } from '../../xml/scan.ts';
import { PRESTADOR, TOMADOR } from '../amostras-de-teste.ts';
import { type Apontado, descrever, idDoNome, passoDe } from './apontar.ts';
import { formaDe } from './forma.ts';
import { LEIAUTE_BYTES_MAX, type Leiaute } from './leiaute.ts';
import { pareceNota } from './parece-nota.ts';
import { LEIAUTES } from './tabela.ts';
import { readEnsinado, validateEnsinado } from './validar-ensinado.ts';

const SEM_ESQUEMA = {
  validar: () => ({ resultado: 'nao_verificado', esquema: null, motivo: null }) as const,
};

function ler(xml: string, leiautes: readonly Leiaute[] = []): Peca[] {
  const deps = { validador: SEM_ESQUEMA, familias: familiasCom(leiautes) };
  return lerConteudo({ bytes: bytesOf(xml), nome: 'a.xml' }, deps);
}

function treeOf(xml: string) {
  const scan = scanXml(bytesOf(xml));
  assert.ok(scan.ok);
  return scan.tree;
}

function folha(numero: string, mais = ''): string {
  return `<Folha ordem="${numero}"><Dia>10/03/2026</Dia><Emissor><Registro>${PRESTADOR}</Registro></Emissor><Tomador><Registro>${TOMADOR}</Registro></Tomador><ServicoPago>1.500,00</ServicoPago>${mais}</Folha>`;
}
const NOTA = ['Caderno', 'Folha'];
const APONTADO: Apontado = {
  nome: 'Serra Nova',
  nota: NOTA,
  campos: {
    numero: [...NOTA, '@ordem'],
    data: [...NOTA, 'Dia'],
    prestador: [...NOTA, 'Emissor', 'Registro'],
    tomador: [...NOTA, 'Tomador', 'Registro'],
    valor: [...NOTA, 'ServicoPago'],
  },
  cidade: '3550308',
  ordem: 'dia_mes',
};

function descrito(apontado: Apontado): Leiaute {
  const described = descrever(apontado);
  assert.ok(described.ok, JSON.stringify(described));
  return described.leiaute;
}
const faltas = (apontado: Apontado): string[] => {
  const described = descrever(apontado);
  return described.ok ? [] : described.faltas;
};

describe('a note of no layout that is known', () => {
  it('brings the bytes that it stands in, for somebody to point into them', () => {
    const xml = `<Caderno>${folha('1')}${folha('2')}</Caderno>`;
    const [peca, outra] = ler(xml);
    assert.equal(outra, undefined);
    assert.ok(peca?.resultado === 'rejeitada' && peca.aEnsinar);
    assert.deepEqual(
      [peca.rejeicao.codigo, peca.aEnsinar.forma, Buffer.from(peca.aEnsinar.bytes).toString()],
      ['nfse_layout_desconhecido', 'caderno/folha', xml],
    );
  });

  it('is known by dates and amounts as programs write them', () => {
    const xml = `<Caderno>${folha('1')}</Caderno>`;
    const dias = [
      '2026-03-10T10:00:00',
      '2026-03-10T10:00:00.1234567-03:00',
      '20260310 100000',
      'Mar 10 2026 12:00AM',
      '10/03/2026 10:00',
    ];
    const forms = dias.map((dia) => xml.replace('10/03/2026', dia));
    for (const form of [...forms, xml.replaceAll('ServicoPago', 'VlServico').replace('1.500,00', '1500')]) {
      const [peca] = ler(form);
      assert.ok(peca?.resultado === 'rejeitada' && peca.aEnsinar, form);
    }
  });

  it('is found where an envelope or a CDATA carries it', () => {
    const inside = `<Caderno>${folha('1')}${folha('2')}</Caderno>`;
    for (const xml of [
      `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${inside}</s:Body></s:Envelope>`,
      `<resultado><![CDATA[${inside}]]></resultado>`,
    ]) {
      const [peca] = ler(xml);
      assert.ok(peca?.resultado === 'rejeitada' && peca.aEnsinar, xml);
    }
  });

  const nots: [string, string][] = [
    ['a request', `<ConsultarNotas>${folha('1')}</ConsultarNotas>`],
    [
      'an order without the words of a service',
      `<pedido><cnpj>${PRESTADOR}</cnpj><dia>10/03/2026</dia><total>10,00</total></pedido>`,
    ],
    [
      'a note without amount',
      `<Caderno><Prestador>${PRESTADOR}</Prestador><Tomador>${TOMADOR}</Tomador><Dia>10/03/2026</Dia></Caderno>`,
    ],
    [
      'one without a party whose digits hold',
      `<Caderno><Prestador>11111111111</Prestador><Tomador>2</Tomador><Dia>10/03/2026</Dia><Iss>1,00</Iss></Caderno>`,
    ],
    ['a document of others', `<x xmlns="http://www.portalfiscal.inf.br/outro">${folha('1')}</x>`],
  ];
  for (const [what, xml] of nots)
    it(`is not ${what}`, () => {
      assert.equal(pareceNota(treeOf(xml), treeOf(xml).root), false);
      for (const peca of ler(xml)) assert.ok(peca.resultado === 'rejeitada' && !peca.aEnsinar);
    });

  it('is found together with others of its form, whatever fields they have', () => {
    const one = formaDe(treeOf(`<Caderno>${folha('1')}</Caderno>`));
    assert.equal(formaDe(treeOf(`<Caderno>${folha('1', '<Iss>1</Iss>')}${folha('2')}</Caderno>`)), one);
    assert.notEqual(formaDe(treeOf(`<Caderno xmlns="u:x">${folha('1')}</Caderno>`)), one);
    assert.ok(formaDe(treeOf(`<${'a'.repeat(900)}><b>1</b></${'a'.repeat(900)}>`)).length <= 200);
  });
});

describe('a layout that somebody pointed at', () => {
  it('is a description like ours, and reads all notes of it by what was pointed at', () => {
    const leiaute = descrito(APONTADO);
    assert.deepEqual(validateEnsinado(JSON.parse(JSON.stringify(leiaute))), { ok: true, leiaute });
    const lidas = ler(`<Caderno>${folha('7')}${folha('8')}</Caderno>`, [leiaute]);
    assert.deepEqual(
      lidas.map((peca) =>
        peca.resultado === 'lida' && peca.registro.classe === 'documento'
          ? [peca.registro.chave, peca.registro.valor, peca.registro.dataEmissao.slice(0, 10)]
          : peca,
      ),
      [
        [`NFSE-3550308-${PRESTADOR}-7`, '1500.00', '2026-03-10'],
        [`NFSE-3550308-${PRESTADOR}-8`, '1500.00', '2026-03-10'],
      ],
    );
    const [{ registro }] = lidas as [Extract<Peca, { resultado: 'lida' }>];
    assert.ok(registro.avisos.some((aviso) => aviso.startsWith('Lida pelo leiaute "Serra Nova"')));
  });

  it('may have the prestador and the city around its notes, said once for all', () => {
    const apontado: Apontado = {
      ...APONTADO,
      campos: {
        ...APONTADO.campos,
        prestador: ['Caderno', 'Capa', 'Registro'],
        municipio: ['Caderno', 'Capa', 'Cidade'],
      },
    };
    const xml = `<Caderno><Capa><Registro>${PRESTADOR}</Registro><Cidade>3304557</Cidade></Capa>${folha('7').replace(/<Emissor>.*<\/Emissor>/, '')}</Caderno>`;
    const [peca] = ler(xml, [descrito(apontado)]);
    assert.ok(peca?.resultado === 'lida', JSON.stringify(peca));
    assert.equal(peca.registro.chave, `NFSE-3304557-${PRESTADOR}-7`);
  });

  it('tells a dialect of one of ours in which that one does not find the fields', () => {
    const quem = ['notaFiscal', 'dadosPrestador'];
    const leiaute = descrito({
      ...APONTADO,
      nome: 'Dialeto',
      nota: ['notaFiscal'],
      campos: {
        numero: [...quem, 'numeroNota'],
        data: [...quem, 'quando'],
        prestador: [...quem, 'cnpj'],
        valor: ['notaFiscal', 'paga'],
      },
    });
    const dialeto = `<notaFiscal><dadosPrestador><numeroNota>5</numeroNota><cnpj>${PRESTADOR}</cnpj><quando>10/03/2026</quando></dadosPrestador><paga>9,00</paga></notaFiscal>`;
    assert.ok(ler(dialeto)[0]?.resultado === 'rejeitada');
    assert.equal(ler(dialeto, [leiaute])[0]?.resultado, 'lida');
  });

  it('takes no note from ours, whose fields it might read otherwise', () => {
    const nota = `<notaFiscal><dadosPrestador><numeroNota>5</numeroNota><cnpj>${PRESTADOR}</cnpj><dataEmissao>10/03/2026</dataEmissao></dadosPrestador><valorNota>9,00</valorNota><outro>1,00</outro></notaFiscal>`;
    const quem = ['notaFiscal', 'dadosPrestador'];
    const leiaute = descrito({
      ...APONTADO,
      nome: 'Guloso',
      nota: ['notaFiscal'],
      campos: {
        numero: [...quem, 'numeroNota'],
        data: [...quem, 'dataEmissao'],
        prestador: [...quem, 'cnpj'],
        valor: ['notaFiscal', 'outro'],
      },
    });
    const [peca] = ler(nota, [leiaute]);
    assert.ok(peca?.resultado === 'lida' && peca.registro.classe === 'documento');
    assert.equal(peca.registro.valor, '9.00');
  });

  it('reads what attributes around the notes say of all of them, as reports of databases have it', () => {
    const linha = (numero: number) =>
      `<L NUM="${numero}" EMISSAO="10/03/2026" CLIENTE="${TOMADOR}" VALOR="1.500,00"/>`;
    const xml = `<Relatorio cidade="3550308"><Empresa><Dados CNPJ="${PRESTADOR}" NOME="Oficina"/></Empresa><Linhas>${linha(77)}${linha(78)}</Linhas></Relatorio>`;
    const L = ['Relatorio', 'Linhas', 'L'];
    const leiaute = descrito({
      nome: 'Relatório',
      nota: L,
      campos: {
        numero: [...L, '@NUM'],
        data: [...L, '@EMISSAO'],
        prestador: ['Relatorio', 'Empresa', 'Dados', '@CNPJ'],
        nomeDoPrestador: ['Relatorio', 'Empresa', 'Dados', '@NOME'],
        tomador: [...L, '@CLIENTE'],
        valor: [...L, '@VALOR'],
        municipio: ['Relatorio', '@cidade'],
      },
      ordem: 'dia_mes',
    });
    const read = ler(xml, [leiaute]).map((peca) =>
      peca.resultado === 'lida' && peca.registro.classe === 'documento'
        ? [
            peca.registro.chave,
            ...peca.registro.participantes.map(({ cpfCnpj, nome }) => `${cpfCnpj} ${nome}`),
          ]
        : peca,
    );
    const quem = [`${PRESTADOR} Oficina`, `${TOMADOR} null`];
    assert.deepEqual(
      read,
      [77, 78].map((numero) => [`NFSE-3550308-${PRESTADOR}-${numero}`, ...quem]),
    );
  });

  it('guesses no code that nobody told: words alone say what they say everywhere', () => {
    const lugar = [...NOTA, 'Estado'];
    const leiaute = descrito({ ...APONTADO, cancelada: { lugar, tipo: 'situacao', cancelada: ['X'] } });
    const status = (estado: string) => {
      const [peca] = ler(`<Caderno>${folha('7', `<Estado>${estado}</Estado>`)}</Caderno>`, [leiaute]);
      assert.ok(peca?.resultado === 'lida' && peca.registro.classe === 'documento');
      const { statusProtocolo, avisos } = peca.registro;
      return [statusProtocolo, avisos.some((aviso) => aviso.includes('Não está claro'))];
    };
    assert.deepEqual(status('X'), ['Cancelada', false]);
    for (const code of ['A', 'C', '2', 'CA']) assert.deepEqual(status(code), ['Autorizada', true], code);
    assert.deepEqual(status('Cancelada'), ['Cancelada', false]);
    assert.deepEqual(status('Normal'), ['Autorizada', false]);
  });

  it('says what is missing, in words for who points', () => {
    const { numero: _, ...semNumero } = APONTADO.campos;
    assert.deepEqual(faltas({ ...APONTADO, campos: semNumero }), ['Aponte o número da nota.']);
    assert.match(faltas({ ...APONTADO, nome: ' ' }).join(), /Dê um nome/);
    assert.match(
      faltas({ ...APONTADO, cidade: 'Lugar Nenhum' }).join(),
      /cidade "Lugar Nenhum" não foi encontrada/,
    );
    const fora = { ...APONTADO.campos, valor: ['Caderno', 'Total'] };
    assert.match(faltas({ ...APONTADO, campos: fora }).join(), /O valor fica fora da nota/);
    assert.match(
      faltas({ ...APONTADO, cancelada: { lugar: ['Caderno', 'Fim'], tipo: 'data' } }).join(),
      /fica fora dela/,
    );
  });

  it('never has the id of one of ours, nor a name that no path can have', () => {
    for (const { id, nome } of LEIAUTES) {
      assert.notEqual(idDoNome(id), id);
      assert.match(idDoNome(nome), /^[a-z][a-z0-9-]{1,39}$/);
    }
    for (const nome of ['', '123', 'ção', '🙂', 'a'.repeat(300), '__proto__'])
      assert.match(idDoNome(nome), /^[a-z][a-z0-9-]{1,39}$/, nome);
    assert.deepEqual(['Nº', 'Número', '_1', '数', 'a'.repeat(90)].map(passoDe), [
      'n',
      'nmero',
      '_1',
      null,
      null,
    ]);
  });
});

describe('a layout file that means harm', () => {
  const minimo = JSON.stringify(descrito(APONTADO));
  const with_ = (mais: object): string => JSON.stringify({ ...JSON.parse(minimo), ...mais });
  const hostile: [string, string, RegExp][] = [
    ['is no JSON', '{', /não é JSON/],
    ['is too deep to be one', '['.repeat(LEIAUTE_BYTES_MAX - 1), /não é JSON|objeto/],
    ['is too large', ' '.repeat(LEIAUTE_BYTES_MAX + 1), /passa de 64 KB/],
    ['brings a prototype', `{"__proto__":{"toString":"x"},${minimo.slice(1)}`, /__proto__ não existe/],
    [
      'brings one inside',
      with_({ nota: JSON.parse('{"elemento":["a"],"tem":["./b"],"constructor":{}}') }),
      /constructor não existe/,
    ],
    ['takes the name of ours', with_({ id: 'abrasf' }), /vem com o Malote/],
    [
      'says that it is a norm',
      with_({ nota: { elemento: ['a'], tem: ['./b'], norma: false } }),
      /norma só existe/,
    ],
    ['claims national keys', with_({ chaveNacionalDaNota: true }), /chaveNacionalDaNota só existe/],
    [
      'speaks to people',
      with_({ semPrestador: { codigo: 'nfse_sem_prestador', mensagem: 'pague em' } }),
      /semPrestador só existe/,
    ],
    ['goes through everything again and again', with_({ valor: ['.//a//a//a//a'] }), /passos com \/\//],
    ['has a pattern for a name', with_({ valor: ['./(a|a)*'] }), /nome que não vale/],
    ['has more places than a layout', with_({ valor: Array(13).fill('./a') }), /passa de 12/],
  ];
  for (const [what, texto, says] of hostile)
    it(`that ${what} is not installed`, () => {
      const read = readEnsinado(texto);
      assert.ok(!read.ok);
      assert.match(read.faltas.join(' '), says);
    });
});
