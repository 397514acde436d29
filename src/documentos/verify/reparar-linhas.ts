/**
 * Repairs rows from what they follow from: from the documents' bytes, or from other rows that say the same. First of all repairs
 * (`reparar.ts`): what is derived from rows is right only once these are. Nothing is deleted here but what stands, a few bits
 * apart, in another row.
 */
import type { CodigoDePapel, Tabelas } from '../../banco/tabelas.ts';
import type { Autoridades } from '../../fiscal/certificado/autoridades.ts';
import type { ValidadorDeEsquema } from '../../fiscal/ler.ts';
import { provaCom } from '../../fiscal/prova.ts';
import type { Papel } from '../../fiscal/tipos.ts';
import type { Database } from '../../platform/db/connect.ts';
import { LOCK, lockFor } from '../../platform/db/locks.ts';
import { TITULAR_DO_CERTIFICADO } from '../bytes/certificados.ts';
import { sha256De, tryDescomprimir } from '../bytes/conteudo.ts';
import { ehQuaseOMesmo } from '../bytes/hash-guardado.ts';
import { PAPEL_EM_CODIGO } from '../lean/codigos.ts';
import { writeProtocolo } from '../lean/protocolo-guardado.ts';
import { readProva, writeFalhas, writeProva } from '../lean/prova-guardada.ts';
import { deleteParte } from '../queries.ts';
import { ehProtocolado } from '../store/identidade.ts';
import { nomeGuardado, palavrasDe } from '../store/palavras.ts';
import { findNomesNosDocumentos } from '../store/queries-empresas.ts';
import type { Trx } from '../tipos.ts';
import type { Achado, Referencia, Reparo } from './achados.ts';
import { findNomes } from './queries-escritorios.ts';
import { findCertificado } from './queries-guardados.ts';
import * as linhas from './queries-linhas.ts';
import { findNsuMaisNovo } from './queries-reparar.ts';
import * as queries from './queries-reparar-linhas.ts';
import { findEntradasComTudo, findInstantesDasVersoes, findNsuListado } from './queries-verificar.ts';
import { ehOTexto, titularQueDevia as titularDoCertificado } from './verificar-guardados.ts';
import { instanteQueDevia } from './verificar-instantes.ts';
import {
  COLUNAS_DOS_BYTES,
  type Divergencia,
  EnviosLidos,
  ESQUEMAS,
  falhasQueDevia,
  type LerEnvio,
  type LidoDeNovo,
  type LinhaComTudo,
  linhaQueDevia,
  partesAMais,
  partesComOutroNome,
  partesDe,
  partesQueDevia,
  partesQueFaltam,
  readDeNovo,
  statusQueDevia,
} from './verificar-linhas.ts';
import { ehDano, textosMudados, textosQueDeviam } from './verificar-textos.ts';

interface Deps {
  db: Database<Tabelas>['write'];
  envios: EnviosLidos;
  autoridades: Autoridades | null;
}

type Passo = (deps: Deps, ref: Referencia) => Promise<string | null>;

const PASSOS: Readonly<Record<string, Passo>> = {
  versao_divergente: rewriteFromBytes,
  linha_divergente: rewriteFromBytes,
  partes_divergentes: rewriteFromBytes,
  data_de_chegada_errada: rewriteChegada,
  entrada_divergente: rewriteEntrada,
  data_da_entrada_errada: rewriteInstante,
  certificado_danificado: rewriteHashDoCertificado,
  certificado_divergente: rewriteTitularDoCertificado,
  decisao_sem_registro: unmark,
  palavra_sem_nome: rewritePalavras,
  nome_sem_palavra: rewritePalavras,
  nome_divergente: rewritePalavras,
};

/** Repairs what can be; each row once. */
export async function* repairLinhas(
  input: {
    db: Database<Tabelas>['write'];
    lerEnvio: LerEnvio;
    validador: ValidadorDeEsquema | null;
    autoridades: Autoridades | null;
  },
  achados: readonly Achado[],
): AsyncGenerator<Reparo> {
  const { db, lerEnvio, validador, autoridades } = input;
  const deps = { db, envios: new EnviosLidos(lerEnvio, validador), autoridades };
  const seen = new Set<string>();
  for (const { codigo, alvo, ref } of achados) {
    const passo = PASSOS[codigo];
    if (!passo || !ref) continue;
    const key = JSON.stringify([passo.name, ref]);
    if (seen.has(key)) continue;
    seen.add(key);
    const mensagem = await passo(deps, ref);
    if (mensagem !== null) yield { codigo, alvo, mensagem };
  }
}

