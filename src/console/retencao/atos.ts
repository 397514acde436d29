/** What the console needs of retention, which stands beside it: `app.ts` hands it in. */
import type { Static } from 'typebox';
import type { BlobReading } from '../../platform/storage/blob-store.ts';
import type { GUARDA_BODY } from '../schemas-retencao.ts';

type Escopo = { contadorId: number; autor: string };

export interface AtosDaRetencao {
  previa(input: { contadorId: number }): Promise<PreviaDaRetencao>;
  setPrazo(input: Escopo & { modelo: string; meses: number | null }): Promise<void>;
  guardas(contadorId: number): Promise<GuardaDaRetencao[]>;
  guardar(input: Escopo & { guarda: Static<typeof GUARDA_BODY> }): Promise<{ id: number }>;
  levantar(input: Escopo & { id: number; motivo: string }): Promise<void>;
  exclusoes(contadorId: number): Promise<ExclusaoDaRetencao[]>;
  exclusao(input: {
    contadorId: number;
    id: string;
  }): Promise<ExclusaoDaRetencao & { pacotes: PacoteDaRetencao[] }>;
  pedir(input: Escopo): Promise<{ id: string }>;
  confirmar(input: Escopo & { id: string }): Promise<void>;
  cancelar(input: Escopo & { id: string }): Promise<void>;
  retomar(input: Escopo & { id: string }): Promise<void>;
  /** Noted as downloaded when `entregar` has brought it there. */
  baixar(
    input: Escopo & { id: string; parte: number },
    entregar: (pacote: BlobReading & { nome: string }) => Promise<void>,
  ): Promise<unknown>;
}

export interface PreviaDaRetencao {
  prazos: { modelo: string; meses: number; origem: string }[];
  linhas: {
    modelo: string;
    vencidos: number;
    sobGuarda: number;
    em30Dias: number;
    em90Dias: number;
    em365Dias: number;
    maisAntigo: string | null;
  }[];
  vencidos: number;
  sobGuarda: number;
  cortes: Readonly<Record<string, string>>;
}

/** Times in milliseconds UTC. */
export interface GuardaDaRetencao {
  id: number;
  cliente: { id: number; cpfCnpj: string; nome: string } | null;
  chave: string | null;
  modelo: string | null;
  emissaoDe: string | null;
  emissaoAte: string | null;
  motivo: string;
  criadaEm: number;
  criadaPor: string;
  levantadaEm: number | null;
  levantadaPor: string | null;
  levantadaMotivo: string | null;
}

export interface ExclusaoDaRetencao {
  id: string;
  estado: string;
  criada_em: number;
  criada_por: string;
  preparada_em: number | null;
  confirmada_em: number | null;
  confirmada_por: string | null;
  concluida_em: number | null;
  expira_em: number;
  documentos: number;
  excluidos: number;
  mantidos: number;
  arquivos_apagados: number;
  arquivos_mantidos: number;
  /** Why it failed, for people. */
  erro: string | null;
}

export interface PacoteDaRetencao {
  parte: number;
  sha256: string;
  tamanho: number;
  documentos: number;
  baixado_em: number | null;
}
