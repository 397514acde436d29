import {
  Alert,
  Button,
  Group,
  Paper,
  ScrollArea,
  SimpleGrid,
  Skeleton,
  Stack,
  Tabs,
  Text,
} from '@mantine/core';
import { IconDownload, IconFileTypePdf, IconPrinter } from '@tabler/icons-react';
import { useParams } from 'wouter';
import { endereco } from '../../api/chamar.ts';
import { useConsulta } from '../../api/consulta.ts';
import { formatDia, formatInstante } from '../../formatos/datas.ts';
import { formatarCpfCnpj, formatChave } from '../../formatos/documentos-de-pessoa.ts';
import { formatReais } from '../../formatos/numeros.ts';
import { Copiar } from '../../partes/copiar.tsx';
import { Elo } from '../../partes/elo.tsx';
import { Consultado, Vazio } from '../../partes/estados.tsx';
import { Etiqueta, SoDeclarado, Status } from '../../partes/etiquetas.tsx';
import { nomeDoModelo, PAPEIS_NO_DOCUMENTO } from '../../partes/nomes.ts';
import { Tela } from '../../partes/tela.tsx';
import { useClienteAtual } from '../../sessao/cliente-atual.tsx';
import type { DocumentoAberto } from './aberto.ts';
import { Acessos } from './acessos.tsx';
import { Eventos, NotaDoEvento, SemValor } from './eventos.tsx';
import { Finalidade } from './finalidade.tsx';
import { Grupos } from './grupos.tsx';
import { Itens } from './itens.tsx';
import { LinhaDoTempo } from './linha-do-tempo.tsx';
import { Manifestacao } from './manifestacao.tsx';
import { SituacaoSemProva } from './prova.tsx';
import { SemPdf } from './sem-pdf.tsx';
import { Vereditos } from './vereditos.tsx';
import { Versoes } from './versoes.tsx';
import { VisorDeXml } from './visor-de-xml.tsx';

/** Identification and parties come first, as on the printed form; then what was sold. */
const GRUPOS_ANTES_DOS_ITENS = 3;

export default function Documento() {
  const id = Number(useParams().id);
  const { cliente, fixo, escolher } = useClienteAtual();
  const query = cliente && !fixo ? { cliente } : {};
  const consulta = useConsulta('GET /documentos/{id}', { caminho: { id }, query });
  const { data, error } = consulta;
  const titulo = data
    ? `${nomeDoModelo(data.modelo)} ${data.numero ?? ''}${data.serie ? ` · série ${data.serie}` : ''}`
    : 'Documento';
  return (
    <Tela
      titulo={titulo}
      descricao={
        <Group gap={4}>
          <Elo para="/documentos" size="sm">
            Documentos
          </Elo>
          <span aria-hidden>/</span>
          <span className="mono quebra">{data?.chave ?? '…'}</span>
          {data && <Copiar valor={data.chave} rotulo="Copiar a chave" />}
        </Group>
      }
      acoes={data && !data.excluidoEm ? <Acoes id={id} /> : null}
    >
      {error?.status === 404 && query.cliente ? (
        <Paper className="folha">
          <Vazio
            titulo="Este documento não é do cliente escolhido"
            acao={
              <Button variant="default" onClick={() => escolher(null)}>
                Ver por todo o escritório
              </Button>
            }
          >
            Em “Visualizar como” está escolhido {formatarCpfCnpj(query.cliente)}, que não tem este documento.
          </Vazio>
        </Paper>
      ) : (
        <Consultado
          consulta={consulta}
          esperando={
            <Stack>
              <Skeleton height={150} />
              <Skeleton height={480} />
            </Stack>
          }
        >
          {(aberto) => <Aberto aberto={aberto} />}
        </Consultado>
      )}
    </Tela>
  );
}

