/**
 * `npm run telas -- <pasta>`: pictures of every screen at three widths in both colour schemes, to look at.
 * Second argument: names of screens, separated by commas.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { criarAna, encher, mesPassado, mundoVazio, perguntar } from '../support/console-mundo.ts';
import { ensureConsole } from '../support/construir-console.ts';
import { Navegador } from '../support/navegador.ts';
import { preencher, TELAS } from './telas-do-console.ts';

const [pasta = 'telas', nomes = '', larguras = '360,768,1440', esquemas = 'light,dark'] =
  process.argv.slice(2);
mkdirSync(pasta, { recursive: true });
ensureConsole();
const mundo = await mundoVazio();
try {
  const cookie = await criarAna(mundo);
  const { clientes } = await encher(mundo.malote, mesPassado());
  const { body } = await perguntar(
    mundo.malote,
    cookie,
    '/documentos?especie=nfe&visao=recebidas&status=Autorizada&Tamanho=1',
  );
  const valores = {
    cliente: clientes[0]?.id ?? '',
    documento: String(body.itens[0].id),
    importacao: await importacao(cookie),
  };
  for (const esquema of esquemas.split(',') as ('light' | 'dark')[]) {
    for (const largura of larguras.split(',').map(Number)) {
      await using navegador = await Navegador.abrir({ largura, altura: 900, esquema });
      await navegador.page.goto(`${mundo.malote.url}/console/entrar`);
      await navegador.page.getByRole('heading', { name: 'Entrar' }).waitFor();
      if (nomes === '')
        await navegador.page.screenshot({ path: join(pasta, `entrar-${largura}-${esquema}.png`) });
      await navegador.logInWith(mundo.malote.url, cookie);
      for (const { nome, caminho, titulo } of TELAS) {
        if (nomes !== '' && !nomes.split(',').includes(nome)) continue;
        await navegador.ir(`${mundo.malote.url}/console${preencher(caminho, valores)}`, titulo);
        await navegador.page.screenshot({
          path: join(pasta, `${nome}-${largura}-${esquema}.png`),
          fullPage: true,
        });
        for (const one of [...navegador.queixas.splice(0), ...(await navegador.violacoes())])
          console.log(`${nome}: ${one}`);
      }
    }
  }
} finally {
  await mundo.malote[Symbol.asyncDispose]();
}

async function importacao(cookie: string): Promise<string> {
  const { status, body } = await perguntar(mundo.malote, cookie, '/importacoes?Tamanho=50');
  if (status !== 200) return '';
  const itens = body.itens as { id: string; status: string }[];
  return (itens.find(({ status }) => status === 'Com Erro') ?? itens[0])?.id ?? '';
}
