import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  type Cliente,
  type ClienteDoEscritorio,
  criarCliente,
  type DocumentoComNsu,
  LimiteExcedido,
  NaoAutorizado,
  NaoEncontrado,
  Proibido,
  RequisicaoInvalida,
} from '../../src/cliente/cliente.ts';
import { generateCenario } from '../../src/gerador/cenario.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import { createEscritorio, type Malote, startMalote } from '../support/malote.ts';
import { installPacote, runPrograma } from './cliente-pacote.ts';

const PACOTE = join(import.meta.dirname, '..', '..', 'pacotes', 'cliente');

const cenario = generateCenario({
  semente: 'cliente',
  clientes: 1,
  documentos: 30,
  inicio: '2026-03-01',
  meses: 1,
});
const documentos = [...cenario.documentos].filter(({ clientes }) => clientes.length > 0);
const [empresa] = cenario.empresas;
assert.ok(empresa);

let malote: Malote;
let cliente: Cliente;
let token: string;
const como = (options: Partial<Parameters<typeof criarCliente>[0]>) =>
  criarCliente({ url: malote.url, token, codigoCrm: '321', cpfCnpj: empresa.id, ...options });

before(async () => {
  malote = await startMalote();
  ({ token } = await createEscritorio(malote.dataFolder, { crm: '321', clientes: [empresa.id] }));
  cliente = como({});
});
after(() => malote[Symbol.asyncDispose]());

async function collect(desde: number, tamanho: number): Promise<DocumentoComNsu[]> {
  const all: DocumentoComNsu[] = [];
  for await (const documento of cliente.percorrer(desde, { tamanho })) all.push(documento);
  return all;
}

