import { Alert, Button, FileButton, Group, Paper, Text, Title } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import { comoFalha, type FalhaDeApi } from '../../api/falha.ts';
import { formatDia } from '../../formatos/datas.ts';
import { formatInteiro } from '../../formatos/numeros.ts';
import { comoBase64 } from '../../partes/arquivo.ts';
import { Erro } from '../../partes/estados.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import type { Estado } from './estado.ts';

type Esquema = Estado['esquemas'][number];

const COLUNAS: readonly Coluna<Esquema>[] = [
  {
    id: 'nome',
    titulo: 'Pacote',
    junta: true,
    noCartao: 'titulo',
    celula: ({ nome }) => <span className="quebra">{nome}</span>,
  },
  { id: 'versao', titulo: 'Versão', celula: ({ versao }) => versao ?? '–' },
  { id: 'arquivos', titulo: 'Arquivos', numero: true, celula: ({ arquivos }) => formatInteiro(arquivos) },
  {
    id: 'principais',
    titulo: 'Julga',
    celula: ({ principais }) => <Text size="xs">{principais.join(', ') || '–'}</Text>,
  },
  {
    id: 'origem',
    titulo: 'Origem',
    celula: ({ origem, instaladoEm }) =>
      instaladoEm
        ? `instalado em ${formatDia(instaladoEm)}`
        : origem.startsWith('npm')
          ? 'veio com o Malote'
          : origem,
  },
];

/** The official XSD packages: which there are, and another one, tried before it is used. */
export function Esquemas({ esquemas, pode }: { esquemas: readonly Esquema[]; pode: boolean }) {
  const [leitura, setLeitura] = useState<FalhaDeApi | null>(null);
  const instalar = useAcao('POST /saude/esquemas', { renova: ['GET /saude'] });
  const enviar = async (file: File | null) => {
    if (!file) return;
    setLeitura(null);
    try {
      instalar.mutate({ corpo: { nome: file.name, arquivo: await comoBase64(file) } });
    } catch (error) {
      setLeitura(comoFalha(error));
    }
  };
  const falha = leitura ?? instalar.error;
  return (
    <Paper className="folha" style={{ overflow: 'hidden' }}>
      <Group p="md" justify="space-between">
        <Title order={2}>Esquemas oficiais (XSD)</Title>
        {pode && (
          <FileButton accept=".zip,application/zip" onChange={(file) => void enviar(file)}>
            {(props) => (
              <Button
                variant="default"
                leftSection={<IconUpload size={16} />}
                loading={instalar.isPending}
                {...props}
              >
                Instalar um pacote
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      {falha && <Erro falha={falha} titulo="O pacote não foi instalado" />}
      {instalar.data && (
        <Alert color="teal" title="Pacote instalado" role="status">
          {instalar.data.mensagem}
        </Alert>
      )}
      <Tabela<Esquema, string>
        nome="Pacotes de esquemas"
        colunas={COLUNAS}
        linhas={esquemas}
        id={({ nome, origem }) => `${nome}/${origem}`}
      />
    </Paper>
  );
}
