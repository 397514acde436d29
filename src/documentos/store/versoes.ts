/** Kept versions as the decision looks at them (`decidir.ts`). */

import { provaCom } from '../../fiscal/prova.ts';
import { statusDoProtocolo } from '../../fiscal/status.ts';
import type { Documento } from '../../fiscal/tipos.ts';
import { FALHA_DE_PROVA, type FalhaDeProva } from '../../fiscal/tipos.ts';
import { STATUS_EM_CODIGO } from '../lean/codigos.ts';
import { lerProtocolo } from '../lean/protocolo-guardado.ts';
import { readFalhas, readProva } from '../lean/prova-guardada.ts';
import type { DaMesmaChave, VersaoConhecida } from '../queries.ts';
import type { Versao } from './decidir.ts';

type DaLinha = Pick<DaMesmaChave, 'classe' | 'chave' | 'layout_nacional' | 'status_protocolo'>;

export function versaoDaLinha(row: VersaoConhecida, linha: DaLinha): Versao {
  const protocolo = row.protocolo ? lerProtocolo(row.protocolo, row.digest) : null;
  const falhas = row.falhas === null ? naoJulgada(row) : readFalhas(row.falhas);
  const protocolado = row.protocolado === 1;
  return {
    sha256: row.sha256,
    digest: row.digest,
    protocolado,
    nProt: protocolo?.nProt ?? null,
    digVal: protocolo?.digVal ?? null,
    // What Malote fetched itself is worth more than its bytes alone tell.
    prova: readProva(row.prova) === 'sefaz' ? 'sefaz' : provaCom(falhas),
    falhas,
    nacional: ehNacional(row, linha),
    rascunho: ehRascunho({ chave: linha.chave, protocolado, falhas }),
    status: statusDaVersao(row, linha),
    escolhida: row.escolhida === 1,
    afastada: row.afastada === 1,
    servida: row.servida === 1,
  };
}

/** What is known of a version that was kept before proofs were judged: what was kept of its signature. */
function naoJulgada({ assinatura }: VersaoConhecida): FalhaDeProva[] {
  if (assinatura === 'alterada') return [FALHA_DE_PROVA.alterada];
  if (assinatura === 'sem_assinatura') return [FALHA_DE_PROVA.semAssinatura];
  return [FALHA_DE_PROVA.titularNaoInformado, FALHA_DE_PROVA.cadeiaDesconhecida];
}

/**
 * The layout parts only notes. Copies of one event are compared, whatever city or system wrote them: its row has the
 * national layout by the key of its note, which all of them have.
 */
function ehNacional(row: VersaoConhecida, { classe, chave, layout_nacional }: DaLinha): boolean {
  if (classe !== 'documento') return false;
  if (row.falhas === null) return layout_nacional === 1;
  return chave.length === 50 && !readFalhas(row.falhas).includes(FALHA_DE_PROVA.municipal);
}

/** Families with a key of 44 positions are always signed in the end. */
export function ehRascunho(input: {
  chave: string;
  protocolado: boolean;
  falhas: readonly FalhaDeProva[];
}): boolean {
  const { chave, protocolado, falhas } = input;
  return chave.length === 44 && !protocolado && falhas.includes(FALHA_DE_PROVA.semAssinatura);
}

/** Rows from before proofs were judged: the served version's status is known, the others have what their protocol says. */
function statusDaVersao(row: VersaoConhecida, linha: DaLinha): Documento['statusProtocolo'] {
  if (linha.classe !== 'documento') return 'Autorizada';
  if (row.status !== null) return STATUS_EM_CODIGO.ler(row.status) as Documento['statusProtocolo'];
  if (row.servida === 1) return linha.status_protocolo as Documento['statusProtocolo'];
  const cStat = row.protocolo ? lerProtocolo(row.protocolo, row.digest).cStat : null;
  return statusDoProtocolo(cStat) ?? 'Pendente';
}
