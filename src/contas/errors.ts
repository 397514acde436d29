import { formatCpfCnpj } from '../fiscal/cpf-cnpj.ts';
import type { ErroDeCampo } from '../platform/errors.ts';
import { type CatalogoDeErros, errorsOf } from '../platform/http/catalogo.ts';

export const ERROS_CONTAS = {
  cpf_cnpj_invalido: {
    status: 400,
    titulo: 'CPF ou CNPJ inválido',
    significado:
      'O valor não é um CPF nem um CNPJ (numérico ou alfanumérico) com dígitos verificadores válidos.',
    acao: 'Confira o número; a máscara é aceita quando codificada na URL.',
  },
  cliente_nao_encontrado: {
    status: 404,
    titulo: 'Cliente não encontrado',
    significado: 'O CPF/CNPJ não está cadastrado como cliente deste contador.',
    acao: 'Cadastre o cliente, ou confira o CPF/CNPJ.',
  },
  contador_nao_encontrado: {
    status: 404,
    titulo: 'Contador não encontrado',
    significado: 'O código CRM não está cadastrado (somente na linha de comando).',
    acao: 'Crie a conta com `malote conta criar`.',
  },
  cliente_ja_cadastrado: {
    status: 409,
    titulo: 'Cliente já cadastrado',
    significado: 'O CPF/CNPJ já é cliente deste contador.',
    acao: 'Use a atualização de cliente.',
  },
  certificado_invalido: {
    status: 422,
    titulo: 'Certificado inválido',
    significado: 'O certificado A1 não pôde ser aceito, e nada foi gravado; `erros` diz por quê.',
    acao: 'Envie outro certificado, ou corrija a senha.',
  },
  contador_ja_cadastrado: {
    status: 409,
    titulo: 'Contador já cadastrado',
    significado: 'O código CRM já tem conta (somente na linha de comando).',
    acao: 'Escolha outro código CRM, ou use a conta que existe.',
  },
} as const satisfies CatalogoDeErros;

const erro = errorsOf(ERROS_CONTAS);

export const clienteNaoEncontrado = () =>
  erro(
    'cliente_nao_encontrado',
    'Este CPF/CNPJ não está cadastrado como cliente deste contador. Confira o número, ou cadastre o cliente.',
  );

export const contadorNaoEncontrado = (codigoCrm: string) =>
  erro('contador_nao_encontrado', `Não há conta com o código CRM ${codigoCrm}.`);

export const clienteJaCadastrado = (cpfCnpj: string) =>
  erro(
    'cliente_ja_cadastrado',
    `O CPF/CNPJ ${formatCpfCnpj(cpfCnpj)} já está cadastrado como cliente deste contador. Use o cadastro que existe, ou altere-o.`,
  );

export const contadorJaCadastrado = (codigoCrm: string) =>
  erro('contador_ja_cadastrado', `Já existe uma conta com o código CRM ${codigoCrm}.`);

export const certificadoInvalido = (erros: readonly ErroDeCampo[]) =>
  erro('certificado_invalido', erros.map(({ mensagem }) => mensagem).join(' '), { erros });
