/**
 * The vault's one way in. A batch of read pieces becomes rows in one transaction: documents and their versions
 * first, then the effect of events, then the entries with their NSU, last. If the process dies before the commit,
 * nothing of it has happened.
 */
import type { Insertable } from 'kysely';
import type { TabelaParticipante, TabelaVersao } from '../banco/tabelas.ts';
import { withoutRepeats } from '../fiscal/dfe/participantes.ts';
import type { Participante } from '../fiscal/tipos.ts';
import { LOCK, lockFor } from '../platform/db/locks.ts';
import { together } from '../platform/db/together.ts';
import { aplicarEventos } from './aplicar-eventos.ts';
import {
  type Comprimidos,
  type ConteudoAGuardar,
  comprimirConteudos,
  type Destino,
  guardarBlocos,
  guardarConteudos,
} from './blocos.ts';
import { type CertificadoGuardado, enxugarTitular, guardarCertificados } from './certificados.ts';
import { clientesEntre, papeisDosNovos } from './clientes-dos-novos.ts';
import { PAPEL_EM_CODIGO } from './codigos.ts';
import { type DecisaoDaPeca, decidir, paraVersao, type Versao } from './decidir.ts';
import { anotarEmpresas } from './empresas.ts';
import { comPapelMaisForte, entregar, type NovaParticipacao } from './entregar.ts';
import { anotarEsperados, cumprirEsperados } from './esperados.ts';
import { escreverHash } from './hash-guardado.ts';
import {
  ehProtocolado,
  identidadeDe,
  linhaDeDocumento,
  nomesGuardados,
  participantesDe,
} from './identidade.ts';
import { guardarNomesDeEsquema } from './nomes-de-esquema.ts';
import { escreverProtocolo, lerProtocolo } from './protocolo-guardado.ts';
import * as queries from './queries.ts';
import * as entradas from './queries-entradas.ts';
import { type Contexto, gravada } from './resultado.ts';
import type { CertificadoCortado, Lote, PecaGravada, PecaLida, RegistroSemItens, Trx } from './tipos.ts';

type PecaComRegistro = Extract<PecaLida, { kind: 'registro' }>;

/** A document while its batch is being decided. */
interface Candidato {
  /** null until its row is inserted. */
  id: number | null;
  novo: boolean;
  versoes: Versao[];
  /** Pieces whose bytes are to be stored, each with the outcome that made it so. */
  gravar: { peca: PecaComRegistro; arquivoNumero: number; versao: Versao }[];
  /** The served version has changed in this batch. */
  trocado: PecaComRegistro | null;
}

/**
 * Stores the pieces of one or more files. Call inside a transaction that commits right afterwards.
 * @returns for each lote, what became of each piece, in their order
 */
export async function gravarLotes(
  trx: Trx,
  input: { lotes: readonly Lote[]; agora: number; homologacao: boolean },
): Promise<PecaGravada[][]> {
  const results = new Map<Lote, PecaGravada[]>();
  // Two workers may bring the same document at once: the second sees what the first has stored.
  await lockFor(
    trx,
    LOCK.escritorio,
    input.lotes.map((lote) => lote.contadorId),
  );
  for (const [contadorId, lotes] of Map.groupBy(input.lotes, (lote) => lote.contadorId)) {
    const { agora, homologacao } = input;
    await gravarDoContador(trx, { contadorId, lotes, agora, homologacao }, results);
  }
  return input.lotes.map((lote) => results.get(lote) ?? []);
}

