import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { chamar } from '../../api/chamar.ts';
import { envelhecer } from '../../api/consulta.ts';
import { plural } from '../../formatos/numeros.ts';
import { avisar, tellFalha } from '../../partes/avisos.ts';

/** Files of one press; with more, one presses again. */
const POR_VEZ = 50;
const RENOVA = ['GET /falhas', 'GET /falhas/itens', 'GET /importacoes', 'GET /inicio'] as const;

/** Imports the files of a cause again, where the service and not the file was to blame. */
export function ReimportarFalhas({ codigo }: { codigo: string }) {
  const [andando, setAndando] = useState(false);
  const reimportar = async () => {
    setAndando(true);
    try {
      const { itens } = await chamar('GET /falhas/itens', { query: { codigo, Tamanho: 500 } });
      const ids = [...new Set(itens.map(({ arquivo }) => arquivo.id))].slice(0, POR_VEZ);
      for (const id of ids) await chamar('POST /importacoes/{id}/reimportar', { caminho: { id } });
      avisar(`${plural(ids.length, 'arquivo')} na fila de novo; o que já está guardado não se repete.`);
    } catch (falha) {
      tellFalha(falha);
    } finally {
      setAndando(false);
      await envelhecer(RENOVA);
    }
  };
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconRefresh size={14} />}
      loading={andando}
      onClick={() => void reimportar()}
    >
      Importar de novo
    </Button>
  );
}