/** Findings that `repairLinhas` is for: while some are left, nothing is to be derived from those rows. */
export function ehDeLinha({ codigo }: Pick<Achado, 'codigo'>): boolean {
  return codigo in PASSOS;
}

async function rewriteFromBytes(deps: Deps, { versaoId = 0 }: Referencia): Promise<string | null> {
  const { envios } = deps;
  return deps.db.transaction().execute(async (trx) => {
    const written: string[] = [];
    // One kind after the other, each looked for anew: a name of a party may stand in the document's row.
    for (const rewrite of [rewriteVersao, rewriteDocumento, rewritePartes]) {
      const row = await linhas.findLinha(trx, versaoId);
      if (!row) return null;
      await lockFor(trx, LOCK.escritorio, [row.contador_id]);
      const partes = (await partesDe(trx, [row]))(row);
      const lido = await readDeNovo(trx, { row, partes, envios });
      if (lido) written.push(...(await rewrite(trx, { row, partes, lido })));
    }
    if (written.length === 0) return null;
    return `Foi escrito de novo a partir dos bytes do documento: ${written.join(', ')}.`;
  });
}

interface Escrita {
  row: LinhaComTudo;
  partes: Parameters<typeof readDeNovo>[1]['partes'];
  lido: LidoDeNovo;
}

function ondeDiverge({ lido }: Escrita, codigo: Divergencia['codigo']): string[] {
  return lido.divergencias.filter((uma) => uma.codigo === codigo).flatMap((uma) => uma.onde);
}

async function rewriteVersao(trx: Trx, escrita: Escrita): Promise<string[]> {
  const { row, lido } = escrita;
  const onde = ondeDiverge(escrita, 'versao_divergente');
  if (onde.length === 0) return [];
  const { digest, protocolo } = lido.registro;
  const { assinatura } = lido;
  await queries.writeVersao(trx, row.id, {
    digest,
    codificacao: lido.codificacao,
    protocolado: ehProtocolado(lido.registro) ? 1 : 0,
    protocolo: protocolo && writeProtocolo(protocolo, digest),
    esquema: palavraDe(row.esquema, ESQUEMAS),
    assinatura: assinatura.resultado,
    ...textosMudados(row, textosQueDeviam(lido)),
    ...titularQueDevia(row, lido),
    ...(row.falhas === null ? {} : provaQueDevia(row, lido)),
  });
  return onde;
}

/** As it is written where the certificate is kept, and names the same. */
function titularQueDevia(row: LinhaComTudo, { assinatura }: LidoDeNovo) {
  const { titular } = assinatura;
  const isKept = titular !== null && titular === row.certificado_titular;
  return { assinatura_titular: isKept ? TITULAR_DO_CERTIFICADO : titular };
}

/** What Malote fetched itself stays so. */
function provaQueDevia(row: LinhaComTudo, { registro, prova }: LidoDeNovo) {
  const falhas = falhasQueDevia(row, prova);
  const guardada = readProva(row.versao_prova) === 'sefaz' ? 'sefaz' : provaCom(falhas);
  return { falhas: writeFalhas(falhas), prova: writeProva(guardada), status: statusQueDevia(registro) };
}

/** The word that a damaged one was: the only one that it is nearly. */
function palavraDe(escrita: string, palavras: readonly string[]): string {
  return palavras.find((palavra) => ehDano(escrita, palavra)) ?? escrita;
}

async function rewriteDocumento(trx: Trx, escrita: Escrita): Promise<string[]> {
  const { row, partes, lido } = escrita;
  const onde = ondeDiverge(escrita, 'linha_divergente');
  if (onde.length === 0) return [];
  const linha = linhaQueDevia(row, lido);
  const columns = [...COLUNAS_DOS_BYTES, 'finalidade_descricao'] as const;
  const written = Object.fromEntries(columns.map((name) => [name, linha[name] ?? null]));
  if (partes.alegado !== undefined) written.status_alegado = partes.alegado;
  await queries.writeDocumento(trx, row.documento_id, written);
  return onde;
}

