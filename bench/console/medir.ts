/** Steps of a person in the console, each timed by the browser itself: from the gesture to the last change of the page. */
import type { Page } from 'playwright-core';
import type { Navegador } from '../../test/support/navegador.ts';

export interface Medida {
  grupo: 'carga' | 'uso';
  oQue: string;
  unidade: 'ms' | 'KB' | '';
  mediana: number;
  maior: number;
  /** Not to be passed; null: only told. */
  limite: number | null;
}

/** The budget: a gesture is answered, the first screen usable, its script as large at the most. */
const USO_MS = 300;
const CARGA_MS = 1_500;
const SCRIPT_KB = 350;
/** A page that asks nothing and changes nothing for so long has been drawn. */
const QUIETA_MS = 150;

/** Knows when the person acted, whether an answer is still awaited, and when the page last changed. */
const OBSERVAR = `(() => {
  const estado = { gesto: 0, pedido: 0, abertos: 0, mudou: 0, recusado: '' };
  window.__medir = {
    comecar() { estado.gesto = estado.pedido = estado.mudou = 0; },
    async terminar() {
      for (;;) {
        if (estado.recusado !== '') throw new Error(estado.recusado);
        const agora = performance.now();
        const ultimo = Math.max(estado.mudou, estado.gesto, estado.pedido);
        if (estado.abertos === 0 && estado.pedido > 0 && estado.mudou > estado.pedido && agora - ultimo > ${QUIETA_MS})
          return { gesto: estado.mudou - estado.gesto, pedido: estado.mudou - estado.pedido };
        await new Promise((done) => setTimeout(done, 10));
      }
    },
  };
  const gesto = () => { estado.gesto = performance.now(); };
  addEventListener('pointerdown', gesto, true);
  addEventListener('keydown', gesto, true);
  const original = window.fetch;
  window.fetch = async (...pedido) => {
    if (estado.pedido === 0 && String(pedido[0]).includes('/documentos')) estado.pedido = performance.now();
    estado.abertos += 1;
    try {
      const answer = await original(...pedido);
      if (!answer.ok) estado.recusado = answer.url + ' ' + answer.status;
      const text = await answer.text();
      estado.abertos -= 1;
      return new Response(answer.status === 204 ? null : text, { status: answer.status, headers: answer.headers });
    } catch (error) {
      estado.abertos -= 1;
      throw error;
    }
  };
  new MutationObserver(() => requestAnimationFrame((frame) => { estado.mudou = Math.max(frame, performance.now()); }))
    .observe(document, { subtree: true, childList: true, characterData: true });
})();`;

interface Tempo {
  gesto: number;
  pedido: number;
}

async function cronometrar(page: Page, agir: () => Promise<unknown>): Promise<Tempo> {
  await page.evaluate('window.__medir.comecar()');
  await agir();
  return page.evaluate('window.__medir.terminar()');
}

const mediana = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function uso(oQue: string, tempos: readonly Tempo[], desde: keyof Tempo = 'gesto'): Medida {
  const values = tempos.map((tempo) => tempo[desde]);
  return {
    grupo: 'uso',
    oQue,
    unidade: 'ms',
    mediana: mediana(values),
    maior: Math.max(...values),
    limite: desde === 'gesto' || oQue.includes('pedido') ? USO_MS : null,
  };
}

