/**
 * Sends what was asked to be declared. What is about to be sent is written down before; whoever dies in between sends it
 * again, and SEFAZ says that it has it already (573), which is as good as the first answer. A block (656) puts off everything
 * of its client; a refusal is final, and never repeated by itself.
 */

import { hash } from 'node:crypto';
import { ACAO, auditar } from '../../auditoria/auditar.ts';
import type { Trx } from '../../banco/tabelas.ts';
import type { Ambiente, Servico } from '../../banco/tabelas-captura.ts';
import { adoptCertificado, type CertificadoEmUso } from '../../contas/certificado/guardar.ts';
import type { Deps } from '../../deps.ts';
import type { Chave, CpfCnpj } from '../../fiscal/tipos.ts';
import { type MasterVault, UnsealError } from '../../platform/crypto/cofre.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { puttingInLine } from '../../platform/jobs/queue.ts';
import { escolherCertificado } from '../certificados.ts';
import type { ClienteDaCaptura } from '../client/cliente.ts';
import { enderecosDe } from '../client/enderecos.ts';
import { postSoap } from '../client/soap.ts';
import { type CertificadoDeCliente, FalhaDeTransporte } from '../client/tipos.ts';
import { type Guardada, insertGuardadas, keepBytes } from '../guardar.ts';
import { findCertificados } from '../queries.ts';
import { Rounds } from '../rounds.ts';
import { EVENTOS_POR_LOTE, type EventoAssinado, makeLote, makeProcEvento } from './lote.ts';
import { enderecoDoCte, mensagemCte, mensagemNfe } from './mensagem.ts';
import * as queries from './queries.ts';
import { desfechoDe, type RespostaDoEvento, readRecepcao } from './retorno.ts';
import { type CodigoDeManifestacao, MANIFESTACOES } from './tipos.ts';

/** Longer than a call with the storing of its answer may take: whose process died is sent again after it. */
const EM_ENVIO_MS = 300_000;
const HORA_MS = 3_600_000;
/** A block lasts an hour from its answer; some more, since the service counts by its own clock. @fonte NT 2014.002 §3.11.4 */
const BLOQUEIO_MS = HORA_MS + 60_000;
/** After a failure: doubled each time, up to a day. */
const PRIMEIRA_ESPERA_MS = 300_000;
const ESPERA_MAXIMA_MS = 24 * HORA_MS;
/** What no answer came for so often is given up; a person may ask again. */
const TENTATIVAS_MAX = 20;
/** Somebody in another process may have asked for something. */
const LOOK_EVERY_MS = 5_000;
/** Read at once; a lot has fewer. */
const LIDAS_MAX = 200;
/** Between two calls with the same certificate. */
const PAUSA_MS = 2_000;

type RemetenteDeps = Pick<Deps, 'db' | 'storage' | 'log' | 'clock'> & {
  cliente: ClienteDaCaptura;
  vault: MasterVault;
  /** 0 where time is not real. */
  pausaMs?: number;
};

/** Some of one author, which go out in one call. */
type Lote = readonly [queries.AEnviar, ...queries.AEnviar[]];

export class Remetente {
  readonly #deps: RemetenteDeps;
  readonly #rounds: Rounds;