async function gravarDoContador(
  trx: Trx,
  scope: { contadorId: number; lotes: readonly Lote[]; agora: number; homologacao: boolean },
  results: Map<Lote, PecaGravada[]>,
): Promise<void> {
  const { contadorId, agora, lotes } = scope;
  const registros = lotes.flatMap(({ pecas }) =>
    pecas.flatMap((peca) => (peca.kind === 'registro' ? [peca.registro] : [])),
  );
  const [candidatos, clientes] = await together(trx, [
    () => conhecer(trx, { contadorId, registros }),
    () => clientesEntre(trx, { contadorId, documentos: registros.map(participantesDe) }),
  ]);
  const decididas = decidirTodas(lotes, candidatos);

  const novos = novosDe(candidatos, scope);
  const [, guardados, textos] = await together(trx, [
    () => inserirDocumentos(trx, { candidatos, novos }),
    () => guardarBytes(trx, { contadorId, conteudos: conteudosDe(candidatos), clientes }),
    () => guardarTextos(trx, { contadorId, candidatos }),
    () => anotarEmpresas(trx, { contadorId, partes: novos.flatMap((novo) => partesDe(novo.participantes)) }),
  ]);
  const [versaoDe] = await together(trx, [
    () => inserirVersoes(trx, { agora, candidatos, textos }),
    () => inserirParticipantes(trx, { contadorId, novos }),
  ]);
  const destinoDe = ({ peca }: ConteudoDePeca) => destinoDaPeca(peca, { versaoDe, textos });
  const [efeitos] = await together(trx, [
    () => aplicar(trx, { ...scope, candidatos }),
    () => guardarConteudos(trx, { ...guardados, destinoDe }),
  ]);
  const { esperados } = efeitos;
  const intactos = novos.filter(
    ({ candidato }) => !candidato.trocado && !efeitos.tocados.has(idDe(candidato)),
  );
  const papeis = papeisDosNovos(
    intactos.map((novo) => ({ id: idDe(novo.candidato), ...novo })),
    clientes,
  );
  const semOsIntactos = semEstes(intactos.map(({ candidato }) => idDe(candidato)));
  const entregues = await entregarTodos(trx, {
    papeis,
    ids: semOsIntactos(efeitos.ids),
    trocados: efeitos.trocados,
    agora,
    homologacao: scope.homologacao,
  });

  const outros = semOsIntactos([...candidatos.values()].map(idDe));
  const contexto: Contexto = {
    homologacao: scope.homologacao,
    visiveis: new Set([...entregues, ...(await entradas.findListados(trx, outros))]),
    esperados,
  };
  for (const [index, lote] of lotes.entries()) {
    results.set(
      lote,
      lote.pecas.map((peca, at) => {
        const { decisao, candidato } = decididas[index]?.[at] ?? NADA_DECIDIDO;
        const documentoId = candidato ? idDe(candidato) : null;
        const primeira = candidato?.novo === true && candidato.gravar[0]?.peca === peca;
        return gravada({ peca, decisao, documentoId, primeira }, contexto);
      }),
    );
  }
}

/**
 * What new documents and versions change of others: events and documents take note of each other, and what was expected
 * has come.
 * @returns ids: all documents that somebody may see now who has not seen them; tocados: those whose rows are not as they
 * were inserted
 */
async function aplicar(
  trx: Trx,
  input: {
    contadorId: number;
    lotes: readonly Lote[];
    agora: number;
    candidatos: Map<string, Candidato>;
  },
): Promise<Efeitos> {
  const { contadorId, lotes, agora, candidatos } = input;
  const trocados = await trocarServidas(trx, { contadorId, agora, candidatos });
  const esperados = await anotarEsperados(trx, { contadorId, agora, lotes });
  const mudados = [...candidatos.values()].filter((candidato) => candidato.novo || candidato.trocado);
  const chaves = [...new Set(mudados.flatMap(({ gravar }) => gravar.map(({ peca }) => peca.registro.chave)))];
  const { documentos, eventos } = await aplicarEventos(trx, { contadorId, chaves, trocados });
  await cumprirEsperados(trx, {
    contadorId,
    agora,
    chegaram: chavesDeProducao(mudados, 'documento'),
    anunciadas: chavesDeProducao(mudados, 'evento'),
  });
  return {
    ids: [...new Set([...mudados.map(idDe), ...eventos])],
    tocados: new Set([...documentos, ...eventos]),
    trocados,
    esperados,
  };
}

interface Efeitos {
  ids: number[];
  tocados: ReadonlySet<number>;
  trocados: ReadonlySet<number>;
  esperados: ReadonlySet<string>;
}

/** What was decided of a piece, and the document that it is of; of a piece that is no record, nothing. */
interface Decidida {
  decisao: DecisaoDaPeca | null;
  candidato: Candidato | null;
}
const NADA_DECIDIDO: Decidida = { decisao: null, candidato: null };

function chavesDeProducao(candidatos: readonly Candidato[], classe: RegistroSemItens['classe']): string[] {
  return candidatos
    .flatMap(({ gravar }) => gravar.map(({ peca }) => peca.registro))
    .filter((registro) => registro.ambiente === 1 && registro.classe === classe)
    .map(({ chave }) => chave);
}

function idDe(candidato: Candidato): number {
  if (candidato.id === null) throw new Error('a document has not been given its row');
  return candidato.id;
}

function chaveDeCandidato(registro: RegistroSemItens): string {
  return chaveDaLinha(registro, identidadeDe(registro));
}

function chaveDaLinha(
  { ambiente, classe, chave }: Pick<queries.DocumentoInserido, 'ambiente' | 'classe' | 'chave'>,
  identidade: string,
): string {
  return `${ambiente}|${classe}|${chave}|${identidade}`;
}

