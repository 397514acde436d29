import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';

export const RAIZ = join(import.meta.dirname, '..', '..');
const SKIPPED = new Set(['node_modules', 'dist', '.git', 'data', 'coverage']);

export interface Importacao {
  /** As it is written: `./store.ts`, `kysely`, `node:fs`. */
  specifier: string;
  /** Path from the project's root when the import is of a file of ours, else null. */
  file: string | null;
  /** The whole statement is erased (`import type`, or every name marked `type`). */
  typeOnly: boolean;
}

export interface Fonte {
  /** From the project's root, with `/`. */
  path: string;
  text: string;
  lines: string[];
  imports: Importacao[];
}

/** Files of the working tree below a folder of the project, as paths from the root, in a fixed order. */
export function listFiles(folder = '.', keep: (path: string) => boolean = () => true): string[] {
  const found: string[] = [];
  const visit = (absolute: string) => {
    for (const entry of readdirSync(absolute, { withFileTypes: true })) {
      const path = join(absolute, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name) && !entry.name.startsWith('.malote-')) visit(path);
      else if (entry.isFile()) found.push(relative(RAIZ, path).replaceAll('\\', '/'));
    }
  };
  visit(join(RAIZ, folder));
  return found.filter(keep).sort();
}

/** `from` or `import(` after the statement's start; comments and strings of other kinds are taken out before. */
const STATEMENT =
  /^\s*(?:import|export)\s+(type\s+)?([^'";]*?)\s*\bfrom\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm;

const isErased = (clause: string) =>
  /^\{[\s\S]*\}$/.test(clause) &&
  clause
    .slice(1, -1)
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .every((name) => name.startsWith('type '));

/** The text without comments, with every other character at its place. */
export function withoutComments(text: string): string {
  const blank = (comment: string) => comment.replace(/[^\n]/g, ' ');
  return text
    .replace(/\/\*[\s\S]*?\*\//g, blank)
    .replace(/(^|[\s;{}(,])\/\/[^\n]*/g, (all, before: string) => before + blank(all.slice(before.length)));
}

function importsOf(path: string, text: string): Importacao[] {
  return [...withoutComments(text).matchAll(STATEMENT)].map(([, type, clause, from, bare, dynamic]) => {
    const specifier = from ?? bare ?? dynamic ?? '';
    const file = specifier.startsWith('.')
      ? posix.join(dirname(path).replaceAll('\\', '/'), specifier)
      : null;
    return { specifier, file, typeOnly: type !== undefined || (clause !== undefined && isErased(clause)) };
  });
}

/** Reads the TypeScript files below the folders, those of screens too. */
export function readSources(...folders: string[]): Fonte[] {
  return folders
    .flatMap((folder) => listFiles(folder, (path) => /\.tsx?$/.test(path)))
    .map((path) => {
      const text = readFileSync(join(RAIZ, path), 'utf8');
      return { path, text, lines: text.split('\n'), imports: importsOf(path, text) };
    });
}

/** Tests and what only tests use: they may reach across the ladder. */
export const isTest = (path: string) => /\.test\.tsx?$|-testing\.ts$|-de-teste\.ts$/.test(path);

/** Groups of files that import each other in a circle, types included (Tarjan). */
export function cycles(sources: readonly Fonte[]): string[][] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const state = new Map<string, { index: number; low: number; onStack: boolean }>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (path: string) => {
    const mine = { index: state.size, low: state.size, onStack: true };
    state.set(path, mine);
    stack.push(path);
    for (const { file } of byPath.get(path)?.imports ?? []) {
      if (!file || !byPath.has(file)) continue;
      const other = state.get(file) ?? visit(file);
      if (other.onStack) mine.low = Math.min(mine.low, other.low);
    }
    if (mine.low === mine.index) {
      const group = stack.splice(stack.indexOf(path));
      for (const member of group) {
        const its = state.get(member);
        if (its) its.onStack = false;
      }
      if (group.length > 1 || byPath.get(path)?.imports.some(({ file }) => file === path)) found.push(group);
    }
    return mine;
  };
  for (const { path } of sources) if (!state.has(path)) visit(path);
  return found;
}

/** Rooms (folders inside of an area) that import each other in a circle; what lies in the area itself is of all of them. */
export function circlesOfRooms(sources: readonly Fonte[]): string[][] {
  const roomOf = (path: string) => path.split('/').slice(0, 3).join('/');
  const isRoom = (path: string) => path.split('/').length > 3;
  const rooms = new Map<string, Fonte>();
  for (const { path, imports } of sources.filter((source) => isRoom(source.path))) {
    const room = roomOf(path);
    const known = rooms.get(room) ?? { path: room, text: '', lines: [], imports: [] };
    rooms.set(room, known);
    for (const imported of imports) {
      const { file } = imported;
      if (file && isRoom(file) && roomOf(file) !== room)
        known.imports.push({ ...imported, file: roomOf(file) });
    }
  }
  return cycles([...rooms.values()]);
}

export interface Funcao {
  path: string;
  line: number;
  /** Its first line. */
  head: string;
  lines: number;
}

/**
 * Functions by the formatter's layout: a head that ends in `{` closes at the next line of the same indentation
 * that begins with `}`. Good enough for a list to think about.
 */
export function functionsOf({ path, lines }: Fonte): Funcao[] {
  const found: Funcao[] = [];
  lines.forEach((head, index) => {
    const indent = head.length - head.trimStart().length;
    if (
      !/\bfunction\b.*[({]$|=>\s*\{$|^\s*(async\s+|static\s+|private\s+)*[#\w]+\(.*\)(: [^=]+)? \{$/.test(
        head,
      )
    )
      return;
    if (/^\s*(if|for|while|switch|catch|describe|else)\b/.test(head)) return;
    const end = lines.findIndex((line, at) => at > index && line.startsWith(`${' '.repeat(indent)}}`));
    if (end > 0) found.push({ path, line: index + 1, head: head.trim(), lines: end - index + 1 });
  });
  return found;
}

/**
 * Components of a screen, by the formatter's layout: functions at the edge of the page whose name begins with a capital,
 * from that line to the one that closes them. Names in capitals only are tables of values.
 */
export function componentsOf({ path, lines }: Fonte): Funcao[] {
  const begins = /^(?:export )?(?:default )?(?:function|const|class) (?=[A-Z])(?=\w*[a-z])\w+.*(?:[({]|=>)$/;
  // What a line opens again (`}: {`, `}) {`, `}) => (`) belongs to the head.
  const closes = /^[})](?!.*(?:[({]|=>)$)/;
  return lines.flatMap((head, index) => {
    if (!begins.test(head)) return [];
    const end = lines.findIndex((line, at) => at > index && closes.test(line));
    return [{ path, line: index + 1, head, lines: end - index + 1 }];
  });
}
