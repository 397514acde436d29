/**
 * The rules of "consumo indevido" (656), by party and service.
 * @fonte NT 2014.002, 3.11.4
 */
import type { Regra } from './relatorio.ts';
import { HORA_MS, type Origem } from './tipos.ts';

/** consNSU and consChNFe together, in an hour. */
const CONSULTAS_POR_HORA = 20;

/** A call that is refused, and whose doing it is. */
interface Abuso {
  regra: Regra;
  /** false: another program, or an answer that never came, brought it about. */
  proprio: boolean;
  detalhe: string;
}

/** What one party has asked of one service. */
export class Uso {
  /** ultNSU that was returned last. */
  ultimo = 0;
  #ultimoPor: Origem | null = null;
  #esperaAte = 0;
  #bloqueadoAte = 0;
  /** Until when each program has to wait by its own doing: after a call that found the end, and after a 656 that it got. */
  readonly #esperam = new Map<string, { ate: number; quem: Origem; bloqueio: boolean }>();
  #consultas: { em: number; agente: string }[] = [];
  /** ms of the first distNSU, which starts the generation; null before. */
  primeiraEm: number | null = null;

  get bloqueadoAte(): number {
    return this.#bloqueadoAte;
  }

  get esperaAte(): number {
    return this.#esperaAte;
  }

  /** Judges a distNSU. A refusal starts the hour anew. */
  judgeDistNsu(ultNsu: number, agora: number, quem: Origem): Abuso | null {
    const abuse = this.#refuse(
      agora,
      quem,
      this.#blocked(agora, quem) ?? this.#distNsuAbuse(ultNsu, agora, quem),
    );
    // The 656 tells the number to go on with.
    if (abuse) this.#ultimoPor = quem;
    return abuse;
  }

  /** Judges, and counts, a consNSU or consChNFe. */
  judgeConsulta(agora: number, quem: Origem): Abuso | null {
    this.#consultas = this.#consultas.filter(({ em }) => em > agora - HORA_MS);
    this.#consultas.push({ em: agora, agente: quem.agente });
    const own = this.#consultas.filter(({ agente }) => agente === quem.agente).length;
    const over: Abuso | null =
      this.#consultas.length > CONSULTAS_POR_HORA
        ? {
            regra: 'consultas_por_hora',
            proprio: own > CONSULTAS_POR_HORA,
            detalhe: `${own} em 1 h`,
          }
        : null;
    return this.#refuse(agora, quem, this.#blocked(agora, quem) ?? over);
  }

  /** An answer to a distNSU. @param fim nothing is left behind it */
  answered(ultNsu: number, fim: boolean, agora: number, quem: Origem): void {
    this.ultimo = ultNsu;
    this.#ultimoPor = quem;
    if (!fim) return;
    this.#esperaAte = agora + HORA_MS;
    this.#esperam.set(quem.agente, { ate: this.#esperaAte, quem, bloqueio: false });
  }

  /** An order to block from outside, by a fault that is injected. */
  block(agora: number): void {
    this.#bloqueadoAte = agora + HORA_MS;
  }

  #refuse(agora: number, quem: Origem, abuso: Abuso | null): Abuso | null {
    if (!abuso) return null;
    this.#bloqueadoAte = agora + HORA_MS;
    this.#esperam.set(quem.agente, { ate: this.#bloqueadoAte, quem, bloqueio: true });
    return abuso;
  }

  /**
   * Who has called keeps the hour, whether an answer came or not. Of a block one learns by the answer only, and what another
   * program did since nobody can know.
   */
  #knows({ agente }: Origem, agora: number): boolean {
    const own = this.#esperam.get(agente);
    return own !== undefined && agora < own.ate && (!own.bloqueio || own.quem.entregue);
  }

  #blocked(agora: number, quem: Origem): Abuso | null {
    if (agora >= this.#bloqueadoAte) return null;
    return {
      regra: 'dentro_do_bloqueio',
      proprio: this.#knows(quem, agora),
      detalhe: `faltavam ${seconds(this.#bloqueadoAte - agora)}`,
    };
  }

  #distNsuAbuse(ultNsu: number, agora: number, quem: Origem): Abuso | null {
    if (agora < this.#esperaAte)
      return {
        regra: 'dentro_da_hora',
        proprio: this.#knows(quem, agora),
        detalhe: `faltavam ${seconds(this.#esperaAte - agora)}`,
      };
    if (ultNsu >= this.ultimo) return null;
    const by = this.#ultimoPor;
    return {
      regra: 'nsu_para_tras',
      proprio: by !== null && by.agente === quem.agente && by.entregue,
      detalhe: `pediu ${ultNsu} depois de ${this.ultimo}`,
    };
  }
}

const seconds = (ms: number) => `${Math.ceil(ms / 1_000)} s`;
