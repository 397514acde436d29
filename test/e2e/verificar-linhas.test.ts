/** What rows say is compared with the documents' bytes and with other rows, and mended from what it follows from. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  createEscritorio,
  type Escritorio,
  imported,
  importFile,
  type Malote,
  startMalote,
  upload,
} from '../support/malote.ts';
import { ambienteDoBanco, comBancoDe, MOTOR, runSql } from '../support/motor.ts';
import { checkFeed, lerFeed } from '../support/observador.ts';
import { runJson } from '../support/programa.ts';
import { generateRemessa, type Remessa } from '../support/remessa.ts';

let malote: Malote;
let remessa: Remessa;
let escritorio: Escritorio;
let env: Record<string, string>;
before(async () => {
  remessa = await generateRemessa({
    semente: 'linhas',
    clientes: 2,
    documentos: 40,
    outras: 10,
    porArquivo: 15,
  });
  malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '0', MALOTE_COMPACTAR_ENVIOS: '0' } });
  env = { MALOTE_DATA: malote.dataFolder, ...(await ambienteDoBanco(malote.dataFolder)) };
  escritorio = await createEscritorio(malote.dataFolder, { crm: '9', clientes: remessa.clientes });
  for (const arquivo of remessa.arquivos) await importFile(malote, { token: escritorio.token, ...arquivo });
  const bytes = Buffer.from('<NFe><infNFe></NFe>');
  const id = await upload(malote, { token: escritorio.token, bytes, extension: '.xml' });
  await imported(malote, { token: escritorio.token, id });
});
after(() => malote[Symbol.asyncDispose]());

const verificar = (...args: string[]) => runJson(env, 'verificar', ...args);
const damage = (text: string) => runSql(malote.dataFolder, text);
const mensagens = ({ achados }: { achados: { conferencia: string; mensagem: string }[] }) =>
  achados.map(({ conferencia, mensagem }) => `${conferencia}: ${mensagem}`).join('\n');

/** Everything that is shown of documents, parties, versions, entries and words, but for what only says that it changed. */
function linhas() {
  return comBancoDe(malote.dataFolder, async ({ read }) => {
    const plain = <T extends object>(rows: readonly T[]) => rows.map((row) => ({ ...row, revisao: 0 }));
    const [documentos, partes, versoes, entradas, listagem, palavras] = await Promise.all([
      read.selectFrom('documento').selectAll().orderBy('id').execute(),
      read
        .selectFrom('participante')
        .selectAll()
        .orderBy('documento_id')
        .orderBy('papel')
        .orderBy('cpf_cnpj')
        .execute(),
      read.selectFrom('versao').selectAll().orderBy('id').execute(),
      read.selectFrom('entrada').selectAll().orderBy('cliente_id').orderBy('nsu').execute(),
      read.selectFrom('participacao').selectAll().orderBy('cliente_id').orderBy('documento_id').execute(),
      read.selectFrom('empresa_palavra').selectAll().orderBy('palavra').orderBy('cpf_cnpj').execute(),
    ]);
    return [plain(documentos), partes, versoes, entradas, listagem, palavras];
  });
}

/** Documents that have parties, items and a protocol; another for each damage. */
const nota = (n: number) =>
  `(select id from documento where modelo = '55' and classe = 'documento' and status = 'Autorizada' order by id limit 1 offset ${n})`;
const versao = (n: number) => `(select id from versao where documento_id = ${nota(n)} and servida = 1)`;
/** The text with another last digit: 0 for 1, 3 for 2. */
const umBitAlem = (texto: string) => {
  const last = `cast(substr(${texto}, length(${texto}), 1) as integer)`;
  return `substr(${texto}, 1, length(${texto}) - 1) || cast(${last} + 1 - 2 * (${last} % 2) as text)`;
};
const COM_NOMES =
  "(select min(documento.id) from documento join participante on participante.documento_id = documento.id where classe = 'evento' and nome is not null)";
const EVENTO = "(select min(id) from documento where classe = 'evento')";

