import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type BancoDeTeste, openBancoDeTeste } from '../../contas/banco-de-teste.ts';
import { keepA1, openPfx } from '../../contas/certificado/a1-de-teste.ts';
import { registerCliente } from '../../contas/clientes.ts';
import { createContador } from '../../contas/contadores.ts';
import { ler, lida, only } from '../../fiscal/leitura-de-teste.ts';
import { generateCte } from '../../gerador/cte.ts';
import { onFailpoint } from '../../platform/failpoint.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { openDiskBlobStore } from '../../platform/storage/disk.ts';
import { certificadoDoCliente } from '../../simulador/certificados.ts';
import { corpoDe, DIA, HORA, MundoSimulado } from '../../simulador/pedidos-de-teste.ts';
import type { Servico } from '../../simulador/tipos.ts';
import { enderecosDe } from '../client/enderecos.ts';
import { FalhaDeTransporte, type PedidoHttp, type RespostaHttp } from '../client/tipos.ts';
import { Remetente } from './enviar.ts';
import { askForManifestacoes, keepResumos, type Pedida, setRegra } from './pedir.ts';
import { findManifestacoes, upsertManifestacao } from './queries.ts';
import { readResumos } from './resumos.ts';
import type { CodigoDeManifestacao } from './tipos.ts';

const SILENCIO = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENCIO };

/** One office with one client, which the simulated national environment knows as recipient. */
class Mesa {
  readonly mundo = new MundoSimulado();
  readonly banco: BancoDeTeste;
  readonly storage: BlobStore;
  /** Requests that were made. */
  chamadas = 0;
  #ultNsu = 0;
  clienteId = 0;

  private constructor(banco: BancoDeTeste, storage: BlobStore) {
    this.banco = banco;
    this.storage = storage;
  }

  static async open(): Promise<Mesa> {
    const banco = await openBancoDeTeste();
    const mesa = new Mesa(banco, await openDiskBlobStore(join(banco.pasta, 'arquivos')));
    const { db } = mesa.banco;
    const { relogio, cliente } = mesa.mundo;
    const deps = { db, clock: relogio };
    await createContador(deps, { codigoCrm: '1', nome: 'Um', email: 'a@b.co' });
    const { id } = await registerCliente(deps, {
      contadorId: 1,
      cpfCnpj: cliente.id,
      nome: 'Cliente',
      email: 'a@b.co',
      aoRegistrar: async () => {},
    });
    mesa.clienteId = id;
    const agora = relogio.now();
    const certificado = openPfx(certificadoDoCliente(cliente, new Date(agora)).pfx('x'), 'x');
    await keepA1(db, mesa.banco.vault, { contadorId: 1, clienteId: id, certificado, agora });
    mesa.mundo.start();
    return mesa;
  }

  get quem() {
    return { contadorId: 1, clienteId: this.clienteId, cpfCnpj: this.mundo.cliente.id, ambiente: 1 as const };
  }

  /** A note that the client is told of by summary. @returns its key */
  async resumo(): Promise<string> {
    const { chave } = this.mundo.publishNota();
    await this.receive();
    return chave;
  }

