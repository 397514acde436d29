import { Alert, List, Paper, Skeleton, Text, Title } from '@mantine/core';
import type { useConsulta } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatDia } from '../../formatos/datas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { formatInteiro, formatReais, plural } from '../../formatos/numeros.ts';
import { Consultado } from '../../partes/estados.tsx';
import { Status } from '../../partes/etiquetas.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import type { Apontado } from './apontado.ts';
import { Gravar } from './gravar.tsx';

type Avaliacao = Resposta<'POST /leiautes/avaliar'>;
type Nota = Avaliacao['linhas'][number];

const COLUNAS: readonly Coluna<Nota>[] = [
  { id: 'numero', titulo: 'Número', noCartao: 'titulo', celula: ({ numero }) => numero },
  { id: 'data', titulo: 'Emissão', junta: true, celula: ({ data }) => formatDia(data) },
  { id: 'valor', titulo: 'Valor', numero: true, celula: ({ valor }) => formatReais(valor) },
  {
    id: 'situacao',
    titulo: 'Situação',
    noCartao: 'lado',
    celula: ({ situacao, duvida }) => (
      <>
        <Status status={situacao} />
        {duvida && (
          <Text size="xs" c="dimmed">
            {duvida}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'partes',
    titulo: 'Prestador e tomador',
    celula: ({ prestador, nomeDoPrestador, tomador, nomeDoTomador }) => (
      <>
        <Parte cpfCnpj={prestador} nome={nomeDoPrestador} />
        <Parte cpfCnpj={tomador} nome={nomeDoTomador} />
      </>
    ),
  },
];

function Parte({ cpfCnpj, nome }: { cpfCnpj: string | null; nome: string | null }) {
  return (
    <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
      {cpfCnpj ? formatarCpfCnpj(cpfCnpj) : '–'} {nome?.slice(0, 40)}
    </Text>
  );
}

/** What the layout as far as it is known reads from all that wait; it is saved from here. */
export function Prova({
  consulta,
  apontado,
}: {
  consulta: ReturnType<typeof useConsulta<'POST /leiautes/avaliar'>>;
  apontado: Apontado;
}) {
  return (
    <Paper className="folha" style={{ overflow: 'hidden' }}>
      <Title order={2} p="md" pb={0}>
        O que isso lê
      </Title>
      <Consultado consulta={consulta} esperando={<Skeleton height={120} m="md" />}>
        {(avaliacao) => (
          <>
            <Resumo avaliacao={avaliacao} />
            {avaliacao.linhas.length > 0 && (
              <Tabela<Nota, string>
                nome="Notas como seriam lidas"
                colunas={COLUNAS}
                linhas={avaliacao.linhas}
                id={({ chave, arquivo }) => `${arquivo} ${chave}`}
              />
            )}
            <Gravar apontado={apontado} pronto={avaliacao.notas > 0 && !consulta.isPlaceholderData} />
          </>
        )}
      </Consultado>
    </Paper>
  );
}

function Resumo({ avaliacao }: { avaliacao: Avaliacao }) {
  const { faltas, notas, arquivosLidos, arquivos, esperam, falhas, linhas } = avaliacao;
  if (faltas.length > 0)
    return (
      <Alert color="blue" m="md" role="status">
        <List size="sm">
          {faltas.map((falta) => (
            <List.Item key={falta}>{falta}</List.Item>
          ))}
        </List>
      </Alert>
    );
  return (
    <Text size="sm" p="md" role="status">
      <b>{plural(notas, 'nota lida', 'notas lidas')}</b>, em {formatInteiro(arquivosLidos)} de{' '}
      {plural(arquivos, 'arquivo que espera', 'arquivos que esperam')}
      {esperam > arquivos && ` (de ${formatInteiro(esperam)}: os outros são lidos ao gravar)`}.
      {notas > linhas.length && ` As primeiras ${linhas.length} estão abaixo.`}
      {falhas.length > 0 && <Falhas falhas={falhas} />}
    </Text>
  );
}

function Falhas({ falhas }: Pick<Avaliacao, 'falhas'>) {
  return (
    <details>
      <summary>Por que os outros não são lidos</summary>
      <List size="sm" component="span">
        {falhas.map(({ arquivo, mensagem }) => (
          <Text key={arquivo} size="xs" component="span" display="block" className="quebra">
            <b>{arquivo || 'arquivo'}</b>: {mensagem}
          </Text>
        ))}
      </List>
    </details>
  );
}
