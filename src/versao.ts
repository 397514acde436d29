import { readFileSync } from 'node:fs';

/** Version of this program, as `package.json` beside the sources, or beside what was built of them, says it. */
export function versaoDoMalote(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return version;
}
