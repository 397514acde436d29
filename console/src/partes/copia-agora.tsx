import { Button } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useAcao } from '../api/consulta.ts';
import { avisar, tellFalha } from './avisos.ts';

/** Asks for a backup; disabled while one is being made. */
export function CopiaAgora({ fazendo }: { fazendo: boolean }) {
  const pedir = useAcao('POST /saude/copia', {
    renova: ['GET /saude', 'GET /inicio'],
    aoDarCerto: ({ mensagem }) => avisar(mensagem),
  });
  return (
    <Button
      size="compact-sm"
      variant="light"
      leftSection={<IconDeviceFloppy size={15} aria-hidden />}
      disabled={fazendo}
      loading={pedir.isPending}
      onClick={() => void pedir.mutateAsync({}).catch(tellFalha)}
    >
      {fazendo ? 'Cópia em andamento…' : 'Fazer cópia agora'}
    </Button>
  );
}
