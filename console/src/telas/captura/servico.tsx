import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconPlayerPause,
  IconPower,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAcao } from '../../api/consulta.ts';
import { formatDia, formatHaQuanto, formatInstante } from '../../formatos/datas.ts';
import { formatInteiro } from '../../formatos/numeros.ts';
import { avisar } from '../../partes/avisos.ts';
import { Erro } from '../../partes/estados.tsx';
import { corDaGravidade, Gravidade } from './gravidade.tsx';
import { Desligar, Ligar, Passiva } from './ligar.tsx';
import type { ServicoVisto } from './visto.ts';

type Porque = ServicoVisto['porques'][number];

const ICONES = {
  parada: IconPlayerPause,
  atencao: IconAlertTriangle,
  espera: IconClock,
  bem: IconCircleCheck,
} as const;

/** One service of a client: why nothing came, what to do, and the facts. */
export function Servico({ cpfCnpj, servico }: { cpfCnpj: string; servico: ServicoVisto }) {
  const { nome, ligada, porques } = servico;
  const [primeira, ...outras] = porques;
  return (
    <Paper className="folha" p="md" component="section" aria-label={nome}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2}>{nome}</Title>
          <Gravidade gravidade={primeira?.gravidade ?? 'bem'} ligada={ligada} />
        </Group>
        {primeira && <Causa porque={primeira} ligada={ligada} />}
        {outras.map((porque) => (
          <Causa key={porque.causa} porque={porque} ligada={ligada} />
        ))}
        {ligada && <Fatos servico={servico} />}
        <Acoes cpfCnpj={cpfCnpj} servico={servico} />
      </Stack>
    </Paper>
  );
}

const QUEM: Readonly<Record<string, string | null>> = {
  ninguem: null,
  escritorio: 'Quem resolve: o escritório',
  operador: 'Quem resolve: quem cuida do servidor',
};

function Causa({ porque, ligada }: { porque: Porque; ligada: boolean }) {
  const { causa, gravidade, titulo, diz, fazer, quem } = porque;
  const Icone = ligada ? (ICONES[gravidade as keyof typeof ICONES] ?? IconCircleCheck) : IconPower;
  return (
    <Alert
      color={corDaGravidade(gravidade, ligada)}
      icon={<Icone size={20} />}
      title={titulo}
      data-causa={causa}
    >
      <Stack gap={6}>
        <Text size="sm">{diz}</Text>
        <Text size="sm">
          <b>O que fazer:</b> {fazer}
        </Text>
        {QUEM[quem] && (
          <Text size="xs" c="dimmed">
            {QUEM[quem]}.
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

function Fatos({ servico }: { servico: ServicoVisto }) {
  const { ultimaEm, ultimaResposta, proximaEm, ultNsu, maxNsu, certificado, bloqueadaAte } = servico;
  const pares: [string, string][] = [
    [
      'Última consulta',
      ultimaEm ? `${formatInstante(ultimaEm)} (${formatHaQuanto(ultimaEm)})` : 'nenhuma ainda',
    ],
    ['Última resposta', ultimaResposta ? `${ultimaResposta.diz} (${ultimaResposta.codigo})` : '–'],
    ['Próxima consulta', proximaEm ? formatInstante(proximaEm) : 'nenhuma marcada'],
    ...(bloqueadaAte ? [['Bloqueada até', formatInstante(bloqueadaAte)] as [string, string]] : []),
    [
      'Buscado até',
      maxNsu > 0 ? `${formatInteiro(ultNsu)} de ${formatInteiro(maxNsu)}` : formatInteiro(ultNsu),
    ],
    ['Documentos buscados', formatInteiro(servico.documentos)],
    ['Último documento', formatHaQuanto(servico.ultimoDocumentoEm)],
    ['Certificado', certificado ? `vale até ${formatDia(certificado.validoAte)}` : 'nenhum'],
  ];
  return (
    <dl className="pares">
      {pares.map(([rotulo, valor]) => (
        <div key={rotulo}>
          <dt>{rotulo}</dt>
          <dd>{valor}</dd>
        </div>
      ))}
    </dl>
  );
}

function Acoes({ cpfCnpj, servico }: { cpfCnpj: string; servico: ServicoVisto }) {
  const { ligada, passiva, porques } = servico;
  const [, irPara] = useLocation();
  const acoes = new Set(porques.flatMap((porque) => porque.acoes));
  if (!ligada) return <Ligar cpfCnpj={cpfCnpj} servico={servico} />;
  return (
    <Group gap="xs">
      {acoes.has('certificado') && (
        <Button onClick={() => irPara(`/clientes/${cpfCnpj}`)}>Enviar o certificado</Button>
      )}
      {acoes.has('importar') && (
        <Button variant="default" onClick={() => irPara('/importacoes')}>
          Importar documentos
        </Button>
      )}
      {passiva ? (
        <Ligar cpfCnpj={cpfCnpj} servico={servico} rotulo="Voltar a consultar" />
      ) : (
        <Passiva cpfCnpj={cpfCnpj} servico={servico} />
      )}
      <Desligar cpfCnpj={cpfCnpj} servico={servico} />
      {!passiva && <CapturarAgora cpfCnpj={cpfCnpj} servico={servico.servico} />}
    </Group>
  );
}

/** The wish is kept and obeys the service's clock; the answer says when. */
function CapturarAgora({ cpfCnpj, servico }: { cpfCnpj: string; servico: ServicoVisto['servico'] }) {
  const [dito, setDito] = useState<string | null>(null);
  const capturar = useAcao('POST /captura/{cpfCnpj}/{servico}/capturar', {
    renova: ['GET /captura/{cpfCnpj}'],
    aoDarCerto: ({ mensagem }) => {
      setDito(mensagem);
      avisar(mensagem);
    },
  });
  return (
    <>
      <Button
        variant="default"
        loading={capturar.isPending}
        onClick={() => capturar.mutate({ caminho: { cpfCnpj, servico } })}
      >
        Capturar agora
      </Button>
      {dito && (
        <Text size="sm" c="dimmed">
          {dito}
        </Text>
      )}
      {capturar.error && <Erro falha={capturar.error} />}
    </>
  );
}
