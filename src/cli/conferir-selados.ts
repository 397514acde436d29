/**
 * What is sealed under the master key opens, and its rows say of it what it says: a damaged key or certificate is told here, and
 * not by the first who needs it. It changes nothing.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { haSelados } from '../autorizacao/queries-reselar.ts';
import { ConfigError } from '../config.ts';
import { openSelado, type RegistroSelado } from '../contas/certificado/guardar.ts';
import { titularDoCertificado } from '../fiscal/certificado/titular.ts';
import { type MasterVault, UnsealError } from '../platform/crypto/cofre.ts';
import { type DepsDoComando, openCofreDe } from './deps.ts';
import * as queries from './queries-selados.ts';

interface Conferidos {
  /** pt-BR, one for each row that is not as it was. */
  faltas: string[];
  /** pt-BR; null where everything could be looked at. */
  aviso: string | null;
}

const SEM_CHAVE_MESTRA =
  'A chave mestra não está aqui: o que está selado sob ela (certificados A1, chaves de assinatura, segundos fatores) não foi conferido.';
const NAO_ABRE = 'o que está selado não abre: foi danificado, ou a sua chave mestra falta';
/** By the table that the row is in. */
const O_QUE_FAZER: Readonly<Record<string, string>> = {
  chave_de_endereco: 'Restaure uma cópia de segurança, ou faça outra com malote chaves girar-enderecos',
  chave_do_emissor: 'Restaure uma cópia de segurança, ou faça outra com malote chaves girar --imediatamente',
  totp_console: 'O usuário refaz o segundo fator: malote usuario redefinir --sem-totp',
};

/** Rows looked at in one step. */
const STEP = 100;

export async function checkSelados(deps: DepsDoComando): Promise<Conferidos> {
  // Where nothing is sealed yet, the master key may not have been made.
  if (!(await haSelados(deps.db.read))) return { faltas: [], aviso: null };
  try {
    const vault = await openCofreDe(deps);
    const faltas = [...(await checkChaves(deps, vault)), ...(await checkCertificados(deps, vault))];
    return { faltas, aviso: null };
  } catch (error) {
    if (error instanceof ConfigError) return { faltas: [], aviso: SEM_CHAVE_MESTRA };
    throw error;
  }
}

async function checkChaves({ db }: DepsDoComando, vault: MasterVault): Promise<string[]> {
  const faltas: string[] = [];
  for (const { contexto, selada } of await queries.findSelados(db.read))
    if (!abre(() => vault.open(selada, contexto)))
      faltas.push(`${contexto}: ${NAO_ABRE}. ${O_QUE_FAZER[contexto.split('/')[0] ?? '']}`);
  for (const { kid, certificado } of await queries.findChavesDoEmissor(db.read))
    if (!ehDaChave(kid, certificado))
      faltas.push(
        `chave_do_emissor/${kid}: o certificado não é o desta chave. ${O_QUE_FAZER.chave_do_emissor}`,
      );
  return faltas;
}

function abre(open: () => Buffer): boolean {
  try {
    open().fill(0);
    return true;
  } catch (error) {
    if (error instanceof UnsealError) return false;
    throw error;
  }
}

/** The issuer's key is named by the SHA-256 of its public key, which is in its certificate; that one is signed with it. */
function ehDaChave(kid: string, certificado: Uint8Array): boolean {
  try {
    const lido = new X509Certificate(certificado);
    const spki = lido.publicKey.export({ type: 'spki', format: 'der' });
    return lido.verify(lido.publicKey) && createHash('sha256').update(spki).digest('base64url') === kid;
  } catch {
    return false;
  }
}

async function checkCertificados({ db }: DepsDoComando, vault: MasterVault): Promise<string[]> {
  const faltas: string[] = [];
  for (let depoisDe: string | undefined = ''; depoisDe !== undefined; ) {
    const rows: LinhaDoCertificado[] = await queries.findCertificados(db.read, { depoisDe, limite: STEP });
    faltas.push(...rows.flatMap((row) => faltaDoCertificado(vault, row)));
    depoisDe = rows.length < STEP ? undefined : rows.at(-1)?.id;
  }
  return faltas;
}

type LinhaDoCertificado = Awaited<ReturnType<typeof queries.findCertificados>>[number] & RegistroSelado;

function faltaDoCertificado(vault: MasterVault, row: LinhaDoCertificado): string[] {
  const alvo = `certificado/${row.id} do cliente ${row.cliente_id}`;
  try {
    const { chave, cadeia } = openSelado(vault, row);
    chave.fill(0);
    if (dizOMesmo(row, cadeia[0] ?? Buffer.alloc(0))) return [];
    return [`${alvo}: a sua linha não diz o mesmo que ele. Envie-o de novo`];
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    return [`${alvo}: ${NAO_ABRE}. Envie-o de novo, ou restaure uma cópia de segurança`];
  }
}

function dizOMesmo(row: LinhaDoCertificado, der: Buffer): boolean {
  const x509 = new X509Certificate(der);
  const { cpfCnpj, nome } = titularDoCertificado(der);
  return (
    row.impressao === x509.fingerprint256.replaceAll(':', '').toLowerCase() &&
    row.serie === x509.serialNumber.toLowerCase() &&
    row.titular === cpfCnpj &&
    row.titular_nome === nome &&
    row.valido_de === Date.parse(x509.validFrom) &&
    row.valido_ate === Date.parse(x509.validTo)
  );
}
