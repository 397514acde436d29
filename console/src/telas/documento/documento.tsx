import { Alert, Button, Group, Paper, SimpleGrid, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { IconDownload, IconFileTypePdf, IconPrinter } from '@tabler/icons-react';
import { useParams } from 'wouter';
import { endereco } from '../../api/chamar.ts';
import { useConsulta } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatarDia } from '../../formatos/datas.ts';
import { formatarChave, formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { formatarReais } from '../../formatos/numeros.ts';
import { Copiar } from '../../partes/copiar.tsx';
import { Elo } from '../../partes/elo.tsx';
import { Erro } from '../../partes/estados.tsx';
import { Etiqueta, Status } from '../../partes/etiquetas.tsx';
import { nomeDoModelo, PAPEIS_NO_DOCUMENTO } from '../../partes/nomes.ts';
import { Tela } from '../../partes/tela.tsx';
import { Acessos } from './acessos.tsx';
import { Conflito } from './conflito.tsx';
import { Finalidade } from './finalidade.tsx';
import { Grupos } from './grupos.tsx';
import { LinhaDoTempo } from './linha-do-tempo.tsx';
import { Vereditos } from './vereditos.tsx';
import { VisorDeXml } from './visor-de-xml.tsx';

export type DocumentoAberto = Resposta<'GET /documentos/{id}'>;

export default function Documento() {
  const id = Number(useParams().id);
  const { data, error, refetch } = useConsulta('GET /documentos/{id}', { caminho: { id } });
  const documento = data?.documento;
  const titulo = documento
    ? `${nomeDoModelo(documento.modelo)} ${documento.numero ?? ''}${documento.serie ? ` · série ${documento.serie}` : ''}`
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
          <span className="mono quebra">{documento?.chave ?? '…'}</span>
          {documento && <Copiar valor={documento.chave} rotulo="Copiar a chave" />}
        </Group>
      }
      acoes={data && !data.documento.excluido ? <Acoes id={id} /> : null}
    >
      {error ? (
        <Erro falha={error} deNovo={() => void refetch()} />
      ) : data ? (
        <Aberto aberto={data} />
      ) : (
        <Stack>
          <Skeleton height={150} />
          <Skeleton height={480} />
        </Stack>
      )}
    </Tela>
  );
}

function Acoes({ id }: { id: number }) {
  const caminho = { id };
  return (
    <>
      <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
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
  const { documento, versoes } = aberto;
  return (
    <Stack gap="md">
      <Cabecalho aberto={aberto} />
      {documento.excluido && (
        <Alert color="gray" title="Conteúdo apagado">
          O prazo de guarda deste documento terminou; restam o registro e a sua chave.
        </Alert>
      )}
      <Vereditos vereditos={aberto.vereditos} />
      {documento.conflito && (
        <Alert color="red" title="Há outra versão com a mesma chave e conteúdo diferente">
          As duas estão guardadas; vale a primeira autorizada. Compare em “Versões”.
        </Alert>
      )}
      <Tabs defaultValue="conteudo" keepMounted={false} className="sem-impressao">
        <Tabs.List>
          <Tabs.Tab value="conteudo">Conteúdo</Tabs.Tab>
          <Tabs.Tab value="historia">Linha do tempo</Tabs.Tab>
          <Tabs.Tab value="finalidade">Finalidade</Tabs.Tab>
          <Tabs.Tab value="xml">XML</Tabs.Tab>
          <Tabs.Tab value="acessos">Acessos</Tabs.Tab>
          {versoes.length > 1 && <Tabs.Tab value="versoes">Versões ({versoes.length})</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="conteudo" pt="md">
          <Grupos id={documento.id} grupos={aberto.grupos} />
        </Tabs.Panel>
        <Tabs.Panel value="historia" pt="md">
          <LinhaDoTempo linha={aberto.linhaDoTempo} />
        </Tabs.Panel>
        <Tabs.Panel value="finalidade" pt="md">
          <Finalidade aberto={aberto} />
        </Tabs.Panel>
        <Tabs.Panel value="xml" pt="md">
          <VisorDeXml id={documento.id} />
        </Tabs.Panel>
        <Tabs.Panel value="acessos" pt="md">
          <Acessos acessos={aberto.acessos} />
        </Tabs.Panel>
        <Tabs.Panel value="versoes" pt="md">
          <Conflito aberto={aberto} />
        </Tabs.Panel>
      </Tabs>
      <div className="somente-impressao folha-impressa">
        <Grupos id={documento.id} grupos={aberto.grupos} />
      </div>
    </Stack>
  );
}

function Cabecalho({ aberto }: { aberto: DocumentoAberto }) {
  const { documento } = aberto;
  const { emitente, destinatario, status, papel, tipo, dataEmissao, valor, nsu } = documento;
  const pessoas: [string, typeof emitente][] = [
    ['Emitente', emitente],
    ['Destinatário / tomador', destinatario],
  ];
  return (
    <Paper className="folha folha-impressa" p="md">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Status status={status} />
            {documento.cartaCorrecao && <Etiqueta cor="blue">Carta de correção</Etiqueta>}
            {documento.homologacao && <Etiqueta cor="yellow">Homologação, sem valor fiscal</Etiqueta>}
            <Etiqueta cor="gray">{`${tipo} · ${PAPEIS_NO_DOCUMENTO[papel] ?? papel}`}</Etiqueta>
          </Group>
          <Text fz={22} fw={700}>
            {formatarReais(valor)}
          </Text>
        </Group>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          {pessoas.map(([rotulo, pessoa]) => (
            <Campo
              key={rotulo}
              rotulo={rotulo}
              valor={pessoa.nome ?? '–'}
              detalhe={formatarCpfCnpj(pessoa.cpfCnpj)}
            />
          ))}
          <Campo rotulo="Emissão" valor={formatarDia(dataEmissao)} detalhe={`NSU ${nsu}`} />
          <Campo
            rotulo="Cliente"
            valor={documento.cliente.nome ?? '–'}
            detalhe={formatarCpfCnpj(documento.cliente.cpfCnpj)}
          />
        </SimpleGrid>
        <Text size="sm" className="mono quebra somente-impressao">
          Chave de acesso: {formatarChave(documento.chave)}
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
