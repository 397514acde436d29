/**
 * Who may call what in the console: one table for every route below `/console/api`. A route without a row does not
 * start; the tenant matrix of the tests is made from it.
 */
import type { Papel } from '../banco/tabelas-console.ts';

/** Below it lies every JSON route of the console. */
export const API_DO_CONSOLE = '/console/api';

export const PAPEIS = ['administrador', 'operador', 'cliente'] as const satisfies readonly Papel[];

/** Roles, or `publica`: before anybody has logged in. */
export type Acesso = 'publica' | readonly Papel[];

/** Ids of the clients that somebody sees, never empty; null: every one of the office. */
export type Alcance = readonly number[] | null;

const TODOS: Acesso = PAPEIS;
const ESCRITORIO: Acesso = ['administrador', 'operador'];
const ADMINISTRADOR: Acesso = ['administrador'];

/** By method and path below `/console/api`. */
export const ACESSO: Readonly<Record<string, Acesso>> = {
  'GET /primeiro-uso': 'publica',
  'POST /primeiro-uso': 'publica',
  'POST /senha/avaliar': 'publica',
  'POST /convite': 'publica',
  'POST /convite/aceitar': 'publica',
  'POST /entrar': 'publica',
  'POST /entrar/totp': 'publica',
  'GET /entrar/externo': 'publica',
  'GET /entrar/externo/:provedor': 'publica',
  'GET /entrar/externo/retorno': 'publica',
  'POST /entrar/externo': 'publica',
  'GET /sessao': TODOS,
  'POST /sair': TODOS,
  'GET /inicio': TODOS,
  'GET /documentos': TODOS,
  'GET /documentos/contagens': TODOS,
  'GET /documentos/totais': TODOS,
  'GET /documentos/:id': TODOS,
  'GET /documentos/:id/itens': TODOS,
  'GET /documentos/:id/xml': TODOS,
  'GET /documentos/:id/pdf': TODOS,
  'GET /documentos/:id/versoes/:versaoId/xml': TODOS,
  'POST /documentos/:id/desconsiderar': ESCRITORIO,
  'POST /documentos/:id/reconsiderar': ESCRITORIO,
  'POST /documentos/:id/versoes/:versaoId/escolher': ESCRITORIO,
  'PUT /documentos/finalidade': TODOS,
  'PUT /documentos/:id/finalidade': TODOS,
  'GET /faltantes': TODOS,
  'POST /faltantes/justificar': TODOS,
  'DELETE /faltantes/justificar': TODOS,
  'GET /exportacoes': TODOS,
  'POST /exportacoes': TODOS,
  'GET /exportacoes/:id': TODOS,
  'DELETE /exportacoes/:id': TODOS,
  'GET /exportacoes/:id/arquivo': TODOS,
  'GET /importacoes': TODOS,
  'POST /importacoes': TODOS,
  'GET /importacoes/:id': TODOS,
  'GET /importacoes/:id/itens': TODOS,
  'GET /importacoes/:id/arquivo': TODOS,
  'POST /importacoes/:id/reimportar': ESCRITORIO,
  'POST /importacoes/totais': TODOS,
  'GET /falhas': ESCRITORIO,
  'GET /falhas/itens': ESCRITORIO,
  'GET /falhas/csv': ESCRITORIO,
  'GET /falhas/xlsx': ESCRITORIO,
  'POST /falhas/marcar': ESCRITORIO,
  'POST /falhas/reabrir': ESCRITORIO,
  'GET /retidos': ESCRITORIO,
  'GET /retidos/resumo': ESCRITORIO,
  'GET /retidos/provaveis': ESCRITORIO,
  'POST /retidos/cadastrar': ESCRITORIO,
  'GET /leiautes': ESCRITORIO,
  'POST /leiautes': ESCRITORIO,
  'POST /leiautes/avaliar': ESCRITORIO,
  'POST /leiautes/instalar': ADMINISTRADOR,
  'GET /leiautes/:id/arquivo': ESCRITORIO,
  'DELETE /leiautes/:id': ADMINISTRADOR,
  'GET /notas-a-ensinar/:id': ESCRITORIO,
  'POST /leiautes/esperando/dispensar': ADMINISTRADOR,
  'POST /retidos/cadastrar-varios': ESCRITORIO,
  'GET /retencao': ADMINISTRADOR,
  'PUT /retencao/prazo': ADMINISTRADOR,
  'GET /retencao/guardas': ADMINISTRADOR,
  'POST /retencao/guardas': ADMINISTRADOR,
  'POST /retencao/guardas/:id/levantar': ADMINISTRADOR,
  'GET /retencao/exclusoes': ADMINISTRADOR,
  'POST /retencao/exclusoes': ADMINISTRADOR,
  'GET /retencao/exclusoes/:id': ADMINISTRADOR,
  'GET /retencao/exclusoes/:id/pacotes/:parte': ADMINISTRADOR,
  'POST /retencao/exclusoes/:id/confirmar': ADMINISTRADOR,
  'POST /retencao/exclusoes/:id/cancelar': ADMINISTRADOR,
  'POST /retencao/exclusoes/:id/retomar': ADMINISTRADOR,
  'POST /eu/senha': TODOS,
  'GET /eu/totp': TODOS,
  'POST /eu/totp': TODOS,
  'POST /eu/totp/confirmar': TODOS,
  'POST /eu/totp/codigos': TODOS,
  'DELETE /eu/totp': TODOS,
  'GET /eu/sessoes': TODOS,
  'DELETE /eu/sessoes/:id': TODOS,
  'PUT /eu/preferencias': TODOS,
  'GET /usuarios': ADMINISTRADOR,
  'POST /usuarios': ADMINISTRADOR,
  'PUT /usuarios/:id': ADMINISTRADOR,
  'POST /usuarios/:id/redefinir': ADMINISTRADOR,
  'DELETE /usuarios/:id': ADMINISTRADOR,
  'GET /clientes': TODOS,
  'POST /clientes': ESCRITORIO,
  'GET /clientes/:cpfCnpj': TODOS,
  'PUT /clientes/:cpfCnpj': ESCRITORIO,
  'POST /clientes/:cpfCnpj/certificado': ESCRITORIO,
  'DELETE /clientes/:cpfCnpj/certificado': ESCRITORIO,
  'POST /clientes/certificado/conferir': ESCRITORIO,
  'POST /clientes/lote/previa': ESCRITORIO,
  'POST /clientes/lote': ESCRITORIO,
  'GET /captura': ESCRITORIO,
  'GET /captura/:cpfCnpj': ESCRITORIO,
  'PUT /captura/:cpfCnpj/:servico': ESCRITORIO,
  'POST /captura/:cpfCnpj/:servico/capturar': ESCRITORIO,
  'PUT /captura/:cpfCnpj/ciencia': ESCRITORIO,
  'GET /manifestacoes': TODOS,
  'GET /manifestacoes/clientes': TODOS,
  'POST /manifestacoes': ESCRITORIO,
  'GET /documentos/:id/manifestacao': TODOS,
  'GET /tokens': ADMINISTRADOR,
  'POST /tokens': ADMINISTRADOR,
  'PUT /tokens/:id': ADMINISTRADOR,
  'POST /tokens/:id/revogar': ADMINISTRADOR,
  'GET /clientes-oauth': ADMINISTRADOR,
  'POST /clientes-oauth': ADMINISTRADOR,
  'POST /clientes-oauth/:clientId/trocar-segredo': ADMINISTRADOR,
  'POST /clientes-oauth/:clientId/revogar': ADMINISTRADOR,
  'POST /integracao/testar': ADMINISTRADOR,
  'GET /auditoria': ADMINISTRADOR,
  'GET /auditoria/csv': ADMINISTRADOR,
  'POST /auditoria/verificar': ADMINISTRADOR,
  'GET /saude': ADMINISTRADOR,
  'POST /saude/esquemas': ADMINISTRADOR,
  'POST /saude/copia': ADMINISTRADOR,
};

