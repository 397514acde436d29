/**
 * The types of all tables, in the order of `migrations/`: what a column means is told there. Times are
 * milliseconds since 1970 UTC; booleans are 0 and 1 on both engines.
 */
import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';
import type { TabelasDaCaptura } from './tabelas-captura.ts';
import type { TabelasDoConsole } from './tabelas-console.ts';
import type { TabelasDeConsulta } from './tabelas-consulta.ts';
import type { TabelasDaCopia } from './tabelas-copia.ts';
import type { TabelasDasFalhas } from './tabelas-falhas.ts';
import type { TabelaJanela } from './tabelas-janelas.ts';
import type { TabelasDosLeiautes } from './tabelas-leiautes.ts';
import type { TabelasDaManifestacao } from './tabelas-manifestacao.ts';
import type { TabelasRetencao } from './tabelas-retencao.ts';

export type Flag = 0 | 1;

declare const coluna: unique symbol;
/** A word as its rows keep it: which number stands for which is told in `documentos/lean/codigos.ts`. */
type Codigo<Coluna extends string> = number & { readonly [coluna]: Coluna };
export type CodigoDePapel = Codigo<'papel'>;
export type CodigoDeTipo = Codigo<'tipo'>;
export type CodigoDeClasse = Codigo<'classe'>;
export type CodigoDeStatus = Codigo<'status'>;
export type CodigoDeMotivo = Codigo<'motivo'>;

/** Optional on insert. */
type Optional<T> = ColumnType<T, T | undefined, T>;

export interface TabelaContador {
  id: Generated<number>;
  codigo_crm: string;
  nome: string;
  email: string;
  criado_em: number;
}

export interface TabelaCliente {
  id: Generated<number>;
  contador_id: number;
  cpf_cnpj: string;
  nome: string;
  email: string;
  trabalha_com_procuracao: Optional<Flag>;
  criado_em: number;
  atualizado_em: number;
  ultimo_nsu: Generated<number>;
  revisao: Generated<number>;
}

export interface TabelaTokenIntegracao {
  id: Generated<number>;
  contador_id: number;
  nome: string;
  hash: string;
  finais: string;
  adicional: Optional<Flag>;
  criado_em: number;
  expira_em: number | null;
  revogado_em: number | null;
  ultimo_uso_em: number | null;
  escopo: Optional<'tudo' | 'importacao' | 'exportacao'>;
  restrito: Optional<Flag>;
  ultimo_uso_ip: Optional<string | null>;
}

interface TabelaTokenIntegracaoCliente {
  token_id: number;
  cliente_id: number;
}

export interface TabelaClienteOauth {
  id: Generated<number>;
  client_id: string;
  nome: string;
  criado_em: number;
  revogado_em: number | null;
  emite_tokens: Optional<Flag>;
  ultimo_uso_em: Optional<number | null>;
}

export interface TabelaSegredoOauth {
  id: Generated<number>;
  cliente_oauth_id: number;
  hash: string;
  criado_em: number;
  expira_em: number | null;
}

interface TabelaClienteOauthContador {
  cliente_oauth_id: number;
  contador_id: number;
}

export interface TabelaConviteConsole {
  id: Generated<number>;
  contador_id: number;
  email: string;
  hash: string;
  criado_em: number;
  expira_em: number;
  usado_em: number | null;
  usuario_id: Optional<number | null>;
}

export interface TabelaChaveDeEndereco {
  kid: string;
  selada: Uint8Array;
  criada_em: number;
  aposentada_em: number | null;
}

export interface TabelaChaveDoEmissor {
  kid: string;
  selada: Uint8Array;
  certificado: Uint8Array;
  criada_em: number;
}

export interface TabelaSessaoOauth {
  sid: string;
  cliente_oauth_id: number;
  geracao: number;
  encerrada_em: number | null;
  expira_em: number;
}

export interface TabelaArquivo {
  /** What other rows know it by. */
  numero: Generated<number>;
  id: string;
  contador_id: number;
  token_id: number | null;
  extensao: string;
  tamanho_anunciado: number;
  tamanho: number | null;
  status: string;
  criado_em: number;
  expira_em: number;
  kid: string;
  recebido_em: number | null;
  inicio_em: number | null;
  fim_em: number | null;
  log: Optional<string>;
  sha256: string | null;
  md5: string | null;
  blob: string | null;
  chegando_ate: Optional<number | null>;
  origem: Optional<'api' | 'console' | 'sistema'>;
  /** What it came from when nobody uploaded it; null for uploads. */
  fonte: Optional<'sefaz' | 'adn' | 'sae' | 'email' | 'pasta' | null>;
  usuario_id: Optional<number | null>;
  nome: Optional<string | null>;
  reimportado_de: Optional<string | null>;
  /** JSON list of the client ids that its sender is limited to; null: the whole office. */
  alcance: Optional<string | null>;
  /** 0: not tried; 1: kept as a recipe; 2: kept as it came. */
  receita: Optional<number>;
  receita_tentativas: Optional<number>;
  receita_tentada_em: Optional<number | null>;
}

