/** NFS-e: national, ABRASF, São Paulo, IPM; with events and cancellations. @fonte XSD NFSe 1.01; ABRASF 1.00 to 2.04; docs/regras.md, municipal notes; XSD tiposEventos 1.01 */
import { assinar, CLASSICA, MODERNA } from './assinar.ts';
import { chaveNfse, DIA, EMITENTE, HORA, TERCEIRO, TOMADOR, type Variacao, valorDe } from './partes.ts';

export const NS_NFSE = 'http://www.sped.fazenda.gov.br/nfse';
export const NS_ABRASF = 'http://www.abrasf.org.br/nfse.xsd';

export function chaveDaNfse({ numero, emitente = EMITENTE }: Variacao): string {
  return chaveNfse(emitente, numero);
}

/** Signed twice: the DPS by the issuer inside, the note by the national system. */
export function nfseNacional(variacao: Variacao): string {
  const { numero, emitente = EMITENTE, tomador = TOMADOR } = variacao;
  const valor = valorDe(variacao);
  const id = `DPS35503082${emitente.id}00001${String(numero).padStart(15, '0')}`;
  const dps =
    `<DPS xmlns="${NS_NFSE}" versao="1.01"><infDPS Id="${id}"><tpAmb>1</tpAmb><dhEmi>${HORA}</dhEmi><verAplic>T1</verAplic>` +
    `<serie>1</serie><nDPS>${numero}</nDPS><dCompet>${DIA}</dCompet><tpEmit>1</tpEmit><cLocEmi>3550308</cLocEmi>` +
    `<prest><CNPJ>${emitente.id}</CNPJ></prest><toma><CNPJ>${tomador.id}</CNPJ><xNome>Tomador</xNome></toma>` +
    `<interm><CNPJ>${TERCEIRO.id}</CNPJ><xNome>Intermediário</xNome></interm>` +
    `<serv><locPrest><cLocPrestacao>3509502</cLocPrestacao></locPrest><cServ><cTribNac>010700</cTribNac><xDescServ>Serviço ${variacao.conteudo ?? 'a'}</xDescServ></cServ></serv>` +
    `<valores><vServPrest><vServ>${valor}</vServ></vServPrest></valores></infDPS></DPS>`;
  const signedDps = assinar(dps, { nome: 'infDPS', titular: emitente, algoritmos: CLASSICA });
  const inf =
    `<infNFSe Id="NFS${chaveDaNfse(variacao)}"><xLocEmi>São Paulo</xLocEmi><nNFSe>${numero}</nNFSe><xTribNac>Programação</xTribNac>` +
    `<ambGer>2</ambGer><tpEmis>1</tpEmis><cStat>100</cStat><dhProc>${HORA}</dhProc><nDFSe>${numero}</nDFSe>` +
    `<emit><CNPJ>${emitente.id}</CNPJ><xNome>Prestador</xNome></emit><valores><vLiq>${valor}</vLiq></valores>${signedDps}</infNFSe>`;
  return assinar(
    `<?xml version="1.0" encoding="utf-8"?><NFSe xmlns="${NS_NFSE}" versao="1.01">${inf}</NFSe>`,
    {
      nome: 'infNFSe',
      titular: TERCEIRO,
      algoritmos: MODERNA,
    },
  );
}

export function eventoNfse(input: {
  chave: string;
  codigo: string;
  sequencia?: number;
  conteudo?: 'a' | 'b';
}): string {
  const { chave, codigo, sequencia = 1, conteudo = 'a' } = input;
  const inf =
    `<infEvento Id="EVT${chave}${codigo}${String(sequencia).padStart(3, '0')}"><verAplic>T1</verAplic><ambGer>2</ambGer>` +
    `<nSeqEvento>${sequencia}</nSeqEvento><dhProc>${DIA}T15:00:00-03:00</dhProc><nDFe>1</nDFe><pedRegEvento versao="1.01">` +
    `<infPedReg Id="PRE${chave}${codigo}"><tpAmb>1</tpAmb><verAplic>T1</verAplic><dhEvento>${DIA}T15:00:00-03:00</dhEvento>` +
    `<CNPJAutor>${EMITENTE.id}</CNPJAutor><chNFSe>${chave}</chNFSe><e${codigo}><xDesc>Evento</xDesc><xMotivo>Motivo ${conteudo} informado</xMotivo></e${codigo}></infPedReg></pedRegEvento></infEvento>`;
  return assinar(`<evento xmlns="${NS_NFSE}" versao="1.01">${inf}</evento>`, {
    nome: 'infEvento',
    titular: TERCEIRO,
    algoritmos: MODERNA,
  });
}

const cpfCnpj = (id: string) => `<CpfCnpj><Cnpj>${id}</Cnpj></CpfCnpj>`;
const MUNICIPIO_ABRASF = '4106902';

function cancelamento({ numero, emitente = EMITENTE }: Variacao): string {
  return (
    `<NfseCancelamento versao="2.03"><Confirmacao><Pedido><InfPedidoCancelamento><IdentificacaoNfse><Numero>${numero}</Numero>${cpfCnpj(emitente.id)}` +
    `<InscricaoMunicipal>123</InscricaoMunicipal><CodigoMunicipio>${MUNICIPIO_ABRASF}</CodigoMunicipio></IdentificacaoNfse><CodigoCancelamento>1</CodigoCancelamento></InfPedidoCancelamento></Pedido>` +
    `<DataHora>${DIA}T16:00:00</DataHora></Confirmacao></NfseCancelamento>`
  );
}