describe('malote/cliente against the real service', () => {
  it('sends a zip and waits until it is imported', async () => {
    const states: string[] = [];
    const arquivo = await cliente.enviarArquivo(await zipDe(documentos), {
      extensao: '.zip',
      aoConsultar: ({ status }) => states.push(status),
    });
    assert.equal(arquivo.status, 'Uploaded', arquivo.log);
    assert.equal(states.at(-1), 'Uploaded');
    const resultados = new Set<string>();
    let count = 0;
    for await (const item of cliente.itensDoArquivo(arquivo.id)) {
      resultados.add(item.resultado);
      count++;
    }
    assert.equal(count, documentos.length);
    assert.ok([...resultados].every((resultado) => resultado === 'novo' || resultado === 'evento'));
  });

  it('lists the clients of the office, with how far the feed of each has come', async () => {
    const clientes: ClienteDoEscritorio[] = [];
    for await (const one of cliente.clientes()) clientes.push(one);
    assert.deepEqual(clientes, [
      { cpf_cnpj: empresa.id, nome: `Cliente ${empresa.id}`, nsu: documentos.length },
    ]);
  });

  it('is a package of its own, small and without dependencies, for a program in strict TypeScript', (t) => {
    const { pasta, bytes } = installPacote();
    t.after(() => rmSync(pasta, { recursive: true, force: true }));
    assert.ok(bytes < 100_000, `${bytes} bytes`);
    const { dependencies } = JSON.parse(readFileSync(join(PACOTE, 'package.json'), 'utf8'));
    assert.equal(dependencies, undefined);
    const said = runPrograma(
      pasta,
      `import { criarCliente, type DocumentoComNsu } from 'malote-cliente';
      const { MALOTE_URL: url = '', MALOTE_TOKEN: token = '' } = process.env;
      const escritorio = criarCliente({ url, token, codigoCrm: '321' });
      for await (const { cpf_cnpj, nsu } of escritorio.clientes()) {
        const lidos: DocumentoComNsu[] = [];
        for await (const { cliente, documento } of escritorio.percorrerTodos())
          if (cliente.cpf_cnpj === cpf_cnpj) lidos.push(documento);
        const desde = { [cpf_cnpj]: nsu - 2 };
        let novos = 0;
        for await (const _ of escritorio.percorrerTodos({ desde })) novos++;
        console.log(cpf_cnpj, nsu, lidos.at(-1)?.nsu, novos);
      }`,
      { MALOTE_URL: malote.url, MALOTE_TOKEN: token },
    );
    assert.equal(said, `${empresa.id} ${documentos.length} ${documentos.length} 2\n`);
  });

  it('sends the same bytes again without harm: everything is a duplicate', async () => {
    const arquivo = await cliente.enviarArquivo(documentos[0]?.bytes ?? new Uint8Array(), {
      extensao: 'xml',
    });
    assert.equal(arquivo.status, 'Uploaded');
    const resultados: string[] = [];
    for await (const { resultado } of cliente.itensDoArquivo(arquivo.id)) resultados.push(resultado);
    assert.deepEqual(resultados, ['duplicado']);
  });

  it('walks the whole feed in order, and resumes behind any NSU', async () => {
    const all = await collect(0, 7);
    assert.deepEqual(
      all.map(({ nsu }) => nsu),
      documentos.map((_, i) => i + 1),
    );
    assert.deepEqual(
      (await collect(10, 7)).map(({ chave }) => chave),
      all.slice(10).map(({ chave }) => chave),
    );
    assert.deepEqual(await collect(all.length, 7), []);
  });

  it('downloads the original bytes of every document', async () => {
    const all = await collect(0, 50);
    const came = await Promise.all(
      all.map((documento) =>
        documento.evento ? cliente.baixarEvento(documento) : cliente.baixar(documento),
      ),
    );
    assert.deepEqual(
      came.map((bytes) => Buffer.from(bytes).toString('hex')).sort(),
      documentos.map(({ bytes }) => Buffer.from(bytes).toString('hex')).sort(),
    );
  });

  it('finds a document by NSU and by key, with its text when asked', async () => {
    const documento = await cliente.porNsu(1, { xml: true });
    assert.match(documento.xml ?? '', /^<\?xml|^</);
    const nota = documentos.find(({ tipo }) => tipo === 'NFe' || tipo === 'NFCe');
    assert.ok(nota);
    assert.equal((await cliente.porChave(nota.chave)).chave, nota.chave);
    assert.equal((await cliente.porChave(nota.chave)).xml, '');
  });

  it('reads the listings', async () => {
    const all = { dataInicial: '2026-03-01', dataFinal: '2026-03-31', tamanho: 500 } as const;
    const [nfe, nfce] = [await cliente.nfe(all), await cliente.nfce(all)];
    const count = (tipo: string) => documentos.filter((documento) => documento.tipo === tipo).length;
    const inutilizacoes = ({ documentos }: typeof nfe) =>
      documentos.filter(({ status }) => status === 'Inutilizada').length;
    assert.equal(nfe.total - inutilizacoes(nfe), count('NFe'));
    assert.equal(nfce.total - inutilizacoes(nfce), count('NFCe'));
    const canceladas = await cliente.nfe({
      ...all,
      dataInicial: new Date('2026-03-01T03:00:00Z'),
      status: 'Canceladas',
    });
    assert.deepEqual(
      canceladas.documentos.map(({ nsu }) => nsu),
      nfe.documentos.filter(({ status }) => status === 'Cancelada').map(({ nsu }) => nsu),
    );
    assert.ok(canceladas.total > 0);
  });

  it('reads the purpose of a document by its signed address, and sets it', async () => {
    const pagina = await cliente.finalidade(0, { tamanho: 500 });
    const nota = pagina.documentos.find(
      ({ modelo, evento, url_finalidade }) => modelo === '55' && !evento && url_finalidade !== '',
    );
    assert.ok(nota);
    for (const { tipo, papel, url_finalidade } of pagina.documentos)
      if (url_finalidade !== '') assert.ok(tipo === 'Recebida' || papel === 'emitente');
    const finalidade = await cliente.lerFinalidade(nota.url_finalidade);
    assert.equal(finalidade.chave, nota.chave);
    const [item] = finalidade.itens;
    assert.ok(item);
    const informada = await cliente.informarFinalidade(nota.chave, {
      finalidade_aquisicao: 'Revenda',
      itens: [{ numero: item.numero, finalidade_aquisicao: 'UsoConsumo' }],
    });
    assert.deepEqual(
      [informada.finalidade_aquisicao, informada.origem, informada.itens[0]?.finalidade_aquisicao],
      ['Revenda', 'informada', 'UsoConsumo'],
    );
  });

  it('turns refusals into error classes with the service’s own code', async () => {
    await assert.rejects(como({ token: 'mlt_errado' }).novos(0), NaoAutorizado);
    await assert.rejects(
      como({ codigoCrm: '999999' }).novos(0),
      (error) => error instanceof Proibido && error.codigo === 'crm_nao_autorizado',
    );
    await assert.rejects(
      como({ cpfCnpj: '11222333000181' }).novos(0),
      (error) => error instanceof NaoEncontrado && error.codigo === 'cliente_nao_encontrado',
    );
    await assert.rejects(
      cliente.porNsu(999_999),
      (error) =>
        error instanceof NaoEncontrado &&
        error.codigo === 'documento_nao_encontrado' &&
        error.requestId !== null,
    );
    await assert.rejects(
      cliente.novos(0, { tamanho: 501 }),
      (error) => error instanceof RequisicaoInvalida && error.codigo === 'tamanho_invalido',
    );
    await assert.rejects(cliente.enviarArquivo(new Uint8Array(1), { extensao: '.pdf' }), {
      codigo: 'extensao_invalida',
    });
  });

  it('waits as the service asks when there were too many requests', async () => {
    await using limited = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '2' } });
    const office = await createEscritorio(limited.dataFolder, { crm: '1', clientes: [empresa.id] });
    const pausesMs: number[] = [];
    const patient = criarCliente({
      url: limited.url,
      token: office.token,
      codigoCrm: '1',
      cpfCnpj: empresa.id,
      tentativas: 2,
      esperar: async (ms) => {
        pausesMs.push(ms);
      },
    });
    await patient.novos(0);
    await patient.novos(0);
    await assert.rejects(patient.novos(0), LimiteExcedido);
    assert.equal(pausesMs.length, 1);
    assert.ok((pausesMs[0] ?? 0) >= 1_000);
  });
});
