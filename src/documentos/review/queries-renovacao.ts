/** Statements of the judging anew of signers (`renovar-signatarios.ts`). */
import type { Selectable } from 'kysely';
import type { Db, TabelaRenovacao } from '../../banco/tabelas.ts';
import type { Trx } from '../tipos.ts';

export interface CertificadoAProcurar {
  id: number;
  texto: string;
  signatario: string | null;
}

/** Certificates whose chain was not looked for with these authorities; two ends of index `certificado_a_procurar`. */
export async function findCertificadosAProcurar(
  db: Db,
  input: { autoridades: string; limite: number },
): Promise<CertificadoAProcurar[]> {
  const found: CertificadoAProcurar[] = [];
  for (const side of ['<', '>'] as const) {
    found.push(
      ...(await db
        .selectFrom('certificado_de_documento')
        .select(['id', 'texto', 'signatario'])
        .where('autoridades', side, input.autoridades)
        .orderBy('autoridades')
        .orderBy('id')
        .limit(input.limite - found.length)
        .execute()),
    );
    if (found.length >= input.limite) break;
  }
  return found;
}

/** What one certificate was found to be worth; primary key. */
export async function writeSignatarioDoCertificado(
  trx: Trx,
  input: { id: number; signatario: string | null; autoridades: string | null; renovado?: string },
): Promise<void> {
  const { id, ...values } = input;
  await trx.updateTable('certificado_de_documento').set(values).where('id', '=', id).execute();
}

export type Renovacao = Selectable<TabelaRenovacao>;

/** How far the walk over the versions has come; undefined: there was none. */
export async function findRenovacao(db: Db): Promise<Renovacao | undefined> {
  return db.selectFrom('renovacao').selectAll().executeTakeFirst();
}

export async function writeRenovacao(
  trx: Trx,
  input: { autoridades: string; versaoApos: number; mudadosAte: number },
): Promise<void> {
  const { autoridades, versaoApos: versao_apos, mudadosAte: mudados_ate } = input;
  await trx
    .insertInto('renovacao')
    .values({ unica: 1, autoridades, versao_apos, mudados_ate })
    .onConflict((conflict) => conflict.column('unica').doUpdateSet({ autoridades, versao_apos, mudados_ate }))
    .execute();
}

/** The last version there is; 0 for none. End of the primary key. */
export async function findUltimaVersao(db: Db): Promise<number> {
  const row = await db.selectFrom('versao').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

export interface VersaoARever {
  id: number;
  importado_em: number;
  signatario: string | null;
  assinatura_titular: string | null;
  certificado_id: number | null;
  certificado_signatario: string | null;
  certificado_renovado: string | null;
}

/** Versions by number, with the certificate that was cut out of them; three primary keys. */
export async function findVersoesARever(
  db: Db,
  input: { depoisDe: number; limite: number },
): Promise<VersaoARever[]> {
  return db
    .selectFrom('versao')
    .leftJoin('conteudo', 'conteudo.versao_id', 'versao.id')
    .leftJoin('certificado_de_documento', 'certificado_de_documento.id', 'conteudo.certificado_id')
    .select([
      'versao.id',
      'versao.importado_em',
      'versao.signatario',
      'versao.assinatura_titular',
      'conteudo.certificado_id',
      'certificado_de_documento.signatario as certificado_signatario',
      'certificado_de_documento.renovado as certificado_renovado',
    ])
    .where('versao.id', '>', input.depoisDe)
    .orderBy('versao.id')
    .limit(input.limite)
    .execute();
}

/** What the signer of one version was found to be worth; primary key. */
export async function writeSignatarioDaVersao(
  trx: Trx,
  input: { id: number; signatario: string | null },
): Promise<void> {
  await trx.updateTable('versao').set({ signatario: input.signatario }).where('id', '=', input.id).execute();
}
