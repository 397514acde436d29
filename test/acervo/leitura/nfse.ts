import type { XmlElement, XmlNode } from 'libxml2-wasm';
import { all, distintas, type Fatos, fatos, keyIn, parte, plain, quem, text } from './fatos.ts';

/** Who the emitter of a national note is, by tpEmit. */
const EMITENTE: Readonly<Record<string, string>> = { 1: 'prestador', 2: 'tomador', 3: 'intermediario' };

export function nfseNacional(inf: XmlNode): Fatos[] {
  const dps = all(inf, 'DPS/infDPS')[0] ?? all(inf, 'DPS')[0] ?? inf;
  const emit = EMITENTE[text(dps, 'tpEmit') ?? '1'] ?? 'prestador';
  return [
    fatos({
      chave: keyIn(text(inf, '@Id')),
      modelo: 'NFSe',
      ambiente: text(dps, 'tpAmb'),
      serie: plain(text(dps, 'serie')),
      numero: plain(text(inf, 'nNFSe')),
      data: text(dps, 'dhEmi') ?? text(inf, 'dhProc') ?? '',
      valor: text(dps, 'valores/vServPrest/vServ', 'vServ') ?? text(inf, 'valores/vLiq'),
      status: 'Autorizada',
      partes: distintas([
        ...parte('prestador', dps, 'prest'),
        ...parte('tomador', dps, 'toma'),
        ...parte('intermediario', dps, 'interm'),
        ...parte(emit, inf, 'emit'),
      ]),
    }),
  ];
}

export function eventoNfse(infEvento: XmlNode): Fatos[] {
  const asked = all(infEvento, 'pedRegEvento/infPedReg')[0];
  if (!asked) return [];
  const children = (asked as XmlElement).find('./*') as XmlElement[];
  const code = children.find(({ name }) => /^e\d{6}$/.test(name));
  const author = quem(text(asked, 'CNPJAutor', 'CPFAutor'));
  return [
    fatos({
      classe: 'evento',
      chave: text(asked, 'chNFSe') ?? '',
      modelo: 'NFSe',
      ambiente: text(asked, 'tpAmb'),
      data: text(asked, 'dhEvento') ?? text(infEvento, 'dhProc') ?? '',
      partes: author ? [`autor ${author}`] : [],
      tpEvento: code?.name.slice(1) ?? null,
    }),
  ];
}

/** Municipal notes have no key of their own: city, issuer and number are their identity. */
function chaveComposta(municipio: string | null, prestador: string | null, numero: string | null): string {
  return `NFSE-${municipio ?? '0000000'}-${prestador ?? ''}-${plain(numero)}`;
}

const CANCELADAS = ['NfseCancelamento', 'Cancelamento'];
const idOf = (node: XmlNode, ...paths: string[]) =>
  quem(text(node, ...paths.flatMap((path) => [`${path}/Cnpj`, `${path}/Cpf`, path])));
/** Only seven digits are of the IBGE's table. */
const ibge = (code: string | null) => (code !== null && /^[1-5]\d{6}$/.test(code) ? code : null);

function situacao(inf: XmlNode): string {
  const comp = '../..';
  const confirmed = CANCELADAS.some(
    (name) => text(inf, `${comp}/${name}//DataHora`, `${comp}/${name}//DataHoraCancelamento`) !== null,
  );
  const substitute = text(inf, `${comp}/NfseSubstituicao//NfseSubstituidora`);
  return confirmed || (substitute !== null && substitute !== text(inf, 'Numero'))
    ? 'Cancelada'
    : 'Autorizada';
}

/** ABRASF of any version and namespace. */
export function nfseAbrasf(inf: XmlNode): Fatos[] {
  const prestador = idOf(
    inf,
    'PrestadorServico/IdentificacaoPrestador/CpfCnpj',
    'PrestadorServico/IdentificacaoPrestador',
    '//InfDeclaracaoPrestacaoServico/Prestador/CpfCnpj',
  );
  const tomador = idOf(
    inf,
    'TomadorServico/IdentificacaoTomador/CpfCnpj',
    'DeclaracaoPrestacaoServico/InfDeclaracaoPrestacaoServico/Tomador/IdentificacaoTomador/CpfCnpj',
    'DeclaracaoPrestacaoServico/InfDeclaracaoPrestacaoServico/TomadorServico/IdentificacaoTomador/CpfCnpj',
  );
  const other = idOf(
    inf,
    'IntermediarioServico/CpfCnpj',
    'IntermediarioServico/IdentificacaoIntermediario/CpfCnpj',
  );
  const municipio =
    ibge(text(inf, 'OrgaoGerador/CodigoMunicipio')) ??
    ibge(text(inf, 'PrestadorServico/Endereco/CodigoMunicipio'));
  const numero = text(inf, 'Numero');
  return [
    fatos({
      chave: chaveComposta(municipio, prestador, numero),
      modelo: 'NFSe',
      serie: text(inf, 'IdentificacaoRps/Serie', '//Rps/IdentificacaoRps/Serie') ?? '',
      numero: plain(numero),
      data: text(inf, 'DataEmissao') ?? '',
      valor: text(
        inf,
        'Servico/Valores/ValorServicos',
        '//InfDeclaracaoPrestacaoServico/Servico/Valores/ValorServicos',
      ),
      status: situacao(inf),
      partes: distintas([
        ...(prestador ? [`prestador ${prestador}`] : []),
        ...(tomador ? [`tomador ${tomador}`] : []),
        ...(other ? [`intermediario ${other}`] : []),
      ]),
    }),
  ];
}