  constructor(deps: RemetenteDeps) {
    this.#deps = deps;
    const { log } = deps;
    this.#rounds = new Rounds({
      round: () => this.#roundAndWait(),
      log,
      fault: 'manifestation could not go on',
    });
  }

  /** Works until `stop`. */
  start(): void {
    this.#rounds.start();
  }

  /** Resolves when the call that is under way is over. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
  }

  /** Sends everything that is due now. @returns how many calls were made */
  async round(): Promise<number> {
    const { db, clock, cliente } = this.#deps;
    for (let calls = 0; ; ) {
      const due = await queries.findAEnviar(db.read, {
        agora: clock.now(),
        ambiente: cliente.ambiente,
        limite: LIDAS_MAX,
      });
      const lotes = lotesDe(due);
      if (lotes.length === 0 || this.#rounds.stopping) return calls;
      for (const lote of lotes) {
        if (this.#rounds.stopping) return calls;
        if (await this.#send(lote)) await this.#rounds.pause(this.#deps.pausaMs ?? PAUSA_MS);
        calls++;
      }
    }
  }

  async #roundAndWait(): Promise<number> {
    await this.round();
    return LOOK_EVERY_MS;
  }

  /** One call from its mark to its commit. @returns whether the service was asked */
  async #send(lote: Lote): Promise<boolean> {
    const { db, clock } = this.#deps;
    const agora = clock.now();
    const nossas = await db.write.transaction().execute(async (trx) => {
      const ours: queries.AEnviar[] = [];
      for (const row of lote)
        if (await queries.claim(trx, { ...row, agora, ate: agora + EM_ENVIO_MS })) ours.push(row);
      return ours;
    });
    const [first, ...others] = nossas;
    if (!first) return false;
    failpoint('manifestacao_marcada');
    const envio = await this.#make([first, ...others]);
    if ('falha' in envio) {
      await this.#keep([first, ...others], { falha: envio.falha, motivo: null });
      return false;
    }
    const chegada = await this.#call(first, envio);
    failpoint('manifestacao_respondida');
    await this.#keep([first, ...others], chegada, envio.eventos);
    return true;
  }

  /** Signs the events of a lot. */
  async #make(lote: Lote): Promise<Envio | { falha: string }> {
    const { db, clock, vault, cliente } = this.#deps;
    const [{ contador_id: contadorId, cpf_cnpj: cpfCnpj, codigo }] = lote;
    const certificados = await findCertificados(db.read, { contadorId, cpfCnpj });
    const servico: Servico =
      MANIFESTACOES[codigo as CodigoDeManifestacao].documento === 'CTe' ? 'cte' : 'nfe';
    const found = escolherCertificado(certificados, { cpfCnpj, servico, agora: clock.now() });
    if ('falta' in found) return { falha: found.falta };
    const aberto = await open(
      { db, clock, vault },
      { contadorId, clienteId: found.cliente_id, autor: 'sistema' },
    );
    const [holder] = aberto?.cadeia ?? [];
    if (!aberto || !holder) return { falha: 'certificado_nao_abre' };
    try {
      // What verifies a signature is loaded with the first event that is signed.
      const { makeEvento } = await import('./evento.ts');
      const eventos = lote.map((row) => makeEvento(pedidoDe(row, cliente.ambiente, clock.now()), aberto));
      const certificado = {
        impressao: hash('sha256', holder),
        // Opened again for each connection: the transport wipes what it is given.
        open: async () => {
          const again = await open(
            { db, clock, vault },
            { contadorId, clienteId: found.cliente_id, autor: 'sistema' },
          );
          if (!again) throw new UnsealError('the certificate is gone');
          return again;
        },
      };
      return { eventos, certificado };
    } finally {
      aberto.chave.fill(0);
    }
  }

  async #call(row: queries.AEnviar, { eventos, certificado }: Envio): Promise<Chegada> {
    const { cliente, clock } = this.#deps;
    const chave = row.chave as Chave;
    const ehCte = MANIFESTACOES[row.codigo as CodigoDeManifestacao].documento === 'CTe';
    const [first] = eventos;
    const mensagem = ehCte
      ? mensagemCte(first?.xml ?? '')
      : mensagemNfe(makeLote({ idLote: String(clock.now()), eventos }));
    const destino = ehCte ? paraOCte(cliente, chave) : cliente;
    try {
      const endereco = ehCte ? 'cte_eventos' : 'nfe_eventos';
      const resposta = await postSoap(destino, { endereco, ...mensagem, certificado });
      const recepcao = readRecepcao(resposta.bytes);
      if (recepcao === null) return { falha: resposta.codigo, motivo: resposta.motivo };
      return { cStat: recepcao.cStat, motivo: recepcao.xMotivo, respostas: recepcao.eventos };
    } catch (error) {
      if (!(error instanceof FalhaDeTransporte)) throw error;
      return { falha: error.codigo, motivo: error.causa };
    }
  }

  /** Keeps what became of a lot: each row its answer, and each registered event as a document that is imported. */
  async #keep(lote: Lote, chegada: Chegada, eventos: readonly EventoAssinado[] = []): Promise<void> {
    const { db, clock, log } = this.#deps;
    const agora = clock.now();
    const resultados = lote.map((row, at) => resultadoDe(row, chegada, { evento: eventos[at], agora }));
    const guardadas: { guardada: Guardada; row: queries.AEnviar }[] = [];
    for (const { row, documento } of resultados) {
      if (documento === null) continue;
      const kept = await keepBytes(this.#deps, {
        contadorIds: [row.contador_id],
        bytes: Buffer.from(documento),
      });
      guardadas.push(...kept.map((guardada) => ({ guardada, row })));
    }
    failpoint('manifestacao_blob_duravel');
    await puttingInLine(db.write, async (trx) => {
      for (const { guardada, row } of guardadas) {
        const tipo = MANIFESTACOES[row.codigo as CodigoDeManifestacao];
        await insertGuardadas(trx, [guardada], {
          servico: tipo.documento === 'CTe' ? 'cte' : 'nfe',
          nome: `${tipo.nome}, chave ${row.chave}`,
          agora,
        });
      }
      for (const resultado of resultados) await keepResultado(trx, { ...resultado, agora });
      const [{ cliente_id: clienteId }] = lote;
      if (resultados.some(({ bloqueou }) => bloqueou))
        await queries.putOffDoCliente(trx, { clienteId, ate: agora + BLOQUEIO_MS });
    });
    failpoint('manifestacao_depois_do_commit');
    const codigos = [...new Set(resultados.map(({ resposta }) => resposta))].join(' ');
    log.info({ eventos: lote.length, codigos }, 'manifestação');
  }
}