interface TabelaReceitaDeEnvio {
  arquivo_id: string;
  contador_id: number;
  receita: Uint8Array;
}

interface TabelaJob {
  id: Generated<number>;
  tipo: string;
  arquivo_id: string;
  contador_id: number;
  estado: 'pronto' | 'em_execucao' | 'feito' | 'falhou';
  tentativas: Generated<number>;
  disponivel_em: number;
  tomado_por: string | null;
  entradas_prontas: Optional<number>;
  itens_prontos: Optional<number>;
  erro: string | null;
  vez: Generated<number>;
  adiado: Generated<number>;
  peso: Generated<number>;
  batida: Generated<number>;
}

export interface TabelaItem {
  arquivo_numero: number;
  ordem: number;
  caminho: string;
  sha256: string | null;
  especie: string;
  chave: string | null;
  resultado: string;
  codigo: string | null;
  mensagem: string | null;
  linha: number | null;
  coluna: number | null;
  elemento: string | null;
  documento_id: number | null;
}

export interface TabelaDocumento {
  id: Generated<number>;
  contador_id: number;
  ambiente: number;
  classe: 'documento' | 'evento' | 'inutilizacao';
  identidade: string;
  especie: string;
  chave: string;
  modelo: string;
  serie: string | null;
  numero: string | null;
  numero_inicial: number | null;
  numero_final: number | null;
  layout: string | null;
  data_emissao: string;
  emitido_em: number;
  dia: string;
  emitente: string | null;
  emitente_nome: string | null;
  destinatario: string | null;
  destinatario_nome: string | null;
  valor: string | null;
  tp_nf: string | null;
  finalidade_codigo: string | null;
  finalidade_descricao: string | null;
  itens: string | null;
  layout_nacional: Optional<Flag>;
  municipio_prestacao: number | null;
  evento_codigo: string | null;
  evento_descricao: string | null;
  evento_sequencia: number | null;
  evento_efeito: string | null;
  evento_desfaz: string | null;
  nprot: string | null;
  status_protocolo: string;
  status: string;
  carta_correcao: Optional<Flag>;
  manifestacao: string | null;
  revisao: Optional<number>;
  importado_em: number;
  excluido_em: Optional<number | null>;
  prova: Optional<number | null>;
  status_prova: Optional<number | null>;
  status_alegado: Optional<string | null>;
  status_gemea: Optional<string | null>;
  afastado: Optional<Flag>;
  protocolo_da_nota: Optional<string | null>;
  /** Of an event, who wrote it; null where it does not say, or was stored before that was kept. */
  autor: Optional<string | null>;
  /** Of a transport (57, 64, 67), who pays for it. */
  tomador: Optional<string | null>;
}

export interface TabelaVersao {
  id: Generated<number>;
  documento_id: number;
  servida: Flag;
  sha256: Uint8Array;
  digest: string;
  protocolado: Flag;
  protocolo: string | null;
  esquema: string;
  esquema_nome: string | null;
  esquema_nome_id: number | null;
  esquema_motivo: string | null;
  assinatura: string;
  assinatura_motivo: string | null;
  assinatura_titular: string | null;
  signatario: Optional<string | null>;
  avisos: string | null;
  arquivo_numero: number | null;
  importado_em: number;
  tamanho: number;
  codificacao: string;
  prova: Optional<number | null>;
  falhas: Optional<number | null>;
  status: Optional<CodigoDeStatus | null>;
  escolhida: Optional<Flag>;
  afastada: Optional<Flag>;
}

export interface TabelaConteudo {
  versao_id: number;
  formato: number;
  soma: number;
  bytes: Uint8Array;
  certificado_id: number | null;
  bloco_id: number | null;
  posicao: number | null;
}

export interface TabelaBloco {
  id: Generated<number>;
  contador_id: number;
  soma: number;
  bytes: Uint8Array;
}

export interface TabelaCertificadoDeDocumento {
  id: Generated<number>;
  contador_id: number;
  sha256: Uint8Array;
  texto: string;
  usos: number;
  titular: string | null;
  signatario: Optional<string | null>;
  autoridades: Optional<string | null>;
  renovado: Optional<string | null>;
}

export interface TabelaAutoridade {
  id: Generated<number>;
  sha256: Uint8Array;
  der: Uint8Array;
  confianca: string | null;
  instalada_em: number;
}

export interface TabelaRenovacao {
  unica: number;
  autoridades: string;
  versao_apos: number;
  mudados_ate: number;
}

interface TabelaNomeDeEsquema {
  id: Generated<number>;
  nome: string;
}

export interface TabelaParticipante {
  documento_id: number;
  papel: CodigoDePapel;
  cpf_cnpj: string;
  contador_id: number;
  nome: string | null;
}

