import { Alert, Button, Checkbox, Modal, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import { plural } from '../../formatos/numeros.ts';
import { avisar } from '../../partes/avisos.ts';
import { useConfirmacao } from '../../partes/confirmar.tsx';
import { Erro } from '../../partes/estados.tsx';
import { Botoes } from '../../partes/formulario.tsx';

type Codigo = '210200' | '210210' | '210220' | '210240' | '610110';

/** Something that may be said, with what it means. */
export interface Opcao {
  codigo: Codigo;
  nome: string;
  efeito: string;
  justificativa: boolean;
  /** Why not; null: it may. */
  impedimento: string | null;
}

const RENOVA = ['GET /manifestacoes', 'GET /documentos/{id}/manifestacao'] as const;
const [MENOR, MAIOR] = [15, 255];

interface Pedido {
  cliente: string;
  chaves: readonly string[];
  opcoes: readonly Opcao[];
  aoPedir?: (() => void) | undefined;
}

/** What somebody has chosen and read so far, and sending it. */
function usePedido({ cliente, chaves, opcoes, aoPedir }: Pedido) {
  const [codigo, setCodigo] = useState<Codigo | null>(null);
  const [justificativa, setJustificativa] = useState('');
  const [leu, setLeu] = useState(false);
  const [recusadas, setRecusadas] = useState<readonly { chave: string; mensagem: string }[]>([]);
  const pedir = useAcao('POST /manifestacoes', { renova: RENOVA });
  const opcao = opcoes.find((uma) => uma.codigo === codigo) ?? null;
  const pedirTudo = async () => {
    if (!opcao) return;
    setRecusadas([]);
    const corpo = { cliente, codigo: opcao.codigo, chaves: [...chaves], confirmo: leu };
    const feito = await pedir.mutateAsync({
      corpo: opcao.justificativa ? { ...corpo, justificativa } : corpo,
    });
    setRecusadas(feito.recusadas);
    setLeu(false);
    if (feito.aceitas > 0) {
      avisar(`${opcao.nome}: ${plural(feito.aceitas, 'pedido')} a caminho da SEFAZ.`);
      aoPedir?.();
    }
    // The dialog stays open where something was refused.
    if (feito.recusadas.length > 0) throw new Error(resumo(feito.recusadas));
  };
  const pronta = opcao !== null && leu && (!opcao.justificativa || justificativa.trim().length >= MENOR);
  return {
    opcao,
    codigo,
    setCodigo,
    justificativa,
    setJustificativa,
    leu,
    setLeu,
    recusadas,
    pedirTudo,
    pronta,
  };
}

/** Chooses what to say, shows what it means in law, and sends nothing before somebody says that they have read it. */
export function Manifestar({ rotulo = 'Manifestar', ...dados }: Pedido & { rotulo?: string }) {
  const { chaves, opcoes } = dados;
  const pedido = usePedido(dados);
  const { opcao, recusadas } = pedido;
  const { aberto, abrir, fechar, ocupado, falha, confirmar } = useConfirmacao(pedido.pedirTudo);
  return (
    <>
      <Button onClick={abrir} disabled={chaves.length === 0}>
        {rotulo}
      </Button>
      <Modal
        opened={aberto}
        onClose={fechar}
        title={
          chaves.length === 0 ? 'Manifestar-se' : `Manifestar-se sobre ${plural(chaves.length, 'documento')}`
        }
        size="lg"
      >
        <Stack>
          <Escolha opcoes={opcoes} codigo={pedido.codigo} escolher={pedido.setCodigo} />
          {opcao && <Efeito opcao={opcao} leu={pedido.leu} setLeu={pedido.setLeu} />}
          {opcao?.justificativa && (
            <Textarea
              label="Justificativa"
              description={`De ${MENOR} a ${MAIOR} caracteres. Fica registrada na SEFAZ e é vista por quem emitiu.`}
              value={pedido.justificativa}
              minRows={2}
              maxLength={MAIOR}
              onChange={(event) => pedido.setJustificativa(event.currentTarget.value)}
            />
          )}
          {falha !== null && recusadas.length === 0 && <Erro falha={falha} />}
          {falha !== null && recusadas.length > 0 && <Recusadas recusadas={recusadas} />}
          <Botoes fechar={fechar}>
            <Button disabled={!pedido.pronta} loading={ocupado} onClick={() => void confirmar()}>
              Enviar à SEFAZ
            </Button>
          </Botoes>
        </Stack>
      </Modal>
    </>
  );
}

const resumo = (recusadas: readonly { mensagem: string }[]) =>
  [...new Set(recusadas.map(({ mensagem }) => mensagem))].join(' ');

function Escolha({
  opcoes,
  codigo,
  escolher,
}: {
  opcoes: readonly Opcao[];
  codigo: Codigo | null;
  escolher: (codigo: Codigo) => void;
}) {
  return (
    <Radio.Group label="O que declarar" value={codigo} onChange={(novo) => escolher(novo as Codigo)}>
      <Stack gap={6} mt={6}>
        {opcoes.map(({ codigo: value, nome, impedimento }) => (
          <Radio
            key={value}
            value={value}
            label={nome}
            disabled={impedimento !== null}
            description={impedimento ?? undefined}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function Efeito({ opcao, leu, setLeu }: { opcao: Opcao; leu: boolean; setLeu: (leu: boolean) => void }) {
  return (
    <Alert color="orange" title={`O que significa: ${opcao.nome}`}>
      <Stack gap="xs">
        <Text size="sm">{opcao.efeito}</Text>
        <Text size="sm">É assinada com o certificado do cliente e não pode ser retirada.</Text>
        <Checkbox
          label="Li o que significa e quero declarar isto em nome do cliente"
          checked={leu}
          onChange={(event) => setLeu(event.currentTarget.checked)}
        />
      </Stack>
    </Alert>
  );
}

function Recusadas({ recusadas }: { recusadas: readonly { chave: string; mensagem: string }[] }) {
  return (
    <Alert color="red" title={`${plural(recusadas.length, 'documento')} sem manifestação`} role="alert">
      <ul style={{ margin: 0, paddingLeft: '1.1rem' }}>
        {recusadas.slice(0, 10).map(({ chave, mensagem }) => (
          <li key={chave}>
            <Text size="sm" span className="quebra">
              {mensagem} <span className="mono">{chave}</span>
            </Text>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
