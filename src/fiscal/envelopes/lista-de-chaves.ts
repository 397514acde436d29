/** The list of keys that SEFAZ-SP gives out of the NFC-e that an issuer has authorised (`retNfceListagemChaves`). */
import { hasValidCheckDigit, parseChave44 } from '../chave.ts';
import { isNamed } from '../dfe/reconhecer.ts';
import { type Contexto, invalidChaveText, refuseAt } from '../leitura.ts';
import { keysIn, tooManyText } from '../pecas.ts';
import type { Recusa } from '../rejeicoes.ts';
import { type Chave, ESPECIE } from '../tipos.ts';
import { textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';

/** A list with at least one key; without any it is a message like others. */
export function isListaDeChaves(element: XmlElement): boolean {
  return isNamed(element, 'retNfceListagemChaves') && element.children.some(isKey);
}

function isKey({ localName }: XmlElement): boolean {
  return /^chNFC?e$/i.test(localName);
}

/** Reads the keys as a list of lines is read: each good one is an expected document; a key told twice counts once. */
export function readListaDeChaves(tree: XmlTree, lista: XmlElement): (Chave | Recusa)[] {
  const context: Contexto = { tree, especie: ESPECIE.chave, chave: null };
  const keys = lista.children.filter(isKey);
  const limit = keysIn(lista.end - lista.start);
  if (keys.length > limit) return [refuseAt(context, 'pecas_demais', tooManyText(limit), { element: lista })];
  if (textAt(tree, lista, 'tpAmb') === '2')
    return [refuseAt(context, 'mensagem_sem_documento', DE_HOMOLOGACAO, { element: lista })];
  const seen = new Set<string>();
  const read: (Chave | Recusa)[] = [];
  for (const element of keys) {
    const key = readKey(context, element);
    if (typeof key === 'string' && seen.has(key)) continue;
    if (typeof key === 'string') seen.add(key);
    read.push(key);
  }
  return read;
}

const DE_HOMOLOGACAO =
  'A lista de chaves é do ambiente de homologação (tpAmb 2), cujas notas não são esperadas. Envie a lista de produção.';

function readKey(context: Contexto, element: XmlElement): Chave | Recusa {
  const text = context.tree.text(element).trim();
  const chave = parseChave44(text);
  if (chave === null) return refuseAt(context, 'chave_invalida', invalidChaveText(text), { element });
  if (hasValidCheckDigit(chave)) return chave;
  const mensagem = `O dígito verificador da chave ${chave} da lista não confere. Baixe a lista de novo e envie-a.`;
  return refuseAt(context, 'chave_com_dv_invalido', mensagem, { element });
}
