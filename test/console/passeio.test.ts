/** A walk through the console in a real browser, against the real server with the demonstration's documents. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  criarAna,
  encher,
  type MundoDoConsole,
  mesPassado,
  mundoVazio,
  perguntar,
} from '../support/console-mundo.ts';
import { ensureConsole } from '../support/construir-console.ts';
import { Navegador, SEM_NAVEGADOR } from '../support/navegador.ts';
import { preencher, TELAS } from './telas-do-console.ts';

/** Bytes of compressed script that the first screen may load. */
const SCRIPT_BYTES = 350_000;
/** What the web calls good. */
const SHIFT_MAX = 0.1;
const LARGA = { largura: 1280, altura: 900, esquema: 'light' } as const;

describe('the console, screen by screen', { skip: SEM_NAVEGADOR }, () => {
  let mundo: MundoDoConsole;
  let cookie: string;
  let valores: Record<string, string>;
  /** One for all: each of them starts a dozen processes, and compiles the console once more. */
  let navegador: Navegador;
  before(async () => {
    ensureConsole();
    mundo = await mundoVazio();
    cookie = await criarAna(mundo);
    const { clientes } = await encher(mundo.malote, mesPassado());
    const { body } = await perguntar(
      mundo.malote,
      cookie,
      '/documentos?especie=nfe&visao=recebidas&status=Autorizada&Tamanho=1',
    );
    const arquivos = await perguntar(mundo.malote, cookie, '/importacoes?status=Com%20Erro&Tamanho=1');
    valores = {
      cliente: clientes[0]?.id ?? '',
      documento: String(body.itens[0].id),
      importacao: arquivos.body.itens[0].id,
    };
    navegador = await Navegador.abrir();
    await navegador.logInWith(mundo.malote.url, cookie);
  });
  after(async () => {
    await navegador?.[Symbol.asyncDispose]();
    await mundo.malote[Symbol.asyncDispose]();
  });

  const enderecoDe = (caminho: string) => `${mundo.malote.url}/console${preencher(caminho, valores)}`;

  describe('each screen is usable by everybody (axe), keeps to its policy, complains of nothing and never scrolls sideways', () => {
    after(() => navegador.janela(LARGA));

    for (const { nome, caminho, titulo } of TELAS) {
      it(nome, async () => {
        await navegador.janela(LARGA);
        await navegador.ir(enderecoDe(caminho), titulo);
        const shift = await navegador.deslocamento();
        const faults = await navegador.faltasDeAcesso();
        await navegador.janela({ ...LARGA, esquema: 'dark' });
        faults.push(...(await navegador.faltasDeAcesso()));
        for (const largura of [768, 1440, 320, 360]) {
          await navegador.janela({ largura, altura: 800, esquema: 'dark' });
          if (await navegador.transborda()) faults.push(`scrolls sideways at ${largura}`);
        }
        faults.push(...(await navegador.faltasDeAcesso()), ...(await navegador.violacoes()));
        assert.deepEqual([...faults, ...navegador.queixas.splice(0)], []);
        assert.ok(shift < SHIFT_MAX, `moves by ${shift}`);
      });
    }
  });

  it('loads little, and says how soon it can be used', async (context) => {
    await navegador.ir(enderecoDe('/'), 'Início');
    const { scripts, bytes, usable } = (await navegador.page.evaluate(`(() => {
      const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'));
      const first = scripts.filter(({ name }) => !/grafico/.test(name));
      return { scripts: first.length, bytes: first.reduce((sum, one) => sum + one.encodedBodySize, 0),
        usable: Math.round(performance.getEntriesByName('malote-pronto')[0]?.startTime ?? -1) };
    })()`)) as { scripts: number; bytes: number; usable: number };
    context.diagnostic(`${scripts} scripts, ${bytes} bytes compressed; usable after ${usable} ms`);
    assert.ok(bytes > 0 && bytes < SCRIPT_BYTES, `${bytes} bytes`);
    assert.ok(usable > 0, 'the first screen tells when it can be used');
  });

  it('is used without a mouse: skip link, focus on the heading of the screen that opens', async () => {
    const { page } = navegador;
    await navegador.ir(enderecoDe('/clientes'), 'Clientes');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Pular para o conteúdo');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'conteudo');
    await page.getByRole('navigation').getByRole('link', { name: 'Documentos' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Documentos' }).waitFor();
    assert.equal(
      await page.evaluate('document.activeElement.tagName + document.activeElement.textContent'),
      'H1Documentos',
    );
    assert.equal(await page.title(), 'Documentos – Malote');
  });

  it('searches as one types, narrows by kind and keeps both in the address', async () => {
    const { page } = navegador;
    await navegador.ir(enderecoDe('/documentos'), 'Documentos');
    const { body } = await perguntar(
      mundo.malote,
      cookie,
      '/documentos?especie=nfe&visao=canceladas&Tamanho=1',
    );
    const { numero } = body.itens[0];
    await page.getByRole('tab', { name: 'NF-e' }).click();
    await page.getByRole('button', { name: 'Canceladas' }).click();
    await page.getByRole('searchbox', { name: 'Buscar por nome' }).fill(numero);
    await page.waitForURL(/busca=/);
    await page
      .getByRole('link', { name: new RegExp(`NF-e ${numero}\\b`) })
      .first()
      .waitFor();
    assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), {
      especie: 'nfe',
      visao: 'canceladas',
      busca: numero,
    });
    await page.reload();
    await page
      .getByRole('link', { name: new RegExp(`NF-e ${numero}\\b`) })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: new RegExp(`NF-e ${numero}`) }).waitFor();
    await page.getByText('Cancelada').first().waitFor();
    await page.getByRole('tab', { name: 'XML' }).click();
    await page.getByText('<nfeProc', { exact: false }).first().waitFor();
  });

  it('looks through the eyes of the first client that a typed name finds, however soon Enter is pressed', async () => {
    const { page } = navegador;
    const { body } = await perguntar(mundo.malote, cookie, '/clientes?Tamanho=50');
    const [primeiro, outro] = (body.itens as { nome: string }[]).map(({ nome }) => nome);
    assert.ok(primeiro && outro);
    await navegador.ir(enderecoDe('/documentos'), 'Documentos');
    const campo = page.getByRole('combobox', { name: /^Visualizar como/ });
    const mostra = (nome: string) => page.locator(`header input[role=combobox][value="${nome}"]`).waitFor();
    for (const nome of [outro, primeiro]) {
      await campo.click();
      await campo.fill(nome.slice(0, -1));
      await campo.press('Enter');
      await mostra(nome);
    }
    await campo.click();
    await page.getByRole('option', { name: outro }).click();
    await mostra(outro);
    await campo.click();
    await page.getByRole('option', { name: primeiro }).waitFor();
    await campo.fill('');
    await campo.press('Enter');
    await mostra('Todos os clientes');
  });

  it('says of a document that the chosen client does not have whose it is not, and shows it to the whole office', async () => {
    const perguntarPor = (caminho: string) => perguntar(mundo.malote, cookie, caminho);
    const [primeiro, outro] = (await perguntarPor('/clientes?Tamanho=50')).body.itens as {
      cpfCnpj: string;
      nome: string;
    }[];
    assert.ok(primeiro && outro);
    const { itens } = (await perguntarPor(`/documentos?cliente=${outro.cpfCnpj}&Tamanho=50`)).body;
    let id: number | null = null;
    for (const documento of itens as { id: number }[]) {
      const { status } = await perguntarPor(`/documentos/${documento.id}?cliente=${primeiro.cpfCnpj}`);
      if (status === 404) id ??= documento.id;
    }
    assert.ok(id !== null, 'the two clients have all documents in common');
    const { page } = navegador;
    await navegador.ir(enderecoDe('/documentos'), 'Documentos');
    const campo = page.getByRole('combobox', { name: /^Visualizar como/ });
    await campo.click();
    await page.getByRole('option', { name: primeiro.nome }).click();
    await page.locator(`header input[role=combobox][value="${primeiro.nome}"]`).waitFor();
    await navegador.ir(enderecoDe(`/documentos/${id}`), 'Documento');
    await page.getByText('Este documento não é do cliente escolhido').waitFor();
    await page.getByRole('button', { name: 'Ver por todo o escritório' }).click();
    await page.getByRole('tab', { name: 'XML' }).waitFor();
  });

  it('shows a list as it was filtered, on going back to it', async () => {
    const { page } = navegador;
    const { body } = await perguntar(mundo.malote, cookie, '/clientes?Tamanho=1');
    const [{ nome }] = body.itens as [{ nome: string }];
    await navegador.ir(enderecoDe('/clientes'), 'Clientes');
    const busca = page.getByRole('searchbox', { name: 'Buscar cliente por nome ou CNPJ' });
    await busca.pressSequentially(nome.slice(1));
    await busca.press('Home');
    await busca.pressSequentially(nome.slice(0, 1));
    assert.equal(await busca.inputValue(), nome);
    await page.getByRole('row').filter({ hasText: nome }).first().click();
    await page.getByRole('heading', { level: 1, name: nome }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Clientes' }).waitFor();
    assert.equal(await busca.inputValue(), nome);

    await navegador.ir(enderecoDe('/importacoes'), 'Importações');
    await page.getByRole('combobox', { name: 'Situação' }).click();
    await page.getByRole('option', { name: 'Com erro' }).click();
    await page.getByRole('button', { name: 'Recebidos em' }).click();
    await page.getByRole('button', { name: '7 dias' }).click();
    await page.waitForURL(/status=Com\+Erro.*&de=\d{4}-\d\d-\d\d&ate=\d{4}-\d\d-\d\d/);
    await page.reload();
    await page.locator('input[role=combobox][value="Com erro"]').waitFor();
  });

  it('on a phone: the choice of all clients is read whole, Escape closes the menu, the chosen tab is in sight, the calendar fits and has its names', async () => {
    const { page } = navegador;
    await navegador.janela({ largura: 360, altura: 740, esquema: 'light' });
    await navegador.ir(enderecoDe('/conta/integracao'), 'Opções da conta');
    const aba = await page.getByRole('tab', { name: 'Integração' }).boundingBox();
    assert.ok(aba && aba.x >= 0 && aba.x + aba.width <= 360, JSON.stringify(aba));
    const cliente = page.getByRole('combobox', { name: /^Visualizar como/ });
    assert.equal(await cliente.inputValue(), 'Todos os clientes');
    assert.ok(await cliente.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
    await page.getByRole('button', { name: 'Abrir o menu' }).click();
    await page.getByRole('button', { name: 'Fechar o menu' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    const menu = page.getByRole('button', { name: 'Abrir o menu' });
    await menu.waitFor();
    assert.ok(await menu.evaluate((button) => button === button.ownerDocument.activeElement));
    await navegador.ir(enderecoDe('/importacoes'), 'Importações');
    await page.getByRole('button', { name: 'Recebidos em' }).click();
    const calendario = page.getByRole('dialog', { name: 'Recebidos em' });
    await calendario.getByRole('button', { name: 'Mês anterior' }).click();
    const box = await calendario.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 360, JSON.stringify(box));
    assert.equal(await navegador.transborda(), false);
    await navegador.janela(LARGA);
  });

  it('keeps the space behind a word while one goes on typing', async () => {
    const { page } = navegador;
    await navegador.ir(enderecoDe('/documentos'), 'Documentos');
    const campo = page.getByRole('searchbox', { name: 'Buscar por nome' });
    await campo.pressSequentially('comercio ');
    await page.waitForURL(/busca=comercio$/);
    await page.waitForLoadState('networkidle');
    await campo.pressSequentially('e');
    assert.equal(await campo.inputValue(), 'comercio e');
    await page.waitForURL(/busca=comercio(\+|%20)e$/);
  });

  it('shows what others wrote as text, never as markup', async () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(2)>';
    const { page } = navegador;
    let dialogs = 0;
    page.on('dialog', async (dialog) => {
      dialogs += 1;
      await dialog.dismiss();
    });
    await navegador.ir(enderecoDe('/clientes'), 'Clientes');
    await page.getByRole('button', { name: 'Novo cliente' }).click();
    await page.getByLabel('CPF ou CNPJ').last().fill('11.222.333/0001-81');
    await page.getByLabel('Nome ou razão social').fill(evil);
    await page.getByRole('dialog').getByLabel('E-mail').fill('x@exemplo.com.br');
    await page.getByRole('button', { name: 'Cadastrar', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: evil }).waitFor();
    await navegador.ir(enderecoDe('/clientes'), 'Clientes');
    await page.getByText(evil).first().waitFor();
    assert.equal(dialogs, 0);
    assert.deepEqual(await navegador.violacoes(), []);
  });
});
