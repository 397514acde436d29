import { emissorDaAssinatura } from '../assinatura/verify.ts';
import { parseChave44 } from '../chave.ts';
import { readDateTime } from '../data-hora.ts';
import { type Contexto, idOf, invalidChaveText, readAmbiente, refuseAt, refuseRepeated } from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import type { Ambiente, Chave } from '../tipos.ts';
import { child, childrenNamed, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';

/** The parts of a coupon, or of the coupon that cancels one. */
export interface PartesDoCfe {
  tree: XmlTree;
  root: XmlElement;
  inf: XmlElement;
  ide: XmlElement | null;
  emit: XmlElement | null;
  /** The SAT device has signed: what a protocol is elsewhere. */
  assinado: boolean;
}

export const MODELO_CFE = '59';

/** @fonte layout of CF-e SAT 0.08 */
export const LAYOUTS_CFE: readonly string[] = ['0.06', '0.07', '0.08'];

/** Null when there is no infCFe. */
export function takeApart(tree: XmlTree, root: XmlElement): PartesDoCfe | null {
  const inf = child(root, 'infCFe');
  if (!inf) return null;
  return {
    tree,
    root,
    inf,
    ide: child(inf, 'ide'),
    emit: child(inf, 'emit'),
    assinado: textAt(tree, root, 'Signature', 'SignatureValue') !== null,
  };
}

/** What could be read in two ways is refused before anything is read. */
export function judgeStructure(context: Contexto, { root, inf }: PartesDoCfe): Recusa | null {
  return (
    refuseRepeated(context, childrenNamed(root, 'infCFe')) ??
    refuseRepeated(context, childrenNamed(inf, 'ide')) ??
    refuseRepeated(context, childrenNamed(inf, 'emit'))
  );
}

/** `CFe` and a key, as the Id and chCanc have it; some systems leave the literal out. */
export function parseCfeId(text: string | null): Chave | null {
  return parseChave44((text ?? '').replace(/^CFe/i, ''));
}

/** The key that the SAT device gave; without one it is only what was sent to the device. */
export function readChave(
  context: Contexto,
  { inf }: PartesDoCfe,
  pedido: string,
): { ok: true; chave: Chave } | Recusa {
  const id = idOf(inf);
  if (id === null) return refuseAt(context, 'cfe_sem_chave', pedido, { element: inf });
  const chave = parseCfeId(id);
  return chave
    ? { ok: true, chave }
    : refuseAt(context, 'chave_invalida', invalidChaveText(id.replace(/^CFe/i, '')), { element: inf });
}

/**
 * Environment as ide says it. Cancellations say none: then the certificate of the device tells, for those of
 * training devices come from a test authority ("AC SAT de Teste").
 */
export function readAmbienteDoCfe(
  context: Contexto,
  { tree, ide, inf }: PartesDoCfe,
): { ok: true; ambiente: Ambiente } | Recusa {
  if (textAt(tree, ide, 'tpAmb') !== null) return readAmbiente(context, [ide]);
  const isTest = /\bteste\b/i.test(emissorDaAssinatura(tree, inf) ?? '');
  return { ok: true, ambiente: isTest ? 2 : 1 };
}

/** dEmi `AAAAMMDD` and hEmi `hhmmss` of ide, in the zone of the issuer's state. @fonte layout of CF-e SAT 0.08 */
export function readEmissao(
  context: Contexto,
  { tree, ide, inf }: PartesDoCfe,
  cUF: string,
): { ok: true; data: string } | Recusa {
  const day = textAt(tree, ide, 'dEmi');
  const time = textAt(tree, ide, 'hEmi') ?? '000000';
  if (day === null) {
    return refuseAt(
      context,
      'data_emissao_ausente',
      'Falta a data dEmi. Envie o XML completo, como o equipamento SAT o gerou.',
      { element: ide ?? inf, missing: 'dEmi' },
    );
  }
  const [, y, m, d] = /^(\d{4})(\d\d)(\d\d)$/.exec(day) ?? [];
  const [, hh, mm, ss] = /^(\d\d)(\d\d)(\d\d)$/.exec(time) ?? [];
  const data = y && hh ? readDateTime(`${y}-${m}-${d}T${hh}:${mm}:${ss}`, cUF) : null;
  if (data !== null) return { ok: true, data };
  return refuseAt(
    context,
    'data_emissao_invalida',
    `A data "${day.slice(0, 20)}" (dEmi) ou a hora "${time.slice(0, 20)}" (hEmi) não é válida; os formatos são AAAAMMDD e hhmmss. Baixe o XML de novo, ou peça-o a quem o emitiu.`,
    { element: child(ide, 'dEmi') ?? ide ?? inf },
  );
}
