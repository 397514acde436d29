import { type Julgado, judgeDfe } from '../dfe/julgar.ts';
import { DECIMAL, matching, type PartesDoDfe, readNumber, signedDigest, takeApart } from '../dfe/partes.ts';
import { party, withoutRepeats } from '../dfe/participantes.ts';
import { differenceWarning, digestWarning, padded } from '../dfe/rules.ts';
import { type Contexto, type Leitura, refuseAt } from '../leitura.ts';
import { type Chave, type Documento, ESPECIE, PAPEL, type Participante } from '../tipos.ts';
import { attribute, child, childrenNamed, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { especieDe, idPartido, infDe, nomesDe } from './nomes.ts';
import { documentoEm } from './reconhecer.ts';

const EM_COMUM =
  'Deste modelo são lidos os dados comuns a todos os documentos (emitente, destinatário, data, valor, protocolo); os demais estão no XML.';

function readParticipantes({ tree, inf, emit }: PartesDoDfe): Participante[] {
  return withoutRepeats([
    ...party(tree, emit, PAPEL.emitente),
    ...party(tree, child(inf, 'dest'), PAPEL.destinatario),
    ...childrenNamed(inf, 'autXML').flatMap((element) => party(tree, element, PAPEL.autorizado)),
  ]);
}

/** Total of the document, as most of these layouts call it. */
function readValor({ tree, inf }: PartesDoDfe): string | null {
  return (
    matching(textAt(tree, inf, 'total', 'vNF'), DECIMAL) ??
    matching(textAt(tree, inf, 'total', 'vTotDFe'), DECIMAL) ??
    matching(textAt(tree, inf, 'total', 'ICMSTot', 'vNF'), DECIMAL)
  );
}

/** Where the key and the signed fields disagree; behind the form of emission the key has the site of authorisation, then the code. */
function keyWarnings({ tree, ide, emit }: PartesDoDfe, chave: Chave, dataEmissao: string): string[] {
  const field = (name: string): string | null => textAt(tree, ide, name);
  const issuer = padded(textAt(tree, emit, 'CNPJ') ?? textAt(tree, emit, 'CPF'), 14);
  return differenceWarning([
    ['ide/cUF', field('cUF'), chave.slice(0, 2)],
    ['ano e mês da emissão', dataEmissao.slice(2, 4) + dataEmissao.slice(5, 7), chave.slice(2, 6)],
    ['emit', issuer?.toUpperCase() ?? null, chave.slice(6, 20)],
    ['ide/mod', field('mod'), chave.slice(20, 22)],
    ['ide/serie', padded(field('serie'), 3), chave.slice(22, 25)],
    ['ide/nNF', padded(field('nNF'), 9), chave.slice(25, 34)],
    ['ide/cDV', field('cDV'), chave.slice(43)],
  ]);
}

function buildDocumento(
  parts: PartesDoDfe,
  judged: Julgado & Pick<Documento, 'especie' | 'modelo'>,
): Documento {
  const { inf } = parts;
  const { chave, dataEmissao } = judged;
  return {
    ...judged,
    classe: 'documento',
    layout: attribute(inf, 'versao')?.trim() || null,
    serie: readNumber(parts, 'serie', chave.slice(22, 25)),
    numero: readNumber(parts, 'nNF', chave.slice(25, 34)),
    tpNF: null,
    natureza: null,
    participantes: readParticipantes(parts),
    valor: readValor(parts),
    finalidade: null,
    itens: [],
    layoutNacional: false,
    municipioPrestacao: null,
    avisos: [
      ...judged.avisos,
      ...keyWarnings(parts, chave, dataEmissao),
      ...digestWarning(judged.protocolo, signedDigest(parts)),
      EM_COMUM,
    ],
  };
}

/**
 * Reads a document of a kind of which the common parts are read (NFCom, NF3e, NFAg, NFGas, NF-e ABI), bare or with its protocol.
 *
 * @param input.root the wrapper (`nfcomProc` …) or the bare document, root of its own tree
 * @param input.digest identity of the signed content, asked once the document is known to be readable
 */
export function parseComum(input: {
  tree: XmlTree;
  root: XmlElement;
  digest: (signed: XmlElement) => string;
}): Leitura<Documento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.outro, chave: null };
  const documento = documentoEm(root);
  const inf = documento && infDe(documento);
  const especie = documento && especieDe(documento);
  if (!documento || !inf || !especie) {
    return refuseAt(context, 'chave_ausente', 'O documento não traz o grupo com a sua chave.', {
      element: root,
    });
  }
  context.especie = especie.especie;
  const nome = documento.localName;
  const documentos = [idPartido(inf).literal || nome, nome] as const;
  const nomes = { ...nomesDe(nome), namespace: documento.namespace, documentos, inf: inf.localName };
  const parts = takeApart(nomes, tree, root);
  if (!parts) {
    return refuseAt(context, 'chave_ausente', 'O documento não traz o grupo com a sua chave.', {
      element: root,
    });
  }
  const judgeModelo = (chave: Chave) =>
    chave.slice(20, 22) === especie.modelo
      ? null
      : refuseAt(
          context,
          'modelo_nao_suportado',
          `O modelo na chave é "${chave.slice(20, 22)}"; o de ${nome} é ${especie.modelo}. Envie o XML como a SEFAZ o autorizou.`,
          { element: inf },
        );
  const judged = judgeDfe(context, parts, { namespace: null, judgeModelo, digest: input.digest });
  if (!judged.ok) return judged;
  const { especie: nomeDaEspecie, modelo } = especie;
  const registro = buildDocumento(parts, { ...judged.julgado, especie: nomeDaEspecie, modelo });
  return { ok: true, registro, assinado: inf };
}
