/**
 * The tenant matrix: what each route answers to its own office, to a sibling client, to another office and to what
 * does not exist. test/e2e/inquilinos.test.ts runs it over every route of the OpenAPI document.
 */
import { randomUUID } from 'node:crypto';
import { chaveDe } from '../../src/fiscal/amostras-de-teste.ts';
import { formatCpfCnpj } from '../../src/fiscal/cpf-cnpj.ts';
import { Aleatorio } from '../../src/gerador/aleatorio.ts';
import { generateCnpj } from '../../src/gerador/empresas.ts';
import { fetchJson } from './malote.ts';
import type { Mundo, Pessoa } from './mundo.ts';
import type { Rascunho } from './tabela-de-erros.ts';

/** One request and the answer that it must get. */
export interface Caso {
  nome: string;
  draft: Rascunho;
  /** 200, or the `codigo` of the problem. */
  espera: 200 | string;
  /** Cases of a route with the same group get the same answer, but for request id and path. */
  grupo?: string;
  /** This is synthetic: the answer must be that of the client's own plain request. */
  comoProprio?: boolean;
}

type Linha = (mundo: Mundo, pessoa: Pessoa) => Promise<Caso[]> | Caso[];

const NOBODY = '52998224725';
const NO_CRM = '999999';

/** Every route, by `METHOD path`. */
export const LINHAS: Record<string, Linha> = {
  'GET /api/v1/{codigoCrm}/clientes': clientes,
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{nsu}/novos': exportacao({ nsu: '0' }),
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{nsu}/finalidade': exportacao({ nsu: '0' }),
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{nsu}': exportacao({ nsu: '1' }),
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{chave}/chave': exportacao({ chave: true }),
  'PUT /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{chave}/chave/finalidade': exportacao({
    chave: true,
    corpo: { finalidade_aquisicao: 'Revenda' },
  }),
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/nfe': exportacao({ query: { DataInicial: '2026-03-01' } }),
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/nfce': exportacao({ query: { DataInicial: '2026-03-01' } }),
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{chave}/manifestacao': exportacao({ chave: true }),
  // The world's notes are of a March that is long over.
  'POST /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{chave}/manifestacao': exportacao({
    chave: true,
    method: 'POST',
    corpo: { codigo: '210200' },
    proprio: 'manifestacao_fora_do_prazo',
    soTudo: true,
  }),
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/captura': exportacao({}),
  'PUT /api/v1/{codigoCrm}/{cpfCnpj}/captura/{servico}': exportacao({
    outros: { servico: 'nfe' },
    corpo: { ligada: false },
    soTudo: true,
  }),
  'POST /api/v1/{codigoCrm}/{cpfCnpj}/captura/{servico}/capturar': exportacao({
    outros: { servico: 'nfe' },
    method: 'POST',
    corpo: {},
    proprio: 'captura_desligada',
    soTudo: true,
  }),
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/captura/chaves': exportacao({}),
  'POST /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{chave}/capturar': exportacao({
    outros: { chave: chaveDe() },
    method: 'POST',
    corpo: {},
    proprio: 'captura_desligada',
    soTudo: true,
  }),
  'POST /api/contas/{plataforma}/contador/{CRM}/cliente': cadastro,
  'PUT /api/contas/{plataforma}/contador/{CRM}/cliente/{CPFCNPJ}': atualizacao,
  'POST /storage': bilhete,
  'GET /storage/arquivo/{id}': arquivo,
  'GET /storage/arquivo/{id}/itens': arquivo,
  'PUT /upload/{id}': envio,
  'GET /download/{versaoId}': (mundo, pessoa) =>
    assinado(mundo, {
      proprio: pessoa.cliente.urlDownload,
      alheio: pessoa.outro.cliente.urlDownload,
      nomes: ['versaoId'],
    }),
  'GET /finalidade/{clienteId}/{documentoId}': (mundo, pessoa) =>
    assinado(mundo, {
      proprio: pessoa.cliente.urlFinalidade,
      alheio: pessoa.outro.cliente.urlFinalidade,
      nomes: ['clienteId', 'documentoId'],
    }),
};

interface Parte {
  method?: string;
  path?: Record<string, string>;
  query?: Record<string, string>;
  corpo?: object;
}

