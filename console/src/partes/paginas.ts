const SETAS = {
  first: 'Primeira página',
  previous: 'Página anterior',
  next: 'Próxima página',
  last: 'Última página',
};

/** What the arrows beside the page numbers are called. */
export const rotuloDaSeta = (seta: keyof typeof SETAS) => ({ 'aria-label': SETAS[seta] });
