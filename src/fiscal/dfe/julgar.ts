import {
  type Contexto,
  judgeNamespace,
  type NamespaceDaFamilia,
  readAmbiente,
  readDateField,
} from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import type { Chave, Documento } from '../tipos.ts';
import { textAt, type XmlElement } from '../xml/tree.ts';
import { judgeStructure, type PartesDoDfe, readChave } from './partes.ts';
import { judgeCheckDigit, judgeEmitente, judgeProtocolo, type VeredictoDoProtocolo } from './rules.ts';

/** What the rules have settled about a document, whatever its family. */
export type Julgado = Pick<
  Documento,
  'chave' | 'ambiente' | 'dataEmissao' | 'statusProtocolo' | 'protocolo' | 'ressalva' | 'digest' | 'avisos'
>;

/** In what the families differ. */
interface Regras {
  /** null: it is not judged, since not all layouts have a public schema. */
  namespace: NamespaceDaFamilia | null;
  judgeModelo(chave: Chave): Recusa | null;
  /** What the file says of the authorisation beside the protocol. */
  judgeOutraResposta?(chave: Chave, judged: VeredictoDoProtocolo): VeredictoDoProtocolo;
  /** Identity of the signed content, asked once the document is known to be readable. */
  digest(signed: XmlElement): string;
}

/**
 * Judges all that NF-e, CT-e and their kin have in common, in the order in which a sender is told of it. The key stands in
 * `context` from the moment it is known.
 */
export function judgeDfe(
  context: Contexto,
  parts: PartesDoDfe,
  regras: Regras,
): { ok: true; julgado: Julgado } | Recusa {
  const { tree, inf, ide } = parts;
  const namespace = regras.namespace && judgeNamespace(context, inf, regras.namespace);
  if (namespace?.ok === false) return namespace;
  const repeated = judgeStructure(context, parts);
  if (repeated) return repeated;
  const key = readChave(context, parts);
  if (!key.ok) return key;
  const { chave } = key;
  context.chave = chave;
  const wrongModel = regras.judgeModelo(chave);
  if (wrongModel) return wrongModel;
  const judged = judgeProtocolo(context, parts, chave);
  if (!judged.ok) return judged;
  const protocol = regras.judgeOutraResposta?.(chave, judged) ?? judged;
  const wrongDigit = judgeCheckDigit(context, parts, chave);
  if (wrongDigit) return wrongDigit;
  const issuer = judgeEmitente(context, parts);
  if (!issuer.ok) return issuer;
  const environment = readAmbiente(context, [ide, parts.infProt]);
  if (!environment.ok) return environment;
  const cUF = textAt(tree, ide, 'cUF') ?? chave.slice(0, 2);
  const date = readDateField(context, ide ?? inf, { names: ['dhEmi', 'dEmi'], cUF });
  if (!date.ok) return date;
  const julgado: Julgado = {
    chave,
    ambiente: environment.ambiente,
    dataEmissao: date.data,
    statusProtocolo: protocol.status,
    protocolo: protocol.protocolo,
    ...(protocol.ressalva ? { ressalva: protocol.ressalva } : {}),
    digest: regras.digest(inf),
    avisos: [...(namespace?.avisos ?? []), ...key.avisos, ...protocol.avisos],
  };
  return { ok: true, julgado };
}
