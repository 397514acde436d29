import { AppError, type ErroDeCampo } from '../platform/errors.ts';
import { type CatalogoDeErros, errorsOf } from '../platform/http/catalogo.ts';

/** Error codes of the import area, beside those of the HTTP machinery. */
export const ERROS_DE_IMPORTACAO = {
  size_invalido: {
    status: 400,
    titulo: 'Tamanho inválido',
    significado: '`size` não é um inteiro de 1 a 30000000 (bytes).',
    acao: 'Informe o tamanho do arquivo em bytes; divida arquivos maiores.',
  },
  extensao_invalida: {
    status: 400,
    titulo: 'Extensão inválida',
    significado: '`extension` não é .zip nem .xml.',
    acao: 'Envie .zip ou .xml; arquivos .txt vão dentro de um .zip.',
  },
  arquivo_nao_encontrado: {
    status: 404,
    titulo: 'Arquivo não encontrado',
    significado: 'Não há arquivo com esse id neste escritório.',
    acao: 'Use o id devolvido por POST /storage, com o token do mesmo escritório.',
  },
  endereco_incompleto: {
    status: 403,
    titulo: 'Endereço incompleto',
    significado: 'Falta, ou se repete, um dos parâmetros StorageAccessKeyId, Expires e Signature.',
    acao: 'Use a url de POST /storage exatamente como veio.',
  },
  endereco_expirado: {
    status: 403,
    titulo: 'Endereço expirado',
    significado:
      'O envio começou depois do prazo do endereço (1 minuto), ou quem o pediu não pode mais enviar.',
    acao: 'Peça outro endereço a POST /storage e envie em seguida.',
  },
  endereco_invalido: {
    status: 403,
    titulo: 'Endereço inválido',
    significado: 'A assinatura não confere com o endereço, ou ele não existe mais.',
    acao: 'Use a url de POST /storage exatamente como veio, ou peça outra.',
  },
  arquivo_ja_recebido: {
    status: 409,
    titulo: 'Arquivo já recebido',
    significado: 'Outros bytes já foram aceitos neste endereço.',
    acao: 'Peça outro endereço a POST /storage para enviar outro arquivo.',
  },
  corpo_incompleto: {
    status: 400,
    titulo: 'Corpo incompleto',
    significado: 'Chegaram menos bytes do que o Content-Length anuncia; nada foi guardado.',
    acao: 'Repita o envio no mesmo endereço, enquanto ele valer.',
  },
  corpo_ausente: {
    status: 411,
    titulo: 'Corpo ausente',
    significado: 'O envio não traz corpo: nem Content-Length nem Transfer-Encoding.',
    acao: 'Envie os bytes do arquivo como corpo do PUT, no mesmo endereço, enquanto ele valer.',
  },
  md5_invalido: {
    status: 400,
    titulo: 'Content-MD5 inválido',
    significado: 'Content-MD5 não é o Base64 de 16 bytes.',
    acao: 'Corrija ou omita o cabeçalho Content-MD5.',
  },
  md5_divergente: {
    status: 400,
    titulo: 'Content-MD5 divergente',
    significado: 'Os bytes recebidos não têm o MD5 anunciado; nada foi guardado.',
    acao: 'Repita o envio no mesmo endereço, enquanto ele valer.',
  },
} as const satisfies CatalogoDeErros;

const erro = errorsOf(ERROS_DE_IMPORTACAO);

export const sizeInvalido = (): ErroDeCampo => ({
  campo: 'size',
  codigo: 'size_invalido',
  mensagem: 'size deve ser um número inteiro de 1 a 30000000 (bytes).',
});

export const extensaoInvalida = (): ErroDeCampo => ({
  campo: 'extension',
  codigo: 'extensao_invalida',
  mensagem: 'extension deve ser .zip ou .xml; arquivos .txt vão dentro de um .zip.',
});

export const campoObrigatorio = (campo: string): ErroDeCampo => ({
  campo,
  codigo: 'parametro_obrigatorio',
  mensagem: `${campo} é obrigatório.`,
});

/** The first faulty field names the problem; `erros` has all of them. */
export const pedidoInvalido = (erros: readonly [ErroDeCampo, ...ErroDeCampo[]]) =>
  new AppError({ codigo: erros[0].codigo, status: 400, mensagem: erros[0].mensagem, erros });

/** The file itself was sent where its address is asked for. @param origin the import area, as the caller knows it */
export const saoDoisPassos = (origin: string) =>
  new AppError({
    codigo: 'tipo_de_conteudo_invalido',
    status: 415,
    mensagem:
      'Este endereço recebe um pedido em JSON, e o arquivo vai depois, em outro. São dois passos: ' +
      `1) curl ${origin}/storage -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"size": 12345, "extension": ".xml"}'; ` +
      '2) curl -T arquivo.xml "$URL", em até 60 segundos, com a url que o passo 1 respondeu.',
  });

export const ARQUIVO_NAO_ENCONTRADO =
  'Não há arquivo com esse id neste escritório. Use o id que POST /storage devolveu, com um token do mesmo escritório.';

export const arquivoNaoEncontrado = () => erro('arquivo_nao_encontrado', ARQUIVO_NAO_ENCONTRADO);
