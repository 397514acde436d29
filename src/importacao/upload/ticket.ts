import { randomUUID } from 'node:crypto';
import type { Enderecos } from '../../autorizacao/contexto.ts';
import type { Deps } from '../../deps.ts';
import type { AppError, ErroDeCampo } from '../../platform/errors.ts';
import { asMeant } from '../../platform/http/corpo.ts';
import { corpoInvalido } from '../../platform/http/errors.ts';
import { campoObrigatorio, extensaoInvalida, pedidoInvalido, sizeInvalido } from '../errors.ts';
import { ENDERECO_VALE_SEGUNDOS, IMPORT_MAX_BYTES } from '../limites.ts';
import { insertArquivo } from '../queries.ts';
import { writeAlcance } from '../recebido.ts';
import { PedidoBody } from '../schemas.ts';
import { STATUS_ARQUIVO } from '../tipos.ts';
import { signedParts, uploadAddress } from './upload-address.ts';

/** The body of `POST /storage`, checked. */
export interface Pedido {
  /** Announced bytes: advisory, the real size is recorded when the file is in. */
  size: number;
  /** As it was sent, without blanks around it. */
  extension: string;
}

/** The upload ticket (specification 2.3), in the order of its keys. */
interface Ticket {
  mensagem: string;
  url: string;
  id: string;
}

/** With or without the dot, in any case; `.txt` travels inside a `.zip`. */
const EXTENSAO = /^\.?(?:zip|xml)$/i;

/** Reads the body of `POST /storage`; unknown fields are ignored. */
export function readPedido(sent: unknown): { value: Pedido } | { error: AppError } {
  const meant = asMeant(PedidoBody, sent);
  if ('error' in meant) return meant;
  const { value: body } = meant;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { error: corpoInvalido('O corpo deve ser um objeto JSON com size e extension.') };
  }
  const { size, extension } = body as Record<string, unknown>;
  const [first, ...others] = [faultOfSize(size), faultOfExtension(extension)].filter(
    (fault) => fault !== null,
  );
  if (first) return { error: pedidoInvalido([first, ...others]) };
  return { value: { size, extension } as Pedido };
}

function faultOfSize(size: unknown): ErroDeCampo | null {
  if (size === undefined || size === null) return campoObrigatorio('size');
  const fits = Number.isInteger(size) && Number(size) >= 1 && Number(size) <= IMPORT_MAX_BYTES;
  return fits ? null : sizeInvalido();
}

function faultOfExtension(extension: unknown): ErroDeCampo | null {
  if (extension === undefined || extension === null) return campoObrigatorio('extension');
  return typeof extension === 'string' && EXTENSAO.test(extension) ? null : extensaoInvalida();
}

/** Announces a file: its row and a signed address that is good for one minute. */
export async function makeTicket(
  deps: Pick<Deps, 'db' | 'clock'> & { enderecos: Enderecos },
  input: {
    pedido: Pedido;
    contadorId: number;
    /** Whose token; null for somebody of the console. */
    tokenId: number | null;
    origin: string;
    /** `alcance`: ids of the clients that the sender is limited to; null: the whole office. */
    doConsole?: { usuarioId: number; nome: string; alcance: readonly number[] | null };
  },
): Promise<Ticket> {
  const id = randomUUID();
  const agora = deps.clock.now();
  const expiresAtSeconds = Math.floor(agora / 1000) + ENDERECO_VALE_SEGUNDOS;
  const extensao = input.pedido.extension;
  const { kid, signature } = deps.enderecos.sign({
    parts: signedParts({ id, extensao, contadorId: input.contadorId }),
    expiresAtSeconds,
  });
  await insertArquivo(deps.db.write, {
    id,
    contador_id: input.contadorId,
    token_id: input.tokenId,
    extensao,
    tamanho_anunciado: input.pedido.size,
    tamanho: null,
    status: STATUS_ARQUIVO.aguardandoUpload,
    criado_em: agora,
    expira_em: expiresAtSeconds,
    kid,
    recebido_em: null,
    inicio_em: null,
    fim_em: null,
    sha256: null,
    md5: null,
    blob: null,
    ...(input.doConsole
      ? {
          origem: 'console',
          usuario_id: input.doConsole.usuarioId,
          nome: input.doConsole.nome,
          alcance: writeAlcance(input.doConsole.alcance),
        }
      : {}),
  });
  return {
    mensagem: `Envie o arquivo com PUT para a url em até ${ENDERECO_VALE_SEGUNDOS} segundos.`,
    url: uploadAddress({ origin: input.origin, id, kid, expiresAtSeconds, signature }),
    id,
  };
}
