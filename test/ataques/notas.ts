/** Genuine documents changed by hand: with another content, another signature, another answer of SEFAZ. */
import { digestOf, signatureXml } from '../../src/gerador/assinatura.ts';
import { certificadoDe, SEMENTE_CERTIFICADOS } from '../../src/gerador/certificado.ts';
import type { Empresa } from '../../src/gerador/empresas.ts';
import { NS_NFE } from '../../src/gerador/xml.ts';

/** Replaces the first place. @throws when there is none: what is sent would be the genuine document */
export function trocar(xml: string, from: string | RegExp, to: string): string {
  const changed = xml.replace(from, () => to);
  if (changed === xml) throw new Error(`nothing to change: ${from}`);
  return changed;
}

/** Another content under the signature as it was: it says the digest of what it held before. */
export function comOutroValor(xml: string): string {
  return trocar(xml, /<vNF>[^<]*</, '<vNF>1.00<');
}

/** `infCpl` with a text of that length, before the signature, which no longer fits. */
export function comTexto(xml: string, text: string): string {
  return trocar(
    xml.replace(/<infAdic>.*?<\/infAdic>/s, ''),
    '</infNFe>',
    `<infAdic><infCpl>${text}</infCpl></infAdic></infNFe>`,
  );
}

/**
 * Signs the one signed element of a DF-e anew, as it now stands.
 * @param xml with one `<signed …>` and one signature; its content must be canonical, as the generator writes it
 * @param assinante whose certificate is used, whoever the document says signs
 */
export function reassinar(
  xml: string,
  input: { elemento: 'infNFe' | 'infEvento' | 'infInut'; assinante: Empresa; em: Date; semente?: string },
): string {
  const { elemento, assinante, em, semente = SEMENTE_CERTIFICADOS } = input;
  const found = new RegExp(`<${elemento} ([^>]*)>(.*?)</${elemento}>`, 's').exec(xml);
  const id = /\bId="([^"]*)"/.exec(found?.[1] ?? '')?.[1];
  if (!found || !id) throw new Error(`no ${elemento} with an Id`);
  const versao = /\bversao="[^"]*"/.exec(found[1] ?? '')?.[0];
  const attributes = `xmlns="${NS_NFE}" Id="${id}"${versao ? ` ${versao}` : ''}`;
  const digest = digestOf(`<${elemento} ${attributes}>${found[2]}</${elemento}>`);
  const certificado = certificadoDe(assinante, semente, em);
  return trocar(xml, /<Signature .*?<\/Signature>/s, signatureXml(id, digest, certificado, assinante.estilo));
}

/** Without any signature. */
export function semAssinatura(xml: string): string {
  return xml.replaceAll(/<Signature .*?<\/Signature>/gs, '');
}
