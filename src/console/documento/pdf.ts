/**
 * Draws a document for paper, each kind as its norm has it, and what has no form of its own on a plain sheet. What is drawn comes
 * from our own reading of the bytes. A note that cannot be drawn as what it is is not drawn as something else.
 */

import type { Codificacao } from '../../fiscal/tipos.ts';
import { treeOf } from '../../fiscal/xml/scan.ts';
import { dadosDoDacte } from './dacte-dados.ts';
import { type Grupo, gruposDe, itensDe } from './leitura.ts';
import { drawDacte } from './pdf/cte/dacte.ts';
import { cupomSatDe, drawExtrato } from './pdf/cupom/extrato-sat.ts';
import { drawNota } from './pdf/danfe/escolher.ts';
import { notaDe } from './pdf/danfe/nota.ts';
import { drawFolha } from './pdf/folha/folha.ts';
import type { ContextoDoPdf } from './pdf/marcas.ts';
import { drawDanfse } from './pdf/nfse/danfse.ts';
import { notaNacionalDe } from './pdf/nfse/nota.ts';

/** More rows make a book, not a sheet. */
const ITENS_NA_FOLHA = 990;
/** Characters of a sheet's groups, and of its items: some hundred pages. */
const CARACTERES_DA_FOLHA = 300_000;

interface Pedido {
  bytes: Uint8Array;
  codificacao: Codificacao;
  contexto: ContextoDoPdf;
}

type Desenhista = (pedido: Pedido) => Promise<Uint8Array>;

const DESENHISTAS: Readonly<Record<string, Desenhista>> = {
  NFe: danfe,
  NFCe: danfe,
  CTe: dacte,
  CTeOS: dacte,
  NFSe: danfse,
  CFe: extrato,
};

/** The PDF of a document. @throws when the bytes cannot be drawn as one of its kind */
export async function drawDocumento(pedido: Pedido): Promise<Uint8Array> {
  const { especie } = pedido.contexto;
  const desenhista = Object.hasOwn(DESENHISTAS, especie) ? DESENHISTAS[especie] : undefined;
  return (desenhista ?? folha)(pedido);
}

async function danfe(pedido: Pedido): Promise<Uint8Array> {
  const tree = treeOf(pedido.bytes);
  // A note in the layout of texts has no sheet of its own: it was never authorised as it stands.
  if (!tree) return folha(pedido);
  const nota = notaDe(tree);
  if (!nota) throw new Error('there is no note in these bytes');
  return drawNota(nota, pedido.contexto);
}

/** Of a CT-e or CT-e OS with its protocol, or bare: then marked as such. */
async function dacte({ bytes, contexto }: Pedido): Promise<Uint8Array> {
  const tree = treeOf(bytes);
  const dados = tree && dadosDoDacte(tree);
  if (!dados) throw new Error('there is no CT-e in these bytes');
  return drawDacte(dados, contexto);
}

async function extrato({ bytes, contexto }: Pedido): Promise<Uint8Array> {
  const tree = treeOf(bytes);
  const cupom = tree && cupomSatDe(tree);
  if (!cupom) throw new Error('there is no CF-e in these bytes');
  return drawExtrato(cupom, contexto);
}

/** The national layout has a sheet of its own; cities draw theirs as they like, and there is a plain one of ours. */
async function danfse(pedido: Pedido): Promise<Uint8Array> {
  const tree = treeOf(pedido.bytes);
  const nota = tree && notaNacionalDe(tree);
  return nota ? drawDanfse(nota, pedido.contexto) : folha(pedido);
}

async function folha({ bytes, codificacao, contexto }: Pedido): Promise<Uint8Array> {
  const grupos = gruposDe(bytes, codificacao, CARACTERES_DA_FOLHA);
  return drawFolha({
    contexto,
    grupos: treeOf(bytes) ? grupos : grupos.map(emUmTexto),
    itens: itensDe(bytes, { pagina: 1, tamanho: ITENS_NA_FOLHA, caracteres: CARACTERES_DA_FOLHA }).itens,
  });
}

/** A file of texts has lines, and no fields. */
function emUmTexto({ titulo, campos }: Grupo): Grupo {
  const valor = campos.map((campo) => campo.valor).join('\n');
  return { titulo, campos: [{ rotulo: 'Linhas, como vieram', valor, tipo: 'texto' }] };
}
