/**
 * The tenant matrix of the console: who may call each route, and what a thing of somebody else is answered with.
 * test/e2e/console-inquilinos.test.ts runs it over every console route of the OpenAPI document.
 */
import { logInToConsole, type Pedinte } from './console.ts';
import { answerOnce } from './espera.ts';
import { fetchJson, type Malote } from './malote.ts';
import { createMundo, type EscritorioDoMundo } from './mundo.ts';

/** Who may call a route; told here once more, apart from the table of the product. */
export type Quem = 'todos' | 'escritorio' | 'administrador' | 'publica';

/** Kinds of things that a path, query or body names. */
export type Coisa =
  | 'cliente'
  | 'usuario'
  | 'token'
  | 'oauth'
  | 'sessao'
  | 'documento'
  | 'exportacao'
  | 'importacao'
  | 'guarda'
  | 'exclusao'
  | 'leiaute'
  | 'espera';

export interface Linha {
  quem: Quem;
  /** The thing that the route is about, and where it is named. */
  alvo?: {
    coisa: Coisa;
    em: 'caminho' | 'query' | 'corpo';
    campo: string;
    /** What one is answered with that is not there, or not one's own. */
    falta: string;
  };
  /** Other values of the path. */
  caminho?: Record<string, string>;
  query?: Record<string, string>;
  /** A body that would do, but for the thing. */
  corpo?: Record<string, unknown>;
  /** What the own thing is answered with: 200, or the `codigo`; null: it is not asked for, because it would be gone. */
  proprio?: number | string | null;
}

const noCliente = {
  coisa: 'cliente',
  em: 'caminho',
  campo: 'cpfCnpj',
  falta: 'cliente_nao_encontrado',
} as const;
const emCliente = { ...noCliente, em: 'query', campo: 'cliente' } as const;
const porId = (coisa: Coisa, falta: string) => ({ coisa, em: 'caminho', campo: 'id', falta }) as const;
const documento = porId('documento', 'documento_nao_encontrado');
const importacao = porId('importacao', 'arquivo_nao_encontrado');
const exportacao = porId('exportacao', 'exportacao_nao_encontrada');
const exclusao = porId('exclusao', 'exclusao_nao_encontrada');
const leiaute = porId('leiaute', 'leiaute_nao_encontrado');
const oauth = {
  coisa: 'oauth',
  em: 'caminho',
  campo: 'clientId',
  falta: 'cliente_oauth_nao_encontrado',
} as const;

