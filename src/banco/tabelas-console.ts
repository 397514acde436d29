/** Types of the console's tables; what a column means is told in `migrations/0005_console.*.sql`. */
import type { ColumnType, Generated } from 'kysely';

type Optional<T> = ColumnType<T, T | undefined, T>;

/** What somebody may do in the console. */
export type Papel = 'administrador' | 'operador' | 'cliente';

export interface TabelaUsuario {
  id: Generated<number>;
  contador_id: number;
  email: string;
  email_chave: string;
  nome: string;
  papel: Papel;
  cliente_id: number | null;
  senha: string | null;
  senha_em: number | null;
  ativo: Optional<0 | 1>;
  preferencias: Optional<string>;
  criado_em: number;
  entrou_em: number | null;
  limitado: Optional<0 | 1>;
  /** Addresses that its log-ins came from, the last first, with blanks between them. */
  lugares: Optional<string | null>;
}

interface TabelaUsuarioCliente {
  usuario_id: number;
  cliente_id: number;
  contador_id: number;
}

export interface TabelaSessaoConsole {
  id: Generated<number>;
  contador_id: number;
  usuario_id: number;
  hash: string;
  criada_em: number;
  vista_em: number;
  expira_em: number;
  ip: string;
  agente: string;
}

export interface TabelaDesafioConsole {
  hash: string;
  contador_id: number;
  usuario_id: number;
  expira_em: number;
}

interface TabelaTotpConsole {
  usuario_id: number;
  contador_id: number;
  selada: Uint8Array;
  confirmado_em: number | null;
  ultimo_passo: Optional<number>;
  falhas: Optional<number>;
  bloqueado_ate: Optional<number>;
}

interface TabelaCodigoDeRecuperacao {
  hash: string;
  contador_id: number;
  usuario_id: number;
}

export interface TabelaPrimeiroUso {
  hash: string;
  criado_em: number;
  expira_em: number;
}

export interface TabelaIdentidadeExterna {
  usuario_id: number;
  contador_id: number;
  emissor: string;
  sub: string;
  ligada_em: number;
}

export interface TabelaEntradaExterna {
  hash: string;
  provedor: string;
  emissor: string;
  sub: string;
  email_chave: string;
  expira_em: number;
}

export interface TabelasDoConsole {
  identidade_externa: TabelaIdentidadeExterna;
  entrada_externa: TabelaEntradaExterna;
  usuario: TabelaUsuario;
  usuario_cliente: TabelaUsuarioCliente;
  sessao_console: TabelaSessaoConsole;
  desafio_console: TabelaDesafioConsole;
  totp_console: TabelaTotpConsole;
  codigo_de_recuperacao: TabelaCodigoDeRecuperacao;
  primeiro_uso: TabelaPrimeiroUso;
}
