import { AppError, type AppErrorFields } from '../errors.ts';

/** What `docs/erros.md` and the OpenAPI document say of one error code. */
interface ErroDocumentado {
  status: number;
  /** `title` of the problem: the same for every occurrence. */
  titulo: string;
  /** When it is answered. */
  significado: string;
  /** What the caller does about it. */
  acao: string;
}

/** Error codes by name. Each area declares its own; `catalogo-de-erros.ts` joins them. */
export type CatalogoDeErros = Readonly<Record<string, ErroDocumentado>>;

/** Makes errors of one catalogue, which says the status of each; `mensagem` (pt-BR) says what is wrong and what to do. */
export const errorsOf =
  <C extends CatalogoDeErros>(catalogo: C) =>
  (
    codigo: keyof C & string,
    mensagem: string,
    more: Pick<AppErrorFields, 'erros' | 'headers' | 'cause'> = {},
  ): AppError => {
    const { status } = catalogo[codigo] as ErroDocumentado;
    return new AppError({ codigo, status, mensagem, ...more });
  };

/** Codes of the HTTP machinery itself; those of a subject stand in the area's own `errors.ts`. */
export const ERROS_HTTP = {
  corpo_invalido: {
    status: 400,
    titulo: 'Corpo inválido',
    significado: 'O corpo não é um objeto JSON válido em UTF-8.',
    acao: 'Envie um objeto JSON com Content-Type: application/json.',
  },
  dados_invalidos: {
    status: 400,
    titulo: 'Dados inválidos',
    significado: 'Um ou mais campos do corpo têm valor inválido; `erros` nomeia todos.',
    acao: 'Corrija cada campo listado em `erros` e envie de novo.',
  },
  parametro_obrigatorio: {
    status: 400,
    titulo: 'Parâmetro obrigatório',
    significado: 'Falta um parâmetro obrigatório, ou ele veio vazio.',
    acao: 'Informe o parâmetro nomeado em `erros`.',
  },
  parametro_repetido: {
    status: 400,
    titulo: 'Parâmetro repetido',
    significado: 'Um parâmetro veio mais de uma vez (maiúsculas e minúsculas não o distinguem).',
    acao: 'Envie o parâmetro uma única vez.',
  },
  booleano_invalido: {
    status: 400,
    titulo: 'Booleano inválido',
    significado: 'Um parâmetro booleano tem outro valor.',
    acao: 'Use true, false, 1 ou 0.',
  },
  pagina_invalida: {
    status: 400,
    titulo: 'Página inválida',
    significado: 'Pagina não é um inteiro maior ou igual a 1.',
    acao: 'Conte as páginas a partir de 1.',
  },
  tamanho_invalido: {
    status: 400,
    titulo: 'Tamanho inválido',
    significado: 'Tamanho não é um inteiro de 1 a 500.',
    acao: 'Peça de 1 a 500 registros por página.',
  },
  caminho_invalido: {
    status: 400,
    titulo: 'Caminho inválido',
    significado: 'O caminho da requisição tem uma sequência % que não se decodifica.',
    acao: 'Codifique os valores do caminho em UTF-8 com %XX.',
  },
  requisicao_malformada: {
    status: 400,
    titulo: 'Requisição malformada',
    significado: 'Os bytes recebidos não são uma requisição HTTP válida, ou ela traz dois cabeçalhos Host.',
    acao: 'Confira o cliente HTTP e os intermediários; a conexão pode ser fechada.',
  },
  credencial_repetida: {
    status: 400,
    titulo: 'Credencial repetida',
    significado: 'O cabeçalho Authorization veio mais de uma vez.',
    acao: 'Envie um único cabeçalho Authorization.',
  },
  rota_nao_encontrada: {
    status: 404,
    titulo: 'Rota não encontrada',
    significado: 'O endereço não existe.',
    acao: 'Confira o caminho em /docs.',
  },
  metodo_nao_permitido: {
    status: 405,
    titulo: 'Método não permitido',
    significado: 'O endereço existe, mas não aceita este método.',
    acao: 'Use um dos métodos do cabeçalho Allow.',
  },
  tempo_esgotado: {
    status: 408,
    titulo: 'Tempo esgotado',
    significado: 'A requisição não terminou de chegar a tempo.',
    acao: 'Repita a requisição por uma conexão nova.',
  },
  corpo_grande_demais: {
    status: 413,
    titulo: 'Corpo grande demais',
    significado: 'O corpo passa do limite: 1 MB em JSON, 30 MB no envio de arquivos.',
    acao: 'Divida o conteúdo em requisições menores.',
  },
  tipo_de_conteudo_invalido: {
    status: 415,
    titulo: 'Tipo de conteúdo inválido',
    significado: 'O Content-Type, ou o Content-Encoding, não é aceito neste endereço.',
    acao: 'Envie application/json, sem codificação ou em gzip; no envio de arquivos, os bytes do arquivo sem multipart.',
  },
  limite_excedido: {
    status: 429,
    titulo: 'Limite excedido',
    significado: 'O token passou do limite de requisições por minuto.',
    acao: 'Espere os segundos de Retry-After e repita.',
  },
  cabecalhos_grandes_demais: {
    status: 431,
    titulo: 'Cabeçalhos grandes demais',
    significado: 'Os cabeçalhos da requisição passam de 16 KB.',
    acao: 'Reduza os cabeçalhos (cookies, por exemplo).',
  },
  erro_interno: {
    status: 500,
    titulo: 'Erro interno',
    significado: 'O serviço falhou; a resposta traz apenas o requestId, e o registro do serviço tem o resto.',
    acao: 'Repita mais tarde; se persistir, informe o requestId a quem opera o serviço.',
  },
  indisponivel: {
    status: 503,
    titulo: 'Indisponível',
    significado: 'O serviço não consegue atender agora (banco ou disco indisponível, por exemplo).',
    acao: 'Espere os segundos de Retry-After e repita.',
  },
} as const satisfies CatalogoDeErros;
