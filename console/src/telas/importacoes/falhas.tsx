import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconCheck, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { endereco } from '../../api/chamar.ts';
import { useConsulta } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatHaQuanto } from '../../formatos/datas.ts';
import { formatInteiro, plural } from '../../formatos/numeros.ts';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import { FalhasUmaAUma, FalhasVistas } from './falhas-uma-a-uma.tsx';
import { MarcarFalhas } from './marcar-falhas.tsx';
import { ReimportarFalhas } from './reimportar-falhas.tsx';

type Causas = Resposta<'GET /falhas'>;
type Causa = Causas['causas'][number];

/** What failed and nobody has solved, by cause; and what somebody has. */
export function Falhas() {
  const [quais, setQuais] = useState('abertas');
  return (
    <Stack gap={0}>
      <Group p="sm" justify="space-between" className="sem-impressao">
        <SegmentedControl
          size="xs"
          aria-label="Quais falhas"
          value={quais}
          onChange={setQuais}
          data={[
            { value: 'abertas', label: 'A resolver' },
            { value: 'vistas', label: 'Vistas e resolvidas' },
          ]}
        />
        <Group gap="xs">
          <Baixar rota="GET /falhas/xlsx">Planilha das falhas</Baixar>
          <Baixar rota="GET /falhas/csv">CSV</Baixar>
        </Group>
      </Group>
      {quais === 'abertas' ? <Abertas /> : <FalhasVistas />}
    </Stack>
  );
}

function Baixar({ rota, children }: { rota: 'GET /falhas/xlsx' | 'GET /falhas/csv'; children: string }) {
  return (
    <Button
      size="xs"
      variant="default"
      component="a"
      href={endereco(rota)}
      download
      leftSection={<IconDownload size={15} />}
    >
      {children}
    </Button>
  );
}

function Abertas() {
  const consulta = useConsulta('GET /falhas');
  return (
    <Consultado consulta={consulta} esperando={<Linhas altura={90} quantas={4} />}>
      {(falhas) =>
        falhas.causas.length === 0 ? (
          <Vazio titulo="Nenhuma falha a resolver" icone={<IconCheck size={26} />}>
            Documentos de homologação, e os que esperam o cadastro de um cliente, não são falhas.
          </Vazio>
        ) : (
          <Lista falhas={falhas} />
        )
      }
    </Consultado>
  );
}

function Lista({ falhas: { causas, documentos, arquivos, haMais, em } }: { falhas: Causas }) {
  return (
    <Stack gap="sm" p="sm" pt={0}>
      <Text size="sm" c="dimmed">
        {plural(documentos, 'falha')} em {plural(arquivos, 'arquivo')}, dos últimos 90 dias, por causa.
        {haMais && ' Há outras, mais antigas, que não estão contadas.'}
      </Text>
      {causas.map((causa) => (
        <UmaCausa key={causa.codigo} causa={causa} em={em} />
      ))}
    </Stack>
  );
}

function UmaCausa({ causa, em }: { causa: Causa; em: string | null }) {
  const { codigo, documentos, arquivos, ultimaEm, remedio, acao } = causa;
  const [abertas, setAbertas] = useState(false);
  return (
    <Alert color="orange" variant="light" title={causa.causa ?? codigo}>
      <Stack gap="xs">
        <Text size="sm">
          <b>{formatInteiro(documentos)}</b> {documentos === 1 ? 'documento' : 'documentos'} em{' '}
          {plural(arquivos, 'arquivo')}; a última {formatHaQuanto(ultimaEm)}.
        </Text>
        {remedio && (
          <Text size="sm">
            <b>O que fazer:</b> {remedio}
          </Text>
        )}
        <Group gap="xs" className="sem-impressao">
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={abertas}
            onClick={() => setAbertas(!abertas)}
          >
            {abertas
              ? 'Fechar a lista'
              : acao === 'comparar'
                ? 'Ver os documentos e comparar'
                : 'Ver uma a uma'}
          </Button>
          {acao === 'reimportar' && <ReimportarFalhas codigo={codigo} />}
          <MarcarFalhas codigo={codigo} quantas={documentos} ate={em} />
        </Group>
        {abertas && <FalhasUmaAUma codigo={codigo} />}
      </Stack>
    </Alert>
  );
}