function com({ malote }: Mundo, token: string, parte: Parte): Rascunho {
  return {
    method: parte.method ?? (parte.corpo ? 'POST' : 'GET'),
    origin: malote.url,
    path: parte.path ?? {},
    query: new URLSearchParams(parte.query),
    headers: [
      ['Authorization', `Bearer ${token}`],
      ...(parte.corpo ? [['Content-Type', 'application/json'] as [string, string]] : []),
    ],
    ...(parte.corpo ? { body: JSON.stringify(parte.corpo) } : {}),
  };
}

/** What an office's own clients are; of a restricted token only some. */
function clientes(mundo: Mundo, { escritorio, cliente, outro }: Pessoa): Caso[] {
  const pedido = (codigoCrm: string, token = escritorio.token) => com(mundo, token, { path: { codigoCrm } });
  const { codigoCrm } = escritorio;
  const outroCrm = outro.escritorio.codigoCrm;
  const semAcesso = { espera: 'crm_nao_autorizado', grupo: 'crm' };
  return [
    { nome: 'próprio', draft: pedido(codigoCrm), espera: 200 },
    { nome: 'próprio, token restrito', draft: pedido(codigoCrm, cliente.tokenRestrito), espera: 200 },
    { nome: 'CRM sem zeros', draft: pedido(String(Number(codigoCrm))), espera: 200, comoProprio: true },
    { nome: 'outro escritório', draft: pedido(outroCrm), ...semAcesso },
    {
      nome: 'outro escritório, token restrito',
      draft: pedido(outroCrm, cliente.tokenRestrito),
      ...semAcesso,
    },
    { nome: 'outro escritório, token de acesso', draft: pedido(outroCrm, escritorio.contas), ...semAcesso },
    { nome: 'CRM de ninguém', draft: pedido(NO_CRM), ...semAcesso },
    { nome: 'CRM em outros algarismos', draft: pedido(arabic(codigoCrm)), espera: 'crm_invalido' },
  ];
}

