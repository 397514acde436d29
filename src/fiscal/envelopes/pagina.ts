/** XML that a browser showed and somebody saved as a page: it stands in the page as the browser took it. */

/** What Chrome and Edge put what they show into. */
const MOSTRADO = /<div\b[^<>]{0,200}\bid=["']?webkit-xml-viewer-source-xml\b[^<>]{0,200}>/i;
/** Text that is shown as it is, where its markup is escaped. */
const COMO_TEXTO = /<(pre|textarea|xmp)\b[^<>]{0,400}>\s*(?=(?:&(?:amp;)*lt;|<)(?:\?xml\b|[A-Za-z]))/i;

/** The document in a page; null where it shows none. `escapado`: its markup stands as `&lt;`. */
export function xmlNaPagina(page: string): { texto: string; escapado: boolean } | null {
  const shown = MOSTRADO.exec(page);
  if (shown) {
    const start = shown.index + shown[0].length;
    const end = page.indexOf('</div>', start);
    return end < 0 ? null : { texto: page.slice(start, end), escapado: false };
  }
  const [whole = '', name = ''] = COMO_TEXTO.exec(page) ?? [];
  if (whole === '') return null;
  const start = page.indexOf(whole) + whole.length;
  const end = page.toLowerCase().indexOf(`</${name.toLowerCase()}`, start);
  if (end < 0) return null;
  const texto = page.slice(start, end);
  return { texto, escapado: texto.startsWith('&') };
}