function Acoes({ id }: { id: number }) {
  const caminho = { id };
  return (
    <>
      <Button
        variant="default"
        component="a"
        href={endereco('GET /documentos/{id}/pdf', { caminho, query: { abrir: true } })}
        target="_blank"
        leftSection={<IconPrinter size={16} />}
      >
        Imprimir
      </Button>
      <Button
        variant="default"
        component="a"
        href={endereco('GET /documentos/{id}/pdf', { caminho })}
        target="_blank"
        leftSection={<IconFileTypePdf size={16} />}
      >
        PDF
      </Button>
      <Button
        component="a"
        href={endereco('GET /documentos/{id}/xml', { caminho })}
        download
        leftSection={<IconDownload size={16} />}
      >
        XML
      </Button>
    </>
  );
}

function Aberto({ aberto }: { aberto: DocumentoAberto }) {
  return (
    <Stack gap="md">
      <SemPdf />
      <SemValor aberto={aberto} />
      <NotaDoEvento aberto={aberto} />
      <Cabecalho aberto={aberto} />
      <Avisos aberto={aberto} />
      <Abas aberto={aberto} />
      <div className="somente-impressao folha-impressa">
        <Conteudo aberto={aberto} />
      </div>
    </Stack>
  );
}

/** What is to be known before one relies on the document. */
function Avisos({ aberto }: { aberto: DocumentoAberto }) {
  const { excluidoEm } = aberto;
  return (
    <>
      {excluidoEm && (
        <Alert color="gray" title="Conteúdo excluído">
          Foi excluído em {formatDia(excluidoEm)}, passado o prazo de guarda; restam o registro e a chave.
        </Alert>
      )}
      {aberto.ilegivel && (
        <Alert color="orange" title="O conteúdo não pôde ser lido a tempo">
          O XML está guardado e pode ser baixado.
        </Alert>
      )}
      <SituacaoSemProva aberto={aberto} />
      {aberto.vereditos && <Vereditos vereditos={aberto.vereditos} modelo={aberto.modelo} />}
      {aberto.conflito && (
        <Alert color="red" title="Há outra versão com a mesma chave e conteúdo diferente">
          Todas estão guardadas; vale a de prova mais forte e, entre iguais, a primeira autorizada. Compare em
          “Versões”.
        </Alert>
      )}
      {aberto.mesmaNota.map((outra) => (
        <MesmaNota key={outra.id} aberto={aberto} outra={outra} />
      ))}
    </>
  );
}

