import { TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

/** Where one types what a list is to be searched for. */
export function CampoDeBusca({
  rotulo,
  mudar,
  ...props
}: Omit<TextInputProps, 'onChange' | 'value'> & {
  rotulo: string;
  value: string;
  mudar: (busca: string) => void;
}) {
  return (
    <TextInput
      type="search"
      aria-label={rotulo}
      leftSection={<IconSearch size={16} aria-hidden />}
      onChange={(event) => mudar(event.currentTarget.value)}
      {...props}
    />
  );
}
