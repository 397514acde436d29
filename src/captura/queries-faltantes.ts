/** Statements about documents that an office knows by key only, and that a captured client may be given. */
import { sql } from 'kysely';
import type { Db, Tabelas } from '../banco/tabelas.ts';
import type { Servico } from '../banco/tabelas-captura.ts';
import { TIPO_EM_CODIGO } from '../documentos/lean/codigos.ts';

export interface ChaveConhecida {
  chave: string;
  cliente_id: number;
  cpf_cnpj: string;
}

/** Offices that capture something. A few rows of index `captura_contador`. */
export async function findEscritoriosQueCapturam(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('captura')
    .select('contador_id')
    .distinct()
    .where('ligada', '=', 1)
    .execute();
  return rows.map((row) => row.contador_id);
}

/** Missing NF-e of which an event is in the feed of a client who received the note; primary key of `esperado`. */
export async function findSoComEvento(
  db: Db,
  input: { contadorId: number; limite: number },
): Promise<ChaveConhecida[]> {
  return esperados(db, input)
    .innerJoin('documento', (join) =>
      join
        .onRef('documento.contador_id', '=', 'esperado.contador_id')
        .onRef('documento.chave', '=', 'esperado.chave')
        .on('documento.classe', '=', 'evento'),
    )
    .innerJoin('participacao', 'participacao.documento_id', 'documento.id')
    .innerJoin('cliente', 'cliente.id', 'participacao.cliente_id')
    .innerJoin('captura', (join) => comCaptura(join, 'nfe'))
    .select(['esperado.chave', 'cliente.id as cliente_id', 'cliente.cpf_cnpj'])
    .where('esperado.origem', '=', 'evento')
    .where('esperado.modelo', '=', '55')
    .where('participacao.tipo', '=', TIPO_EM_CODIGO.escrever('Recebida'))
    .limit(input.limite)
    .execute();
}

/** Missing documents that a captured client issued itself; primary key of `esperado`. */
export async function findProprias(
  db: Db,
  input: { contadorId: number; servico: Servico; modelo: string; limite: number },
): Promise<ChaveConhecida[]> {
  return esperados(db, input)
    .innerJoin('cliente', (join) =>
      join
        .onRef('cliente.contador_id', '=', 'esperado.contador_id')
        .onRef('cliente.cpf_cnpj', '=', 'esperado.emitente'),
    )
    .innerJoin('captura', (join) => comCaptura(join, input.servico))
    .select(['esperado.chave', 'cliente.id as cliente_id', 'cliente.cpf_cnpj'])
    .where('esperado.modelo', '=', input.modelo)
    .limit(input.limite)
    .execute();
}

/** Those of an office that nobody has decided about yet. */
function esperados(db: Db, { contadorId }: { contadorId: number }) {
  return db
    .selectFrom('esperado')
    .where('esperado.contador_id', '=', contadorId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('captura_chave')
            .select(sql.lit(1).as('um'))
            .whereRef('captura_chave.contador_id', '=', 'esperado.contador_id')
            .whereRef('captura_chave.chave', '=', 'esperado.chave'),
        ),
      ),
    );
}

type Juncao = import('kysely').JoinBuilder<Tabelas, 'cliente' | 'captura'>;

function comCaptura<T>(join: T, servico: Servico): T {
  const joined = join as unknown as Juncao;
  return joined
    .onRef('captura.cliente_id', '=', 'cliente.id')
    .on('captura.servico', '=', servico)
    .on('captura.ligada', '=', 1) as unknown as T;
}
