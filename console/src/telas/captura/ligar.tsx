import { Button, Checkbox, List, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import { avisar } from '../../partes/avisos.ts';
import { Confirmar, useConfirmacao } from '../../partes/confirmar.tsx';
import { Erro } from '../../partes/estados.tsx';
import { Botoes } from '../../partes/formulario.tsx';
import type { ServicoVisto } from './visto.ts';

interface DoServico {
  cpfCnpj: string;
  servico: ServicoVisto;
}

function useMudanca({ cpfCnpj, servico }: DoServico) {
  const mudar = useAcao('PUT /captura/{cpfCnpj}/{servico}', {
    renova: ['GET /captura/{cpfCnpj}', 'GET /captura'],
    aoDarCerto: ({ mensagem }) => avisar(mensagem),
  });
  return (corpo: { ligada: boolean; passiva?: boolean; consentimento?: boolean }) =>
    mudar.mutateAsync({ caminho: { cpfCnpj, servico: servico.servico }, corpo });
}

const COMECO: Readonly<Record<string, string>> = {
  nfe: 'Vêm as notas que outros emitem contra o cliente, a partir de hoje: a SEFAZ não entrega o passado, nem as notas que o próprio cliente emite. Notas de que ele é destinatário vêm primeiro em resumo.',
  cte: 'Vêm os conhecimentos de transporte de que o cliente é parte (tomador, remetente, destinatário), a partir de hoje.',
  nfse: 'Vêm as NFS-e que o ambiente nacional tem do cliente, como prestador ou tomador. As de cidades que não compartilham com ele não vêm.',
  nfce: 'Vêm as NFC-e que o próprio cliente emite em São Paulo, dos últimos 30 dias em diante. Só serve o certificado do estabelecimento que emite.',
};

/** Turns a service on, after saying what that does and asking whether the client has agreed. */
export function Ligar({ cpfCnpj, servico, rotulo = 'Ligar a captura' }: DoServico & { rotulo?: string }) {
  const mudar = useMudanca({ cpfCnpj, servico });
  const [consentiu, setConsentiu] = useState(false);
  const { aberto, abrir, fechar, ocupado, falha, confirmar } = useConfirmacao(() =>
    mudar({ ligada: true, consentimento: true }),
  );
  return (
    <>
      <Button onClick={abrir} style={{ alignSelf: 'flex-start' }}>
        {rotulo}
      </Button>
      <Modal opened={aberto} onClose={fechar} title={`Ligar a captura: ${servico.nome}`} size="lg">
        <Stack>
          <Text size="sm">{COMECO[servico.servico]}</Text>
          <List size="sm" spacing={4}>
            <List.Item>
              O Malote se apresenta ao serviço com o certificado A1 do cliente, em nome dele.
            </List.Item>
            <List.Item>
              Pergunta de hora em hora, nunca mais do que o serviço permite; a captura só lê, não declara
              nada.
            </List.Item>
            <List.Item>
              Se outro programa captura o mesmo CNPJ, os dois se atrapalham e o CNPJ pode ser bloqueado:
              desligue o outro antes, ou use o modo passivo.
            </List.Item>
            <List.Item>
              Quem ligou e quando fica na auditoria. Pode ser desligada a qualquer momento.
            </List.Item>
          </List>
          <Checkbox
            label="O cliente consentiu que o escritório busque os documentos dele com o certificado dele"
            checked={consentiu}
            onChange={(event) => setConsentiu(event.currentTarget.checked)}
          />
          {falha !== null && <Erro falha={falha} />}
          <Botoes fechar={fechar}>
            <Button disabled={!consentiu} loading={ocupado} onClick={() => void confirmar()}>
              Ligar
            </Button>
          </Botoes>
        </Stack>
      </Modal>
    </>
  );
}

function Perguntado({
  rotulo,
  pergunta,
  detalhe,
  acao,
  fazer,
}: {
  rotulo: string;
  pergunta: string;
  detalhe: ReactNode;
  acao: string;
  fazer: () => Promise<unknown>;
}) {
  return (
    <Confirmar pergunta={pergunta} detalhe={detalhe} acao={acao} aoConfirmar={fazer}>
      {(open) => (
        <Button variant="default" onClick={open}>
          {rotulo}
        </Button>
      )}
    </Confirmar>
  );
}

export function Passiva({ cpfCnpj, servico }: DoServico) {
  const mudar = useMudanca({ cpfCnpj, servico });
  return (
    <Perguntado
      rotulo="Modo passivo"
      pergunta="Seguir sem consultar?"
      detalhe="Outro programa continua a capturar este CNPJ, e o Malote não pergunta mais por novidades: só busca documentos que alguém pedir pela chave. O que o outro programa baixar precisa ser enviado ou importado aqui."
      acao="Pôr em modo passivo"
      fazer={() => mudar({ ligada: true, passiva: true })}
    />
  );
}

export function Desligar({ cpfCnpj, servico }: DoServico) {
  const mudar = useMudanca({ cpfCnpj, servico });
  return (
    <Perguntado
      rotulo="Desligar"
      pergunta={`Desligar a captura: ${servico.nome}?`}
      detalhe="O Malote não pergunta mais por este cliente. Depois de 60 dias sem consulta a SEFAZ deixa de separar documentos para ele, e esses não voltam. O que já veio fica."
      acao="Desligar"
      fazer={() => mudar({ ligada: false })}
    />
  );
}
