import { type CatalogoDeErros, errorsOf } from '../../platform/http/catalogo.ts';

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

const erro = errorsOf(ERROS_LEIAUTES);

export const leiauteInvalido = (faltas: readonly string[]) =>
  erro('leiaute_invalido', faltas[0] ?? 'A descrição do leiaute não é válida.', {
    erros: faltas.map((mensagem) => ({ campo: 'leiaute', codigo: 'leiaute_invalido', mensagem })),
  });

export const leiauteNaoEncontrado = () =>
  erro(
    'leiaute_nao_encontrado',
    'Este leiaute, ou o que espera por um, não está mais aqui. Abra a lista de novo.',
  );

export const leiauteDemorado = () =>
  erro(
    'leiaute_demorado',
    'A leitura do que espera por este leiaute demorou demais. Dispense os arquivos que não são notas e tente de novo.',
  );

export const leiautesDemais = (max: number) =>
  erro(
    'leiautes_demais',
    `O escritório já tem ${max} leiautes. Retire os que não usa antes de gravar outro.`,
  );
