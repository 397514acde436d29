import type { NomesDoDfe } from '../dfe/partes.ts';
import { isNamed } from '../dfe/reconhecer.ts';
import { idOf } from '../leitura.ts';
import type { Documento } from '../tipos.ts';
import type { XmlElement } from '../xml/tree.ts';

type Comum = Pick<Documento, 'especie' | 'modelo'>;

/**
 * Kinds of which the common parts are read: what they call the same things follows from the name of the document, `X`, in all
 * of them: `infX`, `protX`, `chX`, `xProc`, `eventoX`, `procEventoX`. @fonte MOC of NFCom, NF3e, NFAg and NFGas, leiautes
 */
export const COMUNS: readonly (Comum & { nomes: readonly [string, ...string[]] })[] = [
  { especie: 'NFCom', modelo: '62', nomes: ['NFCom'] },
  { especie: 'NF3e', modelo: '66', nomes: ['NF3e'] },
  { especie: 'NFAg', modelo: '75', nomes: ['NFAg'] },
  { especie: 'NFGas', modelo: '76', nomes: ['NFGas'] },
  // No schema of it is public yet: it is told by its model too.
  { especie: 'NFABI', modelo: '77', nomes: ['NFABI', 'NFeABI'] },
];

/** Names of the elements around a document that is called so. */
export function nomesDe(nome: string): Omit<NomesDoDfe, 'namespace' | 'documentos' | 'inf'> {
  return {
    sigla: nome,
    protocolo: `prot${nome}`,
    chave: `ch${nome}`,
    numero: 'nNF',
    codigo: 'cNF',
    processado: `${nome.charAt(0).toLowerCase()}${nome.slice(1)}Proc`,
    procEvento: `procEvento${nome}`,
    layouts: [],
  };
}

/** The group of a document that is signed, by its name; null of anything else. */
export function infDe(documento: XmlElement): XmlElement | null {
  return documento.children.find((inner) => isNamed(inner, `inf${documento.localName}`)) ?? null;
}

/** The literal and the key of an Id, whatever the literal is: the layouts have it in different case. */
export function idPartido(inf: XmlElement): { literal: string; chave: string } {
  const id = idOf(inf) ?? '';
  return { literal: id.slice(0, -44), chave: id.slice(-44) };
}

/** What a document is: by its name, or by the model that its key has. */
export function especieDe(documento: XmlElement): Comum | null {
  const inf = infDe(documento);
  if (inf === null) return null;
  const named = COMUNS.find(({ nomes }) => nomes.some((nome) => isNamed(documento, nome)));
  if (named) return named;
  const modelo = idPartido(inf).chave.slice(20, 22);
  return documento.localName.startsWith('NF')
    ? (COMUNS.find((comum) => comum.modelo === modelo) ?? null)
    : null;
}
