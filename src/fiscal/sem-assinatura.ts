/** Pieces of files that can be neither signed nor judged by a schema: notes as text, rows of lists. */
import { anotar } from './dfe/anotar.ts';
import { judgeProva } from './prova.ts';
import type { Codificacao, Documento, Peca, VeredictoAssinatura } from './tipos.ts';

/**
 * @param input.motivos why there is neither, for people
 * @param input.bytes what is kept of it
 */
export function pieceWithoutSignature(
  registro: Documento,
  input: {
    bytes: Uint8Array;
    codificacao: Codificacao;
    motivos: { assinatura: string; esquema: string };
  },
): Peca {
  const { bytes, codificacao, motivos } = input;
  const assinatura: VeredictoAssinatura = {
    resultado: 'sem_assinatura',
    motivo: motivos.assinatura,
    algoritmo: null,
    titular: null,
    digestCalculado: registro.digest,
    digestMetodo: 'sha1',
    signatario: null,
  };
  return {
    resultado: 'lida',
    especie: registro.especie,
    registro: anotar(registro),
    bytes,
    codificacao,
    esquema: { resultado: 'nao_verificado', esquema: null, motivo: motivos.esquema },
    assinatura,
    prova: judgeProva(registro, assinatura),
  };
}
