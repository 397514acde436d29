/**
 * The check of rows against the documents' own bytes: each is read again, and what its rows say of it is what it says. What
 * does not follow from the bytes is left to other checks: when it came, which schema it was judged by, its status with events.
 */
import { isDeepStrictEqual } from 'node:util';
import { withoutRepeats } from '../../fiscal/dfe/participantes.ts';
import { lerConteudo, type ValidadorDeEsquema } from '../../fiscal/ler.ts';
import { SEM_JULGAR } from '../../fiscal/ler-peca.ts';
import { COMO_O_EMITENTE } from '../../fiscal/papeis.ts';
import { provaCom } from '../../fiscal/prova.ts';
import type {
  Codificacao,
  FalhaDeProva,
  Julgamento,
  Papel,
  Protocolo,
  VeredictoAssinatura,
  VeredictoEsquema,
} from '../../fiscal/tipos.ts';
import { FALHA_DE_PROVA } from '../../fiscal/tipos.ts';
import { TITULAR_DO_CERTIFICADO } from '../bytes/certificados.ts';
import { tryDescomprimir } from '../bytes/conteudo.ts';
import { PAPEL_EM_CODIGO, STATUS_EM_CODIGO } from '../lean/codigos.ts';
import { lerEmissao } from '../lean/emissao-guardada.ts';
import { lerFinalidade } from '../lean/finalidade-guardada.ts';
import { comItensEscritos, lerItens } from '../lean/itens-guardados.ts';
import { lerProtocolo } from '../lean/protocolo-guardado.ts';
import { readFalhas, readProva, writeFalhas } from '../lean/prova-guardada.ts';
import { escreverSignatario } from '../lean/signatario-guardado.ts';
import { type Leitura, LeiturasDosEscritorios } from '../leiautes/leituras.ts';
import type { LinhaDeDocumento } from '../queries.ts';
import type { Leitor } from '../queries-leitura.ts';
import { statusAlegado } from '../store/decidir.ts';
import { ehProtocolado, linhaDeDocumento, nomesGuardados, participantesDe } from '../store/identidade.ts';
import { versaoDaLinha } from '../store/versoes.ts';
import type { RegistroAGuardar } from '../tipos.ts';
import { type Achado, emPaginas, type Linha } from './achados.ts';
import * as queries from './queries-linhas.ts';
import { textosMudados, textosQueDeviam } from './verificar-textos.ts';

/** What the bytes of a document say, as the import read them. */
export interface Lido {
  registro: RegistroAGuardar;
  codificacao: Codificacao;
  assinatura: VeredictoAssinatura;
  prova: Julgamento;
  esquema: VeredictoEsquema;
}

/**
 * Reads an upload again as the import did: some documents say all of themselves only there, such as those whose answer came
 * beside them. @returns by the hash of each document's bytes; null where the upload is not kept any more
 */
export type LerEnvio = (
  /** Of the caller's transaction, which nobody else may wait for. */
  db: Leitor,
  envio: { arquivoId: string; blob: string | null },
) => Promise<ReadonlyMap<string, Lido> | null>;

/**
 * @param familias what is read; by default what everybody reads
 * @returns null where the bytes are not one document when they are read alone
 */
function readSozinho(
  bytes: Uint8Array,
  { familias, validador }: { familias?: Leitura; validador: ValidadorDeEsquema },
): Lido | null {
  const pecas = lerConteudo({ bytes, nome: 'documento.xml' }, { validador, familias });
  const [peca] = pecas;
  if (pecas.length !== 1 || peca?.resultado !== 'lida') return null;
  const { codificacao, assinatura, prova, esquema } = peca;
  return { registro: comItensEscritos(peca.registro), codificacao, assinatura, prova, esquema };
}

export type LinhaComTudo = Linha<typeof queries.findLinhas>;
type Parte = Linha<typeof queries.findPartes>;

/** What differs, of which row. */
export interface Divergencia {
  codigo: 'linha_divergente' | 'versao_divergente' | 'partes_divergentes';
  /** Columns, or parts of the document. */
  onde: string[];
}

/** Rows of a page with the bytes of their documents. */
const LINHAS_POR_PAGINA = 200;

