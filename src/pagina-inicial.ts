/** The page at `/`, and at the address that `conta criar` shows for the console, until the console comes. */
export const PAGINA_INICIAL = {
  paths: ['/', '/convite'],
  html: `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Malote</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/inicio.css">
</head>
<body>
<main>
<h1>Malote</h1>
<p>Central aberta de documentos fiscais eletrônicos: importa, confere, guarda e entrega NF-e, NFC-e, CT-e, CF-e SAT, NFS-e e os seus eventos.</p>
<p>Este servidor está no ar e atende pela API.</p>
<ul>
<li><a href="/docs">Documentação da API</a>: todas as rotas, com exemplos</li>
<li><a href="/openapi.json">Descrição OpenAPI 3.1</a>, para gerar clientes</li>
<li><a href="/readyz">Estado do serviço</a></li>
</ul>
<p>O console de uso pelo navegador chega em uma próxima versão. Até lá, contas, clientes e tokens são criados pela linha de comando:</p>
<pre>npx malote conta criar --crm 123 --nome "Meu escritório" --email contato@exemplo.com.br</pre>
<p>Chegou por um endereço de acesso ao console? Ainda não há o que abrir com ele: quando o console chegar, peça outro a quem administra este servidor.</p>
</main>
</body>
</html>
`,
  css: `:root { color-scheme: light dark; }
body { margin: 0; font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 42rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { font-size: 2.25rem; line-height: 1.2; margin: 0 0 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.875rem 1rem; border: 1px solid; border-radius: 0.375rem; font-size: 0.9375rem; }
a:focus-visible { outline: 3px solid; outline-offset: 2px; }
`,
};
