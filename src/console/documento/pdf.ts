/**
 * Draws a document for paper: DANFE of NF-e and NFC-e by a library, a plain sheet of everything else. What is drawn
 * comes from our own reading of the bytes: the library is given the canonical form of our tree, so that paper and
 * verdicts never come from different readings.
 */
import { gerarPDF } from '@alexssmusica/node-pdf-nfe';
import type { Codificacao } from '../../fiscal/tipos.ts';
import { canonicalize } from '../../fiscal/xml/c14n.ts';
import { descend } from '../../fiscal/xml/tree.ts';
import { type ContextoDoPdf, desenharFolha } from './folha.ts';
import { arvoreDe, gruposDe, itensDe } from './leitura.ts';

/** More rows make a book, not a sheet. */
const ITENS_NA_FOLHA = 990;

export async function desenhar(tarefa: {
  bytes: Uint8Array;
  codificacao: Codificacao;
  contexto: ContextoDoPdf;
}): Promise<Uint8Array> {
  const { bytes, codificacao, contexto } = tarefa;
  const xml = autorizada(bytes, contexto);
  if (xml !== null) {
    try {
      return await collect(await gerarPDF(xml, { cancelada: contexto.status === 'Cancelada' }));
    } catch {
      // What the library cannot draw is drawn as a plain sheet.
    }
  }
  return collect(
    desenharFolha({
      contexto,
      grupos: gruposDe(bytes, codificacao),
      itens: itensDe(bytes, { pagina: 1, tamanho: ITENS_NA_FOLHA }).itens,
    }),
  );
}

/** The XML that the library draws: an authorised (or cancelled) NF-e or NFC-e of production, with its protocol. */
function autorizada(bytes: Uint8Array, contexto: ContextoDoPdf): string | null {
  const drawn =
    ['NFe', 'NFCe'].includes(contexto.especie) && ['Autorizada', 'Cancelada'].includes(contexto.status);
  if (!drawn || contexto.homologacao) return null;
  const tree = arvoreDe(bytes);
  if (tree?.root.localName !== 'nfeProc' || !descend(tree.root, 'protNFe', 'infProt')) return null;
  return Buffer.from(canonicalize(tree, tree.root, { exclusive: false, withComments: false })).toString(
    'utf8',
  );
}

/** The whole of a PDF. Both makers hand out a stream that is ended, or ends by itself. */
function collect(stream: NodeJS.ReadableStream): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('error', reject);
    stream.on('end', () => resolve(new Uint8Array(Buffer.concat(pieces))));
  });
}
