/** The page `/docs`: one OpenAPI document for people, in Portuguese, with an example to copy for each operation. */
import { DE_TODAS } from '../respostas.ts';
import { codigo, escapar, paragrafos } from './marcacao.ts';
import { campos, type Linha, nomeDoTipo, tabela } from './tabelas.ts';
import { type Documento, type Esquema, type Operacao, operacoesDe, type Parametro } from './tipos.ts';

type Operacional = ReturnType<typeof operacoesDe>[number];

interface Enderecos {
  /** Of the page, without trailing slash. */
  path: string;
  /** Of the document that it shows. */
  documento: string;
}

/** The whole page. */
export function paginaDaApi(documento: Documento, enderecos: Enderecos): string {
  const { title, version, description } = documento.info;
  const { path } = enderecos;
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#0f5f66">
<title>${escapar(title)}: documentação da API</title>
<link rel="icon" type="image/svg+xml" href="${path}/malote.svg">
<link rel="stylesheet" href="${path}/estilo.css">
<script src="${path}/copiar.js" defer></script>
</head>
<body>
<header class="topo">
<span class="nome"><img src="${path}/malote.svg" alt="">${escapar(title)}<span class="versao">API, versão ${escapar(version)}</span></span>
<a href="${enderecos.documento}">OpenAPI (JSON)</a>
<a href="/console/">Console</a>
</header>
<div class="corpo">
<nav aria-label="Rotas">${indice(documento)}</nav>
<main>
<h1>Documentação da API</h1>
${paragrafos(description)}
${comecar(documento)}
${documento.tags.map((tag) => area(documento, tag)).join('\n')}
${deTodas(documento)}
${formatos(documento)}
</main>
</div>
</body>
</html>
`;
}

const nomeDaArea = (tag: Documento['tags'][number]) => tag['x-displayName'] ?? tag.name;
const operacoesDaArea = (documento: Documento, nome: string) =>
  operacoesDe(documento).filter(({ operacao }) => operacao.tags?.includes(nome));

function indice(documento: Documento): string {
  const areas = documento.tags.map((tag) => {
    const itens = operacoesDaArea(documento, tag.name).map(
      ({ operacao }) => `<li><a href="#${operacao.operationId}">${escapar(operacao.summary ?? '')}</a></li>`,
    );
    return `<h2>${escapar(nomeDaArea(tag))}</h2><ul>${itens.join('')}</ul>`;
  });
  const resto =
    '<h2>Para todas</h2><ul><li><a href="#erros">Erros de qualquer rota</a></li><li><a href="#formatos">Formatos</a></li></ul>';
  return `<details open><summary>Rotas</summary>${areas.join('')}${resto}</details>`;
}

/** What stands in the examples in place of what only the reader has. */
function comecar(documento: Documento): string {
  const url = documento.servers?.[0]?.url ?? '';
  const text = `# do console: Opções da conta, aba Integração
TOKEN=mlt_…
# o codigoCrm do escritório
CRM=000123
# o cliente
CNPJ=11222333000181
# da mesma aba, para a área de contas
CLIENT_ID=malote-…
CLIENT_SECRET=…`;
  return `<h2>Antes de copiar os exemplos</h2>
<p>O endereço desta instalação é <code>${escapar(url)}</code>. Defina uma vez, no terminal, o que é seu:</p>
${exemplo(text)}
<p>As demais vêm de respostas anteriores: ${codigo('$ID')} e ${codigo('$URL')} de um pedido de endereço; ${codigo('$CHAVE')}, ${codigo('$URL_DOWNLOAD')} e ${codigo('$URL_FINALIDADE')} de um registro; ${codigo('$TOKEN_DE_ACESSO')} é o ${codigo('access_token')} do token da área de contas. O arquivo ${codigo('nota.xml')} é seu.</p>`;
}

function area(documento: Documento, tag: Documento['tags'][number]): string {
  const itens = operacoesDaArea(documento, tag.name).map((um) => artigo(documento, um));
  return `<section><h2>${escapar(nomeDaArea(tag))}</h2>${paragrafos(tag.description)}${itens.join('\n')}</section>`;
}

function artigo(documento: Documento, { caminho, metodo, operacao }: Operacional): string {
  const source = operacao['x-codeSamples']?.[0]?.source ?? '';
  return `<article id="${operacao.operationId}">
<h3>${escapar(operacao.summary ?? '')}</h3>
<p class="rota"><span class="metodo ${metodo}">${metodo.toUpperCase()}</span><code>${escapar(caminho)}</code></p>
<p class="acesso">${acesso(operacao)}</p>
<div class="colunas"><div>
${paragrafos(operacao.description ?? '')}
${parametros(documento, operacao)}
${corpo(documento, operacao)}
${respostas(documento, operacao)}
</div><aside><h4>Exemplo</h4>${exemplo(source)}</aside></div>
</article>`;
}

function acesso({ security = [] }: Operacao): string {
  if (security.length === 0) return 'Sem o cabeçalho Authorization.';
  return security.some((one) => 'token' in one)
    ? 'Authorization: Bearer, com o token de integração ou um token de acesso.'
    : 'Authorization: Bearer, com um token de acesso.';
}

function exemplo(source: string): string {
  return `<div class="exemplo"><button type="button" data-copiar>Copiar</button><pre tabindex="0"><code>${escapar(source)}</code></pre></div>`;
}

const LUGAR: Record<Parametro['in'], string> = {
  path: 'no caminho',
  query: 'na consulta',
  header: 'cabeçalho',
};

const LUGARES = Object.keys(LUGAR);

function parametros(documento: Documento, { parameters = [] }: Operacao): string {
  if (parameters.length === 0) return '';
  const sorted = parameters.toSorted((one, other) => LUGARES.indexOf(one.in) - LUGARES.indexOf(other.in));
  const linhas = sorted.map(
    (one): Linha => ({
      nome: one.name,
      tipo: `${nomeDoTipo(documento, one.schema)}, ${LUGAR[one.in]}`,
      marca: one.required ? 'obrigatório' : undefined,
      texto: [one.description, padrao(one.schema)].filter(Boolean).join(' '),
    }),
  );
  return `<h4>Parâmetros</h4>${tabela(linhas)}`;
}

const padrao = ({ default: value }: Esquema) => (value === undefined ? '' : `Padrão: \`${value}\`.`);

