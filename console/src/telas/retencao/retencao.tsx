import { Alert, Box, Paper, Stack, Tabs, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useConsulta } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatDia } from '../../formatos/datas.ts';
import { formatInteiro, plural } from '../../formatos/numeros.ts';
import { Consultado, Linhas } from '../../partes/estados.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { Tela } from '../../partes/tela.tsx';
import { Exclusoes } from './exclusoes.tsx';
import { Guardas } from './guardas.tsx';
import { modeloPorExtenso } from './modelos.ts';
import { BotaoDePrazo } from './prazo.tsx';

type Previa = Resposta<'GET /retencao'>;
type Linha = Previa['linhas'][number] & Pick<Previa['prazos'][number], 'meses' | 'origem'>;

export default function Retencao() {
  return (
    <Tela
      titulo="Retenção e guarda"
      descricao="Por quanto tempo os documentos são guardados. Nada é excluído sem a sua confirmação."
    >
      <Tabs defaultValue="prazos" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="prazos">Prazos e prévia</Tabs.Tab>
          <Tabs.Tab value="guardas">Guardas legais</Tabs.Tab>
          <Tabs.Tab value="exclusoes">Exclusões</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="prazos" pt="md">
          <Prazos />
        </Tabs.Panel>
        <Tabs.Panel value="guardas" pt="md">
          <Guardas />
        </Tabs.Panel>
        <Tabs.Panel value="exclusoes" pt="md">
          <Exclusoes />
        </Tabs.Panel>
      </Tabs>
    </Tela>
  );
}

const ORIGENS: Readonly<Record<string, string>> = {
  modelo: 'próprio',
  escritorio: 'do escritório',
  padrao: 'padrão',
};

const COLUNAS: readonly Coluna<Linha>[] = [
  { id: 'modelo', titulo: 'Documento', noCartao: 'titulo', celula: ({ modelo }) => modeloPorExtenso(modelo) },
  {
    id: 'prazo',
    titulo: 'Prazo',
    junta: true,
    celula: ({ meses, origem }) => `${meses} meses (${ORIGENS[origem] ?? origem})`,
  },
  { id: 'vencidos', titulo: 'Vencidos', numero: true, celula: ({ vencidos }) => formatInteiro(vencidos) },
  {
    id: 'guarda',
    titulo: 'Sob guarda legal',
    numero: true,
    celula: ({ sobGuarda }) => formatInteiro(sobGuarda),
  },
  {
    id: 'em30',
    titulo: 'Vencem em 30 dias',
    numero: true,
    celula: ({ em30Dias }) => formatInteiro(em30Dias),
  },
  {
    id: 'em90',
    titulo: 'em 90 dias',
    numero: true,
    celula: ({ em90Dias }) => formatInteiro(em90Dias),
  },
  {
    id: 'em365',
    titulo: 'em um ano',
    numero: true,
    celula: ({ em365Dias }) => formatInteiro(em365Dias),
  },
  {
    id: 'antigo',
    titulo: 'Vencido mais antigo',
    junta: true,
    celula: ({ maisAntigo }) => formatDia(maisAntigo),
  },
  {
    id: 'acoes',
    titulo: 'Ações',
    noCartao: 'lado',
    celula: ({ modelo, meses }) => <BotaoDePrazo modelo={modelo} meses={meses} />,
  },
];

function Prazos() {
  const previa = useConsulta('GET /retencao');
  return (
    <Consultado consulta={previa} esperando={<Linhas quantas={8} />}>
      {(aberta) => <PorModelo previa={aberta} />}
    </Consultado>
  );
}

function PorModelo({ previa: { linhas, prazos, vencidos } }: { previa: Previa }) {
  const geral = prazos.find(({ modelo }) => modelo === '*');
  const rows = linhas.flatMap((linha) => {
    const prazo = prazos.find(({ modelo }) => modelo === linha.modelo);
    return prazo ? [{ ...linha, meses: prazo.meses, origem: prazo.origem }] : [];
  });
  return (
    <Stack>
      <Alert variant="light" color={vencidos > 0 ? 'yellow' : 'teal'} icon={<IconInfoCircle size={20} />}>
        <Text size="sm">
          {vencidos > 0
            ? `${plural(vencidos, 'documento')} ${vencidos === 1 ? 'passou' : 'passaram'} do prazo. Continuam guardados até que uma exclusão seja preparada, copiada e confirmada.`
            : 'Nenhum documento passou do prazo de guarda.'}
        </Text>
      </Alert>
      <Paper className="folha" style={{ overflow: 'hidden' }}>
        <Tabela<Linha, string>
          nome="Prazos por documento"
          colunas={COLUNAS}
          linhas={rows}
          id={(l) => l.modelo}
        />
        {geral && (
          <Box p="sm">
            <Text size="sm" c="dimmed" component="div">
              Prazo de quem não tem um próprio: {geral.meses} meses a partir da emissão.{' '}
              <BotaoDePrazo modelo="*" meses={geral.meses} />
            </Text>
          </Box>
        )}
      </Paper>
    </Stack>
  );
}