export function verifyLinhas(
  db: Leitor,
  {
    tamanho,
    lerEnvio,
    validador,
  }: { tamanho: number; lerEnvio: LerEnvio; validador: ValidadorDeEsquema | null },
): AsyncGenerator<Achado> {
  const envios = new EnviosLidos(lerEnvio, validador);
  return emPaginas(db, {
    inicio: 0,
    tamanho: Math.min(tamanho, LINHAS_POR_PAGINA),
    keyOf: (row) => row.id,
    ler: queries.findLinhas,
    achar: async (trx, rows) => {
      const partes = await partesDe(trx, rows);
      const achados = [...(await semItem(trx, rows)), ...rows.flatMap(semOQueNomeia)];
      for (const row of rows) {
        const lido = await readDeNovo(trx, { row, partes: partes(row), envios });
        achados.push(...(lido?.divergencias ?? []).map((uma) => achadoDe(row, uma)));
      }
      return achados;
    },
  });
}

/** What a version names is there: the upload that it came in, and the schema that it was judged by. */
function semOQueNomeia(row: LinhaComTudo): Achado[] {
  const faltam = [
    // Documents that were put into a vault by themselves came in none.
    row.arquivo_numero !== null &&
      row.arquivo_id === null &&
      row.ha_arquivos !== null &&
      'o arquivo em que diz ter vindo',
    row.esquema_nome_id !== null &&
      row.esquema_nome_dela === null &&
      'o esquema pelo qual diz ter sido julgada',
  ].filter((falta) => falta !== false);
  return faltam.map((falta) => ({
    codigo: 'versao_sem_o_que_nomeia',
    mensagem: `Não existe ${falta}.`,
    alvo: `versão ${row.id} do documento ${row.chave}`,
    ref: { versaoId: row.id, documentoId: row.documento_id },
  }));
}

/** Each version came in an upload that has an item of its document. */
async function semItem(trx: Leitor, rows: readonly LinhaComTudo[]): Promise<Achado[]> {
  const { pares, comItens } = await queries.findItensDasVersoes(trx, rows);
  const known = new Set(pares.map(({ arquivo_numero, documento_id }) => `${arquivo_numero}/${documento_id}`));
  const semPar = rows.filter(
    ({ arquivo_numero, documento_id }) =>
      arquivo_numero !== null &&
      comItens.includes(arquivo_numero) &&
      !known.has(`${arquivo_numero}/${documento_id}`),
  );
  if (semPar.length === 0) return [];
  // One that was made of a note and a protocol of another upload says that one, which has no document of its own.
  const juntadas = new Set(await queries.findPossiveisJuntadas(trx, semPar));
  return semPar
    .filter(({ id }) => !juntadas.has(id))
    .map(({ id, chave, documento_id }) => ({
      codigo: 'versao_sem_item',
      mensagem: 'O arquivo em que a versão diz ter vindo não tem item algum do seu documento.',
      alvo: `versão ${id} do documento ${chave}`,
      ref: { versaoId: id, documentoId: documento_id },
    }));
}

/** The parties of a record, and those of the document that an event is about, which are its own too. */
interface Partes {
  suas: readonly Parte[];
  daNota: readonly Parte[];
  /** What its other versions say of its status; undefined where some of them were not judged yet. */
  alegado: string | null | undefined;
}

/** @returns what there is of each of some rows */
export async function partesDe(
  trx: Leitor,
  rows: readonly LinhaComTudo[],
): Promise<(row: LinhaComTudo) => Partes> {
  const notas = await queries.findNotasDosEventos(
    trx,
    rows.filter(({ classe }) => classe === 'evento'),
  );
  const ids = new Set([...rows.map((row) => row.documento_id), ...notas.map(({ id }) => id)]);
  const partes = Map.groupBy(await queries.findPartes(trx, [...ids]), (parte) => parte.documento_id);
  const suasNotas = Map.groupBy(notas, ({ evento_id }) => evento_id);
  const alegados = await alegadosDe(trx, rows);
  return (row) => ({
    alegado: alegados.get(row.documento_id),
    suas: partes.get(row.documento_id) ?? [],
    daNota: (suasNotas.get(row.documento_id) ?? []).flatMap(({ id }) => partes.get(id) ?? []),
  });
}

