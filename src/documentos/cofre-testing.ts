/** A vault for the tests: a database in memory with one office, and pieces made by hand, without any XML to read. */
import { createHash } from 'node:crypto';
import { openBanco } from '../../test/support/bancos.ts';
import { MIGRATIONS } from '../banco/migrations.ts';
import type { Tabelas } from '../banco/tabelas.ts';
import { chaveCheckDigit, parseChave } from '../fiscal/chave.ts';
import { cnpjCheckDigits, cpfCheckDigits } from '../fiscal/cpf-cnpj.ts';
import { provaCom } from '../fiscal/prova.ts';
import type {
  Ambiente,
  Chave,
  CpfCnpj,
  Documento,
  EfeitoEvento,
  Evento,
  FalhaDeProva,
  ItemFiscal,
  Julgamento,
  Papel,
  Participante,
  Protocolo,
  Registro,
  Signatario,
  VeredictoAssinatura,
} from '../fiscal/tipos.ts';
import { connectSqliteHere, type Database } from '../platform/db/connect.ts';
import { migrateSqlite } from '../platform/db/migrate.ts';
import { prepareConteudo } from './bytes/conteudo.ts';
import { comItensEscritos } from './lean/itens-guardados.ts';
import { deliverRetidos } from './store/retidos.ts';
import { storeLotes } from './store/store.ts';
import type { PecaGravada, PecaLida } from './tipos.ts';

export const AGORA = Date.parse('2026-04-01T12:00:00-03:00');

export function cnpj(n: number): CpfCnpj {
  const base = String(n).padStart(12, '0');
  return (base + cnpjCheckDigits(base)) as CpfCnpj;
}

export function cpf(n: number): CpfCnpj {
  const base = String(n).padStart(9, '0');
  return (base + cpfCheckDigits(base)) as CpfCnpj;
}

export const EMITENTE = cnpj(313131310001);
export const DESTINATARIO = cnpj(424242420001);
export const TRANSPORTADOR = cnpj(535353530001);
export const TERCEIRO = cnpj(646464640001);

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export interface Cofre {
  db: Database<Tabelas>;
  contadorId: number;
  /** Registers a client and hands it what was held. @returns its id */
  registrar(cpfCnpj: CpfCnpj, contadorId?: number): Promise<number>;
  /** Stores pieces as one file in one transaction. */
  gravar(...pecas: PecaLida[]): Promise<PecaGravada[]>;
  /** Status, NSU and key of everything in a client's feed. */
  feed(clienteId: number): Promise<{ nsu: number; chave: string; status: string }[]>;
  novoContador(): Promise<number>;
  /** One statement behind the back of foreign keys. @returns how many rows it touched */
  danificar(texto: string): Promise<number>;
  homologacao: boolean;
  agora: number;
}

async function bancoQueSome(): Promise<Pick<Cofre, 'db' | 'danificar'>> {
  const { db, close, danificar } = await openBanco();
  return { db: { ...db, close }, danificar };
}

function naPasta(path: string): Pick<Cofre, 'db' | 'danificar'> {
  migrateSqlite(path, MIGRATIONS);
  const danificar = () => Promise.reject(new Error('only a vault that goes away is damaged'));
  return { db: connectSqliteHere<Tabelas>(path), danificar };
}

