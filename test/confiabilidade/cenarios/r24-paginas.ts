/**
 * R24b: the disk forgets, anywhere. One bit is changed in a page of a table or index of SQLite, of every column and at random;
 * `malote verificar` tells of it, or it changes nothing that anybody could read: no row, as its table has it, and no entry of
 * an index; or it is in a column that nothing else in the installation says again, each of which is named here. What `--reparar`
 * calls mended is as it was before.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { readConfig } from '../../../src/config.ts';
import { Aleatorio } from '../../../src/gerador/aleatorio.ts';
import { generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Bit, bitsAoAcaso, bitsDeCadaColuna, swapBit } from '../bisturi-paginas.ts';
import { type Cenario, type Contexto, quanto } from '../cenario.ts';
import { checkAqui, repairAqui } from '../em-processo.ts';
import type { Violacao } from '../julgar.ts';
import { novaPasta } from '../motores.ts';
import { povoar } from '../povoar.ts';

const BANCO = 'malote.sqlite';

/** What is no statement about anything: how far some work has come, and numbers that only say whether something changed. */
const SEM_CONTEUDO: Readonly<Record<string, readonly string[]>> = {
  cliente: ['revisao'],
  documento: ['revisao'],
  arquivo: ['chegando_ate', 'receita', 'receita_tentativas', 'receita_tentada_em'],
  job: [
    'tipo',
    'entradas_prontas',
    'tentativas',
    'disponivel_em',
    'tomado_por',
    'vez',
    'adiado',
    'peso',
    'batida',
  ],
  exclusao: ['tomada_por', 'tomada_ate'],
  exportacao: ['processo', 'batida'],
  migracao: ['aplicada_em'],
  empresa_pendente: ['depois_de'],
  sqlite_sequence: ['seq'],
};

/** Rows that say nothing: a count of none. */
const LINHAS_SEM_CONTEUDO: Readonly<Record<string, string>> = { contagem: 'quantidade <> 0' };
/**
 * What is written once and follows from nothing else: a bit in it is found only where an index has it too. What people register,
 * agree and note; when and how something was asked for; how a schema of then judged a document.
 */
const SEM_TESTEMUNHA: readonly string[] = [
  ...['contador', 'cliente', 'usuario', 'token_integracao', 'token_integracao_cliente'],
  ...['cliente_oauth', 'cliente_oauth_contador', 'segredo_oauth', 'sessao_oauth', 'convite_console'],
  ...['chave_de_endereco.criada_em', 'chave_de_endereco.aposentada_em', 'chave_do_emissor.criada_em'],
  ...['chave_mestra', 'certificado.uf', 'certificado.criado_em', 'certificado.avisado_dias'],
  ...['sessao_console', 'desafio_console', 'totp_console', 'codigo_de_recuperacao', 'primeiro_uso'],
  ...['faltante_justificado', 'finalidade_informada', 'acesso', 'acesso_em_lote', 'leitura_do_feed'],
  ...['exportacao', 'regra_retencao', 'guarda_legal', 'exclusao', 'exclusao_documento', 'exclusao_pacote'],
  ...['copia_de_seguranca', 'copia_agendada', 'esperado.origem', 'esperado.criado_em'],
  ...['captura', 'captura_estado', 'captura_chave', 'captura_relogio', 'captura_municipio'],
  ...['arquivo.fonte', 'arquivo.alcance'],
  ...[
    'manifestacao',
    'resumo_de_nota',
    'manifestacao_regra',
    'falha_vista',
    'leiaute_ensinado',
    'nota_a_ensinar',
  ],
  ...['usuario_cliente', 'identidade_externa', 'entrada_externa'],
  ...['arquivo.token_id', 'arquivo.extensao', 'arquivo.tamanho_anunciado', 'arquivo.criado_em'],
  ...['arquivo.expira_em', 'arquivo.kid', 'arquivo.recebido_em', 'arquivo.inicio_em', 'arquivo.fim_em'],
  ...['metade_de_evento.criado_em', 'nome_de_esquema.nome', 'renovacao'],
];

const COLUNAS_CURTAS = 12;

/**
 * How documents lie in them is nobody's business: a damaged one is stored again by itself. That they give back the bytes with the
 * SHA-256 of their versions is what the check looks at.
 */