function Abas({ aberto }: { aberto: DocumentoAberto }) {
  const { id, versoes, finalidade, excluidoEm } = aberto;
  const seManifesta = aberto.modelo === '55' || aberto.modelo === '57';
  return (
    <Tabs defaultValue="conteudo" keepMounted={false} className="sem-impressao">
      <ScrollArea type="never">
        <Tabs.List style={{ flexWrap: 'nowrap' }}>
          <Tabs.Tab value="conteudo">Conteúdo</Tabs.Tab>
          <Tabs.Tab value="historia">Linha do tempo</Tabs.Tab>
          {finalidade && <Tabs.Tab value="finalidade">Finalidade</Tabs.Tab>}
          {!excluidoEm && <Tabs.Tab value="xml">XML</Tabs.Tab>}
          {seManifesta && <Tabs.Tab value="manifestacao">Manifestação</Tabs.Tab>}
          <Tabs.Tab value="acessos">Acessos</Tabs.Tab>
          {versoes.length > 1 && <Tabs.Tab value="versoes">Versões ({versoes.length})</Tabs.Tab>}
        </Tabs.List>
      </ScrollArea>
      <Tabs.Panel value="conteudo" pt="md">
        <Conteudo aberto={aberto} />
      </Tabs.Panel>
      <Tabs.Panel value="historia" pt="md">
        <LinhaDoTempo linha={aberto.linhaDoTempo} />
      </Tabs.Panel>
      {finalidade && (
        <Tabs.Panel value="finalidade" pt="md">
          <Finalidade id={id} finalidade={finalidade} itens={aberto.itens.itens} />
        </Tabs.Panel>
      )}
      {!excluidoEm && (
        <Tabs.Panel value="xml" pt="md">
          <VisorDeXml id={id} />
        </Tabs.Panel>
      )}
      {seManifesta && (
        <Tabs.Panel value="manifestacao" pt="md">
          <Manifestacao id={id} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="acessos" pt="md">
        <Acessos acessos={aberto.acessos} />
      </Tabs.Panel>
      <Tabs.Panel value="versoes" pt="md">
        <Versoes id={id} versoes={versoes} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** An NFS-e that came in both layouts is two documents: who adds them up must know that they are one note. */
function MesmaNota({
  aberto,
  outra,
}: {
  aberto: DocumentoAberto;
  outra: DocumentoAberto['mesmaNota'][number];
}) {
  const layout = outra.layoutNacional ? 'no layout nacional' : 'no layout da prefeitura';
  return (
    <Alert
      color={outra.status === aberto.status ? 'blue' : 'orange'}
      title={
        outra.soCancelamento
          ? `O cancelamento desta NFS-e está ${layout}`
          : `Esta NFS-e também está ${layout}`
      }
    >
      <Stack gap={4}>
        <Group gap="xs">
          <Elo para={`/documentos/${outra.id}`} size="sm">
            <span className="mono quebra">{outra.chave}</span>
          </Elo>
          <Status status={outra.status} />
        </Group>
        <Text size="sm">
          {outra.soCancelamento
            ? 'Ele veio com a outra chave da nota.'
            : 'As duas são a mesma nota: conte-a uma vez só.'}
          {outra.status === aberto.status ? '' : ' As situações diferem: confira qual vale.'}
        </Text>
      </Stack>
    </Alert>
  );
}

function Conteudo({ aberto }: { aberto: DocumentoAberto }) {
  const [antes, depois] = [
    aberto.grupos.slice(0, GRUPOS_ANTES_DOS_ITENS),
    aberto.grupos.slice(GRUPOS_ANTES_DOS_ITENS),
  ];
  return (
    <Stack gap="md">
      <Eventos eventos={aberto.eventos} />
      <Grupos grupos={antes} />
      {aberto.itens.total > 0 && <Itens id={aberto.id} itens={aberto.itens} />}
      <Grupos grupos={depois} />
    </Stack>
  );
}

function Cabecalho({ aberto }: { aberto: DocumentoAberto }) {
  const { emitente, destinatario, status, papel, tipo, dataEmissao, valor, nsu, cliente } = aberto;
  return (
    <Paper className="folha folha-impressa" p="md">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Status status={status} />
            {aberto.marcado && <SoDeclarado />}
            {aberto.cartaCorrecao && <Etiqueta cor="blue">Carta de correção</Etiqueta>}
            {aberto.homologacao && <Etiqueta cor="yellow">Homologação, sem valor fiscal</Etiqueta>}
            <Etiqueta cor="gray">{`${tipo} · ${PAPEIS_NO_DOCUMENTO[papel] ?? papel}`}</Etiqueta>
          </Group>
          <Text fz={22} fw={700}>
            {formatReais(valor)}
          </Text>
        </Group>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          <Campo rotulo="Emitente" valor={emitente.nome ?? '–'} detalhe={formatarCpfCnpj(emitente.cpfCnpj)} />
          <Campo
            rotulo="Destinatário / tomador"
            valor={destinatario.nome ?? '–'}
            detalhe={formatarCpfCnpj(destinatario.cpfCnpj)}
          />
          <Campo
            rotulo="Emissão"
            valor={formatInstante(dataEmissao)}
            detalhe={`NSU ${nsu}, importado em ${formatDia(aberto.dataImportacao)}`}
          />
          <Campo rotulo="Cliente" valor={cliente.nome ?? '–'} detalhe={formatarCpfCnpj(cliente.cpfCnpj)} />
        </SimpleGrid>
        <Text size="sm" className="mono quebra somente-impressao">
          {aberto.titulo}. Chave de acesso: {formatChave(aberto.chave)}
        </Text>
      </Stack>
    </Paper>
  );
}

function Campo({ rotulo, valor, detalhe }: { rotulo: string; valor: string; detalhe: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {rotulo}
      </Text>
      <Text size="sm" fw={600} className="quebra">
        {valor}
      </Text>
      <Text size="xs" c="dimmed">
        {detalhe}
      </Text>
    </div>
  );
}