/** Every route, by method and path below `/console/api`. */
export const LINHAS: Readonly<Record<string, Linha>> = {
  'GET /primeiro-uso': { quem: 'publica' },
  'POST /primeiro-uso': { quem: 'publica' },
  'POST /senha/avaliar': { quem: 'publica' },
  'POST /convite': { quem: 'publica' },
  'POST /convite/aceitar': { quem: 'publica' },
  'POST /entrar': { quem: 'publica' },
  'POST /entrar/totp': { quem: 'publica' },
  'GET /entrar/externo': { quem: 'publica' },
  'GET /entrar/externo/{provedor}': { quem: 'publica' },
  'GET /entrar/externo/retorno': { quem: 'publica' },
  'POST /entrar/externo': { quem: 'publica' },
  'GET /sessao': { quem: 'todos' },
  'POST /sair': { quem: 'todos' },
  'POST /eu/senha': { quem: 'todos' },
  'GET /eu/totp': { quem: 'todos' },
  'POST /eu/totp': { quem: 'todos' },
  'POST /eu/totp/confirmar': { quem: 'todos' },
  'POST /eu/totp/codigos': { quem: 'todos' },
  'DELETE /eu/totp': { quem: 'todos' },
  'GET /eu/sessoes': { quem: 'todos' },
  'DELETE /eu/sessoes/{id}': { quem: 'todos', alvo: porId('sessao', 'sessao_nao_encontrada'), proprio: null },
  'PUT /eu/preferencias': { quem: 'todos', corpo: {} },
  'GET /usuarios': { quem: 'administrador' },
  'POST /usuarios': { quem: 'administrador' },
  'PUT /usuarios/{id}': {
    quem: 'administrador',
    alvo: porId('usuario', 'usuario_nao_encontrado'),
    corpo: { nome: 'Outro nome' },
  },
  'POST /usuarios/{id}/redefinir': {
    quem: 'administrador',
    alvo: porId('usuario', 'usuario_nao_encontrado'),
    corpo: {},
  },
  'DELETE /usuarios/{id}': {
    quem: 'administrador',
    alvo: porId('usuario', 'usuario_nao_encontrado'),
    proprio: null,
  },
  'GET /clientes': { quem: 'todos' },
  'POST /clientes': { quem: 'escritorio' },
  'GET /clientes/{cpfCnpj}': { quem: 'todos', alvo: noCliente },
  'PUT /clientes/{cpfCnpj}': { quem: 'escritorio', alvo: noCliente, corpo: { email: 'novo@exemplo.com.br' } },
  'POST /clientes/{cpfCnpj}/certificado': {
    quem: 'escritorio',
    alvo: noCliente,
    corpo: { arquivo: 'AAAA', senha: 'x', uf: 'SP' },
    proprio: 'certificado_invalido',
  },
  'DELETE /clientes/{cpfCnpj}/certificado': {
    quem: 'escritorio',
    alvo: noCliente,
    proprio: 'certificado_nao_encontrado',
  },
  'GET /captura': { quem: 'escritorio' },
  'GET /captura/{cpfCnpj}': { quem: 'escritorio', alvo: noCliente },
  'PUT /captura/{cpfCnpj}/{servico}': {
    quem: 'escritorio',
    alvo: noCliente,
    caminho: { servico: 'nfe' },
    corpo: { ligada: false },
  },
  'POST /captura/{cpfCnpj}/{servico}/capturar': {
    quem: 'escritorio',
    alvo: noCliente,
    caminho: { servico: 'nfe' },
    proprio: 'captura_desligada',
  },
  'PUT /captura/{cpfCnpj}/ciencia': { quem: 'escritorio', alvo: noCliente, corpo: { ligada: false } },
  'GET /manifestacoes': { quem: 'todos', alvo: emCliente },
  'GET /manifestacoes/clientes': { quem: 'todos' },
  'POST /manifestacoes': {
    quem: 'escritorio',
    alvo: { ...noCliente, em: 'corpo', campo: 'cliente' },
    corpo: { codigo: '210210', chaves: ['0'], confirmo: true },
  },
  'GET /documentos/{id}/manifestacao': { quem: 'todos', alvo: documento },
  'POST /clientes/certificado/conferir': { quem: 'escritorio' },
  'POST /clientes/lote/previa': { quem: 'escritorio' },
  'POST /clientes/lote': { quem: 'escritorio' },
  'GET /tokens': { quem: 'administrador' },
  'POST /tokens': { quem: 'administrador' },
  'PUT /tokens/{id}': {
    quem: 'administrador',
    alvo: porId('token', 'token_nao_encontrado'),
    corpo: { nome: 'Outro nome' },
  },
  'POST /tokens/{id}/revogar': {
    quem: 'administrador',
    alvo: porId('token', 'token_nao_encontrado'),
    proprio: null,
  },
  'GET /clientes-oauth': { quem: 'administrador' },
  'POST /clientes-oauth': { quem: 'administrador' },
  'POST /clientes-oauth/{clientId}/trocar-segredo': { quem: 'administrador', alvo: oauth },
  'POST /clientes-oauth/{clientId}/revogar': { quem: 'administrador', alvo: oauth, proprio: null },
  'POST /integracao/testar': {
    quem: 'administrador',
    alvo: { ...noCliente, em: 'corpo' },
    corpo: { token: 'mlt_nenhum' },
  },
  'GET /auditoria': { quem: 'administrador' },
  'GET /auditoria/csv': { quem: 'administrador' },
  'POST /auditoria/verificar': { quem: 'administrador' },
  'GET /saude': { quem: 'administrador' },
  'POST /saude/esquemas': { quem: 'administrador' },
  'POST /saude/copia': { quem: 'administrador' },
  'GET /inicio': { quem: 'todos', alvo: emCliente },
  'GET /documentos': { quem: 'todos', alvo: emCliente },
  'GET /documentos/contagens': { quem: 'todos', alvo: emCliente },
  'GET /documentos/totais': { quem: 'todos', alvo: emCliente },
  'GET /documentos/{id}': { quem: 'todos', alvo: documento },
  'GET /documentos/{id}/itens': { quem: 'todos', alvo: documento },
  'GET /documentos/{id}/xml': { quem: 'todos', alvo: documento },
  'GET /documentos/{id}/pdf': { quem: 'todos', alvo: documento },
  'GET /documentos/{id}/versoes/{versaoId}/xml': {
    quem: 'todos',
    alvo: documento,
    caminho: { versaoId: '999999' },
    proprio: 'documento_nao_encontrado',
  },
  'POST /documentos/{id}/desconsiderar': {
    quem: 'escritorio',
    alvo: documento,
    corpo: { motivo: 'não é verdadeiro' },
    proprio: 'nada_a_mudar',
  },
  'POST /documentos/{id}/reconsiderar': {
    quem: 'escritorio',
    alvo: documento,
    corpo: { motivo: 'é verdadeiro' },
    proprio: 'nada_a_mudar',
  },
  'POST /documentos/{id}/versoes/{versaoId}/escolher': {
    quem: 'escritorio',
    alvo: documento,
    caminho: { versaoId: '999999' },
    corpo: { motivo: 'é esta a entregue ao cliente' },
    proprio: 'documento_nao_encontrado',
  },
  'PUT /documentos/finalidade': {
    quem: 'todos',
    alvo: emCliente,
    corpo: { ids: [999_999], finalidade_aquisicao: 'Revenda' },
  },
  'PUT /documentos/{id}/finalidade': {
    quem: 'todos',
    alvo: documento,
    corpo: { finalidade_aquisicao: 'Revenda' },
  },
  'GET /faltantes': { quem: 'todos', alvo: emCliente },
  'POST /faltantes/justificar': {
    quem: 'todos',
    alvo: { ...noCliente, em: 'corpo', campo: 'cliente' },
    corpo: { modelo: '55', serie: '1', numero: 1, numeroFinal: 1, motivo: 'não é nosso' },
    proprio: null,
  },
  'DELETE /faltantes/justificar': {
    quem: 'todos',
    alvo: { ...noCliente, em: 'corpo', campo: 'cliente' },
    corpo: { modelo: '55', serie: '1', numero: 1, numeroFinal: 1 },
    proprio: null,
  },
  'GET /exportacoes': { quem: 'todos' },
  'POST /exportacoes': { quem: 'todos' },
  'GET /exportacoes/{id}': { quem: 'todos', alvo: exportacao },
  'GET /exportacoes/{id}/arquivo': { quem: 'todos', alvo: exportacao, proprio: null },
  'DELETE /exportacoes/{id}': { quem: 'todos', alvo: exportacao, proprio: null },
  'GET /importacoes': { quem: 'todos' },
  'POST /importacoes': { quem: 'todos' },
  'GET /importacoes/{id}': { quem: 'todos', alvo: importacao },
  'GET /importacoes/{id}/itens': { quem: 'todos', alvo: importacao },
  'GET /importacoes/{id}/arquivo': { quem: 'todos', alvo: importacao },
  'POST /importacoes/{id}/reimportar': { quem: 'escritorio', alvo: importacao, proprio: null },
  'POST /importacoes/totais': { quem: 'todos' },
  'GET /falhas': { quem: 'escritorio' },
  'GET /falhas/itens': { quem: 'escritorio' },
  'GET /falhas/csv': { quem: 'escritorio' },
  'GET /falhas/xlsx': { quem: 'escritorio' },
  'POST /falhas/marcar': { quem: 'escritorio' },
  'POST /falhas/reabrir': { quem: 'escritorio' },
  'GET /retidos': { quem: 'escritorio' },
  'GET /retidos/resumo': { quem: 'escritorio' },
  'GET /retidos/provaveis': { quem: 'escritorio' },
  'POST /retidos/cadastrar': { quem: 'escritorio' },
  'GET /leiautes': { quem: 'escritorio' },
  'POST /leiautes': { quem: 'escritorio' },
  'POST /leiautes/avaliar': { quem: 'escritorio' },
  'POST /leiautes/instalar': { quem: 'administrador' },
  'GET /leiautes/{id}/arquivo': { quem: 'escritorio', alvo: leiaute },
  'DELETE /leiautes/{id}': { quem: 'administrador', alvo: leiaute, proprio: null },
  'GET /notas-a-ensinar/{id}': {
    quem: 'escritorio',
    alvo: porId('espera', 'leiaute_nao_encontrado'),
  },
  'POST /leiautes/esperando/dispensar': { quem: 'administrador' },
  'POST /retidos/cadastrar-varios': { quem: 'escritorio' },
  'GET /retencao': { quem: 'administrador' },
  'PUT /retencao/prazo': { quem: 'administrador' },
  'GET /retencao/guardas': { quem: 'administrador' },
  'POST /retencao/guardas': {
    quem: 'administrador',
    alvo: { ...noCliente, em: 'corpo' },
    corpo: { motivo: 'fiscalização em curso' },
  },
  'POST /retencao/guardas/{id}/levantar': {
    quem: 'administrador',
    alvo: porId('guarda', 'guarda_nao_encontrada'),
    corpo: { motivo: 'fiscalização encerrada' },
    proprio: null,
  },
  'GET /retencao/exclusoes': { quem: 'administrador' },
  'POST /retencao/exclusoes': { quem: 'administrador' },
  'GET /retencao/exclusoes/{id}': { quem: 'administrador', alvo: exclusao, proprio: null },
  'GET /retencao/exclusoes/{id}/pacotes/{parte}': {
    quem: 'administrador',
    alvo: exclusao,
    caminho: { parte: '1' },
    proprio: null,
  },
  'POST /retencao/exclusoes/{id}/confirmar': { quem: 'administrador', alvo: exclusao, proprio: null },
  'POST /retencao/exclusoes/{id}/cancelar': { quem: 'administrador', alvo: exclusao, proprio: null },
  'POST /retencao/exclusoes/{id}/retomar': { quem: 'administrador', alvo: exclusao, proprio: null },
};

