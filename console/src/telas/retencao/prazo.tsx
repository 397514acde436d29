import { Button, Modal, NumberInput, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import { avisar } from '../../partes/avisos.ts';
import { Formulario } from '../../partes/formulario.tsx';
import { modeloPorExtenso } from './modelos.ts';

/** Changes the term of one kind of document. */
export function BotaoDePrazo({ modelo, meses }: { modelo: string; meses: number }) {
  const [aberto, { open, close }] = useDisclosure(false);
  const nome = modeloPorExtenso(modelo);
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconPencil size={14} />}
        aria-label={`Alterar o prazo: ${nome}`}
        onClick={open}
      >
        Alterar
      </Button>
      <Modal opened={aberto} onClose={close} title={`Prazo de guarda: ${nome}`}>
        {aberto && <Mudar modelo={modelo} meses={meses} fechar={close} />}
      </Modal>
    </>
  );
}

function Mudar({ modelo, meses, fechar }: { modelo: string; meses: number; fechar: () => void }) {
  const [valor, setValor] = useState<number | string>(meses);
  const gravar = useAcao('PUT /retencao/prazo', {
    renova: ['GET /retencao'],
    aoDarCerto: () => {
      avisar('Prazo gravado.');
      fechar();
    },
  });
  const enviar = (novo: number | null) => gravar.mutate({ corpo: { modelo, meses: novo } });
  return (
    <Formulario
      acao={gravar}
      botao="Salvar"
      aoEnviar={() => enviar(Number(valor))}
      fechar={fechar}
      outro={
        <Button variant="default" onClick={() => enviar(null)} loading={gravar.isPending}>
          Voltar ao padrão
        </Button>
      }
    >
      <NumberInput
        label="Meses, a partir da emissão"
        description="De 60 (cinco anos) a 1.200. O padrão é 132, onze anos."
        data-autofocus
        allowDecimal={false}
        allowNegative={false}
        value={valor}
        onChange={setValor}
      />
      <Text size="sm" c="dimmed">
        Encurtar o prazo não exclui nada: só muda o que a prévia mostra como vencido.
      </Text>
    </Formulario>
  );
}
