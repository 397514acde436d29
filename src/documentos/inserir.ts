/**
 * The rows of what a batch brings: documents with their parties, versions, and what these are written without. Each is one
 * act of the transaction in `store.ts`.
 */
import type { Insertable } from 'kysely';
import type { TabelaParticipante, TabelaVersao } from '../banco/tabelas.ts';
import { withoutRepeats } from '../fiscal/dfe/participantes.ts';
import type { Participante } from '../fiscal/tipos.ts';
import {
  type Comprimidos,
  type ConteudoAGuardar,
  comprimirConteudos,
  type Destino,
  guardarBlocos,
} from './blocos.ts';
import { type Candidato, chaveDaLinha, idDe, type PecaComRegistro } from './candidatos.ts';
import { type CertificadoGuardado, enxugarTitular, guardarCertificados } from './certificados.ts';
import { PAPEL_EM_CODIGO } from './codigos.ts';
import type { Versao } from './decidir.ts';
import { escreverHash } from './hash-guardado.ts';
import { linhaDeDocumento, nomesGuardados, participantesDe } from './identidade.ts';
import { guardarNomesDeEsquema } from './nomes-de-esquema.ts';
import { escreverProtocolo } from './protocolo-guardado.ts';
import * as queries from './queries.ts';
import type { CertificadoCortado, Trx } from './tipos.ts';

/** A document that the batch brings, with its row and its parties as the record that came first has them. */
export interface Novo {
  candidato: Candidato;
  linha: queries.LinhaDeDocumento;
  participantes: readonly Participante[];
}

export function novosDe(
  candidatos: Map<string, Candidato>,
  scope: { contadorId: number; agora: number },
): Novo[] {
  return [...candidatos.values()].flatMap((candidato) => {
    const [primeira] = candidato.gravar;
    if (!candidato.novo || !primeira) return [];
    const { registro } = primeira.peca;
    const participantes = withoutRepeats(participantesDe(registro));
    return { candidato, linha: linhaDeDocumento(registro, scope), participantes };
  });
}

export async function inserirDocumentos(
  trx: Trx,
  input: { candidatos: Map<string, Candidato>; novos: readonly Novo[] },
): Promise<void> {
  const linhas = input.novos.map(({ linha }) => linha);
  for (const row of await queries.insertDocumentos(trx, linhas)) {
    const candidato = input.candidatos.get(chaveDaLinha(row, row.identidade));
    if (candidato) candidato.id = row.id;
  }
}

export async function inserirParticipantes(
  trx: Trx,
  input: { contadorId: number; novos: readonly Novo[] },
): Promise<void> {
  const { contadorId, novos } = input;
  await queries.insertParticipantes(
    trx,
    novos.flatMap(({ candidato, participantes }) =>
      linhasDeParticipantes(participantes, { contadorId, id: idDe(candidato) }),
    ),
  );
}

/** The parties with their names as they stand in the document. */
export function partesDe(
  participantes: readonly Participante[],
): { cpf_cnpj: string; nome: string | null }[] {
  return participantes.map(({ cpfCnpj, nome }) => ({ cpf_cnpj: cpfCnpj, nome }));
}

export function linhasDeParticipantes(
  participantes: readonly Participante[],
  input: { contadorId: number; id: number },
): TabelaParticipante[] {
  const nomes = nomesGuardados(participantes);
  return participantes.map((parte, at) => ({
    documento_id: input.id,
    papel: PAPEL_EM_CODIGO.escrever(parte.papel),
    cpf_cnpj: parte.cpfCnpj,
    contador_id: input.contadorId,
    nome: nomes[at] ?? null,
  }));
}

/** What is to be stored of the bytes of a piece. */
export type ConteudoDePeca = ConteudoAGuardar & { peca: PecaComRegistro };

export function conteudosDe(candidatos: Map<string, Candidato>): ConteudoDePeca[] {
  return [...candidatos.values()].flatMap(({ gravar }) =>
    gravar.map(({ peca }) => ({
      peca,
      chave: peca.registro.chave,
      partes: participantesDe(peca.registro).map(({ cpfCnpj }) => cpfCnpj),
      conteudo: peca.conteudo,
    })),
  );
}

/**
 * Keeps the bytes of what comes together, of those that stand in blocks. It needs none of their rows, so that it is done
 * while the database writes these.
 */
export async function guardarBytes(
  trx: Trx,
  input: { contadorId: number; conteudos: readonly ConteudoDePeca[]; clientes: ReadonlyMap<string, number> },
): Promise<{ comprimidos: Comprimidos<ConteudoDePeca>; blocos: readonly number[] }> {
  const { contadorId } = input;
  const comprimidos = comprimirConteudos(input.conteudos, input.clientes);
  const blocos = comprimidos.blocos.map(({ bytes }) => bytes);
  return { comprimidos, blocos: await guardarBlocos(trx, { contadorId, blocos }) };
}

