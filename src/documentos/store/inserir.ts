/**
 * The rows of what a batch brings: documents with their parties, versions, and what these are written without. Each is one
 * act of the transaction in `store.ts`.
 */
import type { Insertable } from 'kysely';
import type { TabelaParticipante, TabelaVersao } from '../../banco/tabelas.ts';
import { withoutRepeats } from '../../fiscal/dfe/participantes.ts';
import type { Participante } from '../../fiscal/tipos.ts';
import type { ReservedIds } from '../../platform/db/reserved-ids.ts';
import {
  type Comprimidos,
  type ConteudoAGuardar,
  compressConteudos,
  type Destino,
  type Destinos,
  guardarBlocos,
} from '../bytes/blocos.ts';
import {
  type CertificadoDoDocumento,
  type CertificadosGuardados,
  enxugarSignatario,
  enxugarTitular,
  keepCertificados,
} from '../bytes/certificados.ts';
import { writeHash } from '../bytes/hash-guardado.ts';
import { PAPEL_EM_CODIGO, STATUS_EM_CODIGO } from '../lean/codigos.ts';
import { keepNomesDeEsquema, type NomesDeEsquema } from '../lean/nomes-de-esquema.ts';
import { writeProtocolo } from '../lean/protocolo-guardado.ts';
import { writeFalhas, writeProva } from '../lean/prova-guardada.ts';
import * as queries from '../queries.ts';
import type { Trx } from '../tipos.ts';
import { type Candidato, idDe, type PecaComRegistro } from './candidatos.ts';
import type { Versao } from './decidir.ts';
import { linhaDeDocumento, nomesGuardados, participantesDe } from './identidade.ts';

/** A document that the batch brings, with its row and its parties as the record that came first has them. */
export interface Novo {
  candidato: Candidato;
  linha: queries.LinhaDeDocumento;
  participantes: readonly Participante[];
}

/** The part of a batch that the office does not have yet: each document once, by the piece that came first. */
export function novosDe(
  candidatos: Map<string, Candidato>,
  scope: { contadorId: number; agora: number },
): Novo[] {
  const novos: Novo[] = [];
  for (const candidato of candidatos.values()) {
    const [primeira] = candidato.gravar;
    const servida = candidato.trocado ?? primeira?.peca;
    if (candidato.novo && servida) novos.push(novoDe(candidato, servida, scope));
  }
  return novos;
}

function novoDe(
  candidato: Candidato,
  peca: PecaComRegistro,
  scope: { contadorId: number; agora: number },
): Novo {
  const { registro } = peca;
  const participantes = withoutRepeats(participantesDe(registro));
  return {
    candidato,
    linha: linhaDeDocumento(peca, { ...scope, alegado: candidato.alegado }),
    participantes,
  };
}

function linhaDe({ linha }: Novo): queries.LinhaDeDocumento {
  return linha;
}

/** With reserved ids each document has its own before its row is on the way: what refers to it may follow at once. */
export async function inserirDocumentos(
  trx: Trx,
  { novos, ids }: { novos: readonly Novo[]; ids: ReservedIds },
): Promise<void> {
  if (ids) numerar(novos, ids);
  const given = await queries.insertDocumentos(trx, novos.map(linhaDe), ids);
  if (!ids) numerar(novos, given);
}

function numerar(novos: readonly Novo[], ids: readonly number[]): void {
  for (const [at, { candidato }] of novos.entries()) candidato.id = ids[at] ?? null;
}

/** Their documents have ids already: {@link inserirDocumentos}. */
export async function inserirParticipantes(
  trx: Trx,
  input: { contadorId: number; novos: readonly Novo[] },
): Promise<void> {
  const { contadorId, novos } = input;
  const linhas: TabelaParticipante[] = [];
  for (const { candidato, participantes } of novos)
    linhas.push(...linhasDeParticipantes(participantes, { contadorId, id: idDe(candidato) }));
  await queries.insertParticipantes(trx, linhas);
}

/** The parties with their names as they stand in the document. */
export function partesDe(participantes: readonly Participante[]): Parte[] {
  return participantes.map(parteDe);
}

/** Parties of all documents that are new, names as they stand there; some more than once. */
export function partesDosNovos(novos: readonly Novo[]): Parte[] {
  const partes: Parte[] = [];
  for (const { participantes } of novos) for (const um of participantes) partes.push(parteDe(um));
  return partes;
}

interface Parte {
  cpf_cnpj: string;
  nome: string | null;
}

function parteDe({ cpfCnpj, nome }: Participante): Parte {
  return { cpf_cnpj: cpfCnpj, nome };
}

/** Parties of one document as rows, with their names as {@link nomesGuardados} writes them. */
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

/** The bytes that a batch stores: of each piece that is to be a version. */
export function conteudosDe(candidatos: Map<string, Candidato>): ConteudoDePeca[] {
  const conteudos: ConteudoDePeca[] = [];
  for (const { gravar } of candidatos.values())
    for (const { peca } of gravar) conteudos.push(conteudoDe(peca));
  return conteudos;
}

function conteudoDe(peca: PecaComRegistro): ConteudoDePeca {
  const { registro, conteudo } = peca;
  return { peca, chave: registro.chave, partes: participantesDe(registro).map(cpfCnpjDe), conteudo };
}

