import { Group, Progress, Text, Tooltip } from '@mantine/core';
import type { Item } from '../../api/rotas.ts';
import { formatDia } from '../../formatos/datas.ts';
import { plural } from '../../formatos/numeros.ts';

type Certificado = Item<'GET /clientes'>['certificado'];

/** An A1 certificate lives for a year. */
const VIDA_DIAS = 365;

export function corDaValidade(dias: number): string {
  if (dias <= 7) return 'red';
  return dias <= 30 ? 'orange' : 'teal';
}

export const textoDaValidade = (dias: number) =>
  dias < 0
    ? `venceu há ${plural(-dias, 'dia')}`
    : dias === 0
      ? 'vence hoje'
      : `vence em ${plural(dias, 'dia')}`;

/** How much of the certificate's year is left. */
export function Validade({ certificado }: { certificado: Certificado }) {
  if (!certificado) {
    return (
      <Text size="sm" c="dimmed">
        nenhum
      </Text>
    );
  }
  const { dias, titular, validoAte } = certificado;
  return (
    <Tooltip label={`${titular}, até ${formatDia(validoAte)}`}>
      <Group gap="xs" wrap="nowrap">
        <Progress
          w={64}
          size="sm"
          value={Math.min(100, Math.max(4, (dias / VIDA_DIAS) * 100))}
          color={corDaValidade(dias)}
          aria-label={`Certificado: ${textoDaValidade(dias)}`}
        />
        <Text size="xs" className="junto" style={{ whiteSpace: 'nowrap' }}>
          {textoDaValidade(dias)}
        </Text>
      </Group>
    </Tooltip>
  );
}
