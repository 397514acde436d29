/**
 * R24c: the same on a PostgreSQL with checksums of its pages and amcheck: one bit anywhere in a file of a table, of what is too
 * long for it, or of an index.
 */
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../../../src/config.ts';
import { Aleatorio } from '../../../src/gerador/aleatorio.ts';
import { generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Bit, swapBit } from '../bisturi-paginas.ts';
import { type Cenario, type Contexto, quanto } from '../cenario.ts';
import { checkAqui, repairAqui } from '../em-processo.ts';
import type { Violacao } from '../julgar.ts';
import { ServidorPostgres } from '../servidor-postgres.ts';

interface Relacao {
  nome: string;
  indice: boolean;
  /** Below the server's data. */
  arquivo: string;
  bytes: number;
}

export const bitsEmQualquerPaginaDoPostgres: Cenario = {
  id: 'R24c',
  titulo: 'um bit trocado em qualquer arquivo de tabela ou índice, com somas de página e amcheck',
  motores: ['postgres'],
  // A server of its own: for the long form.
  motoresCurtos: [],
  async rodar(contexto) {
    await using servidor = await ServidorPostgres.abrir([], { somas: true });
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r24c`,
      clientes: 2,
      documentos: 30,
      porArquivo: 8,
    });
    const env = { MALOTE_COMPACTAR_ENVIOS: '0' };
    await using bancada = await Bancada.abrir({
      motor: 'postgres',
      remessa,
      env,
      servidor,
      acompanhar: false,
    });
    await bancada.iniciar();
    await bancada.enviarTodos(remessa.arquivos);
    await bancada.waitForTerminais();
    await bancada.processo().parar();
    const banco = bancada.deposito.banco;
    if (!banco) throw new Error('no database');
    await consultar(
      banco.urlDoAdministrador,
      `create extension amcheck; grant execute on function bt_index_check(regclass, boolean), verify_heapam to ${servidor.papel}`,
    );
    const config = readConfig(bancada.env);
    return await swapUmPorUm(contexto, { servidor, config, url: banco.urlDoAdministrador });
  },
};

interface Alvo {
  servidor: ServidorPostgres;
  config: ReturnType<typeof readConfig>;
  url: string;
}

async function swapUmPorUm(contexto: Contexto, alvo: Alvo) {
  const quantos = quanto(contexto, 6, 120);
  const sorte = new Aleatorio(`${contexto.semente}/r24c/bits`);
  const violacoes: Violacao[] = [];
  const limpa = await checkAqui(alvo.config);
  if (limpa.length > 0) violacoes.push({ regra: 'R24c', detalhe: `sem dano: ${limpa.join(' | ')}` });
  const antes = await retratoDe(alvo.url);
  const contas = { achados: 0, semEfeito: 0, reparados: 0 };
  for (let n = 0; n < quantos; n++) {
    if (n % 10 === 0) contexto.aoAvancar(`${n} de ${quantos} bits`);
    const visto = await umBit(alvo, { relacao: sorte.pick(await relacoesDe(alvo.url)), sorte, antes });
    if (typeof visto !== 'string') violacoes.push(visto);
    else contas[visto] += 1;
  }
  const { achados, semEfeito, reparados } = contas;
  return {
    feito: `1 bit em ${quantos} lugares ao acaso`,
    medido: `${achados + reparados} achados por malote verificar, ${reparados} deles (em índices) reparados; ${semEfeito} sem efeito em linha alguma; ${violacoes.length} calados`,
    violacoes,
  };
}

async function umBit(
  { servidor, config, url }: Alvo,
  { relacao, sorte, antes }: { relacao: Relacao; sorte: Aleatorio; antes: string },
): Promise<'achados' | 'semEfeito' | 'reparados' | Violacao> {
  const path = join(servidor.dados, relacao.arquivo);
  const bit: Bit = {
    offset: sorte.integer(0, relacao.bytes - 1),
    bit: sorte.integer(0, 7),
    onde: relacao.nome,
  };
  const detalhe = (text: string) => ({ regra: 'R24c', detalhe: `${bit.onde}, byte ${bit.offset}: ${text}` });
  await swapParado(servidor, { path, bit, url });
  const achados = await checkAqui(config);
  if (achados.length > 0 && relacao.indice) {
    const restam = await repairAqui(config);
    // What was made anew lies in another file.
    if (restam.length > 0) return detalhe(`não reparado: ${restam[0]}`);
    return (await retratoDe(url)) === antes ? 'reparados' : detalhe('reparado, mas não como era');
  }
  const mudou = achados.length > 0 ? null : (await retratoDe(url)) !== antes;
  await swapParado(servidor, { path, bit, url });
  if (mudou === null) return 'achados';
  return mudou ? detalhe('calado') : 'semEfeito';
}

/** Everything is in the files, and the server is down while one of them changes. */
async function swapParado(
  servidor: ServidorPostgres,
  { path, bit, url }: { path: string; bit: Bit; url: string },
): Promise<void> {
  await consultar(url, 'checkpoint');
  await servidor.derrubar();
  swapBit(path, bit);
  await servidor.iniciar();
}

async function relacoesDe(url: string): Promise<Relacao[]> {
  const rows = await consultar(
    url,
    `select oid::regclass::text as nome, relkind = 'i' as indice, pg_relation_filepath(oid) as arquivo,
       pg_relation_size(oid)::int as bytes
     from pg_class
     where relkind in ('r', 'i', 't') and pg_relation_size(oid) > 0 and (relnamespace = 'public'::regnamespace
       or oid in (select reltoastrelid from pg_class where relnamespace = 'public'::regnamespace))
     order by oid`,
  );
  return rows as unknown as Relacao[];
}

/** Every row of every table, as text. */
async function retratoDe(url: string): Promise<string> {
  const tables = await consultar(
    url,
    `select relname as nome from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  );
  const parts: string[] = [];
  for (const { nome } of tables) {
    const [row] = await consultar(
      url,
      `select md5(coalesce(string_agg(linha::text, ',' order by linha::text), '')) as soma from "${nome}" as linha`,
    );
    parts.push(`${nome} ${row?.soma}`);
  }
  return parts.join('\n');
}

async function consultar(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const result = await client.query(text);
    return Array.isArray(result) ? [] : result.rows;
  } finally {
    await client.end();
  }
}
