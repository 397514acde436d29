/** Halves of an event in two files, as issuing programs write them: the request (`-ped-eve.xml`), and SEFAZ's answer (`-eve.xml`). */
import { parseChave44 } from '../chave.ts';
import { isNamed } from '../dfe/reconhecer.ts';
import {
  EVENTOS_COMUNS,
  EVENTOS_DA_NFE,
  EVENTOS_DO_CTE,
  type FamiliaDeEventos,
} from '../eventos/familias.ts';
import { readAmbiente } from '../leitura.ts';
import { identifyPedido } from '../nfse/nacional/evento.ts';
import { recortar } from '../recortar.ts';
import { ESPECIE, type MetadeDeEvento } from '../tipos.ts';
import { decodeXml } from '../xml/decode.ts';
import { scanXml } from '../xml/scan.ts';
import { child, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { openTag } from './open-tag.ts';

const FAMILIAS: readonly FamiliaDeEventos[] = [EVENTOS_DA_NFE, EVENTOS_DO_CTE, ...EVENTOS_COMUNS];

/** Requests and answers have some KB, and wait for each other in a table. */
const METADE_MAX_BYTES = 65_536;

/**
 * Reads a request that stands without its answer, or an answer without its request.
 * @returns null of what is neither, or does not say which event it is, and of an answer that does not register it
 * @fonte MOC 7.0, Recepção de Evento: `envEvento`, `retEnvEvento`
 */
export function readMetade(tree: XmlTree, element: XmlElement): MetadeDeEvento | null {
  for (const familia of FAMILIAS) {
    if (isNamed(element, familia.evento)) return readHalf(tree, element, { familia, lado: 'pedido' });
    if (isNamed(element, familia.resposta)) return readHalf(tree, element, { familia, lado: 'resposta' });
  }
  return null;
}

/**
 * What an event asked for that was refused as a whole: SEFAZ did not register it, or the answer is missing. Whatever registers
 * the same event later makes the refusal a thing of the past.
 * @param element the event with what stands around it: `procEventoNFe`, the national `evento`
 */
export function readPedidoDentro(tree: XmlTree, element: XmlElement): MetadeDeEvento | null {
  const nacional = identifyPedido(tree, element);
  if (nacional) {
    const { bytes } = recortar(tree, element);
    return bytes.length > METADE_MAX_BYTES ? null : { lado: 'pedido', ...nacional, bytes };
  }
  for (const dentro of [element, ...element.children]) {
    const familia = FAMILIAS.find(({ evento }) => isNamed(dentro, evento));
    if (familia) return readHalf(tree, dentro, { familia, lado: 'pedido' });
  }
  return null;
}

function readHalf(
  tree: XmlTree,
  element: XmlElement,
  { familia, lado }: { familia: FamiliaDeEventos; lado: MetadeDeEvento['lado'] },
): MetadeDeEvento | null {
  const info = child(element, 'infEvento');
  if (!info || element.end - element.start > METADE_MAX_BYTES) return null;
  const field = (name: string): string => textAt(tree, info, name) ?? '';
  if (lado === 'resposta' && !familia.registrados.includes(field('cStat'))) return null;
  const chave = parseChave44(field(familia.chave));
  const environment = readAmbiente({ tree, especie: ESPECIE.evento, chave }, [info]);
  const [codigo, sequencia] = [field('tpEvento'), field('nSeqEvento')];
  if (chave === null || !environment.ok || !/^\d{6}$/.test(codigo) || !/^\d{1,3}$/.test(sequencia))
    return null;
  const { bytes } = recortar(tree, element);
  return { lado, chave, ambiente: environment.ambiente, identidade: `${codigo}/${Number(sequencia)}`, bytes };
}

/**
 * Puts both halves together as SEFAZ's layout has them (`procEventoNFe`, `procEventoCTe`), each byte for byte as it is. What
 * comes of it is read like any file.
 * @param pedido {@link MetadeDeEvento.bytes}, `resposta` those of the answer
 */
export function joinMetades(pedido: Uint8Array, resposta: Uint8Array): Uint8Array | null {
  const decoded = decodeXml(pedido);
  if ('rejeicao' in decoded) return null;
  const scan = scanXml(decoded.bytes);
  if (!scan.ok) return null;
  const { root } = scan.tree;
  const familia = FAMILIAS.find(({ evento }) => isNamed(root, evento));
  if (!familia) return null;
  const { processado } = familia;
  return Buffer.concat([
    Buffer.from(openTag(processado, root)),
    pedido,
    resposta,
    Buffer.from(`</${processado}>`),
  ]);
}
