/**
 * Calls when a sequence is due, four at a time. Between calls it sleeps until the next one is due, and looks every few
 * seconds whether another process has made one due. It holds nothing that is not in the database: it may die anywhere
 * (`decidir.ts`).
 */
import { hash, randomUUID } from 'node:crypto';
import type { Ambiente } from '../banco/tabelas-captura.ts';
import { adoptCertificado } from '../contas/certificado/guardar.ts';
import type { Deps } from '../deps.ts';
import type { CpfCnpj } from '../fiscal/tipos.ts';
import type { MasterVault } from '../platform/crypto/cofre.ts';
import { failpoint } from '../platform/failpoint.ts';
import { puttingInLine } from '../platform/jobs/queue.ts';
import type { ClienteDaCaptura } from './client/cliente.ts';
import { FalhaDeTransporte, type Interessado } from './client/tipos.ts';
import { concludeChamada, LocacaoPerdida } from './concluir.ts';
import { askForFaltantes } from './faltantes.ts';
import { forgetBytes, type Guardada, keepBytes } from './guardar.ts';
import { type Chamada, iniciarChamada, type SemChamada } from './iniciar.ts';
import { Municipios } from './municipios.ts';
import { type Achado, ask } from './perguntar.ts';
import type { Sequencia } from './queries.ts';
import type { Relogio } from './relogio.ts';
import { Rounds } from './rounds.ts';
import { aoResponder } from './seguir.ts';
import { findDaVez, findProximaVez } from './vez.ts';

/** Somebody in another process may have turned something on. */
const LOOK_EVERY_MS = 5_000;
/** Missing documents that may be asked for by key are few, and found by a walk over an office's. */
const FALTANTES_EVERY_MS = 6 * 3_600_000;
/** While all the calls are being made that may be made at once, or none of ours comes to its end. */
const WHILE_FULL_MS = 500;

type CaptorDeps = Pick<Deps, 'db' | 'storage' | 'log'> & {
  relogio: Pick<Relogio, 'agora' | 'parede'>;
  cliente: ClienteDaCaptura;
  vault: MasterVault;
};

export class Captor {
  readonly #deps: CaptorDeps;
  readonly #municipios: Municipios;
  readonly #locatario = randomUUID();
  readonly #rounds: Rounds;
  #faltantesEm = 0;

  constructor(deps: CaptorDeps) {
    this.#deps = deps;
    const { log } = deps;
    this.#rounds = new Rounds({ round: () => this.#roundAndWait(), log, fault: 'capture could not go on' });
    this.#municipios = new Municipios(deps);
  }

  /** Works until `stop`. */
  start(): void {
    this.#rounds.start();
  }

  /** Takes no further sequence; resolves when the calls that are under way are over, or given up. */
  async stop(): Promise<void> {
    const ended = this.#rounds.stop();
    this.#deps.cliente.transporte.close();
    await ended;
  }

  /**
   * Does everything that is due now.
   * @returns when the next sequence is due, ms of the steady clock; null where none ever is
   */
  async round(): Promise<number | null> {
    const { ambiente } = this.#deps.cliente;
    await this.#lookForFaltantes(ambiente);
    const seen = new Set<string>();
    const running = new Map<string, Promise<void>>();
    let full = false;
    for (;;) {
      for (const sequencia of full ? [] : await this.#due(ambiente)) {
        const name = nameOf(sequencia);
        if (seen.has(name) || running.has(name)) continue;
        const step = this.#step(sequencia).then((made) => {
          running.delete(name);
          full = made === 'cheio';
          if (made === false || made === 'nada') seen.add(name);
        });
        running.set(name, step);
      }
      // Nothing else is looked for then, and no timer keeps a process up that is to end.
      if (this.#rounds.stopping) await Promise.all(running.values());
      if (running.size === 0) break;
      // Others' calls may have ended.
      if (!(await this.#oneEnds(running.values()))) full = false;
    }
    const agora = this.#deps.relogio.agora();
    const next = await findProximaVez(this.#deps.db.read, { ambiente, agora });
    return next === null ? null : Math.max(next, full ? agora + WHILE_FULL_MS : 0);
  }

  async #due(ambiente: Ambiente): Promise<Sequencia[]> {
    if (this.#rounds.stopping) return [];
    return findDaVez(this.#deps.db.read, { ambiente, agora: this.#deps.relogio.agora() });
  }

  /**
   * Waits for one call, but not for long: a service that lets it wait must not hold up what becomes due meanwhile.
   * @returns whether one has ended
   */
  async #oneEnds(running: Iterable<Promise<void>>): Promise<boolean> {
    const passed = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => passed.resolve(false), WHILE_FULL_MS);
    const ended = [...running].map((call) => call.then(() => true));
    const one = await Promise.race([...ended, passed.promise]);
    clearTimeout(timer);
    return one;
  }

  async #lookForFaltantes(ambiente: Ambiente): Promise<void> {
    const { relogio } = this.#deps;
    const agora = relogio.agora();
    if (agora < this.#faltantesEm) return;
    this.#faltantesEm = agora + FALTANTES_EVERY_MS;
    await askForFaltantes(this.#deps, { ambiente, agora, parede: relogio.parede() });
  }

  /** @returns ms until the next look */
  async #roundAndWait(): Promise<number> {
    const next = await this.round();
    const left = next === null ? LOOK_EVERY_MS : next - this.#deps.relogio.agora();
    return Math.min(LOOK_EVERY_MS, Math.max(50, left));
  }

  /** A fault of ours costs this sequence its hour, and the others nothing. */
  async #step(sequencia: Sequencia): Promise<boolean | SemChamada> {
    try {
      return await this.#call(sequencia);
    } catch (error) {
      this.#deps.log.error({ err: error, servico: sequencia.servico }, 'a call of capture failed');
      return false;
    }
  }

