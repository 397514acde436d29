/** Puts every element of a one-line XML on a line of its own; an element that holds only text keeps it beside it. */
export function indentarXml(xml: string): string {
  const tokens = xml.match(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<[^>]*>|[^<]+/g) ?? [];
  const lines: string[] = [];
  let depth = 0;
  let openAt = -1;
  for (const token of tokens) {
    if (token.trim() === '') continue;
    const isClose = token.startsWith('</');
    const isMarkup = token.startsWith('<') && !token.startsWith('<![CDATA[');
    if (isClose) depth = Math.max(0, depth - 1);
    if ((!isMarkup || isClose) && openAt === lines.length - 1 && openAt >= 0) {
      // Text behind its start tag, or the end tag behind that text.
      lines[openAt] += token.trim();
      if (isClose) openAt = -1;
      continue;
    }
    lines.push('  '.repeat(depth) + token.trim());
    const isOpen = isMarkup && !isClose && !/^<[?!]/.test(token) && !token.endsWith('/>');
    if (isOpen) {
      depth += 1;
      openAt = lines.length - 1;
    } else openAt = -1;
  }
  return lines.join('\n');
}
