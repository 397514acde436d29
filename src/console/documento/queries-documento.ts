/** Statements of one document as the console shows it; all by primary key or by an index of the document. */
import type { CodigoDePapel, CodigoDeTipo, Db } from '../../banco/tabelas.ts';
import { PAPEL_EM_CODIGO, TIPO_EM_CODIGO, type TipoDeParticipacao } from '../../documentos/lean/codigos.ts';
import { COLUNAS_GUARDADAS } from '../../documentos/queries-leitura.ts';
import type { FaixaDeChaves } from '../../fiscal/nfse/mesma-nota.ts';
import { type Papel, STATUS_DOCUMENTO } from '../../fiscal/tipos.ts';
import type { Alcance } from '../acesso.ts';
import { origemDoArquivo } from '../queries-origem.ts';

type EmPalavras<Linha> = Omit<Linha, 'papel' | 'tipo'> & { papel: Papel; tipo: TipoDeParticipacao };

function emPalavras<Linha extends { papel: CodigoDePapel; tipo: CodigoDeTipo }>(
  row: Linha,
): EmPalavras<Linha> {
  return { ...row, papel: PAPEL_EM_CODIGO.ler(row.papel), tipo: TIPO_EM_CODIGO.ler(row.tipo) };
}

/** A document as one of the clients that the session sees takes part in it. */
export async function findDocumento(
  db: Db,
  input: { contadorId: number; documentoId: number; alcance: Alcance },
) {
  let query = db
    .selectFrom('documento')
    .innerJoin('participacao', 'participacao.documento_id', 'documento.id')
    .innerJoin('cliente', 'cliente.id', 'participacao.cliente_id')
    .selectAll('documento')
    .select([
      'participacao.cliente_id',
      'participacao.nsu',
      'participacao.papel',
      'participacao.tipo',
      'cliente.cpf_cnpj as cliente',
      'cliente.nome as cliente_nome',
    ])
    .where('documento.id', '=', input.documentoId)
    .where('documento.contador_id', '=', input.contadorId)
    .where('cliente.contador_id', '=', input.contadorId)
    .orderBy('participacao.cliente_id')
    .limit(1);
  if (input.alcance !== null) query = query.where('participacao.cliente_id', 'in', input.alcance);
  const row = await query.executeTakeFirst();
  return row && emPalavras(row);
}

export type LinhaDoDocumento = NonNullable<Awaited<ReturnType<typeof findDocumento>>>;

/** A document has one version, or a few. When somebody has sent thousands of forms of it, so many are shown. */
const VERSOES_MAX = 100;

/** Versions of a document, the served one first; of very many the oldest. */
export async function findVersoes(db: Db, documentoId: number) {
  return db
    .selectFrom('versao')
    .leftJoin('arquivo', 'arquivo.numero', 'versao.arquivo_numero')
    .leftJoin('token_integracao', 'token_integracao.id', 'arquivo.token_id')
    .leftJoin('usuario', 'usuario.id', 'arquivo.usuario_id')
    .leftJoin('nome_de_esquema', 'nome_de_esquema.id', 'versao.esquema_nome_id')
    .leftJoin('conteudo', 'conteudo.versao_id', 'versao.id')
    .leftJoin('certificado_de_documento', 'certificado_de_documento.id', 'conteudo.certificado_id')
    .selectAll('versao')
    .select([
      'nome_de_esquema.nome as esquema_nome_guardado',
      'certificado_de_documento.titular as certificado_titular',
      'certificado_de_documento.signatario as certificado_signatario',
      'arquivo.id as arquivo_id',
      origemDoArquivo().as('origem'),
      'arquivo.nome as arquivo_nome',
      'token_integracao.nome as token',
      'usuario.nome as usuario',
      'arquivo.usuario_id',
    ])
    .where('versao.documento_id', '=', documentoId)
    .orderBy('versao.servida', 'desc')
    .orderBy('versao.id')
    .limit(VERSOES_MAX)
    .execute();
}

export type LinhaDaVersao = Awaited<ReturnType<typeof findVersoes>>[number];

/** What is known of one version of a document; primary keys. */
export async function findVersao(db: Db, input: { documentoId: number; versaoId: number }) {
  return db
    .selectFrom('versao')
    .innerJoin('documento', 'documento.id', 'versao.documento_id')
    .select(['versao.prova', 'versao.falhas', 'documento.chave'])
    .where('versao.id', '=', input.versaoId)
    .where('versao.documento_id', '=', input.documentoId)
    .executeTakeFirst();
}

/** Stored bytes of one version of a document; undefined when it has none any more. */
export async function findConteudo(db: Db, input: { documentoId: number; versaoId: number }) {
  return db
    .selectFrom('conteudo')
    .innerJoin('versao', 'versao.id', 'conteudo.versao_id')
    .leftJoin('bloco', 'bloco.id', 'conteudo.bloco_id')
    .leftJoin('certificado_de_documento', 'certificado_de_documento.id', 'conteudo.certificado_id')
    .select([...COLUNAS_GUARDADAS, 'versao.codificacao', 'versao.sha256'])
    .where('versao.id', '=', input.versaoId)
    .where('versao.documento_id', '=', input.documentoId)
    .executeTakeFirst();
}