describe('rows that do not say what the documents say', () => {
  const cases: [name: string, text: string, said: RegExp][] = [
    [
      'the value of a note',
      `update documento set valor = '900.00' where id = ${nota(0)}`,
      /linhas: .*\(valor\)/,
    ],
    [
      'its number, series and day',
      `update documento set numero = '77', numero_inicial = 77, numero_final = 77, serie = '9', dia = '2020-01-01' where id = ${nota(1)}`,
      /linhas: .*\(dia, serie, numero, numero_inicial, numero_final\)/,
    ],
    [
      'a letter of its key',
      "update documento set chave = substr(chave, 1, 30) || '1' || substr(chave, 32) where id = (select max(id) from documento where modelo = '57' and classe = 'documento')",
      /linhas: .*\(chave\)/,
    ],
    [
      'who issued it, and to whom',
      `update documento set emitente = '11222333000181', destinatario_nome = 'Outra' where id = ${nota(2)}`,
      /linhas: .*\(emitente, destinatario_nome\)/,
    ],
    [
      'what the protocol makes of it',
      `update documento set status_protocolo = 'Denegada' where id = ${nota(3)}`,
      /linhas: .*\(status_protocolo\)/,
    ],
    [
      'which event it is',
      `update documento set evento_sequencia = 7 where id = ${EVENTO}`,
      /linhas: .*\(evento_sequencia\)/,
    ],
    [
      'its items, in a text that is none',
      `update documento set itens = '[' where id = ${nota(4)}`,
      /linhas: .*\(itens\)/,
    ],
    [
      'a party that it does not have',
      `update participante set cpf_cnpj = ${umBitAlem('cpf_cnpj')} where documento_id = ${nota(5)} and papel = 1`,
      /linhas: .*\(destinatario [0-9A-Z]+, a mais: destinatario [0-9A-Z]+\)/,
    ],
    [
      'how a party of an event is called, which its document tells',
      `update participante set nome = 'Outro Nome' where documento_id = ${COM_NOMES} and nome is not null`,
      /linhas: .*\(nome de [a-z]+ [0-9A-Z]+/,
    ],
    [
      'the content that a version is of',
      `update versao set digest = 'AAAA', protocolado = 0 where id = ${versao(6)}`,
      /linhas: .*\(digest, protocolado, protocolo\)/,
    ],
    [
      'its protocol',
      `update versao set protocolo = replace(protocolo, '100.', '101.') where id = ${versao(7)}`,
      /linhas: .*\(protocolo\)/,
    ],
    [
      'a verdict that is no word',
      `update versao set esquema = 'v�lido', assinatura = 'inteora' where id = ${versao(8)}`,
      /linhas: .*\(esquema, assinatura\)/,
    ],
    [
      'why a schema did not find it valid',
      "update versao set esquema_motivo = replace(esquema_motivo, 'Instale', 'Inst!le') where id = (select min(id) from versao where esquema_motivo like '%Instale%')",
      /linhas: .*\(esquema_motivo\)/,
    ],
    [
      'how long a document is',
      `update versao set tamanho = tamanho + 1 where id = ${versao(9)}`,
      /sha256: versão/,
    ],
    [
      'when it came',
      `update documento set importado_em = importado_em + 1 where id = ${nota(10)}`,
      /data_de_chegada_errada/,
    ],
    [
      'the document of an entry',
      'update entrada set documento_id = documento_id + 1 where nsu = 3',
      /listagem: cliente \d+, documento \d+: .*NSU 3, que diz ser do documento/,
    ],
    [
      'the instant of an entry',
      'update entrada set importado_em = (importado_em | 4096) - (importado_em & 4096) where nsu = 5',
      /data_da_entrada_errada: cliente \d+, NSU 5/,
    ],
    [
      'a word that a company is found by',
      "update empresa_palavra set palavra = palavra || 'X' where palavra = (select max(palavra) from empresa_palavra)",
      /nome_sem_palavra/,
    ],
  ];

  it('are found, each of them, and mended as they were', async () => {
    const before = await linhas();
    for (const [name, text] of cases) {
      const last = await linhas();
      await damage(text);
      assert.notDeepEqual(await linhas(), last, `nothing was damaged: ${name}`);
    }
    const found = await verificar();
    assert.equal(found.code, 1);
    for (const [, , said] of cases) assert.match(mensagens(found.value), said);
    const repaired = await verificar('--reparar');
    assert.equal(repaired.code, 0, mensagens(repaired.value));
    assert.ok(repaired.value.totalDeReparos >= cases.length);
    assert.deepEqual(await linhas(), before);
  });

  it('are found in a name by which a company is found, where its words are still the same', async () => {
    const umDeles = "(select min(nome) from empresa where nome like '% Ltda')";
    await damage(`update empresa set nome = replace(nome, ' Ltda', '$Ltda') where nome = ${umDeles}`);
    const { code, value } = await verificar();
    assert.equal(code, 1);
    assert.match(mensagens(value), /nome_divergente: empresa/);
    assert.equal((await verificar('--reparar')).code, 0);
  });

  it('are found in what a version names, and in keys that are sealed', async () => {
    const esquema = "(select nome from nome_de_esquema where nome like 'procNFe%')";
    await damage(
      `update versao set arquivo_numero = arquivo_numero + 64, esquema_nome_id = (select id from nome_de_esquema where nome <> ${esquema} limit 1) where id = ${versao(0)}`,
    );
    await damage("update chave_do_emissor set kid = kid || '!'");
    const { value } = await verificar();
    for (const said of [
      /versao_sem_o_que_nomeia: versão/,
      /linhas: .*\(esquema_nome_id\)/,
      /selados: chave_do_emissor.*não abre/,
      /selados: chave_do_emissor.*certificado não é o desta chave/,
    ])
      assert.match(mensagens(value), said);
    await damage(
      `update versao set arquivo_numero = arquivo_numero - 64, esquema_nome_id = (select id from nome_de_esquema where nome = ${esquema}) where id = ${versao(0)}`,
    );
    await damage('update chave_do_emissor set kid = substr(kid, 1, length(kid) - 1)');
  });

  it('are found where nothing says what they were, and stay as they are', async () => {
    await damage(
      "update item set mensagem = replace(mensagem, 'e', 'd') where resultado = 'rejeitado' and mensagem like '%e%'",
    );
    for (const args of [[], ['--reparar']]) {
      const { value } = await verificar(...args);
      assert.doesNotMatch(mensagens(value), /mensagem/, 'another wording is no damage');
    }
  });

  it('lose no party that the bytes do not name, unless it is one of theirs that has changed', async () => {
    const before = await linhas();
    const estranha = `papel = 2 and cpf_cnpj = '11222333000181'`;
    await damage(
      `insert into participante (documento_id, papel, cpf_cnpj, contador_id) values (${nota(5)}, 2, '11222333000181', (select contador_id from documento where id = ${nota(5)}))`,
    );
    const { code, value } = await verificar('--reparar');
    assert.equal(code, 1);
    assert.match(mensagens(value), /^linhas: .*a mais: \w+ 11222333000181\)\.$/);
    await damage(`delete from participante where ${estranha}`);
    assert.deepEqual(await linhas(), before, 'nothing else was touched');
  });

  it('keep the parties of an event while the key of its note is damaged', async () => {
    const before = await linhas();
    const danificada = `(select nota.id from documento as nota join documento as evento on evento.chave = nota.chave
      and evento.classe = 'evento' where nota.classe = 'documento' order by nota.id limit 1)`;
    await damage(
      `update documento set chave = substr(chave, 1, 43) || case substr(chave, 44) when '0' then '1' else '0' end where id = ${danificada}`,
    );
    const { code, value } = await verificar('--reparar');
    assert.equal(code, 0, mensagens(value));
    assert.deepEqual(await linhas(), before);
  });

  it('are found in the audit log, which nothing mends', async () => {
    await damage(
      MOTOR === 'sqlite' ? 'drop trigger auditoria_nao_muda' : 'alter table auditoria disable trigger user',
    );
    await damage("update auditoria set alvo = alvo || 'x' where n = 1");
    const { value } = await verificar('--reparar');
    assert.match(mensagens(value), /auditoria: registro 1: .*alterado/);
    if (MOTOR === 'sqlite') assert.match(mensagens(value), /banco: .*trigger auditoria_nao_muda/);
  });

  it('have left every feed as it was sent', async () => {
    const { codigoCrm, token } = escritorio;
    for (const [cpfCnpj, esperadas] of remessa.esperadas) {
      const feed = { codigoCrm, token, cpfCnpj };
      await checkFeed(malote, { feed, vistas: await lerFeed(malote, feed), esperadas });
    }
  });
});
