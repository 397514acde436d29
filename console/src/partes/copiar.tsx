import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { copyTexto } from './area-de-transferencia.ts';

const DITO_MS = 1_500;

/** Copies a value; says for a moment that it did, or that the browser let nobody. */
function useCopia(valor: string): { estado: 'pronto' | 'copiado' | 'recusado'; copiar: () => void } {
  const [estado, setEstado] = useState<'pronto' | 'copiado' | 'recusado'>('pronto');
  useEffect(() => {
    if (estado === 'pronto') return;
    const timer = setTimeout(() => setEstado('pronto'), DITO_MS);
    return () => clearTimeout(timer);
  }, [estado]);
  const copiar = () => void copyTexto(valor).then((ok) => setEstado(ok ? 'copiado' : 'recusado'));
  return { estado, copiar };
}

const DITO = { copiado: 'Copiado', recusado: 'O navegador não deixou copiar' } as const;

/** A small button that copies a value; says so to eyes and ears. A plain element: lists show hundreds. */
export function Copiar({ valor, rotulo = 'Copiar' }: { valor: string; rotulo?: string }) {
  const { estado, copiar } = useCopia(valor);
  const copiado = estado === 'copiado';
  const nome = estado === 'pronto' ? rotulo : DITO[estado];
  return (
    <button
      type="button"
      className="copiar"
      data-copiado={copiado || undefined}
      title={nome}
      aria-label={nome}
      onClick={(event) => {
        event.stopPropagation();
        copiar();
      }}
    >
      {copiado ? <IconCheck size={15} /> : <IconCopy size={15} />}
    </button>
  );
}

/** The same as a button with words, for what is shown only once. */
export function BotaoCopiar({ valor, children = 'Copiar' }: { valor: string; children?: string }) {
  const { estado, copiar } = useCopia(valor);
  const copiado = estado === 'copiado';
  return (
    <Button
      size="xs"
      variant={copiado ? 'filled' : 'light'}
      color={copiado ? 'teal' : undefined}
      leftSection={copiado ? <IconCheck size={14} /> : <IconCopy size={14} />}
      onClick={copiar}
    >
      {estado === 'pronto' ? children : DITO[estado]}
    </Button>
  );
}
