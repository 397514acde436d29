import { Alert, Button, Group, Paper, Select, Skeleton, Stack, Text } from '@mantine/core';
import { IconCheck, IconDownload } from '@tabler/icons-react';
import { useConsulta } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { formatInteiro, plural } from '../../formatos/numeros.ts';
import { EscolhaDeCliente } from '../../partes/escolha-de-cliente.tsx';
import { Consultado, Vazio } from '../../partes/estados.tsx';
import { useFiltrosDoEndereco } from '../../partes/filtros-do-endereco.ts';
import { nomeDoModelo } from '../../partes/nomes.ts';
import { Periodo, textoDoPeriodo } from '../../partes/periodo.tsx';
import { SoNoPapel, Tela } from '../../partes/tela.tsx';
import { useClienteAtual } from '../../sessao/cliente-atual.tsx';
import { downloadCsv } from './csv.ts';
import { Grade } from './grade.tsx';
import { Lacunas } from './lacunas.tsx';

/** How soon the counts of all clients are asked for again while they are being made. */
const CONTANDO_MS = 3_000;
const MODELOS = ['55', '65', '57', '67'] as const;

/** Numbers that were never seen, between numbers that were. */
export default function Faltantes() {
  const { cliente, fixo, escolher } = useClienteAtual();
  const [{ de, ate, ...outros }, mudar] = useFiltrosDoEndereco(['modelo', 'de', 'ate']);
  const modelo = MODELOS.find((um) => um === outros.modelo) ?? null;
  const query = {
    ...(cliente ? { cliente } : {}),
    ...(modelo ? { modelo } : {}),
    ...(de ? { emissaoDe: de } : {}),
    ...(ate ? { emissaoAte: ate } : {}),
  };
  const consulta = useConsulta('GET /faltantes', { query }, { ligada: cliente !== null });
  const { data } = consulta;
  return (
    <Tela
      titulo="Faltantes"
      descricao="Números que faltam na sequência de cada série, mês a mês."
      acoes={
        data && data.lacunas.length > 0 ? (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            onClick={() => downloadCsv(data)}
          >
            CSV
          </Button>
        ) : null
      }
    >
      {cliente === null && !fixo ? (
        <EscolherCliente escolher={escolher} />
      ) : (
        <>
          <SoNoPapel>
            {[
              `Cliente ${formatarCpfCnpj(cliente)}`,
              modelo && nomeDoModelo(modelo),
              textoDoPeriodo(de, ate) ?? 'últimos 12 meses',
            ]}
          </SoNoPapel>
          <Filtros modelo={modelo} de={de} ate={ate} mudar={mudar} />
          <Consultado
            consulta={consulta}
            esperando={
              <Stack>
                <Skeleton height={200} />
                <Skeleton height={300} />
              </Stack>
            }
          >
            {(faltantes) => <DoCliente faltantes={faltantes} />}
          </Consultado>
        </>
      )}
    </Tela>
  );
}

function Filtros({
  modelo,
  de,
  ate,
  mudar,
}: {
  modelo: string | null;
  de: string;
  ate: string;
  mudar: (mudanca: { modelo?: string; de?: string; ate?: string }) => void;
}) {
  return (
    <Group gap="xs" className="sem-impressao">
      <Select
        aria-label="Modelo"
        placeholder="Todos os modelos"
        clearable
        w={190}
        data={MODELOS.map((value) => ({ value, label: nomeDoModelo(value) }))}
        value={modelo}
        onChange={(novo) => mudar({ modelo: novo ?? '' })}
      />
      <Periodo
        rotulo="Emissão (12 meses)"
        de={de}
        ate={ate}
        mudar={(novoDe, novoAte) => mudar({ de: novoDe, ate: novoAte })}
      />
    </Group>
  );
}

function DoCliente({ faltantes }: { faltantes: Resposta<'GET /faltantes'> }) {
  const { cliente, series, lacunas, total, justificados, truncado, lacunasOmitidas, foraDaConta } = faltantes;
  const porQue = [...new Set(foraDaConta.map(({ motivo }) => motivo))];
  if (series.length === 0) {
    return (
      <Paper className="folha">
        <Vazio titulo="Nenhum documento emitido no período">
          As lacunas são procuradas entre os números que este cliente emitiu.
        </Vazio>
      </Paper>
    );
  }
  return (
    <>
      {total === 0 ? (
        <Alert color="teal" icon={<IconCheck size={18} />} title="Nenhum número falta">
          {justificados > 0 && `${plural(justificados, 'número')} com justificativa.`}
        </Alert>
      ) : (
        <Text>
          <b>{formatInteiro(total)}</b> {total === 1 ? 'número falta' : 'números faltam'}
          {justificados > 0 ? `, além de ${plural(justificados, 'justificado')}` : ''}.
        </Text>
      )}
      {(truncado || lacunasOmitidas > 0) && (
        <Alert color="orange">
          Há mais lacunas do que cabe mostrar: reduza o período ou escolha um modelo.
        </Alert>
      )}
      {porQue.map((motivo) => (
        <Text key={motivo} size="sm" c="dimmed">
          {motivo}
        </Text>
      ))}
      <Grade series={series} />
      {lacunas.length > 0 && <Lacunas cliente={cliente.cpfCnpj} lacunas={lacunas} />}
    </>
  );
}

function resumoDe(faltantes: Resposta<'GET /inicio'>['faltantes']): string {
  if (faltantes === null) return 'Os números faltantes de todos os clientes estão sendo contados…';
  const { total, clientes, porCliente } = faltantes;
  if (total === 0) return 'Nenhum cliente tem números faltantes nos últimos três meses.';
  if (clientes <= porCliente.length) return 'Com números faltantes nos últimos três meses:';
  return `${plural(clientes, 'cliente')} com números faltantes nos últimos três meses. Os ${porCliente.length} em que faltam mais:`;
}

function EscolherCliente({ escolher }: { escolher: (cpfCnpj: string | null) => void }) {
  const { data } = useConsulta(
    'GET /inicio',
    { query: { dias: 30 } },
    { repetir: (painel) => (painel?.faltantes === null ? CONTANDO_MS : false) },
  );
  const porCliente = data?.faltantes?.porCliente ?? [];
  return (
    <Paper className="folha" p="md">
      <Stack>
        <EscolhaDeCliente label="De qual cliente?" maw={480} value={null} onChange={escolher} />
        {data && (
          <Text size="sm" c="dimmed" role="status">
            {resumoDe(data.faltantes)}
          </Text>
        )}
        {porCliente.length > 0 && (
          <Stack gap={6} align="flex-start">
            {porCliente.map(({ cpfCnpj, nome, total }) => (
              <Button
                key={cpfCnpj}
                variant="default"
                size="sm"
                maw="100%"
                h="auto"
                mih={36}
                py={6}
                styles={{ label: { whiteSpace: 'normal', textAlign: 'left', lineHeight: 1.3 } }}
                onClick={() => escolher(cpfCnpj)}
              >
                {nome} · {formatInteiro(total)}
              </Button>
            ))}
          </Stack>
        )}
      </Stack>
    </Paper>
  );
}
