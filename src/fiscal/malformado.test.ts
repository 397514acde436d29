import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { chaveDe, NS, nota, processada, protocolo } from './amostras-de-teste.ts';
import { codeOf, ler, lida, type Rejeitada, readBytes, rejeitada, textOf } from './leitura-de-teste.ts';
import { abrasf1, nacional } from './nfse/amostras-de-teste.ts';
import { AMOSTRAS, PADRAO } from './nfse/leiautes/amostras-de-teste.ts';

/** What stands in a text and is no XML there; `^` is the place that is told. */
const FALHAS: Readonly<Record<string, string>> = {
  'a lone &': 'Pães ^& Doces',
  'a name of HTML': 'Manuten^&ccedil;&atilde;o',
  'a reference to a control character': 'a^&#x1;b',
  'a reference to nothing': 'a^&#;b',
  'a control character': 'a^\u000bb',
  NUL: 'a^\0b',
  'a character that is none': 'a^\uffffb',
  'a lone <': 'peso ^< 5 kg',
  'what looks like a tag': 'peso <kg ^5> ou mais',
  'a tag of HTML': 'linha<br>outra<br>mais^',
  'a tag that is closed only': 'linha^</p>outra',
  'tags that cross': '<b>um<i>dois^</b>três</i>',
  'an attribute without quotes': '<a b=^1>x</a>',
  'an attribute with a lone &': '<a b="1 ^& 2">x</a>',
  'a prefix that nobody declares': '<^q:a>x</q:a>',
  'the end of a section': 'a^]]>b',
  'a comment with a comment in it': 'a^<!-- b -- c -->d',
  'a section that does not end': 'a^<![CDATA[ b',
  'a declaration in mid-file': 'a^<?xml version="1.0"?>b',
};

const numbered = (numero: number) => chaveDe({ numero: String(numero) });
const sound = (numero: number) => nota({ chave: numbered(numero) });
const withText = (xml: string, text: string) => xml.replace('Venda de mercadoria', text);

interface Lista {
  de: (notas: readonly string[]) => string;
  /** Its nth note, with a text in it. */
  nota: (n: number, text: string) => string;
}

/** Each form in which several notes stand in one file. */
const LISTAS: Readonly<Record<string, Lista>> = {
  'a lot of NF-e': {
    de: (notas) => `<enviNFe${NS} versao="4.00"><idLote>1</idLote>${notas.join('\n')}</enviNFe>`,
    nota: (n, text) => withText(sound(n), text),
  },
  'processed notes in a wrapper of a vendor': {
    de: (notas) => `<?xml version="1.0" encoding="UTF-8"?><lote>${notas.join('')}</lote>`,
    nota: (n, text) => withText(processada(sound(n) + protocolo({ chave: numbered(n) })), text),
  },
  'processed notes one behind the other': {
    de: (notas) => notas.map((one) => `<?xml version="1.0" encoding="UTF-8"?>${one}`).join('\n'),
    nota: (n, text) => withText(processada(sound(n) + protocolo({ chave: numbered(n) })), text),
  },
  'the list of a city': {
    de: (notas) => `<ConsultarNfseResposta><ListaNfse>${notas.join('')}</ListaNfse></ConsultarNfseResposta>`,
    nota: (n, text) => abrasf1({ numero: String(n), mais: `<Discriminacao>${text}</Discriminacao>` }),
  },
  'notes of the national layout': {
    de: (notas) => `<NFSes>${notas.join('')}</NFSes>`,
    nota: (n, text) => nacional().replace('<nNFSe>42', `<nNFSe>${n}`).replace('Consultoria', text),
  },
};

const [before, behind] = [7, 9];

