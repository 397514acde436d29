/** Which tests come to the engine that the run stands on: what their files import says it. */
import { readSources } from '../tidy/fontes.ts';

/** What every test that works on a database, or starts the product, comes to it by. */
const DO_MOTOR = /^test\/support\/(?:motor\.ts$|postgres\/)/;

/** @returns a question about a test file (its path from the root): whether its imports lead to the engine */
export function porImportacoes(): (path: string) => boolean {
  const imports = new Map(
    readSources('src', 'test').map(({ path, imports }) => [path, imports.flatMap(({ file }) => file ?? [])]),
  );
  return (path) => {
    const seen = new Set([path]);
    for (const one of seen) for (const file of imports.get(one) ?? []) seen.add(file);
    return [...seen].some((file) => DO_MOTOR.test(file));
  };
}
