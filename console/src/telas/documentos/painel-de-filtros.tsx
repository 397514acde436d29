import { Button, Group, NumberInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FINALIDADES, MANIFESTACOES, MEIOS, opcoes, PROVAS, UFS } from '../../partes/nomes.ts';
import { Periodo } from '../../partes/periodo.tsx';
import { DO_PAINEL, type Filtro } from './filtro.ts';

const ORDENS = [
  { value: 'emissao', label: 'Emissão, mais novos primeiro' },
  { value: 'emissao_asc', label: 'Emissão, mais antigos primeiro' },
  { value: 'importacao', label: 'Importação, mais novos primeiro' },
  { value: 'importacao_asc', label: 'Importação, mais antigos primeiro' },
  { value: 'valor', label: 'Valor, maiores primeiro' },
  { value: 'valor_asc', label: 'Valor, menores primeiro' },
  { value: 'numero', label: 'Número, maiores primeiro' },
  { value: 'numero_asc', label: 'Número, menores primeiro' },
  { value: 'cliente_asc', label: 'Cliente, de A a Z' },
  { value: 'emitente_asc', label: 'Emitente, de A a Z' },
  { value: 'destinatario_asc', label: 'Destinatário, de A a Z' },
];
const STATUS = ['Autorizada', 'Cancelada', 'Denegada', 'Pendente', 'Inutilizada'];

/** What is being filled in: the list knows nothing of it before it is applied. */
function useRascunho(filtro: Filtro) {
  const [novo, setNovo] = useState<Filtro>(filtro);
  const mudar = (mudanca: Filtro) => setNovo({ ...novo, ...mudanca });
  return {
    novo,
    mudar,
    /** For a field of text. */
    texto: (campo: keyof Filtro) => ({
      value: novo[campo] ?? '',
      onChange: (event: { currentTarget: { value: string } }) =>
        mudar({ [campo]: event.currentTarget.value }),
    }),
    /** For one that offers values, of which it may have none. */
    escolha: (campo: keyof Filtro) => ({
      value: novo[campo] ?? null,
      clearable: true,
      onChange: (value: string | null) => mudar({ [campo]: value ?? '' }),
    }),
  };
}
interface Parte {
  rascunho: ReturnType<typeof useRascunho>;
}

/** Everything that documents can be looked for by, besides what stands above the list. */
export function PainelDeFiltros({
  filtro,
  mudar,
  fechar,
}: {
  filtro: Filtro;
  mudar: (mudanca: Filtro) => void;
  fechar: () => void;
}) {
  const rascunho = useRascunho(filtro);
  const { novo, escolha } = rascunho;
  const [conferir, setConferir] = useState(false);
  const aoContrario = Boolean(novo.valorDe && novo.valorAte) && Number(novo.valorAte) < Number(novo.valorDe);
  const aplicar = (mudanca: Filtro) => {
    mudar(mudanca);
    fechar();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setConferir(true);
        if (!aoContrario) aplicar(novo);
      }}
    >
      <Stack gap="sm">
        <Select
          label="Ordem"
          data={ORDENS}
          {...escolha('ordem')}
          placeholder="Emissão, mais novos primeiro"
        />
        <Select label="Status" data={STATUS} {...escolha('status')} placeholder="Qualquer" />
        <Identificacao rascunho={rascunho} />
        <Item rascunho={rascunho} />
        <Valor rascunho={rascunho} erro={conferir && aoContrario ? 'É menor que o “Valor de”.' : null} />
        <Chegada rascunho={rascunho} />
        <DoEscritorio rascunho={rascunho} />
        <Group justify="space-between" mt="sm">
          <Button variant="subtle" color="gray" onClick={() => aplicar(NADA)}>
            Limpar tudo
          </Button>
          <Button type="submit">Aplicar</Button>
        </Group>
      </Stack>
    </form>
  );
}