describe('a list that is malformed in one note', () => {
  for (const [form, lista] of Object.entries(LISTAS))
    for (const [what, marked] of Object.entries(FALHAS))
      it(`loses that note alone, and tells where: ${form}, ${what}`, () => {
        const notas = (text: string) => [
          lista.nota(before, 'a'),
          lista.nota(8, text),
          lista.nota(behind, 'b'),
        ];
        const expected = ler(lista.de(notas('x')));
        const marks = lista.de(notas(marked));
        const text = marks.replace('^', '');
        const pieces = ler(text);
        assert.deepEqual(pieces.map(codeOf), ['lida', 'xml_mal_formado', 'lida']);
        for (const at of [0, 2]) {
          assert.equal(textOf(lida(pieces[at]).bytes), textOf(lida(expected[at]).bytes));
          assert.deepEqual(lida(pieces[at]).registro, lida(expected[at]).registro);
        }
        const { especie, rejeicao } = rejeitada(pieces[1]);
        assert.equal(especie, expected[1]?.especie);
        assert.match(rejeicao.mensagem, /um XML assinado não pode ser editado/);
        if (what !== 'a tag of HTML' && what !== 'tags that cross') assertPlace(rejeicao, marks);
      });

  const CITY = LISTAS['the list of a city'] as Lista;
  const city = (...notas: string[]) => CITY.de(notas);
  const [one, two, three] = [1, 2, 3].map((n) => CITY.nota(n, `texto ${n}`)) as [string, string, string];

  it('in several notes loses these, and names them', () => {
    const pieces = ler(city(CITY.nota(1, 'a & b'), two, CITY.nota(3, 'c < d')));
    assert.deepEqual(pieces.map(codeOf), ['xml_mal_formado', 'lida', 'xml_mal_formado']);
    assert.match(rejeitada(pieces[2]).rejeicao.mensagem, /Parece ser o documento de número 3\./);
  });

  it('or cut in the last one', () => {
    const whole = city(one, two, three);
    const pieces = ler(whole.slice(0, whole.lastIndexOf('</Discriminacao>')));
    assert.deepEqual(pieces.map(codeOf), ['lida', 'lida', 'xml_mal_formado']);
    assert.match(rejeitada(pieces[2]).rejeicao.mensagem, /termina antes do fim/);
  });

  it('or of which one has no end: what follows is no part of it', () => {
    const open = one.slice(0, one.lastIndexOf('</'));
    const pieces = ler(city(open, two, three));
    assert.deepEqual(pieces.map(codeOf), ['xml_mal_formado', 'lida', 'lida']);
  });

  it('or whose cancellation is: the note is not read without it', () => {
    const cancelada = abrasf1({
      numero: '1',
      ao_lado:
        '<NfseCancelamento><Confirmacao><DataHora>2026-03-11 & 10h</DataHora></Confirmacao></NfseCancelamento>',
    });
    assert.deepEqual(ler(city(cancelada, two)).map(codeOf), ['xml_mal_formado', 'lida']);
  });

  it('or whose protocol is: the note is not taken for one without', () => {
    const broken = processada(nota() + protocolo({ xMotivo: 'Autorizado & pronto' }));
    const piece = rejeitada(ler(broken)[0]);
    assert.equal(piece.especie, 'NFe');
    assert.equal(piece.chave, chaveDe());
  });

  it('or between the notes: all are read, and the place is told', () => {
    const text = city(one, two).replace('<ListaNfse>', '<ListaNfse><Mensagem>Notas & recibos</Mensagem>');
    const pieces = ler(text);
    assert.deepEqual(pieces.map(codeOf), ['lida', 'lida', 'xml_mal_formado']);
    assert.match(rejeitada(pieces[2]).rejeicao.mensagem, /não faz parte de nenhum documento reconhecido/);
  });

  it('as text inside another answer', () => {
    const text = city(CITY.nota(1, 'a & b'), two);
    for (const inside of [`<![CDATA[${text}]]>`, text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')]) {
      const pieces = ler(`<Envelope><Body><outputXML>${inside}</outputXML></Body></Envelope>`);
      assert.deepEqual(pieces.map(codeOf), ['xml_mal_formado', 'lida']);
    }
  });

  it('in a docZip, beside others', () => {
    const zipped = (xml: string) => `<docZip>${gzipSync(xml).toString('base64')}</docZip>`;
    const pieces = ler(`<lote>${zipped(withText(sound(1), 'a & b'))}${zipped(sound(2))}</lote>`);
    assert.deepEqual(pieces.map(codeOf), ['xml_mal_formado', 'lida']);
  });

  it('with a DOCTYPE is not mended', () => {
    const listed = city(one, CITY.nota(2, 'a & b'));
    assert.deepEqual(ler(`<!DOCTYPE a [<!ENTITY x "y">]>${listed}`).map(codeOf), ['doctype_proibido']);
    const behind = `${CITY.nota(1, 'a & b')}<!DOCTYPE a [<!ENTITY x "y">]>${two}`;
    assert.deepEqual(ler(behind).map(codeOf), ['xml_mal_formado']);
    const inside = ler(city(CITY.nota(1, '<!DOCTYPE a [<!ENTITY x "y">]>&x;'), two));
    assert.deepEqual(inside.map(codeOf), ['xml_mal_formado', 'lida']);
  });

  it('and nested too deep keeps the limit', () => {
    const deep = '<a>'.repeat(120) + '</a>'.repeat(120);
    assert.deepEqual(ler(city(one, CITY.nota(2, `a & ${deep}`))).map(codeOf), ['xml_mal_formado']);
  });
});

describe('a file of the national service that is no JSON any more', () => {
  const item = (n: number) =>
    `{"NSU":${n},"ArquivoXml":"${gzipSync(nacional().replace('<nNFSe>42', `<nNFSe>${n}`)).toString('base64')}"}`;
  const whole = `{"LoteDFe":[\n${[1, 2, 3].map(item).join(',\n')}]}`;

  it('gives the documents that are whole, and tells where it is broken', () => {
    const pieces = ler(whole.replace('"NSU":2', '"NSU":2,"x":"a "b" c"'));
    assert.deepEqual(pieces.map(codeOf), ['lida', 'lida', 'lida', 'json_nao_aceito']);
    assert.equal(rejeitada(pieces[3]).rejeicao.linha, 3);
  });

  it('also where it is cut', () => {
    const pieces = ler(whole.slice(0, -40));
    assert.deepEqual(pieces.map(codeOf), ['lida', 'lida', 'compactado_invalido', 'json_nao_aceito']);
  });
});

describe('what is odd and harmless', () => {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>${processada()}`;
  const cases: Readonly<Record<string, readonly [string, RegExp]>> = {
    'headers of HTTP': [`HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n${xml}`, /texto antes do XML/],
    'the sentence of a browser': [
      `This XML file does not appear to have any style information associated with it.\n${processada()}`,
      /texto antes do XML/,
    ],
    'a declaration in capitals': [xml.replace('<?xml', '<?XML'), /declaração .* mal formada/],
    'a declaration that says nothing': [xml.replace('version="1.0" ', ''), /declaração .* mal formada/],
  };
  for (const [what, [text, aviso]] of Object.entries(cases))
    it(`is left out of what is kept: ${what}`, () => {
      const piece = lida(ler(text)[0]);
      assert.match(piece.registro.avisos.join(), aviso);
      assert.match(textOf(piece.bytes), /^<(?:\?xml version="1.0"|nfeProc)/);
    });

  it('two encodings in one file: what is UTF-8 stays as it is', () => {
    const [before = '', behind = ''] = withText(sound(1), 'Manutenção de pães ^').split('^');
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from('ação', 'latin1'), Buffer.from(behind)]);
    const piece = lida(readBytes(bytes)[0]);
    assert.equal((piece.registro as { natureza?: string }).natureza, 'Manutenção de pães ação');
    assert.match(piece.registro.avisos.join(), /mistura duas codificações/);
    assert.equal(piece.codificacao, 'utf-8');
  });

  it('text with marks of mail in it is no XML', () => {
    const piece = ler('Bom dia, Fulano <fulano@x.com>, seguem as <b>notas</b>.', 'leia-me.md')[0];
    assert.equal(piece?.resultado, 'ignorada');
  });
});

function assertPlace({ linha, coluna }: Rejeitada['rejeicao'], marked: string): void {
  const head = marked.slice(0, marked.indexOf('^'));
  const line = head.split('\n');
  assert.deepEqual([linha, coluna], [line.length, Array.from(line.at(-1) ?? '').length + 1]);
}

describe('what people are told to do', () => {
  it('is never to edit an XML', () => {
    const told = globSync('**/*.ts', { cwd: import.meta.dirname })
      .filter((path) => !/test|^txt\//.test(path))
      .flatMap((path) => readFileSync(join(import.meta.dirname, path), 'utf8').split('\n'))
      .filter((line) => /[`'].*(?:escreva|use o próprio caractere|[Cc]orrija (?!a linha))/.test(line));
    assert.deepEqual(told, []);
  });
});

