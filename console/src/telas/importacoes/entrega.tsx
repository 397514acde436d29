import '@mantine/dropzone/styles.css';
import { ActionIcon, Button, Group, Paper, Progress, ScrollArea, Stack, Text, Tooltip } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconCheck, IconCloudUpload, IconFolder, IconRefresh, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { formatarBytes, plural } from '../../formatos/numeros.ts';
import { Elo } from '../../partes/elo.tsx';
import { type Envio, enviarArquivos, limparEnvios, tentarDeNovo, useEnvios } from './envios.ts';

/** Where files are dropped, and how those that were are getting on. */
export function Entrega() {
  const envios = useEnvios();
  const pasta = useRef<HTMLInputElement>(null);
  const abrir = useRef<() => void>(null);
  return (
    <Paper className="folha" p="sm">
      <Stack gap="sm">
        <Dropzone
          onDrop={(files) => enviarArquivos(files)}
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
                    enviarArquivos([...(event.currentTarget.files ?? [])]);
                    event.currentTarget.value = '';
                  }}
                />
              </Group>
            </div>
          </Group>
        </Dropzone>
        {envios.length > 0 && <Andamento envios={envios} />}
      </Stack>
    </Paper>
  );
}

const TERMINADOS = new Set(['pronto', 'com erro', 'falhou']);

function Andamento({ envios }: { envios: readonly Envio[] }) {
  const prontos = envios.filter(({ fase }) => TERMINADOS.has(fase)).length;
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text size="sm" fw={600} aria-live="polite">
          {prontos === envios.length
            ? `${plural(envios.length, 'arquivo terminado', 'arquivos terminados')}`
            : `${prontos} de ${plural(envios.length, 'arquivo')}`}
        </Text>
        {prontos > 0 && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={limparEnvios}>
            Limpar terminados
          </Button>
        )}
      </Group>
      <Progress value={(prontos / envios.length) * 100} size="sm" aria-label="Arquivos terminados" />
      <ScrollArea.Autosize
        mah={260}
        type="auto"
        viewportProps={{ tabIndex: 0, 'aria-label': 'Arquivos enviados' }}
      >
        <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {envios.map((envio) => (
            <Um key={envio.chave} envio={envio} />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Stack>
  );
}

function Um({ envio }: { envio: Envio }) {
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
}
