import { Text } from '@mantine/core';
import { useConsulta } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatReais, plural } from '../../formatos/numeros.ts';
import type { Consulta } from './filtro.ts';

type Totais = Resposta<'GET /documentos/totais'>;

/** Those of a note that counts, or may come to count. */
const QUE_VALEM: ReadonlySet<string> = new Set(['Autorizada', 'Pendente']);
const POR_EXTENSO: Readonly<Record<string, [um: string, varios: string]>> = {
  Cancelada: ['cancelado', 'cancelados'],
  Denegada: ['denegado', 'denegados'],
  Inutilizada: ['inutilizado', 'inutilizados'],
};

/** Asked for when the rows are there: they are not to wait for sums. */
export function useTotais(consulta: Consulta, prontas: boolean): Totais | undefined {
  const { ordem: _ordem, ...query } = consulta;
  return useConsulta('GET /documentos/totais', { query }, { ligada: prontas }).data;
}

export const quantosEm = ({ porStatus }: Totais) =>
  porStatus.reduce((sum, { documentos }) => sum + documentos, 0);

/** What of it counts, in reais. */
export const somaDe = ({ porStatus }: Totais) =>
  porStatus.filter(({ status }) => QUE_VALEM.has(status)).reduce((sum, { valor }) => sum + Number(valor), 0);

/** How many documents a filter finds, and what they come to; cancelled ones apart. */
export function Resumo({ totais, aVista }: { totais: Totais | undefined; aVista: string }) {
  return (
    // A row of its own: when the sums come, nothing beside it is pushed away.
    <Text size="sm" c="dimmed" aria-live="polite" w="100%">
      {totais === undefined ? aVista : emPalavras(totais)}
    </Text>
  );
}

function emPalavras(totais: Totais): string {
  const soma = formatReais(somaDe(totais));
  if (!totais.completo) {
    const quantos = plural(quantosEm(totais), 'documento');
    return `Mais de ${quantos}; os primeiros somam ${soma}. Com um cliente ou um período, a soma é de todos.`;
  }
  const fora = totais.porStatus
    .filter(({ status }) => !QUE_VALEM.has(status))
    .map(({ status, documentos, valor }) => {
      const [um, varios] = POR_EXTENSO[status] ?? [status, status];
      return `${plural(documentos, um, varios)}${Number(valor) > 0 ? ` (${formatReais(valor)})` : ''}`;
    });
  return `${plural(quantosEm(totais), 'documento')} · ${soma}${fora.length > 0 ? `, fora ${fora.join(', ')}` : ''}`;
}
