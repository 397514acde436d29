import '@mantine/dates/styles.css';
import { DatePickerInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { diaDeHoje } from '../formatos/datas.ts';
import { calendarioDe } from './calendario.ts';

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

/** From one day to another (`YYYY-MM-DD`), ends included. */
export function Periodo({
  rotulo,
  de,
  ate,
  mudar,
  largura = 'auto',
}: {
  rotulo: string;
  de: string | undefined;
  ate: string | undefined;
  mudar: (de: string, ate: string) => void;
  largura?: number | string;
}) {
  return (
    <DatePickerInput
      type="range"
      allowSingleDateInRange
      {...calendarioDe(rotulo)}
      classNames={{ datePickerRoot: 'calendario', presetsList: 'atalhos' }}
      w={largura}
      // In a row with others it grows; the whole width is for fields below one another.
      flex={largura === '100%' ? undefined : '1 1 170px'}
      maw={largura === '100%' ? undefined : 300}
      aria-label={rotulo}
      placeholder={rotulo}
      leftSection={<IconCalendar size={16} aria-hidden />}
      clearable
      presets={atalhos()}
      value={[de ?? null, ate ?? null]}
      onChange={([first, last]) => {
        // Half a range is on its way to a whole one, or was cleared.
        if ((first && last) || (!first && !last)) mudar(first ?? '', last ?? '');
        else if (first) mudar(first, '');
      }}
    />
  );
}
