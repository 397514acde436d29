/**
 * The one form of an address of the areas for integrators. Their programs write the words of a path in any case, letters
 * percent-encoded, and a `codigoCrm` without its zeros. Routes, limits, logs, kept pages and figures know one form only.
 */

/** First words of the paths that belong to integrators, but for those of the token issuer, whose case counts. */
const AREAS: ReadonlySet<string> = new Set(['api', 'storage', 'upload', 'download', 'finalidade']);
const PALAVRAS: ReadonlySet<string> = new Set([
  ...AREAS,
  'v1',
  'contas',
  'contador',
  'cliente',
  'clientes',
  'documentos',
  'novos',
  'chave',
  'nfe',
  'nfce',
  'arquivo',
  'itens',
  'captura',
  'capturar',
  'chaves',
  'cte',
  'nfse',
  'manifestacao',
]);
/** What most programs write: nothing is to be done about it. */
const CANONICO =
  /^\/(?:api\/v1\/[0-9]{6}\/[^/]+(?:\/(?:documentos|novos|chave|finalidade|nfe|nfce|[0-9]+))+|storage|upload\/[^/]+|download\/[^/]+)$/;
/** A letter or digit that need not be percent-encoded. @fonte RFC 3986 6.2.2.2: with it or without, it is the same address */
const CODIFICADO = /%(?:3\d|[46][1-9a-f]|[57][\da])/gi;
const CRM_CURTO = /^[0-9]{1,5}$/;
const ALGARISMOS_DO_CRM = 6;

/** One to six digits, padded on the left; null for anything else. */
export function readCodigoCrm(text: string): string | null {
  return /^[0-9]{1,6}$/.test(text) ? text.padStart(ALGARISMOS_DO_CRM, '0') : null;
}

/** A path in its one form; one of another area as it is. */
export function caminhoCanonico(path: string): string {
  if (CANONICO.test(path)) return path;
  const parts = path.replace(CODIFICADO, decodeURIComponent).split('/');
  const at = parts.flatMap((part, index) => (part === '' ? [] : [index]));
  const word = (n: number) => parts[at[n] ?? -1]?.toLowerCase() ?? '';
  if (!AREAS.has(word(0))) return path;
  for (const index of at) {
    const small = (parts[index] ?? '').toLowerCase();
    if (PALAVRAS.has(small)) parts[index] = small;
  }
  const crm = at[lugarDoCrm(word)];
  if (crm !== undefined && CRM_CURTO.test(parts[crm] ?? ''))
    parts[crm] = (parts[crm] ?? '').padStart(ALGARISMOS_DO_CRM, '0');
  return parts.join('/');
}

/** Which part of a path is a `codigoCrm`; -1: none is. */
function lugarDoCrm(word: (n: number) => string): number {
  if (word(0) !== 'api') return -1;
  if (word(1) === 'v1') return 2;
  return word(1) === 'contas' && word(3) === 'contador' ? 4 : -1;
}