/** What versions are written without, each kept once: certificates, and names of schemas. */
interface Textos {
  certificadoDe: (certificado: CertificadoCortado | null) => CertificadoGuardado | null;
  esquemaDe: (nome: string | null) => number | null;
}

export async function guardarTextos(
  trx: Trx,
  input: { contadorId: number; candidatos: Map<string, Candidato> },
): Promise<Textos> {
  const pecas = [...input.candidatos.values()].flatMap(({ gravar }) => gravar.map(({ peca }) => peca));
  const certificadoDe = await guardarCertificados(trx, {
    contadorId: input.contadorId,
    certificados: pecas.map(({ conteudo, assinatura }) => ({
      certificado: conteudo.certificado,
      titular: assinatura.titular,
    })),
  });
  const esquemaDe = await guardarNomesDeEsquema(
    trx,
    pecas.map(({ esquema }) => esquema.esquema),
  );
  return { certificadoDe, esquemaDe };
}

/** @returns the id of each new version */
export async function inserirVersoes(
  trx: Trx,
  input: { agora: number; candidatos: Map<string, Candidato>; textos: Textos },
): Promise<Map<PecaComRegistro, number>> {
  const { certificadoDe, esquemaDe } = input.textos;
  const candidatos = [...input.candidatos.values()];
  const retirar = candidatos.filter((candidato) => candidato.trocado && !candidato.novo).map(idDe);
  await queries.retireVersoes(trx, retirar);
  const gravar = candidatos.flatMap((candidato) =>
    candidato.gravar.map((item) => ({ ...item, documentoId: idDe(candidato) })),
  );
  const versaoDe = new Map<PecaComRegistro, number>();
  for (const rodada of semRepetir(gravar)) {
    const ids = await queries.insertVersoes(
      trx,
      rodada.map((item) => {
        const { certificado } = item.peca.conteudo;
        const textos = {
          certificado: certificadoDe(certificado),
          esquema: esquemaDe(item.peca.esquema.esquema),
        };
        return linhaDeVersao({ ...item, ...textos }, input.agora);
      }),
    );
    for (const { documentoId, peca } of rodada) {
      const versaoId = ids.get(documentoId);
      if (versaoId === undefined) throw new Error('a version was not inserted');
      versaoDe.set(peca, versaoId);
    }
  }
  return versaoDe;
}

/** Where the bytes of a piece belong. @throws when its version was not inserted */
export function destinoDaPeca(
  peca: PecaComRegistro,
  { versaoDe, textos }: { versaoDe: ReadonlyMap<PecaComRegistro, number>; textos: Textos },
): Destino {
  const versaoId = versaoDe.get(peca);
  if (versaoId === undefined) throw new Error('a content has no version');
  return { versaoId, certificadoId: textos.certificadoDe(peca.conteudo.certificado)?.id ?? null };
}

/** Versions in rounds, no document twice in one: by its document each is known again once it has its id. */
function semRepetir<T extends { documentoId: number }>(versoes: readonly T[]): T[][] {
  const rodadas: T[][] = [];
  const quantas = new Map<number, number>();
  for (const versao of versoes) {
    const rodada = quantas.get(versao.documentoId) ?? 0;
    quantas.set(versao.documentoId, rodada + 1);
    const outras = rodadas[rodada];
    if (outras) outras.push(versao);
    else rodadas[rodada] = [versao];
  }
  return rodadas;
}

function linhaDeVersao(
  item: {
    peca: PecaComRegistro;
    arquivoNumero: number;
    versao: Versao;
    documentoId: number;
    certificado: CertificadoGuardado | null;
    /** Id of the schema's name. */
    esquema: number | null;
  },
  agora: number,
): Insertable<TabelaVersao> {
  const { peca, versao } = item;
  const { registro, conteudo, esquema, assinatura } = peca;
  return {
    documento_id: item.documentoId,
    servida: versao.servida ? 1 : 0,
    sha256: escreverHash(versao.sha256),
    digest: versao.digest,
    protocolado: versao.protocolado ? 1 : 0,
    protocolo: registro.protocolo ? escreverProtocolo(registro.protocolo, versao.digest) : null,
    esquema: esquema.resultado,
    esquema_nome_id: item.esquema,
    esquema_motivo: esquema.motivo,
    assinatura: assinatura.resultado,
    assinatura_motivo: assinatura.motivo,
    assinatura_titular: enxugarTitular(assinatura.titular, item.certificado),
    avisos: registro.avisos.length > 0 ? JSON.stringify(registro.avisos) : null,
    arquivo_numero: item.arquivoNumero,
    importado_em: agora,
    tamanho: conteudo.tamanho,
    codificacao: conteudo.codificacao,
  };
}
