/**
 * `npm run docs`: writes the pages of docs/ that are made from the code. test/docs.test.ts tells when one of them is
 * stale.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../src/config.ts';
import { renderErros } from './docs-erros.ts';

export interface Pagina {
  /** From the project's root. */
  path: string;
  render(): string;
}

const code = (text: string) => `\`${text}\``;

/** docs/configuracao.md: one row for each setting, in the order of src/config.ts. */
function configuracao(): string {
  const rows = Object.values(SETTINGS).map(
    ({ env, default: value, unit, about }) =>
      `| ${code(env)} | ${value === '' ? '(vazio)' : code(value)} | ${unit.replaceAll('|', '\\|')} | ${about} |`,
  );
  return `# Configuração

O Malote é configurado só por variáveis de ambiente, lidas uma vez ao iniciar. Nenhuma é obrigatória. Um valor que não
pode valer impede o início, com uma frase que diz qual é e o que se espera.

| variável | padrão | unidade ou valores | o que faz |
|---|---|---|---|
${rows.join('\n')}

Os comandos \`importar\` e \`exportar\` leem ainda \`MALOTE_URL\` e \`MALOTE_TOKEN\`, quando \`--url\` e \`--token\` não são
dados.

Esta página é escrita por \`npm run docs\` a partir de \`src/config.ts\`.
`;
}

export const PAGINAS: readonly Pagina[] = [
  { path: 'docs/configuracao.md', render: configuracao },
  { path: 'docs/erros.md', render: renderErros },
];

if (import.meta.main) {
  for (const { path, render } of PAGINAS) {
    writeFileSync(join(import.meta.dirname, '..', path), render());
    console.log(`escrito: ${path}`);
  }
}
