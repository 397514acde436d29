import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { MOTOR } from '../../../test/support/motor.ts';
import {
  type Cofre,
  chaveDe,
  collect,
  DESTINATARIO,
  EMITENTE,
  esperado,
  evento,
  inutilizacao,
  nota,
  openCofre,
  TERCEIRO,
} from '../cofre-testing.ts';
import { PAPEL_EM_CODIGO, TIPO_EM_CODIGO } from '../lean/codigos.ts';
import type { Achado } from './achados.ts';
import { type OpcoesDaVerificacao, verifyCofre } from './verificar.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
  const outro = await cofre.novoContador();
  await cofre.registrar(EMITENTE);
  await cofre.registrar(DESTINATARIO);
  await cofre.registrar(TERCEIRO, outro);
  await cofre.gravar(evento(chaveDe({ numero: 2 })));
  await cofre.gravar(nota({ cStat: null }), nota({ numero: 2 }), nota({ numero: 3 }));
  await cofre.gravar(nota(), nota({ numero: 3, conteudo: 'outro' }), nota({ numero: 4, ambiente: 2 }));
  await cofre.gravar(evento(chaveDe({ numero: 3 }), { codigo: '110110' }), inutilizacao({ de: 5, ate: 7 }));
  await cofre.gravar(esperado(chaveDe({ numero: 8 })));
});
afterEach(() => cofre.db.close());

function achados(options: OpcoesDaVerificacao = {}): Promise<Achado[]> {
  return collect(verifyCofre(cofre.db.read, options));
}

/** A literal of bytes given as hex. */
const bytes = (hex: string) => (MOTOR === 'postgres' ? `'\\x${hex}'` : `x'${hex}'`);

/** Damages the vault behind its back. */
async function damage(text: string): Promise<void> {
  assert.ok((await cofre.danificar(text)) > 0, 'nothing was damaged');
}

describe('a sound vault', () => {
  test('has no findings, whatever the size of the step', async () => {
    for (const tamanho of [1, 2, 3, 1_000]) assert.deepEqual(await achados({ tamanho }), []);
  });

  test('that is empty has none either', async () => {
    const empty = await openCofre();
    assert.deepEqual(await collect(verifyCofre(empty.db.read)), []);
    await empty.db.close();
  });

  test('has none at the ends of days, in summer time or long ago', async () => {
    const instantes = [
      '2026-03-10T23:59:59-03:00',
      '2026-03-11T00:00:00-03:00',
      '2018-11-03T23:59:59-03:00',
      '2018-11-04T01:00:00-02:00',
      '2018-02-17T23:30:00-02:00',
      '2018-02-17T23:30:00-03:00',
      '2018-02-18T00:00:00-03:00',
      '1969-12-31T20:59:59-03:00',
      '1969-12-31T21:00:00-03:00',
      '1969-12-31T00:00:00-03:00',
      '1905-05-05T00:02:00-03:00',
      '1905-05-05T00:10:00-03:00',
    ];
    await cofre.gravar(...instantes.map((data, at) => nota({ numero: 100 + at, data })));
    assert.deepEqual(await achados(), []);
  });

  test('has none either while imports go on', async () => {
    const imports = async () => {
      for (let numero = 100; numero < 130; numero++) await cofre.gravar(nota({ numero }));
    };
    const [found] = await Promise.all([achados({ tamanho: 1 }), imports()]);
    assert.deepEqual(found, []);
  });
});

