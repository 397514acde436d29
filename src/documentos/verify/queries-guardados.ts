/** Statements of the checks of what is kept beside documents (`verificar-guardados.ts`). */
import { sql } from 'kysely';
import type { Leitor } from '../queries-leitura.ts';

/** Certificates that were cut out of documents; primary key. */
export async function findCertificados(db: Leitor, input: { depoisDe: number; limite: number }) {
  return db
    .selectFrom('certificado_de_documento')
    .select(['id', 'contador_id', 'sha256', 'texto', 'titular', 'signatario'])
    .where('id', '>', input.depoisDe)
    .orderBy('id')
    .limit(input.limite)
    .execute();
}

/** One of them; primary key. */
export async function findCertificado(db: Leitor, id: number) {
  const [row] = await findCertificados(db, { depoisDe: id - 1, limite: 1 });
  return row?.id === id ? row : undefined;
}

/** Authorities that were installed, at most some hundred. */
export async function findAutoridades(db: Leitor) {
  return db.selectFrom('autoridade').select(['id', 'sha256', 'der']).orderBy('id').execute();
}

/** Protocols that wait for their note; primary key. */
export async function findProtocolos(
  db: Leitor,
  input: {
    depoisDe: { contador_id: number; chave: string; ambiente: number; digest: string; status: string };
    limite: number;
  },
) {
  const { contador_id, chave, ambiente, digest, status } = input.depoisDe;
  return db
    .selectFrom('protocolo_avulso')
    .select(['contador_id', 'chave', 'ambiente', 'digest', 'status', 'bytes'])
    .where(
      sql<boolean>`(contador_id, chave, ambiente, digest, status) > (${contador_id}, ${chave}, ${ambiente}, ${digest}, ${status})`,
    )
    .orderBy('contador_id')
    .orderBy('chave')
    .orderBy('ambiente')
    .orderBy('digest')
    .orderBy('status')
    .limit(input.limite)
    .execute();
}

type ChaveDeMetade = {
  contador_id: number;
  chave: string;
  ambiente: number;
  identidade: string;
  lado: string;
  digest: string;
};

/** Halves of events that wait for the other one, with whether the item that they name is there; primary key. */
export async function findMetades(db: Leitor, input: { depoisDe: ChaveDeMetade; limite: number }) {
  const { contador_id, chave, ambiente, identidade, lado, digest } = input.depoisDe;
  return db
    .selectFrom('metade_de_evento as metade')
    .select(['contador_id', 'chave', 'ambiente', 'identidade', 'lado', 'digest', 'bytes'])
    .select((eb) =>
      eb
        .selectFrom('item')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('item.arquivo_numero', '=', 'metade.arquivo_numero')
        .whereRef('item.ordem', '=', 'metade.item_ordem')
        .as('itens'),
    )
    .where(
      sql<boolean>`(contador_id, chave, ambiente, identidade, lado, digest) > (${contador_id}, ${chave}, ${ambiente}, ${identidade}, ${lado}, ${digest})`,
    )
    .orderBy('contador_id')
    .orderBy('chave')
    .orderBy('ambiente')
    .orderBy('identidade')
    .orderBy('lado')
    .orderBy('digest')
    .limit(input.limite)
    .execute();
}

/** Acts of these kinds in the audit log, of which there are few; all of it is read. */
export async function findAtos(
  db: Leitor,
  acoes: readonly string[],
): Promise<{ acao: string; alvo: string }[]> {
  return db.selectFrom('auditoria').select(['acao', 'alvo']).where('acao', 'in', acoes).execute();
}

/** What people have set aside or chosen; all rows are read, a few have such a mark. */
export async function findMarcas(
  db: Leitor,
): Promise<
  { documento_id: number; versao_id: number | null; marca: 'afastado' | 'afastada' | 'escolhida' }[]
> {
  const { rows } = await sql<{
    documento_id: number;
    versao_id: number | null;
    marca: 'afastado' | 'afastada' | 'escolhida';
  }>`
    select id as documento_id, cast(null as integer) as versao_id, 'afastado' as marca from documento where afastado <> 0
    union all select documento_id, id, 'afastada' from versao where afastada <> 0
    union all select documento_id, id, 'escolhida' from versao where escolhida <> 0`.execute(db);
  return rows;
}
