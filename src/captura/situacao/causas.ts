/** What can keep a client's documents away, how bad each is, and who can do what about it. */
import type { Quem } from './frase.ts';

/** How bad it is: nothing comes; somebody should look; it waits by itself; all is well. */
export type Gravidade = 'parada' | 'atencao' | 'espera' | 'bem';

/** What a person can do about it right here. */
type Acao = 'ligar' | 'certificado' | 'capturar' | 'seguir_consultando' | 'passiva' | 'importar';

const CAUSAS = {
  nao_ligada: { gravidade: 'bem', quem: 'escritorio', acoes: ['ligar'] },
  uf_sem_servico: { gravidade: 'parada', quem: 'escritorio', acoes: ['importar'] },
  sem_certificado: { gravidade: 'parada', quem: 'escritorio', acoes: ['certificado'] },
  certificado_vencido: { gravidade: 'parada', quem: 'escritorio', acoes: ['certificado'] },
  certificado_futuro: { gravidade: 'parada', quem: 'escritorio', acoes: ['certificado'] },
  certificado_de_outro: { gravidade: 'parada', quem: 'escritorio', acoes: ['certificado'] },
  certificado_recusado: { gravidade: 'parada', quem: 'escritorio', acoes: ['certificado'] },
  parada: { gravidade: 'parada', quem: 'escritorio', acoes: ['capturar'] },
  passiva: { gravidade: 'espera', quem: 'ninguem', acoes: ['seguir_consultando', 'importar'] },
  bloqueada: { gravidade: 'atencao', quem: 'escritorio', acoes: ['passiva'] },
  servico_descansa: { gravidade: 'espera', quem: 'ninguem', acoes: [] },
  com_erros: { gravidade: 'espera', quem: 'ninguem', acoes: [] },
  geracao_parada: { gravidade: 'parada', quem: 'escritorio', acoes: ['importar'] },
  vai_parar: { gravidade: 'parada', quem: 'escritorio', acoes: ['capturar'] },
  fora_do_nacional: { gravidade: 'atencao', quem: 'escritorio', acoes: ['importar'] },
  outro_programa: { gravidade: 'atencao', quem: 'escritorio', acoes: ['passiva'] },
  certificado_vencendo: { gravidade: 'atencao', quem: 'escritorio', acoes: ['certificado'] },
  nunca_consultada: { gravidade: 'espera', quem: 'ninguem', acoes: ['capturar'] },
  atrasada: { gravidade: 'espera', quem: 'ninguem', acoes: [] },
  sem_vez: { gravidade: 'atencao', quem: 'operador', acoes: [] },
  silencio: { gravidade: 'atencao', quem: 'escritorio', acoes: ['capturar'] },
  comecou: { gravidade: 'bem', quem: 'ninguem', acoes: ['capturar'] },
  nada_novo: { gravidade: 'bem', quem: 'ninguem', acoes: ['capturar'] },
  em_dia: { gravidade: 'bem', quem: 'ninguem', acoes: ['capturar'] },
} as const satisfies Record<string, { gravidade: Gravidade; quem: Quem; acoes: readonly Acao[] }>;

export type Causa = keyof typeof CAUSAS;

export interface Porque {
  causa: Causa;
  gravidade: Gravidade;
  /** A few words (pt-BR). */
  titulo: string;
  /** What is so, a sentence or two. */
  diz: string;
  /** What to do, or that nothing is to be done. */
  fazer: string;
  quem: Quem;
  acoes: Acao[];
}

/** One of them in words. @param more how bad it is, and what can be done, where that depends on what was answered */
export function porque(
  causa: Causa,
  palavras: Pick<Porque, 'titulo' | 'diz' | 'fazer'>,
  more: Partial<Pick<Porque, 'gravidade' | 'quem' | 'acoes'>> = {},
): Porque {
  const { gravidade, quem, acoes } = CAUSAS[causa];
  return { causa, gravidade, ...palavras, quem, acoes: [...acoes], ...more };
}
