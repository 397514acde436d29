import { ZONA_NACIONAL } from '../fiscal/uf.ts';

/** Columns side by side, for a terminal; the first row is the header. */
export function tabela(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_title, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const DAY_AND_TIME = new Intl.DateTimeFormat('pt-BR', {
  timeZone: ZONA_NACIONAL,
  dateStyle: 'short',
  timeStyle: 'short',
});

/** An instant (ms UTC) as people read it in Brazil. */
export function quando(instant: number | null, nenhum = ''): string {
  return instant === null ? nenhum : DAY_AND_TIME.format(instant);
}
