import { Button, Group, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type Filtro, leiturasDe } from './filtro.ts';

const NOMES = { cfop: 'CFOP', ncm: 'NCM', produto: 'Produto ou serviço' } as const;
const CAMPOS = ['cfop', 'ncm', 'produto'] as const;

/** Below the search: what else the text may mean, and what is looked for in items already. */
export function ItensProcurados({ filtro, mudar }: { filtro: Filtro; mudar: (mudanca: Filtro) => void }) {
  const leituras = leiturasDe(filtro.busca ?? '');
  const postos = CAMPOS.filter((campo) => filtro[campo]);
  if (leituras.length === 0 && postos.length === 0) return null;
  return (
    <Group gap={6} mt={8}>
      {leituras.length > 0 && (
        <Text size="sm" c="dimmed">
          Procurar como
        </Text>
      )}
      {leituras.map(({ campo, valor, nome }) => (
        <Button
          key={campo}
          size="compact-sm"
          variant="default"
          radius="xl"
          onClick={() => mudar({ busca: '', [campo]: valor })}
        >
          {nome}
        </Button>
      ))}
      {postos.map((campo) => (
        <Button
          key={campo}
          size="compact-sm"
          variant="light"
          radius="xl"
          rightSection={<IconX size={13} aria-hidden />}
          aria-label={`Tirar o filtro ${NOMES[campo]} ${filtro[campo]}`}
          onClick={() => mudar({ [campo]: '' })}
        >
          {NOMES[campo]}: {filtro[campo]}
        </Button>
      ))}
    </Group>
  );
}
