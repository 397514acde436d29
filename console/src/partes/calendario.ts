/** What the calendars do not say in Portuguese by themselves. */
export const calendario = {
  locale: 'pt-br',
  firstDayOfWeek: 0 as const,
  // Days of the week are all alike here, and red on the chosen ones is hard to read.
  weekendDays: [],
  highlightToday: true,
  hideOutsideDates: true,
  ariaLabels: {
    nextMonth: 'Próximo mês',
    previousMonth: 'Mês anterior',
    nextYear: 'Próximo ano',
    previousYear: 'Ano anterior',
    nextDecade: 'Próxima década',
    previousDecade: 'Década anterior',
  },
};

/** For a field of the name `rotulo` that opens one. */
export const calendarioDe = (rotulo: string) => ({
  ...calendario,
  valueFormat: 'DD/MM/YYYY',
  popoverProps: { attributes: { dropdown: { 'aria-label': rotulo, 'aria-labelledby': undefined } } },
  clearButtonProps: { 'aria-label': `Limpar ${rotulo.toLowerCase()}` },
});
