import { Text } from '@mantine/core';
import { Elo } from './elo.tsx';

/** A key, leading to its document where that is there. */
export function Chave({ chave, documentoId }: { chave: string | null; documentoId: number | null }) {
  if (!chave) return null;
  return documentoId ? (
    <Elo para={`/documentos/${documentoId}`} size="xs" className="mono">
      {chave}
    </Elo>
  ) : (
    <Text size="xs" c="dimmed" className="mono">
      {chave}
    </Text>
  );
}
