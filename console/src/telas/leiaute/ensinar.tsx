import { Grid, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useParams } from 'wouter';
import { useConsulta } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { plural } from '../../formatos/numeros.ts';
import { Elo } from '../../partes/elo.tsx';
import { Consultado } from '../../partes/estados.tsx';
import { Tela } from '../../partes/tela.tsx';
import { type Ramo, useApontado } from './apontado.ts';
import { Arvore } from './arvore.tsx';
import { Campos } from './campos.tsx';
import { OQueE } from './o-que-e.tsx';
import { Prova } from './prova.tsx';
import { DoCancelamento } from './situacao.tsx';

/** After the last click. */
const PROVAR_MS = 300;
/** Its name is given at the end: what is tried has one of its own. */
const SEM_NOME = 'Leiaute novo';

/** One file that waits, as a tree: a person points at its fields and sees what that reads from all that wait. */
export default function Ensinar() {
  const { id = '' } = useParams();
  const consulta = useConsulta('GET /notas-a-ensinar/{id}', { caminho: { id: Number(id) } });
  return (
    <Tela
      titulo="Ensinar um leiaute"
      descricao={
        <Group gap={4}>
          <Elo para="/leiautes" size="sm">
            Leiautes a ensinar
          </Elo>
          <span aria-hidden>/</span> <span className="quebra">{consulta.data?.caminho}</span>
        </Group>
      }
    >
      <Consultado consulta={consulta} esperando={<Skeleton height={400} />}>
        {(arvore) => <DoArquivo arvore={arvore} />}
      </Consultado>
    </Tela>
  );
}

function DoArquivo({ arvore }: { arvore: Resposta<'GET /notas-a-ensinar/{id}'> }) {
  const estado = useApontado(arvore.sugestao);
  const { apontado } = estado;
  const [ramo, setRamo] = useState<Ramo | null>(null);
  const [pronto] = useDebouncedValue(apontado, PROVAR_MS);
  const corpo = { ...pronto, nome: SEM_NOME };
  const prova = useConsulta('POST /leiautes/avaliar', { corpo }, { manter: true });
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Paper className="folha" p="md">
          <Title order={2}>O arquivo</Title>
          <Text size="sm" c="dimmed" mb="sm">
            Clique em um campo e diga o que ele é.
            {arvore.arquivos > 1 && ` Este é um de ${plural(arvore.arquivos, 'arquivo')} da mesma forma.`}
            {arvore.cortada && ' O arquivo é maior: só o começo aparece aqui.'}
          </Text>
          <Arvore ramos={arvore.ramos} apontado={apontado} aoEscolher={setRamo} />
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack>
          <Campos estado={estado} />
          {apontado.cancelada && (
            <DoCancelamento
              situacao={apontado.cancelada}
              textos={prova.data?.situacoes ?? []}
              mudar={(cancelada) => estado.mudar({ cancelada })}
            />
          )}
          <Prova consulta={prova} apontado={apontado} />
        </Stack>
      </Grid.Col>
      <OQueE ramo={ramo} estado={estado} fechar={() => setRamo(null)} />
    </Grid>
  );
}
