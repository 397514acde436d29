/** What the date pickers do not say in Portuguese by themselves. */
const rotulos = {
  nextMonth: 'Próximo mês',
  previousMonth: 'Mês anterior',
  nextYear: 'Próximo ano',
  previousYear: 'Ano anterior',
  nextDecade: 'Próxima década',
  previousDecade: 'Década anterior',
};

/** For a date picker of the name `rotulo`. */
export const calendarioDe = (rotulo: string) => ({
  locale: 'pt-br',
  firstDayOfWeek: 0 as const,
  valueFormat: 'DD/MM/YYYY',
  ariaLabels: rotulos,
  popoverProps: { attributes: { dropdown: { 'aria-label': rotulo, 'aria-labelledby': undefined } } },
  clearButtonProps: { 'aria-label': `Limpar ${rotulo.toLowerCase()}` },
});
