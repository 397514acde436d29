import { Anchor, Paper, Stack, Table, Text } from '@mantine/core';
import { endereco } from '../../api/chamar.ts';
import { formatarInstante } from '../../formatos/datas.ts';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import type { DocumentoAberto } from './documento.tsx';

/** Versions of one key side by side: what is the same is left out. */
export function Conflito({ aberto }: { aberto: DocumentoAberto }) {
  const { documento, versoes, diferencas } = aberto;
  return (
    <Paper className="folha" style={{ overflow: 'hidden' }}>
      <Stack gap={0}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls the wide table with the arrow keys */}
        <section className="rolagem" tabIndex={0} aria-label="Versões lado a lado">
          <Table className="tabela" withColumnBorders>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Campo</Table.Th>
                {versoes.map((versao, at) => (
                  <Table.Th key={versao.id}>
                    Versão {at + 1} {versao.servida && <Etiqueta cor="teal">a que vale</Etiqueta>}
                    <Text size="xs" fw={400}>
                      {formatarInstante(versao.importadaEm)} ·{' '}
                      <Anchor
                        size="xs"
                        href={endereco('GET /documentos/{id}/versoes/{versaoId}/xml', {
                          caminho: { id: documento.id, versaoId: versao.id },
                        })}
                        download
                      >
                        XML
                      </Anchor>
                    </Text>
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {diferencas.map(({ campo, valores }) => (
                <Table.Tr key={campo}>
                  <Table.Th scope="row">{campo}</Table.Th>
                  {valores.map((valor, at) => (
                    <Table.Td key={versoes[at]?.id ?? at} className="quebra">
                      {valor || '–'}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
        {diferencas.length === 0 && (
          <Text size="sm" c="dimmed" p="md">
            As versões dizem o mesmo; diferem na forma, ou no protocolo de autorização.
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