async function alegadosDe(trx: Leitor, rows: readonly LinhaComTudo[]): Promise<Map<number, string | null>> {
  const documentos = new Map(rows.map((row) => [row.documento_id, row]));
  const versoes = Map.groupBy(
    await queries.findVersoesDe(trx, [...documentos.keys()]),
    (row) => row.documento_id,
  );
  const alegados = new Map<number, string | null>();
  for (const [id, linha] of documentos) {
    const suas = (versoes.get(id) ?? []).filter(({ sha256 }) => sha256 !== '');
    if (linha.classe !== 'documento' || suas.some(({ falhas }) => falhas === null)) continue;
    try {
      alegados.set(id, statusAlegado(suas.map((versao) => versaoDaLinha(versao, linha))));
    } catch {
      // A column of one of them cannot be read, which is told of that version.
    }
  }
  return alegados;
}

function achadoDe(row: LinhaComTudo, { codigo, onde }: Divergencia): Achado {
  const linha =
    codigo === 'linha_divergente'
      ? 'A linha do documento não diz o mesmo que os seus bytes'
      : codigo === 'versao_divergente'
        ? 'A linha da versão não diz o mesmo que os seus bytes'
        : 'As partes guardadas não são as que os bytes do documento dizem';
  return {
    codigo,
    mensagem: `${linha} (${onde.join(', ')}).`,
    alvo: `versão ${row.id} do documento ${row.chave}`,
    ref: { versaoId: row.id, documentoId: row.documento_id },
  };
}

/** The last upload that was read: documents of one stand beside each other. */
export class EnviosLidos {
  /** By what the documents of each office were read. */
  readonly leituras = new LeiturasDosEscritorios();
  readonly #ler: LerEnvio;
  readonly #validador: ValidadorDeEsquema;
  /** Kinds of documents with the schemas that were found right for them. */
  readonly #esquemas = new Set<string>();
  #ultimo: { arquivoId: string; lidos: ReadonlyMap<string, Lido> | null } | null = null;

  /** @param validador by which reasons are found again; null: they are not looked at */
  constructor(ler: LerEnvio, validador: ValidadorDeEsquema | null) {
    this.#ler = ler;
    this.#validador = validador ?? SEM_JULGAR;
  }

  /**
   * Judged once more is what was not found valid, for its reason, and of each kind one by each schema, for its name. How a sound
   * document was judged is not asked again: schemas age, documents do not.
   */
  validadorDe(row: ComEsquema): ValidadorDeEsquema {
    const jaConhecido = row.esquema_nome_dela === null || this.#esquemas.has(nomeDaEscolha(row));
    return row.esquema_motivo === null && jaConhecido ? SEM_JULGAR : this.#validador;
  }

  /** Whether a version says that it was judged by a schema for something else, of whichever package. */
  ehDeOutroEsquema(row: ComEsquema, { esquema }: Pick<Lido, 'esquema'>): boolean {
    const [arquivo, devia] = [row.esquema_nome_dela, esquema.esquema].map((nome) => nome?.split(' ')[0]);
    if (!arquivo || !devia) return false;
    if (arquivo === devia) this.#esquemas.add(nomeDaEscolha(row));
    return arquivo !== devia;
  }

  /** @returns what a document says in the upload that it came in; null when that cannot be told */
  async lido(db: Leitor, row: Pick<LinhaComTudo, 'arquivo_id' | 'blob' | 'sha256'>): Promise<Lido | null> {
    const { arquivo_id: arquivoId, blob, sha256 } = row;
    if (arquivoId === null) return null;
    if (this.#ultimo?.arquivoId !== arquivoId) {
      this.#ultimo = { arquivoId, lidos: await this.#ler(db, { arquivoId, blob }) };
    }
    return this.#ultimo.lidos?.get(sha256) ?? null;
  }
}

type ComEsquema = Pick<
  LinhaComTudo,
  'esquema_motivo' | 'esquema_nome_dela' | 'especie' | 'layout' | 'evento_codigo'
>;

function nomeDaEscolha({ especie, layout, evento_codigo, esquema_nome_dela }: ComEsquema): string {
  return `${especie}/${layout}/${evento_codigo}/${esquema_nome_dela}`;
}

/** A document that was read again, and in what its rows say something else. */
export interface LidoDeNovo extends Lido {
  divergencias: Divergencia[];
}

/**
 * Alone first; where that does not say what the rows say, in its upload, which may say more.
 * @returns null of one whose bytes are not there or not whole, which is told elsewhere, or that nobody can read
 */
