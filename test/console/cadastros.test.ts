/** The forms of an office in a real browser: what each refuses and how it says so, certificates, and clients by CSV. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createToken } from '../../src/autorizacao/tokens.ts';
import { empresaComCertificado, generatePfx } from '../../src/contas/certificado/pfx-de-teste.ts';
import { generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import { perguntar } from '../support/console-mundo.ts';
import { adoptEscritorio } from '../support/escritorio.ts';
import { imported, upload, withDeps } from '../support/malote.ts';
import { SEM_NAVEGADOR } from '../support/navegador.ts';

const SENHA_DO_PFX = 'segredo do certificado';
const { empresa, certificado } = empresaComCertificado('console/cadastros');
const outra = generateEmpresa('outra', { perfil: 'comercio', uf: 'SP' });

describe('the forms of the console', { skip: SEM_NAVEGADOR }, () => {
  const escritorio = adoptEscritorio();
  const { dialogo, ir, pasta } = escritorio;
  const arquivo = (nome: string, bytes: Uint8Array | string) => {
    writeFileSync(join(pasta, nome), bytes);
    return join(pasta, nome);
  };
  const recusa = (texto: string | RegExp) =>
    escritorio.navegador.page.getByRole('alert').filter({ hasText: texto }).waitFor();
  const botao = (nome: string) => dialogo().getByRole('button', { name: nome, exact: true });

  it('a client: a wrong CNPJ is told before it is sent, a second registration by the server', async () => {
    const { page } = escritorio.navegador;
    for (const turn of ['first', 'again']) {
      await ir('/clientes', 'Clientes');
      await page.getByRole('button', { name: 'Novo cliente' }).click();
      await botao('Cadastrar').click();
      for (const texto of [
        'CPF ou CNPJ com dígitos que não conferem.',
        'Informe o nome.',
        'Informe um e-mail.',
      ])
        await dialogo().getByText(texto).waitFor();
      await dialogo().getByLabel('CPF ou CNPJ').fill('11.222.333/0001-82');
      await dialogo().getByLabel('Nome ou razão social').fill(empresa.nome);
      await dialogo().getByLabel('E-mail').fill('não@é');
      await botao('Cadastrar').click();
      await dialogo().getByText('CPF ou CNPJ com dígitos que não conferem.').waitFor();
      await dialogo().getByLabel('CPF ou CNPJ').fill(empresa.id);
      await botao('Cadastrar').click();
      await recusa('e-mail');
      await dialogo().getByLabel('E-mail').fill('fiscal@exemplo.com.br');
      await botao('Cadastrar').click();
      if (turn === 'first') await page.getByRole('heading', { level: 1, name: empresa.nome }).waitFor();
      else await recusa('cliente_ja_cadastrado');
    }
  });

  it('a client’s data: what the server does not take is named, what it takes is kept', async () => {
    const { page } = escritorio.navegador;
    await ir(`/clientes/${empresa.id}`, empresa.nome);
    await page.getByLabel('Nome ou razão social').fill('  ');
    await page.getByLabel('E-mail').fill('sem arroba');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Informe o nome.').waitFor();
    await page.getByText('Informe um e-mail.').waitFor();
    await page.getByLabel('Nome ou razão social').fill(empresa.nome);
    await page.getByLabel('E-mail').fill('novo@');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await recusa('e-mail');
    await page.getByLabel('E-mail').fill('novo@exemplo.com.br');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Dados do cliente salvos.').waitFor();
  });

  it('a certificate: judged at once; wrong password, no certificate and another holder in words; the right one is kept', async () => {
    const { page } = escritorio.navegador;
    const pfx = arquivo('certificado.pfx', generatePfx(certificado, SENHA_DO_PFX));
    const alheio = arquivo(
      'alheio.pfx',
      generatePfx(empresaComCertificado('console/alheio').certificado, SENHA_DO_PFX),
    );
    const lixo = arquivo('lixo.pfx', 'isto não é um certificado');
    await ir(`/clientes/${empresa.id}`, empresa.nome);
    await page.getByText('Nenhum certificado guardado.').waitFor();
    await page.getByRole('button', { name: 'Enviar um certificado' }).click();
    const conferir = page.getByRole('button', { name: 'Conferir' });
    assert.equal(await conferir.isDisabled(), true, 'nothing to judge yet');
    const veredito = page.getByRole('status');
    for (const [file, senha, texto] of [
      [pfx, 'errada', /senha/i],
      [lixo, SENHA_DO_PFX, /formato|não é|PKCS/i],
      [alheio, SENHA_DO_PFX, /outro titular/],
    ] as const) {
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByLabel('Senha do certificado').fill(senha);
      await conferir.click();
      await veredito.filter({ hasText: 'O certificado não serve' }).filter({ hasText: texto }).waitFor();
      assert.equal(await page.getByLabel('UF do certificado').count(), 0);
    }
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);
    await page.locator('input[type=file]').setInputFiles(pfx);
    await page.getByLabel('Senha do certificado').fill(SENHA_DO_PFX);
    await conferir.click();
    await veredito.filter({ hasText: 'O certificado serve' }).waitFor();
    await page.getByRole('combobox', { name: 'UF do certificado' }).click();
    await page.getByRole('option', { name: 'SP' }).click();
    await page.getByRole('button', { name: 'Salvar' }).last().click();
    // Exactly: the page has said so far that no certificate is kept.
    await page.getByText('Certificado guardado.', { exact: true }).waitFor();
    await page
      .getByText(/vence em \d+ dias/)
      .first()
      .waitFor();
    await ir('/clientes', 'Clientes');
    await page
      .getByRole('row')
      .filter({ hasText: empresa.nome })
      .getByLabel(/Certificado: vence em/)
      .waitFor();
    const { body } = await perguntar(escritorio.malote, escritorio.cookie, `/clientes/${empresa.id}`);
    assert.equal(body.certificado.titular, empresa.id);
  });

  it('clients by CSV: a preview judges every line, only the good ones are registered', async () => {
    const { page } = escritorio.navegador;
    await ir('/clientes', 'Clientes');
    await page.getByRole('button', { name: 'Cadastrar por planilha' }).click();
    await dialogo().getByLabel('Ou cole aqui as linhas').fill('nome;email\nSem CNPJ;a@b.co');
    await botao('Conferir').click();
    await recusa('csv_invalido');
    const csv = arquivo(
      'clientes.csv',
      Buffer.from(
        [
          'cpfCnpj;nome;email;procuracao',
          `${outra.id};Armazém Pão de Açúcar;fiscal@exemplo.com.br;sim`,
          `${outra.id};Outra vez;fiscal@exemplo.com.br;nao`,
          `${empresa.id};Já está;fiscal@exemplo.com.br;nao`,
          '11222333000182;Dígito errado;fiscal@exemplo.com.br;nao',
          '529.982.247-25;;sem arroba;nao',
        ].join('\r\n'),
        'latin1',
      ),
    );
    const escolher = dialogo().locator('input[type=file]');
    await escolher.setInputFiles(arquivo('vazio.csv', Buffer.alloc(0)));
    await recusa('csv_invalido');
    await escolher.setInputFiles(csv);
    const linha = (nome: string | RegExp) => dialogo().getByRole('row').filter({ hasText: nome });
    await linha('Armazém Pão de Açúcar').getByText('será cadastrado').waitFor();
    await linha('Outra vez').getByText('repetido').waitFor();
    await linha('Já está').getByText('já cadastrado').waitFor();
    await linha('Dígito errado').getByText('com erro').waitFor();
    assert.match((await linha('529.982.247-25').textContent()) ?? '', /nome.*e-mail/i);
    await dialogo().getByText('4 linhas ficam de fora').waitFor();
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);
    await botao('Cadastrar 1 cliente').click();
    await page.getByRole('link', { name: 'Armazém Pão de Açúcar' }).waitFor();
    const { body } = await perguntar(escritorio.malote, escritorio.cookie, `/clientes/${outra.id}`);
    assert.equal(body.trabalhaComProcuracao, true);
  });

  it('tokens and OAuth applications: a name that is none is refused in words', async () => {
    const { page } = escritorio.navegador;
    await ir('/conta/integracao', 'Opções da conta');
    for (const abrir of ['Novo token', 'Nova aplicação']) {
      await page.getByRole('button', { name: abrir }).click();
      assert.equal(await botao('Criar').isDisabled(), true);
      await dialogo().getByLabel('Nome').fill('x');
      await botao('Criar').click();
      await recusa('nome');
      await dialogo().getByLabel('Nome').fill('ERP de exemplo');
      await botao('Criar').click();
      await dialogo().waitFor({ state: 'hidden' });
    }
    await page.getByText('Copie o segredo agora').waitFor();
    const linha = page.getByRole('row').filter({ hasText: 'malote-' });
    await linha.getByRole('button', { name: 'Trocar segredo' }).click();
    await dialogo().getByRole('button', { name: 'Trocar' }).click();
    await dialogo().waitFor({ state: 'hidden' });
    await linha.getByRole('button', { name: 'Revogar' }).click();
    await dialogo().getByRole('button', { name: 'Revogar' }).click();
    await linha.getByText('revogado').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'ERP de exemplo' })
      .first()
      .getByRole('button', { name: 'Renomear' })
      .click();
    await dialogo().getByLabel('Nome').fill('y');
    await botao('Salvar').click();
    await recusa('nome');
  });

  it('users: what is missing, an address that is taken, and the last administrator, who stays', async () => {
    const { page } = escritorio.navegador;
    await ir('/conta/usuarios', 'Opções da conta');
    await page.getByRole('button', { name: 'Convidar' }).click();
    await dialogo().getByRole('radio', { name: 'Cliente' }).check();
    await botao('Convidar').click();
    for (const texto of ['Informe o nome.', 'Informe o e-mail.', 'Escolha ao menos uma empresa.'])
      await dialogo().getByText(texto).waitFor();
    await dialogo().getByLabel('Nome').fill('Ana de novo');
    await dialogo().getByLabel('E-mail').fill('ana@exemplo.com.br');
    await dialogo().getByRole('radio', { name: 'Operador' }).check();
    await botao('Convidar').click();
    await recusa('usuario_ja_cadastrado');
    await botao('Cancelar').click();
    await page.getByRole('button', { name: 'Ações de Ana Souza' }).click();
    await page.getByRole('menuitem', { name: 'Mudar' }).click();
    await dialogo().getByRole('switch', { name: 'Pode entrar' }).uncheck();
    await botao('Salvar').click();
    await recusa('ultimo_administrador');
    await page.keyboard.press('Escape');
    await dialogo().waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Ações de Ana Souza' }).click();
    await page.getByRole('menuitem', { name: 'Remover' }).click();
    await botao('Remover').click();
    await recusa('ultimo_administrador');
  });

  it('users: an operator is limited to a portfolio, and sees it named', async () => {
    const { page } = escritorio.navegador;
    await ir('/conta/usuarios', 'Opções da conta');
    await page.getByRole('button', { name: 'Convidar' }).click();
    await dialogo().getByLabel('Nome').fill('Rui da carteira');
    await dialogo().getByLabel('E-mail').fill('rui@exemplo.com.br');
    await dialogo().getByRole('switch', { name: 'Limitar a uma carteira' }).check();
    await botao('Convidar').click();
    await dialogo().getByText('Escolha ao menos uma empresa.').waitFor();
    await dialogo().getByRole('combobox', { name: 'Carteira' }).fill(empresa.id);
    await page.getByRole('option').filter({ hasText: empresa.nome }).click();
    await page.keyboard.press('Escape');
    await botao('Convidar').click();
    await page.getByText('Envie este endereço a Rui da carteira').waitFor();
    const linha = page.getByRole('row').filter({ hasText: 'rui@exemplo.com.br' });
    assert.match((await linha.textContent()) ?? '', new RegExp(`Operador${empresa.nome}`));
  });

  it('retention: a term out of bounds and a hold without a reason are refused', async () => {
    const { page } = escritorio.navegador;
    await ir('/retencao', 'Retenção e guarda');
    await page.getByRole('button', { name: 'Alterar o prazo: NF-e' }).first().click();
    await dialogo().getByLabel('Meses, a partir da emissão').fill('12');
    await botao('Salvar').click();
    await recusa('meses');
    await botao('Cancelar').click();
    await page.getByRole('tab', { name: 'Guardas legais' }).click();
    await page.getByRole('button', { name: 'Nova guarda' }).click();
    await dialogo().getByLabel('Chave').fill('123');
    await dialogo()
      .getByRole('button', { name: /guarda|Guardar|Pôr/i })
      .last()
      .click();
    await recusa('motivo');
    await recusa('chave');
  });

  it('schema packages and uploads: what is none is refused before it does harm', async () => {
    const { page } = escritorio.navegador;
    await ir('/saude', 'Saúde do sistema');
    await page.locator('input[type=file]').setInputFiles(arquivo('PL_009.zip', 'isto não é um zip'));
    await recusa('O pacote não foi instalado');
    await ir('/importacoes', 'Importações');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([arquivo('leia.txt', 'nada'), arquivo('foto.png', 'x')]);
    await page.getByText('Só .xml e .zip são aceitos', { exact: false }).first().waitFor();
    const falso = arquivo('falso.zip', 'isto não é um zip');
    await page.locator('input[type=file]').first().setInputFiles(falso);
    await page.getByRole('listitem').filter({ hasText: 'falso.zip' }).getByText('com erro').waitFor();
  });

  it('held documents and missing numbers: registering without an address, justifying without a reason', async () => {
    const { page } = escritorio.navegador;
    const { token } = await withDeps(escritorio.malote.dataFolder, async (deps) => {
      const { id: contadorId } = await deps.db.read
        .selectFrom('contador')
        .select('id')
        .executeTakeFirstOrThrow();
      return createToken(deps, { contadorId });
    });
    const retida = generateEmpresa('retida', { perfil: 'comercio', uf: 'SP' });
    for (const [numero, emitente, destinatario] of [
      [1, retida, generateEmpresa('ninguem', { perfil: 'comercio', uf: 'SP' })],
      [2, outra, empresa],
      [5, outra, empresa],
    ] as const) {
      const { bytes } = generateNfe({
        semente: `cadastros-${numero}`,
        emitente,
        destinatario,
        modelo: '55',
        serie: 1,
        numero,
        emissao: new Date(Date.now() - 40 * 86_400_000),
        itens: 1,
      });
      await imported(escritorio.malote, {
        token,
        id: await upload(escritorio.malote, { token, bytes, extension: '.xml' }),
      });
    }
    await ir('/importacoes?aba=retidos', 'Importações');
    await page
      .getByRole('row')
      .filter({ hasText: retida.nome })
      .getByRole('button', { name: 'Cadastrar' })
      .click();
    await dialogo().getByLabel('E-mail').fill('sem@ponto');
    await botao('Cadastrar').click();
    await recusa('e-mail');
    await botao('Cancelar').click();

    await ir(`/faltantes?cliente=${outra.id}`, 'Faltantes');
    await page
      .getByRole('combobox', { name: /Visualizar como|cliente/i })
      .first()
      .click();
    await page.getByRole('option', { name: /Armazém Pão de Açúcar/ }).click();
    await page.getByRole('button', { name: 'Justificar' }).first().click();
    await dialogo().getByLabel('Motivo').fill('  ');
    assert.equal(await botao('Justificar').isDisabled(), true);
    await dialogo().getByLabel('Motivo').fill('Número pulado pelo sistema');
    await botao('Justificar').click();
    await page.getByText('Justificativa salva.').waitFor();

    await page.getByRole('button', { name: 'Retirar' }).first().click();
    await dialogo().getByText('Número pulado pelo sistema').waitFor();
    await botao('Retirar').click();
    await page.getByText('Justificativa retirada.').waitFor();
    await page.getByRole('button', { name: 'Justificar' }).first().waitFor();
  });

  it('none of this breaks the page’s policy, and what was refused is all that the browser noted', async () => {
    assert.deepEqual(await escritorio.navegador.violacoes(), []);
    assert.deepEqual(
      escritorio.navegador.queixas.filter((one) => !/status of (400|409|422)/.test(one)),
      [],
    );
  });
});
