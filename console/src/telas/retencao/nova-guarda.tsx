import { Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import { avisar } from '../../partes/avisos.ts';
import { EscolhaDeCliente } from '../../partes/escolha-de-cliente.tsx';
import { Formulario } from '../../partes/formulario.tsx';
import { Periodo } from '../../partes/periodo.tsx';
import { MODELOS, modeloPorExtenso } from './modelos.ts';

interface Limites {
  cpfCnpj: string | null;
  modelo: string | null;
  chave: string;
  de: string;
  ate: string;
}

/** Why something must not be deleted, and what. */
export function NovaGuarda({ fechar }: { fechar: () => void }) {
  const [motivo, setMotivo] = useState('');
  const [limites, setLimites] = useState<Limites>({
    cpfCnpj: null,
    modelo: null,
    chave: '',
    de: '',
    ate: '',
  });
  const guardar = useAcao('POST /retencao/guardas', {
    renova: ['GET /retencao/guardas', 'GET /retencao'],
    aoDarCerto: () => {
      avisar('Guarda legal em vigor.');
      fechar();
    },
  });
  const enviar = () => {
    const { cpfCnpj, modelo, chave, de, ate } = limites;
    guardar.mutate({
      corpo: {
        motivo,
        ...(cpfCnpj ? { cpfCnpj } : {}),
        ...(modelo ? { modelo } : {}),
        ...(chave.trim() ? { chave: chave.trim() } : {}),
        ...(de ? { emissaoDe: de } : {}),
        ...(ate ? { emissaoAte: ate } : {}),
      },
    });
  };
  return (
    <Formulario acao={guardar} botao="Pôr sob guarda" aoEnviar={enviar} fechar={fechar}>
      <Textarea
        label="Motivo"
        description="Fica na auditoria. De 5 a 500 caracteres."
        data-autofocus
        autosize
        minRows={2}
        value={motivo}
        onChange={(event) => setMotivo(event.currentTarget.value)}
      />
      <Alcance limites={limites} mudar={(mudanca) => setLimites({ ...limites, ...mudanca })} />
    </Formulario>
  );
}

/** Of what is kept; a limit that is not set holds nothing back. */
function Alcance({ limites, mudar }: { limites: Limites; mudar: (mudanca: Partial<Limites>) => void }) {
  const { cpfCnpj, modelo, chave, de, ate } = limites;
  return (
    <>
      <EscolhaDeCliente
        label="Cliente"
        placeholder="Todos os clientes"
        clearable
        value={cpfCnpj}
        onChange={(novo) => mudar({ cpfCnpj: novo })}
      />
      <Select
        label="Documento"
        placeholder="Todos os modelos"
        clearable
        data={MODELOS.map((um) => ({ value: um, label: modeloPorExtenso(um) }))}
        value={modelo}
        onChange={(novo) => mudar({ modelo: novo })}
      />
      <TextInput
        label="Chave de acesso"
        placeholder="Todas"
        value={chave}
        onChange={(event) => mudar({ chave: event.currentTarget.value })}
      />
      <Periodo
        rotulo="Emitidos no período"
        de={de}
        ate={ate}
        mudar={(novoDe, novoAte) => mudar({ de: novoDe, ate: novoAte })}
        largura="100%"
      />
    </>
  );
}