interface Envio {
  eventos: EventoAssinado[];
  certificado: CertificadoDeCliente;
}

/** What a call brought: answers, or why there are none. */
type Chegada =
  | { cStat: string; motivo: string; respostas: RespostaDoEvento[] }
  | { falha: string; motivo: string | null };

interface Resultado {
  row: queries.AEnviar;
  estado: 'registrada' | 'recusada' | 'pendente';
  proximaEm: number | null;
  resposta: string;
  motivo: string | null;
  nprot: string | null;
  /** The event with its answer. */
  documento: string | null;
  /** The service has blocked the author. */
  bloqueou: boolean;
}

/** One call for each author and kind of document; of a CT-e, for each event. */
function lotesDe(due: readonly queries.AEnviar[]): Lote[] {
  const groups = Map.groupBy(due, ({ cliente_id, codigo, chave }) =>
    MANIFESTACOES[codigo as CodigoDeManifestacao].documento === 'CTe'
      ? `${cliente_id} ${chave}`
      : `${cliente_id}`,
  );
  const lotes: Lote[] = [];
  for (const rows of groups.values()) {
    const [first, ...others] = rows.slice(0, EVENTOS_POR_LOTE);
    if (first) lotes.push([first, ...others]);
  }
  return lotes;
}

function pedidoDe(row: queries.AEnviar, ambiente: Ambiente, em: number) {
  return {
    tipo: MANIFESTACOES[row.codigo as CodigoDeManifestacao],
    chave: row.chave as Chave,
    autor: row.cpf_cnpj as CpfCnpj,
    ambiente,
    em,
    justificativa: row.justificativa,
  };
}

/** The same client, with the address of who authorised this CT-e. */
function paraOCte(cliente: ClienteDaCaptura, chave: Chave): ClienteDaCaptura {
  const { ambiente } = cliente;
  const url = enderecoDoCte({
    chave,
    ambiente,
    svrs: enderecosDe(ambiente)('cte_eventos'),
    proprio: cliente.endereco('cte_eventos'),
  });
  return { ...cliente, endereco: () => url };
}

