import { Group, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBuildingStore } from '@tabler/icons-react';
import { useState } from 'react';
import { useConsulta } from '../api/consulta.ts';
import { formatarCpfCnpj } from '../formatos/documentos-de-pessoa.ts';
import { useClienteAtual } from '../sessao/cliente-atual.tsx';

/** So many clients are offered at once; who has more finds them by typing. */
const OFERECIDOS = 50;
const TODOS = '*';
/** Pause in typing after which the server is asked. */
const PAUSA_MS = 250;

/** The switch on top of every screen: the whole office, or one client's documents only. */
export function VisualizarComo() {
  const { cliente, fixo, escolher } = useClienteAtual();
  const [busca, setBusca] = useState('');
  const [pronta] = useDebouncedValue(busca, PAUSA_MS);
  const atual = useConsulta(
    'GET /clientes/{cpfCnpj}',
    { caminho: { cpfCnpj: cliente ?? '' } },
    { ligada: cliente !== null },
  );
  const nomeAtual = cliente === null ? 'Todos os clientes' : (atual.data?.nome ?? formatarCpfCnpj(cliente));
  const lista = useConsulta(
    'GET /clientes',
    { query: { busca: pronta === nomeAtual ? '' : pronta, Tamanho: OFERECIDOS } },
    { ligada: !fixo, manter: true },
  );
  if (fixo) {
    return (
      <Group gap={6} wrap="nowrap" style={{ minWidth: 0 }}>
        <IconBuildingStore size={18} aria-hidden />
        <Text size="sm" fw={600} truncate>
          {nomeAtual}
        </Text>
      </Group>
    );
  }
  const opcoes = (lista.data?.itens ?? []).map(({ cpfCnpj, nome }) => ({ value: cpfCnpj, label: nome }));
  if (cliente !== null && !opcoes.some(({ value }) => value === cliente)) {
    opcoes.unshift({ value: cliente, label: nomeAtual });
  }
  return (
    <Select
      aria-label="Visualizar como: escolha o cliente"
      w={{ base: 'auto', xs: 230, sm: 320 }}
      style={{ flex: '1 1 auto' }}
      size="sm"
      leftSection={<IconBuildingStore size={16} aria-hidden />}
      searchable
      selectFirstOptionOnChange
      nothingFoundMessage="Nenhum cliente com esse nome ou CNPJ"
      maxDropdownHeight={360}
      comboboxProps={{ width: 340, position: 'bottom-end', withinPortal: true }}
      value={cliente ?? TODOS}
      onSearchChange={setBusca}
      // The server has searched already, also by CNPJ, which the names do not show.
      filter={({ options }) => options}
      onChange={(value) => escolher(value === TODOS || value === null ? null : value)}
      data={[{ value: TODOS, label: 'Todos os clientes' }, ...opcoes]}
      renderOption={({ option }) => (
        <div style={{ minWidth: 0 }}>
          <Text size="sm" truncate fw={option.value === TODOS ? 600 : 400}>
            {option.label}
          </Text>
          {option.value !== TODOS && (
            <Text size="xs" c="dimmed">
              {formatarCpfCnpj(option.value)}
            </Text>
          )}
        </div>
      )}
    />
  );
}