/** What is nowhere, by kind. */
export const DE_NINGUEM: Readonly<Record<Coisa, string>> = {
  cliente: '52998224725',
  usuario: '999999',
  token: '999999',
  oauth: 'malote-ninguem',
  sessao: '999999',
  documento: '999999',
  exportacao: '00000000-0000-4000-8000-000000000000',
  importacao: '00000000-0000-4000-8000-000000000000',
  guarda: '999999',
  exclusao: '00000000-0000-4000-8000-000000000000',
  leiaute: 'de-ninguem',
  espera: '999999',
};

/** An office with somebody of each role, and one thing of each kind. The role `cliente` sees the first client. */
export interface EscritorioNoConsole {
  mundo: EscritorioDoMundo;
  pessoas: Record<'administrador' | 'operador' | 'cliente', Pedinte>;
  coisas: Record<Coisa, string>;
  /** An operator whose portfolio is the first client. */
  carteira: Pedinte;
  /** The same kinds, of a sibling of the first client or of another person: not for who sees the first client only. */
  doIrmao: Partial<Record<Coisa, string>>;
}

/** Three offices as in the matrix of the API, with people. */
export async function createMundoDoConsole(malote: Malote): Promise<EscritorioNoConsole[]> {
  const { escritorios } = await createMundo(malote);
  const made: EscritorioNoConsole[] = [];
  for (const mundo of escritorios) made.push(await povoar(malote, mundo));
  return made;
}

