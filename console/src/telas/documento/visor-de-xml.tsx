import { Code, Group, Paper, ScrollArea, Skeleton, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { endereco } from '../../api/chamar.ts';
import { readFalha } from '../../api/falha.ts';
import { BotaoCopiar } from '../../partes/copiar.tsx';
import { Erro } from '../../partes/estados.tsx';
import { indentarXml } from './indentar-xml.ts';

/** More than this is slow to draw; the download has it all. */
const LIMITE_CARACTERES = 400_000;

async function lerXml(id: number): Promise<string> {
  const answer = await fetch(endereco('GET /documentos/{id}/xml', { caminho: { id } }));
  if (!answer.ok) throw await readFalha(answer);
  const bytes = await answer.arrayBuffer();
  const head = new TextDecoder('latin1').decode(bytes.slice(0, 200));
  const declared = /encoding=["']([\w-]+)["']/.exec(head)?.[1] ?? 'utf-8';
  return new TextDecoder(declared).decode(bytes);
}

/** The very bytes that came, shown as text, laid out by line when one wants. */
export function VisorDeXml({ id }: { id: number }) {
  const [arrumado, setArrumado] = useState(true);
  const { data, error, refetch } = useQuery({
    queryKey: ['xml', id],
    queryFn: () => lerXml(id),
    staleTime: Infinity,
  });
  const texto = useMemo(() => {
    if (data === undefined) return '';
    const cut = data.slice(0, LIMITE_CARACTERES);
    return arrumado ? indentarXml(cut) : cut;
  }, [data, arrumado]);
  if (error) return <Erro falha={error} deNovo={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={400} />;
  return (
    <Paper className="folha" p="sm">
      <Group justify="space-between" mb="sm">
        <Switch
          label="Em linhas"
          checked={arrumado}
          onChange={(event) => setArrumado(event.currentTarget.checked)}
        />
        <BotaoCopiar valor={data}>Copiar o original</BotaoCopiar>
      </Group>
      <ScrollArea.Autosize mah="70vh" viewportProps={{ tabIndex: 0, 'aria-label': 'XML do documento' }}>
        <Code
          block
          style={{ whiteSpace: arrumado ? 'pre' : 'pre-wrap' }}
          className={arrumado ? undefined : 'quebra'}
        >
          {texto}
        </Code>
      </ScrollArea.Autosize>
    </Paper>
  );
}