/** CompNfse of layout 2.03, signed by the city. */
export function nfseAbrasf(variacao: Variacao): string {
  const { numero, emitente = EMITENTE, tomador = TOMADOR, cancelada = false } = variacao;
  const inf =
    `<InfNfse Id="nfse${numero}"><Numero>${numero}</Numero><CodigoVerificacao>ABCD-${variacao.conteudo ?? 'a'}</CodigoVerificacao><DataEmissao>${DIA}T10:00:00</DataEmissao>` +
    `<ValoresNfse><ValorLiquidoNfse>${valorDe(variacao)}</ValorLiquidoNfse></ValoresNfse><PrestadorServico><IdentificacaoPrestador>${cpfCnpj(emitente.id)}</IdentificacaoPrestador><RazaoSocial>Prestador</RazaoSocial></PrestadorServico>` +
    `<OrgaoGerador><CodigoMunicipio>${MUNICIPIO_ABRASF}</CodigoMunicipio><Uf>PR</Uf></OrgaoGerador><DeclaracaoPrestacaoServico><InfDeclaracaoPrestacaoServico>` +
    `<Rps><IdentificacaoRps><Numero>${numero}</Numero><Serie>A</Serie><Tipo>1</Tipo></IdentificacaoRps></Rps><Competencia>${DIA}</Competencia>` +
    `<Servico><Valores><ValorServicos>${valorDe(variacao)}</ValorServicos></Valores><CodigoMunicipio>${MUNICIPIO_ABRASF}</CodigoMunicipio></Servico>` +
    `<Prestador>${cpfCnpj(emitente.id)}</Prestador><Tomador><IdentificacaoTomador>${cpfCnpj(tomador.id)}</IdentificacaoTomador><RazaoSocial>Tomador</RazaoSocial></Tomador>` +
    '</InfDeclaracaoPrestacaoServico></DeclaracaoPrestacaoServico></InfNfse>';
  const signed = assinar(`<Nfse xmlns="${NS_ABRASF}" versao="2.03">${inf}</Nfse>`, {
    nome: 'InfNfse',
    titular: emitente,
  });
  return `<CompNfse xmlns="${NS_ABRASF}">${signed}${cancelada ? cancelamento(variacao) : ''}</CompNfse>`;
}

/** The city's answer to a cancellation, without the note. */
export function cancelamentoAbrasf(variacao: Variacao): string {
  return `<CancelarNfseResposta xmlns="${NS_ABRASF}"><RetCancelamento>${cancelamento(variacao)}</RetCancelamento></CancelarNfseResposta>`;
}

/** São Paulo: the elements below the root have no namespace. */
export function nfsePaulistana(variacao: Variacao): string {
  const { numero, emitente = EMITENTE, tomador = TOMADOR, cancelada = false } = variacao;
  const nfe =
    `<NFe xmlns=""><Assinatura>QUJD</Assinatura><ChaveNFe><InscricaoPrestador>12345678</InscricaoPrestador><NumeroNFe>${numero}</NumeroNFe><CodigoVerificacao>ABCD${variacao.conteudo ?? 'a'}</CodigoVerificacao></ChaveNFe>` +
    `<DataEmissaoNFe>${DIA}T10:00:00</DataEmissaoNFe><CPFCNPJPrestador><CNPJ>${emitente.id}</CNPJ></CPFCNPJPrestador><RazaoSocialPrestador>Prestador</RazaoSocialPrestador>` +
    `<StatusNFe>${cancelada ? 'C' : 'N'}</StatusNFe>${cancelada ? `<DataCancelamento>${DIA}T16:00:00</DataCancelamento>` : ''}<ValorServicos>${valorDe(variacao)}</ValorServicos>` +
    `<CPFCNPJTomador><CNPJ>${tomador.id}</CNPJ></CPFCNPJTomador><RazaoSocialTomador>Tomador</RazaoSocialTomador><Discriminacao>Serviços</Discriminacao></NFe>`;
  return `<?xml version="1.0" encoding="UTF-8"?><RetornoConsulta xmlns="http://www.prefeitura.sp.gov.br/nfe"><Cabecalho xmlns="" Versao="1"><Sucesso>true</Sucesso></Cabecalho>${nfe}</RetornoConsulta>`;
}

/** IPM: lower case, no namespace. */
export function nfseIpm(variacao: Variacao): string {
  const { numero, emitente = EMITENTE, tomador = TOMADOR, cancelada = false } = variacao;
  return (
    `<?xml version="1.0" encoding="ISO-8859-1"?><nfse><nf><numero_nfse>${numero}</numero_nfse><serie_nfse>1</serie_nfse><data_nfse>10/03/2026</data_nfse><hora_nfse>10:00:00</hora_nfse>` +
    `<situacao_codigo_nfse>${cancelada ? '2' : '1'}</situacao_codigo_nfse><valor_total>${valorDe(variacao).replace('.', ',')}</valor_total></nf>` +
    `<prestador><cpfcnpj>${emitente.id}</cpfcnpj><cidade>8105</cidade></prestador><tomador><cpfcnpj>${tomador.id}</cpfcnpj><nome_razao_social>Tomador</nome_razao_social></tomador>` +
    '<itens><lista><valor_tributavel>1,00</valor_tributavel></lista></itens></nfse>'
  );
}
