import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { Erro } from './estados.tsx';

/** A dialog that does something, stays open with what went wrong, and closes when it is done. */
export function useConfirmacao(fazer: () => Promise<unknown>) {
  const [aberto, { open, close }] = useDisclosure(false);
  const [ocupado, setOcupado] = useState(false);
  const [falha, setFalha] = useState<unknown>(null);
  const abrir = () => {
    // What failed the last time says nothing of this one.
    setFalha(null);
    open();
  };
  const confirmar = async () => {
    setOcupado(true);
    setFalha(null);
    try {
      await fazer();
      close();
    } catch (error) {
      setFalha(error);
    } finally {
      setOcupado(false);
    }
  };
  return { aberto, abrir, fechar: close, ocupado, falha, confirmar };
}

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
  const { aberto, abrir, fechar, ocupado, falha, confirmar } = useConfirmacao(aoConfirmar);
  return (
    <>
      {children(abrir)}
      <Modal opened={aberto} onClose={fechar} title={pergunta}>
        <Stack>
          {detalhe && (
            <Text size="sm" component="div">
              {detalhe}
            </Text>
          )}
          {falha !== null && <Erro falha={falha} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={fechar} data-autofocus>
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
