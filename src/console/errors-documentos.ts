import { AppError } from '../platform/errors.ts';
import { type CatalogoDeErros, errorsOf } from '../platform/http/catalogo.ts';

/** Codes of documents, exports and imports in the console, beside those that other areas have too. */
export const ERROS_DE_DOCUMENTOS = {
  exportacao_nao_encontrada: {
    status: 404,
    titulo: 'Exportação não encontrada',
    significado: 'Não há exportação com esse id, ou ela é de outra pessoa.',
    acao: 'Veja as suas exportações em GET /console/api/exportacoes.',
  },
  exportacao_sem_arquivo: {
    status: 409,
    titulo: 'Exportação sem arquivo',
    significado: 'A exportação ainda não terminou, falhou, foi interrompida ou já expirou (24 horas).',
    acao: 'Espere que fique pronta, ou peça outra.',
  },
  ordem_larga_demais: {
    status: 422,
    titulo: 'Documentos demais para pôr nesta ordem',
    significado: 'O filtro encontra mais documentos do que se ordena de uma vez por esta coluna.',
    acao: 'Escolha um cliente ou um período menor, ou ordene por emissão ou importação.',
  },
  exportacoes_demais: {
    status: 429,
    titulo: 'Exportações demais',
    significado: 'Já há exportações suas na fila ou em andamento.',
    acao: 'Espere que uma termine, ou a cancele.',
  },
  conteudo_excluido: {
    status: 410,
    titulo: 'Conteúdo excluído',
    significado: 'O conteúdo do documento foi apagado ao fim do prazo de guarda.',
    acao: 'Não há o que fazer: só o registro da entrada fica.',
  },
  pdf_indisponivel: {
    status: 422,
    titulo: 'PDF indisponível',
    significado:
      'O documento não pôde ser desenhado: passou do tempo ou da memória que um PDF pode usar, ou falta nele o que o desenho precisa.',
    acao: 'Use o XML.',
  },
  evento_provado: {
    status: 409,
    titulo: 'Evento provado',
    significado: 'O evento está provado tanto quanto o documento de que fala: não pode ser desconsiderado.',
    acao: 'Se o emitente o registrou por engano, só ele pode resolver isso na SEFAZ.',
  },
  versao_mais_fraca: {
    status: 409,
    titulo: 'Versão com prova mais fraca',
    significado: 'A versão tem prova mais fraca que a da entregue: não pode ser escolhida no lugar dela.',
    acao: 'Compare as provas das duas em "Versões".',
  },
  nada_a_mudar: {
    status: 409,
    titulo: 'Nada a mudar',
    significado: 'O documento já está como se pediu, ou mudou enquanto a página estava aberta.',
    acao: 'Abra a página do documento de novo.',
  },
  reimportacao_indisponivel: {
    status: 409,
    titulo: 'Reimportação indisponível',
    significado: 'O arquivo ainda está em processamento, nunca chegou, ou os seus bytes não existem mais.',
    acao: 'Espere que termine, ou envie o arquivo de novo.',
  },
} as const satisfies CatalogoDeErros;

const erro = errorsOf(ERROS_DE_DOCUMENTOS);

export const documentoNaoEncontrado = () =>
  new AppError({
    codigo: 'documento_nao_encontrado',
    status: 404,
    mensagem: 'Não há este documento entre os que você pode ver.',
  });

export const eventoProvado = () =>
  erro(
    'evento_provado',
    'Este evento está provado tanto quanto o documento de que fala, e não pode ser desconsiderado. Se foi registrado por engano, só o emitente pode resolver isso na SEFAZ.',
  );

export const versaoMaisFraca = () =>
  erro(
    'versao_mais_fraca',
    'Esta versão tem prova mais fraca que a da entregue e não pode ser escolhida no lugar dela.',
  );

export const nadaAMudar = () =>
  erro('nada_a_mudar', 'O documento já está como você pediu. Abra a página de novo para ver como ele está.');

export const periodoInvalido = (campo: string) =>
  new AppError({
    codigo: 'periodo_invalido',
    status: 400,
    mensagem: 'O fim do período é anterior ao começo.',
    erros: [{ campo, codigo: 'periodo_invalido', mensagem: 'O fim do período é anterior ao começo.' }],
  });

export const ordemLargaDemais = (limite: number) =>
  erro(
    'ordem_larga_demais',
    `Há mais de ${limite.toLocaleString('pt-BR')} documentos aqui, demais para pôr em ordem por esta coluna. Escolha um cliente ou um período menor.`,
  );

export const extensaoInvalida = () =>
  new AppError({
    codigo: 'extensao_invalida',
    status: 400,
    mensagem: 'Envie .xml ou .zip; outros arquivos, como .txt, vão dentro de um .zip.',
    erros: [{ campo: 'nome', codigo: 'extensao_invalida', mensagem: 'Envie .xml ou .zip.' }],
  });

export const arquivoNaoEncontrado = () =>
  new AppError({
    codigo: 'arquivo_nao_encontrado',
    status: 404,
    mensagem: 'Não há arquivo com esse id neste escritório.',
  });

export const exportacaoNaoEncontrada = () =>
  erro('exportacao_nao_encontrada', 'Não há exportação sua com esse id.');

export const exportacaoSemArquivo = (mensagem: string) => erro('exportacao_sem_arquivo', mensagem);

export const exportacoesDemais = (limite: number) =>
  erro(
    'exportacoes_demais',
    `Já há ${limite} exportações suas na fila ou em andamento. Espere que uma termine.`,
    { headers: { 'retry-after': '30' } },
  );

export const conteudoExcluido = () =>
  erro('conteudo_excluido', 'O conteúdo deste documento foi apagado ao fim do prazo de guarda.');

export const pdfIndisponivel = () =>
  erro('pdf_indisponivel', 'O PDF deste documento não pôde ser feito. O XML continua disponível.');

export const reimportacaoIndisponivel = (mensagem: string) => erro('reimportacao_indisponivel', mensagem);
