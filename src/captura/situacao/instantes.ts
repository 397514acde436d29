/** Days and hours in words, as people in Brazil read them. */
import { diaDe } from '../../fiscal/dia.ts';
import { ZONA_NACIONAL } from '../../fiscal/uf.ts';

export function quantosDias(dias: number): string {
  return dias === 1 ? '1 dia' : `${dias} dias`;
}

export function dia(instante: number): string {
  const [ano, mes, diaDoMes] = diaDe(instante).split('-');
  return `${diaDoMes}/${mes}/${ano}`;
}

const HORA = new Intl.DateTimeFormat('pt-BR', {
  hour: '2-digit',
  minute: '2-digit',
  timeZone: ZONA_NACIONAL,
});

/** Time of day; with its day where that is not today. */
export function hora(instante: number, agora: number): string {
  const time = HORA.format(instante);
  return diaDe(instante) === diaDe(agora) ? time : `${time} de ${dia(instante)}`;
}

export function diaEHora(instante: number): string {
  return `${dia(instante)} às ${HORA.format(instante)}`;
}
