import { Button, Group, Modal, Paper, Stack, Text, Textarea } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatDia, formatInstante } from '../../formatos/datas.ts';
import { avisar } from '../../partes/avisos.ts';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { Formulario } from '../../partes/formulario.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { modeloPorExtenso } from './modelos.ts';
import { NovaGuarda } from './nova-guarda.tsx';

type Guarda = Resposta<'GET /retencao/guardas'>['guardas'][number];

/** What a hold covers, in words. */
function alcanceDe({ cliente, chave, modelo, emissaoDe, emissaoAte }: Guarda): string {
  const limites = [
    cliente && `cliente ${cliente.nome}`,
    chave && `chave ${chave}`,
    modelo && modeloPorExtenso(modelo),
    emissaoDe && `emitidos a partir de ${formatDia(emissaoDe)}`,
    emissaoAte && `emitidos até ${formatDia(emissaoAte)}`,
  ].filter(Boolean);
  return limites.length === 0 ? 'Todos os documentos do escritório' : limites.join(', ');
}

const COLUNAS: readonly Coluna<Guarda>[] = [
  { id: 'alcance', titulo: 'O que guarda', noCartao: 'titulo', celula: alcanceDe },
  { id: 'motivo', titulo: 'Motivo', celula: ({ motivo }) => motivo },
  { id: 'desde', titulo: 'Desde', junta: true, celula: ({ criadaEm }) => formatInstante(criadaEm) },
  {
    id: 'situacao',
    titulo: 'Situação',
    noCartao: 'lado',
    celula: ({ levantadaEm, levantadaMotivo }) =>
      levantadaEm === null ? (
        <Etiqueta cor="blue">em vigor</Etiqueta>
      ) : (
        <Etiqueta cor="gray" dica={`${formatInstante(levantadaEm)}: ${levantadaMotivo ?? ''}`}>
          levantada
        </Etiqueta>
      ),
  },
];

export function Guardas() {
  const lista = useConsulta('GET /retencao/guardas');
  const [nova, setNova] = useState(false);
  const [levantada, setLevantada] = useState<Guarda | null>(null);
  const acoes: Coluna<Guarda> = {
    id: 'acoes',
    titulo: 'Ações',
    celula: (guarda) =>
      guarda.levantadaEm === null && (
        <Button size="compact-xs" variant="subtle" onClick={() => setLevantada(guarda)}>
          Levantar
        </Button>
      ),
  };
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" maw={620}>
          O que está sob guarda legal não é excluído, tenha a idade que tiver, até que a guarda seja
          levantada.
        </Text>
        <Button leftSection={<IconLock size={16} />} onClick={() => setNova(true)}>
          Nova guarda
        </Button>
      </Group>
      <Paper className="folha" style={{ overflow: 'hidden' }}>
        <Consultado consulta={lista} esperando={<Linhas quantas={4} />}>
          {({ guardas }) =>
            guardas.length === 0 ? (
              <Vazio titulo="Nenhuma guarda legal" icone={<IconLock size={26} />}>
                Ponha uma quando houver fiscalização, processo ou outra razão para não excluir.
              </Vazio>
            ) : (
              <Tabela<Guarda, number>
                nome="Guardas legais"
                colunas={[...COLUNAS, acoes]}
                linhas={guardas}
                id={({ id }) => id}
              />
            )
          }
        </Consultado>
      </Paper>
      <Modal opened={nova} onClose={() => setNova(false)} title="Nova guarda legal">
        {nova && <NovaGuarda fechar={() => setNova(false)} />}
      </Modal>
      <Modal opened={levantada !== null} onClose={() => setLevantada(null)} title="Levantar a guarda legal">
        {levantada && <Levantar guarda={levantada} fechar={() => setLevantada(null)} />}
      </Modal>
    </Stack>
  );
}

function Levantar({ guarda, fechar }: { guarda: Guarda; fechar: () => void }) {
  const [motivo, setMotivo] = useState('');
  const levantar = useAcao('POST /retencao/guardas/{id}/levantar', {
    renova: ['GET /retencao/guardas', 'GET /retencao'],
    aoDarCerto: () => {
      avisar('Guarda legal levantada.');
      fechar();
    },
  });
  return (
    <Formulario
      acao={levantar}
      botao="Levantar"
      aoEnviar={() => levantar.mutate({ caminho: { id: guarda.id }, corpo: { motivo } })}
      fechar={fechar}
    >
      <Text size="sm">{alcanceDe(guarda)}</Text>
      <Textarea
        label="Por que a guarda termina"
        data-autofocus
        autosize
        minRows={2}
        value={motivo}
        onChange={(event) => setMotivo(event.currentTarget.value)}
      />
    </Formulario>
  );
}
