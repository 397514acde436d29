/** The first half of a call: what is to be asked of a sequence, by which certificate, written down before it is asked. */
import type { Trx } from '../banco/tabelas.ts';
import type { Servico } from '../banco/tabelas-captura.ts';
import { LOCK, lockFor } from '../platform/db/locks.ts';
import { escolherCertificado } from './certificados.ts';
import {
  aoChamar,
  aposQueda,
  corrigirFuturo,
  HORA_MS,
  lacunasDe,
  type Mudanca,
  PAUSA_MS,
  podeConsulta,
  podePagina,
} from './decidir.ts';
import type { PerguntaCompleta } from './perguntar.ts';
import type { LinhaDeChave, LinhaDeEstado, Sequencia } from './queries.ts';
import * as queries from './queries.ts';

/** Calls at once, of all processes together. */
export const CHAMADAS_AO_MESMO_TEMPO = 4;
/** Longer than a call with the storing of its answer may take. */
const LOCACAO_MS = 300_000;

type Certificado = Awaited<ReturnType<typeof queries.findCertificados>>[number];

/** An office that gets what comes, with the certificate that gives it the right to. */
interface Escritorio {
  contadorId: number;
  clienteId: number;
  certificado: Certificado;
}

/** A call that is written down and may now be made. */
export interface Chamada {
  /** With what was written. */
  estado: LinhaDeEstado;
  pergunta: PerguntaCompleta;
  /** The first one's certificate is shown. */
  escritorios: readonly [Escritorio, ...Escritorio[]];
  /** The wanted key that is asked for. */
  chave: LinhaDeChave | null;
}

/** Why none was made. `cheio`: there are as many as may be. */
export type SemChamada = 'cheio' | 'nada';

/**
 * Decides in one transaction. Call it with the lock of capture free.
 * @param input.agora ms of the steady clock @param input.parede ms UTC
 */
export async function iniciarChamada(
  trx: Trx,
  input: { sequencia: Sequencia; locatario: string; agora: number; parede: number },
): Promise<Chamada | SemChamada> {
  const { sequencia, agora, parede } = input;
  await lockFor(trx, LOCK.captura);
  const lida = await queries.findEstado(trx, sequencia);
  if (!lida) return 'nada';
  const estado = await emOrdem(trx, { sequencia, lida, agora });
  if (await isCheio(trx, { servico: sequencia.servico, agora })) return 'cheio';
  const interessados = await queries.findInteressados(trx, {
    cpfCnpj: sequencia.cpf_cnpj,
    servico: sequencia.servico,
  });
  const escritorios = await comCertificado(trx, { interessados, sequencia, parede });
  const parado = aindaParada(estado, { escritorios, agora, haInteressados: interessados.length > 0 });
  if (parado) {
    await queries.updateEstado(trx, { ...sequencia, set: parado });
    return 'nada';
  }
  const livre: LinhaDeEstado =
    estado.parada === null ? estado : { ...estado, parada: null, erros_seguidos: 0 };
  const escolhida = await escolherPergunta(trx, { estado: livre, escritorios, agora });
  if ('set' in escolhida) {
    await queries.updateEstado(trx, { ...sequencia, set: { ...semParada(estado), ...escolhida.set } });
    return 'nada';
  }
  const marca = aoChamar(livre, { agora, parede, pergunta: escolhida.pergunta });
  const set = {
    ...semParada(estado),
    ...marca,
    locatario: input.locatario,
    locada_ate: agora + LOCACAO_MS,
  };
  await queries.updateEstado(trx, { ...sequencia, set });
  return { ...escolhida, estado: { ...livre, ...set } as LinhaDeEstado };
}

/** What clocks that were wrong and processes that died have left is put right first. */
async function emOrdem(
  trx: Trx,
  { sequencia, lida, agora }: { sequencia: Sequencia; lida: LinhaDeEstado; agora: number },
): Promise<LinhaDeEstado> {
  let estado = lida;
  for (const putRight of [corrigirFuturo, aposQueda]) {
    const set = putRight(estado, agora);
    if (!set) continue;
    await queries.updateEstado(trx, { ...sequencia, set });
    estado = { ...estado, ...set } as LinhaDeEstado;
  }
  return estado;
}

/** The SAE counts calls by address, not by CNPJ: one at a time. */
async function isCheio(trx: Trx, { servico, agora }: { servico: Servico; agora: number }): Promise<boolean> {
  const locadas = await queries.findLocadas(trx, agora);
  const chamadas = locadas.filter(({ locatario }) => locatario !== null);
  const tomado = servico === 'nfce' && locadas.some((locada) => locada.servico === 'nfce');
  return tomado || chamadas.length >= CHAMADAS_AO_MESMO_TEMPO;
}

interface EscritorioComModo extends Escritorio {
  passiva: boolean;
}

/** Offices that have a certificate for this CNPJ themselves: nobody gets documents by the certificate of another office. */
async function comCertificado(
  trx: Trx,
  input: {
    interessados: Awaited<ReturnType<typeof queries.findInteressados>>;
    sequencia: Sequencia;
    parede: number;
  },
): Promise<{ escritorios: EscritorioComModo[]; falta: string | null }> {
  const { cpf_cnpj: cpfCnpj, servico } = input.sequencia;
  const escritorios: EscritorioComModo[] = [];
  let falta: string | null = null;
  for (const { contador_id: contadorId, cliente_id: clienteId, passiva } of input.interessados) {
    const certificados = await queries.findCertificados(trx, { contadorId, cpfCnpj });
    const found = escolherCertificado(certificados, { cpfCnpj, servico, agora: input.parede });
    if ('falta' in found) falta ??= found.falta;
    else escritorios.push({ contadorId, clienteId, certificado: found, passiva: passiva === 1 });
  }
  return { escritorios, falta };
}

