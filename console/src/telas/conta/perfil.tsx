import { Group, SegmentedControl, SimpleGrid, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { formatInteiro } from '../../formatos/numeros.ts';
import { PAPEIS_DE_USUARIO } from '../../partes/nomes.ts';
import { useSessao } from '../../sessao/sessao.tsx';

const par = (rotulo: string, valor: string): [string, string] => [rotulo, valor];

/** Companies by name; of very many, how many there are. */
const oQueVe = (clientes: readonly { nome: string; cpfCnpj: string }[]) =>
  clientes.length > 10
    ? `${formatInteiro(clientes.length)} empresas`
    : clientes.map(({ nome, cpfCnpj }) => `${nome}, ${formatarCpfCnpj(cpfCnpj)}`).join('; ');

export default function Perfil() {
  const { usuario, escritorio } = useSessao();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const pares: [string, string][] = [
    ['Nome', usuario.nome],
    ['E-mail', usuario.email],
    ['Papel', PAPEIS_DE_USUARIO[usuario.papel] ?? usuario.papel],
    ['Escritório', escritorio.nome],
    ['Código CRM', `${escritorio.codigoCrm}, pelo qual os sistemas integrados o conhecem (não é o CRC)`],
    ...(usuario.clientes
      ? [par(usuario.papel === 'cliente' ? 'Empresas' : 'Carteira', oQueVe(usuario.clientes))]
      : []),
  ];
  return (
    <Stack gap="lg" maw={720}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {pares.map(([rotulo, valor]) => (
          <div key={rotulo}>
            <Text size="xs" c="dimmed">
              {rotulo}
            </Text>
            <Text className="quebra">{valor}</Text>
          </div>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <Text size="sm" id="rotulo-das-cores">
          Cores da tela neste navegador
        </Text>
        <SegmentedControl
          aria-labelledby="rotulo-das-cores"
          value={colorScheme}
          onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}
          data={[
            { value: 'light', label: 'Claro' },
            { value: 'dark', label: 'Escuro' },
            { value: 'auto', label: 'Sistema' },
          ]}
        />
      </Group>
      <Text size="sm" c="dimmed">
        Nome e papel são mudados por um administrador do escritório, na aba Usuários.
      </Text>
    </Stack>
  );
}