/** Loads what the office knows of every document that the batch brings. */
async function conhecer(
  trx: Trx,
  input: { contadorId: number; registros: readonly RegistroSemItens[] },
): Promise<Map<string, Candidato>> {
  const { registros } = input;
  const daChave = await queries.findByChaves(trx, {
    contadorId: input.contadorId,
    chaves: [...new Set(registros.map(({ chave }) => chave))],
    ambientes: [...new Set(registros.map(({ ambiente }) => ambiente))].sort(),
    classes: [...new Set(registros.map(({ classe }) => classe))].sort(),
  });
  if (daChave.length === 0) return new Map();
  const procurados = new Set(registros.map(chaveDeCandidato));
  // A key has other events than those that the batch brings.
  const linhas = daChave.filter((linha) => procurados.has(chaveDaLinha(linha, linha.identidade)));
  const versoes = Map.groupBy(
    await queries.findVersoes(
      trx,
      linhas.map((linha) => linha.id),
    ),
    (versao) => versao.documento_id,
  );
  const candidatos = new Map<string, Candidato>();
  for (const linha of linhas) {
    candidatos.set(chaveDaLinha(linha, linha.identidade), {
      id: linha.id,
      novo: false,
      // Of a document that was deleted nothing is known any more: what comes is stored as if it were new.
      versoes: (versoes.get(linha.id) ?? []).filter(naoExcluida).map((row) => ({
        sha256: row.sha256,
        digest: row.digest,
        protocolado: row.protocolado === 1,
        nProt: row.protocolo ? lerProtocolo(row.protocolo, row.digest).nProt : null,
        integra: row.assinatura === 'integra',
        assinada: row.assinatura !== 'sem_assinatura',
        cancelada: row.servida === 1 && linha.status_protocolo === 'Cancelada',
        servida: row.servida === 1,
      })),
      gravar: [],
      trocado: null,
    });
  }
  return candidatos;
}

function naoExcluida(row: queries.VersaoConhecida): boolean {
  return row.sha256 !== '';
}

/** Decides piece by piece, in order: a second copy within the batch meets the first one. */
function decidirTodas(lotes: readonly Lote[], candidatos: Map<string, Candidato>): Decidida[][] {
  return lotes.map(({ arquivoNumero, pecas }) =>
    pecas.map((peca) =>
      peca.kind === 'registro' ? decidirPeca({ peca, arquivoNumero }, candidatos) : NADA_DECIDIDO,
    ),
  );
}

function decidirPeca(
  { peca, arquivoNumero }: { peca: PecaComRegistro; arquivoNumero: number },
  candidatos: Map<string, Candidato>,
): Decidida {
  const { registro } = peca;
  const nova = paraVersao({
    sha256: peca.conteudo.sha256,
    digest: registro.digest,
    protocolado: ehProtocolado(registro),
    nProt: registro.protocolo?.nProt ?? null,
    assinatura: peca.assinatura.resultado,
    cancelada: registro.classe === 'documento' && registro.statusProtocolo === 'Cancelada',
  });
  const key = chaveDeCandidato(registro);
  const candidato = candidatos.get(key);
  if (!candidato) {
    nova.servida = true;
    const gravar = [{ peca, arquivoNumero, versao: nova }];
    const novo: Candidato = { id: null, novo: true, versoes: [nova], gravar, trocado: null };
    candidatos.set(key, novo);
    return { decisao: { kind: 'novo' }, candidato: novo };
  }
  const decisao: DecisaoDaPeca =
    candidato.versoes.length === 0
      ? { kind: 'atualizado' }
      : decidir({
          conhecidas: candidato.versoes,
          nova,
          porProtocolo: registro.classe !== 'documento',
          temRascunho: registro.classe === 'documento' && registro.chave.length === 44,
        });
  const stores = decisao.kind === 'atualizado' || decisao.kind === 'conflito';
  if (!stores) return { decisao, candidato };
  if (decisao.kind === 'atualizado' || decisao.serve) {
    for (const versao of candidato.versoes) versao.servida = false;
    nova.servida = true;
    candidato.trocado = peca;
  }
  candidato.versoes.push(nova);
  candidato.gravar.push({ peca, arquivoNumero, versao: nova });
  return { decisao, candidato };
}

/** A document that the batch brings, with its row and its parties as the record that came first has them. */
interface Novo {
  candidato: Candidato;
  linha: queries.LinhaDeDocumento;
  participantes: readonly Participante[];
}

