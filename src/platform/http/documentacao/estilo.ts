/** Style of the page `/docs`: the console's colours, light and dark, from a phone to a wide screen. */
export const ESTILO = `:root {
  color-scheme: light dark;
  --fundo: #f5f7f7; --folha: #fff; --borda: #dfe5e6; --suave: #eef2f2;
  --texto: #1c2528; --apagado: #566166; --marca: #14646a; --sobre-a-marca: #fff; --aviso: #8a5a00; --escrita: #0e5157;
}
@media (prefers-color-scheme: dark) {
  :root {
    --fundo: #192024; --folha: #232b2f; --borda: #414c51; --suave: #323c41;
    --texto: #d3dadc; --apagado: #9aa6aa; --marca: #72b6b9; --sobre-a-marca: #12181b; --aviso: #f2b84b; --escrita: #a3cfd1;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--fundo); color: var(--texto); overflow-wrap: anywhere;
  font: 1rem/1.55 -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', 'Helvetica Neue', Arial, system-ui, sans-serif;
}
a { color: var(--marca); }
:focus-visible { outline: 2px solid var(--marca); outline-offset: 2px; }
code, pre { font: .875em/1.5 ui-monospace, 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace; }
code { background: var(--suave); border-radius: 4px; padding: .1em .3em; }
pre code { background: none; padding: 0; font-size: 1em; }
.topo { background: var(--folha); border-bottom: 1px solid var(--borda); padding: .75rem 1.25rem; display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; }
.topo .nome { display: flex; gap: .6rem; align-items: center; font-weight: 650; font-size: 1.15rem; margin-right: auto; }
.topo img { width: 2rem; height: 2rem; }
.versao { color: var(--apagado); font-weight: 400; font-size: .875rem; }
.corpo { max-width: 92rem; margin: 0 auto; padding: 1.25rem; }
nav { font-size: .9375rem; }
summary { cursor: pointer; font-weight: 650; padding: .5rem 0; }
article summary { font-size: .875rem; color: var(--apagado); margin-top: .75rem; }
nav h2 { font-size: .8125rem; margin: 1rem 0 .25rem; color: var(--apagado); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .25rem .5rem; border-radius: 6px; text-decoration: none; color: var(--texto); }
nav li a:hover { background: var(--suave); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1.0625rem; margin: 0; }
h4 { font-size: .875rem; margin: 1.25rem 0 .35rem; color: var(--apagado); }
p { margin: .5rem 0; }
article { background: var(--folha); border: 1px solid var(--borda); border-radius: 8px; padding: 1.25rem; margin: 1rem 0; }
.rota { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .5rem 0; }
.rota code { background: none; padding: 0; }
.metodo { background: var(--marca); color: var(--sobre-a-marca); border-radius: 4px; padding: .1rem .5rem; font-weight: 650; font-size: .8125rem; }
.metodo.post, .metodo.put { background: var(--aviso); color: var(--fundo); }
.acesso { color: var(--apagado); font-size: .875rem; }
.exemplo { display: flex; flex-direction: column; background: var(--suave); border: 1px solid var(--borda); border-radius: 8px; }
.exemplo pre { margin: 0; padding: 0 1rem .75rem; white-space: pre-wrap; color: var(--escrita); }
.exemplo button {
  align-self: flex-end; margin: .5rem .5rem .25rem; font: inherit; font-size: .8125rem; cursor: pointer; padding: .25rem .75rem;
  background: var(--folha); color: var(--texto); border: 1px solid var(--borda); border-radius: 6px; min-height: 2rem;
}
dl { margin: 0; display: grid; grid-template-columns: minmax(8rem, 13rem) minmax(0, 1fr); gap: 0 1rem; }
dt, dd { border-top: 1px solid var(--borda); padding: .45rem 0; margin: 0; }
dt small { display: block; color: var(--apagado); }
dt .marca { color: var(--aviso); }
dd p:first-child { margin-top: 0; } dd p:last-child { margin-bottom: 0; }
@media (max-width: 40rem) {
  .corpo { padding: .75rem; }
  article { padding: 1rem .875rem; }
  dl { display: block; } dd { border-top: 0; padding-top: 0; }
  .exemplo button { min-height: 2.75rem; }
}
@media (min-width: 64rem) {
  .corpo { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 2rem; }
  nav { position: sticky; top: 1.25rem; align-self: start; max-height: calc(100vh - 2.5rem); overflow-y: auto; }
}
@media (min-width: 80rem) {
  article .colunas { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1.75rem; align-items: start; }
  article .colunas > aside { position: sticky; top: 1.25rem; }
}
`;