const NADA: Filtro = Object.fromEntries(
  [...DO_PAINEL, 'ordem', 'emissaoDe', 'emissaoAte', 'busca'].map((campo) => [campo, '']),
);

function Identificacao({ rascunho: { novo, mudar, texto } }: Parte) {
  return (
    <>
      <SimpleGrid cols={2} spacing="sm">
        <TextInput label="Série" {...texto('serie')} />
        <TextInput
          label="Número"
          inputMode="numeric"
          value={novo.numero ?? ''}
          // Copied from a list it has a point among its thousands.
          onChange={(event) => mudar({ numero: event.currentTarget.value.replace(/\D/g, '') })}
        />
      </SimpleGrid>
      <TextInput
        label="Chave de acesso, ou o começo dela"
        classNames={{ input: 'mono' }}
        {...texto('chave')}
      />
    </>
  );
}

/** What at least one of its items is. */
function Item({ rascunho: { novo, mudar, texto } }: Parte) {
  const digits = (campo: 'cfop' | 'ncm') => ({
    value: novo[campo] ?? '',
    inputMode: 'numeric' as const,
    onChange: (event: { currentTarget: { value: string } }) =>
      mudar({ [campo]: event.currentTarget.value.replace(/\D/g, '') }),
  });
  return (
    <>
      <SimpleGrid cols={2} spacing="sm">
        <TextInput label="CFOP" maxLength={4} {...digits('cfop')} />
        <TextInput label="NCM, ou o começo" maxLength={10} {...digits('ncm')} />
      </SimpleGrid>
      <TextInput
        label="Produto ou serviço"
        description="Palavras da descrição, ou o código: lê os documentos um a um, do mais novo para o mais antigo."
        {...texto('produto')}
      />
    </>
  );
}

function Valor({ rascunho: { novo, mudar }, erro }: Parte & { erro: string | null }) {
  const valor = (campo: 'valorDe' | 'valorAte') => ({
    value: novo[campo] ?? '',
    onChange: (value: string | number) => mudar({ [campo]: String(value) }),
    decimalSeparator: ',',
    thousandSeparator: '.',
    decimalScale: 2,
    min: 0,
    prefix: 'R$ ',
    hideControls: true,
  });
  return (
    <SimpleGrid cols={2} spacing="sm">
      <NumberInput label="Valor de" {...valor('valorDe')} />
      <NumberInput label="Valor até" {...valor('valorAte')} error={erro} />
    </SimpleGrid>
  );
}

/** When it was imported, from which state, and which way it came. */
function Chegada({ rascunho: { novo, mudar, escolha } }: Parte) {
  return (
    <>
      <Periodo
        rotulo="Período de importação"
        largura="100%"
        de={novo.importacaoDe}
        ate={novo.importacaoAte}
        mudar={(importacaoDe, importacaoAte) => mudar({ importacaoDe, importacaoAte })}
      />
      <SimpleGrid cols={2} spacing="sm">
        <Select label="UF" data={UFS} searchable {...escolha('uf')} placeholder="Qualquer" />
        <Select label="Origem" data={opcoes(MEIOS)} {...escolha('origem')} placeholder="Qualquer" />
      </SimpleGrid>
    </>
  );
}

/** What the office, its client or the checks have said about it. */
function DoEscritorio({ rascunho: { escolha } }: Parte) {
  return (
    <>
      <Select
        label="Finalidade"
        data={opcoes(FINALIDADES)}
        {...escolha('finalidade')}
        placeholder="Qualquer"
      />
      <Select
        label="Manifestação"
        data={[...opcoes(MANIFESTACOES), { value: 'sem', label: 'Sem manifestação' }]}
        {...escolha('manifestacao')}
        placeholder="Qualquer"
      />
      <Select
        label="Prova"
        data={[{ value: 'marcada', label: 'Situação que nada prova' }, ...opcoes(PROVAS)]}
        {...escolha('prova')}
        placeholder="Qualquer"
      />
    </>
  );
}
