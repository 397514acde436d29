/** Whether an item of a document is what is looked for: by its codes from the row, by its words from the bytes. */

import type { Db } from '../../banco/tabelas.ts';
import { descomprimir } from '../../documentos/bytes/conteudo.ts';
import { lerItens } from '../../documentos/lean/itens-guardados.ts';
import { palavrasDe } from '../../documentos/store/palavras.ts';
import type { Codificacao } from '../../fiscal/tipos.ts';
import { textOf } from '../../fiscal/xml/decode.ts';
import { PREDEFINED } from '../../fiscal/xml/text.ts';
import type { FiltroDeItens } from './filtro.ts';
import { findConteudosServidos } from './queries-detalhes.ts';
import type { LinhaDaLista } from './queries-lista.ts';

/** Documents whose bytes are in memory at once; other requests are answered in between. */
const LIDOS_DE_UMA_VEZ = 10;

/** Which elements say what was sold or done: of NF-e and CF-e, CT-e, the national NFS-e, and the municipal ones. */
const DESCRICAO =
  /<(?:[\w.-]+:)?(?:xProd|cProd|cEAN|infAdProd|proPred|xOutCat|xDescServ|xTribNac|discriminacao|descricao\w*)(?:\s[^>]*)?>([^<]{1,4000})</gi;

/** Every word of the question begins a word of one description or code, in any case and accent. */
function descreve(xml: string, procurado: string): boolean {
  const words = palavrasDe(procurado);
  if (words.length === 0) return false;
  for (const [, bruto = ''] of xml.matchAll(DESCRICAO)) {
    const its = plain(bruto);
    if (words.every((word) => its.includes(` ${word}`))) return true;
  }
  return false;
}

/** Upper case without accents, each word behind a blank. */
function plain(bruto: string): string {
  const texto = bruto.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_all, nome: string) => PREDEFINED[nome] ?? ' ');
  const letters = texto
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toUpperCase();
  return ` ${letters.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`;
}

function temCodigos(linha: LinhaDaLista, { cfop, ncm }: FiltroDeItens): boolean {
  return lerItens(linha.itens).some(
    (item) => (cfop === null || item.cfop === cfop) && (ncm === null || item.ncm?.startsWith(ncm) === true),
  );
}

/** Which of these rows have such an item. Only of those whose codes are right the bytes are read. */
export async function comItens(
  db: Db,
  { linhas, itens }: { linhas: readonly LinhaDaLista[]; itens: FiltroDeItens },
): Promise<boolean[]> {
  const porCodigos = linhas.map((linha) => linha.classe === 'documento' && temOuNaoPede(linha, itens));
  const { produto } = itens;
  if (produto === null) return porCodigos;
  const ids = [
    ...new Set(linhas.filter((_linha, at) => porCodigos[at]).map(({ documento_id }) => documento_id)),
  ];
  const found = new Set<number>();
  for (let start = 0; start < ids.length; start += LIDOS_DE_UMA_VEZ) {
    const vez = ids.slice(start, start + LIDOS_DE_UMA_VEZ);
    for (const { documento_id, codificacao, ...guardado } of await findConteudosServidos(db, vez)) {
      if (descreve(textOf(descomprimir(guardado), codificacao as Codificacao), produto))
        found.add(documento_id);
    }
  }
  return linhas.map(({ documento_id }) => found.has(documento_id));
}

function temOuNaoPede(linha: LinhaDaLista, itens: FiltroDeItens): boolean {
  return (itens.cfop === null && itens.ncm === null) || temCodigos(linha, itens);
}