async function povoar(malote: Malote, mundo: EscritorioDoMundo): Promise<EscritorioNoConsole> {
  const { contadorId } = mundo;
  const [first, second] = mundo.clientes;
  if (!first || !second) throw new Error('an office has clients');
  const administrador = await logInToConsole(malote, { contadorId });
  const operador = await logInToConsole(malote, { contadorId, papel: 'operador' });
  const cliente = await logInToConsole(malote, { contadorId, papel: 'cliente', clientes: [first.cpfCnpj] });
  const carteira = await logInToConsole(malote, { contadorId, papel: 'operador', clientes: [first.cpfCnpj] });
  const make = async (path: string, json: object) => {
    const { status, body } = await administrador.ask(path, { method: 'POST', json });
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body;
  };
  const documentoDe = async (chave: string) => {
    const { body } = await administrador.ask(`/documentos?chave=${chave}`);
    return String(body.itens[0].id);
  };
  const ask = async () =>
    (await cliente.ask('/exportacoes', { method: 'POST', json: { tipo: 'csv', filtro: {} } })).body;
  return {
    mundo,
    pessoas: { administrador, operador, cliente },
    carteira,
    coisas: {
      cliente: first.cpfCnpj,
      usuario: String(operador.usuarioId),
      token: String((await make('/tokens', { nome: 'Da matriz' })).id),
      oauth: (await make('/clientes-oauth', { nome: 'Da matriz' })).clientId,
      sessao: String((await administrador.ask('/eu/sessoes')).body.itens[0].id),
      documento: await documentoDe(first.chave),
      exportacao: String((await ask()).id),
      importacao: mundo.arquivoId,
      guarda: String(
        (await make('/retencao/guardas', { motivo: 'fiscalização em curso', cpfCnpj: second.cpfCnpj })).id,
      ),
      exclusao: (await administrador.ask('/retencao/exclusoes', { method: 'POST' })).body.id,
      leiaute: (await make('/leiautes/instalar', { arquivo: leiauteDe(contadorId) })).id,
      espera: await esperaDe(administrador, first.cpfCnpj),
    },
    doIrmao: {
      cliente: second.cpfCnpj,
      documento: await documentoDe(second.chave),
      importacao: mundo.arquivoId,
    },
  };
}

