/** Imports, held documents and the first page of the console, over HTTP. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import { REMEDIOS } from '../../src/console/importacoes/remedios.ts';
import { habitoDe, silencioDe } from '../../src/console/inicio/habito.ts';
import { diaDe } from '../../src/fiscal/dia.ts';
import { generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateEvento } from '../../src/gerador/eventos.ts';
import { generateInutilizacao } from '../../src/gerador/inutilizacao.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import { generateNfse } from '../../src/gerador/nfse.ts';
import { generateEventoNfse } from '../../src/gerador/nfse-evento.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import { logInToConsole, type Pedinte } from '../support/console.ts';
import { answerOnce, until } from '../support/espera.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  type Malote,
  startMalote,
  upload,
  withDeps,
} from '../support/malote.ts';

const emitente = generateEmpresa('importa', { perfil: 'industria', uf: 'SP' });
const comprador = generateEmpresa('comprador', { perfil: 'comercio', uf: 'SP' });
const INICIO = Date.now();
/** The first page shows a year. */
const EMITIDA_EM = INICIO - 30 * 86_400_000;
const nota = generateNfe({
  semente: 'importa',
  emitente,
  destinatario: comprador,
  modelo: '55',
  serie: 1,
  numero: 1,
  emissao: new Date(EMITIDA_EM),
  itens: 2,
});
const daAna = generateNfe({
  semente: 'da ana',
  emitente,
  destinatario: null,
  modelo: '65',
  serie: 1,
  numero: 1,
  emissao: new Date(Date.UTC(2026, 2, 9, 15)),
  itens: 1,
});
const estranha = generateNfe({
  semente: 'estranha',
  emitente: comprador,
  destinatario: null,
  modelo: '65',
  serie: 1,
  numero: 1,
  emissao: new Date(Date.UTC(2026, 2, 9, 15)),
  itens: 1,
});

let malote: Malote;
let escritorio: Escritorio;
let admin: Pedinte;
let deFora: Pedinte;
let doCliente: Pedinte;

before(async () => {
  malote = await startMalote();
  escritorio = await createEscritorio(malote.dataFolder, { crm: '71', clientes: [emitente.id] });
  const { contadorId } = escritorio;
  admin = await logInToConsole(malote, { contadorId });
  doCliente = await logInToConsole(malote, { contadorId, papel: 'cliente', clientes: [emitente.id] });
  const outro = await createEscritorio(malote.dataFolder, { crm: '72' });
  deFora = await logInToConsole(malote, { contadorId: outro.contadorId });
});
after(() => malote[Symbol.asyncDispose]());

const terminada = (id: string) =>
  answerOnce('the file is imported', {
    ask: async () => (await admin.ask(`/importacoes/${id}`)).body,
    is: ({ status }) => ['Uploaded', 'Com Erro'].includes(status),
  });

async function enviar(nome: string, bytes: Uint8Array, quem: Pedinte = admin): Promise<string> {
  const { status, body } = await quem.ask('/importacoes', {
    method: 'POST',
    json: { nome, tamanho: bytes.length },
  });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal((await fetch(body.url, { method: 'PUT', body: new Uint8Array(bytes) })).status, 200);
  return body.id;
}

