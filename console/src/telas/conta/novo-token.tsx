import { Checkbox, Stack, TextInput } from '@mantine/core';
import { DateInput } from '@mantine/dates';
import { useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import type { Opcoes } from '../../api/rotas.ts';
import { diaDeHoje, readDia } from '../../formatos/datas.ts';
import { calendarioDe } from '../../partes/calendario.ts';
import { EscolhaDeCliente } from '../../partes/escolha-de-cliente.tsx';
import { Formulario } from '../../partes/formulario.tsx';

/** What a new token may do, for whom, and until when. */
export function NovoToken({ fechar, mostrar }: { fechar: () => void; mostrar: (token: string) => void }) {
  const [nome, setNome] = useState('');
  const [escopo, setEscopo] = useState<string[]>(['importacao', 'exportacao']);
  const [cliente, setCliente] = useState<string | null>(null);
  const [expiraEm, setExpiraEm] = useState<string | null>(null);
  const criar = useAcao('POST /tokens', {
    renova: ['GET /tokens'],
    aoDarCerto: ({ token }) => mostrar(token),
  });
  const corpo = {
    nome: nome.trim(),
    escopo,
    ...(cliente ? { clientes: [cliente] } : {}),
    ...(expiraEm ? { expiraEm } : {}),
  } as Opcoes<'POST /tokens'>['corpo'];
  return (
    <Formulario
      acao={criar}
      botao="Criar"
      pronto={nome.trim() !== '' && escopo.length > 0}
      aoEnviar={() => criar.mutate({ corpo })}
      fechar={fechar}
    >
      <TextInput
        label="Nome"
        description="Por exemplo, o sistema que vai usá-lo."
        value={nome}
        onChange={(event) => setNome(event.currentTarget.value)}
        data-autofocus
      />
      <Checkbox.Group label="O que pode" value={escopo} onChange={setEscopo}>
        <Stack gap="xs" mt="xs">
          <Checkbox value="importacao" label="Enviar documentos (importação)" />
          <Checkbox value="exportacao" label="Ler documentos (exportação)" />
        </Stack>
      </Checkbox.Group>
      <EscolhaDeCliente
        label="Só um cliente"
        description="Vazio: todos os clientes do escritório."
        clearable
        value={cliente}
        onChange={setCliente}
      />
      <Validade dia={expiraEm} mudar={setExpiraEm} />
    </Formulario>
  );
}

function Validade({ dia, mudar }: { dia: string | null; mudar: (dia: string | null) => void }) {
  return (
    <DateInput
      label="Vale até"
      placeholder="dd/mm/aaaa"
      dateParser={(texto) => readDia(texto) || null}
      description="Vazio: até ser revogado."
      {...calendarioDe('Vale até')}
      clearable
      minDate={diaDeHoje(1)}
      value={dia}
      onChange={mudar}
    />
  );
}
