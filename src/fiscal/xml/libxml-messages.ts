/**
 * Turns libxml2's English into pt-BR that a person in an office can act on. The `{namespace}` noise is dropped,
 * long values and lists are cut.
 */
import { tabela } from '../tabela.ts';

const VALUE_MAX = 80;
const PATTERN_MAX = 120;
const LIST_MAX = 12;

type Translation = readonly [RegExp, (...groups: string[]) => string];

/** `{http://www.portalfiscal.inf.br/nfe}cUF` → `cUF`, `##other:*` stays. */
function withoutNamespaces(text: string): string {
  return text.replace(/\{[^{}' ]*\}(?=[\p{L}_*])/gu, '');
}

function clip(text: string | undefined, max = VALUE_MAX): string {
  const whole = (text ?? '').replace(/\s+/g, ' ');
  return whole.length > max ? `${whole.slice(0, max)}…` : whole;
}

/** `( a, b, c )` → `a, b ou c`. */
function alternatives(list: string | undefined): string {
  const names = (list ?? '').split(',').map((name) => name.trim());
  const kept = [...new Set(names)].filter((name) => name !== '');
  if (kept.length > LIST_MAX) return `${kept.slice(0, LIST_MAX).join(', ')}…`;
  const last = kept.pop() ?? '';
  return kept.length === 0 ? last : `${kept.join(', ')} ou ${last}`;
}

/** `'11', '12'` → `11, 12`. */
function valueSet(set: string | undefined): string {
  const values = [...(set ?? '').matchAll(/'([^']*)'/g)].map(([, value]) => value ?? '');
  return alternatives(values.map((value) => clip(value, 40)).join(','));
}

function expected(list: string | undefined): string {
  return list ? ` Esperado: ${alternatives(list)}.` : '';
}

const TYPE_NAMES: Record<string, string> = tabela({
  date: 'uma data (AAAA-MM-DD)',
  dateTime: 'uma data e hora',
  decimal: 'um número decimal',
  integer: 'um número inteiro',
  base64Binary: 'um texto em Base64',
  anyURI: 'um endereço (URI)',
  ID: 'um identificador único no documento',
});

function invalidValue(value: string | undefined, type: string | undefined): string {
  const named = TYPE_NAMES[(type ?? '').replace(/^xs:/, '')];
  const shown = `O valor "${clip(value)}"`;
  if (named) return `${shown} não é ${named}.`;
  return type ? `${shown} não é válido para o tipo ${clip(type)}.` : `${shown} não é válido.`;
}

/** What a pattern of the official schemas means, where its text would only frighten. @fonte tiposBasico_v4.00.xsd */
function format(pattern: string | undefined): string {
  if (pattern?.startsWith('[!-ÿ]{1}')) return 'texto sem espaço no início ou no fim, sem quebra de linha';
  if (pattern?.startsWith('(((20(('))
    return pattern.includes(')T') ? 'AAAA-MM-DDThh:mm:ss±hh:mm' : 'AAAA-MM-DD';
  return clip(pattern, PATTERN_MAX);
}

/** Texts that follow `Element 'x': ` or `Element 'x', attribute 'y': `. @fonte xmlschemas.c of libxml2, texts of its errors */
const SCHEMA_TRANSLATIONS: readonly Translation[] = [
  [
    /^\[facet 'pattern'\] The value '(.*)' is not accepted by the pattern '(.*)'\.$/s,
    (v, p) => `O valor "${clip(v)}" não tem o formato exigido: ${format(p)}.`,
  ],
  [
    /^\[facet 'enumeration'\] The value '(.*)' is not an element of the set \{(.*)\}\.$/s,
    (v, s) => `O valor "${clip(v)}" não é um dos permitidos: ${valueSet(s)}.`,
  ],
  [
    /^\[facet 'length'\] The value (?:'.*' )?has a length of '(\d+)'; this differs from the allowed length of '(\d+)'\.$/s,
    (n, m) => `O valor tem ${n} caracteres; deve ter exatamente ${m}.`,
  ],
  [
    /^\[facet 'minLength'\] The value (?:'.*' )?has a length of '(\d+)'; this underruns the allowed minimum length of '(\d+)'\.$/s,
    (n, m) => `O valor tem ${n} caracteres; o mínimo é ${m}.`,
  ],
  [
    /^\[facet 'maxLength'\] The value (?:'.*' )?has a length of '(\d+)'; this exceeds the allowed maximum length of '(\d+)'\.$/s,
    (n, m) => `O valor tem ${n} caracteres; o máximo é ${m}.`,
  ],
  [
    /^\[facet 'minInclusive'\] The value '(.*)' is less than the minimum value allowed \('(.*)'\)\.$/s,
    (v, m) => `O valor ${clip(v)} é menor que o mínimo permitido (${clip(m)}).`,
  ],
  [
    /^\[facet 'maxInclusive'\] The value '(.*)' is greater than the maximum value allowed \('(.*)'\)\.$/s,
    (v, m) => `O valor ${clip(v)} é maior que o máximo permitido (${clip(m)}).`,
  ],
  [
    /^\[facet 'minExclusive'\] The value '(.*)' must be greater than '(.*)'\.$/s,
    (v, m) => `O valor ${clip(v)} deve ser maior que ${clip(m)}.`,
  ],
  [
    /^\[facet 'maxExclusive'\] The value '(.*)' must be less than '(.*)'\.$/s,
    (v, m) => `O valor ${clip(v)} deve ser menor que ${clip(m)}.`,
  ],
  [
    /^\[facet 'totalDigits'\] The value '(.*)' has more digits than are allowed \('(.*)'\)\.$/s,
    (v, m) => `O valor ${clip(v)} tem mais de ${clip(m)} dígitos.`,
  ],
  [
    /^\[facet 'fractionDigits'\] The value '(.*)' has more fractional digits than are allowed \('(.*)'\)\.$/s,
    (v, m) => `O valor ${clip(v)} tem mais de ${clip(m)} casas decimais.`,
  ],
  [
    /^'(.*)' is not a valid value of the (?:local )?(?:atomic|list|union) type(?: '(.*)')?\.$/s,
    (v, t) => invalidValue(v, t),
  ],
  [
    /^Missing child element\(s\)\.(?: Expected is (?:one of )?\( (.*) \)\.)?$/s,
    (l) => `Falta um elemento filho.${expected(l)}`,
  ],
  [
    /^This element is not expected\.(?: Expected is (?:one of )?\( (.*) \)\.)?$/s,
    (l) => `Este elemento não é esperado aqui.${expected(l)}`,
  ],
  [/^The attribute '(.*)' is not allowed\.$/, (a) => `O atributo ${clip(a)} não é permitido.`],
  [/^The attribute '(.*)' is required but missing\.$/, (a) => `Falta o atributo obrigatório ${clip(a)}.`],
  [
    /^Duplicate key-sequence \[(.*)\] in (?:unique|key) identity-constraint '(.*)'\.$/s,
    (k) => `O valor ${clip(k)} se repete onde deve ser único.`,
  ],
  [
    /^No match found for key-sequence \[(.*)\] of keyref '(.*)'\.$/s,
    (k) => `O valor ${clip(k)} se refere a algo que não existe no documento.`,
  ],
  [
    /^No matching global declaration available for the validation root\.$/,
    () => 'Este elemento raiz não pertence ao esquema (nome ou namespace diferente).',
  ],
  [
    /^No matching global element declaration available, but demanded by the strict wildcard\.$/,
    () => 'Este elemento não existe no esquema.',
  ],
  [
    /^Character content (?:other than whitespace )?is not allowed,? because the content type is (?:'element-only'|empty)\.$/,
    () => 'Há texto solto onde só cabem elementos.',
  ],
  [
    /^Element content is not allowed,? because the (?:content type is empty|type definition is simple|content type is a simple type definition)\.$/,
    () => 'Este elemento não pode ter elementos dentro de si.',
  ],
  [
    /^The (?:actual )?value '(.*)' does not match the fixed value constraint '(.*)'\.$/s,
    (v, f) => `O valor "${clip(v)}" deve ser "${clip(f)}".`,
  ],
];

/** How every schema fault begins: the element, sometimes its attribute, then what is wrong. */
const SUBJECT = /^Element '([^']*)'(?:, attribute '([^']*)')?: (.*)$/s;

/** Local name of the attribute that a schema fault is about; null when it is about the element. */
export function attributeInFault(official: string): string | null {
  return SUBJECT.exec(withoutNamespaces(official))?.[2] ?? null;
}

/** What a fault is about, where a newer schema may know what this one does not. */
export type CausaDaFalta =
  /** An element or attribute that is not allowed where it stands. */
  | { kind: 'nome'; nome: string }
  /** A value that is none of those that are listed. */
  | { kind: 'valor' }
  | { kind: 'outra' };

/** @param official the fault as libxml2 tells it */
export function causeOfFault(official: string): CausaDaFalta {
  const [, element = '', , rest = ''] = SUBJECT.exec(withoutNamespaces(official.trim())) ?? [];
  if (rest.startsWith("[facet 'enumeration']")) return { kind: 'valor' };
  if (rest.startsWith('This element is not expected.')) return { kind: 'nome', nome: element };
  const attribute = /^The attribute '(.*)' is not allowed\.$/.exec(rest)?.[1];
  return attribute ? { kind: 'nome', nome: attribute } : { kind: 'outra' };
}

/** Without the namespaces, "x is not expected, expected is x" would only confuse. */
function isExpectedByName(element: string, rest: string): boolean {
  const [, list = ''] =
    /^This element is not expected\. Expected is (?:one of )?\( (.*) \)\.$/s.exec(rest) ?? [];
  return list.split(',').some((name) => name.trim() === element);
}

/** Message of a schema fault, with the element (or attribute) it is about in front. */
export function translateSchemaFault(official: string): string {
  const text = withoutNamespaces(official.trim());
  const [, element, attribute, rest] = SUBJECT.exec(text) ?? [];
  if (element === undefined || rest === undefined) return `Falha no esquema: ${clip(text, 300)}`;
  const subject = attribute ? `${element}/@${attribute}` : element;
  if (isExpectedByName(element, rest)) return `${subject}: Este elemento não está no namespace esperado.`;
  for (const [pattern, say] of SCHEMA_TRANSLATIONS) {
    const found = pattern.exec(rest);
    if (found) return `${subject}: ${say(...found.slice(1))}`;
  }
  return `${subject}: ${clip(rest, 300)}`;
}

/** @fonte parser.c, parserInternals.c and SAX2.c of libxml2, texts of their errors */
const SYNTAX_TRANSLATIONS: readonly Translation[] = [
  [
    /^Opening and ending tag mismatch: (\S+) line (\d+) and (\S+)/,
    (a, l, b) => `A marca </${b}> não corresponde a <${a}>, aberta na linha ${l}.`,
  ],
  [/^Premature end of data in tag (\S+)/, (a) => `O arquivo termina antes do fim: falta fechar <${a}>.`],
  [/^(?:Document is empty|Start tag expected)/, () => 'O arquivo não contém XML.'],
  [/^Extra content at the end of the document/, () => 'Há conteúdo depois do fim do documento.'],
  [/^Entity '(.*)' not defined/, (e) => `A entidade &${clip(e)}; não existe em XML.`],
  [/^xmlParseEntityRef: no name/, () => 'O caractere & está solto no XML, o que o padrão não permite.'],
  [/^EntityRef: expecting ';'/, () => 'O caractere & está solto no XML, o que o padrão não permite.'],
  [/^Attribute (\S+) redefined/, (a) => `O atributo ${a} aparece mais de uma vez no mesmo elemento.`],
  [
    /^Namespaced Attribute (\S+) in '.*' redefined/,
    (a) => `O atributo ${a} aparece mais de uma vez no mesmo elemento.`,
  ],
  [
    /^Namespace prefix (\S+)(?: for \S+)? on (\S+) is not defined/,
    (p, e) => `O prefixo ${p} de ${e} não foi declarado (xmlns:${p}).`,
  ],
  [
    /^xmlns(?::\S+)?: '(.*)' is not a valid URI/,
    (u) => `O namespace "${clip(u)}" não é um endereço (URI) válido.`,
  ],
  [
    /^(?:Input is not proper UTF-8|Invalid bytes in character encoding)/,
    () => 'O arquivo tem bytes que não são da codificação declarada.',
  ],
  [
    /^(?:PCDATA invalid Char value|Char 0x|invalid character in attribute value|xmlParseCharRef: invalid)/,
    () => 'O XML contém um caractere que não é permitido.',
  ],
  [/^AttValue: " or ' expected/, () => 'O valor de um atributo não está entre aspas.'],
  [
    /^Unescaped '<' not allowed in attributes values/,
    () => 'O caractere < não é permitido no valor de um atributo.',
  ],
  [
    /^XML declaration allowed only at the start of the document/,
    () => 'A declaração <?xml … ?> só é permitida no início do arquivo.',
  ],
  [/^Excessive depth in document/, () => 'O XML tem níveis de elementos demais.'],
  [
    /^(?:StartTag: invalid element name|attributes construct error|Couldn't find end of Start Tag|expected '>'|Specification mandates value for attribute)/,
    () => 'Uma marca (<…>) está mal formada.',
  ],
];

/** Message of a document that is not well-formed. */
export function translateSyntaxFault(official: string): string {
  const text = official.trim();
  for (const [pattern, say] of SYNTAX_TRANSLATIONS) {
    const found = pattern.exec(text);
    if (found) return say(...found.slice(1).map((group) => group ?? ''));
  }
  return text === '' ? 'O XML não está bem formado.' : `O XML não está bem formado: ${clip(text, 200)}`;
}
