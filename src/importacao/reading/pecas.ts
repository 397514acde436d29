/** Pieces that are made without reading a document. */
import { sha256De } from '../../documentos/bytes/conteudo.ts';
import type { PecaLida } from '../../documentos/tipos.ts';
import type { EntradaParaLer } from '../tipos.ts';
import { FALHAS_DO_ARQUIVO } from '../unpack/entradas.ts';

/** The piece that stands for a content which no reader could read. */
export function unreadable(input: { caminho: string; bytes: Uint8Array }): PecaLida {
  const codigo = 'documento_nao_processavel';
  return {
    caminho: input.caminho,
    especie: 'Outro',
    kind: 'rejeitado',
    chave: null,
    sha256: sha256De(input.bytes),
    rejeicao: { codigo, mensagem: FALHAS_DO_ARQUIVO[codigo], elemento: null, linha: null, coluna: null },
  };
}

/** What unpacking has decided needs no reader. */
export function judged(entrada: Exclude<EntradaParaLer, { bytes: Uint8Array }>): PecaLida {
  const { caminho, codigo, mensagem } = entrada;
  const peca = { caminho, especie: 'Outro', sha256: null } as const;
  if (entrada.resultado === 'ignorado') return { ...peca, kind: 'ignorado', codigo, mensagem };
  const rejeicao = { codigo, mensagem, elemento: null, linha: null, coluna: null };
  return { ...peca, kind: 'rejeitado', chave: null, rejeicao };
}