async function rewritePartes(trx: Trx, escrita: Escrita): Promise<string[]> {
  const { row, partes, lido } = escrita;
  const { documento_id, contador_id } = row;
  if (ondeDiverge(escrita, 'partes_divergentes').length === 0) return [];
  const devia = partesQueDevia(lido.registro, linhaQueDevia(row, lido));
  const faltam = partesQueFaltam(partes.suas, devia);
  const eram = partesAMais(row, partes, devia).filter((parte) =>
    faltam.some((falta) => ehQuaseAMesma(falta, parte)),
  );
  for (const { papel, cpf_cnpj, guardado } of faltam) {
    const parte = { documento_id, contador_id, papel: PAPEL_EM_CODIGO.escrever(papel), cpf_cnpj };
    await queries.writeParte(trx, { ...parte, nome: guardado });
  }
  const comOutroNome = partesComOutroNome(partes, devia);
  for (const { papel, cpf_cnpj, nome } of comOutroNome)
    await queries.writeParte(trx, { documento_id, contador_id, papel, cpf_cnpj, nome });
  for (const { papel, cpf_cnpj: cpfCnpj } of eram)
    await deleteParte(trx, { documentoIds: [documento_id], papel, cpfCnpj });
  return [
    ...faltam.map(({ papel, cpf_cnpj }) => `${papel} ${cpf_cnpj}`),
    ...comOutroNome.map(({ papel, cpf_cnpj }) => `nome de ${PAPEL_EM_CODIGO.mostrar(papel)} ${cpf_cnpj}`),
  ];
}

/** A party that the bytes do not name, and that is one of them but for a bit or two: it is that row which has changed. */
function ehQuaseAMesma(
  falta: { papel: Papel; cpf_cnpj: string },
  aMais: { papel: CodigoDePapel; cpf_cnpj: string },
): boolean {
  if (falta.cpf_cnpj === aMais.cpf_cnpj) return true;
  const samePapel = PAPEL_EM_CODIGO.escrever(falta.papel) === aMais.papel;
  return samePapel && ehQuaseOMesmo(hexOf(falta.cpf_cnpj), hexOf(aMais.cpf_cnpj));
}

/**
 * A document, its first version and its entry came at one instant: what two of the three say is right. Where nobody has an entry
 * of it, nothing tells which of the others has changed.
 */
async function rewriteChegada(deps: Deps, { documentoId = 0 }: Referencia): Promise<string | null> {
  return deps.db.transaction().execute(async (trx) => {
    const chegada = await queries.findChegada(trx, documentoId);
    if (!chegada) return null;
    const { daVersao, doDocumento, entradas } = chegada;
    if (entradas.includes(daVersao)) {
      await queries.writeDocumento(trx, documentoId, { importado_em: daVersao });
      return 'A chegada do documento voltou a ser a da sua primeira versão, que a entrada confirma.';
    }
    if (!entradas.includes(doDocumento)) return null;
    await queries.writeVersao(trx, chegada.versaoId, { importado_em: doDocumento });
    return 'A chegada da primeira versão voltou a ser a do documento, que a entrada confirma.';
  });
}

/** A listed document has an entry: where it has none, the one that its listing row names is its. */
async function rewriteEntrada(deps: Deps, ref: Referencia): Promise<string | null> {
  const { clienteId = 0, documentoId = 0, nsu = 0 } = ref;
  return deps.db.transaction().execute(async (trx) => {
    if ((await findNsuListado(trx, { clienteId, documentoId })) !== nsu) return null;
    if ((await findNsuMaisNovo(trx, { clienteId, documentoId })) !== null) return null;
    const written = await queries.writeDocumentoDaEntrada(trx, { clienteId, nsu, documentoId });
    return written
      ? 'A entrada voltou a ser a do documento cuja listagem a mostra, e que não tem outra.'
      : null;
  });
}