/**
 * Routes that show or change the office as a whole: not for an operator who is limited to some clients. Every other route
 * that a limited person may call shows only what those clients take part in (`Sessao.alcance`), and only files that the person sent.
 */
const DO_ESCRITORIO_TODO: ReadonlySet<string> = new Set([
  'GET /retidos',
  'GET /retidos/resumo',
  'GET /retidos/provaveis',
  'POST /retidos/cadastrar',
  'POST /retidos/cadastrar-varios',
  'GET /falhas',
  'GET /falhas/itens',
  'GET /falhas/csv',
  'GET /falhas/xlsx',
  'POST /falhas/marcar',
  'POST /falhas/reabrir',
  'GET /leiautes',
  'POST /leiautes',
  'POST /leiautes/avaliar',
  'POST /leiautes/instalar',
  'GET /leiautes/:id/arquivo',
  'DELETE /leiautes/:id',
  'GET /notas-a-ensinar/:id',
  'POST /leiautes/esperando/dispensar',
  'POST /clientes',
  'POST /clientes/lote/previa',
  'POST /clientes/lote',
]);

/** Whether somebody may call a route. */
export function mayCall(
  quem: { papel: Papel; alcance: Alcance },
  route: { method: string; url: string },
): boolean {
  const acesso = acessoDe(route);
  if (acesso === 'publica') return true;
  return acesso.includes(quem.papel) && (quem.alcance === null || !DO_ESCRITORIO_TODO.has(keyOf(route)));
}

const keyOf = ({ method, url }: { method: string; url: string }) =>
  `${method === 'HEAD' ? 'GET' : method} ${url.slice(API_DO_CONSOLE.length)}`;

/** The row of a route. @throws when there is none: nobody has decided who may call it */
export function acessoDe(route: { method: string; url: string }): Acesso {
  const key = keyOf(route);
  const acesso = ACESSO[key];
  if (!acesso) throw new Error(`the console's route "${key}" has no row in src/console/acesso.ts`);
  return acesso;
}

export { ADMINISTRADOR, ESCRITORIO, TODOS };
