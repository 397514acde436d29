/** How a file came: what it was fetched from, else the way it was sent. */
import { sql } from 'kysely';

const FONTES = ['sefaz', 'adn', 'sae', 'email', 'pasta'] as const;
export const ORIGENS = ['api', 'console', 'sistema', ...FONTES] as const;

/** The column `origem` of a file, as people are shown it. */
export function origemDoArquivo() {
  return sql<(typeof ORIGENS)[number]>`coalesce(arquivo.fonte, arquivo.origem)`;
}

/** The condition of a file that came in one of these ways. */
export function veioDe(origem: string) {
  return FONTES.some((fonte) => fonte === origem)
    ? sql<boolean>`arquivo.fonte = ${origem}`
    : sql<boolean>`arquivo.fonte is null and arquivo.origem = ${origem}`;
}
