/** The purchase purpose of a document, read by its signed address and set by PUT. */
import type { Static } from 'typebox';
import type { HttpContext } from '../../autorizacao/contexto.ts';
import type { Cliente } from '../../contas/clientes.ts';
import { entradaPorChave } from '../../documentos/read/feed.ts';
import {
  type FinalidadeDoDocumento,
  finalidadeDe,
  informarFinalidade,
} from '../../documentos/read/finalidade.ts';
import type { ErroDeCampo } from '../../platform/errors.ts';
import { documentoNaoEncontrado, finalidadeNaoSeAplica, finalidadeVazia, itensInvalidos } from '../errors.ts';
import type { FinalidadeBody } from '../schemas.ts';

type Corpo = Static<typeof FinalidadeBody>;

/** Reads the purpose of a document by which a client acquired something. @throws documento_nao_encontrado */
export async function readFinalidade(
  ctx: Pick<HttpContext, 'deps'>,
  input: { clienteId: number; documentoId: number },
): Promise<FinalidadeDoDocumento> {
  const finalidade = await finalidadeDe(ctx.deps.db.read, input);
  if (!finalidade) throw documentoNaoEncontrado();
  return finalidade;
}

/** Refuses a body that says nothing. @throws dados_invalidos */
export function requireSomething(corpo: Corpo): void {
  if (corpo.finalidade_aquisicao === undefined && (corpo.itens ?? []).length === 0) throw finalidadeVazia();
}

/**
 * Sets the purpose of a document, of some items, or both; what is not named stays.
 * @throws documento_nao_encontrado, finalidade_nao_se_aplica, dados_invalidos naming every unknown or repeated item
 */
export async function setFinalidade(
  ctx: Pick<HttpContext, 'deps'>,
  input: { cliente: Cliente; chave: string; corpo: Corpo; por: string },
): Promise<FinalidadeDoDocumento> {
  const { deps } = ctx;
  const { id: clienteId, contadorId } = input.cliente;
  const entrada = await entradaPorChave(deps.db.read, {
    clienteId,
    contadorId,
    chave: input.chave,
  });
  if (!entrada) throw documentoNaoEncontrado();
  const alvo = { clienteId, documentoId: entrada.documentoId };
  const atual = await finalidadeDe(deps.db.read, alvo);
  if (!atual) throw finalidadeNaoSeAplica();
  const { finalidade_aquisicao: finalidade, itens = [] } = input.corpo;
  const erros = faultsOfItens(itens, atual);
  if (erros.length > 0) throw itensInvalidos(erros);
  await deps.db.write.transaction().execute((trx) =>
    informarFinalidade(trx, {
      alvos: [alvo],
      ...(finalidade === undefined ? {} : { finalidade }),
      itens,
      agora: deps.clock.now(),
      por: input.por,
    }),
  );
  return readFinalidade(ctx, alvo);
}

function faultsOfItens(itens: NonNullable<Corpo['itens']>, atual: FinalidadeDoDocumento): ErroDeCampo[] {
  const existing = new Set(atual.itens.map(({ numero }) => numero));
  const seen = new Set<number>();
  return itens.flatMap(({ numero }, index) => {
    const campo = `itens[${index}].numero`;
    const repeated = seen.has(numero);
    seen.add(numero);
    if (repeated)
      return [
        { campo, codigo: 'repetido', mensagem: `O item ${numero} veio mais de uma vez. Envie um valor só.` },
      ];
    if (existing.has(numero)) return [];
    return [{ campo, codigo: 'inexistente', mensagem: `O documento não tem o item ${numero}.` }];
  });
}
