import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { Erro } from './estados.tsx';

/** Asks before something that cannot be taken back. */
export function Confirmar({
  pergunta,
  detalhe,
  acao,
  aoConfirmar,
  children,
}: {
  pergunta: string;
  detalhe?: ReactNode;
  acao: string;
  aoConfirmar: () => Promise<unknown>;
  children: (open: () => void) => ReactNode;
}) {
  const [aberto, { open, close }] = useDisclosure(false);
  const [ocupado, setOcupado] = useState(false);
  const [falha, setFalha] = useState<unknown>(null);
  const perguntar = () => {
    // What failed the last time says nothing of this one.
    setFalha(null);
    open();
  };
  const confirmar = async () => {
    setOcupado(true);
    setFalha(null);
    try {
      await aoConfirmar();
      close();
    } catch (error) {
      setFalha(error);
    } finally {
      setOcupado(false);
    }
  };
  return (
    <>
      {children(perguntar)}
      <Modal opened={aberto} onClose={close} title={pergunta}>
        <Stack>
          {detalhe && (
            <Text size="sm" component="div">
              {detalhe}
            </Text>
          )}
          {falha !== null && <Erro falha={falha} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancelar
            </Button>
            <Button color="red" loading={ocupado} onClick={() => void confirmar()}>
              {acao}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
