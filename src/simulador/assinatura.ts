/** Whether an event that came was signed over what it says. */
import { createHash } from 'node:crypto';
import { verifySignature } from '../fiscal/assinatura/verify.ts';
import { scanXml } from '../fiscal/xml/scan.ts';
import { child } from '../fiscal/xml/tree.ts';

/** @param evento `evento` or `eventoCTe`, with the namespace on it */
export function isSigned(evento: string): boolean {
  const scanned = scanXml(Buffer.from(evento));
  if (!scanned.ok) return false;
  const inf = child(scanned.tree.root, 'infEvento');
  return inf !== null && verifySignature(scanned.tree, inf).resultado === 'integra';
}

/** A protocol number of 15 digits that two events do not share. */
export function protocolNumber(semente: string): string {
  const number = BigInt(`0x${createHash('sha256').update(semente).digest('hex').slice(0, 14)}`);
  return `891${number.toString().padStart(12, '0').slice(-12)}`;
}
