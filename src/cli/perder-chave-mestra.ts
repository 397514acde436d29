/** What is left to do when the master key is gone for good: to forget what only it could open. */
import { ACAO, auditar } from '../auditoria/auditar.ts';
import { LOCK, lockFor } from '../platform/db/locks.ts';
import { contar } from './contar.ts';
import type { DepsDoComando } from './deps.ts';
import * as queries from './queries-chave-mestra.ts';

interface Esquecido {
  /** Certificates that must be registered again. */
  certificados: number;
  /** Users who must set up their second factor again. */
  segundosFatores: number;
}

/**
 * Forgets everything that is sealed: the next start of the server makes new keys for addresses and tokens, and those that
 * it gave out before are no longer good. Documents are not sealed and stay.
 */
export async function forgetSelados({ db, clock }: Pick<DepsDoComando, 'db' | 'clock'>): Promise<Esquecido> {
  return db.write.transaction().execute(async (trx) => {
    await lockFor(trx, LOCK.chaveMestra);
    const agora = clock.now();
    const esquecido = {
      certificados: await queries.dropChavesDosCertificados(trx, agora),
      segundosFatores: await queries.deleteSegundosFatores(trx),
    };
    await queries.deleteChavesDeAssinatura(trx);
    await auditar(trx, {
      em: agora,
      acao: ACAO.chaveMestraPerdida,
      contadorId: null,
      autor: 'cli',
      alvo: 'instalacao',
      detalhe: { ...esquecido },
    });
    return esquecido;
  });
}

export function linhasDoEsquecido({ certificados, segundosFatores }: Esquecido): string[] {
  return [
    `${contar(certificados, 'certificado não abre mais: cadastre-o', 'certificados não abrem mais: cadastre-os')} de novo.`,
    `${contar(segundosFatores, 'segundo fator foi desligado: o usuário o ativa', 'segundos fatores foram desligados: cada usuário ativa o seu')} de novo no console.`,
    'Endereços assinados e tokens de acesso dados antes deixaram de valer; documentos, NSU e tokens de integração continuam.',
  ];
}
