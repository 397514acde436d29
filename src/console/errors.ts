import { AppError } from '../platform/errors.ts';
import type { CatalogoDeErros } from '../platform/http/catalogo.ts';

export const ERROS_CONSOLE = {
  sessao_ausente: {
    status: 401,
    titulo: 'Sessão ausente',
    significado:
      'Não há sessão do console: ninguém entrou, ou ela terminou (30 minutos sem uso, 12 horas no total).',
    acao: 'Entre de novo no console.',
  },
  csrf_invalido: {
    status: 403,
    titulo: 'Confirmação de origem inválida',
    significado: 'O cabeçalho X-CSRF-Token falta ou não é o da sessão (GET /console/api/sessao).',
    acao: 'Recarregue a página do console e repita.',
  },
  origem_recusada: {
    status: 403,
    titulo: 'Origem recusada',
    significado: 'A requisição que altera dados veio de uma página de outro endereço.',
    acao: 'Use o console pelo endereço do próprio servidor (MALOTE_URL_BASE quando há um proxy).',
  },
  papel_insuficiente: {
    status: 403,
    titulo: 'Papel insuficiente',
    significado: 'O papel do usuário não permite esta operação.',
    acao: 'Peça a um administrador do escritório.',
  },
} as const satisfies CatalogoDeErros;

/** @fonte draft-broyer-http-cookie-auth: a scheme that no browser asks a password for */
const CHALLENGE = 'Cookie realm="malote", form-action="/console/entrar"';

export const sessaoAusente = () =>
  new AppError({
    codigo: 'sessao_ausente',
    status: 401,
    mensagem: 'Entre no console para continuar.',
    headers: { 'www-authenticate': CHALLENGE },
  });

export const csrfInvalido = () =>
  new AppError({
    codigo: 'csrf_invalido',
    status: 403,
    mensagem: 'O cabeçalho X-CSRF-Token falta ou não é o desta sessão. Recarregue a página.',
  });

export const origemRecusada = () =>
  new AppError({
    codigo: 'origem_recusada',
    status: 403,
    mensagem: 'A requisição veio de uma página de outro endereço e não foi atendida.',
  });

export const papelInsuficiente = () =>
  new AppError({
    codigo: 'papel_insuficiente',
    status: 403,
    mensagem: 'O seu papel não permite esta operação. Peça a um administrador do escritório.',
  });
