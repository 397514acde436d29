/** Statements of the first page. None of them grows with the number of documents: they read counts, feeds' ends and clients. */
import { sql } from 'kysely';
import { temBytes } from '../../documentos/queries-envios.ts';
import type { Leitor } from '../documentos/queries-janela.ts';

interface Escopo {
  contadorId: number;
  /** null: all clients of the office. */
  clienteId: number | null;
}

function clientesDe(db: Leitor, { contadorId, clienteId }: Escopo) {
  const query = db.selectFrom('cliente').where('cliente.contador_id', '=', contadorId);
  return clienteId === null ? query : query.where('cliente.id', '=', clienteId);
}

/** Documents by day of issue and model, from the kept counts. */
export async function sumPorDia(db: Leitor, escopo: Escopo & { desde: string }) {
  const rows = await db
    .selectFrom('contagem')
    .select((eb) => ['dia', 'modelo', eb.fn.sum('quantidade').as('quantidade')])
    .where('cliente_id', 'in', clientesDe(db, escopo).select('cliente.id'))
    .where('dia', '>=', escopo.desde)
    .groupBy(['dia', 'modelo'])
    .orderBy('dia')
    .execute();
  return rows.map((row) => ({ ...row, quantidade: Number(row.quantidade) }));
}

/** Files of the office since an instant; index `arquivo_contador`. */
export async function countImportacoes(db: Leitor, input: { contadorId: number; desde: number }) {
  const rows = await db
    .selectFrom('arquivo')
    .leftJoin('job', 'job.arquivo_id', 'arquivo.id')
    .select((eb) => [
      'arquivo.status',
      eb.fn.countAll<number>().as('arquivos'),
      eb.fn.sum('job.itens_prontos').as('documentos'),
    ])
    .where('arquivo.contador_id', '=', input.contadorId)
    .where('arquivo.criado_em', '>=', input.desde)
    .where('arquivo.status', '<>', 'Expirado')
    .groupBy('arquivo.status')
    .execute();
  return rows.map((row) => ({
    status: row.status,
    arquivos: Number(row.arquivos),
    documentos: Number(row.documentos ?? 0),
  }));
}

/** Days on which each client got documents, of its last entries; the primary key of `entrada`, `limite` rows a client. */
export async function findUltimasEntradas(
  db: Leitor,
  input: { clienteId: number; ultimoNsu: number; limite: number },
) {
  const rows = await db
    .selectFrom('entrada')
    .select('importado_em')
    .where('cliente_id', '=', input.clienteId)
    .where('nsu', '>', input.ultimoNsu - input.limite)
    .orderBy('nsu', 'desc')
    .execute();
  return rows.map((row) => row.importado_em);
}

/** Clients whose last entry came before an instant: one row of each by its key. */
export async function findParadosDesde(db: Leitor, escopo: Escopo & { antesDe: number }) {
  return clientesDe(db, escopo)
    .innerJoin('entrada', (join) =>
      join
        .onRef('entrada.cliente_id', '=', 'cliente.id')
        .onRef('entrada.nsu', '=', 'cliente.ultimo_nsu')
        .on('entrada.importado_em', '<', escopo.antesDe),
    )
    .select(['cliente.id', 'cliente.cpf_cnpj as cpfCnpj', 'cliente.nome', 'cliente.ultimo_nsu as ultimoNsu'])
    .orderBy('cliente.nome')
    .execute();
}

/** Certificates in force that end before an instant; index `certificado_vencendo`. */
export async function findCertificados(db: Leitor, escopo: Escopo & { ate: number }) {
  return clientesDe(db, escopo)
    .innerJoin('certificado', 'certificado.cliente_id', 'cliente.id')
    .select(['cliente.cpf_cnpj as cpfCnpj', 'cliente.nome', 'certificado.valido_ate as validoAte'])
    .where('certificado.substituido_em', 'is', null)
    .where('certificado.valido_ate', '<', escopo.ate)
    .orderBy('certificado.valido_ate')
    .limit(200)
    .execute();
}

/** How far each token has read; index `leitura_do_feed_contador`. */
export async function findLeituras(db: Leitor, escopo: Escopo) {
  return clientesDe(db, escopo)
    .innerJoin('leitura_do_feed', 'leitura_do_feed.cliente_id', 'cliente.id')
    .innerJoin('token_integracao', 'token_integracao.id', 'leitura_do_feed.token_id')
    .select([
      'cliente.cpf_cnpj as cpfCnpj',
      'cliente.nome',
      'cliente.ultimo_nsu as ultimoNsu',
      'token_integracao.nome as token',
      'leitura_do_feed.nsu',
      'leitura_do_feed.em',
    ])
    .where('token_integracao.revogado_em', 'is', null)
    .execute();
}

/** Uploads that can be given back, and the bytes that came with them, in whatever form they are kept now; over the office's rows. */
export async function sumArquivos(db: Leitor, contadorId: number) {
  const row = await db
    .selectFrom('arquivo')
    .select((eb) => [eb.fn.sum('tamanho').as('bytes'), eb.fn.countAll<number>().as('arquivos')])
    .where('contador_id', '=', contadorId)
    .where(temBytes())
    .executeTakeFirst();
  return { bytes: Number(row?.bytes ?? 0), arquivos: Number(row?.arquivos ?? 0) };
}

/** Entries of all clients: the ends of their feeds, added. */
export async function sumEntradas(db: Leitor, escopo: Escopo): Promise<number> {
  const row = await clientesDe(db, escopo)
    .select(sql<number>`coalesce(sum(cliente.ultimo_nsu), 0)`.as('entradas'))
    .executeTakeFirst();
  return Number(row?.entradas ?? 0);
}
