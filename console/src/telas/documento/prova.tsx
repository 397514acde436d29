import { Alert, Group, List, Stack, Text } from '@mantine/core';
import type { DocumentoAberto } from './aberto.ts';
import { Desconsiderar } from './decidir.tsx';
import { CORES, ICONES } from './graus.ts';

type Prova = NonNullable<DocumentoAberto['vereditos']>['prova'];

/** Each part of a proof by itself: an icon, its name, and how it is. */
export function PartesDaProva({ prova }: { prova: Prova }) {
  if (prova.partes.length === 0) return null;
  return (
    <List size="sm" spacing={2} listStyleType="none" withPadding={false}>
      {prova.partes.map(({ nome, grau, texto }) => {
        const Icone = ICONES[grau];
        return (
          <List.Item key={nome}>
            <Group gap={6} wrap="nowrap" align="flex-start">
              <Icone
                size={15}
                color={`var(--mantine-color-${CORES[grau]}-text)`}
                style={{ flex: 'none', marginTop: 3 }}
                aria-hidden
              />
              <Text size="sm" className="quebra">
                <b>{nome}:</b> {texto}
              </Text>
            </Group>
          </List.Item>
        );
      })}
    </List>
  );
}

/** What the status rests on, where that is not proven or was set aside, and what may be done about it. */
export function SituacaoSemProva({ aberto }: { aberto: DocumentoAberto }) {
  const { id, marcado, status, podeDesconsiderar, podeReconsiderar, classe } = aberto;
  if (!marcado && !podeDesconsiderar && !podeReconsiderar) return null;
  const evento = classe === 'evento';
  return (
    <Stack gap="sm" className="sem-impressao">
      {(marcado || podeDesconsiderar) && (
        <Alert color="orange" title={evento ? 'Nada prova este evento' : `Nada prova a situação “${status}”`}>
          <Stack gap="xs" align="flex-start">
            <Text size="sm">
              {evento
                ? 'O que ele muda no documento está marcado como só declarado, até chegar o evento assinado por quem o registrou.'
                : 'O XML entregue continua a ser o que está provado. Para provar o cancelamento, envie o XML do evento assinado por quem emitiu; se ele não for verdadeiro, abra o evento na linha do tempo, ou desconsidere-o aqui.'}
            </Text>
            {podeDesconsiderar && <Desconsiderar id={id} volta={false} />}
          </Stack>
        </Alert>
      )}
      {podeReconsiderar && (
        <Alert color="gray" title="Algo foi desconsiderado">
          <Stack gap="xs" align="flex-start">
            <Text size="sm">
              Uma pessoa desconsiderou o que nada provava; está guardado e pode voltar a valer.
            </Text>
            <Desconsiderar id={id} volta />
          </Stack>
        </Alert>
      )}
    </Stack>
  );
}
