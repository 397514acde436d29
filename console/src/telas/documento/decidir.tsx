import { Button, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import { useConfirmacao } from '../../partes/confirmar.tsx';
import { Erro } from '../../partes/estados.tsx';
import { Botoes } from '../../partes/formulario.tsx';
import { usePapel } from '../../sessao/sessao.tsx';

const RENOVA = ['GET /documentos/{id}', 'GET /documentos', 'GET /documentos/contagens'] as const;
const MENOR_MOTIVO = 5;

/** Asks why, since what is decided here is written down, and does it. */
function Decisao({
  rotulo,
  pergunta,
  detalhe,
  decidir,
}: {
  rotulo: string;
  pergunta: string;
  detalhe: ReactNode;
  decidir: (motivo: string) => Promise<unknown>;
}) {
  const [motivo, setMotivo] = useState('');
  const { aberto, abrir, fechar, ocupado, falha, confirmar } = useConfirmacao(() => decidir(motivo.trim()));
  return (
    <>
      <Button size="xs" variant="default" onClick={abrir}>
        {rotulo}
      </Button>
      <Modal opened={aberto} onClose={fechar} title={pergunta}>
        <Stack>
          <Text size="sm">{detalhe}</Text>
          <Textarea
            label="Por quê"
            description="Fica escrito na auditoria, com o seu nome."
            value={motivo}
            minRows={2}
            maxLength={500}
            onChange={(event) => setMotivo(event.currentTarget.value)}
            data-autofocus
          />
          {falha !== null && <Erro falha={falha} />}
          <Botoes fechar={fechar}>
            <Button
              disabled={motivo.trim().length < MENOR_MOTIVO}
              loading={ocupado}
              onClick={() => void confirmar()}
            >
              {rotulo}
            </Button>
          </Botoes>
        </Stack>
      </Modal>
    </>
  );
}

/** Sets aside what says, unproven, that the document was cancelled, or takes that back. */
export function Desconsiderar({ id, volta }: { id: number; volta: boolean }) {
  const pode = usePapel('administrador', 'operador');
  const desconsiderar = useAcao('POST /documentos/{id}/desconsiderar', { renova: RENOVA });
  const reconsiderar = useAcao('POST /documentos/{id}/reconsiderar', { renova: RENOVA });
  if (!pode) return null;
  return volta ? (
    <Decisao
      rotulo="Voltar a considerar"
      pergunta="Voltar a considerar o que foi desconsiderado?"
      detalhe="A situação do documento volta a ser a que ele diz."
      decidir={(motivo) => reconsiderar.mutateAsync({ caminho: { id }, corpo: { motivo } })}
    />
  ) : (
    <Decisao
      rotulo="Desconsiderar"
      pergunta="Desconsiderar o que nada prova?"
      detalhe="O documento volta à situação que está provada. Nada é apagado, e quem lê pela integração é avisado."
      decidir={(motivo) => desconsiderar.mutateAsync({ caminho: { id }, corpo: { motivo } })}
    />
  );
}

/** Chooses which of versions with equal proof is delivered. */
export function Escolher({ id, versaoId }: { id: number; versaoId: number }) {
  const pode = usePapel('administrador', 'operador');
  const escolher = useAcao('POST /documentos/{id}/versoes/{versaoId}/escolher', { renova: RENOVA });
  if (!pode) return null;
  return (
    <Decisao
      rotulo="Entregar esta"
      pergunta="Entregar esta versão no lugar da outra?"
      detalhe="As duas têm prova igual. A que você escolher passa a ser a entregue, até chegar outra de prova mais forte."
      decidir={(motivo) => escolher.mutateAsync({ caminho: { id, versaoId }, corpo: { motivo } })}
    />
  );
}