export interface TabelaEntrada {
  cliente_id: number;
  nsu: number;
  documento_id: number;
  importado_em: number;
  motivo: CodigoDeMotivo | null;
}

export interface TabelaParticipacao {
  cliente_id: number;
  documento_id: number;
  nsu: number;
  papel: CodigoDePapel;
  tipo: CodigoDeTipo;
  classe: CodigoDeClasse;
  modelo: string;
  emitido_em: number;
  status: CodigoDeStatus;
  carta_correcao: Flag;
  /** Who counts documents leaves these rows out: 1 where another client's row has the document, 2 where one of the same `tipo` has. */
  repetida: 0 | 1 | 2;
}

export interface TabelaContagem {
  cliente_id: number;
  modelo: string;
  dia: string;
  tipo: string;
  status: string;
  carta_correcao: Flag;
  quantidade: number;
}

export interface TabelaEsperado {
  contador_id: number;
  chave: string;
  origem: string;
  emitente: string | null;
  modelo: string;
  serie: string;
  numero: number;
  criado_em: number;
}

export interface TabelaProtocoloAvulso {
  contador_id: number;
  chave: string;
  ambiente: number;
  digest: string;
  status: string;
  bytes: Uint8Array;
  arquivo_numero: number;
  item_ordem: number;
  no_item: number;
  criado_em: number;
}

export interface TabelaMetadeDeEvento {
  contador_id: number;
  chave: string;
  ambiente: number;
  identidade: string;
  lado: 'pedido' | 'resposta';
  digest: string;
  bytes: Uint8Array;
  arquivo_numero: number;
  item_ordem: number;
  criado_em: number;
}

export interface TabelaFinalidadeInformada {
  cliente_id: number;
  documento_id: number;
  item: number;
  finalidade: string;
  informada_em: number;
  informada_por: string;
}

export interface TabelaCertificado {
  id: string;
  contador_id: number;
  cliente_id: number;
  versao: number;
  chave_selada: Uint8Array | null;
  kid: string | null;
  selado: Uint8Array | null;
  titular: string | null;
  titular_nome: string | null;
  serie: string;
  impressao: string;
  uf: string;
  valido_de: number;
  valido_ate: number;
  criado_em: number;
  substituido_em: number | null;
  avisado_dias: number | null;
}

interface TabelaChaveMestra {
  kid: string;
  criada_em: number;
  aposentada_em: number | null;
}

export interface TabelaAuditoria {
  n: number;
  em: number;
  acao: string;
  contador_id: number | null;
  autor: string;
  alvo: string;
  detalhe: string;
  hash: string;
}

interface TabelaAuditoriaFim {
  id: number;
  n: number;
  hash: string;
}

export interface Tabelas
  extends TabelasDoConsole,
    TabelasDeConsulta,
    TabelasRetencao,
    TabelasDaCopia,
    TabelasDaCaptura,
    TabelasDaManifestacao,
    TabelasDosLeiautes,
    TabelasDasFalhas {
  /** PostgreSQL only. */
  janela: TabelaJanela;
  contador: TabelaContador;
  cliente: TabelaCliente;
  token_integracao: TabelaTokenIntegracao;
  token_integracao_cliente: TabelaTokenIntegracaoCliente;
  cliente_oauth: TabelaClienteOauth;
  segredo_oauth: TabelaSegredoOauth;
  cliente_oauth_contador: TabelaClienteOauthContador;
  convite_console: TabelaConviteConsole;
  chave_de_endereco: TabelaChaveDeEndereco;
  chave_do_emissor: TabelaChaveDoEmissor;
  sessao_oauth: TabelaSessaoOauth;
  arquivo: TabelaArquivo;
  receita_de_envio: TabelaReceitaDeEnvio;
  job: TabelaJob;
  item: TabelaItem;
  documento: TabelaDocumento;
  versao: TabelaVersao;
  conteudo: TabelaConteudo;
  bloco: TabelaBloco;
  certificado_de_documento: TabelaCertificadoDeDocumento;
  nome_de_esquema: TabelaNomeDeEsquema;
  autoridade: TabelaAutoridade;
  renovacao: TabelaRenovacao;
  participante: TabelaParticipante;
  entrada: TabelaEntrada;
  participacao: TabelaParticipacao;
  contagem: TabelaContagem;
  esperado: TabelaEsperado;
  protocolo_avulso: TabelaProtocoloAvulso;
  metade_de_evento: TabelaMetadeDeEvento;
  finalidade_informada: TabelaFinalidadeInformada;
  certificado: TabelaCertificado;
  chave_mestra: TabelaChaveMestra;
  auditoria: TabelaAuditoria;
  auditoria_fim: TabelaAuditoriaFim;
}

/** What reads: the database, or a transaction in it. */
export type Db = Kysely<Tabelas>;
/** What writes, and takes locks. */
export type Trx = Transaction<Tabelas>;
