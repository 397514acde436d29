import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

const DITO_MS = 1_500;

/** A small button that copies a value; says so to eyes and ears. A plain element: lists show hundreds. */
export function Copiar({ valor, rotulo = 'Copiar' }: { valor: string; rotulo?: string }) {
  const [copiado, setCopiado] = useState(false);
  useEffect(() => {
    if (!copiado) return;
    const timer = setTimeout(() => setCopiado(false), DITO_MS);
    return () => clearTimeout(timer);
  }, [copiado]);
  const nome = copiado ? 'Copiado' : rotulo;
  return (
    <button
      type="button"
      className="copiar"
      data-copiado={copiado || undefined}
      title={nome}
      aria-label={nome}
      onClick={(event) => {
        event.stopPropagation();
        void navigator.clipboard?.writeText(valor).then(() => setCopiado(true));
      }}
    >
      {copiado ? <IconCheck size={15} /> : <IconCopy size={15} />}
    </button>
  );
}

/** The same as a button with words, for what is shown only once. */
export function BotaoCopiar({ valor, children = 'Copiar' }: { valor: string; children?: string }) {
  return (
    <CopyButton value={valor} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant={copied ? 'filled' : 'light'}
          color={copied ? 'teal' : undefined}
          leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          onClick={copy}
        >
          {copied ? 'Copiado' : children}
        </Button>
      )}
    </CopyButton>
  );
}
