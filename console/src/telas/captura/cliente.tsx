import { Alert, Button, Group, Paper, SimpleGrid, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { IconSignature } from '@tabler/icons-react';
import { useLocation, useParams } from 'wouter';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { avisar } from '../../partes/avisos.ts';
import { Confirmar } from '../../partes/confirmar.tsx';
import { Elo } from '../../partes/elo.tsx';
import { Consultado, Erro } from '../../partes/estados.tsx';
import { Tela } from '../../partes/tela.tsx';
import { useClienteAtual } from '../../sessao/cliente-atual.tsx';
import { Servico } from './servico.tsx';

const DE_NOVO_MS = 10_000;

/** Everything that keeps a client's documents from coming, service by service, and what to do about it. */
export default function CapturaDoCliente() {
  const { cpfCnpj = '' } = useParams();
  const consulta = useConsulta('GET /captura/{cpfCnpj}', { caminho: { cpfCnpj } }, { repetir: DE_NOVO_MS });
  const { data } = consulta;
  return (
    <Tela
      titulo={data ? `Captura de ${data.nome}` : 'Captura'}
      descricao={
        <Group gap={4}>
          <Elo para="/captura" size="sm">
            Captura
          </Elo>
          <span aria-hidden>/</span>
          <Elo para={`/clientes/${cpfCnpj}`} size="sm">
            {formatarCpfCnpj(cpfCnpj)}
          </Elo>
        </Group>
      }
      acoes={data && <IrManifestar cpfCnpj={cpfCnpj} />}
    >
      <Consultado
        consulta={consulta}
        insiste
        esperando={
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Skeleton height={300} />
            <Skeleton height={300} />
          </SimpleGrid>
        }
      >
        {(captura) => (
          <Stack gap="md">
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
              {captura.servicos.map((servico) => (
                <Servico key={servico.servico} cpfCnpj={captura.cpfCnpj} servico={servico} />
              ))}
            </SimpleGrid>
            <Ciencia captura={captura} />
          </Stack>
        )}
      </Consultado>
    </Tela>
  );
}

function IrManifestar({ cpfCnpj }: { cpfCnpj: string }) {
  const { escolher } = useClienteAtual();
  const [, irPara] = useLocation();
  return (
    <Button
      variant="default"
      leftSection={<IconSignature size={16} />}
      onClick={() => {
        escolher(cpfCnpj);
        irPara('/manifestacao');
      }}
    >
      Manifestação
    </Button>
  );
}

const O_QUE_FAZ =
  'Cada resumo de nota (resNFe) que chegar recebe a Ciência da Operação, assinada com o certificado do cliente, sem que ninguém peça. Com ela a SEFAZ entrega o XML completo. Ela declara que o cliente sabe da nota; não confirma a operação, e a manifestação conclusiva continua a ser de alguém.';

function Ciencia({ captura }: { captura: Resposta<'GET /captura/{cpfCnpj}'> }) {
  const { cpfCnpj, cienciaAutomatica } = captura;
  const mudar = useAcao('PUT /captura/{cpfCnpj}/ciencia', {
    renova: ['GET /captura/{cpfCnpj}'],
    aoDarCerto: ({ mensagem }) => avisar(mensagem),
  });
  const set = (ligada: boolean) => mudar.mutateAsync({ caminho: { cpfCnpj }, corpo: { ligada } });
  return (
    <Paper className="folha" p="md">
      <Stack gap="xs">
        <Title order={2}>Ciência da Operação automática</Title>
        <Text size="sm">{O_QUE_FAZ}</Text>
        <Confirmar
          pergunta="Dar Ciência da Operação automática?"
          detalhe={O_QUE_FAZ}
          acao="Ligar"
          aoConfirmar={() => set(true)}
        >
          {(perguntar) => (
            <Switch
              label={
                cienciaAutomatica ? 'Ligada para este cliente' : 'Desligada: a Ciência só vai por pedido'
              }
              checked={cienciaAutomatica}
              disabled={mudar.isPending}
              onChange={(event) => {
                if (event.currentTarget.checked) perguntar();
                else void set(false).catch(() => undefined);
              }}
            />
          )}
        </Confirmar>
        {mudar.error && <Erro falha={mudar.error} />}
        {!cienciaAutomatica && (
          <Alert color="gray" p="xs">
            Sem Ciência nem outra manifestação, a SEFAZ só entrega o resumo das notas de que o cliente é
            destinatário.
          </Alert>
        )}
      </Stack>
    </Paper>
  );
}
