import { Alert, Group, Paper, Text, Title } from '@mantine/core';
import { useAcao } from '../../api/consulta.ts';
import { formatDia } from '../../formatos/datas.ts';
import { formatInteiro } from '../../formatos/numeros.ts';
import { comoBase64 } from '../../partes/arquivo.ts';
import { BotaoDeArquivo } from '../../partes/botao-de-arquivo.tsx';
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
  const instalar = useAcao('POST /saude/esquemas', { renova: ['GET /saude'] });
  const enviar = async (file: File) =>
    instalar.mutate({ corpo: { nome: file.name, arquivo: await comoBase64(file) } });
  return (
    <Paper className="folha" style={{ overflow: 'hidden' }}>
      <Group p="md" justify="space-between">
        <Title order={2}>Esquemas oficiais (XSD)</Title>
        {pode && (
          <BotaoDeArquivo accept=".zip,application/zip" espera={instalar.isPending} aoEscolher={enviar}>
            Instalar um pacote
          </BotaoDeArquivo>
        )}
      </Group>
      {instalar.error && <Erro falha={instalar.error} titulo="O pacote não foi instalado" />}
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
