/** Texts of the OpenAPI document as HTML: paragraphs, and words of the API between backticks. */

/** Text that stands in HTML as itself. */
export function escapar(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export const codigo = (text: string) => `<code>${escapar(text)}</code>`;

/** A text of one line, with its words in backticks. */
function frase(text: string): string {
  return text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? codigo(part) : escapar(part)))
    .join('');
}

/** Paragraphs are parted by an empty line. */
export function paragrafos(text: string): string {
  return text
    .split('\n\n')
    .filter((part) => part.trim() !== '')
    .map((part) => `<p>${frase(part)}</p>`)
    .join('');
}