describe('an import from the console', () => {
  it('goes through the ordinary signed address, and tells who sent it under which name', async () => {
    const id = await enviar('março <1>.xml', nota.bytes);
    const feita = await terminada(id);
    assert.equal(feita.status, 'Uploaded', feita.log);
    assert.equal(feita.nome, 'março <1>.xml');
    assert.equal(feita.origem, 'console');
    assert.match(feita.usuario, /^Pessoa/);
    assert.deepEqual(feita.resultados, [{ resultado: 'novo', quantidade: 1 }]);
    const { itens } = (await admin.ask(`/importacoes/${id}/itens`)).body;
    assert.equal(itens[0].chave, nota.chave);
    const documento = (await admin.ask(`/documentos?origem=console`)).body.itens[0];
    assert.equal(documento.id, itens[0].documentoId);
    const file = await fetch(`${malote.url}/console/api/importacoes/${id}/arquivo`, {
      headers: { cookie: admin.cookie },
    });
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(nota.bytes));
  });

  it('is not Expirado while its body is on the way, as the API says too; without one it is', async () => {
    const { body } = await admin.ask('/importacoes', { method: 'POST', json: { nome: 'b.xml', tamanho: 9 } });
    const noted = (chegandoAte: number) =>
      withDeps(malote.dataFolder, ({ db }) =>
        db.write
          .updateTable('arquivo')
          .set({ expira_em: Math.floor(Date.now() / 1000) - 60, chegando_ate: chegandoAte })
          .where('id', '=', body.id)
          .execute(),
      );
    const listed = async (status: string) => {
      const { itens } = (await admin.ask(`/importacoes?status=${encodeURIComponent(status)}`)).body;
      return itens.some((row: { id: string }) => row.id === body.id);
    };
    const told = async () => ({
      console: (await admin.ask(`/importacoes/${body.id}`)).body.status,
      api: (await fetchJson(`${malote.url}/storage/arquivo/${body.id}`, { token: escritorio.token })).body
        .status,
      waiting: await listed('Aguardando Upload'),
      lapsed: await listed('Expirado'),
    });
    await noted(Math.floor(Date.now() / 1000) + 600);
    const waits = 'Aguardando Upload';
    assert.deepEqual(await told(), { console: waits, api: waits, waiting: true, lapsed: false });
    await noted(0);
    assert.deepEqual(await told(), { console: 'Expirado', api: 'Expirado', waiting: false, lapsed: true });
  });

  it('tells cause and remedy of every problem', async () => {
    const id = await enviar(
      'pagina.xml',
      Buffer.from('<!doctype html><html><body>Sessão expirada</body></html>'),
    );
    const feita = await terminada(id);
    assert.equal(feita.status, 'Com Erro');
    assert.ok(feita.resumo.length > 0);
    const { itens } = (await admin.ask(`/importacoes/${id}/itens?resultado=rejeitado`)).body;
    assert.equal(itens[0].codigo, 'html_no_lugar_do_xml');
    assert.ok(itens[0].causa && itens[0].remedio);
    assert.equal((await admin.ask(`/importacoes/${id}/itens?resultado=novo`)).body.itens.length, 0);
  });

  it('is imported again with the kept bytes, as another file', async () => {
    const first = (await admin.ask('/importacoes?busca=mar%C3%A7o')).body.itens[0];
    const { status, body } = await admin.ask(`/importacoes/${first.id}/reimportar`, { method: 'POST' });
    assert.equal(status, 200, JSON.stringify(body));
    const feita = await terminada(body.id);
    assert.equal(feita.reimportadoDe, first.id);
    assert.deepEqual(feita.resultados, [{ resultado: 'duplicado', quantidade: 1 }]);
    assert.deepEqual((await admin.ask(`/importacoes/${first.id}`)).body.reimportacoes, [body.id]);
  });

  it('refuses other files, and files that never came', async () => {
    const refused = await admin.ask('/importacoes', {
      method: 'POST',
      json: { nome: 'nota.pdf', tamanho: 10 },
    });
    assert.equal(refused.body.codigo, 'extensao_invalida');
    const { body } = await admin.ask('/importacoes', {
      method: 'POST',
      json: { nome: 'nunca.xml', tamanho: 10 },
    });
    const again = await admin.ask(`/importacoes/${body.id}/reimportar`, { method: 'POST' });
    assert.deepEqual([again.status, again.body.codigo], [409, 'reimportacao_indisponivel']);
  });

  it('is listed with those of the integration, page by page and by filters', async () => {
    const id = await upload(malote, { token: escritorio.token, bytes: nota.bytes, extension: '.xml' });
    await terminada(id);
    const all = (await admin.ask('/importacoes')).body.itens;
    const walked: string[] = [];
    let depois = '';
    do {
      const { body } = await admin.ask(`/importacoes?Tamanho=2${depois}`);
      walked.push(...body.itens.map((one: { id: string }) => one.id));
      depois = body.proximo ? `&depois=${body.proximo}` : '';
    } while (depois !== '');
    assert.deepEqual(
      walked,
      all.map((one: { id: string }) => one.id),
    );
    const api = (await admin.ask('/importacoes?remetente=api')).body.itens;
    assert.deepEqual(
      api.map((one: { id: string }) => one.id),
      [id],
    );
    const errors = (await admin.ask('/importacoes?status=com%20erro')).body.itens;
    assert.ok(errors.every((one: { status: string }) => one.status === 'Com Erro') && errors.length > 0);
  });

  it('is nobody else’s: another office finds nothing, papel cliente finds none but its own', async () => {
    const [first] = (await admin.ask('/importacoes')).body.itens;
    for (const path of ['', '/itens', '/arquivo']) {
      assert.equal(
        (await deFora.ask(`/importacoes/${first.id}${path}`)).body.codigo,
        'arquivo_nao_encontrado',
      );
      assert.equal(
        (await doCliente.ask(`/importacoes/${first.id}${path}`)).body.codigo,
        'arquivo_nao_encontrado',
      );
    }
    const again = await deFora.ask(`/importacoes/${first.id}/reimportar`, { method: 'POST' });
    assert.equal(again.body.codigo, 'arquivo_nao_encontrado');
    assert.deepEqual((await deFora.ask('/importacoes')).body.itens, []);
  });
});

