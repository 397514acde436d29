/** What searches compare: without accents and case, as the server does. */
export const semAcentos = (texto: string) => texto.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
