import { Alert, Anchor, Button, Code, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { plural } from '../../formatos/numeros.ts';
import { comoBase64 } from '../../partes/arquivo.ts';
import { avisar } from '../../partes/avisos.ts';
import { BotaoDeArquivo } from '../../partes/botao-de-arquivo.tsx';
import { Erro } from '../../partes/estados.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';

type Linha = Resposta<'POST /clientes/lote/previa'>['linhas'][number];

const MODELO =
  'cpfCnpj;nome;email;procuracao\n11.222.333/0001-81;Padaria Exemplo Ltda;fiscal@exemplo.com.br;nao\n';

const COLUNAS: readonly Coluna<Linha>[] = [
  { id: 'linha', titulo: 'Linha', numero: true, celula: ({ linha }) => linha },
  {
    id: 'veredito',
    titulo: 'Resultado',
    noCartao: 'lado',
    celula: ({ situacao, mensagem }) => (
      <>
        <Etiqueta cor={SITUACOES[situacao][0]}>{SITUACOES[situacao][1]}</Etiqueta>
        {mensagem && (
          <Text size="xs" c="dimmed" miw={200}>
            {mensagem}
          </Text>
        )}
      </>
    ),
  },
  { id: 'cpfCnpj', titulo: 'CPF / CNPJ', junta: true, celula: ({ cpfCnpj }) => formatarCpfCnpj(cpfCnpj) },
  { id: 'nome', titulo: 'Nome', corta: true, noCartao: 'titulo', celula: ({ nome }) => nome },
  { id: 'email', titulo: 'E-mail', corta: true, celula: ({ email }) => email },
];
const SITUACOES: Readonly<Record<Linha['situacao'], [cor: string, nome: string]>> = {
  nova: ['teal', 'será cadastrado'],
  existente: ['gray', 'já cadastrado'],
  repetida: ['gray', 'repetido'],
  invalida: ['red', 'com erro'],
};

/** Many clients at once from a spreadsheet; nothing is stored before every line has been judged and looked at. */
export function Lote({ aberto, fechar }: { aberto: boolean; fechar: () => void }) {
  return (
    <Modal opened={aberto} onClose={fechar} title="Cadastrar clientes por planilha" size="xl">
      {aberto && <Passos fechar={fechar} />}
    </Modal>
  );
}

function Passos({ fechar }: { fechar: () => void }) {
  const [csv, setCsv] = useState('');
  /** As it is: the server takes it apart, and knows the alphabets of spreadsheets. */
  const [arquivo, setArquivo] = useState<string | null>(null);
  const previa = useAcao('POST /clientes/lote/previa');
  const voltar = () => {
    setArquivo(null);
    previa.reset();
  };
  const lerArquivo = async (file: File) => {
    const base64 = await comoBase64(file);
    setArquivo(base64);
    previa.mutate({ corpo: { arquivo: base64 } });
  };
  return previa.data ? (
    <Conferidas
      corpo={arquivo === null ? { csv } : { arquivo }}
      linhas={previa.data.linhas}
      voltar={voltar}
      fechar={fechar}
    />
  ) : (
    <Entrada csv={csv} mudar={setCsv} previa={previa} aoEscolher={lerArquivo} />
  );
}

/** Every line with what would become of it; those that are new are stored on demand. */
function Conferidas({
  corpo,
  linhas,
  voltar,
  fechar,
}: {
  corpo: { csv: string } | { arquivo: string };
  linhas: readonly Linha[];
  voltar: () => void;
  fechar: () => void;
}) {
  const gravar = useAcao('POST /clientes/lote', {
    renova: ['GET /clientes', 'GET /retidos', 'GET /documentos'],
    aoDarCerto: (resposta) => {
      avisar(resposta.mensagem);
      fechar();
    },
  });
  const novas = linhas.filter(({ situacao }) => situacao === 'nova').length;
  return (
    <Stack>
      <Text size="sm">
        {plural(novas, 'cliente será cadastrado', 'clientes serão cadastrados')};{' '}
        {plural(linhas.length - novas, 'linha fica', 'linhas ficam')} de fora.
      </Text>
      <div style={{ maxHeight: '50vh', overflowY: 'auto' }}>
        <Tabela<Linha, number>
          nome="Linhas do arquivo"
          colunas={COLUNAS}
          linhas={linhas}
          id={({ linha }) => linha}
        />
      </div>
      {gravar.error && <Erro falha={gravar.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={voltar}>
          Voltar
        </Button>
        <Button disabled={novas === 0} loading={gravar.isPending} onClick={() => gravar.mutate({ corpo })}>
          Cadastrar {plural(novas, 'cliente')}
        </Button>
      </Group>
    </Stack>
  );
}

/** A file, or its lines typed or pasted. */
function Entrada({
  csv,
  mudar,
  previa,
  aoEscolher,
}: {
  csv: string;
  mudar: (csv: string) => void;
  previa: ReturnType<typeof useAcao<'POST /clientes/lote/previa'>>;
  aoEscolher: (file: File) => Promise<void>;
}) {
  return (
    <Stack>
      <Colunas />
      <Textarea
        label="Ou cole aqui as linhas"
        classNames={{ input: 'mono' }}
        autosize
        minRows={6}
        maxRows={14}
        value={csv}
        onChange={(event) => mudar(event.currentTarget.value)}
        data-autofocus
      />
      {previa.error && <Erro falha={previa.error} />}
      <Group justify="space-between">
        <BotaoDeArquivo
          accept=".xlsx,.csv,.txt,text/csv,text/plain"
          espera={previa.isPending}
          aoEscolher={aoEscolher}
        >
          Escolher um arquivo
        </BotaoDeArquivo>
        <Button
          disabled={csv.trim() === ''}
          loading={previa.isPending}
          onClick={() => previa.mutate({ corpo: { csv } })}
        >
          Conferir
        </Button>
      </Group>
    </Stack>
  );
}

function Colunas() {
  return (
    <Alert color="malote" variant="light">
      <Text size="sm">
        Serve a planilha do Excel (<Code>.xlsx</Code>), ou um CSV. A primeira linha nomeia as colunas:{' '}
        <Code>cnpj</Code>, <Code>nome</Code> e, se houver, <Code>email</Code> e <Code>procuracao</Code>. Sem
        e-mail, fica o seu.{' '}
        <Anchor
          size="sm"
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(`\ufeff${MODELO}`)}`}
          download="clientes.csv"
        >
          Baixar um modelo
        </Anchor>
      </Text>
    </Alert>
  );
}