async function open(
  deps: Pick<Deps, 'db' | 'clock'> & { vault: MasterVault },
  input: Parameters<typeof adoptCertificado>[1],
): Promise<CertificadoEmUso | null> {
  try {
    return await adoptCertificado(deps, input);
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}

/** What an answer makes of one that was sent. */
function resultadoDe(
  row: queries.AEnviar,
  chegada: Chegada,
  { evento, agora }: { evento: EventoAssinado | undefined; agora: number },
): Resultado {
  const nada = { row, nprot: null, documento: null, bloqueou: false };
  const vezes = row.tentativas + 1;
  const adiada = (resposta: string, motivo: string | null, ms = espera(vezes)): Resultado =>
    vezes >= TENTATIVAS_MAX
      ? { ...nada, estado: 'recusada', proximaEm: null, resposta, motivo }
      : { ...nada, estado: 'pendente', proximaEm: agora + ms, resposta, motivo };
  const bloqueada = (motivo: string | null) => ({
    ...adiada(BLOQUEADO, motivo, BLOQUEIO_MS),
    bloqueou: true,
  });
  if ('falha' in chegada)
    return chegada.falha === BLOQUEADO ? bloqueada(chegada.motivo) : adiada(chegada.falha, chegada.motivo);
  const resposta = chegada.respostas.find(
    ({ chave, codigo }) => chave === row.chave && (codigo ?? row.codigo) === row.codigo,
  );
  // A lot that was not processed has no answers; one event of a single one may be refused without its key.
  const only =
    chegada.respostas.length === 1 && chegada.respostas[0]?.chave === null ? chegada.respostas[0] : undefined;
  const dada = resposta ?? only;
  const cStat = dada?.cStat ?? (chegada.cStat === LOTE_PROCESSADO ? SEM_RESPOSTA : chegada.cStat);
  const motivo = dada?.xMotivo ?? chegada.motivo;
  const desfecho = cStat === SEM_RESPOSTA ? 'adiada' : desfechoDe(cStat);
  if (desfecho === 'registrada' || desfecho === 'ja_registrada') {
    const tipo = MANIFESTACOES[row.codigo as CodigoDeManifestacao];
    const documento =
      desfecho === 'registrada' && dada && evento ? makeProcEvento(tipo, evento.xml, dada.xml) : null;
    return {
      ...nada,
      estado: 'registrada',
      proximaEm: null,
      resposta: cStat,
      motivo,
      nprot: dada?.nProt ?? null,
      documento,
    };
  }
  if (desfecho === 'adiada') return cStat === BLOQUEADO ? bloqueada(motivo) : adiada(cStat, motivo);
  return { ...nada, estado: 'recusada', proximaEm: null, resposta: cStat, motivo };
}

const LOTE_PROCESSADO = '128';
const BLOQUEADO = '656';
/** The lot was processed, and nothing said of this event. */
const SEM_RESPOSTA = 'sem_resposta';

function espera(vezes: number): number {
  return Math.min(ESPERA_MAXIMA_MS, PRIMEIRA_ESPERA_MS * 2 ** Math.min(10, vezes - 1));
}

async function keepResultado(trx: Trx, input: Resultado & { agora: number }): Promise<void> {
  const { row, estado, proximaEm, resposta, motivo, nprot, agora } = input;
  const { contador_id, chave, codigo } = row;
  await queries.updateManifestacao(trx, {
    contador_id,
    chave,
    codigo,
    estado,
    proxima_em: proximaEm,
    resposta,
    motivo,
    respondida_em: agora,
    nprot,
  });
  if (estado === 'pendente') return;
  await auditar(trx, {
    em: agora,
    acao: estado === 'registrada' ? ACAO.manifestacaoRegistrada : ACAO.manifestacaoRecusada,
    contadorId: contador_id,
    autor: 'sistema',
    alvo: `cliente/${row.cliente_id}`,
    detalhe: { chave, codigo, resposta, nprot },
  });
}