const COMO_ESTAO_GUARDADOS: readonly string[] = ['table conteudo', 'table bloco', 'index conteudo_bloco'];

export const bitsEmQualquerPagina: Cenario = {
  id: 'R24b',
  titulo: 'um bit trocado em qualquer página do banco: de cada coluna, e ao acaso em tabelas e índices',
  motores: ['sqlite'],
  async rodar(contexto) {
    const base = novaPasta('paginas');
    try {
      await prepareBase(contexto, base);
      return await swapUmPorUm(contexto, base);
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  },
};

/** An installation with something in every table, at rest: in its folder, without a log. */
async function prepareBase(contexto: Contexto, base: string): Promise<void> {
  const remessa = await generateRemessa({
    semente: `${contexto.semente}/r24b`,
    clientes: 2,
    documentos: 30,
    outras: 6,
    porArquivo: 8,
  });
  const env = { MALOTE_COMPACTAR_ENVIOS: '0' };
  await using bancada = await Bancada.abrir({ motor: 'sqlite', remessa, env, acompanhar: false });
  await bancada.iniciar();
  await bancada.enviarTodos([
    ...remessa.arquivos,
    { nome: 'ruim', extension: '.xml', bytes: Buffer.from('<NFe><infNFe></NFe>'), itens: [] },
  ]);
  await bancada.waitForTerminais();
  await bancada.processo().parar();
  cpSync(bancada.deposito.pasta, base, { recursive: true });
  povoar(join(base, BANCO));
}

async function swapUmPorUm(contexto: Contexto, base: string) {
  const original = join(base, BANCO);
  const sorte = new Aleatorio(`${contexto.semente}/r24b/bits`);
  const todas = bitsDeCadaColuna(original, sorte);
  const comTestemunha = todas.filter(({ onde }) => !ehSemTestemunha(onde));
  const colunas = contexto.curta ? sorte.shuffled(comTestemunha).slice(0, COLUNAS_CURTAS) : todas;
  const acaso = bitsAoAcaso(original, { quantos: quanto(contexto, 8, 250), sorte });
  const antes = retratoDe(original);
  const violacoes: Violacao[] = [];
  const limpa = await checkAqui(configDe(base));
  if (limpa.length > 0) violacoes.push({ regra: 'R24b', detalhe: `sem dano: ${limpa.join(' | ')}` });
  const contas = { achados: 0, semEfeito: 0, reparados: 0, semTestemunha: 0 };
  const danificado = `${original}.danificado`;
  for (const [n, bit] of [...colunas, ...acaso].entries()) {
    if (n % 25 === 0) contexto.aoAvancar(`${n} de ${colunas.length + acaso.length} bits`);
    copyFileSync(original, danificado);
    swapBit(danificado, bit);
    const visto = await umBit({ base, danificado, bit, antes });
    if (typeof visto !== 'string') violacoes.push(visto);
    else contas[visto] += 1;
  }
  const { achados, semEfeito, reparados, semTestemunha } = contas;
  return {
    feito: `1 bit em ${colunas.length} colunas e em ${acaso.length} lugares ao acaso`,
    medido: `${achados + reparados} achados por malote verificar, ${reparados} deles reparados como eram; ${semEfeito} sem efeito em linha ou índice algum; ${semTestemunha} em colunas que nada mais diz; ${violacoes.length} calados`,
    violacoes,
  };
}

function configDe(base: string, path = join(base, BANCO)) {
  return { ...readConfig({ MALOTE_DATA: base }), sqlitePath: path };
}

async function umBit(input: {
  base: string;
  danificado: string;
  bit: Bit;
  antes: Retrato;
}): Promise<'achados' | 'semEfeito' | 'reparados' | 'semTestemunha' | Violacao> {
  const { base, danificado, bit, antes } = input;
  const achados = await checkAqui(configDe(base, danificado));
  if (achados.length === 0) {
    const mudou = diferenca(antes, retratoDe(danificado));
    if (mudou === null) return 'semEfeito';
    const colunas = colunasMudadas(join(base, BANCO), danificado);
    if (colunas.length > 0 && colunas.every(ehSemTestemunha)) return 'semTestemunha';
    const onde = [...colunas, mudou].join('; ');
    return { regra: 'R24b', detalhe: `${bit.onde}, bit ${bit.bit}: calado (${onde})` };
  }
  const restam = await repairAqui(configDe(base, danificado));
  if (restam.length > 0) return 'achados';
  const mudou = diferenca(antes, retratoDe(danificado), COMO_ESTAO_GUARDADOS);
  if (mudou === null) return 'reparados';
  return {
    regra: 'R24b',
    detalhe: `${bit.onde}, bit ${bit.bit}: reparado, mas não como era (${mudou}; ${achados[0]})`,
  };
}

function ehSemTestemunha(coluna: string): boolean {
  const [tabela = ''] = coluna.split('.');
  return SEM_TESTEMUNHA.includes(coluna) || SEM_TESTEMUNHA.includes(tabela);
}

/** Columns in which some row of the two files differs, as `tabela.coluna`. */
function colunasMudadas(original: string, danificado: string): string[] {
  const [um, outro] = [original, danificado].map((path) => new DatabaseSync(path, { readOnly: true }));
  if (!um || !outro) return [];
  try {
    const tables = um.prepare("select name from sqlite_schema where type = 'table'").all();
    return tables.flatMap(({ name }) => {
      const rowsOf = (database: DatabaseSync) =>
        database
          .prepare(`select ${colunasDe(database, String(name)).join(', ') || '1'} from "${name}" not indexed`)
          .all();
      const [certas, mudadas] = [rowsOf(um), rowsOf(outro)];
      const changed = new Set<string>();
      for (const [at, certa] of certas.entries())
        for (const [coluna, valor] of Object.entries(certa))
          if (!isDeepStrictEqual(valor, mudadas[at]?.[coluna])) changed.add(`${name}.${coluna}`);
      return [...changed];
    });
  } finally {
    um.close();
    outro.close();
  }
}

/** Digests of what each table and each index gives, by name. */
type Retrato = Map<string, string>;

function retratoDe(path: string): Retrato {
  const retrato: Retrato = new Map();
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const objects = database
      .prepare(
        "select type, name, tbl_name, sql from sqlite_schema where type in ('table', 'index') and name not like 'sqlite_stat%'",
      )
      .all();
    for (const { type, name, tbl_name, sql } of objects) {
      const table = String(tbl_name);
      const where = / where (.+)$/is.exec(String(sql))?.[1] ?? '1';
      const how =
        type === 'table'
          ? `not indexed where ${LINHAS_SEM_CONTEUDO[table] ?? '1'}`
          : `indexed by "${name}" where ${where}`;
      try {
        const columns = type === 'table' ? colunasDe(database, table) : entradasDe(database, String(name));
        if (columns.length === 0) continue;
        retrato.set(
          `${type} ${name}`,
          digest(database, `select ${columns.join(', ')} from "${table}" ${how}`),
        );
      } catch (error) {
        retrato.set(`${type} ${name}`, (error as Error).message);
      }
    }
  } catch (error) {
    retrato.set('arquivo', (error as Error).message);
  } finally {
    database.close();
  }
  return retrato;
}

function colunasDe(database: DatabaseSync, table: string): string[] {
  const names = database.prepare('select name from pragma_table_info(?)').all(table);
  return names.map(({ name }) => String(name)).filter((name) => !SEM_CONTEUDO[table]?.includes(name));
}

function entradasDe(database: DatabaseSync, index: string): string[] {
  const names = database.prepare('select name from pragma_index_info(?)').all(index);
  return names.map(({ name }) => `"${name}"`);
}

function digest(database: DatabaseSync, text: string): string {
  const hash = createHash('sha256');
  const statement = database.prepare(text);
  statement.setReturnArrays(true);
  for (const row of statement.iterate()) {
    for (const value of row as unknown as unknown[]) {
      hash.update(value instanceof Uint8Array ? value : JSON.stringify(value));
      hash.update('\0');
    }
  }
  return hash.digest('hex');
}

/** @returns what is not as it was, null where everything is */
function diferenca(antes: Retrato, depois: Retrato, salvo: readonly string[] = []): string | null {
  const mudaram = [...new Set([...antes.keys(), ...depois.keys()])].filter(
    (name) => antes.get(name) !== depois.get(name) && !salvo.includes(name),
  );
  return mudaram.length === 0 ? null : mudaram.join(', ');
}
