import { Group, Text } from '@mantine/core';
import { formatarInteiro } from '../../formatos/numeros.ts';
import { nomeDoResultado, RESULTADOS_DE_ITEM } from '../../partes/etiquetas.tsx';

const PROBLEMAS = new Set(['rejeitado', 'conflito', 'sem_cliente', 'homologacao']);

/** How many documents of a file ended how, problems first. */
export function Contagens({ contagens }: { contagens: Readonly<Record<string, number>> }) {
  const presentes = RESULTADOS_DE_ITEM.filter((resultado) => (contagens[resultado] ?? 0) > 0).sort(
    (a, b) => Number(PROBLEMAS.has(b)) - Number(PROBLEMAS.has(a)),
  );
  if (presentes.length === 0) return <>–</>;
  return (
    <Group gap={8}>
      {presentes.map((resultado) => (
        <Text
          key={resultado}
          size="sm"
          span
          c={PROBLEMAS.has(resultado) ? 'var(--mantine-color-error)' : undefined}
          fw={PROBLEMAS.has(resultado) ? 600 : 400}
        >
          {formatarInteiro(contagens[resultado])} {nomeDoResultado(resultado)}
        </Text>
      ))}
    </Group>
  );
}