  /** One call from its decision to its commit. @returns whether it was made, or why not */
  async #call(sequencia: Sequencia): Promise<boolean | SemChamada> {
    const { db, relogio } = this.#deps;
    const locatario = this.#locatario;
    const chamada = await db.write.transaction().execute(async (trx) => {
      const times = { agora: relogio.agora(), parede: relogio.parede() };
      const found = await iniciarChamada(trx, { sequencia, locatario, ...times });
      failpoint('captura_antes_de_marcar');
      return found;
    });
    if (chamada === 'cheio' || chamada === 'nada') return chamada;
    failpoint('captura_marcada');
    const { cliente } = this.#deps;
    const quem = this.#interessado(chamada);
    const achado = await ask(cliente, { ...chamada, quem, parede: relogio.parede() });
    failpoint('captura_respondida');
    await this.#keep(chamada, achado);
    await this.#municipios.perguntar(chamada, quem);
    return true;
  }

  #interessado({ estado, escritorios }: Chamada): Interessado {
    const [{ contadorId, certificado }] = escritorios;
    const { cliente_id: clienteId, impressao, uf } = certificado;
    return {
      cpfCnpj: estado.cpf_cnpj as CpfCnpj,
      uf,
      certificado: { impressao, open: () => this.#openCertificado({ contadorId, clienteId, impressao }) },
    };
  }

  /** The very one that was chosen: it may have been replaced since. */
  async #openCertificado(input: { contadorId: number; clienteId: number; impressao: string }) {
    const { db, vault, relogio } = this.#deps;
    const deps = { db, vault, clock: { now: () => relogio.parede() } };
    const found = await adoptCertificado(deps, { ...input, autor: 'sistema' });
    const [own] = found?.cadeia ?? [];
    if (found && own && hash('sha256', own) === input.impressao) {
      this.#municipios.lembrar(input.impressao, own);
      return found;
    }
    throw new FalhaDeTransporte('certificado_nao_abre', { enviado: false });
  }

  async #keep(chamada: Chamada, achado: Achado): Promise<void> {
    const { db, relogio, log } = this.#deps;
    const contadorIds = chamada.escritorios.map(({ contadorId }) => contadorId);
    const { bytes, desfecho } = achado;
    const agora = relogio.agora();
    const { guardar } = aoResponder(
      chamada.estado,
      { ...desfecho, maisChaves: false },
      { agora, parede: relogio.parede() },
    );
    const guardadas: Guardada[] = guardar ? await keepBytes(this.#deps, { contadorIds, bytes }) : [];
    failpoint('captura_blob_duravel');
    try {
      const input = { chamada, achado, guardadas, locatario: this.#locatario };
      const { efeito } = await puttingInLine(db.write, (trx) =>
        concludeChamada(trx, { ...input, agora: relogio.agora(), parede: relogio.parede() }),
      );
      const { servico } = chamada.estado;
      log.info({ servico, tipo: chamada.pergunta.tipo, codigo: desfecho.codigo, efeito }, 'captura');
    } catch (error) {
      if (!(error instanceof LocacaoPerdida)) throw error;
      await forgetBytes(this.#deps, guardadas);
    }
    failpoint('captura_depois_do_commit');
  }
}

function nameOf({ cpf_cnpj, servico }: Sequencia): string {
  return `${servico} ${cpf_cnpj}`;
}
