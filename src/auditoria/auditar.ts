/**
 * The audit log: append-only, every row chained to the one before it by a hash, and its end kept apart, so that a
 * row that was changed, removed or put in shows, the last one included. Who can write to the database can also
 * forge the whole chain; against that the end is noted elsewhere (`malote auditoria verificar` prints it).
 */
import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { TabelaAuditoria, Trx } from '../banco/tabelas.ts';
import { currentIp } from '../platform/db/tenant.ts';
import * as queries from './queries.ts';

/** What people and their programs do; the rest is done here, by nobody from anywhere. */
const FROM_OUTSIDE = /^(?:usuario|oauth|token):/;

/** Everything that is written down. */
export const ACAO = {
  falhasVistas: 'importacao.falhas_vistas',
  falhasResolvidas: 'importacao.falhas_resolvidas',
  falhasReabertas: 'importacao.falhas_reabertas',
  clienteCriado: 'cliente.criado',
  clienteAtualizado: 'cliente.atualizado',
  certificadoGuardado: 'certificado.guardado',
  certificadoSubstituido: 'certificado.substituido',
  certificadoRecusado: 'certificado.recusado',
  certificadoNaoAbre: 'certificado.nao_abre',
  certificadoRetirado: 'certificado.retirado',
  tokenCriado: 'token.criado',
  tokenRevogado: 'token.revogado',
  tokenAlterado: 'token.alterado',
  oauthCriado: 'oauth.criado',
  oauthAlterado: 'oauth.alterado',
  oauthRevogado: 'oauth.revogado',
  chaveDeAssinaturaCriada: 'chave_de_assinatura.criada',
  chaveDeEnderecoCriada: 'chave_de_endereco.criada',
  chaveMestraNova: 'chave_mestra.nova',
  chaveMestraGirada: 'chave_mestra.girada',
  chaveMestraPerdida: 'chave_mestra.perdida',
  prazoAlterado: 'retencao.prazo_alterado',
  guardaCriada: 'retencao.guarda_criada',
  guardaLevantada: 'retencao.guarda_levantada',
  exclusaoPedida: 'retencao.exclusao_pedida',
  exclusaoPreparada: 'retencao.exclusao_preparada',
  exclusaoConfirmada: 'retencao.exclusao_confirmada',
  exclusaoCancelada: 'retencao.exclusao_cancelada',
  exclusaoConcluida: 'retencao.exclusao_concluida',
  exclusaoFalhou: 'retencao.exclusao_falhou',
  exclusaoRetomada: 'retencao.exclusao_retomada',
  pacoteBaixado: 'retencao.pacote_baixado',
  arquivoRecuperado: 'importacao.arquivo_recuperado',
  escritorioCriado: 'escritorio.criado',
  usuarioCriado: 'usuario.criado',
  usuarioAlterado: 'usuario.alterado',
  usuarioRemovido: 'usuario.removido',
  usuarioConvidado: 'usuario.convidado',
  senhaDefinida: 'senha.definida',
  identidadeLigada: 'usuario.identidade_ligada',
  identidadeDesligada: 'usuario.identidade_desligada',
  totpAtivado: 'totp.ativado',
  totpRemovido: 'totp.removido',
  codigosRenovados: 'totp.codigos_renovados',
  sessaoAberta: 'sessao.aberta',
  sessaoRecusada: 'sessao.recusada',
  sessaoEncerrada: 'sessao.encerrada',
  copiaDeSeguranca: 'copia.feita',
  copiaPedida: 'copia.pedida',
  esquemasInstalados: 'esquemas.instalados',
  cancelamentoDesconsiderado: 'cancelamento.desconsiderado',
  cancelamentoReconsiderado: 'cancelamento.reconsiderado',
  versaoEscolhida: 'versao.escolhida',
  capturaLigada: 'captura.ligada',
  capturaDesligada: 'captura.desligada',
  capturaPassiva: 'captura.passiva',
  capturaRetomada: 'captura.retomada',
  leiauteEnsinado: 'leiaute.ensinado',
  leiauteInstalado: 'leiaute.instalado',
  leiauteRetirado: 'leiaute.retirado',
  leiauteDispensado: 'leiaute.dispensado',
  autoridadesInstaladas: 'autoridades.instaladas',
  auditoriaConferida: 'auditoria.conferida',
  manifestacaoPedida: 'manifestacao.pedida',
  manifestacaoRegistrada: 'manifestacao.registrada',
  manifestacaoRecusada: 'manifestacao.recusada',
  regraDeCiencia: 'manifestacao.regra',
} as const;
export type Acao = (typeof ACAO)[keyof typeof ACAO];

interface Acontecimento {
  /** Milliseconds UTC. */
  em: number;
  acao: Acao;
  /** The office it belongs to; null for what belongs to the installation. */
  contadorId: number | null;
  /** Who did it: `usuario:<id>`, `oauth:<client_id>`, `token:<id>`, `cli`, `sistema`. */
  autor: string;
  /** What it was done to: `cliente/12`. */
  alvo: string;
  /** Never a secret, never a document's content. The address of who asked is put beside it (`ip`). */
  detalhe?: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
}

/**
 * Writes one row of the audit log. Call it in the write transaction of what it tells, so that both or neither
 * happen. @returns its number
 */
export async function auditar(trx: Trx, input: Acontecimento): Promise<number> {
  const fim = await queries.lockFim(trx);
  const row = {
    n: fim.n + 1,
    em: input.em,
    acao: input.acao,
    contador_id: input.contadorId,
    autor: input.autor,
    alvo: input.alvo,
    detalhe: JSON.stringify({ ...whereFrom(input.autor), ...input.detalhe }),
  };
  const hash = hashOf(fim.hash, row);
  await queries.insertRegistro(trx, { ...row, hash });
  await queries.updateFim(trx, { n: row.n, hash });
  return row.n;
}

/** The address of who asked. Work that the service goes on with later has the request's context, but not its author. */
function whereFrom(autor: string): { ip?: string } {
  const ip = FROM_OUTSIDE.test(autor) ? currentIp() : null;
  return ip === null ? {} : { ip };
}

/** The hash of a row; a JSON array of the columns has one reading only, whatever stands in them. */
export function hashOf(before: string, row: Omit<Selectable<TabelaAuditoria>, 'hash'>): string {
  const { n, em, acao, contador_id, autor, alvo, detalhe } = row;
  const text = JSON.stringify([before, n, em, acao, contador_id, autor, alvo, detalhe]);
  return createHash('sha256').update(text).digest('hex');
}
