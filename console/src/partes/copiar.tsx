import { ActionIcon, Button, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** A small button that copies a value; says so to eyes and ears. */
export function Copiar({ valor, rotulo = 'Copiar' }: { valor: string; rotulo?: string }) {
  return (
    <CopyButton value={valor} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copiado' : rotulo}>
          <ActionIcon
            variant="subtle"
            color={copied ? 'teal' : 'gray'}
            size="sm"
            aria-label={copied ? 'Copiado' : rotulo}
            onClick={(event) => {
              event.stopPropagation();
              copy();
            }}
          >
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
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
