import { Group, Select, Text } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { IconBuildingStore } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { useConsulta } from '../api/consulta.ts';
import { formatarCpfCnpj, limparCpfCnpj } from '../formatos/documentos-de-pessoa.ts';
import { semAcentos } from '../formatos/textos.ts';
import { useClienteAtual } from '../sessao/cliente-atual.tsx';

/** So many clients are offered at once; who has more finds them by typing. */
const OFERECIDOS = 50;
const TODOS = { value: '*', label: 'Todos os clientes' };
/** Pause in typing after which the server is asked. */
const PAUSA_MS = 250;

/** There the choice itself needs the place of its picture. */
const TELEFONE = '(max-width: 36em)';

function combina({ nome, cpfCnpj }: { nome: string; cpfCnpj: string }, busca: string): boolean {
  const numero = limparCpfCnpj(busca);
  return semAcentos(nome).includes(semAcentos(busca.trim())) || (numero !== '' && cpfCnpj.includes(numero));
}

/** The switch on top of every screen: the whole office, or one client's documents only. */
export function VisualizarComo() {
  const { cliente, fixo, escolher } = useClienteAtual();
  const noTelefone = useMediaQuery(TELEFONE, undefined, { getInitialValueInEffect: false });
  const [busca, setBusca] = useState('');
  const [pronta] = useDebouncedValue(busca, PAUSA_MS);
  const atual = useConsulta(
    'GET /clientes/{cpfCnpj}',
    { caminho: { cpfCnpj: cliente ?? '' } },
    { ligada: cliente !== null },
  );
  const nomeAtual = cliente === null ? TODOS.label : (atual.data?.nome ?? formatarCpfCnpj(cliente));
  /** The field shows who is chosen as well: only what was typed is looked for. */
  const [digitando, setDigitando] = useState(false);
  const buscando = digitando && busca !== '';
  const lista = useConsulta(
    'GET /clientes',
    { query: { busca: buscando ? pronta : '', Tamanho: OFERECIDOS } },
    { ligada: !fixo, manter: true },
  );
  /** Whether the list answers what stands in the field; until then Enter waits for it. */
  const emDia = (!buscando || pronta === busca) && lista.data !== undefined && !lista.isPlaceholderData;
  const [aberto, setAberto] = useState(false);
  const fechar = useCallback(() => {
    setAberto(false);
    setDigitando(false);
  }, []);
  const [querPrimeiro, setQuerPrimeiro] = useState(false);
  const primeiro = lista.data?.itens[0]?.cpfCnpj;
  useEffect(() => {
    if (!querPrimeiro || !emDia) return;
    setQuerPrimeiro(false);
    if (!buscando || primeiro === undefined) return;
    escolher(primeiro);
    fechar();
  }, [querPrimeiro, emDia, buscando, primeiro, escolher, fechar]);
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
  const achados = (lista.data?.itens ?? [])
    // The answer to an earlier question must not offer what is not looked for any more.
    .filter((um) => emDia || !buscando || combina(um, busca))
    .map(({ cpfCnpj, nome }) => ({ value: cpfCnpj, label: nome }));
  const atuais = cliente === null || achados.some(({ value }) => value === cliente) ? [] : [cliente];
  const opcoes = buscando
    ? // What is found comes first: Enter takes it.
      [...achados, ...(TODOS.label.toLowerCase().startsWith(busca.toLowerCase()) ? [TODOS] : [])]
    : [TODOS, ...atuais.map((value) => ({ value, label: nomeAtual })), ...achados];
  return (
    <Select
      aria-label="Visualizar como: escolha o cliente"
      w={{ base: 'auto', xs: 230, sm: 320 }}
      style={{ flex: '1 1 auto' }}
      size="sm"
      leftSection={noTelefone ? null : <IconBuildingStore size={16} aria-hidden />}
      styles={{ input: { textOverflow: 'ellipsis' } }}
      searchable
      selectFirstOptionOnChange={emDia}
      nothingFoundMessage={emDia ? 'Nenhum cliente com esse nome ou CNPJ' : 'Procurando…'}
      allowDeselect={false}
      onOptionSubmit={() => setQuerPrimeiro(false)}
      dropdownOpened={aberto}
      onDropdownOpen={() => setAberto(true)}
      onDropdownClose={fechar}
      onInput={() => setDigitando(true)}
      onKeyDown={({ key }) => setQuerPrimeiro(key === 'Enter' && buscando && !emDia)}
      maxDropdownHeight={360}
      comboboxProps={{ width: 340, position: 'bottom-end', withinPortal: true }}
      value={cliente ?? TODOS.value}
      onSearchChange={setBusca}
      // The server has searched already, also by CNPJ, which the names do not show.
      filter={({ options }) => options}
      onChange={(value) => escolher(value === TODOS.value ? null : value)}
      data={opcoes}
      renderOption={({ option }) => (
        <div style={{ minWidth: 0 }}>
          <Text size="sm" truncate fw={option.value === TODOS.value ? 600 : 400}>
            {option.label}
          </Text>
          {option.value !== TODOS.value && (
            <Text size="xs" c="dimmed">
              {formatarCpfCnpj(option.value)}
            </Text>
          )}
        </div>
      )}
    />
  );
}
