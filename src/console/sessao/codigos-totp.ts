/** One-time codes (RFC 6238) and the codes that stand in for a lost device. */
import { randomBytes, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';

/** @fonte RFC 4226 §4 R6: 160 bits */
const SEED_BYTES = 20;
const PASSO_MS = 30_000;
const DIGITS = 6;
/** Steps before and after the present one whose code is taken: clocks differ. @fonte RFC 6238 §5.2 */
const WINDOW = 1;
const ISSUER = 'Malote';
const RECOVERY_CODES = 10;
/** 80 bits each: nobody guesses one, so that they may be tried while one-time codes are held up. */
const RECOVERY_CHARACTERS = 16;
/** Without the letters and digits that people mix up. */
const RECOVERY_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

export function novaSemente(): Buffer {
  return randomBytes(SEED_BYTES);
}

/** What an authenticator app is set up with: by typing, by link, by camera. */
export function presentSemente(
  semente: Uint8Array,
  { email }: { email: string },
): { segredo: string; uri: string; qrSvg: string } {
  const totp = totpDe(semente, email);
  const uri = totp.toString();
  return { segredo: totp.secret.base32, uri, qrSvg: renderSVG(uri, { border: 2 }) };
}

/**
 * The step (30 seconds, counted from 1970) that a code belongs to.
 * @returns null when it is the code of none of the three steps around now
 */
export function passoDoCodigo(
  semente: Uint8Array,
  { codigo, agora }: { codigo: string; agora: number },
): number | null {
  const delta = totpDe(semente, '').validate({ token: codigo, timestamp: agora, window: WINDOW });
  return delta === null ? null : Math.floor(agora / PASSO_MS) + delta;
}

/** Whether a text is meant as a one-time code; else it is a recovery code. */
export function isCodigoTotp(text: string): boolean {
  return new RegExp(`^\\d{${DIGITS}}$`).test(text);
}

/** New recovery codes, `ABCD-EFGH-JKMN-PQRS`. */
export function novosCodigosDeRecuperacao(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from({ length: RECOVERY_CHARACTERS }, randomLetter).join('');
    return letters.replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** A recovery code as it is compared: however it was typed. */
export function codigoLimpo(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

function randomLetter(): string {
  return RECOVERY_ALPHABET.charAt(randomInt(RECOVERY_ALPHABET.length));
}

function totpDe(semente: Uint8Array, label: string): TOTP {
  const buffer = new Uint8Array(semente).buffer;
  return new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PASSO_MS / 1000,
    secret: new Secret({ buffer }),
  });
}
