import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconCloudX } from '@tabler/icons-react';
import { useConsulta } from '../../api/consulta.ts';
import { plural } from '../../formatos/numeros.ts';
import { Elo } from '../../partes/elo.tsx';
import { Gravidade, SERVICOS } from '../captura/gravidade.tsx';

const DE_NOVO_MS = 60_000;
const LINHAS = 5;

/** Clients whose capture stands still or asks for somebody; nothing where all is well, or nothing is captured. */
export function CapturaParada() {
  const { data } = useConsulta(
    'GET /captura',
    { query: { so: 'problemas', Tamanho: LINHAS } },
    { repetir: DE_NOVO_MS },
  );
  if (!data || data.total === 0) return null;
  const { parada } = data.contagens;
  return (
    <Alert
      color={parada > 0 ? 'red' : 'orange'}
      icon={<IconCloudX size={20} />}
      title={`Captura: ${plural(data.total, 'cliente')} ${data.total === 1 ? 'pede' : 'pedem'} atenção`}
    >
      <Stack gap={6}>
        {data.itens.map(({ cpfCnpj, nome, servicos }) => (
          <Group key={cpfCnpj} gap="xs">
            <Elo para={`/captura/${cpfCnpj}`} size="sm" fw={600}>
              {nome}
            </Elo>
            {servicos
              .filter(
                ({ ligada, gravidade }) => ligada && (gravidade === 'parada' || gravidade === 'atencao'),
              )
              .map(({ servico, gravidade, ligada, titulo }) => (
                <Gravidade
                  key={servico}
                  gravidade={gravidade}
                  ligada={ligada}
                  titulo={`${SERVICOS[servico] ?? servico}: ${titulo}`}
                />
              ))}
          </Group>
        ))}
        <Text size="sm">
          <Elo para="/captura?so=problemas" underline="always">
            {data.total > LINHAS ? `Ver os ${data.total}` : 'Ver a captura'}
          </Elo>
        </Text>
      </Stack>
    </Alert>
  );
}
