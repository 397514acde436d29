/**
 * Three people's first month, step by step and by what stands on the screen alone: the owner of an office from the empty
 * server to a client's ZIP and workbook, an operator who brings the failures to zero, and somebody of a client's company.
 * `npm run caminhadas` walks them with the month of an office of twenty clients.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import type { Locator } from 'playwright-core';
import type { Empresa } from '../../src/gerador/empresas.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import { openZip } from '../support/abrir-zip.ts';
import { type MundoDoConsole, mesPassado, mundoVazio, SENHA } from '../support/console-mundo.ts';
import { ensureConsole } from '../support/construir-console.ts';
import { textoDoPdf } from '../support/ler-pdf.ts';
import { generateMes, type MesDeTrabalho } from '../support/mes-de-trabalho.ts';
import { Navegador, SEM_NAVEGADOR } from '../support/navegador.ts';

const INTEIRO = process.argv.includes('--inteiro');
const TAMANHO = INTEIRO
  ? { notas: 3_000, clientes: 20, falhas: 100 }
  : { notas: 90, clientes: 6, falhas: 10 };
const ESPERA_MS = INTEIRO ? 300_000 : 120_000;
const OUTRA_SENHA = 'carro azul na garagem 9';

describe('three walks through a month', { skip: SEM_NAVEGADOR }, () => {
  const pasta = mkdtempSync(join(tmpdir(), 'malote-caminhadas-'));
  let mundo: MundoDoConsole;
  let mes: MesDeTrabalho;
  /** Whose browser it is now. */
  let navegador: Navegador;
  const abertos: Navegador[] = [];
  /** Whose month is closed, whom the operator registers, and who has a user of its own. */
  let cliente: Empresa;
  let esquecida: Empresa;
  const convites: Record<'operadora' | 'cliente', string> = { operadora: '', cliente: '' };

  before(async () => {
    ensureConsole();
    mundo = await mundoVazio();
    mes = await generateMes(TAMANHO, mesPassado());
    const comCancelada = mes.notas.find(({ chave }) => mes.esperado.canceladas.has(chave));
    const id = comCancelada?.clientes[0];
    const [primeira, ultima] = [mes.empresas.find((uma) => uma.id === id), mes.empresas.at(-1)];
    assert.ok(primeira && ultima && primeira !== ultima, 'a client with a cancelled note, and another one');
    [cliente, esquecida] = [primeira, ultima];
  });
  after(async () => {
    for (const um of abertos) await um[Symbol.asyncDispose]();
    await mundo.malote[Symbol.asyncDispose]();
    rmSync(pasta, { recursive: true, force: true });
  });

  const abrir = async () => {
    navegador = await Navegador.abrir();
    navegador.page.setDefaultTimeout(ESPERA_MS);
    abertos.push(navegador);
  };
  const botao = (nome: string | RegExp) => navegador.page.getByRole('button', { name: nome });
  const vejo = (texto: string | RegExp) => navegador.page.getByText(texto).first().waitFor();
  const vejoTela = (titulo: string) => navegador.pronta(titulo);
  const escrevo = (campo: string, texto: string) =>
    navegador.page.getByLabel(campo, { exact: true }).fill(texto);
  const noMenu = async (nome: string) => {
    await navegador.page.getByRole('navigation').getByRole('link', { name: nome }).click();
    await vejoTela(nome);
  };
  const dialogo = () => navegador.page.getByRole('dialog');
  const totais = () => navegador.page.getByRole('status').filter({ hasText: 'O que se fez dos documentos' });
  const solto = async (...arquivos: readonly { nome: string; bytes: Uint8Array }[]) => {
    const files = arquivos.map(({ nome, bytes }) => {
      writeFileSync(join(pasta, nome), bytes);
      return join(pasta, nome);
    });
    const limpar = botao('Limpar terminados');
    if ((await limpar.count()) > 0) await limpar.click();
    await navegador.page.locator('input[type=file]').first().setInputFiles(files);
    await vejo(files.length === 1 ? '1 arquivo terminado' : `${files.length} arquivos terminados`);
    await totais().waitFor();
  };
  const baixo = async (link: Locator): Promise<{ nome: string; bytes: Buffer }> => {
    const [download] = await Promise.all([navegador.page.waitForEvent('download'), link.click()]);
    const path = join(pasta, `baixado-${download.suggestedFilename()}`);
    await download.saveAs(path);
    return { nome: download.suggestedFilename(), bytes: readFileSync(path) };
  };
  const exporto = async (formato: string, extensao: string) => {
    await botao('Exportar').click();
    await navegador.page.getByRole('menuitem', { name: formato }).click();
    await dialogo().getByRole('button', { name: 'Exportar' }).click();
    await vejoTela('Downloads');
    const linha = navegador.page
      .getByRole('row')
      .filter({ hasText: `.${extensao}` })
      .first();
    return baixo(linha.getByRole('link', { name: 'Baixar' }));
  };
  const convido = async (nome: string, email: string, papel: string, empresa?: string) => {
    await noMenu('Opções da conta');
    await navegador.page.getByRole('tab', { name: 'Usuários' }).click();
    await botao('Convidar').click();
    await dialogo().getByLabel('Nome').fill(nome);
    await dialogo().getByLabel('E-mail').fill(email);
    await dialogo().getByRole('radio', { name: papel }).check();
    if (empresa) {
      await dialogo().getByRole('combobox', { name: 'Empresas' }).fill(empresa);
      await navegador.page.getByRole('option').filter({ hasText: empresa }).first().click();
      await navegador.page.keyboard.press('Escape');
    }
    await dialogo().getByRole('button', { name: 'Convidar' }).click();
    const link = (await navegador.page.getByText(/\/console\/convite#/).textContent()) ?? '';
    await navegador.page.keyboard.press('Escape');
    return link;
  };
  const entroPeloConvite = async (link: string) => {
    await abrir();
    await navegador.page.goto(link);
    await escrevo('Senha', OUTRA_SENHA);
    await escrevo('Repita a senha', OUTRA_SENHA);
    await botao('Salvar e entrar').click();
    await vejoTela('Início');
  };
  const nadaARepreender = async () =>
    assert.deepEqual([...(await navegador.violacoes()), ...navegador.queixas], []);

  describe('the owner of an office, from the empty server to the month of a client', () => {
    it('opens the link of the first use, says who the office is and sets a password', async () => {
      await abrir();
      await navegador.page.goto(mundo.link);
      await escrevo('Código CRM', '123456');
      await escrevo('Nome do escritório', 'Aurora Contabilidade');
      await escrevo('Seu nome', 'Ana Souza');
      await escrevo('Seu e-mail', 'ana@exemplo.com.br');
      await escrevo('Senha', SENHA);
      await escrevo('Repita a senha', SENHA);
      assert.ok(!navegador.page.url().includes('#'), 'the code has left the address bar');
      assert.deepEqual(await navegador.faltasDeAcesso(), []);
      await botao('Criar e entrar').click();
      await vejoTela('Início');
    });

    it('reads the first steps, and drops the month before there is any client', async () => {
      const passos = navegador.page.getByRole('region', { name: 'Primeiros passos' });
      for (const passo of ['Cadastre os seus clientes', 'Faça chegar os documentos', 'Diga quem os lê'])
        await passos.getByText(passo).waitFor();
      assert.deepEqual(await navegador.faltasDeAcesso(), []);
      await passos.getByRole('link', { name: 'Soltar arquivos' }).click();
      await vejoTela('Importações');
      await solto(...mes.bons.map((bytes, at) => ({ nome: `mes-${at + 1}.zip`, bytes })));
      await totais()
        .getByText(/sem cliente$/)
        .waitFor();
      assert.equal(
        await totais()
          .getByText(/rejeitado|conflito/)
          .count(),
        0,
      );
    });

    it('is led from the empty list to who the clients probably are, and registers all but one at once', async () => {
      await noMenu('Documentos');
      await navegador.page.getByRole('link', { name: 'Ver e cadastrar' }).click();
      const provaveis = navegador.page.getByRole('region', { name: 'Prováveis clientes' });
      await provaveis.waitFor();
      assert.deepEqual(await navegador.faltasDeAcesso(), []);
      const linhas = provaveis.getByRole('row');
      const seus = mes.empresas.filter((empresa) => empresa !== esquecida).map(({ nome }) => nome);
      const vistos: string[] = [];
      for (const linha of (await linhas.all()).slice(1)) {
        const texto = (await linha.textContent()) ?? '';
        const nome = seus.find((one) => texto.includes(one));
        if (nome) vistos.push(nome);
        else await linha.getByRole('checkbox').uncheck();
      }
      assert.deepEqual(vistos.sort(), seus.sort());
      await botao(`Cadastrar ${seus.length} clientes`).click();
      await vejo(`${seus.length} clientes cadastrados: os documentos deles já estão nas listas.`);
    });

    it('chooses a client and the month, and has its ZIP: nothing cancelled among the valid, every note the very bytes', async () => {
      await noMenu('Documentos');
      const campo = navegador.page.getByRole('combobox', { name: /^Visualizar como/ });
      await campo.click();
      await campo.fill(cliente.nome);
      await navegador.page.getByRole('option', { name: cliente.nome }).click();
      await navegador.page.locator(`header input[role=combobox][value="${cliente.nome}"]`).waitFor();
      await navegador.page.getByRole('button', { name: 'Emissão', exact: true }).click();
      await botao('Mês passado').click();
      await navegador.page.waitForURL(/emissaoDe=/);
      await vejoTela('Documentos');
      const files = await openZip((await exporto('ZIP com os XML', 'zip')).bytes);
      const suas = mes.notas.filter(({ clientes }) => clientes.includes(cliente.id));
      const canceladas = suas.filter(({ chave }) => mes.esperado.canceladas.has(chave));
      assert.ok(canceladas.length > 0 && canceladas.length < suas.length);
      const noZip = [...files].filter(([nome]) => /\/[0-9A-Z]{44}\.xml$/.test(nome));
      const chaveDe = (nome: string) => nome.slice(-48, -4);
      assert.deepEqual(noZip.map(([nome]) => chaveDe(nome)).sort(), suas.map(({ chave }) => chave).sort());
      assert.deepEqual(
        noZip
          .filter(([nome]) => nome.startsWith('Canceladas/'))
          .map(([nome]) => chaveDe(nome))
          .sort(),
        canceladas.map(({ chave }) => chave).sort(),
      );
      for (const [nome, bytes] of noZip) {
        const nota = suas.find(({ chave }) => chave === chaveDe(nome));
        assert.deepEqual(bytes, Buffer.from(nota?.bytes ?? []), nome);
      }
      for (const { chave } of canceladas)
        assert.ok(
          [...files.keys()].some((nome) =>
            new RegExp(`^Canceladas/.*${chave}-11011[12]-1\\.xml$`).test(nome),
          ),
          `the cancellation of ${chave} lies beside it`,
        );
    });

    it('has the workbook of the same, whose sums are those of the XML files', async () => {
      await navegador.page.goBack();
      await vejoTela('Documentos');
      const { bytes } = await exporto('Planilha (xlsx)', 'xlsx');
      const { sheets } = await readXlsx(new Uint8Array(bytes));
      const [titulos = [], ...linhas] = sheets.find(({ name }) => name === 'Totais')?.rows ?? [];
      const valor = titulos.indexOf('Valor');
      const daPlanilha = (nome: string) => {
        const linha = linhas.find((one) => one[0] === nome);
        return [linha?.[1], Math.round(Number(linha?.[valor]) * 100)];
      };
      const suas = mes.notas.filter(({ clientes }) => clientes.includes(cliente.id));
      const dosXml = (status: string) => {
        const notas = suas.filter(({ chave }) => mes.esperado.statusDe(chave) === status);
        return [notas.length, notas.reduce((soma, nota) => soma + centavosDe(nota.bytes), 0)];
      };
      assert.deepEqual(daPlanilha('Autorizadas, cada uma contada uma vez'), dosXml('Autorizada'));
      assert.deepEqual(daPlanilha('Canceladas'), dosXml('Cancelada'));
    });

    it('asks an operator and somebody of the client to come in', async () => {
      convites.operadora = await convido('Bia Lima', 'bia@exemplo.com.br', 'Operador');
      convites.cliente = await convido('Dono da Empresa', 'dono@exemplo.com.br', 'Cliente', cliente.nome);
      await nadaARepreender();
    });

    it('leaves, and after log-in is where one wanted to go', async () => {
      const { page } = navegador;
      await botao('Conta de Ana Souza').click();
      await page.getByRole('menuitem', { name: 'Sair' }).click();
      await page.getByRole('heading', { name: 'Entrar' }).waitFor();
      await page.goto(`${mundo.malote.url}/console/clientes?x=1`);
      await escrevo('E-mail', 'ana@exemplo.com.br');
      await page.getByRole('textbox', { name: 'Senha' }).fill(SENHA);
      await botao('Entrar').click();
      await vejoTela('Clientes');
      assert.equal(new URL(page.url()).pathname, '/console/clientes');
    });
  });

  describe('an operator who brings the failures of the month to zero', () => {
    const causa = (texto: string | RegExp) =>
      navegador.page.getByRole('alert').filter({ hasText: 'O que fazer:' }).filter({ hasText: texto });
    const todasResolvidas = async (qual: Locator, porque: string) => {
      await qual.getByRole('button', { name: 'Dar todas por vistas ou resolvidas' }).click();
      await dialogo().getByLabel('Por quê').fill(porque);
      await dialogo().getByRole('button', { name: 'Guardar' }).click();
      await qual.waitFor({ state: 'detached' });
    };
    const PEDIDAS_DE_NOVO = [
      'O XML está mal formado.',
      'O protocolo é de outro documento.',
      'A SEFAZ rejeitou o documento.',
    ];
    const PAGINA = 'O arquivo é uma página HTML';
    const CONFLITO = 'Já há documento com a mesma chave e outro conteúdo';

    it('comes in by the invitation and drops the rest of the month, of which everything fails', async () => {
      await entroPeloConvite(convites.operadora);
      await noMenu('Importações');
      await solto({ nome: 'resto-do-mes.zip', bytes: mes.quebrados });
      const { conflito } = mes.causas;
      await totais()
        .getByText(`${TAMANHO.falhas - conflito} rejeitados`)
        .waitFor();
      await totais()
        .getByText(conflito === 1 ? '1 conflito' : `${conflito} conflitos`)
        .waitFor();
      await totais().getByRole('link', { name: 'Ver as falhas por causa' }).click();
      await vejo(`${TAMANHO.falhas} falhas em 1 arquivo`);
      assert.deepEqual(await navegador.faltasDeAcesso(), []);
    });

    it('has them as a workbook, each with its remedy, to ask the suppliers', async () => {
      const { bytes } = await baixo(navegador.page.getByRole('link', { name: 'Planilha das falhas' }));
      const [titulos = [], ...linhas] = (await readXlsx(new Uint8Array(bytes))).sheets[0]?.rows ?? [];
      assert.equal(linhas.length, TAMANHO.falhas);
      assert.ok(linhas.every((linha) => String(linha[titulos.indexOf('O que fazer')]).length > 10));
    });

    it('reads of a broken file which note is missing, and drops the right files', async () => {
      const cortados = causa(PEDIDAS_DE_NOVO[0] ?? '');
      await cortados.getByRole('button', { name: 'Ver uma a uma' }).click();
      await cortados
        .getByText(/Parece ser o documento de número \d+/)
        .first()
        .waitFor();
      await solto({ nome: 'de-novo.zip', bytes: mes.corrigidos });
      await totais().getByRole('link', { name: 'Cadastrar as empresas dos retidos' }).click();
    });

    it('registers the client that was forgotten: what was asked for again has gone from the failures', async () => {
      const todas = navegador.page.getByRole('region', { name: 'Empresas com documentos retidos' });
      const linha = todas.getByRole('row').filter({ hasText: esquecida.nome });
      await linha.getByRole('button', { name: 'Cadastrar' }).click();
      await dialogo().getByRole('button', { name: 'Cadastrar' }).click();
      await vejo(/^Cadastrado: /);
      const { pagina, conflito } = mes.causas;
      const restam = String(pagina + conflito);
      await navegador.page.getByRole('tab', { name: `Falhas ${restam}`, exact: true }).click();
      await vejo(`${restam} falhas em 1 arquivo`);
      for (const texto of PEDIDAS_DE_NOVO) assert.equal(await causa(texto).count(), 0, texto);
    });

    it('says of pages in the place of files that they are solved, and why', async () => {
      await todasResolvidas(causa(PAGINA), 'O fornecedor mandou as notas por outro caminho');
    });

    it('compares the versions of a conflict, sees which one is proven, and says so', async () => {
      await causa(CONFLITO).getByRole('button', { name: 'Ver os documentos e comparar' }).click();
      const falhas = navegador.page.getByRole('region', { name: 'Falhas desta causa' });
      await falhas
        .getByRole('link', { name: /^[0-9A-Z]{44}$/ })
        .first()
        .click();
      await vejo('Há outra versão com a mesma chave e conteúdo diferente');
      await navegador.page.getByRole('tab', { name: 'Versões (2)' }).click();
      await vejo('Natureza trocada');
      await noMenu('Importações');
      await navegador.page.getByRole('tab', { name: /^Falhas/ }).click();
      await todasResolvidas(causa(CONFLITO), 'A versão que vale é a assinada');
    });

    it('has nothing left to solve, here and on the first screen; who said what of which stays', async () => {
      await vejo('Nenhuma falha a resolver');
      await navegador.page.getByText('Vistas e resolvidas').click();
      const { pagina, conflito } = mes.causas;
      await navegador.page
        .getByRole('row')
        .filter({ hasText: 'O fornecedor mandou as notas por outro caminho' })
        .first()
        .waitFor();
      assert.equal(
        await navegador.page.getByRole('row').filter({ hasText: 'Bia Lima' }).count(),
        pagina + conflito,
      );
      assert.deepEqual(await navegador.faltasDeAcesso(), []);
      await noMenu('Início');
      await navegador.page
        .getByRole('link', { name: /^Falhas a resolver/ })
        .getByText('nenhuma')
        .waitFor();
      await nadaARepreender();
    });
  });

  describe('somebody of a client company', () => {
    const quantos = async () => {
      await noMenu('Documentos');
      const texto = await navegador.page
        .getByText(/^[\d.]+ documentos/)
        .first()
        .textContent();
      return Number(/^[\d.]+/.exec(texto ?? '')?.[0].replaceAll('.', ''));
    };
    let antes: number;

    it('comes in by the invitation and sees the company and nothing of the office', async () => {
      await entroPeloConvite(convites.cliente);
      const menu = await navegador.page.getByRole('navigation').getByRole('link').allTextContents();
      assert.deepEqual(menu, [
        'Início',
        'Documentos',
        'Importações',
        'Manifestação',
        'Faltantes',
        'Downloads',
        'Opções da conta',
      ]);
      antes = await quantos();
      assert.ok(antes >= mes.notas.filter(({ clientes }) => clientes.includes(cliente.id)).length);
    });

    it('sends a note of its own and one of somebody else: sees what became of each', async () => {
      await noMenu('Importações');
      const [minha, alheia] = [mes.notaNova(cliente, 1), mes.notaNova(esquecida, 1)];
      const bytes = await zipDe([
        { nome: 'minha.xml', bytes: minha.bytes },
        { nome: 'alheia.xml', bytes: alheia.bytes },
      ]);
      await solto({ nome: 'da-empresa.zip', bytes });
      const { page } = navegador;
      await page.getByRole('listitem').getByRole('link', { name: 'da-empresa.zip' }).click();
      await page
        .getByRole('row', { name: /alheia\.xml/ })
        .getByText('Nenhuma das suas empresas participa', { exact: false })
        .waitFor();
      await page
        .getByRole('row', { name: /minha\.xml/ })
        .getByText('novo')
        .waitFor();
      await noMenu('Documentos');
      await vejo(new RegExp(`^${(antes + 1).toLocaleString('pt-BR')} documentos`));
    });

    it('downloads its documents with their PDF, and not one of others', async () => {
      await botao('Exportar').click();
      await navegador.page.getByRole('menuitem', { name: 'ZIP com os XML' }).click();
      await dialogo().getByRole('switch', { name: 'Incluir o PDF de cada documento' }).check();
      await dialogo().getByRole('button', { name: 'Exportar' }).click();
      await vejoTela('Downloads');
      const { bytes } = await baixo(navegador.page.getByRole('link', { name: 'Baixar' }).first());
      const files = [...(await openZip(bytes))];
      const notas = files.filter(([nome]) => /\/[0-9A-Z]{44}\.xml$/.test(nome));
      const suas = [...mes.notas, ...mes.corrigidas].filter(({ clientes }) => clientes.includes(cliente.id));
      assert.deepEqual(
        notas.map(([nome]) => nome.slice(-48, -4)).sort(),
        [...suas, mes.notaNova(cliente, 1)].map(({ chave }) => chave).sort(),
      );
      for (const [nome, xml] of notas) assert.ok(xml.includes(cliente.id), nome);
      const pdfs = notas.map(([nome]) => files.find(([outro]) => outro === nome.replace(/xml$/, 'pdf')));
      assert.ok(pdfs.every((pdf) => pdf !== undefined));
      assert.ok(textoDoPdf(pdfs[0]?.[1] ?? Buffer.alloc(0)).includes(cliente.nome));
    });

    it('finds no note of another company, and none of the office’s screens', async () => {
      const alheia = mes.notas.find(({ clientes }) => !clientes.includes(cliente.id));
      await noMenu('Documentos');
      await navegador.page.getByRole('searchbox', { name: 'Buscar por nome' }).fill(alheia?.chave ?? '');
      await vejo('Nenhum documento');
      await navegador.page.goto(`${mundo.malote.url}/console/clientes`);
      await vejo('Esta página não existe');
      await nadaARepreender();
    });
  });
});

/** vNF of a note, in cents. */
function centavosDe(bytes: Uint8Array): number {
  return Math.round(Number(/<vNF>([\d.]+)</.exec(Buffer.from(bytes).toString())?.[1]) * 100);
}
