import { Alert, Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { endereco } from '../../api/chamar.ts';
import { useAcao } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatInstante } from '../../formatos/datas.ts';
import { avisar } from '../../partes/avisos.ts';
import { BotaoDeArquivo } from '../../partes/botao-de-arquivo.tsx';
import { Confirmar } from '../../partes/confirmar.tsx';
import { DuasLinhas } from '../../partes/duas-linhas.tsx';
import { Erro, Vazio } from '../../partes/estados.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { useSessao } from '../../sessao/sessao.tsx';

type Leiaute = Resposta<'GET /leiautes'>['leiautes'][number];

const COLUNAS: readonly Coluna<Leiaute>[] = [
  {
    id: 'nome',
    titulo: 'Leiaute',
    noCartao: 'titulo',
    celula: ({ id, nome }) => <DuasLinhas titulo={nome} detalhe={id} />,
  },
  {
    id: 'origem',
    titulo: 'Veio',
    celula: ({ origem }) => (origem === 'ensinado' ? 'ensinado aqui' : 'de um arquivo'),
  },
  { id: 'desde', titulo: 'Desde', junta: true, celula: ({ criadoEm }) => formatInstante(criadoEm) },
];

/** The layouts that the office has taught or installed: to be sent to a colleague, or taken away. */
export function DoEscritorio({ leiautes }: { leiautes: readonly Leiaute[] }) {
  const { usuario } = useSessao();
  const isAdministrador = usuario.papel === 'administrador';
  const acao: Coluna<Leiaute> = {
    id: 'acao',
    titulo: 'Ação',
    noCartao: 'lado',
    celula: (leiaute) => <Acoes leiaute={leiaute} retira={isAdministrador} />,
  };
  return (
    <>
      {isAdministrador && <Instalar />}
      {leiautes.length === 0 ? (
        <Vazio titulo="Nenhum leiaute do escritório">Valem os que vêm com o Malote.</Vazio>
      ) : (
        <Tabela<Leiaute, string>
          nome="Leiautes do escritório"
          colunas={[...COLUNAS, acao]}
          linhas={leiautes}
          id={({ id }) => id}
        />
      )}
    </>
  );
}

function Acoes({ leiaute, retira }: { leiaute: Leiaute; retira: boolean }) {
  const { id, nome } = leiaute;
  const retirar = useAcao('DELETE /leiautes/{id}', {
    renova: ['GET /leiautes'],
    aoDarCerto: ({ mensagem }) => avisar(mensagem),
  });
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="light"
        component="a"
        href={endereco('GET /leiautes/{id}/arquivo', { caminho: { id } })}
        download
        leftSection={<IconDownload size={15} />}
      >
        Exportar
      </Button>
      {retira && (
        <Confirmar
          pergunta={`Retirar o leiaute ${nome}?`}
          detalhe="As notas que ele já leu ficam como estão, com os seus NSU. As que chegarem a partir de agora voltam a esperar."
          acao="Retirar"
          aoConfirmar={() => retirar.mutateAsync({ caminho: { id } })}
        >
          {(abrir) => (
            <Button size="compact-sm" variant="subtle" color="red" onClick={abrir}>
              Retirar
            </Button>
          )}
        </Confirmar>
      )}
    </Group>
  );
}

/** A colleague's file: checked by the server before it counts. */
function Instalar() {
  const instalar = useAcao('POST /leiautes/instalar', { renova: ['GET /leiautes'] });
  return (
    <>
      <Group p="sm" justify="space-between">
        <Text size="sm" c="dimmed" maw={620}>
          Exportar baixa um arquivo com os nomes dos campos, sem nada das notas, para enviar a um colega. O
          arquivo que um colega enviou se instala aqui.
        </Text>
        <BotaoDeArquivo
          accept=".json,application/json"
          espera={instalar.isPending}
          aoEscolher={async (file) => instalar.mutate({ corpo: { arquivo: await file.text() } })}
        >
          Instalar um leiaute
        </BotaoDeArquivo>
      </Group>
      {instalar.error && <Erro falha={instalar.error} titulo="O leiaute não foi instalado" />}
      {instalar.data && (
        <Alert color="teal" title={`Leiaute ${instalar.data.nome} instalado`} role="status" m="sm">
          {instalar.data.substituiu && 'Ele tomou o lugar do que havia com o mesmo nome. '}O que espera e se
          lê por ele entra nas listas em instantes.
        </Alert>
      )}
    </>
  );
}