function corpo(documento: Documento, { requestBody }: Operacao): string {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || !media) return '';
  const linhas = campos(documento, { schema: media.schema, enviado: true });
  const fields = linhas.length > 0 ? tabela(linhas) : `<p>${nomeDoTipo(documento, media.schema)}</p>`;
  return `<h4>Corpo (${escapar(type)})</h4>${fields}`;
}

/** The codes of an answer, each with its sentence, but for those that any route can answer. */
const proprios = (description: string) =>
  description.split('\n\n').filter((text) => !DE_TODAS.some((one) => text.startsWith(`\`${one}\``)));

function respostas(documento: Documento, operacao: Operacao): string {
  const linhas = Object.entries(operacao.responses).flatMap(([status, { description, content }]): Linha[] => {
    const texts = proprios(description);
    if (texts.length === 0) return [];
    const [type, media] = Object.entries(content ?? {})[0] ?? [];
    const tipo = media?.schema && type ? nomeDoTipo(documento, media.schema) : 'sem corpo';
    return [{ nome: status, tipo, texto: texts.join('\n\n') }];
  });
  const [boas, erros] = [linhas.filter(isBom), linhas.filter((one) => !isBom(one))];
  return `<h4>Respostas</h4>${tabela(boas)}
<details><summary>Erros: ${erros.map(({ nome }) => nome).join(', ')}</summary>${tabela(erros)}</details>`;
}

const isBom = ({ nome }: Linha) => /^[23]/.test(nome);

function deTodas(documento: Documento): string {
  const found = new Map<string, Linha>();
  for (const { operacao } of operacoesDe(documento))
    for (const [status, { description }] of Object.entries(operacao.responses)) {
      const own = proprios(description);
      const texts = description.split('\n\n').filter((text) => !own.includes(text));
      for (const texto of texts) found.set(texto, { nome: status, tipo: '', texto });
    }
  const linhas = [...found.values()].sort((one, other) => one.nome.localeCompare(other.nome));
  return `<section id="erros"><h2>Erros de qualquer rota</h2><article>${tabela(linhas)}</article></section>`;
}

function formatos(documento: Documento): string {
  const itens = Object.entries(documento.components.schemas).map(
    ([nome, schema]) =>
      `<article id="formato-${nome}"><h3>${escapar(nome)}</h3>${tabela(campos(documento, { schema, enviado: false }))}</article>`,
  );
  return `<section id="formatos"><h2>Formatos</h2>${itens.join('\n')}</section>`;
}

/** Copies an example; where the browser gives no clipboard (a page without https), by selecting the text. */
export const ROTEIRO = `'use strict';
document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[data-copiar]');
  if (!button) return;
  const code = button.parentElement.querySelector('code');
  let copied = true;
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    getSelection().selectAllChildren(code);
    copied = document.execCommand('copy');
  }
  button.textContent = copied ? 'Copiado' : 'Selecionado';
  setTimeout(() => { button.textContent = 'Copiar'; }, 2000);
});
// On a narrow screen the list of routes would fill the first page.
const routes = document.querySelector('nav details');
if (routes && matchMedia('(max-width: 64rem)').matches) routes.open = false;
`;