describe('a fault in the header of a list, which says who issued its notes', () => {
  const EMISSOR = '<CNPJCPFPrestador>31313131000152</CNPJCPFPrestador>';
  const deNumero = (n: number) =>
    `<DadosNotaFiscal><NumeroNF>${n}</NumeroNF><ChaveValidacao>ABCD</ChaveValidacao><SituacaoNF>N</SituacaoNF><TipoNF>P</TipoNF><Emissao>10/03/2026 10:11:12</Emissao><CNPJCPFTomador>42424242000152</CNPJCPFTomador><ValorTotalNota>1500,00</ValorTotalNota></DadosNotaFiscal>`;
  const lista = (cabecalho: string, fim = '</Header>') =>
    `<ISSEConsultaNotaRetorno><Header>${cabecalho}${fim}${deNumero(7)}${deNumero(8)}</ISSEConsultaNotaRetorno>`;
  const lidas = (xml: string) =>
    readBytes(Buffer.from(xml)).map((peca) =>
      peca.resultado === 'lida' && peca.registro.classe === 'documento'
        ? `${peca.registro.numero} de ${peca.registro.participantes.find(({ papel }) => papel === 'prestador')?.cpfCnpj}`
        : peca.resultado === 'rejeitada'
          ? peca.rejeicao.codigo
          : peca.resultado,
    );
  const AS_DUAS = ['7 de 31313131000152', '8 de 31313131000152'];

  it('costs no note, and is named, where the field of the issuer is sound', () => {
    assert.deepEqual(lidas(lista(`<Versao>003</Versao>${EMISSOR}`)), AS_DUAS);
    for (const [como, falha] of Object.entries(FALHAS)) {
      const xml = lista(`<Nome>${falha.replace('^', '')}</Nome>${EMISSOR}`);
      assert.deepEqual(lidas(xml), [...AS_DUAS, 'xml_mal_formado'], como);
    }
    assert.deepEqual(lidas(lista(`<Versao>003${EMISSOR}`)), [...AS_DUAS, 'xml_mal_formado'], 'not closed');
  });

  it('refuses the notes where the issuer cannot be told, and takes nobody else for it', () => {
    const recusadas = (xml: string) => {
      const pieces = lidas(xml);
      assert.ok(pieces.length > 1 && pieces.every((peca) => peca === 'xml_mal_formado'), pieces.join());
    };
    recusadas(lista(EMISSOR.replace('3131', '31&31')));
    recusadas(lista(EMISSOR.replace('<CNPJ', '< CNPJ')));
    // Where one company's part ends and the other's begins cannot be told.
    const outra = EMISSOR.replace('31313131000152', '42424242000152');
    recusadas(
      `<ISSEConsultaNotaRetorno><Header>${EMISSOR}</Header>${deNumero(7)}</Lo te><Header>${outra}</Header>${deNumero(8)}</ISSEConsultaNotaRetorno>`,
    );
  });
});

