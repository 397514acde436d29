import { Group, Select, Text } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { IconBuildingStore } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { useConsulta } from '../api/consulta.ts';
import { cleanCpfCnpj, formatarCpfCnpj } from '../formatos/documentos-de-pessoa.ts';
import { semAcentos } from '../formatos/textos.ts';
import { useClienteAtual } from '../sessao/cliente-atual.tsx';
import { useTodoOEscritorio } from '../sessao/sessao.tsx';

/** So many clients are offered at once; who has more finds them by typing. */
const OFERECIDOS = 50;
const TODOS = '*';

/** Everything that the person sees, as a choice. */
function useTodos() {
  return { value: TODOS, label: useTodoOEscritorio() ? 'Todos os clientes' : 'Todas as suas empresas' };
}
type Todos = ReturnType<typeof useTodos>;
/** Pause in typing after which the server is asked. */
const PAUSA_MS = 250;

/** There the choice itself needs the place of its picture. */
const TELEFONE = '(max-width: 36em)';

function combina({ nome, cpfCnpj }: { nome: string; cpfCnpj: string }, busca: string): boolean {
  const numero = cleanCpfCnpj(busca);
  return semAcentos(nome).includes(semAcentos(busca.trim())) || (numero !== '' && cpfCnpj.includes(numero));
}

/** The switch on top of every screen: the whole office, or one client's documents only. */
export function VisualizarComo() {
  const { cliente, fixo } = useClienteAtual();
  const atual = useConsulta(
    'GET /clientes/{cpfCnpj}',
    { caminho: { cpfCnpj: cliente ?? '' } },
    { ligada: cliente !== null },
  );
  const todos = useTodos();
  const nome = cliente === null ? todos.label : (atual.data?.nome ?? formatarCpfCnpj(cliente));
  return fixo ? <UmSo nome={nome} /> : <Escolha nomeAtual={nome} />;
}

/** Who is of the client company has nothing to choose. */
function UmSo({ nome }: { nome: string }) {
  return (
    <Group gap={6} wrap="nowrap" style={{ minWidth: 0 }}>
      <IconBuildingStore size={18} aria-hidden />
      <Text size="sm" fw={600} truncate>
        {nome}
      </Text>
    </Group>
  );
}

/** What is typed in the field, and whom the server finds by it. */
function useProcura() {
  const [busca, setBusca] = useState('');
  const [pronta] = useDebouncedValue(busca, PAUSA_MS);
  /** The field shows who is chosen as well: only what was typed is looked for. */
  const [digitando, setDigitando] = useState(false);
  const buscando = digitando && busca !== '';
  const lista = useConsulta(
    'GET /clientes',
    { query: { busca: buscando ? pronta : '', Tamanho: OFERECIDOS } },
    { manter: true },
  );
  /** Whether the list answers what stands in the field; until then Enter waits for it. */
  const emDia = (!buscando || pronta === busca) && lista.data !== undefined && !lista.isPlaceholderData;
  const achados = (lista.data?.itens ?? [])
    // The answer to an earlier question must not offer what is not looked for any more.
    .filter((um) => emDia || !buscando || combina(um, busca))
    .map(({ cpfCnpj, nome }) => ({ value: cpfCnpj, label: nome }));
  return { busca, setBusca, setDigitando, buscando, emDia, achados };
}
type Procura = ReturnType<typeof useProcura>;

/**
 * Enter that comes before the answer takes the first of those found as soon as it is here.
 * @returns how to say that it did, or that it does not count any more
 */
function usePrimeiroAchado({ buscando, emDia, achados }: Procura, fechar: () => void) {
  const { escolher } = useClienteAtual();
  const [quer, setQuer] = useState(false);
  const primeiro = achados[0]?.value;
  useEffect(() => {
    if (!quer || !emDia) return;
    setQuer(false);
    if (!buscando || primeiro === undefined) return;
    escolher(primeiro);
    fechar();
  }, [quer, emDia, buscando, primeiro, escolher, fechar]);
  return setQuer;
}

function opcoesDe(
  { buscando, busca, achados }: Procura,
  { cliente, nomeAtual, todos }: { cliente: string | null; nomeAtual: string; todos: Todos },
) {
  // What is found comes first: Enter takes it.
  if (buscando)
    return [...achados, ...(todos.label.toLowerCase().startsWith(busca.toLowerCase()) ? [todos] : [])];
  const atuais = cliente === null || achados.some(({ value }) => value === cliente) ? [] : [cliente];
  return [todos, ...atuais.map((value) => ({ value, label: nomeAtual })), ...achados];
}

function Escolha({ nomeAtual }: { nomeAtual: string }) {
  const { cliente, escolher } = useClienteAtual();
  const todos = useTodos();
  const noTelefone = useMediaQuery(TELEFONE, undefined, { getInitialValueInEffect: false });
  const procura = useProcura();
  const { setBusca, setDigitando, buscando, emDia } = procura;
  const [aberto, setAberto] = useState(false);
  const fechar = useCallback(() => {
    setAberto(false);
    setDigitando(false);
  }, [setDigitando]);
  const querPrimeiro = usePrimeiroAchado(procura, fechar);
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
      onOptionSubmit={() => querPrimeiro(false)}
      dropdownOpened={aberto}
      onDropdownOpen={() => setAberto(true)}
      onDropdownClose={fechar}
      onInput={() => setDigitando(true)}
      onKeyDown={({ key }) => querPrimeiro(key === 'Enter' && buscando && !emDia)}
      maxDropdownHeight={360}
      comboboxProps={{ width: 340, position: 'bottom-end', withinPortal: true }}
      value={cliente ?? TODOS}
      onSearchChange={setBusca}
      // The server has searched already, also by CNPJ, which the names do not show.
      filter={({ options }) => options}
      onChange={(value) => escolher(value === TODOS ? null : value)}
      data={opcoesDe(procura, { cliente, nomeAtual, todos })}
      renderOption={({ option }) => <Opcao {...option} />}
    />
  );
}

function Opcao({ value, label }: { value: string; label: string }) {
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="sm" truncate fw={value === TODOS ? 600 : 400}>
        {label}
      </Text>
      {value !== TODOS && (
        <Text size="xs" c="dimmed">
          {formatarCpfCnpj(value)}
        </Text>
      )}
    </div>
  );
}
