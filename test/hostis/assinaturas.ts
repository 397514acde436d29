/** Attacks on signatures: what is verified and what is read must stay one thing. */
import type { Aleatorio } from '../../src/gerador/aleatorio.ts';
import type { Mutador } from './mutacoes.ts';
import { ancora, assinaturaEm, inteiro, localName, type Trecho, trocar } from './texto.ts';

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';

interface Alvo {
  random: Aleatorio;
  ancora: Trecho;
  assinatura: Trecho;
}

/** A change of a text that has a signed element and a signature. */
function signed(act: (text: string, target: Alvo) => string): Mutador {
  return (text, { random }) => {
    const [found, signature] = [ancora(text), assinaturaEm(text)];
    return found && signature ? act(text, { random, ancora: found, assinatura: signature }) : text;
  };
}

/** The signed element with one digit of a value changed. */
function altered(text: string, element: Trecho): string {
  return inteiro(text, element).replace(
    /(>[^<]*?)(\d)(?=[^<>]*<\/)/,
    (_, before, digit) => `${before}${9 - Number(digit)}`,
  );
}

/** Changes one character of the content of an element inside the signature. */
function flipped(nome: string): Mutador {
  return (text, { random }) => {
    const all = [...text.matchAll(new RegExp(`<((?:[\\w-]+:)?${nome})>([^<]+)<`, 'g'))];
    if (all.length === 0) return text;
    const { 0: whole, 2: value = '', index } = random.pick(all);
    const at = index + whole.length - 1 - value.length + random.integer(0, value.length - 1);
    return trocar(text, at, at + 1, random.pick(['A', 'b', '7', '+', '=', ' ', '<!-- -->']));
  };
}

const ALGORITHMS = [
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments',
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
  'http://www.w3.org/2006/12/xml-c14n11',
  'http://www.w3.org/TR/1999/REC-xslt-19991116',
  'http://www.w3.org/TR/1999/REC-xpath-19991116',
  `${DSIG}enveloped-signature`,
  `${DSIG}base64`,
  `${DSIG}hmac-sha1`,
  `${DSIG}rsa-sha1`,
  `${DSIG}sha1`,
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#md5',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  '',
];