/** Routes below a client of the export area. */
function exportacao(rota: {
  nsu?: string;
  chave?: true;
  query?: Record<string, string>;
  corpo?: object;
  /** Other values of the path. */
  outros?: Record<string, string>;
  /** Default: PUT with a body, GET without. */
  method?: string;
  /** What the own one is answered with. */
  proprio?: string;
  /** Only for tokens that are good for everything, which a restricted one is not. */
  soTudo?: true;
}): Linha {
  return (mundo, { escritorio, cliente, irmao, outro }) => {
    const { codigoCrm, token } = escritorio;
    const espera: 200 | string = rota.proprio ?? 200;
    const method = rota.method ?? (rota.corpo ? 'PUT' : 'GET');
    const pedido = (who: { crm?: string; id: string; chave: string; token?: string }): Rascunho =>
      com(mundo, who.token ?? token, {
        path: {
          codigoCrm: who.crm ?? codigoCrm,
          cpfCnpj: who.id,
          ...(rota.nsu === undefined ? {} : { nsu: rota.nsu }),
          ...(rota.chave ? { chave: who.chave } : {}),
          ...rota.outros,
        },
        ...(rota.query ? { query: rota.query } : {}),
        ...(rota.corpo ? { corpo: rota.corpo } : {}),
        method,
      });
    const { cpfCnpj: id, chave } = cliente;
    const alheio = { id: outro.cliente.cpfCnpj, chave: outro.cliente.chave };
    const outroCrm = outro.escritorio.codigoCrm;
    const semAcesso = { espera: 'crm_nao_autorizado', grupo: 'crm' };
    const semEscopo = { espera: 'escopo_insuficiente', grupo: 'escopo' };
    const semCliente = { espera: 'cliente_nao_encontrado', grupo: 'cliente' };
    const semDocumento = { espera: 'documento_nao_encontrado', grupo: 'documento' };
    return [
      { nome: 'próprio', draft: pedido({ id, chave }), espera },
      {
        nome: 'próprio, token restrito',
        draft: pedido({ id, chave, token: cliente.tokenRestrito }),
        ...(rota.soTudo ? semEscopo : { espera, comoProprio: true }),
      },
      { nome: 'irmão', draft: pedido({ id: irmao.cpfCnpj, chave: irmao.chave }), espera },
      {
        nome: 'irmão, token restrito',
        draft: pedido({ id: irmao.cpfCnpj, chave: irmao.chave, token: cliente.tokenRestrito }),
        ...(rota.soTudo ? semEscopo : semCliente),
      },
      { nome: 'outro escritório, seu cliente', draft: pedido({ crm: outroCrm, ...alheio }), ...semAcesso },
      { nome: 'outro escritório, cliente meu', draft: pedido({ crm: outroCrm, id, chave }), ...semAcesso },
      {
        nome: 'outro escritório, cliente de ninguém',
        draft: pedido({ crm: outroCrm, id: NOBODY, chave }),
        ...semAcesso,
      },
      { nome: 'CRM de ninguém', draft: pedido({ crm: NO_CRM, ...alheio }), ...semAcesso },
      { nome: 'cliente alheio sob o meu CRM', draft: pedido(alheio), ...semCliente },
      { nome: 'cliente de ninguém', draft: pedido({ id: NOBODY, chave }), ...semCliente },
      {
        nome: 'CRM sem zeros',
        draft: pedido({ crm: String(Number(codigoCrm)), id, chave }),
        espera,
        comoProprio: true,
      },
      {
        nome: 'outro CRM sem zeros',
        draft: pedido({ crm: String(Number(outroCrm)), ...alheio }),
        ...semAcesso,
      },
      {
        nome: 'CRM com zeros demais',
        draft: pedido({ crm: `0${codigoCrm}`, id, chave }),
        espera: 'crm_invalido',
      },
      {
        nome: 'token de acesso (OAuth)',
        draft: pedido({ id, chave, token: escritorio.contas }),
        espera,
        comoProprio: true,
      },
      {
        nome: 'outro escritório, token de acesso',
        draft: pedido({ crm: outroCrm, ...alheio, token: escritorio.contas }),
        ...semAcesso,
      },
      {
        nome: 'CRM de ninguém, token de acesso',
        draft: pedido({ crm: NO_CRM, ...alheio, token: escritorio.contas }),
        ...semAcesso,
      },
      {
        nome: 'cliente alheio sob o meu CRM, token de acesso',
        draft: pedido({ ...alheio, token: escritorio.contas }),
        ...semCliente,
      },
      {
        nome: 'CRM em outros algarismos',
        draft: pedido({ crm: arabic(codigoCrm), id, chave }),
        espera: 'crm_invalido',
      },
      {
        nome: 'cliente em outros algarismos',
        draft: pedido({ id: arabic(NOBODY), chave }),
        espera: 'cpf_cnpj_invalido',
      },
      {
        nome: 'com máscara',
        draft: pedido({ id: formatCpfCnpj(id), chave }),
        espera,
        comoProprio: true,
      },
      {
        nome: 'em minúsculas',
        draft: pedido({ id: id.toLowerCase(), chave }),
        espera,
        comoProprio: true,
      },
      ...(rota.chave
        ? [
            {
              nome: 'documento de outro escritório',
              draft: pedido({ id, chave: outro.cliente.chave }),
              ...semDocumento,
            },
            { nome: 'documento do irmão', draft: pedido({ id, chave: irmao.chave }), ...semDocumento },
            {
              nome: 'com prefixo, em grupos, em minúsculas',
              draft: pedido({ id, chave: `NFe${chave.toLowerCase().replace(/(.{4})/g, '$1 ')}` }),
              espera,
              comoProprio: true,
            },
            {
              nome: 'documento de outro escritório, com prefixo e pontos',
              draft: pedido({ id, chave: `NFe.${outro.cliente.chave.replace(/(.{11})/g, '$1.')}` }),
              ...semDocumento,
            },
            { nome: 'documento de ninguém', draft: pedido({ id, chave: '9'.repeat(44) }), ...semDocumento },
          ]
        : []),
    ];
  };
}

let registered = 0;

