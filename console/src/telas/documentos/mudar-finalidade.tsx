import { Button, Group, Progress, Select, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { chamar } from '../../api/chamar.ts';
import { cache } from '../../api/consulta.ts';
import type { Opcoes } from '../../api/rotas.ts';
import { formatInteiro, plural } from '../../formatos/numeros.ts';
import { avisar } from '../../partes/avisos.ts';
import { Erro } from '../../partes/estados.tsx';
import { FINALIDADES, opcoes } from '../../partes/nomes.ts';
import { useClienteAtual } from '../../sessao/cliente-atual.tsx';

type Palavra = Opcoes<'PUT /documentos/finalidade'>['corpo']['finalidade_aquisicao'];
/** What one request takes; several hundred documents are one step. */
const POR_PEDIDO = 500;

/** Says the purpose of many documents, some hundred in a step; `feitos` is null while nothing is being done. */
function useMudanca(ids: readonly number[], fechar: () => void) {
  const { cliente, fixo } = useClienteAtual();
  const [feitos, setFeitos] = useState<number | null>(null);
  const [falha, setFalha] = useState<unknown>(null);
  const parado = useRef(false);
  const aplicar = async (finalidade_aquisicao: Palavra) => {
    const query = cliente && !fixo ? { cliente } : {};
    let mudados = 0;
    parado.current = false;
    setFalha(null);
    try {
      for (let at = 0; at < ids.length && !parado.current; at += POR_PEDIDO) {
        setFeitos(at);
        const corpo = { ids: ids.slice(at, at + POR_PEDIDO), finalidade_aquisicao };
        mudados += (await chamar('PUT /documentos/finalidade', { query, corpo })).mudados;
      }
      const fora = parado.current ? 0 : ids.length - mudados;
      avisar(
        `Finalidade salva em ${plural(mudados, 'documento')}.${fora > 0 ? ` ${plural(fora, 'linha não tem', 'linhas não têm')} finalidade.` : ''}`,
      );
      fechar();
    } catch (error) {
      setFalha(error);
    } finally {
      setFeitos(null);
      await Promise.all(
        ['GET /documentos', 'GET /documentos/{id}'].map((rota) =>
          cache.invalidateQueries({ queryKey: [rota] }),
        ),
      );
    }
  };
  const parar = () => {
    parado.current = true;
  };
  return { feitos, falha, aplicar, parar };
}

/** Chooses the purpose of the marked documents, and tells how far it is. */
export function MudarFinalidade({ ids, fechar }: { ids: readonly number[]; fechar: () => void }) {
  const [finalidade, setFinalidade] = useState<string | null>(null);
  const { feitos, falha, aplicar, parar } = useMudanca(ids, fechar);
  const parado = feitos === null;
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
        disabled={!parado}
        data-autofocus
      />
      {!parado && (
        <Stack gap={4}>
          <Progress value={(feitos / ids.length) * 100} aria-label="Documentos mudados" />
          <Text size="xs" c="dimmed" aria-live="polite">
            {formatInteiro(feitos)} de {plural(ids.length, 'documento')}
          </Text>
        </Stack>
      )}
      {falha !== null && <Erro falha={falha} titulo="Parte dos documentos ficou como estava" />}
      <Group justify="flex-end">
        <Button variant="default" onClick={parado ? fechar : parar}>
          {parado ? 'Fechar' : 'Parar'}
        </Button>
        <Button
          disabled={finalidade === null}
          loading={!parado}
          onClick={() => finalidade && void aplicar(finalidade as Palavra)}
        >
          Aplicar
        </Button>
      </Group>
    </Stack>
  );
}
