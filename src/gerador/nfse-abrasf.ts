import { Buffer } from 'node:buffer';
import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import type { Empresa, Endereco, Pessoa } from './empresas.ts';
import { localIso } from './municipios.ts';
import { generatePrestacao, inscricaoMunicipal, type Prestacao } from './servicos.ts';
import { branch, DECLARACAO, leaf, money, moneyLeaf } from './xml.ts';

/** NFS-e of cities with the layout ABRASF 2.04, unsigned as most cities export them. */

const NS_ABRASF = 'http://www.abrasf.org.br/nfse.xsd';
const VERSAO = '2.04';

export interface EntradaNfseAbrasf {
  /** Seed of this one note. */
  semente: string;
  prestador: Empresa;
  tomador: Empresa | Pessoa | null;
  intermediario?: Empresa | null;
  /** As the city counts, at most 15 digits; often the year and a sequence. */
  numero: number;
  rps: { serie: string; numero: number };
  emissao: Date;
  /** When the city cancelled it; null, the default, for a note that holds. */
  cancelamento?: Date | null;
}

interface NfseAbrasfGerada {
  /** Composed: city, prestador and number. */
  chave: Chave;
  /** `CompNfse`, with declaration, in one line. */
  xml: string;
  bytes: Uint8Array;
  prestador: CpfCnpj;
  tomador: CpfCnpj | null;
  intermediario: CpfCnpj | null;
  numero: number;
  serie: string;
  /** Local time without zone, as the layout has it. */
  dataEmissao: string;
  /** ValorServicos, decimal text. */
  valor: string;
  municipio: number;
  cancelada: boolean;
}

function cpfCnpjXml(id: CpfCnpj): string {
  return branch('CpfCnpj', leaf(id.length === 11 ? 'Cpf' : 'Cnpj', id));
}

function addressXml({ logradouro, numero, complemento, bairro, municipio, cep }: Endereco): string {
  return branch(
    'Endereco',
    leaf('Endereco', logradouro),
    leaf('Numero', numero),
    leaf('Complemento', complemento),
    leaf('Bairro', bairro),
    leaf('CodigoMunicipio', municipio.codigo),
    leaf('Uf', municipio.uf),
    leaf('Cep', cep),
  );
}

function contactXml({ endereco, email }: Empresa | Pessoa): string {
  return branch('Contato', leaf('Telefone', endereco.fone), leaf('Email', email));
}

function serviceXml({ prestador }: EntradaNfseAbrasf, p: Prestacao): string {
  const place = prestador.endereco.municipio.codigo;
  const values = branch(
    'Valores',
    moneyLeaf('ValorServicos', p.vServ),
    p.vIRRF > 0 ? moneyLeaf('ValorIr', p.vIRRF) : '',
    moneyLeaf('ValorIss', p.vISS),
    leaf('Aliquota', p.servico.aliquota.toFixed(2)),
    p.vDesc > 0 ? moneyLeaf('DescontoIncondicionado', p.vDesc) : '',
  );
  return branch(
    'Servico',
    values,
    leaf('IssRetido', p.issRetido ? 1 : 2),
    p.issRetido ? leaf('ResponsavelRetencao', 1) : '',
    leaf('ItemListaServico', p.servico.item),
    leaf('CodigoCnae', p.servico.cnae),
    leaf('Discriminacao', p.servico.descricao),
    leaf('CodigoMunicipio', place),
    leaf('ExigibilidadeISS', 1),
    leaf('MunicipioIncidencia', place),
  );
}

function declarationXml(input: EntradaNfseAbrasf, p: Prestacao): string {
  const { prestador, tomador, intermediario, rps } = input;
  const identification = branch(
    'IdentificacaoRps',
    leaf('Numero', rps.numero),
    leaf('Serie', rps.serie),
    leaf('Tipo', 1),
  );
  const client = tomador
    ? branch(
        'TomadorServico',
        branch('IdentificacaoTomador', cpfCnpjXml(tomador.id)),
        leaf('RazaoSocial', tomador.nome),
        addressXml(tomador.endereco),
        contactXml(tomador),
      )
    : '';
  const broker = intermediario
    ? branch(
        'Intermediario',
        branch('IdentificacaoIntermediario', cpfCnpjXml(intermediario.id)),
        leaf('RazaoSocial', intermediario.nome),
        leaf('CodigoMunicipio', intermediario.endereco.municipio.codigo),
      )
    : '';
  return branch(
    'DeclaracaoPrestacaoServico',
    branch(
      'InfDeclaracaoPrestacaoServico',
      branch('Rps', identification, leaf('DataEmissao', p.competencia), leaf('Status', 1)),
      leaf('Competencia', p.competencia),
      serviceXml(input, p),
      branch(
        'Prestador',
        cpfCnpjXml(prestador.id),
        leaf('InscricaoMunicipal', inscricaoMunicipal(prestador)),
      ),
      client,
      broker,
      leaf('OptanteSimplesNacional', prestador.crt === '1' ? 1 : 2),
      leaf('IncentivoFiscal', 2),
    ),
  );
}

