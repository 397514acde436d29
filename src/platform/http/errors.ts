import { AppError, type ErroDeCampo } from '../errors.ts';

export const rotaNaoEncontrada = () =>
  new AppError({
    codigo: 'rota_nao_encontrada',
    status: 404,
    mensagem: 'Este endereço não existe. Confira o caminho em /docs.',
  });

export const metodoNaoPermitido = (method: string, allowed: readonly string[]) =>
  new AppError({
    codigo: 'metodo_nao_permitido',
    status: 405,
    mensagem: `Este endereço não aceita ${method}. Métodos aceitos: ${allowed.join(', ')}.`,
    headers: { allow: allowed.join(', ') },
  });

export const caminhoInvalido = () =>
  new AppError({
    codigo: 'caminho_invalido',
    status: 400,
    mensagem: 'O caminho tem uma sequência % que não se decodifica em UTF-8.',
  });

export const requisicaoMalformada = (detail: string) =>
  new AppError({ codigo: 'requisicao_malformada', status: 400, mensagem: detail });

export const corpoInvalido = (detail: string) =>
  new AppError({ codigo: 'corpo_invalido', status: 400, mensagem: detail });

export const dadosInvalidos = (erros: readonly ErroDeCampo[]) =>
  new AppError({
    codigo: 'dados_invalidos',
    status: 400,
    mensagem:
      erros.length === 1 && erros[0] ? erros[0].mensagem : `${erros.length} campos têm valor inválido.`,
    erros,
  });

export const corpoGrandeDemais = (limitBytes: number) =>
  new AppError({
    codigo: 'corpo_grande_demais',
    status: 413,
    mensagem: `O corpo passa do limite de ${limitBytes.toLocaleString('pt-BR')} bytes.`,
  });

export const tipoDeConteudoInvalido = (accepted: string) =>
  new AppError({
    codigo: 'tipo_de_conteudo_invalido',
    status: 415,
    mensagem: `Content-Type não aceito. Envie ${accepted}.`,
  });

/** RFC 9110, 15.5.16: the header tells what would be taken. */
export const codificacaoInvalida = () =>
  new AppError({
    codigo: 'tipo_de_conteudo_invalido',
    status: 415,
    mensagem: 'Content-Encoding não aceito. Envie o JSON sem codificação, ou em gzip.',
    headers: { 'accept-encoding': 'gzip, identity' },
  });

export const limiteExcedido = (retryAfterSeconds: number) =>
  new AppError({
    codigo: 'limite_excedido',
    status: 429,
    mensagem: `Limite de requisições por minuto excedido. Repita em ${retryAfterSeconds} s.`,
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

/** The cause of an `indisponivel` that is no fault: a process that starts or stops. Nobody need look into it. */
export class NotNow extends Error {}

export const indisponivel = (retryAfterSeconds: number, cause?: unknown) =>
  new AppError({
    codigo: 'indisponivel',
    status: 503,
    mensagem: `O serviço não consegue atender agora. Repita em ${retryAfterSeconds} s.`,
    headers: { 'retry-after': String(retryAfterSeconds) },
    cause,
  });

export const erroInterno = (cause: unknown) =>
  new AppError({
    codigo: 'erro_interno',
    status: 500,
    mensagem: 'Erro interno. Informe o requestId a quem opera o serviço.',
    cause,
  });
