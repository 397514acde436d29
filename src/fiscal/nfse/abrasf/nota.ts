import { type Contexto, type Leitura, refuseRepeated } from '../../leitura.ts';
import { type CpfCnpj, type Documento, ESPECIE } from '../../tipos.ts';
import { attribute, type XmlElement, type XmlTree } from '../../xml/tree.ts';
import { contentDigest } from '../conteudo.ts';
import { type DadosDaNota, montarNota, type Parte } from '../montar.ts';
import { avisosDaChaveNacional, chaveDadaPelaCidade } from '../nacional/chave-nacional.ts';
import { below, childLike, childrenLike, isLike, textBelow, textLike } from '../nomes.ts';
import { readMunicipio, readParty } from '../valores.ts';
import { NOMES_DA_SITUACAO, readCancelamento } from './cancelamento.ts';

/** What some vendors put inside InfNfse and changes after issuing. */
const MUTAVEIS: ReadonlySet<string> = new Set([
  'nfsecancelamento',
  'nfsesubstituicao',
  'valorcredito',
  'chavenotanacional',
  'chaveadn',
  ...NOMES_DA_SITUACAO,
]);

/** Other layouts have a group of the same name, in another case, with other fields. */
function isInfNfse(element: XmlElement): boolean {
  return (
    isLike(element, 'InfNfse') &&
    childLike(element, 'Numero', 'IdentificacaoNfse', 'PrestadorServico', 'DataEmissao') !== null
  );
}

function hasOneInfNfse(nfse: XmlElement): boolean {
  const found = childrenLike(nfse, 'InfNfse');
  return found.length === 1 && found.every(isInfNfse);
}

function notesIn(element: XmlElement): XmlElement[] {
  return childrenLike(element, 'Nfse').filter(hasOneInfNfse);
}

/** One note: what InfNfse stands in, with the cancellation beside it; lists hold many of them. */
export function isNfseAbrasf(element: XmlElement): boolean {
  if (isInfNfse(element)) return true;
  if (isLike(element, 'Nfse') && hasOneInfNfse(element)) return true;
  if (notesIn(element).length !== 1 || childrenLike(element, 'Nfse').length !== 1) return false;
  return (
    /^(?:tc)?compl?nfse$/i.test(element.localName) ||
    childLike(element, 'NfseCancelamento', 'NfseSubstituicao') !== null
  );
}

function infNfsesOf(root: XmlElement): XmlElement[] {
  if (isLike(root, 'InfNfse')) return [root];
  const nfse = isLike(root, 'Nfse') ? root : childLike(root, 'Nfse');
  return childrenLike(nfse, 'InfNfse');
}

/** First CNPJ or CPF below an element: `Cnpj`, `CpfCnpj/Cnpj`, or `CpfCnpj` with the text itself. */
function partyIn(tree: XmlTree, element: XmlElement | null): CpfCnpj | null {
  for (const name of ['Cnpj', 'Cpf', 'CpfCnpj']) {
    const id = readParty(textBelow(tree, element, name));
    if (id) return id;
  }
  return null;
}

/**
 * The prestador stands in other places from version to version (and its name never beside its id in 2.04).
 * @fonte ABRASF 1.00 to 2.04
 */
function readPrestador(tree: XmlTree, infNfse: XmlElement): Parte {
  const outer = below(infNfse, 'PrestadorServico');
  const declared = below(infNfse, 'Prestador');
  const places = [
    below(outer, 'IdentificacaoPrestador'),
    declared,
    below(infNfse, 'IdentificacaoPrestador'),
    outer,
  ];
  const cpfCnpj = places.map((place) => partyIn(tree, place)).find((id) => id !== null) ?? null;
  const nome = textLike(tree, outer, 'RazaoSocial') ?? textLike(tree, declared, 'RazaoSocial');
  return { cpfCnpj, nome };
}

function readOther(tree: XmlTree, infNfse: XmlElement, ...names: string[]): Parte {
  for (const name of names) {
    const element = below(infNfse, name);
    if (!element) continue;
    const identified = below(element, `Identificacao${name.replace(/Servico$/, '')}`);
    const own = readParty(textLike(tree, element, 'Cnpj', 'Cpf', 'CpfCnpj'));
    const cpfCnpj = partyIn(tree, identified) ?? partyIn(tree, childLike(element, 'CpfCnpj')) ?? own;
    return { cpfCnpj, nome: textLike(tree, element, 'RazaoSocial') };
  }
  return { cpfCnpj: null, nome: null };
}

