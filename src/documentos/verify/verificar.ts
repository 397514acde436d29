/**
 * The consistency check of the vault (`malote verificar`). It reads everything and changes nothing. It goes page by
 * page, each page in one snapshot, so its memory does not grow with the vault and imports may go on meanwhile.
 */
import type { Tabelas } from '../../banco/tabelas.ts';
import type { Autoridades } from '../../fiscal/certificado/autoridades.ts';
import type { ValidadorDeEsquema } from '../../fiscal/ler.ts';
import type { Database } from '../../platform/db/connect.ts';
import type { Achado } from './achados.ts';
import { verifyCertificados, verifyConteudos } from './verificar-conteudos.ts';
import { verifyDocumentos, verifyEsperados } from './verificar-documentos.ts';
import { verifyEscritorios, verifyNomes, verifyPalavras } from './verificar-escritorios.ts';
import { verifyEntradas, verifyFeeds, verifyParticipacoes } from './verificar-feeds.ts';
import {
  verifyAutoridades,
  verifyDecisoes,
  verifyMetades,
  verifyProtocolos,
  verifyTextosDosCertificados,
} from './verificar-guardados.ts';
import { verifyLeiautes, verifyNotasAEnsinar } from './verificar-leiautes.ts';
import { type LerEnvio, verifyLinhas } from './verificar-linhas.ts';

export interface OpcoesDaVerificacao {
  /** Whether documents of homologação are delivered (`MALOTE_HOMOLOGACAO`). */
  homologacao?: boolean;
  /** Rows in one step. */
  tamanho?: number;
  /** Told after each step how many more versions were read whole. */
  aoConferir?: (versoes: number) => void;
  /** What documents say in the uploads that they came in; without it, only what they say alone counts. */
  lerEnvio?: LerEnvio;
  /** By which reasons of schemas are found again; without it, they are not looked at. */
  validador?: ValidadorDeEsquema | null;
  /** Who answers for certificates; without it, their chains are not looked at. */
  autoridades?: Autoridades | null;
}

/** A part of the check, which says by itself what it is about. */
interface Conferencia {
  nome: string;
  achados: AsyncGenerator<Achado>;
}

/** The parts, each to be gone through by itself: where one cannot be finished, since its rows cannot be read, the next can. */
export function conferenciasDoCofre(
  db: Database<Tabelas>['read'],
  options: OpcoesDaVerificacao = {},
): Conferencia[] {
  const { tamanho = 1_000, homologacao = false, aoConferir = () => {} } = options;
  const { lerEnvio = () => Promise.resolve(null), autoridades = null, validador = null } = options;
  const ambientes = homologacao ? [1, 2] : [1];
  return [
    { nome: 'nsu', achados: verifyFeeds(db, tamanho) },
    { nome: 'listagem', achados: verifyEntradas(db, tamanho) },
    { nome: 'listagem', achados: verifyParticipacoes(db, tamanho) },
    { nome: 'documentos', achados: verifyDocumentos(db, { tamanho, ambientes }) },
    { nome: 'escritorio', achados: verifyEscritorios(db) },
    { nome: 'sha256', achados: verifyConteudos(db, { tamanho, aoConferir }) },
    { nome: 'linhas', achados: verifyLinhas(db, { tamanho, lerEnvio, validador }) },
    { nome: 'certificados', achados: verifyCertificados(db) },
    { nome: 'certificados', achados: verifyTextosDosCertificados(db, { tamanho, autoridades }) },
    { nome: 'certificados', achados: verifyAutoridades(db) },
    { nome: 'protocolos', achados: verifyProtocolos(db, tamanho) },
    { nome: 'metades', achados: verifyMetades(db, tamanho) },
    { nome: 'leiautes', achados: verifyNotasAEnsinar(db, tamanho) },
    { nome: 'leiautes', achados: verifyLeiautes(db, tamanho) },
    { nome: 'decisoes', achados: verifyDecisoes(db) },
    { nome: 'busca', achados: verifyNomes(db, tamanho) },
    { nome: 'busca', achados: verifyPalavras(db, tamanho) },
    { nome: 'esperados', achados: verifyEsperados(db, tamanho) },
  ];
}

/** Everything that does not hang together, one finding for each row; none in a sound vault. */
export async function* verifyCofre(
  db: Database<Tabelas>['read'],
  options: OpcoesDaVerificacao = {},
): AsyncGenerator<Achado> {
  for (const { achados } of conferenciasDoCofre(db, options)) yield* achados;
}
