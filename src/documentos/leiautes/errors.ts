import { AppError } from '../../platform/errors.ts';
import type { CatalogoDeErros } from '../../platform/http/catalogo.ts';

export const ERROS_LEIAUTES = {
  leiaute_invalido: {
    status: 422,
    titulo: 'Leiaute inválido',
    significado:
      'A descrição do leiaute não passou na conferência, e nada foi gravado; `erros` diz o que falta.',
    acao: 'Corrija o que `erros` diz, ou peça o arquivo de novo a quem o enviou.',
  },
  leiaute_nao_encontrado: {
    status: 404,
    titulo: 'Leiaute não encontrado',
    significado: 'O escritório não tem leiaute com esse nome, ou nada espera por um com essa forma.',
    acao: 'Confira a lista: ele pode já ter sido retirado, ou as notas já lidas.',
  },
  leiaute_demorado: {
    status: 422,
    titulo: 'Leitura demorada',
    significado: 'O que espera por leiaute não pôde ser lido no tempo que uma leitura pode usar.',
    acao: 'Aponte caminhos mais diretos; se persistir, dispense os arquivos que não são notas.',
  },
  leiautes_demais: {
    status: 409,
    titulo: 'Leiautes demais',
    significado: 'O escritório já tem tantos leiautes ensinados e instalados quantos pode ter.',
    acao: 'Retire os que não usa.',
  },
} as const satisfies CatalogoDeErros;

export const leiauteInvalido = (faltas: readonly string[]) =>
  new AppError({
    codigo: 'leiaute_invalido',
    status: 422,
    mensagem: faltas[0] ?? 'A descrição do leiaute não é válida.',
    erros: faltas.map((mensagem) => ({ campo: 'leiaute', codigo: 'leiaute_invalido', mensagem })),
  });

export const leiauteNaoEncontrado = () =>
  new AppError({
    codigo: 'leiaute_nao_encontrado',
    status: 404,
    mensagem: 'Este leiaute, ou o que espera por um, não está mais aqui. Abra a lista de novo.',
  });

export const leiauteDemorado = () =>
  new AppError({
    codigo: 'leiaute_demorado',
    status: 422,
    mensagem:
      'A leitura do que espera por este leiaute demorou demais. Dispense os arquivos que não são notas e tente de novo.',
  });

export const leiautesDemais = (max: number) =>
  new AppError({
    codigo: 'leiautes_demais',
    status: 409,
    mensagem: `O escritório já tem ${max} leiautes. Retire os que não usa antes de gravar outro.`,
  });
