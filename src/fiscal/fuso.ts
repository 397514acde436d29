const DESLOCAMENTO = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/;
const SECOND_MS = 1_000;

/** By zone. They tell how far its clocks are ahead of UTC: `GMT-03:00`, and with seconds before 1914. */
const relogios = new Map<string, Intl.DateTimeFormat>();

/**
 * What the clocks of a zone (`America/Manaus`) are ahead of UTC at an instant (ms UTC), in ms; daylight saving of the
 * past included. Intl takes its time: who asks often keeps the answer.
 */
export function deslocamentoDaZona(zona: string, instante: number): number {
  let relogio = relogios.get(zona);
  if (!relogio) {
    relogio = new Intl.DateTimeFormat('en-US', { timeZone: zona, timeZoneName: 'longOffset' });
    relogios.set(zona, relogio);
  }
  const name = relogio.formatToParts(instante).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes, seconds = 0] = DESLOCAMENTO.exec(name) ?? [];
  // `GMT` alone: no difference.
  if (sign === undefined) return 0;
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (sign === '-' ? -size : size) * SECOND_MS;
}
