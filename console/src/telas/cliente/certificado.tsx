import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCertificate, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import { formatDia } from '../../formatos/datas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { avisar } from '../../partes/avisos.ts';
import { Confirmar } from '../../partes/confirmar.tsx';
import { Validade } from '../clientes/validade.tsx';
import type { ClienteAberto } from './aberto.ts';
import { EnviarCertificado, RENOVA } from './enviar-certificado.tsx';

/** The A1 certificate: what there is, and another one, judged before it is stored. */
export function Certificado({ cliente }: { cliente: ClienteAberto }) {
  const { cpfCnpj, certificado } = cliente;
  const [trocando, setTrocando] = useState(false);
  const apagar = useAcao('DELETE /clientes/{cpfCnpj}/certificado', {
    renova: RENOVA,
    aoDarCerto: () => avisar('Certificado apagado.'),
  });
  return (
    <Paper className="folha" p="md">
      <Stack>
        <Title order={2}>Certificado A1</Title>
        {certificado ? (
          <Stack gap={4}>
            <Text size="sm" fw={600}>
              {formatarCpfCnpj(certificado.titular)}
            </Text>
            <Group justify="space-between">
              <Validade certificado={certificado} />
              <Text size="sm" c="dimmed">
                até {formatDia(certificado.validoAte)}
              </Text>
            </Group>
          </Stack>
        ) : (
          <Text size="sm" c="dimmed">
            Nenhum certificado guardado.
          </Text>
        )}
        <OQueFaz />
        {trocando ? (
          <EnviarCertificado cpfCnpj={cpfCnpj} fechar={() => setTrocando(false)} />
        ) : (
          <Group>
            <Button
              variant={certificado ? 'default' : 'filled'}
              leftSection={<IconCertificate size={16} />}
              onClick={() => setTrocando(true)}
            >
              {certificado ? 'Trocar o certificado' : 'Enviar um certificado'}
            </Button>
            {certificado && (
              <Confirmar
                pergunta="Apagar o certificado deste cliente?"
                acao="Apagar"
                aoConfirmar={() => apagar.mutateAsync({ caminho: { cpfCnpj } })}
              >
                {(open) => (
                  <Button variant="subtle" color="red" leftSection={<IconTrash size={16} />} onClick={open}>
                    Apagar
                  </Button>
                )}
              </Confirmar>
            )}
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

/** Said where it is handed over: what happens with it, and what does not by itself. */
function OQueFaz() {
  return (
    <Text size="sm" c="dimmed">
      Fica selado no servidor e nunca sai dele. Guardado, só se vigia o fim da sua validade. Ele busca NF-e,
      CT-e e NFS-e nos serviços nacionais apenas depois que a captura for ligada, para este cliente e em cada
      serviço.
    </Text>
  );
}