describe('an upload of somebody who sees some companies only', () => {
  const irma = generateEmpresa('irmã', { perfil: 'industria', uf: 'SP' });
  const gerada = (semente: string, emissor: typeof emitente, destinatario: typeof emitente | null) =>
    generateNfe({
      semente,
      emitente: emissor,
      destinatario,
      modelo: destinatario ? '55' : '65',
      serie: 7,
      numero: 1,
      emissao: new Date(Date.UTC(2026, 2, 9, 15)),
      itens: 1,
    });
  const sua = gerada('sua', emitente, null);
  const recebida = gerada('recebida', irma, emitente);
  const terceira = generateEmpresa('terceira', { perfil: 'comercio', uf: 'SP' });
  const guardada = gerada('guardada', irma, terceira);
  const alheia = gerada('alheia', irma, null);
  const lista = [guardada.chave, recebida.chave, alheia.chave].join('\n');
  // As if it were theirs: whoever knows the key can write it.
  const copia = Buffer.from(guardada.xml.replaceAll(terceira.id, emitente.id));
  const cancelamento = (nota: typeof sua, autor: typeof emitente) =>
    generateEvento({
      semente: nota.chave,
      codigo: '110111',
      chave: nota.chave,
      autor,
      em: new Date(Date.UTC(2026, 2, 9, 16)),
      nProt: nota.protocolo?.nProt ?? null,
    }).bytes;

  it('brings in what those companies take part in; all else is refused in the same words, held or not', async () => {
    await admin.ask('/clientes', { json: { cpfCnpj: irma.id, nome: 'Irmã', email: 'irma@exemplo.com.br' } });
    await terminada(await enviar('guardada.xml', guardada.bytes));
    const entradasDaIrma = async () => (await admin.ask(`/clientes/${irma.id}`)).body.ultimoNsu as number;
    const antes = await entradasDaIrma();
    const zip = await zipDe([
      { nome: 'cancelada.xml', bytes: cancelamento(guardada, irma) },
      { nome: 'por-mim.xml', bytes: cancelamento(guardada, emitente) },
      {
        nome: 'com-copia.zip',
        bytes: await zipDe([
          { nome: 'copia.xml', bytes: copia },
          { nome: 'dela.xml', bytes: cancelamento(guardada, irma) },
        ]),
      },
      { nome: 'propria.xml', bytes: cancelamento(sua, emitente) },
      { nome: 'sua.xml', bytes: sua.bytes },
      { nome: 'recebida.xml', bytes: recebida.bytes },
      { nome: 'guardada.xml', bytes: guardada.bytes },
      { nome: 'alheia.xml', bytes: alheia.bytes },
      { nome: 'chaves.txt', bytes: Buffer.from(lista) },
    ]);
    const id = await enviar('mes.zip', zip, doCliente);
    await terminada(id);
    const { itens } = (await doCliente.ask(`/importacoes/${id}/itens`)).body;
    const de = new Map<string, string[]>();
    for (const { caminho, resultado, codigo } of itens)
      de.set(caminho, [...(de.get(caminho) ?? []), codigo === 'fora_do_acesso' ? codigo : resultado]);
    assert.deepEqual(Object.fromEntries(de), {
      'cancelada.xml': ['fora_do_acesso'],
      'por-mim.xml': ['fora_do_acesso'],
      'com-copia.zip/copia.xml': ['conflito'],
      'com-copia.zip/dela.xml': ['fora_do_acesso'],
      'propria.xml': ['evento'],
      'sua.xml': ['novo'],
      'recebida.xml': ['novo'],
      'guardada.xml': ['fora_do_acesso'],
      'alheia.xml': ['fora_do_acesso'],
      'chaves.txt': ['fora_do_acesso', 'duplicado', 'fora_do_acesso'],
    });
    const palavras = (caminho: string) => {
      const item = itens.find((one: { caminho: string }) => one.caminho === caminho);
      return [item.mensagem, item.causa, item.remedio, item.documentoId];
    };
    assert.deepEqual(palavras('guardada.xml'), palavras('alheia.xml'), 'nothing tells what the office has');
    assert.equal(await entradasDaIrma(), antes + 1, 'of the sibling only what both take part in');
    const { status } = (await admin.ask(`/documentos?chave=${guardada.chave}`)).body.itens[0];
    assert.equal(status, 'Autorizada', 'a stranger’s event has changed nothing');
    assert.deepEqual((await admin.ask(`/documentos?chave=${alheia.chave}`)).body.itens, []);
  });

  it('is all that they see of the office’s imports', async () => {
    const { itens } = (await doCliente.ask('/importacoes')).body;
    assert.deepEqual(
      itens.map(({ nome }: { nome: string }) => nome),
      ['mes.zip'],
    );
  });

  it('several companies are seen together, counted together, and one by one', async () => {
    const dasDuas = await logInToConsole(malote, {
      contadorId: escritorio.contadorId,
      papel: 'cliente',
      clientes: [emitente.id, irma.id],
    });
    const { usuario } = (await dasDuas.ask('/sessao')).body;
    assert.equal(usuario.clientes.length, 2);
    const lista = async (query: string, quem = dasDuas) =>
      (await quem.ask(`/documentos?${query}&Tamanho=200`)).body;
    const todas = await lista('');
    const [uma, outra] = [await lista(`cliente=${emitente.id}`), await lista(`cliente=${irma.id}`)];
    // A note between the two is one row.
    const juntas = new Set([...uma.itens, ...outra.itens].map(({ id }: { id: number }) => id));
    assert.equal(todas.itens.length, juntas.size);
    assert.equal(todas.total, juntas.size);
    assert.ok(juntas.size < uma.total + outra.total);
    assert.equal((await lista('', admin)).total >= todas.total, true);
    const aba = async (quem: Pedinte) =>
      (await quem.ask('/documentos/contagens')).body.especies.reduce(
        (sum: number, { total }: { total: number }) => sum + total,
        0,
      );
    assert.equal(await aba(dasDuas), todas.total);
    assert.equal((await dasDuas.ask('/inicio')).body.importacoesHoje, null);
    assert.equal(
      (await dasDuas.ask('/faltantes')).body.codigo,
      'dados_invalidos',
      'of one company at a time',
    );
    assert.equal((await dasDuas.ask(`/faltantes?cliente=${irma.id}`)).status, 200);
  });
});