function cadastro(mundo: Mundo, { escritorio, cliente, outro }: Pessoa): Caso[] {
  const { codigoCrm, contas } = escritorio;
  const pedido = (
    crm: string,
    cpfCnpj: string = generateCnpj(new Aleatorio(`inquilinos/${++registered}`), registered % 2 === 0),
    plataforma = 'platform',
  ) =>
    com(mundo, contas, {
      method: 'POST',
      path: { plataforma, CRM: crm },
      corpo: { cpfCnpj, nomeEmpresa: 'Cliente novo', email: 'novo@exemplo.com.br' },
    });
  const semAcesso = { espera: 'crm_nao_autorizado', grupo: 'crm' };
  return [
    { nome: 'próprio', draft: pedido(codigoCrm), espera: 200 },
    { nome: 'CRM sem zeros', draft: pedido(String(Number(codigoCrm))), espera: 200 },
    { nome: 'outra plataforma', draft: pedido(codigoCrm, undefined, 'NF-Stock_2'), espera: 200 },
    {
      nome: 'outra plataforma, outro escritório',
      draft: pedido(outro.escritorio.codigoCrm, undefined, outro.escritorio.codigoCrm),
      ...semAcesso,
    },
    { nome: 'CRM em outros algarismos', draft: pedido(arabic(codigoCrm)), espera: 'crm_invalido' },
    { nome: 'outro escritório', draft: pedido(outro.escritorio.codigoCrm), ...semAcesso },
    {
      nome: 'outro escritório, seu cliente',
      draft: pedido(outro.escritorio.codigoCrm, outro.cliente.cpfCnpj),
      ...semAcesso,
    },
    { nome: 'CRM de ninguém', draft: pedido(NO_CRM), ...semAcesso },
    { nome: 'já cadastrado', draft: pedido(codigoCrm, cliente.cpfCnpj), espera: 'cliente_ja_cadastrado' },
    {
      nome: 'já cadastrado, com máscara',
      draft: pedido(codigoCrm, formatCpfCnpj(cliente.cpfCnpj)),
      espera: 'cliente_ja_cadastrado',
    },
    {
      nome: 'token de integração',
      draft: { ...pedido(codigoCrm), headers: com(mundo, escritorio.token, { corpo: {} }).headers },
      espera: 'escopo_insuficiente',
    },
  ];
}

function atualizacao(mundo: Mundo, { escritorio, cliente, irmao, outro }: Pessoa): Caso[] {
  const { codigoCrm, contas } = escritorio;
  const pedido = (crm: string, id: string, plataforma = 'platform') =>
    com(mundo, contas, {
      method: 'PUT',
      path: { plataforma, CRM: crm, CPFCNPJ: id },
      corpo: { email: 'outro@exemplo.com.br' },
    });
  const { cpfCnpj: id } = cliente;
  const outroCrm = outro.escritorio.codigoCrm;
  const semAcesso = { espera: 'crm_nao_autorizado', grupo: 'crm' };
  const semCliente = { espera: 'cliente_nao_encontrado', grupo: 'cliente' };
  return [
    { nome: 'próprio', draft: pedido(codigoCrm, id), espera: 200 },
    { nome: 'irmão', draft: pedido(codigoCrm, irmao.cpfCnpj), espera: 200 },
    { nome: 'CRM sem zeros', draft: pedido(String(Number(codigoCrm)), id), espera: 200, comoProprio: true },
    { nome: 'CRM em outros algarismos', draft: pedido(arabic(codigoCrm), id), espera: 'crm_invalido' },
    { nome: 'outra plataforma', draft: pedido(codigoCrm, id, 'x'), espera: 200, comoProprio: true },
    { nome: 'com máscara', draft: pedido(codigoCrm, formatCpfCnpj(id)), espera: 200, comoProprio: true },
    { nome: 'em minúsculas', draft: pedido(codigoCrm, id.toLowerCase()), espera: 200, comoProprio: true },
    {
      nome: 'cliente em outros algarismos',
      draft: pedido(codigoCrm, arabic(NOBODY)),
      espera: 'cpf_cnpj_invalido',
    },
    { nome: 'outro escritório, seu cliente', draft: pedido(outroCrm, outro.cliente.cpfCnpj), ...semAcesso },
    { nome: 'outro escritório, cliente meu', draft: pedido(outroCrm, id), ...semAcesso },
    { nome: 'outro escritório, cliente de ninguém', draft: pedido(outroCrm, NOBODY), ...semAcesso },
    { nome: 'CRM de ninguém', draft: pedido(NO_CRM, id), ...semAcesso },
    { nome: 'cliente alheio sob o meu CRM', draft: pedido(codigoCrm, outro.cliente.cpfCnpj), ...semCliente },
    { nome: 'cliente de ninguém', draft: pedido(codigoCrm, NOBODY), ...semCliente },
  ];
}