async function rewriteInstante(deps: Deps, { clienteId = 0, nsu = 0 }: Referencia): Promise<string | null> {
  return deps.db.transaction().execute(async (trx) => {
    const rows = await findEntradasComTudo(trx, {
      depoisDe: { cliente_id: clienteId, nsu: nsu - 2 },
      limite: 3,
    });
    const at = rows.findIndex((row) => row.cliente_id === clienteId && row.nsu === nsu);
    const row = rows[at];
    if (!row) return null;
    const instantes = (await findInstantesDasVersoes(trx, [row.documento_id])).get(row.documento_id) ?? [];
    const vizinhas = { antes: rows[at - 1], depois: rows[at + 1] };
    const certo = instanteQueDevia(row, { vizinhas, instantes });
    if (certo === null) return null;
    await queries.writeInstanteDaEntrada(trx, { clienteId, nsu, importadoEm: certo });
    return 'A data da entrada voltou a ser a que os seus vizinhos, ou o documento, dizem.';
  });
}

/** Where a document is whole with the text of its certificate, it is the hash that has changed. */
async function rewriteHashDoCertificado(
  deps: Deps,
  { certificadoId = 0, contadorId = 0 }: Referencia,
): Promise<string | null> {
  return deps.db.transaction().execute(async (trx) => {
    await lockFor(trx, LOCK.escritorio, [contadorId]);
    const texto = await queries.findTextoDoCertificado(trx, certificadoId);
    const usos = await queries.findUsosDoCertificado(trx, certificadoId);
    if (texto === null || !usos.some((row) => tryDescomprimir(row, row.sha256) !== null)) return null;
    await queries.writeHashDoCertificado(trx, certificadoId, sha256De(Buffer.from(texto, 'latin1')));
    return 'O SHA-256 do certificado foi escrito de novo: os documentos que o usam estão inteiros com ele.';
  });
}

async function rewriteTitularDoCertificado(
  deps: Deps,
  { certificadoId = 0, contadorId = 0 }: Referencia,
): Promise<string | null> {
  return deps.db.transaction().execute(async (trx) => {
    await lockFor(trx, LOCK.escritorio, [contadorId]);
    const row = await findCertificado(trx, certificadoId);
    if (!row || !ehOTexto(row)) return null;
    await queries.writeTitularDoCertificado(trx, certificadoId, titularDoCertificado(row, deps.autoridades));
    return 'O que se diz do titular foi escrito de novo a partir do certificado.';
  });
}

/** Whoever decides is written down with it, in a log that nothing changes: what is not there was decided by nobody. */
async function unmark(deps: Deps, { documentoId = 0, versaoId }: Referencia): Promise<string | null> {
  await deps.db.transaction().execute(async (trx) => {
    if (versaoId === undefined) await queries.writeDocumento(trx, documentoId, { afastado: 0 });
    else await queries.writeVersao(trx, versaoId, { afastada: 0, escolhida: 0 });
  });
  return 'A marca de uma decisão que ninguém tomou foi desfeita.';
}

/** Of a name that the newest documents do not say nobody knows whether it is the right one. */
async function rewritePalavras(
  deps: Deps,
  { contadorId = 0, cpfCnpj = '' }: Referencia,
): Promise<string | null> {
  return deps.db.transaction().execute(async (trx) => {
    const ditos = (await findNomesNosDocumentos(trx, { contadorId, cpfCnpj })).map(nomeGuardado);
    const nomes = (await findNomes(trx, { contadorId, cpfCnpjs: [cpfCnpj] })).map(({ nome }) => nome);
    for (const [at, nome] of nomes.entries()) {
      if (ditos.includes(nome)) continue;
      const era = ditos.find((dito) => !nomes.includes(dito) && ehQuaseOMesmo(hexOf(dito), hexOf(nome)));
      if (era === undefined) return null;
      await queries.writeNome(trx, { contadorId, cpfCnpj, nome, era });
      nomes[at] = era;
    }
    await queries.replacePalavras(trx, {
      contadorId,
      cpfCnpj,
      palavras: [...new Set(nomes.flatMap(palavrasDe))],
    });
    return 'O nome e as palavras por que a empresa se acha voltaram a ser os que os documentos dizem.';
  });
}

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex');
}
