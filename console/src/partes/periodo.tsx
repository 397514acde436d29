import { Button, CloseButton, Group, InputBase, Popover, Stack, Text, TextInput } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import { diaDeHoje, formatDia, readDia } from '../formatos/datas.ts';
import { calendario } from './calendario.ts';

/** Days that are often meant, as first and last. */
function atalhos() {
  const hoje = diaDeHoje();
  const mes = hoje.slice(0, 8);
  const passado = diaDeHoje(-Number(hoje.slice(8)));
  return [
    { label: 'Hoje', value: [hoje, hoje] as [string, string] },
    { label: '7 dias', value: [diaDeHoje(-6), hoje] as [string, string] },
    { label: 'Este mês', value: [`${mes}01`, hoje] as [string, string] },
    { label: 'Mês passado', value: [`${passado.slice(0, 8)}01`, passado] as [string, string] },
    { label: '90 dias', value: [diaDeHoje(-89), hoje] as [string, string] },
  ];
}

/** Escape in here closes this, not the drawer or the dialog around it. */
const SO_ISTO = { 'data-mantine-stop-propagation': true };

interface Props {
  rotulo: string;
  de: string | undefined;
  ate: string | undefined;
  mudar: (de: string, ate: string) => void;
  largura?: number | string;
}

/** As it stands in its field, and on paper. */
export function textoDoPeriodo(de: string | undefined, ate: string | undefined): string | null {
  if (de && ate) return de === ate ? formatDia(de) : `${formatDia(de)} – ${formatDia(ate)}`;
  if (de) return `desde ${formatDia(de)}`;
  return ate ? `até ${formatDia(ate)}` : null;
}

/** From one day to another (`YYYY-MM-DD`), ends included; typed as one writes it, or picked in the calendar. */
export function Periodo({ rotulo, de, ate, mudar, largura = 'auto' }: Props) {
  const [aberto, { toggle, close }] = useDisclosure(false);
  const texto = textoDoPeriodo(de, ate);
  const inteira = largura === '100%';
  return (
    <Popover opened={aberto} onChange={close} position="bottom-start" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <InputBase
          component="button"
          type="button"
          pointer
          w={largura}
          label={inteira ? rotulo : undefined}
          // In a row with others it grows; the whole width is for fields below one another.
          flex={inteira ? undefined : '1 1 170px'}
          maw={inteira ? undefined : 300}
          aria-label={texto === null ? rotulo : `${rotulo}: ${texto}`}
          leftSection={<IconCalendar size={16} aria-hidden />}
          rightSectionPointerEvents="all"
          rightSection={
            texto !== null && (
              <CloseButton
                size="sm"
                aria-label={`Limpar ${rotulo.toLowerCase()}`}
                onClick={() => mudar('', '')}
              />
            )
          }
          onClick={toggle}
        >
          {texto ?? (
            <Text span size="sm" c="dimmed">
              {inteira ? 'Qualquer' : rotulo}
            </Text>
          )}
        </InputBase>
      </Popover.Target>
      <Popover.Dropdown aria-label={rotulo} aria-labelledby={undefined}>
        {aberto && <Escolha de={de} ate={ate} mudar={mudar} fechar={close} />}
      </Popover.Dropdown>
    </Popover>
  );
}

/** What is typed and what is picked are the same two days; nothing is asked for before both are meant. */
function Escolha({ de, ate, mudar, fechar }: Pick<Props, 'de' | 'ate' | 'mudar'> & { fechar: () => void }) {
  const [textos, setTextos] = useState({ de: de ? formatDia(de) : '', ate: ate ? formatDia(ate) : '' });
  const [conferir, setConferir] = useState(false);
  const [escolhidos, setEscolhidos] = useState<[string | null, string | null]>([de ?? null, ate ?? null]);
  const dias = { de: readDia(textos.de), ate: readDia(textos.ate) };
  const campo = (qual: 'de' | 'ate', nome: string) => (
    <TextInput
      label={nome}
      placeholder="dd/mm/aaaa"
      size="xs"
      w={104}
      autoComplete="off"
      inputMode="numeric"
      data-autofocus={qual === 'de' || undefined}
      {...SO_ISTO}
      value={textos[qual]}
      error={conferir && dias[qual] === null ? 'dia/mês/ano' : null}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setTextos({ ...textos, [qual]: event.currentTarget.value })}
    />
  );
  const aplicar = (first: string, last: string) => {
    if (first && last && last < first) mudar(last, first);
    else mudar(first, last);
    fechar();
  };
  return (
    <Stack gap="sm">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // The form of a panel around this one is not sent with it.
          event.stopPropagation();
          setConferir(true);
          if (dias.de !== null && dias.ate !== null) aplicar(dias.de, dias.ate);
        }}
      >
        <Group gap="xs" align="flex-start" wrap="nowrap">
          {campo('de', 'De')}
          {campo('ate', 'Até')}
          <Button type="submit" size="xs" mt={25} {...SO_ISTO}>
            Aplicar
          </Button>
        </Group>
      </form>
      <DatePicker
        type="range"
        allowSingleDateInRange
        {...calendario}
        __stopPropagation
        defaultDate={de || ate || diaDeHoje()}
        classNames={{ datePickerRoot: 'calendario', presetsList: 'atalhos' }}
        presets={atalhos()}
        value={escolhidos}
        onChange={([first, last]) => {
          setEscolhidos([first, last]);
          setTextos({ de: first ? formatDia(first) : '', ate: last ? formatDia(last) : '' });
          if (first && last) aplicar(first, last);
        }}
      />
    </Stack>
  );
}
