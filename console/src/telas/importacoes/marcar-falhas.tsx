import { Button, Modal, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import type { Opcoes } from '../../api/rotas.ts';
import { plural } from '../../formatos/numeros.ts';
import { avisar } from '../../partes/avisos.ts';
import { Formulario } from '../../partes/formulario.tsx';

type Corpo = Opcoes<'POST /falhas/marcar'>['corpo'];

interface Props {
  codigo: string;
  quantas: number;
  /** When the list was made: what came since stays open. */
  ate: string | null;
  /** Only these; otherwise all of the cause. */
  itens?: Corpo['itens'];
}

/** Says that failures are seen or solved, and why. */
export function MarcarFalhas(props: Props) {
  const [aberto, setAberto] = useState(false);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAberto(true)}>
        {props.itens ? 'Dar por vista ou resolvida' : 'Dar todas por vistas ou resolvidas'}
      </Button>
      <Modal opened={aberto} onClose={() => setAberto(false)} title={plural(props.quantas, 'falha')}>
        {aberto && <Marcar {...props} fechar={() => setAberto(false)} />}
      </Modal>
    </>
  );
}

function Marcar({ codigo, ate, itens, fechar }: Props & { fechar: () => void }) {
  const [situacao, setSituacao] = useState<Corpo['situacao']>('resolvido');
  const [motivo, setMotivo] = useState('');
  const marcar = useAcao('POST /falhas/marcar', {
    renova: ['GET /falhas', 'GET /falhas/itens', 'GET /inicio'],
    aoDarCerto: ({ falhas }) => {
      avisar(`${plural(falhas, 'falha')} a menos. O seu nome e o motivo ficam na lista e na auditoria.`);
      fechar();
    },
  });
  const corpo = { codigo, situacao, motivo, ...(itens ? { itens } : {}), ...(ate ? { ate } : {}) };
  return (
    <Formulario
      acao={marcar}
      botao="Guardar"
      aoEnviar={() => marcar.mutate({ corpo })}
      fechar={fechar}
      noValidate={false}
    >
      <Radio.Group
        label="O que houve"
        value={situacao}
        onChange={(valor) => setSituacao(valor as Corpo['situacao'])}
      >
        <Stack gap={6} mt={6}>
          <Radio value="resolvido" label="Resolvida: não há mais o que fazer" />
          <Radio value="visto" label="Vista: alguém já cuida dela" />
        </Stack>
      </Radio.Group>
      <Textarea
        label="Por quê"
        description="Quem olhar depois vai ler."
        value={motivo}
        onChange={(event) => setMotivo(event.currentTarget.value)}
        maxLength={300}
        autosize
        minRows={2}
        required
        data-autofocus
      />
      <Text size="xs" c="dimmed">
        Sai da lista e da conta do Início, e pode voltar em “Vistas e resolvidas”.
      </Text>
    </Formulario>
  );
}
