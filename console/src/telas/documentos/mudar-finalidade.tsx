import { Button, Group, Progress, Select, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { chamar } from '../../api/chamar.ts';
import { cache } from '../../api/consulta.ts';
import { comoFalha, type FalhaDeApi } from '../../api/falha.ts';
import type { Opcoes } from '../../api/rotas.ts';
import { formatarInteiro, plural } from '../../formatos/numeros.ts';
import { avisar } from '../../partes/avisos.ts';
import { Erro } from '../../partes/estados.tsx';
import { FINALIDADES, opcoes } from '../../partes/nomes.ts';

type Palavra = NonNullable<Opcoes<'PUT /documentos/{id}/finalidade'>['corpo']['finalidade_aquisicao']>;
const SIMULTANEOS = 4;
const ESPERA_PADRAO_S = 5;

const pausa = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** One document; when the server asks for patience, it gets it. */
async function mudarUm(id: number, finalidade_aquisicao: Palavra): Promise<void> {
  for (;;) {
    try {
      await chamar('PUT /documentos/{id}/finalidade', { caminho: { id }, corpo: { finalidade_aquisicao } });
      return;
    } catch (error) {
      const { status, esperar } = comoFalha(error);
      if (status !== 429 && status !== 503) throw error;
      await pausa(esperar ?? ESPERA_PADRAO_S);
    }
  }
}

/** Says the purpose of many documents, one after the other, and tells how far it is; what failed is named in the end. */
export function MudarFinalidade({ ids, fechar }: { ids: readonly number[]; fechar: () => void }) {
  const [finalidade, setFinalidade] = useState<string | null>(null);
  const [feitos, setFeitos] = useState<number | null>(null);
  const [falhas, setFalhas] = useState<{ id: number; falha: FalhaDeApi }[]>([]);
  const parar = useRef(false);

  const aplicar = async (palavra: Palavra) => {
    const fila = [...ids];
    const erradas: { id: number; falha: FalhaDeApi }[] = [];
    let prontos = 0;
    parar.current = false;
    setFalhas([]);
    setFeitos(0);
    const andar = async () => {
      for (let id = fila.shift(); id !== undefined && !parar.current; id = fila.shift()) {
        const um = id;
        await mudarUm(um, palavra).catch((error: unknown) =>
          erradas.push({ id: um, falha: comoFalha(error) }),
        );
        setFeitos(++prontos);
      }
    };
    await Promise.all(Array.from({ length: SIMULTANEOS }, andar));
    await Promise.all(
      ['GET /documentos', 'GET /documentos/{id}'].map((rota) =>
        cache.invalidateQueries({ queryKey: [rota] }),
      ),
    );
    setFeitos(null);
    setFalhas(erradas);
    if (erradas.length === 0 && !parar.current) {
      avisar(`Finalidade guardada em ${plural(ids.length, 'documento')}.`);
      fechar();
    }
  };
  const [primeira] = falhas;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        Vale para todos os itens dos documentos. Em cada documento, a finalidade pode ser dita item por item.
      </Text>
      <Select
        label="Finalidade da aquisição"
        data={opcoes(FINALIDADES)}
        value={finalidade}
        onChange={setFinalidade}
        disabled={feitos !== null}
        data-autofocus
      />
      {feitos !== null && (
        <Stack gap={4}>
          <Progress value={(feitos / ids.length) * 100} aria-label="Documentos mudados" />
          <Text size="xs" c="dimmed" aria-live="polite">
            {formatarInteiro(feitos)} de {plural(ids.length, 'documento')}
          </Text>
        </Stack>
      )}
      {primeira && (
        <Erro
          falha={primeira.falha}
          titulo={`${plural(falhas.length, 'documento ficou', 'documentos ficaram')} como estava`}
        />
      )}
      <Group justify="flex-end">
        <Button
          variant="default"
          onClick={() => {
            parar.current = true;
            if (feitos === null) fechar();
          }}
        >
          {feitos === null ? 'Fechar' : 'Parar'}
        </Button>
        <Button
          disabled={finalidade === null}
          loading={feitos !== null}
          onClick={() => finalidade && void aplicar(finalidade as Palavra)}
        >
          Aplicar
        </Button>
      </Group>
    </Stack>
  );
}
