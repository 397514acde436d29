/**
 * The consistency check of the vault (`malote verificar`). It reads everything and changes nothing. It goes page by
 * page, each page in one snapshot, so its memory does not grow with the vault and imports may go on meanwhile.
 */
import type { Tabelas } from '../../banco/tabelas.ts';
import type { Autoridades } from '../../fiscal/certificado/autoridades.ts';
import type { Database } from '../../platform/db/connect.ts';
import type { Achado } from './achados.ts';
import { verificarCertificados, verificarConteudos } from './verificar-conteudos.ts';
import { verificarDocumentos, verificarEsperados } from './verificar-documentos.ts';
import { verificarEscritorios, verificarNomes, verificarPalavras } from './verificar-escritorios.ts';
import { verificarEntradas, verificarFeeds, verificarParticipacoes } from './verificar-feeds.ts';
import {
  verificarAutoridades,
  verificarDecisoes,
  verificarProtocolos,
  verificarTextosDosCertificados,
} from './verificar-guardados.ts';
import { type LerEnvio, verificarLinhas } from './verificar-linhas.ts';

export interface OpcoesDaVerificacao {
  /** Whether documents of homologação are delivered (`MALOTE_HOMOLOGACAO`). */
  homologacao?: boolean;
  /** Rows in one step. */
  tamanho?: number;
  /** Told after each step how many more versions were read whole. */
  aoConferir?: (versoes: number) => void;
  /** What documents say in the uploads that they came in; without it, only what they say alone counts. */
  lerEnvio?: LerEnvio;
  /** Who answers for certificates; without it, their chains are not looked at. */
  autoridades?: Autoridades | null;
}

/** A part of the check, which says by itself what it is about. */
export interface Conferencia {
  nome: string;
  achados: AsyncGenerator<Achado>;
}

/** The parts, each to be gone through by itself: where one cannot be finished, since its rows cannot be read, the next can. */
export function conferenciasDoCofre(
  db: Database<Tabelas>['read'],
  options: OpcoesDaVerificacao = {},
): Conferencia[] {
  const { tamanho = 1_000, homologacao = false, aoConferir = () => {} } = options;
  const { lerEnvio = () => Promise.resolve(null), autoridades = null } = options;
  const ambientes = homologacao ? [1, 2] : [1];
  return [
    { nome: 'nsu', achados: verificarFeeds(db, tamanho) },
    { nome: 'listagem', achados: verificarEntradas(db, tamanho) },
    { nome: 'listagem', achados: verificarParticipacoes(db, tamanho) },
    { nome: 'documentos', achados: verificarDocumentos(db, { tamanho, ambientes }) },
    { nome: 'escritorio', achados: verificarEscritorios(db) },
    { nome: 'sha256', achados: verificarConteudos(db, { tamanho, aoConferir }) },
    { nome: 'linhas', achados: verificarLinhas(db, { tamanho, lerEnvio }) },
    { nome: 'certificados', achados: verificarCertificados(db) },
    { nome: 'certificados', achados: verificarTextosDosCertificados(db, { tamanho, autoridades }) },
    { nome: 'certificados', achados: verificarAutoridades(db) },
    { nome: 'protocolos', achados: verificarProtocolos(db, tamanho) },
    { nome: 'decisoes', achados: verificarDecisoes(db) },
    { nome: 'busca', achados: verificarNomes(db, tamanho) },
    { nome: 'busca', achados: verificarPalavras(db, tamanho) },
    { nome: 'esperados', achados: verificarEsperados(db, tamanho) },
  ];
}

/** Everything that does not hang together, one finding for each row; none in a sound vault. */
export async function* verificarCofre(
  db: Database<Tabelas>['read'],
  options: OpcoesDaVerificacao = {},
): AsyncGenerator<Achado> {
  for (const { achados } of conferenciasDoCofre(db, options)) yield* achados;
}