export async function readDeNovo(
  trx: Leitor,
  input: { row: LinhaComTudo; partes: Partes; envios: EnviosLidos },
): Promise<LidoDeNovo | null> {
  const { row, partes, envios } = input;
  const bytes = row.sha256 === '' ? null : tryDescomprimir(row, row.sha256);
  if (bytes === null) return null;
  const comparado = (lido: Lido) => ({
    ...lido,
    divergencias: comparar(row, { partes, lido, deOutroEsquema: envios.ehDeOutroEsquema(row, lido) }),
  });
  let sozinho: LidoDeNovo | null = null;
  for (const familias of await envios.leituras.de(trx, row.contador_id)) {
    const lido = readSozinho(bytes, { familias, validador: envios.validadorDe(row) });
    const comparada = lido && comparado(lido);
    if (comparada?.divergencias.length === 0) return comparada;
    sozinho ??= comparada;
  }
  const noEnvio = await envios.lido(trx, row);
  return noEnvio ? comparado(noEnvio) : sozinho;
}

function comparar(
  row: LinhaComTudo,
  { partes, lido, deOutroEsquema }: { partes: Partes; lido: Lido; deOutroEsquema: boolean },
): Divergencia[] {
  const { registro } = lido;
  const found: Divergencia[] = [];
  const daVersao = [...colunasDaVersao(row, lido), ...(deOutroEsquema ? ['esquema_nome_id'] : [])];
  if (daVersao.length > 0) found.push({ codigo: 'versao_divergente', onde: daVersao });
  if (row.servida !== 1 || row.excluido_em !== null) return found;
  const linha = linhaQueDevia(row, lido);
  const doDocumento = colunasDoDocumento(row, linha, partes.alegado);
  if (doDocumento.length > 0) found.push({ codigo: 'linha_divergente', onde: doDocumento });
  const devia = partesQueDevia(registro, linha);
  const wrong = [
    ...partesQueFaltam(partes.suas, devia).map(({ papel, cpf_cnpj }) => `${papel} ${cpf_cnpj}`),
    ...partesAMais(row, partes, devia).map(
      ({ papel, cpf_cnpj }) => `a mais: ${PAPEL_EM_CODIGO.mostrar(papel)} ${cpf_cnpj}`,
    ),
    ...partesComOutroNome(partes, devia).map(
      ({ papel, cpf_cnpj }) => `nome de ${PAPEL_EM_CODIGO.mostrar(papel)} ${cpf_cnpj}`,
    ),
  ];
  if (wrong.length > 0) found.push({ codigo: 'partes_divergentes', onde: wrong });
  return found;
}

/** Words of a verdict: which of them it was is not asked again, but it was one of these. */
export const ESQUEMAS: readonly string[] = ['valido', 'invalido', 'nao_verificado'];

function colunasDaVersao(row: LinhaComTudo, lido: Lido): string[] {
  const { registro, codificacao, assinatura, prova } = lido;
  const wrong: string[] = Object.keys(textosMudados(row, textosQueDeviam(lido)));
  if (!ESQUEMAS.includes(row.esquema)) wrong.push('esquema');
  if (row.assinatura !== assinatura.resultado) wrong.push('assinatura');
  // Whom a certificate names that is kept apart is looked at there (`verificar-guardados.ts`).
  const { assinatura_titular: titular } = row;
  if (titular !== TITULAR_DO_CERTIFICADO && titular !== assinatura.titular) wrong.push('assinatura_titular');
  if (!ehDoMesmoSignatario(row.signatario, assinatura)) wrong.push('signatario');
  if (row.digest !== registro.digest) wrong.push('digest');
  if (row.codificacao !== codificacao) wrong.push('codificacao');
  if (row.protocolado !== Number(ehProtocolado(registro))) wrong.push('protocolado');
  if (!isDeepStrictEqual(protocoloDa(row), registro.protocolo)) wrong.push('protocolo');
  return [...wrong, ...colunasDaProva(row, { registro, prova })];
}

/** Holder and dates of a signer that is kept with its version; what its chain is worth follows from the authorities. */
function ehDoMesmoSignatario(guardado: string | null, { signatario }: VeredictoAssinatura): boolean {
  if (guardado === null || signatario === null) return guardado === null;
  const semCadeia = (text: string) => text.split(' ').slice(1, 4).join(' ');
  return semCadeia(guardado) === semCadeia(escreverSignatario(signatario));
}