function cpfCnpjDe({ cpfCnpj }: Participante): string {
  return cpfCnpj;
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
  const comprimidos = compressConteudos(input.conteudos, input.clientes);
  const blocos = comprimidos.blocos.map(({ bytes }) => bytes);
  return { comprimidos, blocos: await guardarBlocos(trx, { contadorId, blocos }) };
}

/** What versions are written without, each kept once: certificates, and names of schemas. */
interface Textos {
  certificados: CertificadosGuardados;
  esquemas: NomesDeEsquema;
}

/** Before the versions, which refer to them. */
export async function keepTextos(
  trx: Trx,
  input: { contadorId: number; candidatos: Map<string, Candidato> },
): Promise<Textos> {
  const certificados: CertificadoDoDocumento[] = [];
  const nomes: (string | null)[] = [];
  for (const { gravar } of input.candidatos.values()) {
    for (const { peca } of gravar) {
      const { titular, signatario } = peca.assinatura;
      certificados.push({ certificado: peca.conteudo.certificado, titular, signatario });
      nomes.push(peca.esquema.esquema);
    }
  }
  const { contadorId } = input;
  return {
    certificados: await keepCertificados(trx, { contadorId, certificados }),
    esquemas: await keepNomesDeEsquema(trx, nomes),
  };
}

/** Where the bytes of new versions belong. */
export class DestinosDasPecas implements Destinos<ConteudoDePeca> {
  readonly #destinos = new Map<PecaComRegistro, Destino>();

  add(peca: PecaComRegistro, destino: Destino): void {
    this.#destinos.set(peca, destino);
  }

  /** @throws when its version was not inserted */
  of({ peca }: ConteudoDePeca): Destino {
    const destino = this.#destinos.get(peca);
    if (!destino) throw new Error('a content has no version');
    return destino;
  }
}

/** Documents that had a served version which is none any more. */
export function substituidosDe(candidatos: ReadonlyMap<string, Candidato>): number[] {
  const ids: number[] = [];
  for (const candidato of candidatos.values())
    if (candidato.trocado && !candidato.novo) ids.push(idDe(candidato));
  return ids;
}

/** @param input.destinos takes each new version: with reserved ids, before its row is on the way */
export async function inserirVersoes(
  trx: Trx,
  input: {
    agora: number;
    candidatos: ReadonlyMap<string, Candidato>;
    textos: Textos;
    ids: ReservedIds;
    destinos: DestinosDasPecas;
  },
): Promise<void> {
  const { ids, textos, destinos } = input;
  const linhas: Insertable<TabelaVersao>[] = [];
  const pecas: PecaComRegistro[] = [];
  for (const candidato of input.candidatos.values()) {
    const documentoId = idDe(candidato);
    for (const { peca, arquivoNumero, versao } of candidato.gravar) {
      linhas.push(linhaDeVersao({ peca, arquivoNumero, versao, documentoId }, input));
      pecas.push(peca);
    }
  }
  if (ids) destinar(pecas, { ids, textos, destinos });
  const given = await queries.insertVersoes(trx, linhas, ids);
  if (!ids) destinar(pecas, { ids: given, textos, destinos });
}

function destinar(
  pecas: readonly PecaComRegistro[],
  { ids, textos, destinos }: { ids: readonly number[]; textos: Textos; destinos: DestinosDasPecas },
): void {
  for (const [at, peca] of pecas.entries()) {
    const versaoId = ids[at];
    if (versaoId === undefined) throw new Error('a version was not inserted');
    const certificado = textos.certificados.of(peca.conteudo.certificado);
    destinos.add(peca, { versaoId, certificadoId: certificado?.id ?? null });
  }
}

interface VersaoAGravar {
  peca: PecaComRegistro;
  arquivoNumero: number;
  versao: Versao;
  documentoId: number;
}

function linhaDeVersao(
  { peca, arquivoNumero, versao, documentoId }: VersaoAGravar,
  { agora, textos }: { agora: number; textos: Textos },
): Insertable<TabelaVersao> {
  const { registro, conteudo, esquema, assinatura, prova } = peca;
  const certificado = textos.certificados.of(conteudo.certificado);
  return {
    documento_id: documentoId,
    servida: versao.servida ? 1 : 0,
    afastada: versao.afastada ? 1 : 0,
    sha256: writeHash(versao.sha256),
    digest: versao.digest,
    protocolado: versao.protocolado ? 1 : 0,
    protocolo: registro.protocolo ? writeProtocolo(registro.protocolo, versao.digest) : null,
    esquema: esquema.resultado,
    esquema_nome_id: textos.esquemas.idOf(esquema.esquema),
    esquema_motivo: esquema.motivo,
    assinatura: assinatura.resultado,
    assinatura_motivo: assinatura.motivo,
    assinatura_titular: enxugarTitular(assinatura.titular, certificado),
    signatario: enxugarSignatario(assinatura, certificado),
    prova: writeProva(prova.prova),
    falhas: writeFalhas(prova.falhas),
    status: STATUS_EM_CODIGO.escrever(versao.status),
    avisos: registro.avisos.length > 0 ? JSON.stringify(registro.avisos) : null,
    arquivo_numero: arquivoNumero,
    importado_em: agora,
    tamanho: conteudo.tamanho,
    codificacao: conteudo.codificacao,
  };
}
