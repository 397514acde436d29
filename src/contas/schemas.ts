/** Wire shapes of the accounts area: they document; the bodies themselves are read by `corpo-do-cliente.ts`. */
import type { TObject } from 'typebox';
import { parseCpfCnpj } from '../fiscal/cpf-cnpj.ts';
import type { CatalogoDeErros } from '../platform/http/catalogo.ts';
import { Type } from '../platform/http/esquema.ts';
import { parameter } from '../platform/http/parametros.ts';
import { DO_CORPO, errorResponses, jsonResponse } from '../platform/http/respostas.ts';

const text = (description: string, more: object = {}) => Type.String({ description, ...more });

const plataforma = parameter<string>({
  codigo: 'rota_nao_encontrada',
  mensagem: 'Este endereço não existe. Confira o caminho em /docs.',
  schema: {
    type: 'string',
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'Nome da plataforma, como o programa o tem: qualquer um.',
    examples: ['platform'],
  },
  // Judged before anything else: another word is another path.
  read: (given) => given,
});

const crm = parameter<string>({
  codigo: 'crm_invalido',
  mensagem: 'codigoCrm deve ter de 1 a 6 dígitos.',
  schema: {
    type: 'string',
    pattern: '^[0-9]{1,6}$',
    description: 'Código CRM do contador; zeros à esquerda podem faltar.',
    examples: ['000123'],
    'x-variavel': 'CRM',
  },
  // Judged by the guard, before anything else of the path.
  read: (given) => given,
});

const cpfCnpj = parameter<string>({
  codigo: 'cpf_cnpj_invalido',
  mensagem: 'CPFCNPJ deve ser um CPF ou CNPJ com dígitos verificadores válidos.',
  schema: {
    type: 'string',
    description: 'CPF ou CNPJ do cliente, com ou sem máscara; o CNPJ pode ter letras.',
    examples: ['11222333000181'],
    'x-variavel': 'CNPJ',
  },
  // The text itself is kept: of several readings of a short number the registered one is meant.
  read: (given) => (parseCpfCnpj(given) ? given : undefined),
});

export const ContadorParams = Type.Object({ plataforma, CRM: crm });
export const ClienteParams = Type.Object({ plataforma, CRM: crm, CPFCNPJ: cpfCnpj });

const campos = {
  nomeEmpresa: text('Nome ou razão social, de 2 a 200 caracteres.', {
    minLength: 2,
    maxLength: 200,
    examples: ['Padaria Exemplo'],
  }),
  email: text('E-mail do cliente.', { format: 'email', examples: ['fiscal@exemplo.com.br'] }),
};
const opcionais = {
  arquivoCertificado: Type.Optional(
    text('Certificado A1 (PKCS#12, até 64 KB) em Base64. Com ele, senha e UF são obrigatórias.'),
  ),
  senhaCertificado: Type.Optional(text('Senha do certificado em Base64.')),
  ufCertificado: Type.Optional(text('UF do certificado, por exemplo SP.')),
  trabalhaComProcuracao: Type.Optional(
    Type.Boolean({
      description: 'O contador age com o próprio certificado, por procuração: o titular não é comparado.',
    }),
  ),
};

const ATENDIDOS = [
  'rota_nao_encontrada',
  'credencial_repetida',
  'token_ausente',
  'token_invalido',
  'escopo_insuficiente',
  'limite_excedido',
  'crm_invalido',
  'crm_nao_autorizado',
  ...DO_CORPO,
  'dados_invalidos',
  'certificado_invalido',
];

const common = { tags: ['Contas'], security: [{ oauth: [] }] };

/** @param catalogo with the codes of the guard, which stands above this area */
export function cadastroSchema(catalogo: CatalogoDeErros) {
  return {
    ...common,
    operationId: 'cadastrarCliente',
    summary: 'Cadastra um cliente do contador',
    description:
      'Documentos que esperavam por este cliente entram na sua fila na mesma hora, em ordem de chegada. O certificado é ' +
      'aberto e conferido antes: quando não é aceito, nada é cadastrado.',
    params: ContadorParams,
    body: Type.Object(
      {
        cpfCnpj: text('CPF ou CNPJ do cliente, com ou sem máscara.', { examples: ['11444777000161'] }),
        ...campos,
        ...opcionais,
      },
      { title: 'CadastroDeCliente' },
    ),
    response: answers(catalogo, {
      description: 'Cliente cadastrado',
      schema: Type.Object(
        {
          data: Type.Object(
            {
              id: Type.Integer({ description: 'Identificador do cliente.' }),
              message: text('Texto para pessoas.'),
            },
            { title: 'DadosDoCadastro' },
          ),
        },
        { title: 'ClienteCadastrado' },
      ),
      codigos: [...ATENDIDOS, 'cliente_ja_cadastrado'],
    }),
  };
}

/** @param catalogo with the codes of the guard, which stands above this area */
export function atualizacaoSchema(catalogo: CatalogoDeErros) {
  return {
    ...common,
    operationId: 'atualizarCliente',
    summary: 'Atualiza um cliente do contador',
    description: 'Campos ausentes ficam como estão. Um certificado substitui o anterior.',
    params: ClienteParams,
    body: Type.Partial(Type.Object({ ...campos, ...opcionais }), { title: 'AtualizacaoDeCliente' }),
    response: answers(catalogo, {
      description: 'Cliente atualizado',
      schema: Type.Object(
        { message: text('Texto para pessoas; nomeia o CPF ou CNPJ.') },
        { title: 'ClienteAtualizado' },
      ),
      codigos: [...ATENDIDOS, 'cpf_cnpj_invalido', 'cliente_nao_encontrado'],
    }),
  };
}

function answers(
  catalogo: CatalogoDeErros,
  answer: { description: string; schema: TObject; codigos: readonly string[] },
) {
  return { ...jsonResponse(answer.description, answer.schema), ...errorResponses(catalogo, answer.codigos) };
}
