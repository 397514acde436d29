/** What leaves the console, in a real browser: downloads opened and read, paper, versions side by side, deletion. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import { generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import { openZip } from '../support/abrir-zip.ts';
import { CRM, perguntar } from '../support/console-mundo.ts';
import { adoptEscritorio } from '../support/escritorio.ts';
import { textoDoPdf } from '../support/ler-pdf.ts';
import { fetchJson, imported, upload, withDeps } from '../support/malote.ts';
import { SEM_NAVEGADOR } from '../support/navegador.ts';

const emitente = generateEmpresa('saidas', { perfil: 'industria', uf: 'SP', alfanumerico: true });
const destinatario = generateEmpresa('saidas-dest', { perfil: 'comercio', uf: 'SP' });
const DIA_MS = 86_400_000;
const nota = (numero: number, emissao: Date) =>
  generateNfe({
    semente: `saidas-${numero}`,
    emitente,
    destinatario,
    modelo: '55',
    serie: 1,
    numero,
    emissao,
    itens: 2,
  });
const recente = new Date(Date.now() - 3 * DIA_MS);
const notas = [1, 2, 3].map((numero) => nota(numero, recente));
const velha = nota(90, new Date(Date.UTC(2013, 4, 6, 15)));
const [primeira, segunda] = notas as [ReturnType<typeof nota>, ReturnType<typeof nota>];
/** The second note once more, signed over something else. */
const OUTRA_NATUREZA = 'Natureza trocada';
const outraVersao = Buffer.from(
  segunda.bytes
    .toString()
    .replace(/<natOp>[^<]*</, `<natOp>${OUTRA_NATUREZA}<`)
    .replace(/<DigestValue>[^<]*</, `<DigestValue>${Buffer.alloc(20, 7).toString('base64')}<`),
);