/** A client of one office sends for it, and says so or not. */
function bilhete(mundo: Mundo, { escritorio, outro }: Pessoa): Caso[] {
  const pedido = (token: string, crm?: string): Rascunho => {
    const draft = com(mundo, token, { corpo: { size: 1, extension: '.xml' } });
    return crm === undefined ? draft : { ...draft, headers: [...draft.headers, ['X-Codigo-Crm', crm]] };
  };
  const { token, contas, codigoCrm } = escritorio;
  const semAcesso = { espera: 'crm_nao_autorizado', grupo: 'crm' };
  return [
    { nome: 'próprio', draft: pedido(token), espera: 200 },
    { nome: 'próprio, token de acesso', draft: pedido(contas), espera: 200 },
    { nome: 'próprio, dito', draft: pedido(contas, codigoCrm), espera: 200 },
    { nome: 'próprio, dito sem zeros', draft: pedido(contas, String(Number(codigoCrm))), espera: 200 },
    { nome: 'outro escritório', draft: pedido(contas, outro.escritorio.codigoCrm), ...semAcesso },
    { nome: 'CRM de ninguém', draft: pedido(contas, NO_CRM), ...semAcesso },
    { nome: 'CRM que não é código', draft: pedido(contas, 'x'), espera: 'crm_invalido' },
  ];
}

function arquivo(mundo: Mundo, { escritorio, outro }: Pessoa): Caso[] {
  const pedido = (id: string, token = escritorio.token) => com(mundo, token, { path: { id } });
  const nenhum = { espera: 'arquivo_nao_encontrado', grupo: 'arquivo' };
  return [
    { nome: 'próprio', draft: pedido(escritorio.arquivoId), espera: 200 },
    {
      nome: 'próprio, token de acesso',
      draft: pedido(escritorio.arquivoId, escritorio.contas),
      espera: 200,
      comoProprio: true,
    },
    { nome: 'de outro escritório', draft: pedido(outro.escritorio.arquivoId), ...nenhum },
    {
      nome: 'de outro escritório, token de acesso',
      draft: pedido(outro.escritorio.arquivoId, escritorio.contas),
      ...nenhum,
    },
    { nome: 'de ninguém', draft: pedido(randomUUID()), ...nenhum },
  ];
}

/** An upload address is good for its own file only. */
async function envio(mundo: Mundo, { escritorio, outro }: Pessoa): Promise<Caso[]> {
  const ticket = async (token: string) => {
    const json = { size: 5, extension: '.xml' };
    const { body } = await fetchJson(`${mundo.malote.url}/storage`, { token, json });
    return { id: String(body.id), query: new URL(body.url).searchParams };
  };
  const [mine, theirs] = [await ticket(escritorio.token), await ticket(outro.escritorio.token)];
  const pedido = (id: string, query: URLSearchParams): Rascunho => ({
    method: 'PUT',
    origin: mundo.malote.url,
    path: { id },
    query,
    headers: [['Accept', 'application/json']],
    body: '<a/>',
  });
  const recusado = { espera: 'endereco_invalido', grupo: 'endereco' };
  return [
    {
      nome: 'de outro escritório, com a minha assinatura',
      draft: pedido(theirs.id, mine.query),
      ...recusado,
    },
    { nome: 'de ninguém, com a minha assinatura', draft: pedido(randomUUID(), mine.query), ...recusado },
    { nome: 'próprio', draft: pedido(mine.id, mine.query), espera: 200 },
  ];
}

/** A signed address is good for what it names only. */
function assinado(
  { malote }: Mundo,
  rota: { proprio: string; alheio: string; nomes: readonly string[] },
): Caso[] {
  const [mine, theirs] = [new URL(rota.proprio), new URL(rota.alheio)];
  const pedido = (ids: readonly string[]): Rascunho => ({
    method: 'GET',
    origin: malote.url,
    path: Object.fromEntries(rota.nomes.map((name, index) => [name, ids[index] ?? ''])),
    query: mine.searchParams,
    headers: [],
  });
  const recusado = { espera: 'endereco_invalido', grupo: 'endereco' };
  return [
    { nome: 'próprio', draft: pedido(mine.pathname.split('/').slice(2)), espera: 200 },
    {
      nome: 'alheio, com a minha assinatura',
      draft: pedido(theirs.pathname.split('/').slice(2)),
      ...recusado,
    },
    { nome: 'de ninguém, com a minha assinatura', draft: pedido(['987654', '987654']), ...recusado },
  ];
}

/** The same digits as another script writes them. */
function arabic(digits: string): string {
  return [...digits].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join('');
}