/** An empty vault on the engine of the run; with a path, in that file of SQLite, which stays. Close its `db`. */
export async function openCofre(path?: string): Promise<Cofre> {
  const { db, danificar } = path === undefined ? await bancoQueSome() : naPasta(path);
  let arquivos = 0;
  const cofre: Cofre = {
    db,
    contadorId: await insertContador(db, 1),
    danificar,
    homologacao: false,
    agora: AGORA,
    novoContador: () => insertContador(db, 2),
    registrar: (cpfCnpj, contadorId = cofre.contadorId) =>
      db.write.transaction().execute(async (trx) => {
        const { id } = await trx
          .insertInto('cliente')
          .values({
            contador_id: contadorId,
            cpf_cnpj: cpfCnpj,
            nome: `Cliente ${cpfCnpj}`,
            email: 'cliente@exemplo.com.br',
            criado_em: cofre.agora,
            atualizado_em: cofre.agora,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        const { agora, homologacao } = cofre;
        await deliverRetidos(trx, { contadorId, cpfCnpj }, { agora, homologacao });
        return id;
      }),
    async gravar(...pecas) {
      const { contadorId, agora, homologacao } = cofre;
      const lotes = [{ arquivoNumero: ++arquivos, contadorId, pecas }];
      const [gravadas] = await db.write
        .transaction()
        .execute((trx) => storeLotes(trx, { lotes, agora, homologacao }));
      return gravadas ?? [];
    },
    async feed(clienteId) {
      const rows = await db.read
        .selectFrom('entrada')
        .innerJoin('documento', 'documento.id', 'entrada.documento_id')
        .select(['entrada.nsu', 'documento.chave', 'documento.status'])
        .where('entrada.cliente_id', '=', clienteId)
        .orderBy('entrada.nsu')
        .execute();
      return rows.map(({ nsu, chave, status }) => ({ nsu, chave, status }));
    },
  };
  return cofre;
}

/** Uploads that the documents of a vault came in, so that these can be repaired from them. */
export async function comEnvios({ db, contadorId }: Cofre): Promise<void> {
  const numeros = await db.read.selectFrom('versao').select('arquivo_numero as numero').distinct().execute();
  for (const { numero } of numeros) {
    await db.write
      .insertInto('arquivo')
      .values({
        numero: numero ?? 0,
        id: `arquivo-${numero}`,
        contador_id: contadorId,
        extensao: '.zip',
        tamanho_anunciado: 1,
        status: 'Uploaded',
        criado_em: AGORA,
        expira_em: AGORA,
        kid: 'k',
        blob: `arquivo-${numero}-1`,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

async function insertContador(db: Database<Tabelas>, n: number): Promise<number> {
  const { id } = await db.write
    .insertInto('contador')
    .values({
      codigo_crm: String(n).padStart(6, '0'),
      nome: `Escritório ${n}`,
      email: 'escritorio@exemplo.com.br',
      criado_em: AGORA,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export interface OpcoesDaNota {
  emitente?: CpfCnpj;
  destinatario?: CpfCnpj | null;
  /** Besides issuer and recipient. */
  outros?: readonly (readonly [Papel, CpfCnpj])[];
  modelo?: '55' | '65' | '57';
  /** Two digits; by default São Paulo. */
  uf?: string;
  serie?: string;
  numero?: number;
  /** dhEmi. */
  data?: string;
  ambiente?: Ambiente;
  /** cStat of the protocol; null: none. */
  cStat?: string | null;
  /** Another content under the same key. */
  conteudo?: string;
  /** Other bytes of the same content. */
  copia?: string;
  /** Base64 of the signer's certificate. */
  certificado?: string;
  assinatura?: VeredictoAssinatura['resultado'];
  /** What its proof is short of; by default what follows from signature and protocol. */
  falhas?: readonly FalhaDeProva[];
  /** What the certificate is worth. */
  signatario?: Signatario | null;
  itens?: ItemFiscal[];
  finalidade?: Documento['finalidade'];
  tpNF?: '0' | '1';
}

/** A key with a valid check digit, of a note made with the same options. */
export function chaveDe(nota: OpcoesDaNota): Chave {
  const { emitente = EMITENTE, modelo = '55', uf = '35', serie = '1', numero = 1, data = DATA } = nota;
  const body =
    `${uf}${data.slice(2, 4)}${data.slice(5, 7)}${emitente.padStart(14, '0')}${modelo}` +
    `${serie.padStart(3, '0')}${String(numero).padStart(9, '0')}112345678`;
  const chave = parseChave(body + chaveCheckDigit(body));
  if (!chave) throw new Error(`no key: ${body}`);
  return chave;
}

const DATA = '2026-03-10T10:00:00-03:00';
const STATUS_DE: Record<string, Documento['statusProtocolo']> = {
  100: 'Autorizada',
  101: 'Cancelada',
  302: 'Denegada',
};

function protocolo(cStat: string, nProt: string): Protocolo {
  return { cStat, xMotivo: 'Resposta da SEFAZ', nProt, dhRecbto: DATA, digVal: null };
}

function digestDe(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

/** A record as a reader hands it over. */
export function lida(
  lido: Registro,
  opcoes: Pick<OpcoesDaNota, 'copia' | 'certificado' | 'assinatura' | 'signatario' | 'falhas'> = {},
): PecaLida {
  const registro = comItensEscritos(lido);
  const certificado = opcoes.certificado ? `<X509Certificate>${opcoes.certificado}</X509Certificate>` : '';
  const text = `<doc>${JSON.stringify([registro, opcoes.copia ?? ''])}${certificado}</doc>`;
  return {
    kind: 'registro',
    caminho: `${registro.chave}.xml`,
    especie: registro.especie,
    registro,
    conteudo: prepareConteudo(Buffer.from(text), 'utf-8'),
    esquema: { resultado: 'valido', esquema: 'nfe_v4.00.xsd', motivo: null },
    assinatura: {
      resultado: opcoes.assinatura ?? 'integra',
      motivo: null,
      algoritmo: 'rsa-sha1',
      titular: 'TITULAR',
      digestCalculado: registro.digest,
      digestMetodo: 'sha1',
      signatario: opcoes.signatario ?? null,
    },
    prova: provaFeita(registro, opcoes),
  };
}

/** Proven as well as its signature and its protocol allow, unless told otherwise. */
function provaFeita(
  registro: PecaComRegistro['registro'],
  { assinatura, falhas }: Pick<OpcoesDaNota, 'assinatura' | 'falhas'>,
): Julgamento {
  const dela: FalhaDeProva[] = [];
  if (assinatura === 'alterada') dela.push('alterada');
  if (assinatura === 'sem_assinatura') dela.push('sem_assinatura');
  if (registro.classe === 'documento' && registro.protocolo === null) dela.push('sem_protocolo');
  const todas = falhas ?? dela;
  return { prova: provaCom(todas), falhas: todas };
}

type PecaComRegistro = Extract<PecaLida, { kind: 'registro' }>;

const ESPECIE_DE = { 55: 'NFe', 65: 'NFCe', 57: 'CTe' } as const;

/** An NF-e, NFC-e or CT-e, authorised unless told otherwise. */
export function nota(opcoes: OpcoesDaNota = {}): PecaLida {
  const { emitente = EMITENTE, destinatario = DESTINATARIO, modelo = '55', cStat = '100' } = opcoes;
  const chave = chaveDe(opcoes);
  const partes: (readonly [Papel, CpfCnpj])[] = [['emitente', emitente], ...(opcoes.outros ?? [])];
  if (destinatario) partes.push(['destinatario', destinatario]);
  const participantes: Participante[] = partes.map(([papel, cpfCnpj]) => ({
    papel,
    cpfCnpj,
    nome: `Empresa ${cpfCnpj}`,
  }));
  return lida(
    {
      classe: 'documento',
      especie: ESPECIE_DE[modelo],
      chave,
      modelo,
      ambiente: opcoes.ambiente ?? 1,
      layout: '4.00',
      serie: opcoes.serie ?? '1',
      numero: String(opcoes.numero ?? 1),
      dataEmissao: opcoes.data ?? DATA,
      tpNF: opcoes.tpNF ?? '1',
      natureza: 'Venda',
      participantes,
      valor: '100.00',
      finalidade: opcoes.finalidade ?? { codigo: '1', descricao: 'NF-e normal' },
      itens: opcoes.itens ?? [{ numero: 1, cfop: '5102', ncm: '61091000', valor: '100.00' }],
      protocolo: cStat === null ? null : protocolo(cStat, `1352600${chave.slice(25, 34)}`),
      statusProtocolo: cStat === null ? 'Pendente' : (STATUS_DE[cStat] ?? 'Autorizada'),
      digest: digestDe(`${chave}/${opcoes.conteudo ?? ''}`),
      layoutNacional: false,
      municipioPrestacao: null,
      avisos: [],
    },
    opcoes,
  );
}

const EFEITO: Record<string, EfeitoEvento> = {
  110111: 'cancela',
  110110: 'carta_correcao',
  210200: 'manifestacao',
  210210: 'manifestacao',
  110001: 'cancela_evento',
  610110: 'manifestacao',
  610111: 'cancela_evento',
};

interface OpcoesDoEvento {
  codigo?: string;
  sequencia?: number;
  autor?: CpfCnpj | null;
  destinatario?: CpfCnpj | null;
  ambiente?: Ambiente;
  data?: string;
  nProt?: string;
  desfaz?: Evento['desfaz'];
  itensDeclarados?: number[];
  /** Whom a 110150 lets have the note. */
  autorizados?: CpfCnpj[];
  conteudo?: string;
  copia?: string;
  assinatura?: VeredictoAssinatura['resultado'];
  falhas?: readonly FalhaDeProva[];
  /** Protocol of the note that a cancellation names. */
  protocoloDaNota?: string | null;
}

/** A registered event about a key: a cancellation by the issuer unless told otherwise. */
export function evento(chave: Chave, opcoes: OpcoesDoEvento = {}): PecaLida {
  const { codigo = '110111', sequencia = 1 } = opcoes;
  const registro: Evento = {
    classe: 'evento',
    especie: 'Evento',
    chave,
    modelo: chave.slice(20, 22) as '55' | '65',
    ambiente: opcoes.ambiente ?? 1,
    layout: '1.00',
    codigo,
    descricao: `Evento ${codigo}`,
    sequencia,
    efeito: EFEITO[codigo] ?? 'nenhum',
    autor: opcoes.autor === undefined ? EMITENTE : opcoes.autor,
    destinatario: opcoes.destinatario ?? null,
    dataEmissao: opcoes.data ?? '2026-03-11T09:00:00-03:00',
    protocolo: protocolo('135', opcoes.nProt ?? `8912600${chave.slice(25, 34)}${codigo}${sequencia}`),
    desfaz: opcoes.desfaz ?? null,
    ...(opcoes.itensDeclarados ? { itensDeclarados: opcoes.itensDeclarados } : {}),
    ...(opcoes.autorizados ? { autorizados: opcoes.autorizados } : {}),
    protocoloDaNota: opcoes.protocoloDaNota ?? null,
    digest: digestDe(`${chave}/${codigo}/${sequencia}/${opcoes.conteudo ?? ''}`),
    avisos: [],
  };
  return lida(registro, opcoes);
}

interface OpcoesDaInutilizacao {
  emitente?: CpfCnpj;
  modelo?: '55' | '65';
  serie?: string;
  de: number;
  ate: number;
  nProt?: string;
  conteudo?: string;
  data?: string;
  falhas?: readonly FalhaDeProva[];
}

/** A homologated inutilização of a range of numbers. */
export function inutilizacao(opcoes: OpcoesDaInutilizacao): PecaLida {
  const { emitente = EMITENTE, modelo = '55', serie = '1', de, ate, data = DATA } = opcoes;
  const numeros = `${String(de).padStart(9, '0')}${String(ate).padStart(9, '0')}`;
  const chave = parseChave(`3526${emitente}${modelo}${serie.padStart(3, '0')}${numeros}`);
  if (!chave) throw new Error('no Id of an inutilização');
  return lida(
    {
      classe: 'inutilizacao',
      especie: 'Inutilizacao',
      chave,
      modelo,
      ambiente: 1,
      layout: '4.00',
      serie,
      numeroInicial: de,
      numeroFinal: ate,
      ano: '26',
      emitente,
      justificativa: 'Numeração pulada por falha do sistema',
      dataEmissao: data,
      protocolo: protocolo('102', opcoes.nProt ?? `1772600${de}${ate}`),
      digest: digestDe(`${chave}/${opcoes.conteudo ?? ''}`),
      avisos: [],
    },
    { copia: opcoes.conteudo ?? '', ...(opcoes.falhas ? { falhas: opcoes.falhas } : {}) },
  );
}

/** A key of a list. */
export function esperado(chave: Chave): Extract<PecaLida, { kind: 'esperado' }> {
  return {
    kind: 'esperado',
    caminho: 'chaves.txt',
    especie: 'Chave',
    chave,
    origem: 'lista',
    mensagem: null,
  };
}

/** What of these documents is in an upload, as a repair asks for it. */
export async function* findEm(
  envio: ReadonlyMap<string, Uint8Array>,
  documentos: ReadonlySet<string>,
): AsyncGenerator<Uint8Array> {
  for (const documento of documentos) {
    const bytes = envio.get(documento);
    if (bytes) yield bytes;
  }
}