describe('somebody who was removed', () => {
  it('is still named by what was sent, read and done, and found by name', async () => {
    const { contadorId } = escritorio;
    const ana = await logInToConsole(malote, { contadorId, email: 'ana@exemplo.com.br' });
    await admin.ask(`/usuarios/${ana.usuarioId}`, { method: 'PUT', json: { nome: 'Ana Souza' } });
    const arquivo = await enviar('da-ana.xml', daAna.bytes, ana);
    await terminada(arquivo);
    const documento = (await ana.ask(`/documentos?chave=${daAna.chave}`)).body.itens[0].id;
    await ana.ask('/auditoria/verificar', { method: 'POST' });
    const vista = async () => (await admin.ask(`/documentos/${documento}`)).body;
    const autora = `usuario:${ana.usuarioId}`;
    const acessos = async () =>
      (await vista()).acessos.filter(({ autor }: { autor: string }) => autor === autora);
    await ana.ask(`/documentos/${documento}`);
    await until('the access is noted', async () => (await acessos()).length > 0);
    assert.equal((await admin.ask(`/usuarios/${ana.usuarioId}`, { method: 'DELETE' })).status, 200);

    const nome = 'Ana Souza (usuário removido)';
    const listed = (await admin.ask('/importacoes?busca=da-ana')).body.itens[0];
    assert.deepEqual([listed.id, listed.usuario], [arquivo, nome]);
    assert.equal((await admin.ask(`/importacoes/${arquivo}`)).body.usuario, nome);
    const naLista = (await admin.ask(`/documentos?chave=${daAna.chave}`)).body.itens[0];
    assert.equal(naLista.origem.usuario, nome);
    assert.ok((await acessos()).every((acesso: { nome: string }) => acesso.nome === nome));
    const passos: { tipo: string; detalhe: string }[] = (await vista()).linhaDoTempo;
    assert.equal(passos.find(({ tipo }) => tipo === 'importacao')?.detalhe, `Pelo console, por ${nome}`);
    for (const quem of ['souza', 'ana@exemplo', autora]) {
      const { itens } = (await admin.ask(`/auditoria?quem=${quem}`)).body;
      assert.ok(itens.length > 0, quem);
      assert.ok(
        itens.every((one: { quem: string; autor: string }) => one.quem === nome && one.autor === autora),
        quem,
      );
    }
    const [removida] = (await admin.ask('/auditoria?ato=usuario.removido')).body.itens;
    assert.equal(removida.sobre, nome);
    assert.deepEqual((await deFora.ask('/auditoria?quem=souza')).body.itens, []);
  });
});