describe('what leaves the console', { skip: SEM_NAVEGADOR }, () => {
  const escritorio = adoptEscritorio();
  const { dialogo, ir, pasta } = escritorio;
  let token: string;
  const baixar = async (nome: string, clicar: () => Promise<void>): Promise<Buffer> => {
    const [download] = await Promise.all([escritorio.navegador.page.waitForEvent('download'), clicar()]);
    assert.match(download.suggestedFilename(), new RegExp(`\\.${nome}$`));
    const path = join(pasta, `${Math.random()}.${nome}`);
    await download.saveAs(path);
    return readFileSync(path);
  };
  const idDe = async (chave: string) =>
    (await perguntar(escritorio.malote, escritorio.cookie, `/documentos?chave=${chave}`)).body.itens[0]
      .id as number;

  it('a token made on the screen sends and reads documents by HTTP at once', async () => {
    const { page } = escritorio.navegador;
    await ir('/clientes', 'Clientes');
    await page.getByRole('button', { name: 'Novo cliente' }).click();
    await dialogo().getByLabel('CPF ou CNPJ').fill(emitente.id);
    await dialogo().getByLabel('Nome ou razão social').fill(emitente.nome);
    await dialogo().getByLabel('E-mail').fill('fiscal@exemplo.com.br');
    await dialogo().getByRole('button', { name: 'Cadastrar' }).click();
    await page.getByRole('heading', { level: 1, name: emitente.nome }).waitFor();
    await ir('/conta/integracao', 'Opções da conta');
    await page.getByRole('button', { name: 'Novo token' }).click();
    await dialogo().getByLabel('Nome').fill('ERP');
    await dialogo().getByRole('button', { name: 'Criar' }).click();
    token = (await page.getByText(/^mlt_[A-Za-z0-9]{30,}$/).textContent()) ?? '';
    // As on the plain http of an office's network, where pages get no clipboard.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    const pasted = page.evaluate(
      "new Promise((resolve) => addEventListener('copy', () => resolve(getSelection().toString() || document.activeElement.value)))",
    );
    await page.getByRole('button', { name: 'Copiar o token' }).click();
    assert.equal(await pasted, token);
    await page.getByRole('button', { name: 'Copiado' }).waitFor();
    for (const { bytes } of [velha, ...notas]) {
      const id = await upload(escritorio.malote, { token, bytes, extension: '.xml' });
      assert.equal((await imported(escritorio.malote, { token, id })).status, 'Uploaded');
    }
    const path = `/api/v1/${CRM}/${emitente.id}/documentos/0/novos?Xml=true`;
    const { status, body } = await fetchJson(`${escritorio.malote.url}${path}`, { token });
    assert.deepEqual([status, body.total], [200, 4]);
    assert.equal(body.documentos[1].xml, primeira.bytes.toString());
  });

  it('a ZIP has the chosen folders, the very bytes, the PDF beside each, and a manifest that tells of both', async () => {
    const { page } = escritorio.navegador;
    await ir('/documentos', 'Documentos');
    await page.getByRole('button', { name: 'Exportar' }).click();
    await page.getByRole('menuitem', { name: 'ZIP com os XML' }).click();
    await dialogo().getByRole('combobox', { name: 'Pastas dentro do ZIP' }).click();
    await page.getByRole('option', { name: 'Mês / modelo', exact: true }).click();
    await dialogo().getByRole('switch', { name: 'Incluir o PDF de cada documento' }).check();
    await dialogo().getByRole('button', { name: 'Exportar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Downloads' }).waitFor();
    const files = await openZip(
      await baixar('zip', () => page.getByRole('link', { name: 'Baixar' }).first().click()),
    );
    const mes = new Date(recente.getTime() - 3 * 3_600_000).toISOString().slice(0, 7);
    const names = [velha, ...notas].flatMap(({ chave }) => {
      const folder = chave === velha.chave ? '2013-05' : mes;
      return [`${folder}/55/${chave}.pdf`, `${folder}/55/${chave}.xml`];
    });
    assert.deepEqual([...files.keys()].sort(), [...names, 'LEIA-ME.txt', 'manifest.csv'].sort());
    for (const { chave, bytes } of notas)
      assert.deepEqual(files.get(`${mes}/55/${chave}.xml`), Buffer.from(bytes));
    const manifest = (files.get('manifest.csv') ?? Buffer.alloc(0)).toString('utf8');
    assert.ok(manifest.startsWith('\ufeffArquivo;SHA-256;Bytes;'));
    assert.equal(manifest.trimEnd().split('\r\n').length, 5);
    const sha256 = createHash('sha256').update(primeira.bytes).digest('hex');
    assert.ok(manifest.includes(`${mes}/55/${primeira.chave}.xml;${sha256};${primeira.bytes.length};`));
    const texto = textoDoPdf(files.get(`${mes}/55/${primeira.chave}.pdf`) ?? Buffer.alloc(0));
    assert.ok(texto.includes('DANFE') && texto.includes(destinatario.nome), texto.slice(0, 400));
  });

  it('a spreadsheet is a real one: stable heads, one row a document, amounts as numbers, sums on a sheet of their own; the CSV says the same', async () => {
    const { page } = escritorio.navegador;
    const tables: string[][] = [];
    for (const [tipo, nome] of [
      ['xlsx', 'Planilha (xlsx)'],
      ['csv', 'CSV'],
    ] as const) {
      await ir('/documentos', 'Documentos');
      await page.getByRole('button', { name: 'Exportar' }).click();
      await page.getByRole('menuitem', { name: nome }).click();
      await dialogo().getByRole('button', { name: 'Exportar' }).click();
      await page.getByRole('heading', { level: 1, name: 'Downloads' }).waitFor();
      const linha = page.getByRole('row').filter({ hasText: `.${tipo}` });
      const bytes = await baixar(tipo, () => linha.getByRole('link', { name: 'Baixar' }).click());
      if (tipo === 'xlsx') {
        const [sheet] = (await readXlsx(new Uint8Array(bytes))).sheets;
        const [heads = [], ...rows] = sheet?.rows ?? [];
        assert.equal(rows.length, 4, 'no line of totals');
        assert.ok(rows.every((row) => typeof row[heads.indexOf('Valor')] === 'number'));
        const doXml = ({ bytes }: { bytes: Uint8Array }) =>
          Number(/<vNF>([\d.]+)</.exec(Buffer.from(bytes).toString())?.[1]);
        assert.deepEqual(
          rows.map((row) => [row[0], row[heads.indexOf('Valor')]]).sort(),
          [velha, ...notas].map((uma) => [uma.chave, doXml(uma)]).sort(),
          'each amount is that of its XML',
        );
        assert.deepEqual(
          rows.map((row) => row[0]).sort(),
          [velha, ...notas].map(({ chave }) => chave).sort(),
        );
        tables.push(heads.map(String));
      } else {
        const lines = bytes.toString('utf8').trimEnd().split('\r\n');
        assert.equal(lines.length, 5);
        tables.push((lines[0] ?? '').replace('\ufeff', '').split(';'));
      }
    }
    // By which the sums of the workbook follow its filter.
    assert.equal(tables[0]?.pop(), 'Visível');
    assert.deepEqual(tables[0], tables[1]);
    assert.deepEqual(tables[0]?.slice(0, 9), [
      'Chave de acesso',
      'Espécie',
      'Modelo',
      'Série',
      'Número',
      'Número final',
      'Situação',
      'Tipo',
      'Papel',
    ]);
  });

  it('the printed page shows the document and nothing of the screen around it', async () => {
    const { page } = escritorio.navegador;
    await ir(`/documentos/${await idDe(primeira.chave)}`);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const [button, navigation] = [page.getByRole('link', { name: 'Imprimir' }), page.getByRole('navigation')];
    const shown = [await button.isVisible(), await navigation.isVisible()];
    const pdf = await page.pdf({ format: 'A4' });
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    assert.deepEqual(shown, [false, false]);
    const texto = textoDoPdf(pdf).replaceAll(/\s+/g, ' ');
    const squeezed = texto.replaceAll(' ', '');
    for (const dito of [primeira.chave, emitente.nome, destinatario.nome, 'Nota Fiscal Eletrônica'])
      assert.ok(squeezed.includes(dito.replaceAll(' ', '')), `${dito} in ${texto.slice(0, 1500)}`);
    assert.ok(!squeezed.includes('Opçõesdaconta') && !squeezed.includes('Linhadotempo'));
  });

  it('the PDF opens in a tab of its own and says key and names', async () => {
    const { page } = escritorio.navegador;
    await ir(`/documentos/${await idDe(primeira.chave)}`);
    const link = page.getByRole('link', { name: 'PDF' });
    assert.equal(await link.getAttribute('target'), '_blank');
    const answer = await page.request.get(
      new URL((await link.getAttribute('href')) ?? '', escritorio.malote.url).href,
      { headers: { cookie: escritorio.cookie } },
    );
    assert.equal(answer.headers()['content-type'], 'application/pdf');
    assert.match(answer.headers()['content-disposition'] ?? '', /^attachment;/);
    const imprimir = page.getByRole('link', { name: 'Imprimir' });
    assert.equal(await imprimir.getAttribute('target'), '_blank');
    assert.match((await imprimir.getAttribute('href')) ?? '', /\/pdf\?abrir=true$/);
    const texto = textoDoPdf(await answer.body());
    assert.ok(texto.includes(primeira.chave.replaceAll(/(.{4})(?=.)/g, '$1 ')), texto.slice(0, 900));
    assert.ok(texto.includes(emitente.nome) && texto.includes(destinatario.nome));
    const xml = await baixar('xml', () => page.getByRole('link', { name: 'XML' }).click());
    assert.deepEqual(xml, Buffer.from(primeira.bytes));
    // Where a browser is led that opened one which could not be drawn.
    assert.equal(await page.getByText('O PDF deste documento não pôde ser feito').count(), 0);
    await ir(`/documentos/${await idDe(primeira.chave)}?aviso=pdf_indisponivel`);
    await page.getByText('O PDF deste documento não pôde ser feito').waitFor();
  });

  it('two versions of one key stand side by side with what they say differently', async () => {
    const { page } = escritorio.navegador;
    const id = await upload(escritorio.malote, { token, bytes: outraVersao, extension: '.xml' });
    assert.equal((await imported(escritorio.malote, { token, id })).status, 'Com Erro');
    await ir(`/importacoes/${id}`);
    await page.getByText('conflito').first().waitFor();
    await ir(`/documentos/${await idDe(segunda.chave)}`);
    await page.getByText('Há outra versão com a mesma chave e conteúdo diferente').waitFor();
    await page.getByRole('tab', { name: 'Versões (2)' }).click();
    const linha = page.getByRole('row').filter({ hasText: 'Natureza da operação' });
    const cells = await linha.getByRole('cell').allTextContents();
    assert.deepEqual(cells, [/<natOp>([^<]*)</.exec(segunda.bytes.toString())?.[1], OUTRA_NATUREZA]);
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);
    const bytes = await baixar('xml', () =>
      page.getByRole('link', { name: 'Baixar este XML' }).last().click(),
    );
    assert.ok([outraVersao, Buffer.from(segunda.bytes)].some((one) => one.equals(bytes)));
  });

  it('retention: preview, copy, confirmation and what is left', async () => {
    const { page } = escritorio.navegador;
    const id = await idDe(velha.chave);
    await withDeps(escritorio.malote.dataFolder, ({ db, clock }) =>
      db.write
        .updateTable('documento')
        .set({ importado_em: clock.now() - 60 * DIA_MS })
        .execute(),
    );
    await ir('/retencao', 'Retenção e guarda');
    await page.getByText('1 documento passou do prazo.', { exact: false }).waitFor();
    await page.getByRole('tab', { name: 'Exclusões' }).click();
    await page.getByRole('button', { name: 'Preparar exclusão' }).click();
    await dialogo().getByRole('button', { name: 'Preparar' }).click();
    const parte = page.getByRole('link', { name: 'Baixar parte 1' });
    await parte.waitFor();
    await withDeps(escritorio.malote.dataFolder, ({ db }) =>
      db.write.updateTable('exclusao').set({ estado: 'falhou', erro: 'Faltou espaço.' }).execute(),
    );
    await ir('/retencao', 'Retenção e guarda');
    await page.getByRole('tab', { name: 'Exclusões' }).click();
    await page.getByRole('alert').filter({ hasText: 'Faltou espaço.' }).waitFor();
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    await parte.waitFor();
    assert.equal(
      await page.getByRole('button', { name: 'Baixe a cópia para poder excluir' }).isDisabled(),
      true,
    );
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);
    const files = await openZip(await baixar('zip', () => parte.click()));
    assert.ok(
      [...files.values()].some((bytes) => bytes.equals(Buffer.from(velha.bytes))),
      [...files.keys()].join(', '),
    );
    await page.getByRole('button', { name: 'Excluir', exact: true }).click();
    await dialogo().getByRole('button', { name: 'Excluir' }).click();
    await page.getByRole('cell', { name: 'concluída', exact: true }).waitFor();

    await ir(`/documentos/${id}`);
    await page.getByText('Conteúdo excluído').waitFor();
    assert.equal(await page.getByRole('link', { name: 'PDF' }).count(), 0);
    assert.equal(await page.getByRole('tab', { name: 'XML' }).count(), 0);
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);
    for (const path of ['xml', 'pdf']) {
      const { status, body } = await perguntar(
        escritorio.malote,
        escritorio.cookie,
        `/documentos/${id}/${path}`,
      );
      assert.deepEqual([status, body.codigo], [410, 'conteudo_excluido'], path);
    }
    const novos = `/api/v1/${CRM}/${emitente.id}/documentos/0/novos?Xml=true`;
    const { body } = await fetchJson(`${escritorio.malote.url}${novos}`, { token });
    assert.deepEqual(
      [body.documentos[0].chave, body.documentos[0].xml, body.documentos[0].url_download],
      [velha.chave, '', ''],
    );
  });

  it('none of this breaks the page’s policy or makes it complain', async () => {
    assert.deepEqual([...(await escritorio.navegador.violacoes()), ...escritorio.navegador.queixas], []);
  });
});
