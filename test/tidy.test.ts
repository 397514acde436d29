import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SETTINGS } from '../src/config.ts';
import { CORRIDAS } from './corridas.ts';
import { DE_TODOS, DEGRAUS, degrauDe, PORTAS, pastaDe, porQueNao, RESTRITOS } from './tidy/escada.ts';
import {
  circlesOfRooms,
  componentsOf,
  cycles,
  functionsOf,
  isTest,
  listFiles,
  RAIZ,
  readSources,
  withoutComments,
} from './tidy/fontes.ts';

const read = (path: string) => readFileSync(join(RAIZ, path), 'utf8');
const sources = readSources('src');
const product = sources.filter(({ path }) => !isTest(path));
const screens = readSources('console/src');
const everything = [...sources, ...screens, ...readSources('test', 'bench', 'scripts')];
/** This file and its helpers name what they forbid. */
const isTidy = (path: string) => path.startsWith('test/tidy');
const packageOf = (specifier: string) => {
  if (specifier.startsWith('.')) return null;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
};
const none = (faults: string[]) => assert.deepEqual(faults, []);

describe('the ladder', () => {
  it('has a step, or a rule of its own, for every folder of src', () => {
    const folders = readdirSync(join(RAIZ, 'src'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    none(folders.map(({ name }) => name).filter((name) => degrauDe(name) < 0 && !RESTRITOS[name]));
  });

  it('lets a folder import only what stands below it', () => {
    const faults = product.flatMap(({ path, imports }) =>
      imports.flatMap(({ file }) => (file ? [porQueNao(path, file)] : [])),
    );
    none(faults.filter((fault) => fault !== null));
  });

  it('knows which way is down', () => {
    assert.equal(porQueNao('src/importacao/thread/process.ts', 'src/documentos/store/store.ts'), null);
    assert.equal(porQueNao('src/contas/clientes.ts', 'src/deps.ts'), null);
    for (const [from, to] of [
      ['src/documentos/store/store.ts', 'src/importacao/thread/process.ts'],
      ['src/importacao/routes.ts', 'src/exportacao/present.ts'],
      ['src/platform/db/connect.ts', 'src/fiscal/tipos.ts'],
      ['src/fiscal/chave.ts', 'src/config.ts'],
      ['src/cliente/cliente.ts', 'src/fiscal/chave.ts'],
      ['src/contas/clientes.ts', 'test/support/malote.ts'],
    ] as const)
      assert.notEqual(porQueNao(from, to), null, `${from} → ${to}`);
    assert.deepEqual(DE_TODOS.map(pastaDe), ['(raiz)', '(raiz)']);
  });

  it('has no circle of files, types included', () =>
    none([...cycles(sources), ...cycles(screens)].map((circle) => circle.join(' → '))));

  it('leads one way through the rooms of an area', () =>
    none(circlesOfRooms(product).map((circle) => circle.join(' → '))));

  it('keeps the screens by themselves: all that they share with the service is what it answers', () => {
    const faults = screens.flatMap(({ path, imports }) =>
      imports.flatMap(({ file }) =>
        file && !file.startsWith('console/') ? [`${path} imports ${file}`] : [],
      ),
    );
    none(faults);
  });

  it('keeps what only tests use out of the product', () => {
    const faults = product.flatMap(({ path, imports }) =>
      imports.flatMap(({ file }) => (file && isTest(file) ? [`${path} imports ${file}`] : [])),
    );
    none(faults);
  });

  it('imports files that exist, by names that end in .ts', () => {
    const faults = everything.flatMap(({ path, imports }) =>
      imports.flatMap(({ file }) => (file && !existsSync(join(RAIZ, file)) ? [`${path}: ${file}`] : [])),
    );
    none(faults);
  });
});

describe('packages', () => {
  it('come in through one door each', () => {
    const faults = product.flatMap(({ path, imports }) =>
      imports.flatMap(({ specifier, typeOnly }) => {
        const gate = PORTAS[packageOf(specifier) ?? ''] ?? PORTAS[specifier];
        if (!gate || gate.door.test(path) || (typeOnly && !gate.typesToo)) return [];
        return [`${path} imports ${specifier}, whose door is ${gate.door.source}`];
      }),
    );
    none(faults);
  });

  it('are in package.json when they are imported, and have a door when they are there', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'));
    const imported = product.flatMap(({ imports }) => imports.map(({ specifier }) => packageOf(specifier)));
    const foreign = new Set(imported.flatMap((name) => (name && !name.startsWith('node:') ? [name] : [])));
    none([...foreign].filter((name) => !(name in dependencies)));
    none(Object.keys(dependencies).filter((name) => !PORTAS[name]));
    const known = (name: string) =>
      name.startsWith('node:') || name in dependencies || name in devDependencies;
    none(Object.keys(PORTAS).filter((name) => !known(name)));
    none([...foreign].filter((name) => name in devDependencies));
  });
});

describe('SQL', () => {
  it('stands only in platform/ and in files named queries', () => {
    const statement = /\b(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto)\(|\bsql(?:<[^`]*>)?`/;
    const door = /^src\/platform\/|\/queries[^/]*\.ts$/;
    const faults = product.filter(
      ({ path, text }) => !door.test(path) && statement.test(withoutComments(text)),
    );
    none(faults.map(({ path }) => path));
  });

  it('pages by key: no OFFSET anywhere', () => {
    // PostgreSQL reads `offset 0` as a wall between statements; and a window of fixed size is not skipped, but walked.
    const allowed = /^src\/console\/documentos\/queries-lista\.ts$/;
    const faults = product.filter(
      ({ path, text }) =>
        /\/queries|^src\/platform\/db\//.test(path) &&
        !allowed.test(path) &&
        /\.offset\(|\boffset\s+(?:[$?:]|[1-9])/i.test(withoutComments(text)),
    );
    none(faults.map(({ path }) => path));
  });
});

describe('the text of the code', () => {
  const findings = (pattern: RegExp, among = everything) =>
    among
      .filter(({ path }) => !isTidy(path))
      .flatMap(({ path, lines }) =>
        lines.flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
      );

  it('has nothing left to do', () => none(findings(/\b(?:TODO|FIXME|XXX|HACK)\b(?!\w)(?!\.)/)));

  it('says why where it turns a check off', () => {
    none(findings(/@ts-(?:ignore|nocheck)/));
    none(findings(/@ts-expect-error\s*$/));
    none(findings(/biome-ignore(?:-\w+)?\s+[\w/]+\s*(?::\s*(?:<.*>)?\s*)?$/));
  });

  it('has no test that runs alone, and no skip without a reason', () => {
    const tests = everything.filter(({ path }) => isTest(path));
    none(findings(/\b(?:it|test|describe)\.only\(|\bonly: true\b/, tests));
    none(findings(/\b(?:it|test|describe)\.(?:skip|todo)\(|\bskip: true\b/, tests));
  });

  it('runs each test once on SQLite, and on PostgreSQL none that is not run there', () => {
    const filesOf = (motor: 'sqlite' | 'postgres') =>
      CORRIDAS.filter((corrida) => corrida.motor === motor).flatMap(({ files }) =>
        globSync(files, { cwd: RAIZ }),
      );
    const tests = listFiles('.', (path) => path.endsWith('.test.ts'));
    const onSqlite = filesOf('sqlite');
    assert.deepEqual(onSqlite.toSorted(), tests.toSorted());
    none(filesOf('postgres').filter((path) => !onSqlite.includes(path)));
  });

  it('uses no file that collects everything', () => {
    const vague = /(?:^|\/)(?:utils?|common|helpers?|services?|managers?|misc|index)(?:\.ts|\/)/;
    none(product.map(({ path }) => path).filter((path) => vague.test(path)));
  });

  it('binds constants of other modules to its own in the fast tier: V8 folds only those, and checks the others at each use', () => {
    const inner = product.filter(({ path }) => path.startsWith('src/fiscal/rapido/'));
    const named = /^import \{[^}]*?(?<![\w$.])([A-Z][A-Z0-9_]+)(?![\w$])[^}]*\}/gm;
    none(
      inner.flatMap(({ path, text }) =>
        [...text.matchAll(named)].map(([, name]) => `${path} imports ${name}`),
      ),
    );
  });

  it('names no place of the machine that it was written on, and no package registry', () => {
    const place =
      /(?<![\w.])\/(?:work|home|root|Users)\/\w|registry\.[a-z]+js\.org|https?:\/\/[\w.-]*registry[\w.-]*/;
    const texts = listFiles('.', (path) => /\.(?:ts|js|json|md|sql|sh|ya?ml)$|\.ci\/run$/.test(path));
    none(texts.filter((path) => !isTidy(path) && place.test(read(path))));
  });
});

describe('the documents', () => {
  it('name every folder of src in ARCHITECTURE.md, which is read in ten minutes', () => {
    const text = read('ARCHITECTURE.md');
    const folders = new Set(product.map(({ path }) => path.split('/').slice(0, -1).slice(0, 3).join('/')));
    none([...folders].filter((folder) => !text.includes(`${folder}/`)));
    const lines = text.trimEnd().split('\n');
    assert.ok(lines.length <= 150, `${lines.length} lines`);
    none(lines.filter((line) => line.length > 160));
    assert.ok(Buffer.byteLength(text) <= 18_000, `${Buffer.byteLength(text)} bytes`);
  });

  it('tell each mechanism on a page of its own, which ARCHITECTURE.md links to', () => {
    const pages = listFiles('docs/arquitetura', (path) => path.endsWith('.md'));
    const others = ['palavras', 'leitura', 'areas'].map((name) => `docs/arquitetura/${name}.md`);
    const told = ['problem', 'idea', 'figure it buys', 'what it endangers', 'how to turn it off'];
    const faults = pages.flatMap((page) => {
      const text = read(page);
      const titles = [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title.toLowerCase());
      const missing = told.filter((part) => !titles.some((title) => title.endsWith(part)));
      return [
        ...(read('ARCHITECTURE.md').includes(`](${page})`) ? [] : [`${page}: no link`]),
        ...(others.includes(page) ? [] : missing.map((part) => `${page}: no ${part}`)),
        ...text
          .split('\n')
          .flatMap((line) => (line.length > 200 ? [`${page}: ${line.length} characters in a line`] : [])),
      ];
    });
    none(faults);
  });

  it('name only files that exist, in ARCHITECTURE.md and on its pages', () => {
    const place = /`((?:src|test|bench|scripts|console|docs|migrations|bin|dicionarios)\/[\w./-]+)`/g;
    const pages = ['ARCHITECTURE.md', 'docs/regras.md', ...listFiles('docs/arquitetura')];
    const faults = pages.flatMap((page) =>
      [...read(page).matchAll(place)].flatMap(([, path = '']) =>
        existsSync(join(RAIZ, path)) ? [] : [`${page}: ${path}`],
      ),
    );
    none(faults);
  });

  it('tell every setting in docs/configuracao.md', () => {
    const text = read('docs/configuracao.md');
    none(
      Object.values(SETTINGS)
        .map(({ env }) => env)
        .filter((env) => !text.includes(`\`${env}\``)),
    );
  });

  it('explain every noun of the fiscal core in docs/glossario.md', () => {
    const text = read('docs/glossario.md');
    const nouns = [...read('src/fiscal/tipos.ts').matchAll(/^export (?:type|interface) (\w+)/gm)];
    none(nouns.map(([, name = '']) => name).filter((name) => !text.includes(`\`${name}\``)));
  });

  it('are what comments name: no document that is not here, no page and no section that is not there', () => {
    const elsewhere =
      /\b(?:contract|trust|domain|measurements|style)(?:\.md|`)? (?:facts? )?(?:\d|[A-Z]\d)|\bfield \d+\.\d|\b(?:contract|trust|domain|field|measurements|style)\.md\b/i;
    const ours = everything.filter(({ path }) => !isTidy(path));
    const pages = listFiles('docs', (path) => path.endsWith('.md'));
    const sections = new Set(
      [...read('docs/regras.md').matchAll(/^## (.+)$/gm)].map(([, title = '']) => title.toLowerCase()),
    );
    const faults = ours.flatMap(({ path, lines }) =>
      lines.flatMap((line, at) => {
        const page = path.startsWith('src/')
          ? [...line.matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([name]) => name)
          : [];
        const section = [...line.matchAll(/docs\/regras\.md, ([\w ,-]+\w)/g)].flatMap(([, names = '']) =>
          names.toLowerCase().split(', '),
        );
        const wrong =
          elsewhere.test(line) ||
          page.some((name) => !pages.includes(name)) ||
          section.some((name) => !sections.has(name));
        return wrong ? [`${path}:${at + 1}: ${line.trim()}`] : [];
      }),
    );
    none(faults);
    none(pages.filter((page) => elsewhere.test(read(page))));
  });

  it('link to files that exist', () => {
    const pages = listFiles('.', (path) => path.endsWith('.md') && !path.startsWith('test/'));
    const faults = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
        .map(([, target = '']) => join(page, '..', target))
        .filter((target) => !existsSync(join(RAIZ, target)))
        .map((target) => `${page} → ${target}`),
    );
    none(faults);
  });
});

describe('the screens', () => {
  const components = screens.filter(({ path }) => path.endsWith('.tsx')).flatMap(componentsOf);

  it('are made of components of at most 65 lines, each understandable by itself', () => {
    none(
      components
        .filter(({ lines }) => lines > 65)
        .map(({ path, line, lines, head }) => `${path}:${line}: ${lines} lines: ${head}`),
    );
  });

  it('have their components found whatever the heads look like', () => {
    const text = [
      'export function Simples() {',
      '  return null;',
      '}',
      'function ComPartes({',
      '  nome,',
      '}: {',
      '  nome: string;',
      '}) {',
      '  return nome;',
      '}',
      'const Lembrada = memo(({ nome }: { nome: string }) => {',
      '  return nome;',
      '});',
      'export const Curta = () => (',
      '  <b />',
      ');',
      'const COLUNAS = {',
      '  a: 1,',
      '};',
      'const uma = () => {',
      '};',
    ];
    const found = componentsOf({ path: 'x.tsx', text: text.join('\n'), lines: text, imports: [] });
    assert.deepEqual(
      found.map(({ line, lines }) => [line, lines]),
      [
        [1, 3],
        [4, 7],
        [11, 3],
        [14, 3],
      ],
    );
    const named = components.map(({ head }) => head).join('\n');
    for (const one of ['function Tokens(', 'const Fileira = memo(', 'class Barreira'])
      assert.ok(named.includes(one), one);
  });
});

describe('sizes, to think about', () => {
  it('are listed: files over 400 lines, functions over 70', (context) => {
    for (const { path, lines } of product)
      if (lines.length > 400) context.diagnostic(`${path}: ${lines.length} lines`);
    for (const { path, line, head, lines } of product.flatMap(functionsOf))
      if (lines > 70) context.diagnostic(`${path}:${line}: ${lines} lines: ${head.slice(0, 80)}`);
    assert.equal(DEGRAUS.length, 8);
  });
});