type Candidatos = Awaited<ReturnType<typeof comCertificado>>;

/** What keeps a sequence standing still, as its row is to say it; null where nothing does. */
function aindaParada(
  estado: LinhaDeEstado,
  input: { escritorios: Candidatos; agora: number; haInteressados: boolean },
): Mudanca | null {
  const { agora, haInteressados } = input;
  const { escritorios, falta } = input.escritorios;
  if (!haInteressados) return adormecer(estado, agora);
  const [first] = escritorios;
  // Any certificate lets it go on that is not the one that was refused.
  if (!first) return { ...maisTarde(estado, agora), parada: falta, parada_certificado: '' };
  if (estado.parada === null) return null;
  if (estado.parada_certificado === null) return adormecer(estado, agora);
  return escritorios.every(({ certificado }) => certificado.impressao === estado.parada_certificado)
    ? maisTarde(estado, agora)
    : null;
}

function semParada(estado: LinhaDeEstado): Mudanca {
  return estado.parada === null ? {} : { parada: null, parada_certificado: null, erros_seguidos: 0 };
}

/** Nothing is asked until something changes. An hour that is not over stays written. */
function adormecer({ proxima_em, chaves_em }: LinhaDeEstado, agora: number): Mudanca {
  return {
    proxima_em: proxima_em !== null && proxima_em > agora ? proxima_em : null,
    chaves_em: chaves_em !== null && chaves_em > agora ? chaves_em : null,
  };
}

function maisTarde({ proxima_em, chaves_em }: LinhaDeEstado, agora: number): Mudanca {
  const later = (em: number | null) => (em === null ? null : Math.max(em, agora + HORA_MS));
  return { proxima_em: later(proxima_em), chaves_em: later(chaves_em) };
}

async function escolherPergunta(
  trx: Trx,
  input: {
    estado: LinhaDeEstado;
    escritorios: Candidatos;
    agora: number;
  },
): Promise<Omit<Chamada, 'estado'> | { set: Mudanca }> {
  const { estado, agora } = input;
  const ativos = input.escritorios.escritorios.filter(({ passiva }) => !passiva);
  const pagina = podePagina(estado, agora);
  const porPagina =
    pagina.pode && isNonEmpty(ativos)
      ? { pergunta: { tipo: 'distNSU' } as const, escritorios: ativos, chave: null }
      : null;
  if (porPagina && !listaCedeAVez(estado)) return porPagina;
  const documento = await escolherDocumento(trx, input);
  if ('pergunta' in documento) return documento;
  const semPaginas = adiarPagina(estado, { agora, quando: pagina.pode ? null : pagina.quando });
  return porPagina ?? { set: { ...semPaginas, chaves_em: documento.quando } };
}

/** The SAE's lists bring no documents: where it is so slow that a list is always due, what was listed has its turn too. */
function listaCedeAVez({ servico, proxima_em, chaves_em }: LinhaDeEstado): boolean {
  return servico === 'nfce' && chaves_em !== null && proxima_em !== null && chaves_em < proxima_em;
}

/** A single document. @returns `quando` one may be asked for, where none may be now; null: there is none to ask for */
async function escolherDocumento(
  trx: Trx,
  {
    estado,
    agora,
    escritorios: { escritorios },
  }: { estado: LinhaDeEstado; escritorios: Candidatos; agora: number },
): Promise<Omit<Chamada, 'estado'> | { quando: number | null }> {
  const clienteIds = escritorios.map(({ clienteId }) => clienteId);
  const chave = await queries.findChavePendente(trx, { clienteIds, servico: estado.servico });
  const lacuna = numeroPerdido(estado);
  if (!chave && lacuna === null) return { quando: null };
  const permissao = podeConsulta(estado, { agora, porPessoa: chave?.por_pessoa === 1 });
  if (!permissao.pode) return { quando: permissao.quando };
  if (chave) {
    const deles = escritorios.filter(({ contadorId }) => contadorId === chave.contador_id);
    if (isNonEmpty(deles))
      return { pergunta: { tipo: 'consChave', chave: chave.chave }, escritorios: deles, chave };
  }
  if (lacuna !== null && isNonEmpty(escritorios))
    return { pergunta: { tipo: 'consNSU', nsu: lacuna }, escritorios, chave: null };
  return { quando: null };
}

/** A page that is due and may not be asked for is due again when it may. */
function adiarPagina(
  { proxima_em, servico }: LinhaDeEstado,
  { agora, quando }: { agora: number; quando: number | null },
): Mudanca {
  if (proxima_em === null || proxima_em > agora) return {};
  return { proxima_em: quando === null ? null : Math.max(quando, agora + PAUSA_MS[servico]) };
}

/** The next number that is asked for by itself: first what a lost answer may have held. */
function numeroPerdido(estado: LinhaDeEstado): number | null {
  if (estado.recuperar_ate !== null) return estado.ult_nsu + 1;
  return lacunasDe(estado)[0]?.[0] ?? null;
}

function isNonEmpty<T>(list: readonly T[]): list is readonly [T, ...T[]] {
  return list.length > 0;
}