/** City that issued the note; where it is not said, that of the prestador. @fonte ABRASF tcIdentificacaoNfse */
function readMunicipioGerador(tree: XmlTree, infNfse: XmlElement): string | null {
  const said = textLike(tree, childLike(infNfse, 'OrgaoGerador'), 'CodigoMunicipio');
  const places = [
    said,
    textBelow(tree, below(infNfse, 'PrestadorServico'), 'CodigoMunicipio'),
    textBelow(tree, below(infNfse, 'EnderecoPrestadorServico'), 'CodigoMunicipio'),
  ];
  return places.map(readMunicipio).find((code) => code !== null) ?? null;
}

function readMunicipioPrestacao(tree: XmlTree, infNfse: XmlElement, gerador: string | null): string | null {
  const servico = below(infNfse, 'Servico');
  return (
    readMunicipio(textLike(tree, servico, 'CodigoMunicipio')) ??
    readMunicipio(textLike(tree, servico, 'MunicipioIncidencia')) ??
    readMunicipio(textLike(tree, servico, 'MunicipioPrestacaoServico')) ??
    gerador
  );
}

function readSubstitui(tree: XmlTree, infNfse: XmlElement): string | null {
  const text = textBelow(tree, infNfse, 'NfseSubstituida');
  return text !== null && !/^0+$/.test(text) ? text : null;
}

function readDados(tree: XmlTree, root: XmlElement, infNfse: XmlElement): DadosDaNota {
  const servico = below(infNfse, 'Servico');
  const municipio = readMunicipioGerador(tree, infNfse);
  const nacional = chaveDadaPelaCidade(
    textLike(tree, root, 'ChaveNotaNacional') ??
      textLike(tree, infNfse, 'ChaveNotaNacional', 'ChaveADN')?.replace(/^NFS/i, '') ??
      null,
  );
  return {
    layout: attribute(infNfse.parent, 'versao') || attribute(root, 'versao') || null,
    municipio,
    numero:
      textLike(tree, infNfse, 'Numero') ?? textBelow(tree, childLike(infNfse, 'IdentificacaoNfse'), 'Numero'),
    serieDaNota: null,
    serie: textLike(tree, below(infNfse, 'IdentificacaoRps'), 'Serie'),
    data: {
      texto: textLike(tree, infNfse, 'DataEmissao', 'DataEmissaoNfse', 'DataEmissaoRps'),
      nome: 'DataEmissao',
    },
    valor:
      textBelow(tree, servico, 'ValorServicos') ??
      textBelow(tree, infNfse, 'ValorServicos') ??
      textBelow(tree, infNfse, 'ValorLiquidoNfse'),
    natureza: null,
    prestador: readPrestador(tree, infNfse),
    tomador: readOther(tree, infNfse, 'TomadorServico', 'Tomador'),
    intermediario: readOther(tree, infNfse, 'IntermediarioServico', 'Intermediario'),
    municipioPrestacao: readMunicipioPrestacao(tree, infNfse, municipio),
    cancelamento: readCancelamento(tree, { comp: root, infNfse }),
    substitui: readSubstitui(tree, infNfse),
    // Told, not taken: cancellations of these cities name the note by what its composed key is made of.
    chaveNacional: null,
    digest: contentDigest(tree, infNfse, MUTAVEIS),
    avisos: [
      ...avisosDaChaveNacional(nacional),
      ...(textBelow(tree, infNfse, 'CodigoVerificacao') === null
        ? ['A NFS-e veio sem código de verificação.']
        : []),
    ],
  };
}

/**
 * Reads a municipal NFS-e with the names of ABRASF 1.00 to 2.04, in any namespace: `CompNfse`, `Nfse` or `InfNfse`.
 * These layouts know no test environment: what is in them counts as produção.
 *
 * @param input.root the kept element, root of its own tree
 * @fonte ABRASF 1.00 to 2.04; ABRASF tcIdentificacaoNfse
 */
export function parseNfseAbrasf(input: { tree: XmlTree; root: XmlElement }): Leitura<Documento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.nfse, chave: null };
  const found = infNfsesOf(root);
  const [infNfse = root] = found;
  const repeated = refuseRepeated(context, found) ?? refuseRepeated(context, childrenLike(infNfse, 'Numero'));
  if (repeated) return repeated;
  const dados = readDados(tree, root, infNfse);
  return montarNota(context, { root: infNfse, assinado: infNfse, dados });
}
