import { Button, Radio, Select, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAcao } from '../../api/consulta.ts';
import { avisar } from '../../partes/avisos.ts';
import { Erro } from '../../partes/estados.tsx';
import { Botoes } from '../../partes/formulario.tsx';
import type { Consulta } from './filtro.ts';

export type Tipo = 'zip' | 'xlsx' | 'csv';

export const TIPOS: readonly { valor: Tipo; nome: string; sobre: string }[] = [
  {
    valor: 'zip',
    nome: 'ZIP com os XML',
    sobre: 'Os arquivos originais e os seus eventos em pastas, com um manifesto e um LEIA-ME que conta tudo.',
  },
  {
    valor: 'xlsx',
    nome: 'Planilha (xlsx)',
    sobre: 'Abas de documentos, itens e eventos, e uma de totais que segue o filtro.',
  },
  {
    valor: 'csv',
    nome: 'CSV',
    sobre: 'A aba de documentos, separada por ponto e vírgula, com datas e vírgulas do Brasil.',
  },
];

const PASTAS = [
  { value: '{cnpj}/{ano}-{mes}/{modelo}/{papel}', label: 'CNPJ / mês / modelo / papel' },
  { value: '{cnpj}/{ano}-{mes}', label: 'CNPJ / mês' },
  { value: '{ano}-{mes}/{modelo}', label: 'Mês / modelo' },
  { value: '', label: 'Tudo numa pasta só' },
];

type Alvo = { ids: number[] } | { filtro: Consulta };

/** The listing's own filter as an export takes it: every value as text. */
const comoTexto = (consulta: Consulta): Record<string, string> =>
  Object.fromEntries(Object.entries(consulta).map(([nome, valor]) => [nome, String(valor)]));

interface Escolhas {
  soValidas: boolean;
  comEventos: boolean;
  pasta: string;
  comPdf: boolean;
}

/** Asks what is to be exported of the marked documents, or of all that the filter finds. */
export function Exportar({ inicial, alvo, fechar }: { inicial: Tipo; alvo: Alvo; fechar: () => void }) {
  const [, irPara] = useLocation();
  const [tipo, setTipo] = useState<Tipo>(inicial);
  const [escolhas, setEscolhas] = useState<Escolhas>({
    soValidas: false,
    comEventos: true,
    pasta: PASTAS[0]?.value ?? '',
    comPdf: false,
  });
  const criar = useAcao('POST /exportacoes', {
    renova: ['GET /exportacoes'],
    aoDarCerto: () => {
      avisar('A exportação começou; acompanhe e baixe em Downloads.');
      fechar();
      irPara('/downloads');
    },
  });
  const { soValidas, comEventos, pasta, comPdf } = escolhas;
  const corpo = {
    tipo,
    ...('ids' in alvo ? alvo : { filtro: comoTexto(alvo.filtro) }),
    soValidas,
    comEventos,
    ...(tipo === 'zip' ? { pasta, comPdf } : {}),
  };
  return (
    <Stack>
      <Radio.Group label="Formato" value={tipo} onChange={(value) => setTipo(value as Tipo)}>
        <Stack gap="xs" mt="xs">
          {TIPOS.map(({ valor, nome, sobre }) => (
            <Radio key={valor} value={valor} label={nome} description={sobre} />
          ))}
        </Stack>
      </Radio.Group>
      <OQueVai tipo={tipo} escolhas={escolhas} mudar={(mais) => setEscolhas({ ...escolhas, ...mais })} />
      {criar.error && <Erro falha={criar.error} />}
      <Botoes fechar={fechar}>
        <Button loading={criar.isPending} onClick={() => criar.mutate({ corpo })}>
          Exportar
        </Button>
      </Botoes>
    </Stack>
  );
}

/** What is not valid, events, folders and pictures: as far as the format has them. */
function OQueVai({
  tipo,
  escolhas,
  mudar,
}: {
  tipo: Tipo;
  escolhas: Escolhas;
  mudar: (mais: Partial<Escolhas>) => void;
}) {
  const zip = tipo === 'zip';
  return (
    <>
      <Radio.Group
        label="Canceladas, denegadas e sem protocolo"
        value={escolhas.soValidas ? 'fora' : 'dentro'}
        onChange={(value) => mudar({ soValidas: value === 'fora' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="dentro"
            label={zip ? 'Em pastas à parte' : 'Incluir, com a sua situação'}
            description={
              zip
                ? 'Canceladas, Denegadas, Inutilizadas… nunca entre as autorizadas.'
                : 'Os totais as somam à parte das autorizadas.'
            }
          />
          <Radio value="fora" label="Deixar de fora" />
        </Stack>
      </Radio.Group>
      {tipo !== 'csv' && (
        <Switch
          label="Incluir os eventos de cada documento"
          description="Cancelamento, carta de correção, manifestação."
          checked={escolhas.comEventos}
          onChange={(event) => mudar({ comEventos: event.currentTarget.checked })}
        />
      )}
      {zip && (
        <>
          <Select
            label="Pastas dentro do ZIP"
            data={PASTAS}
            value={escolhas.pasta}
            allowDeselect={false}
            onChange={(value) => mudar({ pasta: value ?? '' })}
          />
          <Switch
            label="Incluir o PDF de cada documento"
            description="Demora mais e ocupa mais espaço."
            checked={escolhas.comPdf}
            onChange={(event) => mudar({ comPdf: event.currentTarget.checked })}
          />
        </>
      )}
    </>
  );
}
