/** Changes aimed at what a schema says, and at what two readers of XML may see in two ways. */
import type { Aleatorio } from '../../src/gerador/aleatorio.ts';
import type { Mutador } from '../hostis/mutacoes.ts';
import { elementos, folhas, inteiro, sortear, type Trecho, trocar } from '../hostis/texto.ts';

function atLeaf(act: (value: string, random: Aleatorio) => string): Mutador {
  return (text, { random }) => {
    const all = folhas(text);
    if (all.length === 0) return text;
    const { fimAbertura, inicioFecho } = random.pick(all);
    return trocar(text, fimAbertura, inicioFecho, act(text.slice(fimAbertura, inicioFecho), random));
  };
}

function atElement(act: (text: string, element: Trecho, random: Aleatorio) => string): Mutador {
  return (text, { random }) => {
    const element = sortear(random, text);
    return element ? act(text, element, random) : text;
  };
}

/** Behind a start tag, before an end tag, or behind one: where content between children stands. */
function betweenTags(pieces: readonly string[]): Mutador {
  return atElement((text, { fimAbertura, inicioFecho, fim }, random) => {
    const at = random.pick([fimAbertura, inicioFecho, fim]);
    return trocar(text, at, at, random.pick(pieces));
  });
}

function atStartTag(pieces: readonly string[]): Mutador {
  return atElement((text, { inicio, nome }, random) => {
    const at = inicio + 1 + nome.length;
    return trocar(text, at, at, random.pick(pieces));
  });
}

function atValue(act: (value: string, random: Aleatorio) => string): Mutador {
  return (text, { random }) => {
    const all = [...text.matchAll(/ ([\w:]+)="([^"<>]*)"/g)];
    if (all.length === 0) return text;
    const found = random.pick(all);
    const [whole, name = '', value = ''] = found;
    return trocar(text, found.index, found.index + whole.length, ` ${name}="${act(value, random)}"`);
  };
}

/** Bytes of UTF-8, one character each. */
const utf8 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const middle = (value: string, piece: string, random: Aleatorio) => {
  const at = random.integer(0, value.length);
  return value.slice(0, at) + piece + value.slice(at);
};
const replaced = (value: string, piece: string, random: Aleatorio) => {
  const at = random.integer(0, Math.max(0, value.length - 1));
  return value.slice(0, at) + piece + value.slice(at + 1);
};

const CHARACTERS = ['0', '9', 'A', 'z', '.', '-', '+', ',', ' ', '/', '=', ':', '|', '~', '!', '?', '@'];
const BEYOND = [
  '\u00e7',
  '\u00ff',
  '\u0100',
  '\u00a0',
  '\u007f',
  '\u0085',
  '\u2028',
  '\ufffd',
  '\ufffe',
  '\uffff',
  '\u{1f600}',
  '\u0660',
];