describe('clients who are to say something of notes', () => {
  it('are named with how many wait and which term ends first, each to who sees it', async () => {
    const DIA_MS = 86_400_000;
    const recebida = (numero: number, dias: number) =>
      generateNfe({
        ...{
          semente: 'espera',
          emitente: generateEmpresa('fornecedor', { perfil: 'comercio', uf: 'SP' }),
          destinatario: emitente,
          modelo: '55',
          serie: 3,
          numero,
        },
        ...{ emissao: new Date(Date.now() - dias * DIA_MS), itens: 1 },
      });
    const esperam = async (quem: Pedinte) => (await quem.ask('/manifestacoes/clientes')).body.clientes;
    assert.deepEqual(await esperam(admin), []);
    const notas = [recebida(1, 3), recebida(2, 60), recebida(3, 200)];
    await terminada(
      await enviar('esperam.zip', await zipDe(notas.map(({ chave: nome, bytes }) => ({ nome, bytes })))),
    );
    const [um, ...outros] = await esperam(admin);
    assert.deepEqual(outros, []);
    assert.deepEqual([um.cpfCnpj, um.notas, um.semXml, um.haMais], [emitente.id, 2, 0, false]);
    assert.ok(
      um.cienciaDias >= 5 && um.cienciaDias <= 7 && um.conclusivaDias >= 28 && um.conclusivaDias <= 30,
    );
    const { notas: suas } = (await admin.ask(`/manifestacoes?cliente=${emitente.id}`)).body;
    assert.equal(suas.length, um.notas);
    assert.deepEqual(await esperam(doCliente), [um]);
    assert.deepEqual(await esperam(deFora), []);
  });
});

describe('the state of a client', () => {
  it('is told by its own notes where a certificate is looked at, so that nobody has to know it', async () => {
    const conferir = (cpfCnpj: string) =>
      admin.ask('/clientes/certificado/conferir', { json: { arquivo: 'AAAA', senha: 'x', cpfCnpj } });
    assert.equal((await conferir(emitente.id)).body.ufProvavel, 'SP');
    assert.equal((await conferir('11222333000181')).body.ufProvavel, null);
  });
});

