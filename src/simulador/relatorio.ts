/** What the simulator has seen: calls, blocks, and every breach of a limit that a service states. */

const REGRAS = {
  dentro_da_hora: 'distNSU antes de 1 h depois de 137 ou de ultNSU = maxNSU',
  dentro_do_bloqueio: 'chamada antes de 1 h depois de um 656',
  nsu_para_tras: 'ultNSU menor que o último devolvido',
  consultas_por_hora: 'mais de 20 consNSU e consChNFe em 1 h',
  chamadas_paralelas: 'duas chamadas ao mesmo tempo do mesmo CNPJ e serviço',
  sem_consentimento: 'chamada por quem não foi autorizado',
  adn_dentro_da_hora: 'ADN consultado antes de 1 h depois de "nenhum documento"',
  antes_do_retry_after: 'chamada antes do Retry-After de um 429',
  sae_sem_pausa: 'downloads de NFC-e com menos de 1 s entre eles',
  evento_repetido: 'mesmo evento rejeitado mais de 20 vezes em 1 h',
} as const;
export type Regra = keyof typeof REGRAS;

interface Violacao {
  regra: Regra;
  agente: string;
  /** `servico/CNPJ` */
  chave: string;
  /** ms */
  em: number;
  detalhe: string;
}

interface Contagens {
  chamadas: number;
  /** Answers 656 that the program itself brought about. */
  bloqueios: number;
  /** Answers 656 that another program, or an answer that never came, brought about. */
  bloqueios_alheios: number;
  violacoes: number;
  documentos: number;
  por_regra: Partial<Record<Regra, number>>;
  por_servico: Record<string, number>;
}

/** Kept word for word; all are counted. */
const GUARDADAS_MAX = 1_000;

export class Relatorio {
  readonly #porAgente = new Map<string, Contagens>();
  readonly violacoes: Violacao[] = [];

  de(agente: string): Contagens {
    const known = this.#porAgente.get(agente);
    if (known) return known;
    const fresh: Contagens = {
      chamadas: 0,
      bloqueios: 0,
      bloqueios_alheios: 0,
      violacoes: 0,
      documentos: 0,
      por_regra: {},
      por_servico: {},
    };
    this.#porAgente.set(agente, fresh);
    return fresh;
  }

  countCall(agente: string, servico: string): void {
    const counts = this.de(agente);
    counts.chamadas++;
    counts.por_servico[servico] = (counts.por_servico[servico] ?? 0) + 1;
  }

  addViolacao(violacao: Violacao): void {
    const counts = this.de(violacao.agente);
    counts.violacoes++;
    counts.por_regra[violacao.regra] = (counts.por_regra[violacao.regra] ?? 0) + 1;
    if (this.violacoes.length < GUARDADAS_MAX) this.violacoes.push(violacao);
  }

  toJSON() {
    return { agentes: Object.fromEntries(this.#porAgente), violacoes: this.violacoes };
  }
}