/** A layout that no other office has. */
const leiauteDe = (contadorId: number) =>
  JSON.stringify({
    id: `matriz-${contadorId}`,
    nome: 'Da matriz',
    fonte: 'Da matriz',
    nota: { elemento: ['folhaDaMatriz'], tem: ['./numero'] },
    numero: ['./numero'],
    data: { campos: ['./data'] },
    prestador: { cpfCnpj: ['./prestador'] },
    valor: ['./valor'],
  });

/** A note of a layout that nobody reads, which waits for one. */
async function esperaDe(quem: Pedinte, cpfCnpj: string): Promise<string> {
  const nota = `<Caderno><Prestador>${cpfCnpj}</Prestador><Tomador>1</Tomador><Dia>10/03/2026</Dia><Pago>1,00</Pago></Caderno>`;
  const json = { nome: 'caderno.xml', tamanho: nota.length };
  const { body } = await quem.ask('/importacoes', { method: 'POST', json });
  await fetch(body.url, { method: 'PUT', body: nota });
  const [espera] = await answerOnce('a note waits for its layout', {
    ask: async () => (await quem.ask('/leiautes')).body.esperando,
    is: (esperando) => esperando.length > 0,
  });
  return String(espera.primeiro);
}

/** Every console route of the OpenAPI document, by method and path below `/console/api`. */
export async function rotasDoConsole(url: string): Promise<string[]> {
  const { body } = await fetchJson(`${url}/console/openapi.json`);
  return Object.entries<object>(body.paths)
    .filter(([path]) => path.startsWith('/console/api/'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice('/console/api'.length)}`),
    );
}
