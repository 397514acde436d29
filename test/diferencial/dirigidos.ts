/** One mutant for each construct of the schemas and each trick against two readers, by name. */
import { elementos, inteiro, trocar } from '../hostis/texto.ts';
import { eventoNfe, inutilizacaoNfe, nfe } from '../sementes/nfe.ts';
import { alterado } from '../support/alterado.ts';

export interface Dirigido {
  nome: string;
  texto: string;
  /** Whether the fast tier has to take it: a mutant that it leaves proves nothing. Null where either will do. */
  aceito: boolean | null;
}

const NOTA = nfe('55', { numero: 1 });
const NFCE = nfe('65', { numero: 1 });
const EVENTO = eventoNfe({ chave: NOTA.chave, codigo: '110111' });
const CCE = eventoNfe({ chave: NOTA.chave, codigo: '110110' });
const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const NFE_NS = 'http://www.portalfiscal.inf.br/nfe';
const DSIG = 'http://www.w3.org/2000/09/xmldsig#';

/** The first element of this name in a text. */
function first(text: string, nome: string) {
  const found = elementos(text)
    .filter((element) => element.nome === nome)
    .sort((a, b) => a.inicio - b.inicio)[0];
  if (!found) throw new Error(`no ${nome}`);
  return found;
}

const changed = (text: string, nome: string, act: (whole: string) => string): string => {
  const element = first(text, nome);
  return trocar(text, element.inicio, element.fim, act(inteiro(text, element)));
};
const value = (text: string, nome: string, act: (value: string) => string): string => {
  const { fimAbertura, inicioFecho } = first(text, nome);
  return trocar(text, fimAbertura, inicioFecho, act(text.slice(fimAbertura, inicioFecho)));
};
const behind = (text: string, nome: string, piece: string): string =>
  changed(text, nome, (whole) => whole + piece);
const attribute = (text: string, nome: string, written: string): string =>
  changed(text, nome, (whole) => whole.replace(`<${nome}`, `<${nome} ${written}`));
const times = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('');

const xml = NOTA.xml;
const det = inteiro(xml, first(xml, 'det'));
const withItems = (count: number) =>
  changed(xml, 'det', () => times(count, (i) => det.replace('nItem="1"', `nItem="${i + 1}"`)));
const nota = (nome: string, texto: string, aceito: boolean | null = true): Dirigido => ({
  nome,
  texto,
  aceito,
});