/** What follows from the authorities that are installed: what a signer is worth is judged by others (`renovar-signatarios.ts`). */
const DA_CADEIA: readonly FalhaDeProva[] = [
  FALHA_DE_PROVA.cadeiaDesconhecida,
  FALHA_DE_PROVA.cadeiaInvalida,
  FALHA_DE_PROVA.foraDaValidade,
];

/** Of versions that were judged; those of before there was a proof are not. */
function colunasDaProva(row: LinhaComTudo, { registro, prova }: Pick<Lido, 'registro' | 'prova'>): string[] {
  if (row.falhas === null) return [];
  const wrong: string[] = [];
  const falhas = readFalhas(row.falhas);
  if (!isDeepStrictEqual(falhas, falhasQueDevia(row, prova))) wrong.push('falhas');
  const guardada = readProva(row.versao_prova);
  // What Malote fetched itself is worth more than its bytes alone tell.
  if (guardada !== 'sefaz' && guardada !== provaCom(falhas)) wrong.push('prova');
  if (row.versao_status !== statusQueDevia(registro)) wrong.push('status');
  return wrong;
}

/** As the bytes say now, and of the chain what was found when it was judged. */
export function falhasQueDevia(row: Pick<LinhaComTudo, 'falhas'>, prova: Julgamento): FalhaDeProva[] {
  const daCadeia = readFalhas(row.falhas ?? 0).filter((falha) => DA_CADEIA.includes(falha));
  const outras = prova.falhas.filter((falha) => !DA_CADEIA.includes(falha));
  return readFalhas(writeFalhas([...outras, ...daCadeia]));
}

export function statusQueDevia(registro: RegistroAGuardar): LinhaComTudo['versao_status'] {
  return STATUS_EM_CODIGO.escrever(registro.classe === 'documento' ? registro.statusProtocolo : 'Autorizada');
}

/** What is written of the protocol; a text that cannot be read is no protocol. */
function protocoloDa({ protocolo, digest }: LinhaComTudo): Protocolo | null | undefined {
  if (protocolo === null) return null;
  try {
    return lerProtocolo(protocolo, digest);
  } catch {
    return undefined;
  }
}

/** The row as an import would write it now. */
export function linhaQueDevia(
  row: Pick<LinhaComTudo, 'contador_id' | 'documento_importado_em' | 'status_alegado' | 'versao_prova'>,
  { registro, prova }: Pick<Lido, 'registro' | 'prova'>,
): LinhaDeDocumento {
  const { contador_id: contadorId, documento_importado_em: agora } = row;
  const linha = linhaDeDocumento({ registro, prova }, { contadorId, agora, alegado: row.status_alegado });
  return { ...linha, prova: row.versao_prova };
}

/** Columns that a document has from its bytes, each as it is to be compared: some are written in more than one form. */
const LIDAS: Readonly<Record<string, (row: LinhaDeDocumento) => unknown>> = {
  data_emissao: ({ data_emissao, emitido_em }) => lerEmissao({ data_emissao, emitido_em }),
  finalidade_codigo: ({ finalidade_codigo = null, finalidade_descricao = null }) =>
    lerFinalidade({ finalidade_codigo, finalidade_descricao }),
  itens: ({ itens = null }) => lerItens(itens),
  evento_desfaz: ({ evento_desfaz = null }) => evento_desfaz && JSON.parse(evento_desfaz),
};
export const COLUNAS_DOS_BYTES = [
  'ambiente',
  'classe',
  'identidade',
  'especie',
  'chave',
  'modelo',
  'layout',
  'data_emissao',
  'emitido_em',
  'dia',
  'serie',
  'numero',
  'numero_inicial',
  'numero_final',
  'emitente',
  'emitente_nome',
  'destinatario',
  'destinatario_nome',
  'valor',
  'tp_nf',
  'finalidade_codigo',
  'itens',
  'layout_nacional',
  'municipio_prestacao',
  'evento_codigo',
  'evento_descricao',
  'evento_sequencia',
  'evento_efeito',
  'evento_desfaz',
  'nprot',
  'protocolo_da_nota',
  'autor',
  'tomador',
  'prova',
  'status_protocolo',
] as const;

/** What rows of former versions of Malote do not have. */
const DEPOIS: readonly string[] = ['autor', 'tomador'];

