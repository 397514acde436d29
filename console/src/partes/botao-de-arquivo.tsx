import { Button, FileButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { tellFalha } from './avisos.ts';

/** Chooses one file and hands it on; one that cannot be read (moved, on a drive that is gone) is told. */
export function BotaoDeArquivo({
  accept,
  espera,
  aoEscolher,
  children,
}: {
  accept: string;
  /** The last one is still on its way. */
  espera: boolean;
  aoEscolher: (file: File) => Promise<void>;
  children: ReactNode;
}) {
  const esquecer = useRef<() => void>(null);
  const escolher = (file: File | null) => {
    // Mended meanwhile, the same file is chosen again, and the browser would not tell.
    esquecer.current?.();
    if (file) aoEscolher(file).catch((falha: unknown) => tellFalha(falha, 'O arquivo não pôde ser lido'));
  };
  return (
    <FileButton accept={accept} resetRef={esquecer} onChange={escolher}>
      {(props) => (
        <Button variant="default" leftSection={<IconUpload size={16} />} loading={espera} {...props}>
          {children}
        </Button>
      )}
    </FileButton>
  );
}
