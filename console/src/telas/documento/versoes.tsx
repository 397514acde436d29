import { Anchor, Group, Paper, Stack, Table, Text } from '@mantine/core';
import { endereco } from '../../api/chamar.ts';
import { formatInstante } from '../../formatos/datas.ts';
import { formatarBytes } from '../../formatos/numeros.ts';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import type { DocumentoAberto } from './aberto.ts';
import { Escolher } from './decidir.tsx';
import { PartesDaProva } from './prova.tsx';

type Versao = DocumentoAberto['versoes'][number];

/** Versions of one key: the one that counts, and each other beside it, where they differ. */
export function Versoes({ id, versoes }: { id: number; versoes: readonly Versao[] }) {
  return (
    <Stack gap="md">
      {versoes.map((versao) => (
        <Paper key={versao.id} className="folha" style={{ overflow: 'hidden' }}>
          <Group justify="space-between" p="md" gap="xs">
            <Group gap="xs">
              {versao.servida ? (
                <Etiqueta cor="teal">{versao.escolhida ? 'a que vale, escolhida' : 'a que vale'}</Etiqueta>
              ) : (
                <Etiqueta cor="orange">outra</Etiqueta>
              )}
              <Text size="sm">
                {formatInstante(versao.importadaEm)}, {formatarBytes(versao.tamanho)}
              </Text>
            </Group>
            <Group gap="sm">
              {versao.podeEscolher && <Escolher id={id} versaoId={versao.id} />}
              <Anchor
                size="sm"
                href={endereco('GET /documentos/{id}/versoes/{versaoId}/xml', {
                  caminho: { id, versaoId: versao.id },
                })}
                download
              >
                Baixar este XML
              </Anchor>
            </Group>
          </Group>
          <Stack gap={4} px="md" pb="sm">
            <Text size="sm" fw={600}>
              {versao.vereditos.prova.texto}
            </Text>
            <PartesDaProva prova={versao.vereditos.prova} />
          </Stack>
          {!versao.servida && <Diferencas versao={versao} />}
        </Paper>
      ))}
    </Stack>
  );
}

function Diferencas({ versao }: { versao: Versao }) {
  if (versao.diferencas.length === 0) {
    return (
      <Text size="sm" c="dimmed" p="md" pt={0}>
        Diz o mesmo que a que vale; difere só na forma ou na assinatura.
      </Text>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls the wide table with the arrow keys
    <section className="rolagem" tabIndex={0} aria-label="Diferenças lado a lado">
      <Table className="tabela" withColumnBorders>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Campo</Table.Th>
            <Table.Th>Na que vale</Table.Th>
            <Table.Th>Nesta</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {versao.diferencas.map(({ campo, elemento, servida, outra }) => (
            <Table.Tr key={elemento}>
              <Table.Th scope="row" title={elemento}>
                {campo}
              </Table.Th>
              <Table.Td className="quebra">{servida ?? '–'}</Table.Td>
              <Table.Td className="quebra">{outra ?? '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