describe('failures', () => {
  it('are told by cause, summed at the end of an upload, and leave the list with a reason', async () => {
    const html = Buffer.from('<!doctype html><html><body>Erro 500</body></html>');
    const ids = [];
    for (const nome of ['um.xml', 'dois.xml']) ids.push(await enviar(nome, html));
    for (const id of ids) await terminada(id);
    const somados = await admin.ask('/importacoes/totais', { method: 'POST', json: { ids } });
    assert.deepEqual(somados.body.resultados, [{ resultado: 'rejeitado', quantidade: 2 }]);
    const alheios = await deFora.ask('/importacoes/totais', { method: 'POST', json: { ids } });
    assert.deepEqual(alheios.body.resultados, []);

    const antes = await daCausa();
    assert.equal(antes.acao, 'enviar');
    assert.ok(antes.documentos >= 2 && antes.causa && antes.remedio);
    const { body } = await admin.ask(`/falhas/itens?codigo=${CODIGO}&Tamanho=1`);
    assert.equal(body.itens[0].codigo, CODIGO);
    assert.equal(body.proximo, '1');
    const [{ arquivo, ordem }] = body.itens;

    assert.deepEqual((await marcar(deFora, {})).body, { falhas: 0 });
    assert.equal((await marcar(admin, { motivo: '   ' })).status, 400);
    const uma = await marcar(admin, { itens: [{ arquivo: arquivo.id, ordem }], situacao: 'visto' });
    assert.deepEqual(uma.body, { falhas: 1 });
    assert.equal((await daCausa()).documentos, antes.documentos - 1);
    assert.deepEqual((await marcar(admin, { ate: antes.em })).body, { falhas: antes.documentos - 1 });
    assert.equal((await daCausa()).documentos, undefined, 'none is left');
    const { itens: todas } = (await admin.ask('/falhas/itens?quais=vistas')).body;
    const vistas = todas.filter((one: { codigo: string }) => one.codigo === CODIGO);
    assert.equal(vistas.length, antes.documentos);
    assert.deepEqual((await deFora.ask('/falhas/itens?quais=vistas')).body.itens, []);
    const { marca } = vistas.find((one: { arquivo: { id: string } }) => one.arquivo.id === arquivo.id);
    assert.deepEqual([marca.situacao, marca.motivo], ['visto', 'Baixado de novo']);

    const itens = [{ arquivo: arquivo.id, ordem }];
    assert.deepEqual((await deFora.ask('/falhas/reabrir', { method: 'POST', json: { itens } })).body, {
      falhas: 0,
    });
    assert.deepEqual((await admin.ask('/falhas/reabrir', { method: 'POST', json: { itens } })).body, {
      falhas: 1,
    });
    assert.equal((await daCausa()).documentos, 1);
    const csv = await fetch(`${malote.url}/console/api/falhas/csv`, { headers: { cookie: admin.cookie } });
    assert.match(csv.headers.get('content-disposition') ?? '', /^attachment; filename="falhas-000071-/);
    assert.match(await csv.text(), /html_no_lugar_do_xml\r\n/);
    const livro = await fetch(`${malote.url}/console/api/falhas/xlsx`, { headers: { cookie: admin.cookie } });
    assert.match(livro.headers.get('content-disposition') ?? '', /"falhas-000071-[-0-9]+\.xlsx"$/);
    const [aba] = (await readXlsx(new Uint8Array(await livro.arrayBuffer()))).sheets;
    const [titulos = [], ...falhas] = aba?.rows ?? [];
    const coluna = (titulo: string) => falhas.map((linha) => linha[titulos.indexOf(titulo)]);
    assert.ok(coluna('Código').includes('html_no_lugar_do_xml'));
    assert.ok(coluna('Recebido em').every((em) => em instanceof Date || typeof em === 'number'));
    assert.equal((await doCliente.ask('/falhas')).status, 403);
  });

  it('are solved by what comes later and brings what lacked, and say so', async () => {
    const em = new Date(Date.UTC(2026, 2, 10, 15));
    const evento = (sequencia: number, cStat: '135' | '501' = '135') =>
      generateEvento({
        ...{ semente: `resolve-${sequencia}`, codigo: '110110', chave: daAna.chave, autor: emitente },
        ...{ sequencia, em, cStat },
      }).xml;
    const inutilizada = generateInutilizacao({
      ...{ semente: 'resolve', emitente, modelo: '55', serie: 9, numeroInicial: 5, numeroFinal: 7, em },
    }).xml;
    const servico = generateNfse({
      ...{
        semente: 'resolve',
        prestador: emitente,
        tomador: comprador,
        numero: 3,
        emissao: em,
        dps: { serie: 1, numero: 3 },
      },
    });
    const nacional = generateEventoNfse({
      semente: 'resolve',
      chave: servico.chave,
      autor: emitente,
      em,
    }).xml;
    const dentro = (xml: string, nome: string) =>
      new RegExp(`<${nome}[ >].*</${nome}>`, 's').exec(xml)?.[0] ?? assert.fail(nome);
    const semAssinaturaDeFora = (xml: string) => {
      const at = xml.lastIndexOf('<Signature xmlns');
      return xml.slice(0, at) + xml.slice(xml.indexOf('</Signature>', at) + 12);
    };
    const pedidos = {
      'evento.xml': dentro(evento(1), 'evento'),
      'recusado.xml': evento(2, '501'),
      'inutilizacao.xml': dentro(inutilizada, 'inutNFe'),
      'nacional.xml': semAssinaturaDeFora(nacional)
        .replace(/<dhProc>.*?<\/dhProc>/s, '')
        .replace(/Id="EVT[^"]*"/, ''),
      'alheio.xml': dentro(evento(3), 'evento'),
    };
    const zip = async (partes: Record<string, string>) =>
      zipDe(Object.entries(partes).map(([nome, xml]) => ({ nome, bytes: Buffer.from(xml) })));
    const cedo = await enviar('cedo.zip', await zip(pedidos));
    await terminada(cedo);
    const noArquivo = async (quais: string) =>
      (await admin.ask(`/falhas/itens?quais=${quais}&Tamanho=200`)).body.itens
        .filter(({ arquivo }: { arquivo: { id: string } }) => arquivo.id === cedo)
        .map(({ caminho, marca }: { caminho: string; marca: { por: string; motivo: string } | null }) => [
          caminho,
          marca && [marca.por, /depois|chegou/.test(marca.motivo)],
        ])
        .sort();
    assert.deepEqual(
      (await noArquivo('abertas')).map(([caminho]: [string]) => caminho),
      Object.keys(pedidos).sort(),
    );
    const tarde = { 'a.xml': evento(1), 'b.xml': evento(2), 'c.xml': inutilizada, 'd.xml': nacional };
    await terminada(await enviar('tarde.zip', await zip(tarde)));
    assert.deepEqual(await noArquivo('abertas'), [['alheio.xml', null]], 'another event of the same note');
    assert.deepEqual(
      await noArquivo('vistas'),
      Object.keys(pedidos)
        .filter((caminho) => caminho !== 'alheio.xml')
        .sort()
        .map((caminho) => [caminho, ['Malote', true]]),
    );
  });

  const CODIGO = 'html_no_lugar_do_xml';
  const daCausa = async (quem = admin) => {
    const { body } = await quem.ask('/falhas');
    return { ...body.causas.find((one: { codigo: string }) => one.codigo === CODIGO), em: body.em };
  };
  const marcar = (quem: Pedinte, more: object) =>
    quem.ask('/falhas/marcar', {
      method: 'POST',
      json: { codigo: CODIGO, situacao: 'resolvido', motivo: 'Baixado de novo', ...more },
    });
});

describe('held documents', () => {
  it('are grouped by company, and enter the lists with one click', async () => {
    await terminada(await enviar('estranha.xml', estranha.bytes));
    const falhas = async () => (await admin.ask('/inicio')).body.falhasPendentes;
    const antes = await falhas();
    const [esta] = (await admin.ask('/importacoes?busca=estranha')).body.itens;
    assert.deepEqual(
      [esta.status, esta.falhou],
      ['Com Erro', false],
      'what waits for a client has not failed',
    );
    const { body } = await admin.ask('/retidos');
    const retida = body.itens.find(({ cpfCnpj }: { cpfCnpj: string }) => cpfCnpj === comprador.id);
    assert.equal(retida.documentos, 1);
    assert.equal(retida.nome, comprador.nome);
    assert.deepEqual((await deFora.ask('/retidos')).body.itens, []);
    const resumo = async (quem: Pedinte) => (await quem.ask('/retidos/resumo')).body;
    assert.deepEqual(await resumo(admin), { documentos: 1, haMais: false });
    assert.deepEqual(await resumo(deFora), { documentos: 0, haMais: false });
    const { passos } = (await admin.ask('/inicio')).body;
    assert.deepEqual([passos.clientes, passos.recebidos], [true, true]);
    const cadastro = { cpfCnpj: comprador.id, nome: comprador.nome, email: 'a@exemplo.com.br' };
    const done = await admin.ask('/retidos/cadastrar', { method: 'POST', json: cadastro });
    assert.equal(done.status, 200, JSON.stringify(done.body));
    assert.equal(done.body.documentos, 2, 'the held note and the one that it bought');
    assert.deepEqual((await admin.ask('/retidos')).body.itens, []);
    assert.equal(await falhas(), antes, 'nor was it counted as a failure');
    const again = await admin.ask('/retidos/cadastrar', { method: 'POST', json: cadastro });
    assert.equal(again.body.codigo, 'cliente_ja_cadastrado');
    assert.deepEqual(await resumo(admin), { documentos: 0, haMais: false });
  });

  it('tell on the first day who the clients are, who are registered at once', async () => {
    const compras = [1, 2, 3].map((numero) =>
      generateNfe({
        semente: `compra-${numero}`,
        emitente: generateEmpresa(`fornecedor-${numero}`, { perfil: 'industria', uf: 'SP' }),
        destinatario: comprador,
        modelo: '55',
        serie: 1,
        numero,
        emissao: new Date(Date.UTC(2026, 2, 9, 15)),
        itens: 1,
      }),
    );
    assert.deepEqual((await deFora.ask('/inicio')).body.passos, {
      clientes: false,
      recebidos: false,
      leitores: false,
    });
    for (const { bytes } of compras) {
      const id = await enviar('compra.xml', bytes, deFora);
      await answerOnce('the file is imported', {
        ask: async () => (await deFora.ask(`/importacoes/${id}`)).body,
        is: ({ status }) => status === 'Com Erro',
      });
    }
    const { itens } = (await deFora.ask('/retidos/provaveis')).body;
    assert.deepEqual(itens, [{ cpfCnpj: comprador.id, nome: comprador.nome, emitidos: 0, recebidos: 3 }]);
    assert.deepEqual((await admin.ask('/retidos/provaveis')).body.itens, []);
    const empresas = [
      { cpfCnpj: comprador.id, nome: comprador.nome },
      { cpfCnpj: '99999999999', nome: 'Consumidor' },
    ];
    const { body } = await deFora.ask('/retidos/cadastrar-varios', { method: 'POST', json: { empresas } });
    assert.equal(body.cadastrados, 1);
    assert.equal(body.recusados[0].cpfCnpj, '99999999999');
    assert.deepEqual((await deFora.ask('/retidos/resumo')).body, { documentos: 0, haMais: false });
  });
});

describe('the first page', () => {
  it('shows what happened today, missing numbers, and how far integrations have read', async () => {
    const base = `${malote.url}/api/v1/${escritorio.codigoCrm}/${emitente.id}`;
    await fetchJson(`${base}/documentos/0/novos?Tamanho=1`, { token: escritorio.token });
    const { body } = await answerOnce('the reading is noted, the numbers counted', {
      ask: () => admin.ask('/inicio?dias=366'),
      is: ({ status, body }) => status === 200 && body.consumidores.total > 0 && body.faltantes !== null,
    });
    assert.equal(body.consumidores.itens[0].nsuLido, 1);
    assert.deepEqual([body.faltantes.total, body.faltantes.clientes], [0, 0]);
    // Unless it has become tomorrow meanwhile.
    if (diaDe(Date.now()) === diaDe(INICIO)) assert.ok(body.importacoesHoje.arquivos > 0);
    assert.ok(body.falhasPendentes > 0);
    assert.ok(body.documentosPorDia.some((one: { dia: string }) => one.dia === diaDe(EMITIDA_EM)));
    assert.ok(body.armazenamento.bytes > 0);
    const own = (await doCliente.ask('/inicio')).body;
    assert.equal(own.importacoesHoje, null);
    assert.equal(own.armazenamento, null);
  });
});

describe('a quiet client', () => {
  const DAY = 86_400_000;
  const agora = 20_000 * DAY;
  it('is one that is quieter than its own habit', () => {
    const silencio = (chegadas: number[]) => {
      const habito = habitoDe(chegadas);
      return habito && silencioDe(habito, agora);
    };
    const daily = Array.from({ length: 60 }, (_one, index) => agora - (index + 5) * DAY);
    assert.deepEqual(silencio(daily), { ultimoEm: agora - 5 * DAY, dias: 5, habitoDias: 1 });
    assert.equal(silencio(daily.map((em) => em + 3 * DAY)), null);
    const monthly = Array.from({ length: 12 }, (_one, index) => agora - (index * 30 + 20) * DAY);
    assert.equal(silencio(monthly), null);
    assert.equal(silencio([]), null);
  });
});

describe('the catalogue of remedies', () => {
  it('has cause and remedy of every code that an item may carry, and no other', () => {
    const page = readFileSync(new URL('../../docs/erros.md', import.meta.url), 'utf8');
    const sections = page.split('\n## ').filter((one) => /^(Documentos|Ignorados)/.test(one));
    const codes = sections.flatMap((one) =>
      [...one.matchAll(/^\| `([a-z0-9_]+)` \|/gm)].map(([, code = '']) => code),
    );
    assert.ok(codes.length > 70);
    assert.deepEqual([...REMEDIOS.keys()].sort(), [...new Set(codes)].sort());
    for (const [codigo, { causa, remedio }] of REMEDIOS) {
      assert.ok(causa.length > 10 && remedio.length > 10, codigo);
    }
  });
});

describe('documents that are newer than the schemas that are installed', () => {
  it('are not called invalid, and the first page tells how many there are', async () => {
    const nova = generateNfe({
      semente: 'nova',
      emitente,
      destinatario: comprador,
      modelo: '55',
      serie: 2,
      numero: 1,
      emissao: new Date(Date.UTC(2026, 8, 9, 15)),
      itens: 1,
    });
    const xml = Buffer.from(nova.bytes)
      .toString()
      .replace(/<tpImp>.<\/tpImp>/, '<tpImp>6</tpImp>');
    const before = (await admin.ask('/inicio')).body.maisNovosQueOEsquema;
    const id = await enviar('nova.xml', Buffer.from(xml));
    await terminada(id);
    const [{ documentoId }] = (await admin.ask(`/importacoes/${id}/itens`)).body.itens;
    const { versoes } = (await admin.ask(`/documentos/${documentoId}`)).body;
    assert.equal(
      versoes[0].vereditos?.esquema?.resultado ?? versoes[0].esquema?.resultado,
      'esquema_mais_antigo',
    );
    assert.equal((await admin.ask('/inicio')).body.maisNovosQueOEsquema, before + 1);
    assert.equal((await doCliente.ask('/inicio')).body.maisNovosQueOEsquema, null);
  });
});