/** Loads the first screen and walks through the work, each step `vezes` times. */
export async function measureConsole(
  navegador: Navegador,
  input: { url: string; vezes: number },
): Promise<Medida[]> {
  const { page } = navegador;
  const { url, vezes } = input;
  const carga = await measureCarga(navegador, input);
  await page.addInitScript(OBSERVAR);
  const openLista = () => navegador.ir(`${url}/console/documentos`, 'Documentos');
  const medidas: Medida[] = [];

  const listas: Tempo[] = [];
  for (let at = 0; at < vezes; at++) {
    await navegador.ir(`${url}/console/downloads`, 'Downloads');
    const link = page.getByRole('navigation').getByRole('link', { name: 'Documentos' });
    listas.push(await cronometrar(page, () => link.click()));
  }
  medidas.push(uso('abrir a lista pelo menu', listas));

  await openLista();
  const kinds: Tempo[] = [];
  for (const nome of ['NF-e', 'NFC-e', 'CT-e', 'NFS-e', 'CF-e'])
    kinds.push(await cronometrar(page, () => page.getByRole('tab', { name: nome }).click()));
  medidas.push(uso('trocar de espécie (aba)', kinds));

  await openLista();
  await page.getByRole('tab', { name: 'NF-e' }).click();
  const views: Tempo[] = [];
  for (const nome of [
    'Emitidas',
    'Recebidas',
    'Canceladas',
    'Inutilizadas',
    'Carta de correção',
    'Denegadas',
  ])
    views.push(await cronometrar(page, () => page.getByRole('button', { name: nome, exact: true }).click()));
  medidas.push(uso('filtrar por visão (sub-aba)', views));

  await openLista();
  const clientes: Tempo[] = [];
  for (let at = 1; at <= vezes; at++) {
    await page.getByLabel('Visualizar como').first().click();
    const opcao = page.getByRole('option').nth(at);
    await opcao.waitFor();
    clientes.push(await cronometrar(page, () => opcao.click()));
  }
  medidas.push(uso('filtrar por cliente', clientes));
  await page.evaluate('sessionStorage.clear()');

  await openLista();
  const linhas = await page.evaluate(
    `[...document.querySelectorAll('tbody tr')].map((row) => row.innerText)`,
  );
  const procurados = procurar(linhas as string[]);
  const buscas: Tempo[] = [];
  for (const procurado of procurados.slice(0, Math.max(vezes, 4))) {
    const campo = page.getByRole('searchbox', { name: 'Buscar por nome' });
    await campo.fill('');
    await page.waitForURL((place) => !place.searchParams.has('busca'));
    await navegador.pronta('Documentos');
    buscas.push(await cronometrar(page, () => campo.pressSequentially(procurado, { delay: 60 })));
  }
  medidas.push(
    uso('buscar digitando, da última tecla (com a pausa)', buscas),
    uso('buscar digitando, do pedido', buscas, 'pedido'),
  );

  const filtros = [
    'emissaoDe=2026-09-01&emissaoAte=2026-09-15',
    'valorDe=1000&valorAte=1500',
    'uf=SP&status=Cancelada',
    'especie=nfe&visao=recebidas&valorDe=50000',
    'ordem=importacao_asc',
    'origem=api',
    'finalidade=Revenda',
  ];
  const enderecos: Tempo[] = [];
  for (const filtro of filtros) {
    await page.goto(`${url}/console/documentos?${filtro}`);
    enderecos.push(await page.evaluate('window.__medir.terminar()'));
  }
  medidas.push(
    uso('filtros de data, valor, UF, finalidade (do primeiro pedido da lista)', enderecos, 'pedido'),
  );

  await openLista();
  const abertos: Tempo[] = [];
  for (let at = 0; at < vezes; at++) {
    const link = page
      .getByRole('row')
      .nth(at + 1)
      .getByRole('link')
      .first();
    abertos.push(await cronometrar(page, () => link.click()));
    await page.goBack();
    await navegador.pronta('Documentos');
  }
  medidas.push(uso('abrir um documento', abertos));

  const paginas: Tempo[] = [];
  for (let at = 0; at < vezes; at++)
    paginas.push(await cronometrar(page, () => page.getByRole('button', { name: 'Mostrar mais' }).click()));
  medidas.push(uso('mostrar mais 50 linhas', paginas));
  return [...carga, ...medidas];
}

/** What people type: parts of a name, and CNPJs, that are there; each once, for what was asked for before is not asked for again. */
function procurar(linhas: readonly string[]): string[] {
  const words = linhas.flatMap((linha, at) => {
    const palavra = /[A-ZÀ-Ú][a-zà-ú]{5,}/g.exec(linha.split('\n').slice(2).join(' '))?.[0];
    const cnpj = /\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}/.exec(linha)?.[0];
    return [[palavra, cnpj][at % 2] ?? palavra].filter((one) => one !== undefined);
  });
  return [...new Set(words)];
}

async function measureCarga(
  navegador: Navegador,
  { url, vezes }: { url: string; vezes: number },
): Promise<Medida[]> {
  const { page } = navegador;
  const loads: { kb: number; pronto: number; deslocamento: number }[] = [];
  for (let at = 0; at < vezes; at++) {
    const session = await navegador.context.newCDPSession(page);
    await session.send('Network.clearBrowserCache');
    await session.detach();
    await navegador.ir(`${url}/console/`, 'Início');
    loads.push({
      ...((await page.evaluate(`(() => ({
        kb: performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
          .reduce((sum, one) => sum + one.encodedBodySize, 0) / 1024,
        pronto: performance.getEntriesByName('malote-pronto')[0]?.startTime ?? NaN }))()`)) as {
        kb: number;
        pronto: number;
      }),
      deslocamento: await navegador.deslocamento(),
    });
  }
  const medida = (oQue: string, values: number[], unidade: Medida['unidade'], limite: number): Medida => ({
    grupo: 'carga',
    oQue,
    unidade,
    mediana: mediana(values),
    maior: Math.max(...values),
    limite,
  });
  return [
    medida(
      'script comprimido da primeira carga, com o gráfico',
      loads.map(({ kb }) => kb),
      'KB',
      SCRIPT_KB,
    ),
    medida(
      'primeira tela utilizável (cache vazio)',
      loads.map(({ pronto }) => pronto),
      'ms',
      CARGA_MS,
    ),
    medida(
      'deslocamento de layout (CLS)',
      loads.map(({ deslocamento }) => deslocamento),
      '',
      0,
    ),
  ];
}
