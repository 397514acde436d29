import '@mantine/dropzone/styles.css';
import { ActionIcon, Button, Group, Paper, Progress, ScrollArea, Stack, Text, Tooltip } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconCheck, IconCloudUpload, IconFolder, IconRefresh, IconX } from '@tabler/icons-react';
import { memo, useRef } from 'react';
import { formatarBytes, formatInteiro, plural } from '../../formatos/numeros.ts';
import { Elo } from '../../partes/elo.tsx';
import {
  cleanEnvios,
  type Envio,
  FASES,
  type FaseDoEnvio,
  type Retrato,
  sendArquivos,
  tentarDeNovo,
  terminou,
  tryAllAgain,
  useEnvios,
} from './envios.ts';
import { TotaisDoEnvio } from './totais-do-envio.tsx';

/** Where files are dropped, and how those that were are getting on. */
export function Entrega() {
  const retrato = useEnvios();
  const pasta = useRef<HTMLInputElement>(null);
  const abrir = useRef<() => void>(null);
  return (
    <Paper className="folha sem-impressao" p="sm">
      <Stack gap="sm">
        <Dropzone
          onDrop={(files) => sendArquivos(files)}
          openRef={abrir}
          activateOnClick={false}
          activateOnKeyboard={false}
          inputProps={{ 'aria-label': 'Arquivos para enviar' }}
          tabIndex={-1}
          p="lg"
          radius="md"
          role="group"
          aria-label="Solte aqui os arquivos"
        >
          <Group justify="center" gap="lg" mih={92}>
            <IconCloudUpload size={44} stroke={1.4} aria-hidden color="var(--mantine-primary-color-filled)" />
            <div>
              <Text fw={600}>Solte aqui arquivos .xml ou .zip, ou uma pasta inteira</Text>
              <Text size="sm" c="dimmed">
                Até 30 MB cada um. O que já estava aqui não se repete.
              </Text>
              <Group gap="xs" mt="sm">
                <Button size="xs" onClick={() => abrir.current?.()}>
                  Escolher arquivos
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconFolder size={15} />}
                  onClick={() => pasta.current?.click()}
                >
                  Escolher uma pasta
                </Button>
                <input
                  ref={pasta}
                  type="file"
                  hidden
                  multiple
                  aria-label="Pasta para enviar"
                  {...{ webkitdirectory: '' }}
                  onChange={(event) => {
                    sendArquivos([...(event.currentTarget.files ?? [])]);
                    event.currentTarget.value = '';
                  }}
                />
              </Group>
            </div>
          </Group>
        </Dropzone>
        {retrato.total > 0 && <Andamento retrato={retrato} />}
      </Stack>
    </Paper>
  );
}

/** How the rest of each phase is told, behind those at view. */
const RESTO: Readonly<Record<FaseDoEnvio, (quantos: number) => string>> = {
  enviando: () => 'sendo enviados',
  falhou: (quantos) => (quantos === 1 ? 'falhou' : 'falharam'),
  'com erro': () => 'com erro',
  processando: () => 'em processamento',
  'na fila': () => 'na fila',
  pronto: (quantos) => (quantos === 1 ? 'pronto' : 'prontos'),
};

function Andamento({ retrato }: { retrato: Retrato }) {
  const { total, quantos, repetiveis, pausado, aVista } = retrato;
  const terminados = FASES.filter(terminou).reduce((soma, fase) => soma + quantos[fase], 0);
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text size="sm" fw={600} aria-live="polite">
          {terminados === total
            ? plural(total, 'arquivo terminado', 'arquivos terminados')
            : `${formatInteiro(terminados)} de ${plural(total, 'arquivo')}`}
          {quantos['na fila'] > 0 && (
            <Text span size="sm" c="dimmed" fw={400}>
              {`, ${formatInteiro(quantos['na fila'])} na fila`}
            </Text>
          )}
        </Text>
        <Group gap="xs">
          {repetiveis > 1 && (
            <Button
              size="compact-xs"
              variant="light"
              leftSection={<IconRefresh size={14} />}
              onClick={tryAllAgain}
            >
              Enviar de novo os {formatInteiro(repetiveis)} que falharam
            </Button>
          )}
          {terminados > 0 && (
            <Button size="compact-xs" variant="subtle" color="gray" onClick={cleanEnvios}>
              Limpar terminados
            </Button>
          )}
        </Group>
      </Group>
      <Progress value={(terminados / total) * 100} size="sm" aria-label="Arquivos terminados" />
      {pausado && quantos['na fila'] > 0 && (
        <Text size="xs" c="dimmed">
          O servidor pediu uma pausa de até um minuto; o envio continua sozinho.
        </Text>
      )}
      {terminados === total && <TotaisDoEnvio key={terminados} terminados={terminados} />}
      <ScrollArea.Autosize
        mah={260}
        type="auto"
        offsetScrollbars="present"
        viewportProps={{ tabIndex: 0, 'aria-label': 'Arquivos enviados' }}
      >
        <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {FASES.flatMap((fase) => {
            const resto = quantos[fase] - aVista[fase].length;
            return [
              ...aVista[fase].map((envio) => <Um key={envio.chave} envio={envio} />),
              resto > 0 && (
                <Text key={fase} component="li" size="xs" c="dimmed" py={4}>
                  + {formatInteiro(resto)} {RESTO[fase](resto)}
                </Text>
              ),
            ];
          })}
        </Stack>
      </ScrollArea.Autosize>
    </Stack>
  );
}

/** Drawn again only when its own file has got on. */
const Um = memo(({ envio }: { envio: Envio }) => {
  const { chave, nome, tamanho, fase, enviado, id, mensagem, recusado } = envio;
  return (
    <Group component="li" gap="sm" wrap="nowrap" py={4}>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" truncate>
          {id ? <Elo para={`/importacoes/${id}`}>{nome}</Elo> : nome}
        </Text>
        {mensagem && (
          <Text size="xs" c={fase === 'pronto' ? 'dimmed' : 'var(--mantine-color-error)'}>
            {mensagem}
          </Text>
        )}
      </div>
      <Text size="xs" c="dimmed" w={64} ta="right">
        {formatarBytes(tamanho)}
      </Text>
      <Group w={110} gap={6} wrap="nowrap" justify="flex-end">
        {fase === 'enviando' ? (
          <Progress value={enviado * 100} w={100} size="sm" aria-label={`Envio de ${nome}`} />
        ) : (
          <>
            {fase === 'pronto' && <IconCheck size={16} color="var(--mantine-color-teal-6)" aria-hidden />}
            {(fase === 'falhou' || fase === 'com erro') && (
              <IconX size={16} color="var(--mantine-color-error)" aria-hidden />
            )}
            <Text size="xs">{fase}</Text>
          </>
        )}
        {fase === 'falhou' && !recusado && (
          <Tooltip label="Enviar de novo">
            <ActionIcon
              size="sm"
              variant="subtle"
              aria-label={`Enviar ${nome} de novo`}
              onClick={() => tentarDeNovo(chave)}
            >
              <IconRefresh size={15} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
    </Group>
  );
});
