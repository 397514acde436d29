import { Alert, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { chamar } from '../../api/chamar.ts';
import { Elo } from '../../partes/elo.tsx';
import { Contagens } from './contagens.tsx';
import { importados } from './envios.ts';

/** Files that are summed in one question. */
const POR_VEZ = 500;

async function somar(ids: readonly string[]): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (let start = 0; start < ids.length; start += POR_VEZ) {
    const { resultados } = await chamar('POST /importacoes/totais', {
      corpo: { ids: ids.slice(start, start + POR_VEZ) },
    });
    for (const { resultado, quantidade } of resultados)
      sums.set(resultado, (sums.get(resultado) ?? 0) + quantidade);
  }
  return sums;
}

/** When all files that were dropped have ended: what became of their documents, and where to go on. */
export function TotaisDoEnvio({ terminados }: { terminados: number }) {
  const { data } = useQuery({
    queryKey: ['POST /importacoes/totais', terminados],
    queryFn: () => somar(importados()),
    staleTime: 0,
    gcTime: 0,
  });
  if (!data || data.size === 0) return null;
  const tem = (...quais: string[]) => quais.some((qual) => (data.get(qual) ?? 0) > 0);
  return (
    <Alert
      color={tem('rejeitado', 'conflito') ? 'orange' : 'teal'}
      title="O que se fez dos documentos"
      role="status"
    >
      <Group gap="md">
        <Contagens resultados={[...data].map(([resultado, quantidade]) => ({ resultado, quantidade }))} />
        {tem('rejeitado', 'conflito') && (
          <Elo para="/importacoes?aba=falhas" size="sm" underline="always">
            Ver as falhas por causa
          </Elo>
        )}
        {tem('sem_cliente') && (
          <Elo para="/importacoes?aba=retidos" size="sm" underline="always">
            Cadastrar as empresas dos retidos
          </Elo>
        )}
        {tem('novo', 'atualizado') && (
          <Elo para="/documentos?ordem=importacao" size="sm" underline="always">
            Ver os documentos
          </Elo>
        )}
      </Group>
    </Alert>
  );
}
