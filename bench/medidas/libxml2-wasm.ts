import { join } from 'node:path';
import { ParseOption, XmlDocument, XsdValidator } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import type { Conjunto } from '../conjunto.ts';
import { shortestRun } from '../melhor.ts';
import type { Resultado } from '../razoes.ts';

/** Second baseline: the same judge as the product's, in one thread, with nothing of the product around it. */
export function measureLibxml2Wasm(conjunto: Conjunto): { docsPorSegundo: number; resultado: Resultado } {
  xmlRegisterFsInputProviders();
  const option = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE;
  const { pasta, arquivo } = conjunto.esquema;
  using schema = XmlDocument.fromString(`<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"
    targetNamespace="http://www.portalfiscal.inf.br/nfe" xmlns="http://www.portalfiscal.inf.br/nfe">
    <xs:include schemaLocation="${join(pasta, arquivo)}"/></xs:schema>`);
  using validator = XsdValidator.fromDoc(schema);
  const seconds = shortestRun(() => {
    for (const { bytes } of conjunto.documentos) {
      using document = XmlDocument.fromBuffer(bytes, { option });
      validator.validate(document);
    }
  });
  const docsPorSegundo = conjunto.documentos.length / seconds;
  const linhas = [{ oQue: 'forma e XSD', valor: docsPorSegundo, unidade: 'docs/s', nota: '' }];
  const titulo = 'Linha de base sem programas nativos (libxml2-wasm, uma thread)';
  return { docsPorSegundo, resultado: { titulo, linhas, razoes: {}, motivos: {} } };
}