describe('damage is found', () => {
  const cases: [name: string, text: string, codigos: string[], alvo: RegExp][] = [
    [
      'an entry that is gone',
      'delete from entrada where cliente_id = 1 and nsu = 3',
      ['nsu_com_lacuna', 'listagem_sem_entrada'],
      /31313131000152 do CRM 000001/,
    ],
    [
      'a counter that is ahead of its feed',
      'update cliente set ultimo_nsu = ultimo_nsu + 1 where id = 2',
      ['nsu_com_lacuna'],
      /cliente 4242/,
    ],
    [
      'a counter that is behind it',
      'update cliente set ultimo_nsu = ultimo_nsu - 1 where id = 2',
      ['nsu_com_lacuna'],
      /cliente 4242/,
    ],
    [
      'numbers with a hole',
      'update entrada set nsu = 99 where cliente_id = 1 and nsu = (select max(nsu) from entrada where cliente_id = 1)',
      ['nsu_com_lacuna', 'listagem_com_nsu_antigo', 'listagem_sem_entrada'],
      /000001/,
    ],
    [
      'an entry without its document',
      "delete from documento where numero = '5'",
      ['entrada_sem_documento', 'listagem_divergente', 'versao_sem_documento'],
      /cliente 1, NSU/,
    ],
    [
      'an entry without its client',
      'delete from cliente where id = 2',
      ['entrada_sem_cliente'],
      /cliente 2, NSU 1/,
    ],
    [
      'an entry that is not in the listings',
      "delete from participacao where cliente_id = 1 and documento_id = (select id from documento where classe = 'inutilizacao')",
      ['contagem_errada', 'entrada_sem_listagem', 'documento_nao_entregue'],
      /modelo 55, 2026-03-10, Emitida, Inutilizada/,
    ],
    [
      'a listing row that shows an older entry',
      'update participacao set nsu = 2 where cliente_id = 1 and nsu = (select max(nsu) from entrada where cliente_id = 1 and documento_id = 2)',
      ['listagem_com_nsu_antigo'],
      /cliente 1, NSU/,
    ],
    [
      'a listing row without an entry',
      'update participacao set nsu = 77 where cliente_id = 2 and documento_id = 3',
      ['listagem_sem_entrada'],
      /cliente 2, documento 3/,
    ],
    [
      'an entry of another office',
      'update documento set contador_id = 2 where id = 2',
      ['documento_de_outro_escritorio', 'entrada_de_outro_escritorio'],
      /cliente 1, NSU/,
    ],
    [
      'an entry of a client without part',
      "delete from participante where documento_id = 3 and cpf_cnpj like '4242%'",
      ['entrada_sem_parte'],
      /cliente 2, NSU/,
    ],
    [
      'a party without an entry',
      `update participante set cpf_cnpj = '${DESTINATARIO}', papel = ${PAPEL_EM_CODIGO.escrever('autorizado')} where documento_id = (select id from documento where classe = 'inutilizacao')`,
      ['entrada_sem_parte', 'documento_nao_entregue'],
      /cliente 1, NSU/,
    ],
    [
      'a listing row with another date',
      'update participacao set emitido_em = emitido_em - 86400000 where cliente_id = 1 and documento_id = 2',
      ['contagem_errada', 'listagem_divergente'],
      /2026-03-(09|10)/,
    ],
    [
      'a listing row with a status of no word',
      'update participacao set status = 99 where cliente_id = 1 and documento_id = 2',
      ['contagem_errada', 'listagem_divergente'],
      /modelo 55, 2026-03-10/,
    ],
    [
      'a listing row with another papel',
      `update participacao set papel = ${PAPEL_EM_CODIGO.escrever('transportador')} where cliente_id = 1 and documento_id = 2`,
      ['papel_errado'],
      /cliente 1, documento 2/,
    ],
    [
      'a listing row on the other side',
      `update participacao set tipo = ${TIPO_EM_CODIGO.escrever('Recebida')} where cliente_id = 1 and documento_id = 2`,
      ['contagem_errada', 'papel_errado', 'repetida_errada'],
      /modelo 55, 2026-03-10, Emitida/,
    ],
    [
      'a listing row that counts a document another client counts',
      'update participacao set repetida = 0 where documento_id = 2',
      ['repetida_errada'],
      /documento 2/,
    ],
    [
      'two served versions',
      'update versao set servida = 1 where servida = 0 and documento_id = 2',
      ['versao_servida'],
      new RegExp(`documento ${chaveDe({})}`),
    ],
    [
      'no served version',
      'update versao set servida = 0 where documento_id = 3',
      ['versao_servida'],
      /documento 35/,
    ],
    ['bytes that are gone', 'delete from conteudo where versao_id = 1', ['conteudo_ausente'], /versão 1 /],
    [
      'bytes that are others',
      'update conteudo set bytes = (select bytes from conteudo where versao_id = 2) where versao_id = 1',
      ['conteudo_danificado'],
      /versão 1 /,
    ],
    [
      'bytes that are no longer any form',
      `update conteudo set bytes = ${bytes('00112233')} where versao_id = 1`,
      ['conteudo_danificado'],
      /versão 1 /,
    ],
    [
      'a form that is unknown',
      'update conteudo set formato = 9 where versao_id = 1',
      ['conteudo_danificado'],
      /versão 1 /,
    ],
    [
      'a checksum that is another',
      'update conteudo set soma = soma + 1 where versao_id = 1',
      ['soma_errada'],
      /versão 1 /,
    ],
    [
      'a size that is another',
      'update versao set tamanho = tamanho + 1 where id = 1',
      ['conteudo_danificado'],
      /versão 1 /,
    ],
    [
      'bytes of no version',
      `insert into conteudo (versao_id, formato, soma, bytes) values (900, 1, 0, ${bytes('00')})`,
      ['conteudo_solto'],
      /versão 900/,
    ],
    [
      'a status that does not follow from the events',
      "update documento set status = 'Autorizada' where numero = '2' and classe = 'documento'",
      ['listagem_divergente', 'status_errado'],
      /documento/,
    ],
    [
      'a letter of correction that is not marked',
      "update documento set carta_correcao = 0 where numero = '3' and classe = 'documento'",
      ['listagem_divergente', 'status_errado'],
      /documento/,
    ],
    [
      'an event whose own status is wrong',
      "update documento set status = 'Evento' where classe = 'evento' and numero = '2'",
      ['listagem_divergente', 'status_errado'],
      /documento/,
    ],
    [
      'a count that is wrong',
      "update contagem set quantidade = quantidade + 1 where cliente_id = 2 and status = 'Cancelada'",
      ['contagem_errada'],
      /cliente 4242.*Recebida, Cancelada/,
    ],
    ['a count that is missing', 'delete from contagem where cliente_id = 2', ['contagem_errada'], /4242/],
    [
      'an expected key whose document is there',
      `update esperado set chave = '${chaveDe({})}'`,
      ['esperado_ja_presente'],
      new RegExp(`chave ${chaveDe({})}`),
    ],
  ];
  for (const [name, text, codigos, alvo] of cases) {
    test(name, async () => {
      if (name === 'two served versions') await sql`drop index versao_servida`.execute(cofre.db.write);
      await damage(text);
      const found = await achados({ tamanho: 2 });
      assert.deepEqual([...new Set(found.map((achado) => achado.codigo))].sort(), [...codigos].sort());
      assert.match(found[0]?.alvo ?? '', alvo);
      for (const { mensagem } of found) assert.match(mensagem, /^[A-Z].*\.$/);
      assert.deepEqual(await achados({ tamanho: 1_000 }), found.length > 0 ? await achados() : []);
    });
  }

  test('a flipped byte in any of a hundred documents', async () => {
    for (let i = 0; i < 100; i++) await cofre.gravar(nota({ numero: 200 + i }));
    const rows = await cofre.db.read
      .selectFrom('conteudo')
      .innerJoin('versao', 'versao.id', 'conteudo.versao_id')
      .innerJoin('documento', 'documento.id', 'versao.documento_id')
      .select(['conteudo.versao_id', 'conteudo.bytes'])
      .where('documento.numero_inicial', '>=', 200)
      .execute();
    for (const [i, { versao_id, bytes }] of rows.entries()) {
      const rotten = new Uint8Array(bytes);
      const at = 10 + ((i * 37) % (bytes.length - 10));
      rotten[at] = (rotten[at] ?? 0) ^ 0x10;
      await cofre.db.write
        .updateTable('conteudo')
        .set({ bytes: rotten })
        .where('versao_id', '=', versao_id)
        .execute();
    }
    const found = await achados();
    assert.equal(found.length, 100);
    assert.ok(found.every(({ codigo }) => ['conteudo_danificado', 'soma_errada'].includes(codigo)));
  });

  test('documents of homologação that wait are findings only where they are to be delivered', async () => {
    const found = await achados({ homologacao: true });
    assert.deepEqual(
      found.map(({ codigo, alvo }) => [codigo, alvo]),
      [1, 2].map(() => ['documento_nao_entregue', `documento ${chaveDe({ numero: 4 })}`]),
    );
  });
});