function cancellationXml({ prestador, numero, cancelamento }: EntradaNfseAbrasf): string {
  if (!cancelamento) return '';
  const note = branch(
    'IdentificacaoNfse',
    leaf('Numero', numero),
    cpfCnpjXml(prestador.id),
    leaf('InscricaoMunicipal', inscricaoMunicipal(prestador)),
    leaf('CodigoMunicipio', prestador.endereco.municipio.codigo),
  );
  const request = branch('Pedido', branch('InfPedidoCancelamento', note, leaf('CodigoCancelamento', 1)));
  const moment = leaf('DataHora', localIso(cancelamento, prestador.uf).slice(0, 19));
  return `<NfseCancelamento versao="${VERSAO}">${branch('Confirmacao', request, moment)}</NfseCancelamento>`;
}

/**
 * Generates one municipal note (`CompNfse`, ABRASF 2.04, unsigned), with the city's cancellation beside it where it
 * was cancelled. With the same input otherwise, the note itself is the same with and without cancellation.
 *
 * @throws RangeError for a number that no note has, or a prestador that is no company.
 * @fonte ABRASF 1.00 to 2.04; ABRASF tcIdentificacaoNfse
 */
export function generateNfseAbrasf(input: EntradaNfseAbrasf): NfseAbrasfGerada {
  const { prestador, tomador, intermediario, numero, emissao, rps } = input;
  if (!(Number.isInteger(numero) && numero >= 1 && numero <= 999_999_999_999_999))
    throw new RangeError(`cannot generate this NFS-e: número ${numero}`);
  if (prestador.id.length !== 14)
    throw new RangeError('cannot generate this NFS-e: the prestador has no CNPJ');
  const random = new Aleatorio(`nfse-abrasf/${input.semente}`);
  const local = localIso(emissao, prestador.uf).slice(0, 19);
  const { codigo, uf } = prestador.endereco.municipio;
  const p = generatePrestacao(random.fork('prestacao'), prestador, tomador, local);
  const note = [
    leaf('Numero', numero),
    leaf('CodigoVerificacao', random.text(9, 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789')),
    leaf('DataEmissao', local),
    branch(
      'ValoresNfse',
      moneyLeaf('BaseCalculo', p.vBC),
      leaf('Aliquota', p.servico.aliquota.toFixed(2)),
      moneyLeaf('ValorIss', p.vISS),
      moneyLeaf('ValorLiquidoNfse', p.vLiq),
    ),
    branch(
      'PrestadorServico',
      leaf('RazaoSocial', prestador.nome),
      leaf('NomeFantasia', prestador.fantasia),
      addressXml(prestador.endereco),
      contactXml(prestador),
    ),
    branch('OrgaoGerador', leaf('CodigoMunicipio', codigo), leaf('Uf', uf)),
    declarationXml(input, p),
  ].join('');
  const inf = `<InfNfse Id="nfse${numero}">${note}</InfNfse>`;
  const body = `<Nfse versao="${VERSAO}">${inf}</Nfse>${cancellationXml(input)}`;
  const xml = `${DECLARACAO}<CompNfse xmlns="${NS_ABRASF}">${body}</CompNfse>`;
  return {
    chave: `NFSE-${codigo}-${prestador.id}-${numero}` as Chave,
    xml,
    bytes: Buffer.from(xml, 'utf8'),
    prestador: prestador.id,
    tomador: tomador?.id ?? null,
    intermediario: intermediario?.id ?? null,
    numero,
    serie: rps.serie,
    dataEmissao: local,
    valor: money(p.vServ),
    municipio: Number(codigo),
    cancelada: Boolean(input.cancelamento),
  };
}

/**
 * Puts municipal notes into one file, as cities answer a query (`ConsultarNfseServicoPrestadoResposta`).
 *
 * @param notas bytes of `CompNfse` files of {@link generateNfseAbrasf}
 * @throws RangeError for less than 1 or more than 50 notes. @fonte nfse_v204.xsd
 */
export function generateListaAbrasf(notas: readonly Uint8Array[]): { xml: string; bytes: Uint8Array } {
  if (notas.length < 1 || notas.length > 50) throw new RangeError('a list has 1 to 50 notes');
  const list = notas
    .map((bytes) => Buffer.from(bytes).toString('utf8').slice(DECLARACAO.length))
    .map((xml) => xml.replace(`<CompNfse xmlns="${NS_ABRASF}">`, '<CompNfse>'))
    .join('');
  const body = branch('ListaNfse', list, leaf('Pagina', 1));
  const name = 'ConsultarNfseServicoPrestadoResposta';
  const xml = `${DECLARACAO}<${name} xmlns="${NS_ABRASF}">${body}</${name}>`;
  return { xml, bytes: Buffer.from(xml, 'utf8') };
}