/** The document that an event speaks of; index `documento_chave`. */
export async function findNota(db: Db, input: { contador_id: number; chave: string; ambiente: number }) {
  return db
    .selectFrom('documento')
    .select(['id', 'chave', 'emitido_em', 'modelo', 'numero', 'status', 'prova', 'nprot'])
    .where('contador_id', '=', input.contador_id)
    .where('chave', '=', input.chave)
    .where('classe', '=', 'documento')
    .where('ambiente', '=', input.ambiente)
    .executeTakeFirst();
}

/** Events of the same key; index `documento_chave`. */
export async function findEventos(
  db: Db,
  input: { contadorId: number; chave: string; ambiente: number; documentoId: number },
) {
  return db
    .selectFrom('documento')
    .select([
      'id',
      'evento_codigo',
      'evento_descricao',
      'evento_sequencia',
      'data_emissao',
      'emitido_em',
      'importado_em',
      'nprot',
      'status',
      'prova',
      'status_prova',
      'afastado',
      'evento_efeito',
      'protocolo_da_nota',
    ])
    .where('contador_id', '=', input.contadorId)
    .where('chave', '=', input.chave)
    .where('classe', '=', 'evento')
    .where('ambiente', '=', input.ambiente)
    .where('id', '<>', input.documentoId)
    .orderBy('emitido_em')
    .limit(500)
    .execute();
}

/**
 * What lies in these ranges of keys, and the session sees: documents, and cancellations whose document is not there; index
 * `documento_chave`.
 */
export async function findNasFaixas(
  db: Db,
  input: {
    contadorId: number;
    ambiente: number;
    alcance: Alcance;
    faixas: readonly FaixaDeChaves[];
  },
) {
  const { faixas, alcance } = input;
  if (faixas.length === 0) return [];
  return db
    .selectFrom('documento')
    .select(['id', 'classe', 'chave', 'status', 'layout_nacional', 'emitido_em', 'destinatario'])
    .where('contador_id', '=', input.contadorId)
    .where((eb) =>
      eb.or(faixas.map(({ de, ate }) => eb.and([eb('chave', '>=', de), eb('chave', '<=', ate)]))),
    )
    .where('ambiente', '=', input.ambiente)
    .where(({ or, and, not, eb, exists, selectFrom }) => {
      const suaNota = selectFrom('documento as nota')
        .select('nota.id')
        .where('nota.contador_id', '=', input.contadorId)
        .whereRef('nota.chave', '=', 'documento.chave')
        .whereRef('nota.ambiente', '=', 'documento.ambiente')
        .where('nota.classe', '=', 'documento');
      const soCancelamento = [eb('classe', '=', 'evento'), eb('status', '=', STATUS_DOCUMENTO.cancelada)];
      return or([eb('classe', '=', 'documento'), and([...soCancelamento, not(exists(suaNota))])]);
    })
    .where(({ exists, selectFrom }) => {
      const partes = selectFrom('participacao')
        .select('participacao.nsu')
        .whereRef('participacao.documento_id', '=', 'documento.id');
      return exists(alcance === null ? partes : partes.where('participacao.cliente_id', 'in', alcance));
    })
    .orderBy('id')
    .limit(20)
    .execute();
}

/** The last accesses of a document; index `acesso_documento`. */
export async function findAcessos(db: Db, input: { documentoId: number; limite: number }) {
  return db
    .selectFrom('acesso')
    .select(['em', 'ato', 'autor'])
    .where('documento_id', '=', input.documentoId)
    .orderBy('id', 'desc')
    .limit(input.limite)
    .execute();
}

/** Feed pages that held an entry of a client; index `acesso_em_lote_cliente`. */
export async function findLeiturasEmLote(db: Db, input: { clienteId: number; nsu: number; limite: number }) {
  return db
    .selectFrom('acesso_em_lote')
    .select(['ate as em', 'autor'])
    .where('cliente_id', '=', input.clienteId)
    .where('nsu_ate', '>=', input.nsu)
    .where('nsu_de', '<=', input.nsu)
    .orderBy('ate', 'desc')
    .limit(input.limite)
    .execute();
}

/** Names of the authors of accesses: `token:3` and `usuario:2`. */
export async function findNomesDeAutores(
  db: Db,
  input: { contadorId: number; tokens: readonly number[]; usuarios: readonly number[] },
): Promise<Map<string, string>> {
  const tokens = await db
    .selectFrom('token_integracao')
    .select(['id', 'nome'])
    .where('contador_id', '=', input.contadorId)
    .where('id', 'in', [0, ...input.tokens])
    .execute();
  const usuarios = await db
    .selectFrom('usuario')
    .select(['id', 'nome'])
    .where('contador_id', '=', input.contadorId)
    .where('id', 'in', [0, ...input.usuarios])
    .execute();
  return new Map([
    ...tokens.map((row): [string, string] => [`token:${row.id}`, row.nome]),
    ...usuarios.map((row): [string, string] => [`usuario:${row.id}`, row.nome]),
  ]);
}

/** Other clients of the office that have the same document. */
export async function findClientesDoDocumento(db: Db, input: { contadorId: number; documentoId: number }) {
  const rows = await db
    .selectFrom('participacao')
    .innerJoin('cliente', 'cliente.id', 'participacao.cliente_id')
    .select([
      'cliente.id',
      'cliente.cpf_cnpj as cpfCnpj',
      'cliente.nome',
      'participacao.papel',
      'participacao.tipo',
      'participacao.nsu',
    ])
    .where('participacao.documento_id', '=', input.documentoId)
    .where('cliente.contador_id', '=', input.contadorId)
    .orderBy('cliente.id')
    .execute();
  return rows.map(emPalavras);
}
