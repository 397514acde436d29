import { type CatalogoDeErros, errorsOf } from '../platform/http/catalogo.ts';

export const ERROS_RETENCAO = {
  exclusao_nao_encontrada: {
    status: 404,
    titulo: 'Exclusão não encontrada',
    significado: 'Não há exclusão com este id neste escritório.',
    acao: 'Liste as exclusões e confira o id.',
  },
  exclusao_em_outro_estado: {
    status: 409,
    titulo: 'Exclusão em outro estado',
    significado: 'O passo pedido não cabe no estado em que a exclusão está.',
    acao: 'Espere a preparação terminar, ou prepare outra exclusão.',
  },
  exclusao_em_andamento: {
    status: 409,
    titulo: 'Exclusão em andamento',
    significado:
      'O escritório já tem uma exclusão em preparação, à espera de confirmação, em execução ou que falhou.',
    acao: 'Confirme, retome ou cancele a que existe.',
  },
  pacote_nao_baixado: {
    status: 409,
    titulo: 'Cópia ainda não baixada',
    significado: 'Antes de confirmar a exclusão, todos os pacotes ZIP dela devem ser baixados.',
    acao: 'Baixe os pacotes e confirme de novo.',
  },
  nada_a_excluir: {
    status: 422,
    titulo: 'Nada a excluir',
    significado: 'Nenhum documento passou do prazo de guarda, ou todos estão sob guarda legal.',
    acao: 'Veja a prévia.',
  },
  guarda_nao_encontrada: {
    status: 404,
    titulo: 'Guarda legal não encontrada',
    significado: 'Não há guarda legal em vigor com este id neste escritório.',
    acao: 'Liste as guardas e confira o id.',
  },
} as const satisfies CatalogoDeErros;

const erro = errorsOf(ERROS_RETENCAO);

export const exclusaoNaoEncontrada = () =>
  erro('exclusao_nao_encontrada', 'Este escritório não tem exclusão com este id.');

export const exclusaoEmOutroEstado = (estado: string, esperado: string) =>
  erro('exclusao_em_outro_estado', `O estado da exclusão é ${estado}; este passo pede ${esperado}.`);

export const exclusaoEmAndamento = (id: string) =>
  erro(
    'exclusao_em_andamento',
    `A exclusão ${id} ainda não terminou: confirme-a, retome-a ou cancele-a antes.`,
  );

export const pacoteNaoBaixado = (partes: readonly number[]) =>
  erro(
    'pacote_nao_baixado',
    `Baixe antes a cópia dos documentos: falta(m) a(s) parte(s) ${partes.join(', ')}.`,
  );

export const nadaAExcluir = () =>
  erro('nada_a_excluir', 'Nenhum documento deste escritório passou do prazo de guarda.');

export const guardaNaoEncontrada = () =>
  erro('guarda_nao_encontrada', 'Este escritório não tem guarda legal em vigor com este id.');