/** Infisc: what a note is stands in its `Id`, and the day and the hour apart. */
export function notaInfisc(inf: XmlNode): Fatos[] {
  const prestador = quem(text(inf, 'prest/CNPJ'));
  const tomador = quem(text(inf, 'TomS/CNPJ', 'TomS/CPF'));
  const numero = text(inf, 'Id/nNFS-e');
  return [
    fatos({
      chave: chaveComposta(ibge(text(inf, 'Id/cMunFG', 'prest/end/cMun')), prestador, numero),
      modelo: 'NFSe',
      ambiente: text(inf, 'Id/ambienteEmi'),
      serie: text(inf, 'Id/serie') ?? '',
      numero: plain(numero),
      data: `${text(inf, 'Id/dEmi')}T${text(inf, 'Id/hEmi')}:00`,
      valor: text(inf, 'total/vtNF', 'total/vServ'),
      status:
        text(inf, 'Id/cancelada') === 'S' || text(inf, 'Id/anulada') === 'S' ? 'Cancelada' : 'Autorizada',
      partes: distintas([
        ...(prestador ? [`prestador ${prestador}`] : []),
        ...(tomador ? [`tomador ${tomador}`] : []),
      ]),
    }),
  ];
}

/** A city's confirmed cancellation, without the note. */
export function cancelamentoAbrasf(node: XmlNode): Fatos[] {
  const isBesideNote = all(node, '../Nfse').length > 0;
  const when = text(node, './/DataHora', './/DataHoraCancelamento');
  if (isBesideNote || when === null) return [];
  const prestador = idOf(node, './/IdentificacaoNfse/CpfCnpj', './/IdentificacaoNfse');
  return [
    fatos({
      classe: 'evento',
      chave: chaveComposta(
        text(node, './/IdentificacaoNfse/CodigoMunicipio'),
        prestador,
        text(node, './/IdentificacaoNfse/Numero'),
      ),
      modelo: 'NFSe',
      data: when,
      partes: prestador ? [`autor ${prestador}`] : [],
      tpEvento: '101101',
    }),
  ];
}

/** Cities by the table of the Receita, as far as the collection has them. */
const IBGE_DE: Readonly<Record<string, string>> = {
  427: '1501402',
  921: '2111300',
  1219: '2211001',
  5403: '3170206',
  6291: '3509502',
  7145: '3552205',
  9051: '5002704',
};

/** DSF: flat notes under a head that says whose they are. */
export function notaDsf(nota: XmlNode): Fatos[] {
  const head = '../../Cabecalho';
  const numero = text(nota, 'NumeroNota');
  if (numero === null) return [];
  const prestador = quem(text(nota, 'CPFCNPJPrestador', `${head}/CPFCNPJRemetente`));
  const tomador = quem(text(nota, 'CPFCNPJTomador'));
  const isCancelled = text(nota, 'MotCancelamento') !== null || text(nota, 'SituacaoRPS') === 'C';
  const items = all(nota, 'Itens/Item/ValorTotal').map((value) => Number(value.content));
  const city = IBGE_DE[plain(text(nota, `${head}/CodCidade`))] ?? null;
  return [
    fatos({
      chave: chaveComposta(city, prestador, numero),
      modelo: 'NFSe',
      serie: text(nota, 'SerieRPS') ?? '',
      numero: plain(numero),
      data: text(nota, 'DataProcessamento') ?? '',
      valor: items.length > 0 ? items.reduce((sum, value) => sum + value, 0).toFixed(2) : null,
      status: isCancelled ? 'Cancelada' : 'Autorizada',
      partes: distintas([
        ...(prestador ? [`prestador ${prestador}`] : []),
        ...(tomador ? [`tomador ${tomador}`] : []),
      ]),
    }),
  ];
}
