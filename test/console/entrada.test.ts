/** Every way into the console in a real browser: first use, password, second factor, several offices, invitation, reset. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { inviteAdministrador } from '../../src/console/sessao/convites.ts';
import { createContador } from '../../src/contas/contadores.ts';
import { logInToConsole } from '../support/console.ts';
import { type MundoDoConsole, mundoVazio, SENHA } from '../support/console-mundo.ts';
import { ensureConsole } from '../support/construir-console.ts';
import { withDeps } from '../support/malote.ts';
import { Navegador, SEM_NAVEGADOR } from '../support/navegador.ts';

const EMAIL = 'ana@exemplo.com.br';
const OUTRA_SENHA = 'barco lento no rio 77';
const STEP_MS = 30_000;
const LARGA = { largura: 1280, altura: 900 } as const;

describe('coming into the console', { skip: SEM_NAVEGADOR }, () => {
  let mundo: MundoDoConsole;
  let navegador: Navegador;
  let totp: TOTP;
  let recuperacao: string[] = [];
  before(async () => {
    ensureConsole();
    mundo = await mundoVazio();
    navegador = await Navegador.abrir();
  });
  after(async () => {
    await navegador[Symbol.asyncDispose]();
    await mundo.malote[Symbol.asyncDispose]();
  });

  const ir = (caminho: string) => navegador.page.goto(`${mundo.malote.url}/console${caminho}`);
  const senhas = async (senha: string, repetida = senha) => {
    await navegador.page.getByLabel('Senha', { exact: true }).fill(senha);
    await navegador.page.getByLabel('Repita a senha').fill(repetida);
  };
  const entrar = async (senha: string, email = EMAIL) => {
    await navegador.page.getByLabel('E-mail').fill(email);
    await navegador.page.getByLabel('Senha', { exact: true }).fill(senha);
    await navegador.page.getByRole('button', { name: 'Entrar' }).click();
  };
  const sair = async () => {
    await navegador.page.getByRole('button', { name: 'Conta de Ana Souza' }).click();
    await navegador.page.getByRole('menuitem', { name: 'Sair' }).click();
    await navegador.page.getByRole('heading', { name: 'Entrar' }).waitFor();
  };
  const dentro = () => navegador.page.getByRole('button', { name: 'Conta de Ana Souza' }).waitFor();
  const inicio = () => navegador.page.getByRole('heading', { level: 1, name: 'Início' }).waitFor();
  const digitar = async (codigo: string) => {
    const first = navegador.page.getByLabel('Dígito 1 de 6');
    await first.click();
    for (let at = 0; at < 6; at++) await navegador.page.keyboard.press('Backspace');
    await first.click();
    await navegador.page.keyboard.type(codigo);
  };
  const mensagem = (texto: string) => navegador.page.getByRole('alert').filter({ hasText: texto }).waitFor();
  const acessivel = async () => {
    for (const esquema of ['light', 'dark'] as const) {
      await navegador.janela({ ...LARGA, esquema });
      assert.deepEqual(await navegador.faltasDeAcesso(), [], esquema);
    }
    await navegador.janela({ largura: 360, altura: 800, esquema: 'light' });
    assert.equal(await navegador.transborda(), false, 'scrolls sideways');
    await navegador.janela({ ...LARGA, esquema: 'light' });
  };

  it('first use names every field that is missing, refuses a common password and a wrong code, and then opens', async () => {
    const { page } = navegador;
    await page.goto(mundo.link.replace(/#.*/, '#errado'));
    await page.getByRole('button', { name: 'Criar e entrar' }).click();
    for (const texto of [
      'De 1 a 6 dígitos.',
      'Informe o nome do escritório.',
      'Informe o seu nome.',
      'Informe o seu e-mail.',
      'Use pelo menos 10 caracteres.',
    ])
      await page.getByText(texto).waitFor();
    await acessivel();
    await page.getByLabel('Código CRM').fill('123456');
    await page.getByLabel('Nome do escritório').fill('Aurora Contabilidade');
    await page.getByLabel('Seu nome').fill('Ana Souza');
    await page.getByLabel('Seu e-mail').fill(EMAIL);
    await senhas(SENHA, 'outra coisa');
    await page.getByRole('button', { name: 'Criar e entrar' }).click();
    await page.getByText('As senhas não são iguais.').waitFor();
    await senhas(SENHA);
    await page.getByRole('button', { name: 'Criar e entrar' }).click();
    await mensagem('primeiro_uso_invalido');

    await page.goto('about:blank');
    await page.goto(mundo.link);
    await page.getByLabel('Código CRM').fill('123456');
    await page.getByLabel('Nome do escritório').fill('Aurora Contabilidade');
    await page.getByLabel('Seu nome').fill('Ana Souza');
    await page.getByLabel('Seu e-mail').fill(EMAIL);
    // What is said while one types is what the server says when it is sent.
    await senhas('password123');
    await page.getByText('fraca', { exact: true }).waitFor();
    await page.getByText('Esta senha é das primeiras que alguém tentaria.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Criar e entrar' }).click();
    await mensagem('senha');
    await senhas(SENHA);
    await page.getByText('boa', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Criar e entrar' }).click();
    await inicio();
    await sair();
    await page.goto(mundo.link);
    await page.getByRole('heading', { name: 'Este servidor já está em uso' }).waitFor();
    await acessivel();
  });

  it('log-in says what is missing, and of a wrong password nothing more than that it did not work', async () => {
    const { page } = navegador;
    await ir('/entrar');
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByText('Informe o seu e-mail.').waitFor();
    await page.getByText('Informe a sua senha.').waitFor();
    await acessivel();
    await entrar('não é esta');
    await mensagem('credenciais_invalidas');
    await acessivel();
    await entrar(SENHA);
    await inicio();
  });

  it('files on their way are asked about before one leaves, and are not shown to who logs in next', async () => {
    const { page } = navegador;
    await ir('/importacoes');
    await page.route('**/upload/**', () => new Promise(() => {}));
    const arquivos = ['um.xml', 'dois.xml'].map((name) => ({
      name,
      mimeType: 'text/xml',
      buffer: Buffer.from('<a/>'),
    }));
    await page.locator('input[type=file]').first().setInputFiles(arquivos);
    await page.getByRole('listitem').filter({ hasText: 'um.xml' }).waitFor();
    // Browsers ask only for pages that somebody has touched.
    await page.getByRole('heading', { level: 1, name: 'Importações' }).click();
    const asked = page.waitForEvent('dialog');
    const reload = page.evaluate('void setTimeout(() => location.reload())');
    const dialog = await asked;
    assert.equal(dialog.type(), 'beforeunload');
    await dialog.dismiss();
    await reload;

    await page.getByRole('button', { name: 'Conta de Ana Souza' }).click();
    await page.getByRole('menuitem', { name: 'Sair' }).click();
    await page.getByText('2 arquivos ainda não foram enviados', { exact: false }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Sair' }).click();
    await page.getByRole('heading', { name: 'Entrar' }).waitFor();
    await entrar(SENHA);
    await page.getByRole('navigation').getByRole('link', { name: 'Importações' }).click();
    await page.getByText('Solte aqui arquivos').waitFor();
    assert.equal(await page.getByRole('listitem').count(), 0);
    await page.unrouteAll();
  });

  it('who cannot reach the server is told to be still logged in', async () => {
    const { page } = navegador;
    await ir('/');
    await inicio();
    await page.route('**/console/api/sair', (route) => route.abort());
    await page.getByRole('button', { name: 'Conta de Ana Souza' }).click();
    await page.getByRole('menuitem', { name: 'Sair' }).click();
    await mensagem('Você não saiu');
    await dentro();
    await page.unrouteAll();
    assert.match(navegador.queixas.pop() ?? '', /ERR_FAILED.*sair/);
    await sair();
    await entrar(SENHA);
    await inicio();
  });

  it('a changed password asks for the one before, and says which of the two new ones is wrong', async () => {
    const { page } = navegador;
    await ir('/conta/seguranca');
    const trocar = page.getByRole('button', { name: 'Trocar a senha' });
    await trocar.click();
    await page.getByText('Informe a senha atual.').waitFor();
    await page.getByLabel('Senha atual').fill('não é esta');
    await page.getByLabel('Nova senha').fill(OUTRA_SENHA);
    await page.getByLabel('Repita a senha').fill(OUTRA_SENHA);
    await trocar.click();
    await mensagem('credenciais_invalidas');
    await page.getByLabel('Senha atual').fill(SENHA);
    await trocar.click();
    await page.getByText('Senha trocada. As outras sessões foram encerradas.').waitFor();
    await page.getByLabel('Senha atual').fill(OUTRA_SENHA);
    await page.getByLabel('Nova senha').fill(SENHA);
    await page.getByLabel('Repita a senha').fill(SENHA);
    await trocar.click();
    await page.getByText('Senha trocada').nth(1).waitFor();
  });

  it('the second factor is set up with password, picture and first code, and hands out recovery codes once', async () => {
    const { page } = navegador;
    await ir('/conta/seguranca');
    await page.getByRole('button', { name: 'Ligar' }).click();
    const confirmada = page.getByLabel('Confirme a sua senha');
    await confirmada.fill('não é esta');
    await page.getByRole('button', { name: 'Continuar' }).click();
    await mensagem('credenciais_invalidas');
    await confirmada.fill(SENHA);
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByRole('img', { name: 'Código QR para o aplicativo autenticador' }).waitFor();
    const segredo =
      (await page
        .locator('code')
        .filter({ hasText: /^[A-Z2-7]{32}$/ })
        .textContent()) ?? '';
    totp = new TOTP({ secret: Secret.fromBase32(segredo) });
    await acessivel();
    await digitar(totp.generate({ timestamp: Date.now() - 20 * STEP_MS }));
    await mensagem('codigo_totp_invalido');
    await digitar(totp.generate());
    await page.getByText('Ligada. Guarde agora os códigos de recuperação').waitFor();
    recuperacao = await page
      .locator('code')
      .filter({ hasText: /^\w{4}(-\w{4}){3}$/ })
      .allTextContents();
    assert.equal(recuperacao.length, 10);
    await page.getByText('ligada', { exact: true }).waitFor();
    await acessivel();
    await page.getByRole('button', { name: 'Já guardei' }).click();
    await page.getByText('Restam 10 códigos de recuperação.').waitFor();
    await sair();
  });

  it('log-in then asks for a code: a wrong one is refused, the next one opens, a recovery code too', async () => {
    const { page } = navegador;
    await entrar(SENHA);
    await page.getByRole('heading', { name: 'Confirmação em duas etapas' }).waitFor();
    await acessivel();
    await digitar(totp.generate({ timestamp: Date.now() - 20 * STEP_MS }));
    await mensagem('codigo_totp_invalido');
    await acessivel();
    await digitar(totp.generate({ timestamp: Date.now() + STEP_MS }));
    await dentro();
    await sair();

    await entrar(SENHA);
    await page.getByRole('button', { name: 'Usar um código de recuperação' }).click();
    await page.getByLabel('Código de recuperação').fill('AAAA-BBBB-CCCC-DDDD');
    await page.getByRole('button', { name: 'Confirmar' }).click();
    await mensagem('codigo_totp_invalido');
    await acessivel();
    await page.getByLabel('Código de recuperação').fill(recuperacao[0] ?? '');
    await page.getByRole('button', { name: 'Confirmar' }).click();
    await dentro();
    await ir('/conta/seguranca');
    await page.getByText('Restam 9 códigos de recuperação.').waitFor();
  });

  it('a new password by link asks for the second factor as well, before anybody is in', async () => {
    const { page } = navegador;
    const { malote } = mundo;
    await ir('/');
    await inicio();
    await sair();
    const { contadorId, id } = await withDeps(malote.dataFolder, async ({ db }) => {
      const row = await db.read.selectFrom('usuario').select(['id', 'contador_id']).executeTakeFirstOrThrow();
      return { contadorId: row.contador_id, id: row.id };
    });
    const colega = await logInToConsole(malote, { contadorId });
    const { body } = await colega.ask(`/usuarios/${id}/redefinir`, { method: 'POST', json: {} });
    await page.goto(body.link);
    await page.getByRole('heading', { name: 'Defina uma nova senha' }).waitFor();
    await senhas('curta');
    await page.getByRole('button', { name: 'Salvar e entrar' }).click();
    await page.getByText('Use pelo menos 10 caracteres.').waitFor();
    await page.getByText('Seu nome').waitFor();
    await acessivel();
    await senhas(OUTRA_SENHA);
    await page.getByRole('button', { name: 'Salvar e entrar' }).click();
    await page.getByRole('heading', { name: 'Confirmação em duas etapas' }).waitFor();
    await page.getByRole('button', { name: 'Usar um código de recuperação' }).click();
    await page.getByLabel('Código de recuperação').fill(recuperacao[1] ?? '');
    await page.getByRole('button', { name: 'Confirmar' }).click();
    await inicio();
    await sair();
    await page.goto(body.link);
    await mensagem('convite_invalido');
    await acessivel();
    await page.goto('about:blank');
    await ir('/convite');
    await page.getByText('Este endereço está incompleto', { exact: false }).waitFor();
  });

  it('who works for two offices with one password chooses, and must choose', async () => {
    const { page } = navegador;
    const { malote } = mundo;
    const email = 'bia@exemplo.com.br';
    for (const [crm, nome] of [
      ['210', 'Boreal Contabilidade'],
      ['220', 'Cerrado Contabilidade'],
    ] as const) {
      const { codigo } = await withDeps(malote.dataFolder, async (deps) => {
        const { id: contadorId } = await createContador(deps, { codigoCrm: crm, nome, email });
        return inviteAdministrador(deps, { contadorId, nome: 'Bia Lima', email, autor: 'teste' });
      });
      const answer = await fetch(`${malote.url}/console/api/convite/aceitar`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: malote.url },
        body: JSON.stringify({ codigo, senha: OUTRA_SENHA }),
      });
      assert.equal(answer.status, 200, await answer.text());
    }
    await ir('/entrar');
    await entrar(OUTRA_SENHA, email);
    const escolha = page.getByRole('combobox', { name: 'Escritório' });
    await escolha.waitFor();
    await acessivel();
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByText('Escolha o escritório.').waitFor();
    await escolha.click();
    await page.getByRole('option', { name: 'Cerrado Contabilidade (CRM 000220)' }).click();
    await page.getByRole('button', { name: 'Entrar' }).click();
    await inicio();
    await page.getByRole('button', { name: 'Conta de Bia Lima' }).click();
    await page.getByText('Cerrado Contabilidade').first().waitFor();
  });

  it('none of this breaks the page’s policy', async () => {
    assert.deepEqual(await navegador.violacoes(), []);
    const refused = navegador.queixas.filter((one) => !/status of (400|401|403|404)/.test(one));
    assert.deepEqual(refused, []);
  });
});
