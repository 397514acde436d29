/** What people do that no form foresees: they type dates, click twice, lose the network, ask for what is rare or gone. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { encher, mesPassado, perguntar, SENHA } from '../support/console-mundo.ts';
import { adoptEscritorio } from '../support/escritorio.ts';
import { SEM_NAVEGADOR } from '../support/navegador.ts';

describe('the console, as people use it', { skip: SEM_NAVEGADOR }, () => {
  const escritorio = adoptEscritorio();
  const { dialogo, ir } = escritorio;
  const mes = mesPassado();
  const [ano = '', mm = ''] = mes.split('-');
  before(() => encher(escritorio.malote, mes));

  it('a period is typed as people write days, in any order, and the calendar shows what is chosen', async () => {
    const { page } = escritorio.navegador;
    /** Who types before the field has the focus, which no hand is quick enough for, types into nothing. */
    const abrir = async (rotulo: string) => {
      await page.getByRole('button', { name: rotulo, exact: true }).click();
      await page.locator('input[data-autofocus]:focus').waitFor();
    };
    await ir('/documentos', 'Documentos');
    await abrir('Emissão');
    await page.keyboard.type('99/99/2026');
    await page.keyboard.press('Enter');
    await dialogo().getByText('dia/mês/ano').waitFor();
    await dialogo().getByLabel('De', { exact: true }).fill(`20${mm}${ano}`);
    await dialogo()
      .getByLabel('Até', { exact: true })
      .fill(`3/${Number(mm)}/${ano.slice(2)}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`emissaoDe=${ano}-${mm}-03&emissaoAte=${ano}-${mm}-20`));
    const campo = page.getByRole('button', { name: `Emissão: 03/${mm}/${ano} – 20/${mm}/${ano}` });
    await campo.click();
    const day = (text: string) =>
      dialogo()
        .getByRole('button', { name: new RegExp(`^${text} `) })
        .first()
        .evaluate((button) => button.ownerDocument.defaultView?.getComputedStyle(button).backgroundColor);
    assert.notEqual(await day('3'), await day('10'));
    assert.notEqual(await day('10'), await day('25'));
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);
    await page.keyboard.press('Escape');
    await dialogo().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Limpar emissão' }).click();
    await page.waitForURL(/documentos$/);

    await page.getByRole('button', { name: 'Mais filtros' }).click();
    await abrir('Período de importação');
    await page.keyboard.type('01012026');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Período de importação: desde 01/01/2026' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Mais filtros' }).getByRole('button', { name: 'Aplicar' }).click();
    await page.waitForURL(/importacaoDe=2026-01-01$/);
  });

  it('numbers are taken as lists show them, and limits that exclude each other are told', async () => {
    const { page } = escritorio.navegador;
    await ir('/documentos', 'Documentos');
    await page.getByRole('button', { name: 'Mais filtros' }).click();
    await dialogo().getByLabel('Número').fill('1.691');
    await dialogo().getByLabel('Valor de').fill('100,50');
    await dialogo().getByLabel('Valor até').fill('10');
    await dialogo().getByRole('button', { name: 'Aplicar' }).click();
    await dialogo().getByText('É menor que o “Valor de”.').waitFor();
    await dialogo().getByLabel('Valor até').fill('1.000.000');
    await dialogo().getByRole('button', { name: 'Aplicar' }).click();
    await page.waitForURL(/numero=1691&valorDe=100.5&valorAte=1000000$/);
  });

  it('the list says whose, which way and how much; its heads sort it, and marks are counted', async () => {
    const { page } = escritorio.navegador;
    await ir('/documentos', 'Documentos');
    const { body } = await perguntar(escritorio.malote, escritorio.cookie, '/documentos/totais');
    const porStatus: { status: string; documentos: number; valor: string }[] = body.porStatus;
    const documentos = porStatus.reduce((sum, um) => sum + um.documentos, 0);
    await page.getByText(new RegExp(`^${documentos} documentos · R\\$`)).waitFor();
    await page.getByRole('cell', { name: 'Entre clientes' }).first().waitFor();

    const valores = async () => {
      const textos = await page.locator('table.lista tbody td.numero').allInnerTexts();
      return textos
        .filter((texto) => texto !== '–')
        .map((texto) => Number(texto.replace(/[^\d,]/g, '').replace(',', '.')));
    };
    const cabeca = page.getByRole('columnheader', { name: 'Valor' });
    for (const [sentido, volta] of [
      ['descending', -1],
      ['ascending', 1],
    ] as const) {
      const veio = page.waitForResponse((resposta) => resposta.url().includes('ordem=valor'));
      await cabeca.getByRole('button').click();
      await veio;
      await page.locator(`th[aria-sort=${sentido}]`).waitFor();
      const vistos = await valores();
      assert.deepEqual(
        vistos,
        vistos.toSorted((a, b) => (a - b) * volta),
      );
    }
    await page.getByLabel('Selecionar todas as linhas à vista').check();
    await page.getByText(/^50 marcados · R\$/).waitFor();
    await page.getByRole('button', { name: 'marcar todo o resultado' }).click();
    await page.getByText(new RegExp(`^Todos marcados: ${documentos} documentos · R`)).waitFor();
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);

    await ir('/documentos?especie=nfe', 'Documentos');
    const abas = await perguntar(escritorio.malote, escritorio.cookie, '/documentos/contagens');
    const nfe = abas.body.especies.find(({ especie }: { especie: string }) => especie === 'nfe');
    await page.getByText(new RegExp(`^${nfe.total.toLocaleString('pt-BR')} documentos · R`)).waitFor();
  });

  it('what is typed can be looked for among products, CFOPs and NCMs', async () => {
    const { page } = escritorio.navegador;
    const pedir = (caminho: string) => perguntar(escritorio.malote, escritorio.cookie, caminho);
    const { body } = await pedir('/documentos?especie=nfe&status=Autorizada&Tamanho=1');
    const dela = await pedir(`/documentos/${body.itens[0].id}/itens`);
    const campos: { rotulo: string; valor: string }[] = dela.body.itens[0].campos;
    const campoDe = (rotulo: string) => campos.find((um) => um.rotulo === rotulo)?.valor ?? '';
    const [cfop = ''] = campoDe('CFOP').split(' ');
    const descricao = campoDe('Descrição');
    await ir('/documentos?especie=nfe', 'Documentos');
    const campo = page.getByRole('searchbox');
    await campo.fill(cfop);
    await page.getByRole('button', { name: `CFOP ${cfop}`, exact: true }).click();
    await page.waitForURL(new RegExp(`cfop=${cfop}`));
    await page.getByRole('row').nth(1).waitFor();
    await page.getByRole('button', { name: `Tirar o filtro CFOP ${cfop}` }).click();
    await campo.fill(descricao);
    await page.getByRole('button', { name: `produto ou serviço “${descricao}”` }).click();
    await page.getByRole('row').nth(1).waitFor();
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);
  });

  it('a cancelled note says so across its page, with the reason, and leads to the event and back', async () => {
    const { page } = escritorio.navegador;
    const { body } = await perguntar(
      escritorio.malote,
      escritorio.cookie,
      '/documentos?especie=nfe&visao=canceladas&Tamanho=1',
    );
    const { id, numero } = body.itens[0] as { id: number; numero: string };
    await ir(`/documentos/${id}`);
    const faixa = page.getByRole('alert').filter({ hasText: 'CANCELADA: esta nota não vale' });
    await faixa.getByText('Motivo:').waitFor();
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);
    await faixa.getByRole('link', { name: 'Ver o evento' }).click();
    await page.getByRole('alert').filter({ hasText: 'É um evento de' }).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: new RegExp(`^NF-e ${numero}`) }).waitFor();
    await page.emulateMedia({ media: 'print' });
    await faixa.waitFor();
    await page.emulateMedia({ media: 'screen' });
  });

  it('a double click asks once', async () => {
    const { page } = escritorio.navegador;
    await ir('/conta/integracao', 'Opções da conta');
    await page.getByRole('button', { name: 'Novo token' }).click();
    await dialogo().getByLabel('Nome').fill('ERP de dois cliques');
    await dialogo().getByRole('button', { name: 'Criar' }).dblclick();
    await page.getByText('Copie o token agora').waitFor();
    const { body } = await perguntar(escritorio.malote, escritorio.cookie, '/tokens');
    const made = (body.itens as { nome: string }[]).filter(({ nome }) => nome === 'ERP de dois cliques');
    assert.equal(made.length, 1);
  });

  it('without network the screen says so, and goes on when it is back', async () => {
    const { page, context } = escritorio.navegador;
    await ir('/documentos', 'Documentos');
    await context.setOffline(true);
    await page.getByRole('tab', { name: /^NFC-e/ }).click();
    await page.getByRole('alert').filter({ hasText: 'Não foi possível falar com o servidor' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Auditoria' }).click();
    await page.getByRole('alert').filter({ hasText: 'Esta tela não veio do servidor' }).waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    await page.getByRole('heading', { level: 1, name: 'Auditoria' }).waitFor();
    // A browser that takes itself for cut off, beside a server on the same computer.
    await page.evaluate('dispatchEvent(new Event("offline"))');
    await page.getByRole('navigation').getByRole('link', { name: 'Clientes' }).click();
    await page.getByRole('table').first().waitFor();
  });

  it('what is rare is looked for page after page, until it is there or nothing is left', async () => {
    const { page } = escritorio.navegador;
    let asked = 0;
    let vazias = 3;
    await page.route('**/console/api/documentos?*', async (route) => {
      asked += 1;
      await route.fulfill({ json: { itens: [], total: null, proximo: asked > vazias ? null : 'mais' } });
    });
    await ir('/documentos?numero=999999', 'Documentos');
    await page.getByText('Nenhum documento com esses filtros').waitFor();
    assert.equal(asked, 4);
    vazias = 1_000;
    await page.goto(page.url().replace('999999', '999998'));
    await page.getByText('Nada encontrado até aqui').waitFor();
    vazias = 0;
    await page.getByRole('button', { name: 'Continuar procurando' }).click();
    await page.getByText('Nenhum documento com esses filtros').waitFor();
    await page.unroute('**/console/api/documentos?*');
  });

  it('what has been read stays in sight when the next page does not come, and that page is asked for again', async () => {
    const { page } = escritorio.navegador;
    const paginas = '**/console/api/documentos?*';
    let cortada = true;
    await page.route(paginas, async (route) => {
      if (!route.request().url().includes('depois=')) {
        const answer = await route.fetch();
        return route.fulfill({ json: { ...(await answer.json()), proximo: 'mais' } });
      }
      return cortada ? route.abort() : route.fulfill({ json: { itens: [], total: null, proximo: null } });
    });
    await ir('/documentos', 'Documentos');
    const linhas = page.getByRole('table').getByRole('row');
    await linhas.nth(1).waitFor();
    const lidas = await linhas.count();
    await page.getByRole('button', { name: 'Mostrar mais' }).click();
    const aviso = page.getByRole('alert').filter({ hasText: 'Não foi possível falar com o servidor' });
    await aviso.waitFor();
    assert.equal(await linhas.count(), lidas);
    cortada = false;
    await aviso.getByRole('button', { name: 'Tentar de novo' }).click();
    await aviso.waitFor({ state: 'detached' });
    assert.equal(await linhas.count(), lidas);
    await page.unroute(paginas);
  });

  it('a long document says that its next items are on their way, and when they do not come', async () => {
    const { page } = escritorio.navegador;
    const documento = /\/console\/api\/documentos\/\d+$/;
    const itens = /\/documentos\/\d+\/itens\?/;
    const { body } = await perguntar(escritorio.malote, escritorio.cookie, '/documentos?especie=nfe');
    await page.route(documento, async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, itens: { ...answer.itens, total: 201 } } });
    });
    await page.route(itens, (route) => route.abort());
    await ir(`/documentos/${body.itens[0].id}`);
    const secao = page.getByRole('tabpanel').getByRole('region', { name: 'Itens' }).first();
    await secao.getByRole('button', { name: '2', exact: true }).click();
    await secao.getByRole('status', { name: 'Carregando' }).waitFor();
    const aviso = secao.getByRole('alert').filter({ hasText: 'Não foi possível falar com o servidor' });
    await aviso.waitFor();
    assert.equal(await secao.getByRole('table').count(), 0);
    await page.unroute(itens);
    await page.unroute(documento);
  });

  it('what is not there is called so, with nothing to try again', async () => {
    const { page } = escritorio.navegador;
    for (const [caminho, titulo] of [
      ['/documentos/99999999', 'Documento'],
      ['/clientes/11222333000181', '11.222.333/0001-81'],
      ['/importacoes/00000000-0000-4000-8000-000000000000', 'Arquivo importado'],
    ] as const) {
      await ir(caminho, titulo);
      await page.getByRole('alert').filter({ hasText: 'Não encontrado' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Tentar de novo' }).count(), 0);
      assert.equal(await page.getByRole('button', { name: 'Ver os documentos' }).count(), 0);
    }
    await ir('/nada', 'Esta página não existe');
    assert.equal(await page.title(), 'Esta página não existe – Malote');
    await page.getByRole('link', { name: 'Voltar ao início' }).click();
    await page.getByRole('heading', { level: 1, name: 'Início' }).waitFor();
  });

  it('a printed list says whose it is and what it shows, and has nothing to press', async () => {
    const { page } = escritorio.navegador;
    await ir(`/documentos?especie=nfe&emissaoDe=${mes}`, 'Documentos');
    await page.emulateMedia({ media: 'print' });
    await page.getByText(`Todos os clientes · NF-e · desde 01/${mm}/${ano} · impresso em`).waitFor();
    await page.getByRole('table').waitFor();
    await page.getByText(/^Só o começo está impresso: 50 linhas( de [\d.]+|; a lista continua)\.$/).waitFor();
    for (const role of ['button', 'checkbox', 'tab', 'searchbox'] as const)
      assert.equal(await page.getByRole(role).count(), 0, role);
    await page.setViewportSize({ width: 718, height: 1000 });
    assert.equal(await escritorio.navegador.transborda(), false);
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('who is logged out by the clock is told so, and comes back to the same place', async () => {
    const { page, context } = escritorio.navegador;
    await ir('/clientes', 'Clientes');
    await context.clearCookies();
    await page.getByRole('navigation').getByRole('link', { name: 'Auditoria' }).click();
    await page.getByText('A sua sessão terminou.', { exact: false }).waitFor();
    await page.getByLabel('E-mail').fill(' ANA@exemplo.com.br ');
    await page.getByLabel('Senha', { exact: true }).fill(SENHA);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Auditoria' }).waitFor();
  });
});
