import { Alert, Group, Paper, Progress, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useConsulta } from '../../api/consulta.ts';
import { formatHaQuanto, formatInstante } from '../../formatos/datas.ts';
import { formatarBytes, formatInteiro, plural } from '../../formatos/numeros.ts';
import { CopiaAgora } from '../../partes/copia-agora.tsx';
import { Consultado } from '../../partes/estados.tsx';
import { Tela } from '../../partes/tela.tsx';
import { Esquemas } from './esquemas.tsx';
import type { Estado } from './estado.ts';

const REPETIR_MS = 10_000;
/** From here on a disk is nearly full. */
const CHEIO = 90;

/** What whoever runs the server wants to know before users ask. */
export default function Saude() {
  const saude = useConsulta('GET /saude', undefined, { repetir: REPETIR_MS });
  return (
    <Tela
      titulo="Saúde do sistema"
      descricao="Fila, disco, banco e cópias deste servidor; atualiza-se sozinha."
    >
      <Consultado
        consulta={saude}
        insiste
        esperando={
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
            {[0, 1, 2, 3, 4, 5].map((at) => (
              <Skeleton key={at} height={170} radius="md" />
            ))}
          </SimpleGrid>
        }
      >
        {(estado) => (
          <>
            <Avisos avisos={estado.avisos} />
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
              <Cartoes saude={estado} />
            </SimpleGrid>
            <Esquemas esquemas={estado.esquemas} pode={estado.podeInstalarEsquemas} />
          </>
        )}
      </Consultado>
    </Tela>
  );
}

function Avisos({ avisos }: Pick<Estado, 'avisos'>) {
  if (avisos.length === 0) return <Alert color="teal" icon={<IconCheck size={18} />} title="Tudo em ordem" />;
  return (
    <Alert color="orange" title={plural(avisos.length, 'aviso')}>
      <ul style={{ margin: 0, paddingLeft: '1.1rem' }}>
        {avisos.map(({ codigo, mensagem }) => (
          <li key={codigo}>{mensagem}</li>
        ))}
      </ul>
    </Alert>
  );
}

function Cartoes({ saude }: { saude: Estado }) {
  const { banco, versoes } = saude;
  return (
    <>
      <Fila fila={saude.fila} trabalhadores={saude.trabalhadores} />
      <Disco disco={saude.disco} />
      <Cartao
        titulo="Banco de dados"
        pares={[
          ['Motor', banco.motor === 'postgres' ? 'PostgreSQL' : 'SQLite'],
          ['Versão', banco.versao],
          ['Tamanho', formatarBytes(banco.bytes)],
          ['Esquema das tabelas', formatInteiro(banco.migracoes)],
        ]}
      />
      <Copia copia={saude.copia} agenda={saude.agenda} pode={saude.podeInstalarEsquemas} />
      <Cartao
        titulo="Versões"
        pares={[
          ['Malote', versoes.malote],
          ['Node', versoes.node],
          ['Modo deste processo', saude.modo],
          ['No ar', formatHaQuanto(saude.iniciadoEm)],
        ]}
      />
    </>
  );
}

function Fila({ fila, trabalhadores }: Pick<Estado, 'fila' | 'trabalhadores'>) {
  return (
    <Cartao
      titulo="Fila de importação"
      pares={[
        ['Esperando', formatInteiro(fila.esperando)],
        ['Em importação', formatInteiro(fila.emExecucao)],
        ['De que se desistiu', formatInteiro(fila.falharam)],
        ['Mais antigo à espera', fila.maisAntigoEm ? formatHaQuanto(fila.maisAntigoEm) : 'nenhum'],
        [
          'Importando agora',
          trabalhadores.length === 0 ? 'ninguém' : plural(trabalhadores.length, 'processo'),
        ],
      ]}
    />
  );
}

function Disco({ disco }: Pick<Estado, 'disco'>) {
  const usado = disco.total > 0 ? ((disco.total - disco.livre) / disco.total) * 100 : 0;
  return (
    <Cartao
      titulo="Disco"
      pares={[
        ['Livre', `${formatarBytes(disco.livre)} de ${formatarBytes(disco.total)}`],
        ['Recebido nos envios', formatarBytes(disco.recebidos)],
        ['Arquivos guardados', `${formatarBytes(disco.arquivos)}${disco.arquivosEm === 's3' ? ' (S3)' : ''}`],
        ['Banco', formatarBytes(disco.banco)],
      ]}
    >
      <Progress
        value={usado}
        color={usado > CHEIO ? 'red' : 'malote'}
        mt="sm"
        aria-label={`Disco ocupado: ${Math.round(usado)}%`}
      />
    </Cartao>
  );
}

function Copia({ copia, agenda, pode }: Pick<Estado, 'copia' | 'agenda'> & { pode: boolean }) {
  return (
    <Cartao titulo="Cópia de segurança" pares={paresDa(copia, agenda)}>
      {agenda.ultima?.erro && (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs" className="quebra">
          {`${formatHaQuanto(agenda.ultima.em)}: ${agenda.ultima.erro}`}
        </Text>
      )}
      {agenda.ligada && pode ? (
        <Group mt="sm">
          <CopiaAgora fazendo={agenda.fazendo} />
        </Group>
      ) : (
        <Text size="sm" c="dimmed" mt="xs">
          {agenda.ligada
            ? 'As cópias são pedidas por quem administra o servidor.'
            : 'O serviço as faz sozinho quando MALOTE_COPIA_PASTA diz onde; uma avulsa, npx malote backup.'}
        </Text>
      )}
    </Cartao>
  );
}

function paresDa(copia: Estado['copia'], agenda: Estado['agenda']) {
  const { ligada, proximaEm, guardar, pasta } = agenda;
  const pares: [string, string][] = [['Última', copia ? formatInstante(copia.em) : 'nenhuma registrada']];
  if (copia) pares.push(['Onde', copia.destino]);
  if (!ligada) return pares;
  pares.push(['Próxima', proximaEm ? formatInstante(proximaEm) : '–']);
  // Said already by the name of the last one, where that was the schedule's.
  if (!copia?.destino.startsWith(pasta)) pares.push(['Pasta', pasta]);
  pares.push(['Ficam', plural(guardar, 'cópia')]);
  return pares;
}

function Cartao({
  titulo,
  pares,
  children,
}: {
  titulo: string;
  pares: readonly (readonly [string, string])[];
  children?: ReactNode;
}) {
  return (
    <Paper className="folha" p="md" component="section" aria-label={titulo} mih={170}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{titulo}</Title>
        </Group>
        <dl className="pares">
          {pares.map(([rotulo, valor]) => (
            <div key={rotulo}>
              <dt>{rotulo}</dt>
              <dd className="quebra">{valor}</dd>
            </div>
          ))}
        </dl>
      </Stack>
      {children}
    </Paper>
  );
}