function colunasDoDocumento(
  row: LinhaComTudo,
  devia: LinhaDeDocumento,
  alegado: string | null | undefined,
): string[] {
  const wrong: string[] = alegado === undefined || row.status_alegado === alegado ? [] : ['status_alegado'];
  return wrong.concat(COLUNAS_DOS_BYTES.filter((coluna) => ehOutro(row, devia, coluna)));
}

function ehOutro(
  row: LinhaComTudo,
  devia: LinhaDeDocumento,
  coluna: (typeof COLUNAS_DOS_BYTES)[number],
): boolean {
  if (row[coluna] === null && DEPOIS.includes(coluna)) return false;
  const ler = LIDAS[coluna] ?? ((one: LinhaDeDocumento) => one[coluna] ?? null);
  try {
    return !isDeepStrictEqual(ler(row), ler(devia));
  } catch {
    return true;
  }
}

interface ParteQueDevia {
  papel: Papel;
  cpf_cnpj: string;
  nome: string | null;
  /** The name as it is written. */
  guardado: string | null;
}

/** Parties with their names as they are read back. */
export function partesQueDevia(registro: RegistroAGuardar, linha: LinhaDeDocumento): ParteQueDevia[] {
  const participantes = withoutRepeats(participantesDe(registro));
  const nomes = nomesGuardados(participantes);
  return participantes.map(({ papel, cpfCnpj }, at) => {
    const guardado = nomes[at] ?? null;
    const daLinha = COMO_O_EMITENTE.includes(papel) ? linha.emitente_nome : linha.destinatario_nome;
    return { papel, cpf_cnpj: cpfCnpj, guardado, nome: guardado === '' ? (daLinha ?? null) : guardado };
  });
}

export function partesQueFaltam(partes: readonly Parte[], devia: readonly ParteQueDevia[]): ParteQueDevia[] {
  const nomes = new Map(partes.map((parte) => [nomeDaParte(parte), parte.nome]));
  return devia.filter((parte) => {
    const guardado = nomes.get(nomeDaParte({ ...parte, papel: PAPEL_EM_CODIGO.escrever(parte.papel) }));
    // Of who issued an event of NFS-e only its note tells which part he plays (`aplicar-eventos.ts`).
    if (guardado === undefined) return parte.papel !== 'prestador';
    // An event names nobody; its document does, once it is there.
    return parte.nome !== null && guardado !== parte.nome;
  });
}

/** Parties that neither the bytes name, nor the document of an event. Of former versions some may have stayed. */
export function partesAMais(
  row: Pick<LinhaComTudo, 'versoes'>,
  { suas, daNota }: Partes,
  devia: readonly ParteQueDevia[],
): Parte[] {
  if (Number(row.versoes) !== 1) return [];
  const explained = new Set([
    ...devia.map((parte) => nomeDaParte({ ...parte, papel: PAPEL_EM_CODIGO.escrever(parte.papel) })),
    ...daNota.map(nomeDaParte),
  ]);
  // Whom an event 110150 lets have the document takes part in it too (`aplicar-eventos.ts`).
  return suas.filter((parte) => parte.papel !== AUTORIZADO && !explained.has(nomeDaParte(parte)));
}

/**
 * Parties that the bytes name no name of, and whose row has one: those of an event are called what its document calls them. The
 * others are told by `partesQueFaltam` and `partesAMais`. @returns them with the name that they should have
 */
export function partesComOutroNome({ suas, daNota }: Partes, devia: readonly ParteQueDevia[]): Parte[] {
  const nomes = new Map(daNota.map((parte) => [nomeDaParte(parte), parte.nome]));
  for (const parte of devia) {
    const chave = nomeDaParte({ ...parte, papel: PAPEL_EM_CODIGO.escrever(parte.papel) });
    if (parte.nome !== null) nomes.delete(chave);
    else if (!nomes.has(chave)) nomes.set(chave, null);
  }
  return suas.flatMap((parte) => {
    const nome = nomes.get(nomeDaParte(parte));
    return nome === undefined || parte.nome === null || parte.nome === nome ? [] : [{ ...parte, nome }];
  });
}

const AUTORIZADO = PAPEL_EM_CODIGO.escrever('autorizado');

function nomeDaParte({ papel, cpf_cnpj }: Pick<Parte, 'papel' | 'cpf_cnpj'>): string {
  return `${papel} ${cpf_cnpj}`;
}
