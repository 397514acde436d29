import { hasValidCheckDigit } from '../chave.ts';
import { isNamed } from '../dfe/reconhecer.ts';
import { EVENTOS_NFE } from '../eventos/tabela.ts';
import { type Contexto, readChaveField, refuseAt } from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import { tabela } from '../tabela.ts';
import { type Chave, ESPECIE, type OrigemDoEsperado } from '../tipos.ts';
import { textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';

/** A document that SEFAZ says exists. */
interface Anuncio {
  ok: true;
  chave: Chave;
  origem: OrigemDoEsperado;
  /** What the summary says, for people. */
  mensagem: string;
}

const SITUACAO: Readonly<Record<string, string>> = tabela({
  '1': 'autorizada',
  '2': 'denegada',
  '3': 'cancelada',
});

const ORIGEM: Readonly<Record<string, OrigemDoEsperado>> = tabela({
  '2': 'resumo_denegada',
  '3': 'resumo_cancelada',
});

/** What a summary knows of the note: its situation, or that the event that it is of has cancelled it. */
function origemDe(tree: XmlTree, element: XmlElement): OrigemDoEsperado {
  if (isNamed(element, 'resEvento')) {
    const codigo = textAt(tree, element, 'tpEvento') ?? '';
    return EVENTOS_NFE[codigo]?.efeito === 'cancela' ? 'resumo_cancelada' : 'resumo';
  }
  return ORIGEM[textAt(tree, element, 'cSitNFe') ?? ''] ?? 'resumo';
}

/** `resNFe` and `resEvento`, the summaries of the distribution service. */
export function isResumo(element: XmlElement): boolean {
  return isNamed(element, 'resNFe') || isNamed(element, 'resEvento');
}

/** A summary is no proof: the note stays as its own XML and its events say. */
const COMO_CANCELAR = ' Envie o procEventoNFe do cancelamento: só ele muda a situação da nota.';

function describe(tree: XmlTree, element: XmlElement, chave: Chave): string {
  if (isNamed(element, 'resEvento')) {
    const codigo = textAt(tree, element, 'tpEvento')?.slice(0, 6) ?? '';
    const nome = textAt(tree, element, 'xEvento')?.slice(0, 120);
    const evento = [codigo, nome ? `(${nome})` : ''].filter((part) => part !== '').join(' ');
    return `Resumo (resEvento) do evento ${evento || 'sem código'} da nota ${chave}; o XML do evento (procEventoNFe) não está no resumo.`;
  }
  const situacao = SITUACAO[textAt(tree, element, 'cSitNFe') ?? ''];
  return `Resumo (resNFe) da nota ${chave}${situacao ? `, ${situacao} na SEFAZ` : ''}.`;
}

/**
 * Reads a summary: it announces the note of its key, which counts as missing until its XML arrives. A summary of an
 * event announces the note as well, as the event itself does.
 *
 * The recipient, for whom SEFAZ wrote the summary, is not named in it; so the note is shown as missing to the client
 * that the key names as issuer, and remembered for nobody else.
 * @fonte docs/regras.md, uploads; NT 2014.002
 */
export function readResumo(tree: XmlTree, element: XmlElement): Anuncio | Recusa {
  const context: Contexto = { tree, especie: ESPECIE.resumo, chave: null };
  const key = readChaveField(context, element, 'chNFe');
  if (!key.ok) return key;
  const { chave } = key;
  if (!hasValidCheckDigit(chave)) {
    return refuseAt(
      context,
      'chave_com_dv_invalido',
      `O dígito verificador da chave ${chave} do resumo não confere. Envie o resumo como a SEFAZ o distribuiu.`,
      { element, missing: 'chNFe' },
    );
  }
  const origem = origemDe(tree, element);
  const mensagem = describe(tree, element, chave) + (origem === 'resumo_cancelada' ? COMO_CANCELAR : '');
  return { ok: true, chave, origem, mensagem };
}
