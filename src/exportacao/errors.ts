import type { ErroDeCampo } from '../platform/errors.ts';
import { type CatalogoDeErros, errorsOf } from '../platform/http/catalogo.ts';
import { dadoInvalido, dadosInvalidos } from '../platform/http/errors.ts';

export const ERROS_EXPORTACAO = {
  nsu_invalido: {
    status: 400,
    titulo: 'NSU inválido',
    significado: 'O NSU do caminho não é um inteiro (int64) maior ou igual a zero.',
    acao: 'Use o último NSU lido, ou 0 para começar.',
  },
  chave_invalida: {
    status: 400,
    titulo: 'Chave inválida',
    significado: 'O valor não tem o formato de uma chave de acesso.',
    acao: 'Envie os 44 caracteres da chave (50 na NFS-e nacional).',
  },
  data_invalida: {
    status: 400,
    titulo: 'Data inválida',
    significado: 'DataInicial ou DataFinal não tem um dos formatos aceitos, ou a data não existe.',
    acao: 'Use AAAA-MM-DD, DD/MM/AAAA ou AAAAMMDD, com ou sem hora.',
  },
  periodo_invalido: {
    status: 400,
    titulo: 'Período inválido',
    significado: 'DataFinal é anterior a DataInicial.',
    acao: 'Inverta as datas.',
  },
  tipo_invalido: {
    status: 400,
    titulo: 'Tipo inválido',
    significado: 'Tipo não é um dos valores aceitos.',
    acao: 'Use Emitidas, Recebidas ou Todas.',
  },
  status_invalido: {
    status: 400,
    titulo: 'Status inválido',
    significado: 'Status não é um dos valores aceitos neste endereço.',
    acao: 'Use um dos valores que a mensagem lista.',
  },
  endereco_invalido: {
    status: 403,
    titulo: 'Endereço inválido',
    significado: 'O endereço assinado foi alterado, está incompleto ou a sua chave foi aposentada.',
    acao: 'Use o endereço exatamente como veio, ou peça outro.',
  },
  endereco_expirado: {
    status: 403,
    titulo: 'Endereço expirado',
    significado:
      'O endereço assinado passou da validade: 15 minutos na leitura, 1 minuto no envio de arquivos. O de envio também deixa de valer quando o token que o pediu é revogado.',
    acao: 'Peça um endereço novo: repita a consulta do registro, ou o POST /storage.',
  },
  finalidade_nao_se_aplica: {
    status: 409,
    titulo: 'Finalidade não se aplica',
    significado:
      'O cliente não adquiriu bens nem serviços por este documento: vendeu, devolveu, só transportou.',
    acao: 'Informe a finalidade só do que foi adquirido: as entradas com `url_finalidade`.',
  },
  documento_nao_encontrado: {
    status: 404,
    titulo: 'Documento não encontrado',
    significado: 'O cliente não tem documento com este NSU ou esta chave.',
    acao: 'Confira o valor; o documento pode ainda não ter sido importado.',
  },
} as const satisfies CatalogoDeErros;

const erro = errorsOf(ERROS_EXPORTACAO);

export const documentoNaoEncontrado = () =>
  erro(
    'documento_nao_encontrado',
    'Este cliente não tem documento com este NSU ou esta chave. Confira o valor; o documento pode ainda não ter chegado.',
  );

const DATAS_TROCADAS = 'DataFinal é anterior a DataInicial. Troque as datas, ou envie só DataInicial.';

export const periodoInvalido = () =>
  erro('periodo_invalido', DATAS_TROCADAS, {
    erros: [{ campo: 'DataFinal', codigo: 'periodo_invalido', mensagem: DATAS_TROCADAS }],
  });

export const enderecoInvalido = () =>
  erro('endereco_invalido', 'O endereço foi alterado ou está incompleto. Peça o registro de novo.');

export const enderecoExpirado = () =>
  erro('endereco_expirado', 'O endereço expirou. Peça o registro de novo para receber outro.');

export const finalidadeNaoSeAplica = () =>
  erro(
    'finalidade_nao_se_aplica',
    'O cliente não adquiriu nada por este documento: a finalidade de aquisição vale só para o que entrou (recebidas, serviços tomados e notas de entrada próprias). Informe-a só onde há url_finalidade.',
  );

export const finalidadeVazia = () =>
  dadoInvalido('', 'Informe finalidade_aquisicao, itens ou ambos.', 'obrigatorio');

export const itensInvalidos = (erros: readonly ErroDeCampo[]) => dadosInvalidos(erros);
