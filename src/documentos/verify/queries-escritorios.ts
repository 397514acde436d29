/** Statements of the checks of what belongs to one office (`verificar-escritorios.ts`). */
import { sql } from 'kysely';
import type { Leitor } from '../queries-leitura.ts';

/**
 * What is of one office and hangs on something of another, some of it: a document and the upload that it came in, its parties,
 * the block that its bytes stand in. All rows are read.
 */
export async function findDeOutroEscritorio(db: Leitor): Promise<{ documento_id: number; o_que: string }[]> {
  const { rows } = await sql<{ documento_id: number; o_que: string }>`
    select * from (select documento.id as documento_id, 'o arquivo em que veio' as o_que from versao
      join documento on documento.id = versao.documento_id join arquivo on arquivo.numero = versao.arquivo_numero
      where arquivo.contador_id <> documento.contador_id limit 20) as arquivos
    union all select * from (select documento.id, 'uma parte' from participante
      join documento on documento.id = participante.documento_id
      where participante.contador_id <> documento.contador_id limit 20) as partes
    union all select * from (select documento.id, 'o certificado que assina' from conteudo
      join certificado_de_documento as certificado on certificado.id = conteudo.certificado_id
      join versao on versao.id = conteudo.versao_id join documento on documento.id = versao.documento_id
      where certificado.contador_id <> documento.contador_id limit 20) as certificados
    union all select * from (select documento.id, 'o bloco dos seus bytes' from conteudo
      join bloco on bloco.id = conteudo.bloco_id join versao on versao.id = conteudo.versao_id
      join documento on documento.id = versao.documento_id
      where bloco.contador_id <> documento.contador_id limit 20) as blocos`.execute(db);
  return rows;
}

/** Companies by their names; primary key. */
export async function findEmpresas(
  db: Leitor,
  input: { depoisDe: { contador_id: number; cpf_cnpj: string; nome: string }; limite: number },
) {
  const { contador_id, cpf_cnpj, nome } = input.depoisDe;
  return db
    .selectFrom('empresa')
    .selectAll()
    .where(sql<boolean>`(contador_id, cpf_cnpj, nome) > (${contador_id}, ${cpf_cnpj}, ${nome})`)
    .orderBy('contador_id')
    .orderBy('cpf_cnpj')
    .orderBy('nome')
    .limit(input.limite)
    .execute();
}

/** Which of these words these companies of an office are found by; primary key. */
export async function findPalavrasEntre(
  db: Leitor,
  input: { contadorId: number; palavras: readonly string[]; cpfCnpjs: readonly string[] },
): Promise<{ palavra: string; cpf_cnpj: string }[]> {
  if (input.palavras.length === 0) return [];
  return db
    .selectFrom('empresa_palavra')
    .select(['palavra', 'cpf_cnpj'])
    .where('contador_id', '=', input.contadorId)
    .where('palavra', 'in', input.palavras)
    .where('cpf_cnpj', 'in', input.cpfCnpjs)
    .execute();
}

/** Words by which companies are found, with the names of each; primary keys. */
export async function findPalavras(
  db: Leitor,
  input: { depoisDe: { contador_id: number; palavra: string; cpf_cnpj: string }; limite: number },
) {
  const { contador_id, palavra, cpf_cnpj } = input.depoisDe;
  return db
    .selectFrom('empresa_palavra')
    .selectAll()
    .where(sql<boolean>`(contador_id, palavra, cpf_cnpj) > (${contador_id}, ${palavra}, ${cpf_cnpj})`)
    .orderBy('contador_id')
    .orderBy('palavra')
    .orderBy('cpf_cnpj')
    .limit(input.limite)
    .execute();
}

/** The names by which these companies of an office are known; primary key. */
export async function findNomes(
  db: Leitor,
  input: { contadorId: number; cpfCnpjs: readonly string[] },
): Promise<{ cpf_cnpj: string; nome: string }[]> {
  return db
    .selectFrom('empresa')
    .select(['cpf_cnpj', 'nome'])
    .where('contador_id', '=', input.contadorId)
    .where('cpf_cnpj', 'in', input.cpfCnpjs)
    .execute();
}
