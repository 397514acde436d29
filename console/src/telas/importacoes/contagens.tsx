import { Group, Text } from '@mantine/core';
import { formatInteiro } from '../../formatos/numeros.ts';
import { nomesDoResultado, RESULTADOS_DE_ITEM } from '../../partes/etiquetas.tsx';

const FALHAS = new Set(['rejeitado', 'conflito']);
/** Something is to be done, or known, about them. */
const PROBLEMAS = new Set([...FALHAS, 'sem_cliente', 'sem_leiaute', 'homologacao']);
const peso = ({ resultado }: { resultado: string }) =>
  (PROBLEMAS.has(resultado) ? 0 : RESULTADOS_DE_ITEM.length) + RESULTADOS_DE_ITEM.indexOf(resultado);

/** How many documents of a file ended how, problems first. */
export function Contagens({
  resultados,
}: {
  resultados: readonly { resultado: string; quantidade: number }[];
}) {
  if (resultados.length === 0) return <>–</>;
  return (
    <Group gap={8}>
      {[...resultados]
        .sort((a, b) => peso(a) - peso(b))
        .map(({ resultado, quantidade }) => (
          <Text
            key={resultado}
            size="sm"
            span
            c={FALHAS.has(resultado) ? 'var(--mantine-color-error)' : undefined}
            fw={PROBLEMAS.has(resultado) ? 600 : 400}
          >
            {formatInteiro(quantidade)} {nomesDoResultado(resultado, quantidade)}
          </Text>
        ))}
    </Group>
  );
}
