import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ler, lida as lidaDe } from '../../fiscal/leitura-de-teste.ts';
import * as nfse from '../../fiscal/nfse/amostras-de-teste.ts';
import { readHash } from '../bytes/hash-guardado.ts';
import { type Cofre, collect, EMITENTE, lida, openCofre } from '../cofre-testing.ts';
import { entradaPorChave } from '../read/feed.ts';
import type { PecaLida } from '../tipos.ts';
import { verifyCofre } from '../verify/verificar.ts';

const CHAVE = `NFSE-3550308-${nfse.PRESTADOR}-2205~40670945`;
const CABECALHO =
  'Tipo de Registro;Nº NFS-e;Data Hora NFE;Inscrição Municipal do Prestador;Indicador de CPF/CNPJ do Prestador;CPF/CNPJ do Prestador;Razão Social do Prestador;Situação da Nota Fiscal;Data de Cancelamento;Valor dos Serviços;CPF/CNPJ do Tomador';

function peca(conteudo: string, nome: string): PecaLida {
  const { registro, prova } = lidaDe(ler(conteudo, nome)[0]);
  return lida(registro, { falhas: prova.falhas });
}
const linha = (situacao: string, data = ''): PecaLida =>
  peca(
    `${CABECALHO}\r\n2;2205;10/03/2026 09:30:00;40670945;2;${nfse.PRESTADOR};Padaria Aurora Ltda;${situacao};${data};201,50;${nfse.TOMADOR}`,
    'NFSe.csv',
  );
const xml = (status = 'N'): PecaLida => peca(nfse.retornoPaulistana(nfse.paulistana({ status })), 'nota.xml');

let cofre: Cofre;
let cliente: number;
beforeEach(async () => {
  cofre = await openCofre();
  cliente = await cofre.registrar(EMITENTE);
});
afterEach(() => cofre.db.close());

/** Status as it is shown, and whether the XML is what is served. */
async function mostrada(): Promise<[string, boolean]> {
  const escopo = { clienteId: cliente, contadorId: cofre.contadorId, chave: CHAVE };
  const entrada = await entradaPorChave(cofre.db.read, escopo);
  assert.ok(entrada);
  const servida = await cofre.db.read
    .selectFrom('versao')
    .innerJoin('documento', 'documento.id', 'versao.documento_id')
    .select('versao.sha256')
    .where('documento.chave', '=', CHAVE)
    .where('versao.servida', '=', 1)
    .executeTakeFirstOrThrow();
  const doXml = [xml(), xml('C')].map((one) => (one.kind === 'registro' ? one.conteudo.sha256 : ''));
  return [entrada.status, doXml.includes(readHash(servida.sha256))];
}

describe("a note of a city's list, of which the XML comes too", () => {
  const casos: [string, PecaLida[], string][] = [
    ['both say that it is good', [linha('T'), xml()], 'Autorizada'],
    ['the list says that it was cancelled', [linha('C', '12/03/2026'), xml()], 'Cancelada'],
    ['the XML says that it was cancelled', [linha('T'), xml('C')], 'Cancelada'],
  ];
  for (const [quando, pecas, status] of casos) {
    test(`is one note, never a conflict, and the XML is delivered: ${quando}`, async () => {
      for (const ordem of [pecas, pecas.toReversed()]) {
        await cofre.db.close();
        cofre = await openCofre();
        cliente = await cofre.registrar(EMITENTE);
        const rows = [];
        for (const one of ordem) rows.push(...(await cofre.gravar(one)));
        assert.ok(!rows.some(({ resultado }) => resultado === 'conflito'));
        assert.deepEqual(await mostrada(), [status, true]);
        assert.deepEqual(await collect(verifyCofre(cofre.db.read)), []);
      }
    });
  }

  test('tells in the row of the list that nobody has signed what it says', async () => {
    await cofre.gravar(xml());
    const [boa] = await cofre.gravar(linha('T'));
    assert.equal(boa?.resultado, 'duplicado');
    assert.match(boa?.mensagem ?? '', /continua a ser a entregue/);
    const [cancelada] = await cofre.gravar(linha('C', '12/03/2026'));
    assert.deepEqual([cancelada?.resultado, cancelada?.codigo], ['atualizado', 'status_sem_prova']);
    assert.match(cancelada?.mensagem ?? '', /a linha da lista que diz isso.*exporte de novo o XML da nota/);
  });
});