const ESQUEMA: Dirigido[] = [
  nota('as it is', xml),
  nota('NFC-e as it is', NFCE.xml),
  nota('event as it is', EVENTO),
  nota('correction letter as it is', CCE),
  nota('inutilização as it is', inutilizacaoNfe({ de: 1, ate: 2 }).inteira),
  nota(
    'xs:unique: two items with one number',
    changed(xml, 'det', () => det + det),
  ),
  nota('xs:unique: two items, two numbers', withItems(2)),
  nota(
    'xs:unique: the number written in another way',
    changed(xml, 'det', () => det + det.replace('nItem="1"', 'nItem="&#49;"')),
  ),
  nota(
    'xs:unique: one transform twice',
    xml.replace(`${DSIG}enveloped-signature`, 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'),
  ),
  nota('maxOccurs 990: all of them', withItems(990)),
  nota('maxOccurs 990: one more', withItems(991)),
  nota(
    'maxOccurs 10: all of them',
    behind(xml, 'det', '').replace(
      '<det ',
      `${times(10, () => `<autXML><CNPJ>${'1'.repeat(14)}</CNPJ></autXML>`)}<det `,
    ),
  ),
  nota(
    'maxOccurs 10: one more',
    xml.replace('<det ', `${times(11, () => `<autXML><CNPJ>${'1'.repeat(14)}</CNPJ></autXML>`)}<det `),
  ),
  nota('minOccurs 2: a single transform', xml.replace(/<Transform [^>]*c14n[^>]*>(?:<\/Transform>)?/, '')),
  nota('maxOccurs 1: twice', behind(xml, 'natOp', '<natOp>X</natOp>')),
  nota(
    'a required element is missing',
    changed(xml, 'natOp', () => ''),
  ),
  nota('order: two neighbours changed', xml.replace(/(<serie>[^<]*<\/serie>)(<nNF>[^<]*<\/nNF>)/, '$2$1')),
  nota(
    'choice: both branches',
    behind(
      changed(xml, 'emit', (whole) => whole),
      'CNPJ',
      '<CPF>00000000191</CPF>',
    ),
  ),
  nota(
    'choice: none of the branches',
    changed(xml, 'CNPJ', () => ''),
  ),
  nota('an element from elsewhere', behind(xml, 'natOp', '<vNF>1.00</vNF>')),
  nota('an element that nobody knows', behind(xml, 'natOp', '<nada/>')),
  nota('text between elements', behind(xml, 'natOp', 'x')),
  nota('white space between elements', xml.replaceAll('><', '>\n <')),
  nota('CRLF between elements', xml.replaceAll('><', '>\r\n<')),
  nota('a reference to white space between elements', behind(xml, 'natOp', '&#32;')),
  nota('empty CDATA between elements', behind(xml, 'natOp', '<![CDATA[]]>')),
  nota('a comment between elements', behind(xml, 'natOp', '<!-- x -->')),
  nota('an instruction between elements', behind(xml, 'natOp', '<?x y?>'), false),
  nota(
    'empty content of an element that must be empty',
    xml.replace(/(<SignatureMethod [^>]*[^/])\/?>(?:<\/SignatureMethod>)?/, '$1></SignatureMethod>'),
  ),
  nota(
    'white space in an element that must be empty',
    xml.replace(/(<SignatureMethod [^>]*?)\/?>(?:<\/SignatureMethod>)?/, '$1> </SignatureMethod>'),
  ),
  nota(
    'an empty value, in two tags',
    value(xml, 'natOp', () => ''),
  ),
  nota(
    'an empty value, in one tag',
    changed(xml, 'natOp', () => '<natOp/>'),
  ),
  nota('an empty choice value that may be empty', xml.replace(/<cEAN>[^<]*<\/cEAN>/, '<cEAN/>')),
  nota(
    'maxLength 60: all of it',
    value(xml, 'natOp', () => 'A'.repeat(60)),
  ),
  nota(
    'maxLength 60: one more',
    value(xml, 'natOp', () => 'A'.repeat(61)),
  ),
  nota(
    'maxLength 60: characters of two bytes',
    value(xml, 'natOp', () => '\u00e7'.repeat(60)),
  ),
  nota(
    'maxLength 60: one more, of two bytes',
    value(xml, 'natOp', () => '\u00e7'.repeat(61)),
  ),
  nota(
    'a character beyond the pattern',
    value(xml, 'natOp', () => 'A\u0100B'),
  ),
  nota(
    'white space around a value that keeps it',
    value(xml, 'natOp', (text) => ` ${text} `),
  ),
  nota(
    'white space around a value that collapses it',
    value(xml, 'X509Certificate', (text) => ` ${text}\n`),
  ),
  nota(
    'a tab in a value',
    value(xml, 'natOp', () => 'A\tB'),
  ),
  nota(
    'a line end in a value',
    value(xml, 'natOp', () => 'A\nB'),
  ),
  nota(
    'a carriage return in a value',
    value(xml, 'natOp', () => 'A\rB'),
  ),
  nota(
    'enumeration: another value',
    value(xml, 'tpAmb', () => '3'),
  ),
  nota(
    'enumeration: a value with white space',
    value(xml, 'tpAmb', (text) => `${text} `),
  ),
  nota(
    'a digit of another script',
    value(xml, 'serie', () => '\u0661'),
  ),
  nota(
    'a date that there is not',
    value(xml, 'dhEmi', () => '2026-02-30T10:00:00-03:00'),
  ),
  nota(
    'a comment in a value',
    value(xml, 'natOp', (text) => `${text}<!-- x -->`),
  ),
  nota(
    'CDATA in a value',
    value(xml, 'natOp', (text) => `<![CDATA[${text}]]>`),
  ),
  nota(
    'an element in a value',
    value(xml, 'natOp', (text) => `${text}<b/>`),
  ),
  nota('a required attribute is missing', xml.replace(' nItem="1"', '')),
  nota('an attribute that nobody knows', attribute(xml, 'ide', 'x="1"')),
  nota('an attribute with a namespace', attribute(xml, 'ide', 'xmlns:p="urn:p" p:x="1"')),
  nota(
    'a fixed attribute with another value',
    xml.replace(`${DSIG}rsa-sha1`, 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'),
  ),
  nota(
    'a fixed attribute written with a reference',
    xml.replace(`"${DSIG}rsa-sha1"`, `"${DSIG}rsa-sha&#49;"`),
  ),
  nota('an xs:ID that is no name', xml.replace(/ Id="NFe/, ' Id="1NFe')),
  nota('an xs:ID twice', attribute(xml, 'SignatureValue', `Id="NFe${NOTA.chave}"`)),
  nota(
    'xsi:schemaLocation',
    attribute(xml, 'nfeProc', `${XSI} xsi:schemaLocation="${NFE_NS} procNFe_v4.00.xsd"`),
  ),
  nota('xsi:type', attribute(xml, 'ide', `${XSI} xsi:type="x"`)),
  nota('xsi:nil', attribute(xml, 'natOp', `${XSI} xsi:nil="true"`)),
  nota(
    'xs:any: whatever stands in the event',
    changed(
      EVENTO.replace('<tpEvento>110111', '<tpEvento>110199'),
      'detEvento',
      () => '<detEvento versao="1.00" x="1"><a xmlns="urn:a"><b/>text</a></detEvento>',
    ),
  ),
  nota(
    'xs:any: nothing stands in the event',
    changed(
      EVENTO.replace('<tpEvento>110111', '<tpEvento>110199'),
      'detEvento',
      () => '<detEvento versao="1.00"/>',
    ),
  ),
  nota('another layout', xml.replaceAll('versao="4.00"', 'versao="3.10"')),
  nota('a layout that there is not', xml.replaceAll('versao="4.00"', 'versao="9.99"')),
];

const FORMA: Dirigido[] = [
  nota('byte order mark', `\ufeff${xml}`, true),
  nota('two byte order marks', `\ufeff\ufeff${xml}`, null),
  nota('white space before the declaration', `\n${xml}`, null),
  nota('a comment before the root', xml.replace(/^(<\?xml[^>]*\?>)?/, '$1<!-- x -->')),
  nota('a comment behind the root', `${xml}<!-- x -->`),
  nota('a broken comment behind the root', `${xml}<!-- -- -->`, false),
  nota('text behind the root', `${xml}x`, false),
  nota('a second root', xml + xml.replace(/^<\?xml[^>]*\?>/, ''), false),
  nota('DOCTYPE', xml.replace(/^(<\?xml[^>]*\?>)?/, '$1<!DOCTYPE nfeProc>'), false),
  ...[
    '<?xml version="1.0" encoding="UTF-8" lixo?>',
    '<?xml version="1.0" lixo="1" encoding="UTF-8"?>',
    '<?xml version="1.1" encoding="UTF-8"?>',
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<?xml version="1.0" standalone="maybe"?>',
    '<?xml encoding="UTF-8"?>',
    '<?xml version="1.0"?encoding="UTF-8"?>',
    '<?XML version="1.0"?>',
  ].map((head) => nota(`declaration ${head}`, head + xml.replace(/^<\?xml[^>]*\?>/, ''), null)),
  nota('xmlns twice', attribute(xml, 'ide', `xmlns="${NFE_NS}" xmlns="${NFE_NS}"`), false),
  nota('xmlns:a twice', attribute(xml, 'ide', 'xmlns:a="urn:a" xmlns:a="urn:a"'), false),
  nota('an attribute twice', attribute(xml, 'det', 'nItem="1"'), false),
  nota(
    'an attribute twice, by two prefixes',
    attribute(xml, 'ide', 'xmlns:a="urn:a" xmlns:b="urn:a" a:x="1" b:x="1"'),
    false,
  ),
  nota(
    'a prefix that nobody declared',
    xml.replace('<natOp>', '<p:natOp>').replace('</natOp>', '</p:natOp>'),
    false,
  ),
  nota('a prefix undone', attribute(xml, 'ide', 'xmlns:p=""'), false),
  nota('xml bound anew', attribute(xml, 'ide', 'xmlns:xml="urn:x"'), false),
  nota('xmlns bound', attribute(xml, 'ide', 'xmlns:xmlns="urn:x"'), false),
  nota('no namespace inside', attribute(xml, 'ide', 'xmlns=""')),
  nota('the same namespace again', attribute(xml, 'ide', `xmlns="${NFE_NS}"`)),
  nota(
    'the namespace by a prefix',
    changed(xml, 'protNFe', (whole) =>
      whole.replace(/<(\/?)(\w+)/g, '<$1n:$2').replace('<n:protNFe', `<n:protNFe xmlns:n="${NFE_NS}"`),
    ),
  ),
  nota(
    'the signature by a prefix',
    changed(xml, 'Signature', (whole) =>
      whole.replace(/<(\/?)(\w+)/g, '<$1ds:$2').replace(/<ds:Signature xmlns=/, '<ds:Signature xmlns:ds='),
    ),
  ),
  nota('no space between attributes', xml.replace('" Id=', '"Id='), null),
  nota('white space in tags', xml.replaceAll('</ide>', '</ide\r\n>').replace('<ide>', '<ide\t>')),
  nota('apostrophes', xml.replace('nItem="1"', "nItem = '1'")),
  nota('< in a value', xml.replace('nItem="1"', 'nItem="<"'), false),
  nota(
    'U+FFFE in text',
    value(xml, 'natOp', () => 'A\ufffeB'),
    false,
  ),
  nota(
    'U+FFFF in text',
    value(xml, 'natOp', () => 'A\uffffB'),
    false,
  ),
  nota(
    'U+FFFD in text',
    value(xml, 'natOp', () => 'A\ufffdB'),
  ),
  nota('U+FFFE in an attribute', attribute(xml, 'ide', 'x="\ufffe"'), false),
  nota('U+FFFE in a comment', behind(xml, 'natOp', '<!--\ufffe-->'), false),
  nota(
    'U+FFFE in CDATA',
    value(xml, 'natOp', () => '<![CDATA[\ufffe]]>'),
    false,
  ),
  nota(
    'a reference to U+FFFE',
    value(xml, 'natOp', () => '&#xFFFE;'),
    false,
  ),
  nota(
    'a reference to a control character',
    value(xml, 'natOp', () => '&#1;'),
    false,
  ),
  nota(
    'a control character',
    value(xml, 'natOp', () => 'A\u0001B'),
    false,
  ),
  nota(
    'U+0000',
    value(xml, 'natOp', () => 'A\0B'),
    false,
  ),
  nota(
    ']]> in text',
    value(xml, 'natOp', () => 'A]]>B'),
    false,
  ),
  nota(
    ']] and > in text',
    value(xml, 'natOp', () => 'A]] >B'),
  ),
  nota(
    'an entity that nobody declared',
    value(xml, 'natOp', () => 'A&nada;B'),
    false,
  ),
  nota(
    'a bare &',
    value(xml, 'natOp', () => 'A & B'),
    false,
  ),
  nota('a name beyond ASCII', behind(xml, 'natOp', '<açúcar/>'), false),
  nota('a colon too many', behind(xml, 'natOp', '<a:b:c/>'), false),
  nota('101 levels', behind(xml, 'natOp', '<a>'.repeat(101) + '</a>'.repeat(101)), false),
  nota('an end tag of another', xml.replace('</natOp>', '</natop>'), false),
];

const signature = inteiro(xml, first(xml, 'Signature'));
const infNFe = inteiro(xml, first(xml, 'infNFe'));
const digest = /<DigestValue>([^<]*)</.exec(xml)?.[1] ?? '';

const ASSINATURA: Dirigido[] = [
  nota('two signatures', behind(xml, 'Signature', signature)),
  nota(
    'no signature',
    changed(xml, 'Signature', () => ''),
  ),
  nota('the signed group twice', behind(xml, 'infNFe', infNFe)),
  nota('another group with the Id', behind(xml, 'infNFe', infNFe.replace('<natOp>', '<natOp>X '))),
  nota(
    'the signed group inside an Object',
    behind(xml, 'infNFe', `<Object xmlns="${DSIG}">${infNFe}</Object>`),
  ),
  nota('URI of another', xml.replace(/URI="#NFe\d/, 'URI="#NFe0')),
  nota('URI empty', xml.replace(/URI="#[^"]*"/, 'URI=""')),
  nota('URI with a reference in it', xml.replace('URI="#NFe', 'URI="#&#78;Fe')),
  nota('ID for Id', xml.replace(/ Id="NFe/, ' ID="NFe')),
  nota('xml:id beside Id', attribute(xml, 'infNFe', `xml:id="NFe${NOTA.chave}"`), null),
  nota('the Id in a foreign attribute', attribute(xml, 'ide', `xmlns:p="urn:p" p:Id="NFe${NOTA.chave}"`)),
  nota(
    'a comment in the digest',
    value(xml, 'DigestValue', (text) => `${text.slice(0, 5)}<!-- x -->${text.slice(5)}`),
  ),
  nota(
    'a reference in the digest',
    value(xml, 'DigestValue', (text) => `&#${text.charCodeAt(0)};${text.slice(1)}`),
  ),
  nota(
    'CDATA as the digest',
    value(xml, 'DigestValue', (text) => `<![CDATA[${text}]]>`),
  ),
  nota(
    'white space in the digest',
    value(xml, 'DigestValue', (text) => ` ${text.slice(0, 9)}\n${text.slice(9)} `),
  ),
  nota('another digest', xml.replace(digest, alterado(digest, 0))),
  nota(
    'lines in the certificate',
    value(xml, 'X509Certificate', (text) => text.replace(/.{64}/g, '$&\r\n')),
  ),
  nota(
    'junk in the certificate',
    value(xml, 'X509Certificate', (text) => `${text.slice(0, 50)}*${text.slice(51)}`),
  ),
  nota(
    'a comment in the certificate',
    value(xml, 'X509Certificate', (text) => `${text.slice(0, 50)}<!---->${text.slice(50)}`),
  ),
  nota(
    'a digit of the signature',
    value(xml, 'SignatureValue', (text) => alterado(text, 0)),
  ),
  nota(
    'one character of the signed group',
    value(xml, 'natOp', (text) => `${text}X`),
  ),
  nota(
    '> written out, canonically the same',
    xml.replace(/(<xProd>[^<]*)</, '$1&gt;<').replace('&gt;<', '><'),
    null,
  ),
  nota('an inner declaration that changes nothing', attribute(xml, 'det', `xmlns="${NFE_NS}"`)),
  nota('an inner prefix that changes the form', attribute(xml, 'nfeProc', 'xmlns:p="urn:p"')),
  nota(
    'order of attributes, canonically the same',
    xml.replace(/<infNFe (\w+="[^"]*") (\w+="[^"]*")>/, '<infNFe  $2\n$1 >'),
  ),
  nota(
    'empty elements in one tag',
    xml.replace(/><\/(Transform|CanonicalizationMethod|SignatureMethod|DigestMethod)>/g, '/>'),
  ),
  nota('empty elements in two tags', xml.replace(/<(\w+)((?: [^<>]*?)?)\/>/g, '<$1$2></$1>')),
  nota(
    'a note in a lot',
    `<enviNFe xmlns="${NFE_NS}" versao="4.00"><idLote>1</idLote><indSinc>0</indSinc>${inteiro(xml, first(xml, 'NFe'))}</enviNFe>`,
  ),
  nota(
    'a note in SOAP',
    `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${xml.replace(/^<\?xml[^>]*\?>/, '')}</s:Body></s:Envelope>`,
  ),
];

export const DIRIGIDOS: readonly Dirigido[] = [...ESQUEMA, ...FORMA, ...ASSINATURA];
