import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useConsulta } from '../api/consulta.ts';
import { formatarCpfCnpj } from '../formatos/documentos-de-pessoa.ts';

interface Empresa {
  cpfCnpj: string;
  nome: string;
}

/** Some clients of the office, found by name or number. */
export function EscolhaDeClientes({
  label,
  description,
  error,
  escolhidas,
  escolher,
}: {
  label: string;
  description: string;
  error?: string | null;
  escolhidas: readonly Empresa[];
  escolher: (empresas: Empresa[]) => void;
}) {
  const [busca, setBusca] = useState('');
  const [pronta] = useDebouncedValue(busca, 250);
  const lista = useConsulta('GET /clientes', { query: { busca: pronta, Tamanho: 50 } }, { manter: true });
  const achadas = lista.data?.itens ?? [];
  const todas = new Map([...achadas, ...escolhidas].map(({ cpfCnpj, nome }) => [cpfCnpj, { cpfCnpj, nome }]));
  return (
    <MultiSelect
      label={label}
      description={description}
      error={error}
      searchable
      clearable
      hidePickedOptions
      maxDropdownHeight={260}
      nothingFoundMessage={lista.isPlaceholderData ? 'Procurando…' : 'Nenhum cliente com esse nome ou CNPJ'}
      data={[...todas.values()].map(({ cpfCnpj, nome }) => ({
        value: cpfCnpj,
        label: `${nome} · ${formatarCpfCnpj(cpfCnpj)}`,
      }))}
      value={escolhidas.map(({ cpfCnpj }) => cpfCnpj)}
      onChange={(values) => escolher(values.flatMap((value) => todas.get(value) ?? []))}
      searchValue={busca}
      onSearchChange={setBusca}
      // The server has searched already, also by CNPJ, which the names do not show.
      filter={({ options }) => options}
    />
  );
}