function novosDe(candidatos: Map<string, Candidato>, scope: { contadorId: number; agora: number }): Novo[] {
  return [...candidatos.values()].flatMap((candidato) => {
    const [primeira] = candidato.gravar;
    if (!candidato.novo || !primeira) return [];
    const { registro } = primeira.peca;
    const participantes = withoutRepeats(participantesDe(registro));
    return { candidato, linha: linhaDeDocumento(registro, scope), participantes };
  });
}

async function inserirDocumentos(
  trx: Trx,
  input: { candidatos: Map<string, Candidato>; novos: readonly Novo[] },
): Promise<void> {
  const linhas = input.novos.map(({ linha }) => linha);
  for (const row of await queries.insertDocumentos(trx, linhas)) {
    const candidato = input.candidatos.get(chaveDaLinha(row, row.identidade));
    if (candidato) candidato.id = row.id;
  }
}

async function inserirParticipantes(
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
function partesDe(participantes: readonly Participante[]): { cpf_cnpj: string; nome: string | null }[] {
  return participantes.map(({ cpfCnpj, nome }) => ({ cpf_cnpj: cpfCnpj, nome }));
}

function linhasDeParticipantes(
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
type ConteudoDePeca = ConteudoAGuardar & { peca: PecaComRegistro };

function conteudosDe(candidatos: Map<string, Candidato>): ConteudoDePeca[] {
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
async function guardarBytes(
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

async function guardarTextos(
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
async function inserirVersoes(
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
function destinoDaPeca(
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

/**
 * Rows of documents whose served version has changed take that version's fields and parties. Parties that the
 * former version alone named stay if they are clients who have the document: an entry is never taken away.
 */
async function trocarServidas(
  trx: Trx,
  input: { contadorId: number; agora: number; candidatos: Map<string, Candidato> },
): Promise<Set<number>> {
  const trocados = new Set<number>();
  for (const candidato of input.candidatos.values()) {
    if (!candidato.trocado) continue;
    const id = idDe(candidato);
    const { registro } = candidato.trocado;
    const participantes = participantesDe(registro);
    const novos = linhasDeParticipantes(participantes, { contadorId: input.contadorId, id });
    await queries.deleteParticipantesAntigos(trx, { documentoId: id, novos: novos.map((p) => p.cpf_cnpj) });
    // Who stays keeps the name that the former version has for it.
    await queries.writeNomesDosParticipantes(trx, id);
    await queries.replaceDocumento(trx, id, linhaDeDocumento(registro, input));
    await queries.addParticipantes(trx, novos);
    await anotarEmpresas(trx, { contadorId: input.contadorId, partes: partesDe(participantes) });
    trocados.add(id);
  }
  return trocados;
}

/**
 * @param input.papeis what clients play in documents that nobody has seen yet
 * @param input.ids other documents that somebody may see now
 * @returns the documents that were given to somebody
 */
async function entregarTodos(
  trx: Trx,
  input: {
    papeis: readonly entradas.PapelDeCliente[];
    ids: readonly number[];
    trocados: ReadonlySet<number>;
    agora: number;
    homologacao: boolean;
  },
): Promise<Set<number>> {
  const emFalta = [...input.papeis, ...(await entradas.findParticipacoesEmFalta(trx, input.ids))];
  const novas = comPapelMaisForte(emFalta.filter((row) => row.ambiente === 1 || input.homologacao));
  const denovo = await outraEntrada(trx, input.trocados);
  await entregar(trx, { novas: [...novas, ...denovo], agora: input.agora });
  return new Set(novas.map((nova) => nova.documento_id));
}

function semEstes(fora: readonly number[]): (ids: readonly number[]) => number[] {
  const conjunto = new Set(fora);
  return (ids) => ids.filter((id) => !conjunto.has(id));
}

/** A document that was replaced by a better version is announced again to all who have it. */
async function outraEntrada(trx: Trx, trocados: ReadonlySet<number>): Promise<NovaParticipacao[]> {
  if (trocados.size === 0) return [];
  const listadas = await entradas.findParticipacoes(trx, [...trocados]);
  const anteriores = new Map(listadas.map(({ nsu: _nsu, ...linha }) => [chaveDeListagem(linha), linha]));
  const agora = comPapelMaisForte(await entradas.findPapeisListados(trx, [...trocados]));
  return agora.map((nova) => ({ ...nova, anterior: anteriores.get(chaveDeListagem(nova)) ?? null }));
}

function chaveDeListagem(linha: { cliente_id: number; documento_id: number }): string {
  return `${linha.cliente_id}/${linha.documento_id}`;
}