export const ESQUEMA: Readonly<Record<string, Mutador>> = {
  trocarCaractere: atLeaf((value, random) => replaced(value, random.pick(CHARACTERS), random)),
  porCaractere: atLeaf((value, random) => middle(value, random.pick(CHARACTERS), random)),
  tirarCaractere: atLeaf((value, random) => replaced(value, '', random)),
  caractereAlem: atLeaf((value, random) => middle(value, utf8(random.pick(BEYOND)), random)),
  crescer: atLeaf((value, random) =>
    (value || 'x').repeat(random.integer(2, 80)).slice(0, random.integer(1, 6000)),
  ),
  encurtar: atLeaf((value, random) => value.slice(0, random.integer(0, value.length))),
  zeros: atLeaf((value, random) =>
    random.pick([`0${value}`, `${value}0`, `${value}.00`, `-${value}`, `+${value}`]),
  ),
  brancos: atLeaf((value, random) =>
    random.pick([
      ` ${value}`,
      `${value} `,
      `\n${value}\n`,
      `\t${value}`,
      `${value}\r\n`,
      value.replace(/.$/, '  $&'),
    ]),
  ),
  valorDeOutra: (text, { random }) => {
    const all = folhas(text);
    if (all.length < 2) return text;
    const [here, there] = [random.pick(all), random.pick(all)];
    return trocar(text, here.fimAbertura, here.inicioFecho, text.slice(there.fimAbertura, there.inicioFecho));
  },
  codificar: atLeaf((value, random) => {
    const at = random.integer(0, Math.max(0, value.length - 1));
    const char = value.charCodeAt(at);
    if (Number.isNaN(char) || char > 0x7e || char === 0x26) return value;
    const reference = random.pick([
      `&#${char};`,
      `&#x${char.toString(16)};`,
      `<![CDATA[${value.charAt(at)}]]>`,
    ]);
    return value.slice(0, at) + reference + value.slice(at + 1);
  }),
  comentarioNoValor: atLeaf((value, random) =>
    middle(value, random.pick(['<!---->', '<!-- - -->', '<!--\r-->']), random),
  ),
  entidade: atLeaf((value, random) =>
    middle(
      value,
      random.pick([
        '&amp;',
        '&lt;',
        '&gt;',
        '&quot;',
        '&apos;',
        '&#13;',
        '&#10;',
        '&#9;',
        '&#xFFFE;',
        '&#xE7;',
        '>',
        ']]>',
        ']]',
        "'",
        '"',
      ]),
      random,
    ),
  ),
  fimDeLinha: (text, { random }) =>
    text.replaceAll('><', random.pick(['>\n<', '>\r\n<', '> <', '>\t\t<', '>\r<'])),
  entreFilhos: betweenTags([
    ' ',
    '\n',
    '\r\n',
    'x',
    '&#32;',
    '&#10;',
    '<![CDATA[]]>',
    '<![CDATA[ ]]>',
    '<!--x-->',
    '<?x y?>',
    utf8('\u00a0'),
  ]),
  vazioCurto: atElement((text, element) =>
    element.fim === element.fimAbertura
      ? trocar(text, element.fimAbertura - 2, element.fim, `></${element.nome}>`)
      : element.fimAbertura === element.inicioFecho
        ? trocar(text, element.fimAbertura - 1, element.fim, '/>')
        : text,
  ),
  esvaziarCurto: atElement((text, { fimAbertura, fim }) =>
    text[fimAbertura - 2] === '/' ? text : trocar(text, fimAbertura - 1, fim, '/>'),
  ),
  repetir: atElement((text, element, random) =>
    trocar(
      text,
      element.fim,
      element.fim,
      inteiro(text, element).repeat(random.pick([1, 2, 3, 5, 10, 20, 31, 60, 120])),
    ),
  ),
  repetirItens: (text, { random }) => {
    const det = elementos(text).find(({ nome }) => nome === 'det');
    if (!det) return text;
    const one = inteiro(text, det);
    const first = random.integer(1, 3);
    const items = Array.from({ length: random.integer(2, 8) }, (_, i) =>
      one.replace(/nItem="[^"]*"/, `nItem="${first + i}"`),
    );
    return trocar(text, det.fim, det.fim, items.join(''));
  },
  trocarVizinhos: (text, { random }) => {
    const all = elementos(text);
    const pairs = all.flatMap((a) => all.filter((b) => b.inicio === a.fim).map((b) => [a, b] as const));
    if (pairs.length === 0) return text;
    const [a, b] = random.pick(pairs);
    return trocar(text, a.inicio, b.fim, inteiro(text, b) + inteiro(text, a));
  },
  valorDeAtributo: atValue((value, random) =>
    random.pick([
      replaced(value, random.pick(CHARACTERS), random),
      middle(
        value,
        random.pick(['&amp;', '&#65;', '\t', '\n', ' ', utf8('\u00e7'), utf8('\ufffe'), '&gt;', '>', "'"]),
        random,
      ),
      '',
      ` ${value}`,
      value.toUpperCase(),
      value + value,
    ]),
  ),
  semAtributo: (text, { random }) => {
    const all = [...text.matchAll(/ [\w:]+="[^"]*"/g)];
    if (all.length === 0) return text;
    const found = random.pick(all);
    return trocar(text, found.index, found.index + found[0].length, '');
  },
  atributoAMais: atStartTag([
    ' a="1"',
    ' Id="x1"',
    ' versao="4.00"',
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.portalfiscal.inf.br/nfe x.xsd"',
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="TNFe"',
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"',
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
    ' xml:lang="pt"',
    ' xml:space="preserve"',
    ' xmlns:p="urn:p" p:a="1"',
    ' xmlns:p="urn:p" xmlns:q="urn:p" p:a="1" q:a="1"',
    ' nItem="1"',
  ]),
  namespaces: atStartTag([
    ' xmlns=""',
    ' xmlns="http://www.portalfiscal.inf.br/nfe"',
    ' xmlns="http://www.portalfiscal.inf.br/nfe" xmlns="http://www.portalfiscal.inf.br/nfe"',
    ' xmlns="http://www.w3.org/2000/09/xmldsig#"',
    ' xmlns:nfe="http://www.portalfiscal.inf.br/nfe"',
    ' xmlns:p=""',
    ' xmlns:xml="http://www.w3.org/XML/1998/namespace"',
    ' xmlns:xmlns="http://www.w3.org/2000/xmlns/"',
    ' xmlns="relativo"',
    ' xmlns:a="urn:a" xmlns:a="urn:a"',
    ' xmlns=" http://www.portalfiscal.inf.br/nfe"',
    ' xmlns="http://www.portalfiscal.inf.br/n&#102;e"',
  ]),
  comPrefixo: atElement((text, element, random) => {
    const namespace = random.pick([
      'http://www.portalfiscal.inf.br/nfe',
      'http://www.w3.org/2000/09/xmldsig#',
      'urn:x',
    ]);
    const inner = inteiro(text, element).replace(/<(\/?)([\w.-]+)(?=[\s/>])/g, '<$1ds:$2');
    return trocar(
      text,
      element.inicio,
      element.fim,
      inner.replace(/^<([\w:.-]+)/, `<$1 xmlns:ds="${namespace}"`),
    );
  }),
  semNamespace: (text) => text.replace(/ xmlns="[^"]*"/, ''),
  tags: (text, { random }) => {
    const element = sortear(random, text);
    if (!element) return text;
    const { fim, fimAbertura, inicioFecho } = element;
    if (random.chance(0.5)) return trocar(text, fim - 1, fim - 1, random.pick([' ', '\n', '\r\n', 'x', '/']));
    const empty = fimAbertura === inicioFecho && text[fimAbertura - 2] === '/';
    const at = fimAbertura - (empty ? 2 : 1);
    return trocar(text, at, at, random.pick([' ', '\n', '\t ', '/']));
  },
  apostrofos: (text, { random }) => {
    const all = [...text.matchAll(/="([^"']*)"/g)];
    if (all.length === 0) return text;
    const found = random.pick(all);
    return trocar(
      text,
      found.index,
      found.index + found[0].length,
      random.pick([`='${found[1]}'`, ` = "${found[1]}"`, `=\n"${found[1]}"`]),
    );
  },
  declaracao: (text, { random }) => {
    const body = text.replace(/^<\?xml[^>]*\?>/, '');
    const head = random.pick([
      '<?xml version="1.0"?>',
      "<?xml version='1.0' encoding='utf-8'?>",
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
      '<?xml version="1.1"?>',
      '<?xml version="1.0" encoding="UTF-8" lixo?>',
      '<?xml version="1.0" standalone="yes" encoding="UTF-8"?>',
      '<?xml version="1.0" standalone="YES"?>',
      '<?xml  version = "1.0" ?>',
      '<?xml version="1.0"encoding="UTF-8"?>',
      '<?xml version="1.0\'?>',
      '<?XML version="1.0"?>',
      '<?xml encoding="UTF-8"?>',
      '<?xml version="1.0" encoding="UTF-8"?> ',
      '<?xml version="1.0" encoding="UTF-8"?><!-- c -->',
      '<?xml version="1.0" encoding="UTF-8"?><?x y?>',
      '<?xml version="1.0" encoding="ISO-8859-1"?>',
      utf8('\ufeff<?xml version="1.0" encoding="UTF-8"?>'),
      '\n<?xml version="1.0" encoding="UTF-8"?>',
      '',
    ]);
    return head + body;
  },
  depoisDaRaiz: (text, { random }) =>
    text +
    random.pick([
      '\n',
      '\r\n ',
      '\0',
      '<!-- fim -->',
      '<!-- -- -->',
      '<?x?>',
      'x',
      '<x/>',
      text,
      '&#32;',
      utf8('\ufeff'),
    ]),
  base64Quebrado: (text, { random }) => {
    const all = [...text.matchAll(/[A-Za-z0-9+/]{60,}={0,2}/g)];
    if (all.length === 0) return text;
    const found = random.pick(all);
    const value = found[0];
    const changed = random.pick([
      value.replace(/.{64}/g, '$&\n'),
      value.replace(/.{76}/g, '$&\r\n'),
      ` ${value} `,
      value.slice(0, -1),
      `${value}=`,
      value.replace(/=+$/, ''),
      middle(value, random.pick(['*', '-', '_', '=', ' ', '\t']), random),
      value.replace(/.$/, 'B'),
    ]);
    return trocar(text, found.index, found.index + value.length, changed);
  },
};
