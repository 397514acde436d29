import { type CatalogoDeErros, errorsOf } from '../platform/http/catalogo.ts';

export const ERROS_CAPTURA = {
  servico_invalido: {
    status: 400,
    titulo: 'Serviço inválido',
    significado: 'O serviço do caminho não é um dos que a captura conhece.',
    acao: 'Use nfe, cte, nfse ou nfce.',
  },
  captura_desligada: {
    status: 409,
    titulo: 'Captura desligada',
    significado: 'A captura deste serviço não está ligada para este cliente.',
    acao: 'Ligue-a antes, com o consentimento do cliente.',
  },
  chave_de_outro_servico: {
    status: 422,
    titulo: 'Chave que não se busca',
    significado:
      'O documento desta chave não pode ser pedido pela chave a nenhum serviço, ou não por este cliente.',
    acao: 'Leia a mensagem: ela diz por quê e de onde o documento pode vir.',
  },
} as const satisfies CatalogoDeErros;

const erro = errorsOf(ERROS_CAPTURA);

export const capturaDesligada = () =>
  erro('captura_desligada', 'A captura deste serviço não está ligada para este cliente. Ligue-a antes.');

export const chaveDeOutroServico = (mensagem: string) => erro('chave_de_outro_servico', mensagem);
