import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useConsulta } from '../api/consulta.ts';
import { formatarCpfCnpj } from '../formatos/documentos-de-pessoa.ts';
import { Elo } from './elo.tsx';

/** One client of the office, found by name or number. */
export function EscolhaDeCliente({
  value = null,
  ...props
}: Omit<SelectProps, 'data' | 'value'> & { value?: string | null }) {
  const [busca, setBusca] = useState('');
  const [pronta] = useDebouncedValue(busca, 250);
  const lista = useConsulta('GET /clientes', { query: { busca: pronta, Tamanho: 50 } }, { manter: true });
  const data = (lista.data?.itens ?? []).map(({ cpfCnpj, nome }) => ({
    value: cpfCnpj,
    label: `${nome} · ${formatarCpfCnpj(cpfCnpj)}`,
  }));
  if (value !== null && !data.some((um) => um.value === value))
    data.unshift({ value, label: formatarCpfCnpj(value) });
  return (
    <Select
      searchable
      description={busca === '' && lista.data?.total === 0 ? <SemClientes /> : undefined}
      nothingFoundMessage={
        lista.error
          ? lista.error.message
          : lista.data === undefined || lista.isPlaceholderData
            ? 'Procurando…'
            : 'Nenhum cliente com esse nome ou CNPJ'
      }
      {...props}
      data={data}
      value={value}
      onSearchChange={(text) => setBusca(text.split(' · ')[0] ?? '')}
      filter={({ options }) => options}
    />
  );
}

const SemClientes = () => (
  <>
    Ainda não há clientes:{' '}
    <Elo para="/clientes" size="xs" underline="always">
      cadastre-os
    </Elo>{' '}
    primeiro.
  </>
);
