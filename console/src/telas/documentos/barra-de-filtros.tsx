import {
  Badge,
  Button,
  Drawer,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import { FINALIDADES, MANIFESTACOES, MEIOS, opcoes, PROVAS, UFS } from '../../partes/nomes.ts';
import { Periodo } from '../../partes/periodo.tsx';
import { DO_PAINEL, type Filtro } from './filtro.ts';

const ORDENS = [
  { value: 'emissao', label: 'Emissão, mais novos primeiro' },
  { value: 'emissao_asc', label: 'Emissão, mais antigos primeiro' },
  { value: 'importacao', label: 'Importação, mais novos primeiro' },
  { value: 'importacao_asc', label: 'Importação, mais antigos primeiro' },
];
const STATUS = ['Autorizada', 'Cancelada', 'Denegada', 'Pendente', 'Inutilizada'];

export function BarraDeFiltros({ filtro, mudar }: { filtro: Filtro; mudar: (mudanca: Filtro) => void }) {
  const [aberto, { open, close }] = useDisclosure(false);
  const quantos = DO_PAINEL.filter((campo) => filtro[campo]).length;
  return (
    <>
      <Periodo
        rotulo="Emissão"
        de={filtro.emissaoDe}
        ate={filtro.emissaoAte}
        mudar={(emissaoDe, emissaoAte) => mudar({ emissaoDe, emissaoAte })}
      />
      <Button
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} />}
        rightSection={
          quantos > 0 ? (
            <Badge size="sm" circle>
              {quantos}
            </Badge>
          ) : null
        }
        onClick={open}
      >
        Mais filtros
      </Button>
      <Drawer opened={aberto} onClose={close} position="right" title="Mais filtros" size="md">
        {aberto && <Painel filtro={filtro} mudar={mudar} fechar={close} />}
      </Drawer>
    </>
  );
}

function Painel({
  filtro,
  mudar,
  fechar,
}: {
  filtro: Filtro;
  mudar: (mudanca: Filtro) => void;
  fechar: () => void;
}) {
  const [novo, setNovo] = useState<Filtro>(filtro);
  const [conferir, setConferir] = useState(false);
  const aoContrario = Boolean(novo.valorDe && novo.valorAte) && Number(novo.valorAte) < Number(novo.valorDe);
  const por = (campo: keyof Filtro) => ({
    value: novo[campo] ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      setNovo({ ...novo, [campo]: event.currentTarget.value }),
  });
  const escolha = (campo: keyof Filtro) => ({
    value: novo[campo] ?? null,
    clearable: true,
    onChange: (value: string | null) => setNovo({ ...novo, [campo]: value ?? '' }),
  });
  const valor = (campo: 'valorDe' | 'valorAte') => ({
    value: novo[campo] ?? '',
    onChange: (value: string | number) => setNovo({ ...novo, [campo]: String(value) }),
    decimalSeparator: ',',
    thousandSeparator: '.',
    decimalScale: 2,
    min: 0,
    prefix: 'R$ ',
    hideControls: true,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setConferir(true);
        if (aoContrario) return;
        mudar(novo);
        fechar();
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
        <SimpleGrid cols={2} spacing="sm">
          <TextInput label="Série" {...por('serie')} />
          <TextInput
            label="Número"
            inputMode="numeric"
            value={novo.numero ?? ''}
            // Copied from a list it has a point among its thousands.
            onChange={(event) => setNovo({ ...novo, numero: event.currentTarget.value.replace(/\D/g, '') })}
          />
        </SimpleGrid>
        <TextInput
          label="Chave de acesso, ou o começo dela"
          classNames={{ input: 'mono' }}
          {...por('chave')}
        />
        <SimpleGrid cols={2} spacing="sm">
          <NumberInput label="Valor de" {...valor('valorDe')} />
          <NumberInput
            label="Valor até"
            {...valor('valorAte')}
            error={conferir && aoContrario ? 'É menor que o “Valor de”.' : null}
          />
        </SimpleGrid>
        <Periodo
          rotulo="Período de importação"
          largura="100%"
          de={novo.importacaoDe}
          ate={novo.importacaoAte}
          mudar={(importacaoDe, importacaoAte) => setNovo({ ...novo, importacaoDe, importacaoAte })}
        />
        <SimpleGrid cols={2} spacing="sm">
          <Select label="UF" data={UFS} searchable {...escolha('uf')} placeholder="Qualquer" />
          <Select label="Origem" data={opcoes(MEIOS)} {...escolha('origem')} placeholder="Qualquer" />
        </SimpleGrid>
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
        <Group justify="space-between" mt="sm">
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              mudar(
                Object.fromEntries(
                  [...DO_PAINEL, 'ordem', 'emissaoDe', 'emissaoAte', 'busca'].map((campo) => [campo, '']),
                ),
              );
              fechar();
            }}
          >
            Limpar tudo
          </Button>
          <Button type="submit">Aplicar</Button>
        </Group>
      </Stack>
    </form>
  );
}
