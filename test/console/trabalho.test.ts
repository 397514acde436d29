/** What an office does in the console, in a real browser against the real server: from the upload to the download. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import { perguntar } from '../support/console-mundo.ts';
import { adoptEscritorio } from '../support/escritorio.ts';
import { SEM_NAVEGADOR } from '../support/navegador.ts';

const emitente = generateEmpresa('emitente', { perfil: 'industria', uf: 'SP' });
const destinatario = generateEmpresa('destinatario', { perfil: 'comercio', uf: 'SP', alfanumerico: true });
const nota = (numero: number) =>
  generateNfe({
    semente: `trabalho-${numero}`,
    emitente,
    destinatario,
    modelo: '55',
    serie: 1,
    numero,
    emissao: new Date(Date.now() - 86_400_000),
    itens: 2,
  });
const primeira = nota(1);

describe('the work of an office in the console', { skip: SEM_NAVEGADOR }, () => {
  const escritorio = adoptEscritorio();
  const { ir, pasta } = escritorio;

  it('sends files, sees what became of each, and registers the company whose documents were held', async () => {
    const { page } = escritorio.navegador;
    const zip = join(pasta, 'notas.zip');
    writeFileSync(
      zip,
      await zipDe([
        { nome: 'a.xml', bytes: primeira.bytes },
        { nome: 'b.xml', bytes: nota(2).bytes },
        { nome: 'quebrada.xml', bytes: Buffer.from('<NFe><infNFe></NFe>') },
      ]),
    );
    const texto = join(pasta, 'leia.txt');
    writeFileSync(texto, 'nada');
    await ir('/importacoes', 'Importações');
    await page.locator('input[type=file]').first().setInputFiles([zip, texto]);
    await page.getByText('Só .xml e .zip são aceitos', { exact: false }).waitFor();
    const enviado = page.getByRole('listitem').filter({ hasText: 'notas.zip' });
    await enviado.getByText('com erro').waitFor();
    const totais = page.getByRole('status').filter({ hasText: 'O que se fez dos documentos' });
    await totais.getByText('1 rejeitado').waitFor();
    await totais.getByText('2 sem cliente').waitFor();

    await enviado.getByRole('link', { name: 'notas.zip' }).click();
    await page.getByRole('heading', { level: 1, name: 'notas.zip' }).waitFor();
    await page
      .getByRole('row', { name: /quebrada\.xml/ })
      .getByText('O que fazer:')
      .waitFor();
    await page
      .getByRole('row', { name: /a\.xml/ })
      .getByText('sem cliente')
      .waitFor();

    await ir('/documentos', 'Documentos');
    await page.getByText('2 documentos retidos, de empresas sem cadastro').waitFor();
    await ir('/importacoes', 'Importações');
    const todas = page.getByRole('region', { name: 'Empresas com documentos retidos' });
    const linha = todas.getByRole('row').filter({ hasText: destinatario.nome });
    await linha.getByRole('button', { name: 'Cadastrar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cadastrar' }).click();
    await page.getByText('Cadastrado: 2 documentos recebidos.').waitFor();
    await ir('/documentos', 'Documentos');
    await page.getByText('2 documentos').first().waitFor();
  });

  it('sends a file again that a broken connection has stopped, to an address of its own', async () => {
    const { page } = escritorio.navegador;
    const solta = join(pasta, 'solta.xml');
    writeFileSync(solta, primeira.bytes);
    await ir('/importacoes', 'Importações');
    await page.route('**/upload/**', (route) => route.abort(), { times: 1 });
    await page.locator('input[type=file]').first().setInputFiles(solta);
    const enviado = page.getByRole('listitem').filter({ hasText: 'solta.xml' });
    await enviado.getByText('Não foi possível falar com o servidor.', { exact: false }).waitFor();
    await enviado.getByRole('link', { name: 'solta.xml' }).click();
    await page.getByText('O arquivo ainda não chegou').waitFor();
    await page.goBack();
    await enviado.getByRole('button', { name: 'Enviar solta.xml de novo' }).click();
    await enviado.getByText('pronto').waitFor();
    assert.match(escritorio.navegador.queixas.splice(0).join(), /^Failed to load resource[^,]*$/);
  });

  it('takes hundreds of files at once, and shows a few of them with the count of the others', async () => {
    const { page } = escritorio.navegador;
    await ir('/importacoes', 'Importações');
    const nomes = Array.from({ length: 300 }, (_, at) => `lote-${at}.xml`);
    const muitos = nomes.map((name) => ({ name, mimeType: 'text/xml', buffer: Buffer.from(primeira.bytes) }));
    await page.locator('input[type=file]').first().setInputFiles(muitos);
    await page.getByText(/^\+ [\d.]+ na fila$/).waitFor();
    assert.ok((await page.getByRole('listitem').count()) < 150);
    await page.getByText('300 arquivos terminados').waitFor();
    await page.getByText('+ 280 prontos').waitFor();
  });

  it('says what goods were bought for, and has them as a ZIP of the very bytes that came', async () => {
    const { page } = escritorio.navegador;
    await ir('/documentos', 'Documentos');
    await page.getByRole('checkbox', { name: 'Selecionar todas as linhas à vista' }).check();
    await page.getByRole('button', { name: 'Finalidade' }).click();
    await page.getByRole('dialog').getByRole('combobox').click();
    await page.getByRole('option', { name: 'Ativo imobilizado' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Aplicar' }).click();
    await page.getByText('Finalidade salva em 2 documentos.').waitFor();
    const { body } = await perguntar(
      escritorio.malote,
      escritorio.cookie,
      '/documentos?finalidade=AtivoImobilizado',
    );
    assert.equal(body.itens.length, 2);

    await page.getByRole('button', { name: 'Exportar' }).click();
    await page.getByRole('menuitem', { name: 'ZIP com os XML' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Exportar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Downloads' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Baixar' }).first().click(),
    ]);
    const path = join(pasta, 'baixado.zip');
    await download.saveAs(path);
    assert.equal(readFileSync(path).subarray(0, 2).toString(), 'PK');
  });

  it('makes a token that is shown once, tries the connection with it, and takes it back', async () => {
    const { page } = escritorio.navegador;
    await ir('/conta/integracao', 'Opções da conta');
    await page.getByRole('button', { name: 'Novo token' }).click();
    await page.getByRole('dialog').getByLabel('Nome').fill('ERP de teste');
    await page.getByRole('dialog').getByRole('button', { name: 'Criar' }).click();
    const token = (await page.getByText(/^mlt_[A-Za-z0-9]{30,}$/).textContent()) ?? '';
    await page.getByText(`Authorization: Bearer ${token}`, { exact: false }).first().waitFor();
    await page
      .getByText(/\/api\/v1\/\d{6}\/[^/]+\/nfe\?DataInicial=\d{4}-\d{2}-01"/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Testar conexão' }).click();
    await page.getByRole('img', { name: 'Certo' }).or(page.getByLabel('Certo')).first().waitFor();
    assert.equal(await page.getByLabel('Falhou').count(), 0);
    await ir('/conta/integracao', 'Opções da conta');
    assert.ok(!(await page.content()).includes(token), 'the token is shown no second time');
    await page
      .getByRole('row', { name: /ERP de teste/ })
      .getByRole('button', { name: 'Revogar' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revogar' }).click();
    await page
      .getByRole('row', { name: /ERP de teste/ })
      .getByText('revogado')
      .waitFor();
  });

  it('teaches the layout of a city by what the screens say, and sends it to a colleague as a file', async () => {
    const { page } = escritorio.navegador;
    const caderno = join(pasta, 'caderno.xml');
    const dia = new Date(Date.now() - 86_400_000).toLocaleDateString('pt-BR');
    const folha = (numero: number, estado: string) =>
      `<Folha><Ordem>${numero}</Ordem><Dia>${dia}</Dia><Estado>${estado}</Estado><Emissor><Registro>${emitente.id}</Registro></Emissor><Tomador><Registro>${destinatario.id}</Registro></Tomador><ServicoPago>1.500,00</ServicoPago></Folha>`;
    writeFileSync(caderno, `<Caderno>${folha(41, 'VALE')}${folha(42, 'MORTA')}</Caderno>`);
    await ir('/importacoes', 'Importações');
    await page.locator('input[type=file]').first().setInputFiles(caderno);
    const enviado = page.getByRole('listitem').filter({ hasText: 'caderno.xml' });
    await enviado.getByText('pronto', { exact: true }).waitFor();
    await enviado.getByRole('link', { name: 'caderno.xml' }).click();
    await page.getByText('Em "Leiautes a ensinar", mostre', { exact: false }).first().waitFor();

    await page.getByRole('navigation').getByRole('link', { name: 'Leiautes a ensinar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Leiautes a ensinar' }).waitFor();
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);
    await page.getByRole('button', { name: 'Ensinar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ensinar um leiaute' }).waitFor();
    await page.getByText('Aponte o número da nota.').waitFor();
    const campos = page.getByRole('list', { name: 'Campos do arquivo' });
    const apontar = async (campo: RegExp, oQueE: string) => {
      await campos.getByRole('button', { name: campo }).click();
      await page.getByRole('dialog').getByRole('button', { name: oQueE, exact: true }).click();
    };
    await apontar(/^Ordem 41/, 'Número da nota');
    await apontar(/^Dia /, 'Data de emissão');
    const registros = campos.getByRole('button', { name: /^Registro/ });
    for (const [at, oQueE] of ['CPF ou CNPJ do prestador', 'CPF ou CNPJ do tomador'].entries()) {
      await registros.nth(at).click();
      await page.getByRole('dialog').getByRole('button', { name: oQueE, exact: true }).click();
    }
    await apontar(/^ServicoPago 1\.500,00/, 'Valor');
    await page.getByText('2 notas lidas').waitFor();
    await apontar(/^Estado VALE/, 'Diz se foi cancelada');
    const marcar = (texto: string, sentido: string) =>
      page
        .getByRole('radiogroup', { name: `O que quer dizer ${texto}` })
        .getByText(sentido)
        .click();
    await marcar('VALE', 'Válida');
    await marcar('MORTA', 'Cancelada');
    const lidas = page.getByRole('region', { name: 'Notas como seriam lidas' });
    await lidas.getByRole('row').filter({ hasText: '42' }).getByText('Cancelada').waitFor();
    await lidas.getByRole('row').filter({ hasText: '41' }).getByText('R$ 1.500,00').waitFor();
    await page.getByLabel('Cidade que emite estas notas').fill('São Paulo - SP');
    await page.getByLabel('Nome do leiaute').fill('Caderno da cidade');
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);
    await page.getByRole('button', { name: 'Gravar' }).click();
    await page.getByText('Leiaute Caderno da cidade gravado', { exact: false }).waitFor();
    await page.getByText('Nada à espera').waitFor();

    await page.getByRole('tab', { name: 'Leiautes do escritório' }).click();
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Exportar' }).click(),
    ]);
    const arquivo = join(pasta, 'caderno.leiaute.json');
    await download.saveAs(arquivo);
    assert.ok(!readFileSync(arquivo, 'utf8').includes(emitente.id));
    await page.getByRole('button', { name: 'Retirar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retirar' }).click();
    await page.getByText('Nenhum leiaute do escritório').waitFor();
    await page.getByText('Instalar um leiaute').waitFor();
    await page.locator('input[type=file]').setInputFiles(arquivo);
    await page.getByText('Leiaute Caderno da cidade instalado').waitFor();

    await ir('/documentos?busca=42', 'Documentos');
    await page.getByRole('row').filter({ hasText: '42' }).getByText('Cancelada').waitFor();
  });
});
