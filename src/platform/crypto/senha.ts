/** Passwords of people: argon2id, its parameters in the hash, a few at a time so that nobody fills the memory with them. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { currentIp } from '../db/tenant.ts';
import { Shares } from '../threads/shares.ts';

/** @fonte OWASP Password Storage Cheat Sheet (argon2id): 19 MiB, two passes, one lane; about 35 ms on a small server */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Hashes at once, of one address and of all: who tries without end holds up himself. */
const AT_ONCE = { each: 2, capacity: 3 };
/** Whoever would wait longer is told to come back: at 35 ms each there are more than a hundred before him. */
const WAIT_MS = 5_000;

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;
const turns = new Shares({ ...AT_ONCE, waitMs: WAIT_MS });

interface Custo {
  memory: number;
  passes: number;
  parallelism: number;
}

/** Unicode has several ways to write one letter; keyboards differ in which they send. */
const bytesOf = (senha: string) => Buffer.from(senha.normalize('NFKC'));

/** Hashes a password. @returns `$argon2id$v=19$m=…,t=…,p=…$salt$hash` @throws NoPlace when too many wait */
export async function hashSenha(senha: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const custo = { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES };
  const hash = await derive(senha, { salt, custo, length: HASH_BYTES });
  return `${headOf(custo)}$${base64(salt)}$${base64(hash)}`;
}

/**
 * Whether a password is the hashed one, by the parameters that stand in the hash, in constant time.
 * @throws NoPlace when too many wait
 */
export async function isSenha(senha: string, stored: string): Promise<boolean> {
  const [, m, t, p, salt, hash] = PHC.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64');
  const custo = { memory: Number(m), passes: Number(t), parallelism: Number(p) };
  const given = await derive(senha, { salt: Buffer.from(salt, 'base64'), custo, length: expected.length });
  return timingSafeEqual(given, expected);
}

/** Whether a hash was made with other parameters than new ones are: to be made anew when the password is there. */
export function isSenhaAntiga(stored: string): boolean {
  return !stored.startsWith(`${headOf({ memory: MEMORY_KIB, passes: PASSES, parallelism: LANES })}$`);
}

function headOf({ memory, passes, parallelism }: Custo): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}`;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

function derive(
  senha: string,
  { salt, custo, length }: { salt: Buffer; custo: Custo; length: number },
): Promise<Buffer> {
  const options = { message: bytesOf(senha), nonce: salt, tagLength: length, ...custo };
  return turns.run(
    currentIp() ?? '',
    () =>
      new Promise<Buffer>((resolve, reject) => {
        argon2('argon2id', options, (error, hash) => (error ? reject(error) : resolve(hash)));
      }),
  );
}