export const ASSINATURAS: Readonly<Record<string, Mutador>> = {
  digest: flipped('DigestValue'),
  valor: flipped('SignatureValue'),
  certificado: flipped('X509Certificate'),
  algoritmo: (text, { random }) => {
    const all = [...text.matchAll(/Algorithm="([^"]*)"/g)];
    if (all.length === 0) return text;
    const { index, 0: whole } = random.pick(all);
    return trocar(text, index, index + whole.length, `Algorithm="${random.pick(ALGORITHMS)}"`);
  },
  transformExtra: (text, { random }) =>
    text.replace('</Transforms>', `<Transform Algorithm="${random.pick(ALGORITHMS)}"/></Transforms>`),
  uri: (text, { random }) =>
    text.replace(
      /URI="#[^"]*"/,
      random.pick(['URI=""', 'URI="#x"', '', 'URI="file:///etc/hostname"', 'URI="#xpointer(/)"', "URI='#'"]),
    ),
  semCertificado: (text) => text.replace(/<X509Data>.*?<\/X509Data>/s, ''),
  chaveSolta: (text) =>
    text.replace(
      /<X509Data>.*?<\/X509Data>/s,
      '<KeyValue><RSAKeyValue><Modulus>AQAB</Modulus><Exponent>AQAB</Exponent></RSAKeyValue></KeyValue>',
    ),
  deOutra: (text, { outra }) => {
    const [here, there] = [assinaturaEm(text), assinaturaEm(outra)];
    return here && there ? trocar(text, here.inicio, here.fim, inteiro(outra, there)) : text;
  },
  conteudoDeOutra: (text, { outra }) => {
    const [here, there] = [ancora(text), ancora(outra)];
    return here && there ? trocar(text, here.inicio, here.fim, inteiro(outra, there)) : text;
  },
  duas: signed((text, { assinatura }) =>
    trocar(text, assinatura.fim, assinatura.fim, inteiro(text, assinatura)),
  ),
  sem: signed((text, { assinatura }) => trocar(text, assinatura.inicio, assinatura.fim, '')),
  dentro: signed((text, { ancora: a, assinatura: s }) => {
    if (s.inicio < a.fim) return text;
    const rest = trocar(text, s.inicio, s.fim, '');
    return trocar(rest, a.inicioFecho, a.inicioFecho, inteiro(text, s));
  }),
  antes: signed((text, { ancora: a, assinatura: s }) => {
    if (s.inicio < a.fim) return text;
    return trocar(trocar(text, s.inicio, s.fim, ''), a.inicio, a.inicio, inteiro(text, s));
  }),
  doisSignedInfo: (text) => text.replace(/<SignedInfo>.*?<\/SignedInfo>/s, (info) => info + info),
  duasReferencias: (text) =>
    text.replace(/<Reference .*?<\/Reference>/s, (reference) => reference + reference),
  doisDigests: (text) => text.replace(/<DigestValue>.*?<\/DigestValue>/s, (value) => value + value),
  comentarioNoDigest: (text) => text.replace(/<DigestValue>(.{5})/, '<DigestValue>$1<!-- x -->'),
  espacosNaAssinatura: (text) => text.replace(/<SignatureValue>(.{20})/, '<SignatureValue>\n$1\n'),
  objeto: signed((text, { ancora: a, assinatura: s }) => {
    if (s.inicio < a.fim) return text;
    const object = `<Object>${inteiro(text, a)}</Object>`;
    const at = s.inicioFecho;
    return trocar(trocar(text, at, at, object), a.inicio, a.fim, altered(text, a));
  }),
  irmaoAntes: signed((text, { ancora: a }) => trocar(text, a.inicio, a.inicio, altered(text, a))),
  irmaoDepois: signed((text, { ancora: a }) => trocar(text, a.fim, a.fim, altered(text, a))),
  irmaoSemId: signed((text, { ancora: a, random }) => {
    const copy = altered(text, a).replace(
      /\bId="([^"]*)"/,
      random.pick(['', 'id="$1"', 'Id="$1x"', 'ID="$1"']),
    );
    const at = random.pick([a.inicio, a.fim]);
    return trocar(text, at, at, copy);
  }),
  embrulhada: signed((text, { ancora: a, random }) => {
    const wrapped = `<x>${inteiro(text, a)}</x>`;
    return trocar(
      text,
      a.inicio,
      a.fim,
      random.chance(0.5) ? altered(text, a) + wrapped : wrapped + altered(text, a),
    );
  }),
  filha: signed((text, { ancora: a }) => {
    const outer = altered(text, a);
    return trocar(text, a.inicio, a.fim, outer.replace(/(<\/[^>]*>)$/, `${inteiro(text, a)}$1`));
  }),
  documentoDuplo: signed((text, { ancora: a, random }) => {
    const parent = text.lastIndexOf('<', a.inicio - 1);
    const nome = /^<([\w:.-]+)/.exec(text.slice(parent))?.[1] ?? 'x';
    const copy = `<${nome} xmlns="http://www.portalfiscal.inf.br/nfe">${altered(text, a)}</${nome}>`;
    const at = random.pick([parent, text.length]);
    return trocar(text, Math.max(0, at), Math.max(0, at), copy);
  }),
  alterado: signed((text, { ancora: a }) => trocar(text, a.inicio, a.fim, altered(text, a))),
  namespaceDaAssinatura: signed((text, { assinatura: s, random }) => {
    const other = inteiro(text, s).replace(
      DSIG,
      random.pick(['', 'http://www.w3.org/2000/09/xmldsig', 'urn:x', `${DSIG} `]),
    );
    return trocar(text, s.inicio, s.fim, other);
  }),
  assinaturaPrefixada: signed((text, { assinatura: s }) => {
    const prefixed = inteiro(text, s)
      .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1ds:')
      .replace('xmlns="', 'xmlns:ds="');
    return trocar(text, s.inicio, s.fim, prefixed);
  }),
  idTrocado: signed((text, { ancora: a, random }) =>
    trocar(
      text,
      a.inicio,
      a.fimAbertura,
      text.slice(a.inicio, a.fimAbertura).replace(/Id="[^"]*"/, random.pick(['', 'Id=""', 'Id="x"'])),
    ),
  ),
  ancoraRenomeada: signed((text, { ancora: a }) => {
    const nome = localName(a.nome);
    return trocar(text, a.inicio, a.fim, inteiro(text, a).replaceAll(nome, nome.toLowerCase()));
  }),
};