describe('a fault around the notes of a layout that leaves their issuer or city to the file', () => {
  const lista = (leiaute: string, cabecalho = (campo: string) => campo): string => {
    const uma = AMOSTRAS.find((amostra) => amostra.leiaute === leiaute)?.xml(PADRAO) ?? '';
    const nota = /<(Reg_NFS_E|Nota|nota|NFe)[ >].*<\/\1>/.exec(uma)?.[0] ?? '';
    return uma
      .replace(nota, nota + nota.replace('>77<', '>78<'))
      .replace(/<(Cab_CNPJ|CPFCNPJRemetente|documento)>\d+<\/\1>/, cabecalho);
  };
  const lidas = (xml: string) =>
    readBytes(Buffer.from(xml)).map((peca) =>
      peca.resultado === 'lida' ? peca.registro.chave : codeOf(peca),
    );
  const DO_CABECALHO = ['siappa', 'dsf', 'joinville'];
  const recusadas = ['xml_mal_formado', 'xml_mal_formado', 'xml_mal_formado'];

  for (const leiaute of DO_CABECALHO)
    it(`${leiaute}: costs no note beside the field, and all of them in it`, () => {
      const sound = lidas(lista(leiaute));
      assert.equal(new Set(sound).size, 2);
      for (const [como, falha] of Object.entries(FALHAS)) {
        const beside = lista(leiaute, (campo) => `<Nome>${falha.replace('^', '')}</Nome>${campo}`);
        assert.deepEqual(lidas(beside), [...sound, 'xml_mal_formado'], como);
      }
      for (const [from, to] of [
        [/\d{4}</, '&$&'],
        [/\d{4}</, '\u0001$&'],
        ['<', '< '],
        ['>', ' a=1>'],
        ['<', '<q:'],
        ['</', '</x'],
      ] as const)
        assert.deepEqual(
          lidas(lista(leiaute, (campo) => campo.replace(from, to))),
          recusadas,
          `${from} ${to}`,
        );
    });

  it('costs no note where the file is cut behind them: what stands before a cut is as it was', () => {
    for (const leiaute of [...DO_CABECALHO, 'paulistana']) {
      const xml = lista(leiaute);
      const sound = lidas(xml);
      const end = Math.max(
        xml.lastIndexOf('</Nota>'),
        xml.lastIndexOf('</Reg_NFS_E>'),
        xml.lastIndexOf('</nota>'),
        xml.lastIndexOf('</NFe>'),
      );
      for (const at of [xml.indexOf('>', end) + 1, xml.indexOf('>', end) + 2, xml.length - 3])
        assert.deepEqual(lidas(xml.slice(0, at)), [...sound, 'xml_mal_formado'], `${leiaute}, ${at}`);
    }
  });

  it('in the city refuses the notes: their key would be another than in the sound file', () => {
    const [one] = lidas(lista('dsf'));
    assert.match(one ?? '', /^NFSE-3509502-/);
    for (const cidade of ['62&91', '62\u000191', '6291</CodCidad><CodCidade>'])
      assert.deepEqual(lidas(lista('dsf').replace('6291', cidade)), recusadas, cidade);
    const blumenau = lista('paulistana').replace('www.prefeitura.sp.gov.br/nfe', 'nfse.blumenau.sc.gov.br');
    const [known] = lidas(blumenau);
    assert.match(known ?? '', /^NFSE-4202404-/);
    assert.deepEqual(lidas(blumenau.replace(/"(http:[^"]*)"/, '$1')), recusadas);
    assert.deepEqual(lidas(blumenau.replace('.gov.br"', '.gov.br/?a&b"')), recusadas);
    const [, , told] = readBytes(Buffer.from(blumenau.replace(/"(http:[^"]*)"/, '$1')));
    assert.match(rejeitada(told).rejeicao.mensagem, /é dele que as notas do arquivo tiram/);
    // A tag too many between the notes says nothing of the root's.
    assert.equal(lidas(blumenau.replace('<NFe', '</x><NFe'))[0], known);
  });
});