  /** What the distribution has, as capture keeps it. */
  async receive(): Promise<void> {
    const { relogio, simulador } = this.mundo;
    relogio.advance(HORA);
    const nsu = String(this.#ultNsu).padStart(15, '0');
    const pedido = this.mundo.pedidoDeDistribuicao(`<distNSU><ultNSU>${nsu}</ultNSU></distNSU>`);
    const { texto } = corpoDe(simulador.answer(pedido));
    this.#ultNsu = Number(/<ultNSU>(\d+)</.exec(texto)?.[1]);
    const resumos = readResumos(Buffer.from(texto));
    await this.banco.db.write
      .transaction()
      .execute((trx) => keepResumos(trx, { ...this.quem, resumos, agora: relogio.now() }));
  }

  pedir(
    codigo: CodigoDeManifestacao,
    chaves: readonly string[],
    justificativa: string | null = null,
  ): Promise<Pedida[]> {
    const deps = { db: this.banco.db, clock: this.mundo.relogio };
    return askForManifestacoes(deps, { ...this.quem, codigo, chaves, justificativa, autor: 'usuario:1' });
  }

  /** Another process each time. */
  enviar(): Promise<number> {
    const { db, vault } = this.banco;
    const transporte = { pedir: (pedido: PedidoHttp) => this.#answer(pedido), close() {} };
    const cliente = { transporte, ambiente: 1 as const, endereco: enderecosDe(1) };
    const deps = {
      db,
      vault,
      storage: this.storage,
      clock: this.mundo.relogio,
      log: SILENCIO as never,
      cliente,
      pausaMs: 0,
    };
    return new Remetente(deps).round();
  }

  async #answer({ endereco, body, headers, certificado }: PedidoHttp): Promise<RespostaHttp> {
    this.chamadas++;
    await certificado.open();
    const desfecho = await this.mundo.simulador.call({
      ...this.mundo.pedido(endereco as Servico),
      corpo: body ?? '',
      cabecalhos: { 'user-agent': 'malote', ...headers },
    });
    if (desfecho.tipo === 'queda') throw new FalhaDeTransporte('prazo_de_resposta', { enviado: true });
    const { status, cabecalhos, corpo } = desfecho.resposta;
    return { status, headers: cabecalhos, bytes: Buffer.from(corpo) };
  }

  /** What became of what was said of a key. */
  async estado(chave: string) {
    const rows = await findManifestacoes(this.banco.db.read, { contadorId: 1, chaves: [chave] });
    return rows.map(({ codigo, estado, resposta, tentativas }) => ({ codigo, estado, resposta, tentativas }));
  }

  /** Texts of the files that wait to be imported. */
  async arquivos(): Promise<string[]> {
    const rows = await this.banco.db.read
      .selectFrom('arquivo')
      .select(['blob', 'fonte'])
      .orderBy('numero')
      .execute();
    const texts: string[] = [];
    for (const { blob, fonte } of rows) {
      assert.equal(fonte, 'sefaz');
      texts.push((await this.storage.get(blob ?? '')).toString('utf8'));
    }
    return texts;
  }
}

let mesa: Mesa;
beforeEach(async () => {
  mesa = await Mesa.open();
});
afterEach(async () => {
  onFailpoint(null);
  await mesa.banco.close();
});

const REGISTRADA = { estado: 'registrada', resposta: '135', tentativas: 1 };

describe('what is asked to be said of a note', () => {
  it('is said once, its answer is a document that is imported, and the whole note comes', async () => {
    const chave = await mesa.resumo();
    assert.deepEqual(await mesa.pedir('210210', [chave]), [{ chave, aceita: true }]);
    assert.equal(await mesa.enviar(), 1);
    assert.equal(await mesa.enviar(), 0);
    assert.deepEqual(await mesa.estado(chave), [{ codigo: '210210', ...REGISTRADA }]);
    const [arquivo, ...others] = await mesa.arquivos();
    assert.equal(others.length, 0);
    const { registro } = lida(only(ler(arquivo ?? '')));
    assert.ok(registro.classe === 'evento');
    assert.deepEqual(
      [registro.codigo, registro.chave, registro.autor],
      ['210210', chave, mesa.mundo.cliente.id],
    );
    mesa.mundo.relogio.advance(HORA);
    const { documentos } = mesa.mundo.distNsu(1);
    assert.deepEqual(
      documentos.map(({ schema }) => schema),
      ['procNFe_v4.00.xsd'],
    );
  });

  it('of many goes out twenty to a call', async () => {
    const chaves = Array.from({ length: 21 }, () => mesa.mundo.publishNota().chave);
    await mesa.receive();
    const pedidas = await mesa.pedir('210200', chaves);
    assert.equal(pedidas.filter(({ aceita }) => aceita).length, 21);
    assert.equal(await mesa.enviar(), 2);
    assert.equal(mesa.chamadas, 2);
    for (const chave of chaves)
      assert.deepEqual(await mesa.estado(chave), [{ codigo: '210200', ...REGISTRADA }]);
    assert.equal((await mesa.arquivos()).length, 21);
  });

  it('with a reason carries it', async () => {
    const chave = await mesa.resumo();
    const motivo = 'Mercadoria recusada & devolvida na entrega';
    await mesa.pedir('210240', [chave], motivo);
    await mesa.enviar();
    assert.match(
      (await mesa.arquivos())[0] ?? '',
      /<xJust>Mercadoria recusada &amp; devolvida na entrega<\/xJust>/,
    );
  });

  it('is not taken twice, nor too late, nor of a note of somebody else', async () => {
    const chave = await mesa.resumo();
    await mesa.pedir('210210', [chave]);
    const code = async (codigo: CodigoDeManifestacao, key = chave) => {
      const [pedida] = await mesa.pedir(codigo, [key]);
      return pedida?.aceita ? null : pedida?.codigo;
    };
    assert.equal(await code('210210'), 'manifestacao_em_andamento');
    await mesa.enviar();
    assert.equal(await code('210210'), 'manifestacao_ja_registrada');
    assert.equal(await code('210200', mesa.mundo.publishNota().chave), 'documento_nao_encontrado');
    const tarde = await mesa.resumo();
    mesa.mundo.relogio.advance(11 * DIA);
    assert.equal(await code('210210', tarde), 'manifestacao_fora_do_prazo');
    mesa.mundo.relogio.advance(80 * DIA);
    assert.equal(await code('210200', tarde), 'manifestacao_fora_do_prazo');
    assert.equal(mesa.chamadas, 1);
  });

  it('that another program has said already counts as said', async () => {
    const chave = await mesa.resumo();
    await mesa.pedir('210210', [chave]);
    await mesa.enviar();
    await mesa.banco.db.write.deleteFrom('manifestacao').execute();
    await mesa.pedir('210210', [chave]);
    await mesa.enviar();
    assert.deepEqual(await mesa.estado(chave), [
      { codigo: '210210', estado: 'registrada', resposta: '573', tentativas: 1 },
    ]);
    assert.equal((await mesa.arquivos()).length, 1);
  });

  it('that SEFAZ refuses is never sent again, and is not taken again', async () => {
    const { chave } = mesa.mundo.publishNota({ destinatario: mesa.mundo.outro });
    const row = {
      contador_id: 1,
      cliente_id: mesa.clienteId,
      chave,
      codigo: '210200',
      ambiente: 1,
      justificativa: null,
    };
    const asked = { estado: 'pendente' as const, pedida_em: 1, pedida_por: 'usuario:1', proxima_em: 1 };
    await mesa.banco.db.write.transaction().execute((trx) => upsertManifestacao(trx, { ...row, ...asked }));
    await mesa.enviar();
    assert.deepEqual(await mesa.estado(chave), [
      { codigo: '210200', estado: 'recusada', resposta: '575', tentativas: 1 },
    ]);
    mesa.mundo.relogio.advance(30 * DIA);
    assert.equal(await mesa.enviar(), 0);
    assert.equal(mesa.mundo.simulador.relatorio.de('malote').bloqueios, 0);
  });
});

describe('a call that does not end well', () => {
  it('without an answer is made again later, and what SEFAZ had registered counts', async () => {
    const chave = await mesa.resumo();
    mesa.mundo.simulador.falhas.add({ tipo: 'timeout_depois', servico: 'nfe_eventos', vezes: 1 });
    await mesa.pedir('210200', [chave]);
    await mesa.enviar();
    assert.deepEqual(await mesa.estado(chave), [
      { codigo: '210200', estado: 'pendente', resposta: 'prazo_de_resposta', tentativas: 1 },
    ]);
    assert.equal(await mesa.enviar(), 0);
    mesa.mundo.relogio.advance(HORA);
    await mesa.enviar();
    assert.deepEqual(await mesa.estado(chave), [
      { codigo: '210200', estado: 'registrada', resposta: '573', tentativas: 2 },
    ]);
  });

  it('because the author is blocked is not made again within the hour, nor for what is asked meanwhile', async () => {
    const chaves: string[] = [];
    for (let n = 0; n < 25; n++) chaves.push(mesa.mundo.publishNota().chave);
    await mesa.receive();
    mesa.mundo.simulador.falhas.add({ tipo: 'cstat', cStat: '656', servico: 'nfe_eventos', vezes: 1 });
    await mesa.pedir('210200', chaves.slice(1));
    await mesa.enviar();
    assert.equal(mesa.chamadas, 1, 'the second lot is not sent either');
    const [last = ''] = chaves;
    await mesa.pedir('210200', [last]);
    for (let minute = 5; minute < 60; minute += 5) {
      mesa.mundo.relogio.advance(5 * 60_000);
      await mesa.enviar();
    }
    assert.equal(mesa.chamadas, 1);
    mesa.mundo.relogio.advance(HORA);
    await mesa.enviar();
    for (const chave of chaves) assert.equal((await mesa.estado(chave))[0]?.estado, 'registrada');
  });

  it('of a client without a valid certificate is not made', async () => {
    const chave = await mesa.resumo();
    mesa.mundo.relogio.advance(400 * DIA);
    const { chave: nova } = mesa.mundo.publishNota();
    await mesa.receive();
    assert.notEqual(chave, nova);
    const row = {
      contador_id: 1,
      cliente_id: mesa.clienteId,
      chave: nova,
      codigo: '210210',
      ambiente: 1,
      justificativa: null,
    };
    const asked = { estado: 'pendente' as const, pedida_em: 1, pedida_por: 'usuario:1', proxima_em: 1 };
    await mesa.banco.db.write.transaction().execute((trx) => upsertManifestacao(trx, { ...row, ...asked }));
    await mesa.enviar();
    assert.equal(mesa.chamadas, 0);
    assert.deepEqual(await mesa.estado(nova), [
      { codigo: '210210', estado: 'pendente', resposta: 'certificado_vencido', tentativas: 1 },
    ]);
  });

  for (const ponto of [
    'manifestacao_marcada',
    'manifestacao_respondida',
    'manifestacao_blob_duravel',
    'manifestacao_depois_do_commit',
  ] as const) {
    it(`because the process dies (${ponto}) is made again by another, and nothing is said twice`, async () => {
      const chave = await mesa.resumo();
      await mesa.pedir('210200', [chave]);
      onFailpoint((name) => {
        if (name === ponto) throw new Error('dies');
      });
      await assert.rejects(mesa.enviar(), /dies/);
      onFailpoint(null);
      assert.equal(await mesa.enviar(), 0, 'not before it is known that nobody does it');
      mesa.mundo.relogio.advance(HORA);
      await mesa.enviar();
      const [said] = await mesa.estado(chave);
      assert.equal(said?.estado, 'registrada');
      assert.ok(mesa.chamadas <= 2);
      assert.deepEqual(mesa.mundo.simulador.acervo.notas.get(chave)?.manifestacoes, ['210200']);
    });
  }
});

describe('the rule of a client', () => {
  it('is off until it is turned on; then each summary that comes is answered with Ciência, and nothing else', async () => {
    const antes = await mesa.resumo();
    await mesa.enviar();
    assert.deepEqual(await mesa.estado(antes), []);
    const deps = { db: mesa.banco.db, clock: mesa.mundo.relogio };
    await setRegra(deps, { contadorId: 1, clienteId: mesa.clienteId, ciencia: true, autor: 'usuario:1' });
    const { chave } = mesa.mundo.publishNota();
    await mesa.receive();
    await mesa.enviar();
    assert.deepEqual(await mesa.estado(chave), [{ codigo: '210210', ...REGISTRADA }]);
    await setRegra(deps, { contadorId: 1, clienteId: mesa.clienteId, ciencia: false, autor: 'usuario:1' });
    const depois = await mesa.resumo();
    assert.deepEqual(await mesa.estado(depois), []);
  });
});

it('a CT-e is objected to at who authorised it, and the answer is imported', async () => {
  const { mundo } = mesa;
  const cte = generateCte({
    semente: 'mani',
    emitente: mundo.fornecedor,
    remetente: mundo.outro,
    destinatario: mundo.cliente,
    serie: 1,
    numero: 1,
    emissao: new Date(mundo.relogio.now()),
    carga: { notas: [], valor: 100_000 },
    tomador: 'destinatario',
  });
  mundo.simulador.publish(cte.xml);
  const row = {
    contador_id: 1,
    cliente_id: mesa.clienteId,
    chave: cte.chave,
    codigo: '610110',
    ambiente: 1,
    justificativa: 'Frete cobrado acima do combinado',
  };
  const asked = { estado: 'pendente' as const, pedida_em: 1, pedida_por: 'usuario:1', proxima_em: 1 };
  await mesa.banco.db.write.transaction().execute((trx) => upsertManifestacao(trx, { ...row, ...asked }));
  await mesa.enviar();
  assert.deepEqual(await mesa.estado(cte.chave), [{ codigo: '610110', ...REGISTRADA }]);
  const { registro } = lida(only(ler((await mesa.arquivos())[0] ?? '')));
  assert.ok(registro.classe === 'evento');
  assert.deepEqual([registro.codigo, registro.chave], ['610110', cte.chave]);
});
