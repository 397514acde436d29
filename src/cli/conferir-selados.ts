/**
 * What is sealed under the master key opens, and its rows say of it what it says: a damaged key or certificate is told here, and
 * not by the first who needs it. It changes nothing.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { sealContext as contextoDoEndereco } from '../autorizacao/chaves-de-endereco.ts';
import { sealContext as contextoDoEmissor } from '../autorizacao/emissor/chaves.ts';
import { haSelados } from '../autorizacao/queries-reselar.ts';
import { ConfigError } from '../config.ts';
import { contextoDoTotp } from '../console/sessao/totp.ts';
import { openSelado, type Vigente, vigentes } from '../contas/certificado/guardar.ts';
import { dadosDoX509 } from '../contas/certificado/ler-pfx.ts';
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
/** By the table that the row is in: what its seal is bound to, and what to do where it does not open. */
const SELADOS = {
  chave_de_endereco: {
    contexto: contextoDoEndereco,
    oQueFazer: 'Restaure uma cópia de segurança, ou faça outra com malote chaves girar-enderecos',
  },
  chave_do_emissor: {
    contexto: contextoDoEmissor,
    oQueFazer: 'Restaure uma cópia de segurança, ou faça outra com malote chaves girar --imediatamente',
  },
  totp_console: {
    contexto: (kid: string) => contextoDoTotp(Number(kid)),
    oQueFazer: 'O usuário refaz o segundo fator: malote usuario redefinir --sem-totp',
  },
} as const;

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
  for (const { tabela, kid, selada } of await queries.findSelados(db.read)) {
    const { contexto, oQueFazer } = SELADOS[tabela];
    if (!abre(() => vault.open(selada, contexto(kid))))
      faltas.push(`${contexto(kid)}: ${NAO_ABRE}. ${oQueFazer}`);
  }
  for (const { kid, certificado } of await queries.findChavesDoEmissor(db.read))
    if (!ehDaChave(kid, certificado))
      faltas.push(
        `${contextoDoEmissor(kid)}: o certificado não é o desta chave. ${SELADOS.chave_do_emissor.oQueFazer}`,
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
  for await (const row of vigentes(db.read)) faltas.push(...faltaDoCertificado(vault, row));
  return faltas;
}

function faltaDoCertificado(vault: MasterVault, row: Vigente): string[] {
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

function dizOMesmo(row: Vigente, der: Buffer): boolean {
  const { titular, titularNome, serie, impressao, validoDe, validoAte } = dadosDoX509(
    new X509Certificate(der),
  );
  return (
    row.impressao === impressao &&
    row.serie === serie &&
    row.titular === titular &&
    row.titular_nome === titularNome &&
    row.valido_de === validoDe &&
    row.valido_ate === validoAte
  );
}
