/** What became of a document, and who has read it. */
import type { Db } from '../../banco/tabelas.ts';
import { lerEmissao } from '../../documentos/lean/emissao-guardada.ts';
import { instanteDe } from '../tempo.ts';
import { usuariosRemovidos } from '../usuarios/removidos.ts';
import { nomeDaProva } from './prova.ts';
import type { LinhaDaVersao, LinhaDoDocumento } from './queries-documento.ts';
import * as queries from './queries-documento.ts';
import { protocoloDe } from './vereditos.ts';

const ACESSOS = 100;

export interface Acesso {
  em: string;
  ato: string;
  autor: string;
  nome: string | null;
}

/** The last accesses, those by pages of the feed among them, the newest first. */
export async function acessosDe(db: Db, linha: LinhaDoDocumento): Promise<Acesso[]> {
  const um = await queries.findAcessos(db, { documentoId: linha.id, limite: ACESSOS });
  const lotes = await queries.findLeiturasEmLote(db, {
    clienteId: linha.cliente_id,
    nsu: linha.nsu,
    limite: ACESSOS,
  });
  const todos = [...um, ...lotes.map((lote) => ({ ...lote, ato: 'feed' }))]
    .sort((a, b) => b.em - a.em)
    .slice(0, ACESSOS);
  const nomes = await nomesDosAutores(db, {
    contadorId: linha.contador_id,
    autores: todos.map(({ autor }) => autor),
  });
  return todos.map(({ em, ato, autor }) => ({
    em: instanteDe(em),
    ato,
    autor,
    nome: nomes.get(autor) ?? null,
  }));
}

/** Names of `token:3` and `usuario:2`, of users that are gone too. */
async function nomesDosAutores(
  db: Db,
  { contadorId, autores }: { contadorId: number; autores: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const idsDe = (prefix: string) =>
    autores.flatMap((autor) => (autor.startsWith(prefix) ? [Number(autor.slice(prefix.length))] : []));
  const usuarios = idsDe('usuario:');
  const nomes = await queries.findNomesDeAutores(db, { contadorId, tokens: idsDe('token:'), usuarios });
  if (usuarios.every((id) => nomes.has(`usuario:${id}`))) return nomes;
  const removidos = await usuariosRemovidos(db, contadorId);
  return new Map([
    ...[...removidos.values()].map(({ id, nome }): [string, string] => [`usuario:${id}`, nome]),
    ...nomes,
  ]);
}

export interface Passo {
  em: string;
  tipo: 'emissao' | 'autorizacao' | 'evento' | 'importacao' | 'acesso';
  titulo: string;
  detalhe: string | null;
  /** Document to open, of an event. */
  documentoId: number | null;
}

const ATOS: Readonly<Record<string, string>> = {
  leitura: 'Aberto',
  xml: 'XML baixado',
  pdf: 'PDF baixado',
  exportacao: 'Exportado',
  endereco: 'XML baixado pelo endereço assinado',
  feed: 'Lido pela integração',
};

/** Who gave a document its number or protocol. Events have no layout of their own: the key of a municipal note tells it. */
export function tituloDoRegistro(
  linha: Pick<LinhaDoDocumento, 'modelo' | 'classe' | 'layout_nacional' | 'chave'>,
): string {
  if (linha.modelo !== 'NFSe') return 'Registro na SEFAZ';
  const nacional = linha.classe === 'evento' ? !linha.chave.startsWith('NFSE-') : linha.layout_nacional === 1;
  return nacional ? 'Registro no Sistema Nacional NFS-e' : 'Registro na prefeitura';
}

/** From issue to the last access, in order of time. */
export async function linhaDoTempo(
  db: Db,
  input: { linha: LinhaDoDocumento; versoes: readonly LinhaDaVersao[]; acessos: readonly Acesso[] },
): Promise<Passo[]> {
  const { linha, versoes } = input;
  const eventos = await queries.findEventos(db, {
    contadorId: linha.contador_id,
    chave: linha.chave,
    ambiente: linha.ambiente,
    documentoId: linha.id,
  });
  const servida = versoes.find((versao) => versao.servida === 1);
  const protocolo = servida ? protocoloDe(servida) : null;
  const passos: Passo[] = [
    { em: lerEmissao(linha), tipo: 'emissao', titulo: 'Emissão', detalhe: null, documentoId: null },
    ...(protocolo?.dhRecbto
      ? [
          {
            em: protocolo.dhRecbto,
            tipo: 'autorizacao' as const,
            titulo: protocolo.xMotivo ?? tituloDoRegistro(linha),
            detalhe: protocolo.nProt ? `Protocolo ${protocolo.nProt}` : null,
            documentoId: null,
          },
        ]
      : []),
    ...eventos.map((evento) => ({
      em: lerEmissao(evento),
      tipo: 'evento' as const,
      titulo: evento.evento_descricao ?? 'Evento',
      detalhe: [
        `${evento.evento_codigo}, sequência ${evento.evento_sequencia ?? 1}`,
        evento.nprot && `protocolo ${evento.nprot}`,
        nomeDaProva(evento.prova),
        evento.afastado === 1 && 'desconsiderado',
      ]
        .filter(Boolean)
        .join(', '),
      documentoId: evento.id,
    })),
    ...versoes
      .filter(({ importado_em }) => importado_em > 0)
      .map((versao, index) => ({
        em: instanteDe(versao.importado_em),
        tipo: 'importacao' as const,
        titulo: index === 0 ? 'Importação' : 'Importação de outra versão',
        detalhe: procedenciaDe(versao),
        documentoId: null,
      })),
    ...input.acessos.map((acesso) => ({
      em: acesso.em,
      tipo: 'acesso' as const,
      titulo: ATOS[acesso.ato] ?? acesso.ato,
      detalhe: acesso.nome ?? null,
      documentoId: null,
    })),
  ];
  return passos.sort((a, b) => Date.parse(a.em) - Date.parse(b.em));
}

const BUSCADO_DE: Readonly<Record<string, string>> = {
  sefaz: 'Buscado na SEFAZ',
  adn: 'Buscado no ambiente nacional da NFS-e (ADN)',
  sae: 'Buscado no SAE-NFC-e de São Paulo',
  email: 'Por e-mail',
  pasta: 'De uma pasta',
};

function procedenciaDe(versao: LinhaDaVersao): string {
  const buscado = BUSCADO_DE[versao.origem ?? ''];
  if (buscado) return buscado;
  if (versao.origem === 'console') return `Pelo console${versao.usuario ? `, por ${versao.usuario}` : ''}`;
  return versao.token ? `Pela integração, token ${versao.token}` : 'Pela integração';
}
