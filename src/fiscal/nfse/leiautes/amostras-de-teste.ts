/** A note of each layout, of invented parties: number, day and parties are the same in all, and can be asked for. */
import { PRESTADOR, TOMADOR } from '../amostras-de-teste.ts';

export interface Pedida {
  numero: string;
  /** `2026-03-10` */
  dia: string;
}

export const PADRAO: Pedida = { numero: '77', dia: '2026-03-10' };

export interface Amostra {
  /** Id of the layout, which must be the one that reads it. */
  leiaute: string;
  /** Which dialect of it. */
  nome: string;
  xml(pedida: Pedida): string;
  /** City in the key, and what numbers the note besides. */
  cidade: string;
  numeradaPor?: string;
  /** What makes it a cancelled one: each of these by itself. */
  cancelada: readonly (readonly [string | RegExp, string])[];
}

const br = (dia: string) => dia.split('-').reverse().join('/');
const VALOR = '1500.00';

type Miolo = (pedida: Pedida) => string;

/** InfNfse of layout 1.00 and of 2.0x, as the providers of ABRASF write it. */
const inf1: Miolo = ({ numero, dia }) =>
  `<InfNfse><Numero>${numero}</Numero><CodigoVerificacao>ABCD-1</CodigoVerificacao><DataEmissao>${dia}T09:30:00</DataEmissao><IdentificacaoRps><Numero>7</Numero><Serie>U</Serie></IdentificacaoRps><Servico><Valores><ValorServicos>${VALOR}</ValorServicos><BaseCalculo>1400.00</BaseCalculo></Valores><CodigoMunicipio>3304557</CodigoMunicipio></Servico><PrestadorServico><IdentificacaoPrestador><Cnpj>${PRESTADOR}</Cnpj></IdentificacaoPrestador><RazaoSocial>Padaria</RazaoSocial><Endereco><Numero>9</Numero><CodigoMunicipio>3304557</CodigoMunicipio></Endereco></PrestadorServico><TomadorServico><IdentificacaoTomador><CpfCnpj><Cnpj>${TOMADOR}</Cnpj></CpfCnpj></IdentificacaoTomador><RazaoSocial>Mercado</RazaoSocial></TomadorServico><OrgaoGerador><CodigoMunicipio>3304557</CodigoMunicipio></OrgaoGerador></InfNfse>`;
const inf2: Miolo = ({ numero, dia }) =>
  `<InfNfse Id="n1"><Numero>${numero}</Numero><CodigoVerificacao>ABCD</CodigoVerificacao><DataEmissao>${dia}T09:30:00</DataEmissao><ValoresNfse><BaseCalculo>1400.00</BaseCalculo><ValorLiquidoNfse>1300.00</ValorLiquidoNfse></ValoresNfse><PrestadorServico><RazaoSocial>Padaria</RazaoSocial><Endereco><Numero>9</Numero><CodigoMunicipio>3304557</CodigoMunicipio></Endereco></PrestadorServico><OrgaoGerador><CodigoMunicipio>3304557</CodigoMunicipio></OrgaoGerador><DeclaracaoPrestacaoServico><InfDeclaracaoPrestacaoServico><Rps><IdentificacaoRps><Numero>7</Numero><Serie>9</Serie></IdentificacaoRps><DataEmissao>2001-01-01</DataEmissao><Status>2</Status></Rps><Competencia>${dia}</Competencia><Servico><Valores><ValorServicos>${VALOR}</ValorServicos></Valores></Servico><Prestador><CpfCnpj><Cnpj>${PRESTADOR}</Cnpj></CpfCnpj></Prestador><Tomador><IdentificacaoTomador><CpfCnpj><Cnpj>${TOMADOR}</Cnpj></CpfCnpj></IdentificacaoTomador><RazaoSocial>Mercado</RazaoSocial></Tomador></InfDeclaracaoPrestacaoServico></DeclaracaoPrestacaoServico></InfNfse>`;

const CANCELAMENTO =
  '<NfseCancelamento><Confirmacao><Pedido><InfPedidoCancelamento><IdentificacaoNfse><Numero>77</Numero></IdentificacaoNfse><CodigoCancelamento>1</CodigoCancelamento></InfPedidoCancelamento></Pedido><DataHora>2026-03-12T08:00:00</DataHora></Confirmacao></NfseCancelamento>';

/** Elements with a prefix, as Ginfes, ISSNet and others have them. */
function comPrefixo(xml: string, prefixo: string): string {
  return xml.replaceAll(/<(\/?)(?=[A-Za-z])/g, `<$1${prefixo}:`);
}

interface Fornecedor {
  nome: string;
  ns: string;
  miolo: Miolo;
  prefixo?: string;
  comp?: string;
  resposta: string;
}

/** The providers whose notes have the names of ABRASF: each with its namespace, its prefix and its answer. */
const FORNECEDORES: readonly Fornecedor[] = [
  {
    nome: 'Ginfes 3',
    ns: 'http://www.ginfes.com.br/tipos_v03.xsd',
    miolo: inf1,
    prefixo: 'ns4',
    resposta: 'ConsultarNfseResposta',
  },
  {
    nome: 'Betha 1',
    ns: 'http://www.betha.com.br/e-nota-contribuinte-ws',
    miolo: inf1,
    comp: 'ComplNfse',
    resposta: 'ConsultarNfseEnvioResponse',
  },
  {
    nome: 'Betha 2',
    ns: 'http://www.betha.com.br/e-nota-contribuinte-ws',
    miolo: inf2,
    prefixo: 'ns2',
    resposta: 'ConsultarNfseFaixaResposta',
  },
  {
    nome: 'WebISS',
    ns: 'http://www.abrasf.org.br/nfse.xsd',
    miolo: inf2,
    resposta: 'ConsultarNfseServicoPrestadoResposta',
  },
  {
    nome: 'ISSNet 1',
    ns: 'http://www.issnetonline.com.br/webserviceabrasf/vsd/tipos_complexos.xsd',
    miolo: inf1,
    prefixo: 'tc',
    resposta: 'ConsultarNfseResposta',
  },
  {
    nome: 'ISSNet 2',
    ns: 'http://www.abrasf.org.br/nfse.xsd',
    miolo: inf2,
    resposta: 'ConsultarNfseRpsResposta',
  },
  {
    nome: 'GISS',
    ns: 'http://www.giss.com.br/tipos-v2_04.xsd',
    miolo: inf2,
    prefixo: 'ns2',
    resposta: 'ConsultarNfseServicoPrestadoResposta',
  },
  {
    nome: 'SimplISS',
    ns: 'http://www.sistema.com.br/Nfse/arquivos/nfse_3.xsd',
    miolo: inf1,
    resposta: 'ConsultarNfseResult',
  },
  {
    nome: 'Tecnos',
    ns: 'http://www.abrasf.org.br/nfse.xsd',
    miolo: inf2,
    comp: 'tcCompNfse',
    resposta: 'ConsultarNfsePorFaixaResult',
  },
  {
    nome: 'Fiorilli',
    ns: 'http://www.abrasf.org.br/nfse.xsd',
    miolo: inf2,
    prefixo: 'ns2',
    resposta: 'consultarNfseServicoPrestadoResponse',
  },
  { nome: 'BHISS', ns: 'http://www.abrasf.org.br/nfse.xsd', miolo: inf1, resposta: 'ConsultarNfseResposta' },
  {
    nome: 'Curitiba',
    ns: 'http://isscuritiba.curitiba.pr.gov.br/iss/nfse.xsd',
    miolo: inf1,
    resposta: 'ConsultarNfseResult',
  },
  {
    nome: 'Salvador',
    ns: 'http://www.abrasf.org.br/ABRASF/arquivos/nfse.xsd',
    miolo: inf1,
    resposta: 'ConsultarNfseResposta',
  },
  {
    nome: 'Recife, Fortaleza e Manaus',
    ns: 'http://www.abrasf.org.br/nfse',
    miolo: inf1,
    resposta: 'ConsultarNfseResposta',
  },
  {
    nome: 'Porto Alegre',
    ns: 'http://www.abrasf.org.br/nfse.xsd',
    miolo: inf1,
    resposta: 'GerarNfseResposta',
  },
  {
    nome: 'Rio de Janeiro (Nota Carioca)',
    ns: 'http://notacarioca.rio.gov.br/WSNacional/XSD/1/nfse_pcrj_v01.xsd',
    miolo: inf1,
    resposta: 'ConsultarNfseResposta',
  },
  { nome: 'Pronim', ns: '', miolo: inf1, resposta: 'ConsultarNfseResposta' },
  {
    nome: 'Elotech',
    ns: 'http://shad.elotech.com.br/schemas/iss/nfse_v2_03.xsd',
    miolo: inf2,
    resposta: 'ConsultarNfseServicoPrestadoResposta',
  },
  {
    nome: 'Tiplan',
    ns: 'http://www.abrasf.org.br/nfse.xsd',
    miolo: inf2,
    resposta: 'ConsultarNfseFaixaResposta',
  },
  { nome: 'Tinus', ns: 'http://www.tinus.com.br', miolo: inf1, resposta: 'ConsultarNfseResult' },
  { nome: 'eGoverne', ns: 'http://www.e-governeapps2.com.br/', miolo: inf1, resposta: 'ConsultarNfseResult' },
  {
    nome: 'SigCorp',
    ns: 'http://www.abrasf.org.br/nfse.xsd',
    miolo: inf2,
    resposta: 'ConsultarNfseServicoPrestadoResposta',
  },
  {
    nome: 'DSF 2',
    ns: 'http://www.abrasf.org.br/nfse.xsd',
    miolo: inf2,
    resposta: 'ConsultarNfseRpsResposta',
  },
];

function deFornecedor({ nome, ns, miolo, prefixo, comp = 'CompNfse', resposta }: Fornecedor): Amostra {
  const xml = (pedida: Pedida): string => {
    const note = `<${resposta}><ListaNfse><${comp}><Nfse versao="1">${miolo(pedida)}</Nfse><!--ao lado--></${comp}></ListaNfse></${resposta}>`;
    const named = prefixo ? comPrefixo(note, prefixo) : note;
    const declared = ns === '' ? '' : ` xmlns${prefixo ? `:${prefixo}` : ''}="${ns}"`;
    return named.replace(/^<[^ >]+/, `$&${declared}`);
  };
  return {
    leiaute: 'abrasf',
    nome,
    xml,
    cidade: '3304557',
    cancelada: [
      ['<!--ao lado-->', prefixo ? comPrefixo(CANCELAMENTO, prefixo) : CANCELAMENTO],
      ...(prefixo
        ? []
        : ([
            ['<Numero>', '<tsStatusNfse>2</tsStatusNfse><Numero>'],
            ['<Numero>', '<Situacao>Cancelada</Situacao><Numero>'],
          ] as const)),
    ],
  };
}

const OUTRAS: readonly Amostra[] = [
  {
    leiaute: 'goiania',
    nome: 'Goiânia',
    xml: (pedida) =>
      `<GerarNfseResposta xmlns="http://nfse.goiania.go.gov.br/xsd/nfse_gyn_v02.xsd"><ListaNfse><CompNfse><Nfse versao="2.00">${inf2(pedida)}</Nfse></CompNfse></ListaNfse><ListaMensagemRetorno><MensagemRetorno><Codigo>L000</Codigo><Mensagem>NORMAL</Mensagem></MensagemRetorno></ListaMensagemRetorno></GerarNfseResposta>`,
    cidade: '3304557',
    cancelada: [
      ['NORMAL', 'CANCELADA'],
      ['L000</Codigo><Mensagem>NORMAL', 'L040</Codigo><Mensagem>SUBSTITUIDA '],
    ],
  },
  {
    leiaute: 'abrasf',
    nome: 'Centi, sem valor dos serviços',
    xml: ({ numero, dia }) =>
      `<GerarNfseResposta xmlns="http://www.centi.com.br/files/nfse.xsd"><ListaNfse><CompNfse><Nfse><InfNfse><Numero>${numero}</Numero><CodigoVerificacao>c0</CodigoVerificacao><DataEmissao>${dia}T10:36:25.007</DataEmissao><NfseSubstituida>0</NfseSubstituida><DescricaoCancelamento /><ValoresNfse><BaseCalculo>${VALOR}</BaseCalculo></ValoresNfse><DeclaracaoPrestacaoServico><InfDeclaracaoPrestacaoServico><Servico><CodigoMunicipio>5218805</CodigoMunicipio></Servico><Prestador><CpfCnpj><Cnpj>${PRESTADOR}</Cnpj></CpfCnpj></Prestador><Tomador><IdentificacaoTomador><CpfCnpj><Cnpj>${TOMADOR}</Cnpj></CpfCnpj></IdentificacaoTomador></Tomador></InfDeclaracaoPrestacaoServico></DeclaracaoPrestacaoServico></InfNfse></Nfse></CompNfse></ListaNfse></GerarNfseResposta>`,
    cidade: '0000000',
    cancelada: [['<DescricaoCancelamento />', '<DescricaoCancelamento>erro</DescricaoCancelamento>']],
  },
  {
    leiaute: 'paulistana',
    nome: 'São Paulo',
    xml: ({ numero, dia }) =>
      `<RetornoConsulta xmlns="http://www.prefeitura.sp.gov.br/nfe"><NFe xmlns=""><ChaveNFe><InscricaoPrestador>40670945</InscricaoPrestador><NumeroNFe>${numero}</NumeroNFe><CodigoVerificacao>Q7</CodigoVerificacao></ChaveNFe><DataEmissaoNFe>${dia}T09:30:00</DataEmissaoNFe><ChaveRPS><SerieRPS>BB</SerieRPS><NumeroRPS>3</NumeroRPS></ChaveRPS><CPFCNPJPrestador><CNPJ>${PRESTADOR}</CNPJ></CPFCNPJPrestador><RazaoSocialPrestador>Padaria</RazaoSocialPrestador><StatusNFe>N</StatusNFe><ValorServicos>${VALOR}</ValorServicos><CPFCNPJTomador><CNPJ>${TOMADOR}</CNPJ></CPFCNPJTomador><RazaoSocialTomador>Mercado</RazaoSocialTomador></NFe></RetornoConsulta>`,
    cidade: '3550308',
    numeradaPor: '40670945',
    cancelada: [
      ['>N<', '>C<'],
      ['<StatusNFe>N</StatusNFe>', '<DataCancelamento>2026-03-12T08:00:00</DataCancelamento>'],
    ],
  },
  {
    leiaute: 'sigcorp',
    nome: 'SigCorp, do portal',
    xml: ({ numero, dia }) =>
      `<NFe><Prefeitura>Bauru</Prefeitura><CPFCNPJPrestador><CNPJ>${PRESTADOR}</CNPJ></CPFCNPJPrestador><ChaveNFe><NumeroNFe>${numero}</NumeroNFe><SerieNFe>1</SerieNFe><CodigoVerificacao>0A</CodigoVerificacao><DataEmissaoNFe>${dia}</DataEmissaoNFe></ChaveNFe><RazaoSocialPrestador>Padaria</RazaoSocialPrestador><EnderecoPrestador><Cidade>BAURU</Cidade><UF>SP</UF></EnderecoPrestador><StatusNFe>Ativa</StatusNFe><ValorServicos>1500,00</ValorServicos><CPFCNPJTomador><CNPJ>${TOMADOR}</CNPJ></CPFCNPJTomador><RazaoSocialTomador>Mercado</RazaoSocialTomador></NFe>`,
    cidade: '3506003',
    numeradaPor: '1',
    cancelada: [['Ativa', 'Cancelada']],
  },
  {
    leiaute: 'dsf',
    nome: 'DSF, do web service',
    xml: ({ numero, dia }) =>
      `<ns1:RetornoConsultaNotas xmlns:ns1="http://localhost:8080/WsNFe2/lote"><Cabecalho><CodCidade>6291</CodCidade><CPFCNPJRemetente>${PRESTADOR}</CPFCNPJRemetente><InscricaoMunicipalPrestador>317</InscricaoMunicipalPrestador></Cabecalho><Notas><Nota><NumeroNota>${numero}</NumeroNota><DataProcessamento>${dia}T00:00:00</DataProcessamento><CodigoVerificacao>0ed</CodigoVerificacao><InscricaoMunicipalPrestador>000317</InscricaoMunicipalPrestador><RazaoSocialPrestador>Padaria</RazaoSocialPrestador><CPFCNPJTomador>${TOMADOR}</CPFCNPJTomador><RazaoSocialTomador>Mercado</RazaoSocialTomador><MotCancelamento/><Itens><Item><ValorTotal>1000</ValorTotal></Item><Item><ValorTotal>500.00</ValorTotal></Item></Itens></Nota></Notas></ns1:RetornoConsultaNotas>`,
    cidade: '3509502',
    cancelada: [['<MotCancelamento/>', '<MotCancelamento>erro</MotCancelamento>']],
  },
  {
    leiaute: 'dsf-portal',
    nome: 'DSF, do portal',
    xml: ({ numero, dia }) =>
      `<NOTAS_FISCAIS><NOTA_FISCAL><NUM_NOTA>0000${numero}</NUM_NOTA><DATA_HORA_EMISSAO>${br(dia)} 09:07:21</DATA_HORA_EMISSAO><MES_COMPETENCIA>${br(dia).slice(3)}</MES_COMPETENCIA><SITUACAO_NF>Normal</SITUACAO_NF><CODIGO_CIDADE>5869</CODIGO_CIDADE><DATA_HORA_CANCELAMENTO>0000000000000000000</DATA_HORA_CANCELAMENTO><PRESTADOR_CPF_CNPJ>${PRESTADOR}</PRESTADOR_CPF_CNPJ><PRESTADOR_RAZAO_SOCIAL>Padaria</PRESTADOR_RAZAO_SOCIAL><TOMADOR_CPF_CNPJ>${TOMADOR}</TOMADOR_CPF_CNPJ><TOMADOR_RAZAO_SOCIAL>Mercado</TOMADOR_RAZAO_SOCIAL><VALOR_NOTA>1500</VALOR_NOTA></NOTA_FISCAL></NOTAS_FISCAIS>`,
    cidade: '3303500',
    cancelada: [
      ['Normal', 'Cancelada'],
      ['0000000000000000000', '12/03/2026 10:00:00'],
    ],
  },
  {
    leiaute: 'ipm',
    nome: 'IPM',
    xml: ({ numero, dia }) =>
      `<nfse><nf><numero_nfse>${numero}</numero_nfse><serie_nfse>1</serie_nfse><data_nfse>${br(dia)}</data_nfse><hora_nfse>09:30:00</hora_nfse><situacao_codigo_nfse>1</situacao_codigo_nfse><cod_verificador_autenticidade>7</cod_verificador_autenticidade><valor_total>1.500,00</valor_total></nf><prestador><cpfcnpj>${PRESTADOR}</cpfcnpj><cidade>8003</cidade></prestador><tomador><tipo>J</tipo><cpfcnpj>${TOMADOR}</cpfcnpj><nome_razao_social>Mercado</nome_razao_social></tomador><itens><lista><valor_tributavel>1,00</valor_tributavel></lista></itens></nfse>`,
    cidade: '4200200',
    numeradaPor: '1',
    cancelada: [
      ['<situacao_codigo_nfse>1', '<situacao_codigo_nfse>2'],
      ['<situacao_codigo_nfse>1</situacao_codigo_nfse>', '<situacao>C</situacao>'],
    ],
  },
  {
    leiaute: 'equiplano',
    nome: 'Equiplano',
    xml: ({ numero, dia }) =>
      `<es:esConsultarNfseResposta xmlns:es="http://www.equiplano.com.br/esnfs"><listaNfse><nfse><nfse><nrNfs>${numero}</nrNfs><cdAutenticacao>AB</cdAutenticacao><dtEmissaoNfs>${dia}T09:30:00</dtEmissaoNfs><dtEmissaoRps>2001-01-01</dtEmissaoRps><isCancelada>false</isCancelada><vlTotalNota>${VALOR}</vlTotalNota></nfse><prestador><nrCnpj>${PRESTADOR}</nrCnpj></prestador><tomador><documento><nrDocumento>${TOMADOR}</nrDocumento></documento><nmTomador>Mercado</nmTomador></tomador></nfse></listaNfse></es:esConsultarNfseResposta>`,
    cidade: '0000000',
    cancelada: [['false', 'true']],
  },
  {
    leiaute: 'sao-luis',
    nome: 'São Luís, do portal',
    xml: ({ numero, dia }) =>
      `<nfse><codigoMunicipio>921</codigoMunicipio><dtEmissao>${dia}T09:30:00</dtEmissao><numeroNota>${numero}</numeroNota><codigoVerificacao>AB</codigoVerificacao><prestador><cnpj>${PRESTADOR}</cnpj></prestador><tomador><cnpj>${TOMADOR}</cnpj></tomador><detalhamentoNota><totais><valotTotalNota>${VALOR}</valotTotalNota></totais></detalhamentoNota></nfse>`,
    cidade: '2111300',
    cancelada: [['<numeroNota>', '<situacao>Cancelada</situacao><numeroNota>']],
  },
  {
    leiaute: 'infisc',
    nome: 'Infisc',
    xml: ({ numero, dia }) =>
      `<resPedidoLoteNFSe><NFS-e><infNFSe versao="1.1"><Id><cNFS-e>000001234</cNFS-e><serie>S</serie><nNFS-e>0000${numero}</nNFS-e><dEmi>${dia}</dEmi><hEmi>10:20</hEmi><anulada>N</anulada><cancelada>N</cancelada><cMunFG>4305108</cMunFG></Id><prest><CNPJ>${PRESTADOR}</CNPJ><xNome>Padaria</xNome></prest><TomS><CNPJ>${TOMADOR}</CNPJ><xNome>Mercado</xNome></TomS><det><serv><vServ>1.00</vServ></serv></det><total><vServ>${VALOR}</vServ><vtNF>${VALOR}</vtNF></total></infNFSe></NFS-e></resPedidoLoteNFSe>`,
    cidade: '4305108',
    cancelada: [
      ['<cancelada>N', '<cancelada>S'],
      ['<anulada>N', '<anulada>S'],
    ],
  },
  {
    leiaute: 'agili',
    nome: 'Agili',
    xml: ({ numero, dia }) =>
      `<ConsultarNfseFaixaResposta xmlns="http://www.agili.com.br/nfse_v_1.00.xsd"><ListaNfse><Nfse><Numero>${numero}</Numero><CodigoAutenticidade>AAA</CodigoAutenticidade><DataEmissao>${dia}T10:00:00</DataEmissao><SituacaoNfse><Codigo>1</Codigo></SituacaoNfse><IdentificacaoOrgaoGerador><Municipio><CodigoMunicipioIBGE>5103403</CodigoMunicipioIBGE></Municipio></IdentificacaoOrgaoGerador><DeclaracaoPrestacaoServico><IdentificacaoPrestador><CpfCnpj><Cnpj>${PRESTADOR}</Cnpj></CpfCnpj></IdentificacaoPrestador><DadosTomador><IdentificacaoTomador><CpfCnpj><Cnpj>${TOMADOR}</Cnpj></CpfCnpj></IdentificacaoTomador></DadosTomador><ListaServico><DadosServico><ValorServico>4.00</ValorServico></DadosServico></ListaServico><ValorServicos>${VALOR}</ValorServicos></DeclaracaoPrestacaoServico></Nfse></ListaNfse></ConsultarNfseFaixaResposta>`,
    cidade: '5103403',
    cancelada: [['<Codigo>1<', '<Codigo>-2<']],
  },
  {
    leiaute: 'florianopolis',
    nome: 'Florianópolis',
    xml: ({ numero, dia }) =>
      `<xmlNfpse><cnpjPrestador>${PRESTADOR}</cnpjPrestador><codigoVerificacao>AB</codigoVerificacao><dataEmissao>${dia}T00:00:00Z</dataEmissao><homologacao>false</homologacao><identificacaoTomador>${TOMADOR}</identificacaoTomador><itensServico><valorTotal>1</valorTotal></itensServico><nomeMunicipioPrestador>FLORIANOPOLIS</nomeMunicipioPrestador><numeroSerie>${numero}</numeroSerie><valorTotalServicos>${VALOR}</valorTotalServicos></xmlNfpse>`,
    cidade: '4205407',
    cancelada: [['<numeroSerie>', '<dataCancelamento>2026-03-12</dataCancelamento><numeroSerie>']],
  },
  {
    leiaute: 'sigiss-espelho',
    nome: 'SigISS, espelho',
    xml: ({ numero, dia }) =>
      `<EspelhoNfse><Nfse><IdentificacaoNfse><Numero>${numero}</Numero><CodigoVerificacao>AB</CodigoVerificacao><DataEmissao>${dia}</DataEmissao><StatusNfse>1</StatusNfse></IdentificacaoNfse><DadosNfse><PrestadorCnpj>${PRESTADOR}</PrestadorCnpj><PrestadorNumero>10</PrestadorNumero><PrestadorCodigoMunicipio>3529005</PrestadorCodigoMunicipio><TomadorCnpj>${TOMADOR}</TomadorCnpj><ValorServicos>${VALOR}</ValorServicos></DadosNfse></Nfse></EspelhoNfse>`,
    cidade: '3529005',
    cancelada: [['<StatusNfse>1', '<StatusNfse>2']],
  },
  {
    leiaute: 'geisweb',
    nome: 'GeisWeb',
    xml: ({ numero, dia }) =>
      `<ConsultaNfseResposta xmlns="http://www.geisweb.net.br/xsd/envio_lote_rps.xsd"><Nfse><IdentificacaoNfse><NumeroNfse>${numero}</NumeroNfse><CodigoVerificacao>AB</CodigoVerificacao></IdentificacaoNfse><DataEmissao>${br(dia)}</DataEmissao><Servico><Valores><ValorServicos>${VALOR}</ValorServicos></Valores><TipoLancamento>P</TipoLancamento></Servico><PrestadorServico><IdentificacaoPrestador><CnpjCpf>${PRESTADOR}</CnpjCpf></IdentificacaoPrestador><RazaoSocial>Padaria</RazaoSocial><Endereco><Numero>9</Numero><Cidade>LIMEIRA</Cidade><Estado>SP</Estado></Endereco></PrestadorServico><TomadorServico><IdentificacaoTomador><CnpjCpf>${TOMADOR}</CnpjCpf></IdentificacaoTomador></TomadorServico></Nfse></ConsultaNfseResposta>`,
    cidade: '3526902',
    cancelada: [['>P<', '>C<']],
  },
  {
    leiaute: 'el',
    nome: 'E&L',
    xml: ({ numero, dia }) =>
      `<tcListaNFse xmlns="http://www.el.com.br/nfse/xsd/el-nfse.xsd"><Nfse><DataEmissao>${dia}T10:00:00</DataEmissao><IdentificacaoNfse><Numero>${numero}</Numero><NumeroRps>12</NumeroRps><Serie>1</Serie></IdentificacaoNfse><DadosPrestador><IdentificacaoPrestador><CpfCnpj>${PRESTADOR}</CpfCnpj></IdentificacaoPrestador><Endereco><CodigoMunicipio>0</CodigoMunicipio><Municipio>VILA VELHA</Municipio><Uf>ES</Uf></Endereco></DadosPrestador><DadosTomador><IdentificacaoTomador><CpfCnpj>${TOMADOR}</CpfCnpj></IdentificacaoTomador></DadosTomador><Servicos><Servico><ValorServico>1.0000</ValorServico></Servico></Servicos><Valores><ValorServicos>1500.0000</ValorServicos></Valores><Status>1</Status></Nfse></tcListaNFse>`,
    cidade: '3205200',
    cancelada: [['<Status>1', '<Status>2']],
  },
  {
    leiaute: 'smarapd',
    nome: 'SmarAPD',
    xml: ({ numero, dia }) =>
      `<tbnfd><nfdok numeronfd="${numero}"><NewDataSet><NOTA_FISCAL><NumeroNota>${numero}</NumeroNota><ChaveValidacao>AB</ChaveValidacao><DataEmissao>${dia}T00:00:00</DataEmissao><SituacaoNf>Normal</SituacaoNf><TimbreContribuinteLinha1>Padaria</TimbreContribuinteLinha1><TimbreContribuinteLinha3>CUBATAO - SP</TimbreContribuinteLinha3><TimbreContribuinteLinha4>Inscrição Municipal: 123 - CPF/CNPJ: ${PRESTADOR}</TimbreContribuinteLinha4><ClienteNomeRazaoSocial>Mercado</ClienteNomeRazaoSocial><ClienteCNPJCPF>${TOMADOR}</ClienteCNPJCPF><ValorTotalNota>${VALOR}</ValorTotalNota><ITENS><ValorTotal>3.00</ValorTotal></ITENS></NOTA_FISCAL></NewDataSet></nfdok></tbnfd>`,
    cidade: '3513504',
    cancelada: [['Normal', 'Cancelada']],
  },
  {
    leiaute: 'sigiss-dadosnota',
    nome: 'SigISS, consulta que traz o prestador',
    xml: ({ numero, dia }) =>
      `<DadosNota><nota>${numero}</nota><autenticidade>AB</autenticidade><dt_conversao>${ingles(dia)}</dt_conversao><cnpj_prestador>${PRESTADOR}</cnpj_prestador><prestador_cidade>MARILIA</prestador_cidade><valor>1500,00</valor><cnpj_tomador>${TOMADOR}</cnpj_tomador><StatusNFe>Ativa</StatusNFe></DadosNota>`,
    cidade: '3529005',
    cancelada: [['Ativa', 'Cancelada']],
  },
  {
    leiaute: 'ds-exportar',
    nome: 'DsExportarNotaFiscal que traz o prestador',
    xml: ({ numero, dia }) =>
      `<DsExportarNotaFiscal><TbNotasFiscais><NumeroNF>${numero}</NumeroNF><DtEmissao>${dia}T00:00:00-03:00</DtEmissao><CNPJCPFPrestador>${PRESTADOR}</CNPJCPFPrestador><CNPJCPFTomador>${TOMADOR}</CNPJCPFTomador><Status>1</Status><ValorTotal>1500.0000</ValorTotal></TbNotasFiscais></DsExportarNotaFiscal>`,
    cidade: '0000000',
    cancelada: [['<Status>1', '<Status>Cancelada']],
  },
  {
    leiaute: 'xml-report',
    nome: 'xmlreport que traz o prestador',
    xml: ({ numero, dia }) =>
      `<table><nfse><numero>${numero}</numero><cnpjTomador>${TOMADOR}</cnpjTomador><nomeTomador>Mercado</nomeTomador><dataEmissao>${br(dia)} 15:41</dataEmissao><cnpjPrestador>${PRESTADOR}</cnpjPrestador><valorServico> 1.500,00</valorServico><situacao>Emitida</situacao></nfse></table>`,
    cidade: '0000000',
    cancelada: [['Emitida', 'Cancelada']],
  },
  {
    leiaute: 'equiplano-portal',
    nome: 'Equiplano, do portal',
    xml: ({ numero, dia }) =>
      `<listaNfs><nfs><nrNfs>${numero}</nrNfs><cdAutenticacao>AB</cdAutenticacao><dtEmissaoNfs>${dia}T10:00:00</dtEmissaoNfs><isIssRetido>Não</isIssRetido><isNfsCancelada>Não</isNfsCancelada><servicos><servico><vlServico>1000.00</vlServico></servico><servico><vlServico>500.00</vlServico></servico></servicos><vlTotalNota>1400.00</vlTotalNota><prestadorServico><nmPrestador>Padaria</nmPrestador><nrDocumento>${PRESTADOR}</nrDocumento><nmCidade>IBAITI</nmCidade><nmUf>PR</nmUf></prestadorServico><tomadorServico><nmTomador>Mercado</nmTomador><nrDocumento>${TOMADOR}</nrDocumento><nmCidade>JAPIRA</nmCidade><nmUf>PR</nmUf></tomadorServico></nfs></listaNfs>`,
    cidade: '4109708',
    cancelada: [['<isNfsCancelada>Não', '<isNfsCancelada>Sim']],
  },
  {
    leiaute: 'sigissweb',
    nome: 'SigISSWeb',
    xml: ({ numero, dia }) =>
      `<notafiscal><numero_nf>${numero}</numero_nf><codigo>AB</codigo><data_emissao>${br(dia)}</data_emissao><cancelada>N</cancelada><valor_nf>1500,00</valor_nf><cnpj_cpf_prestador>${PRESTADOR}</cnpj_cpf_prestador><cnpj_cpf_destinatario>${TOMADOR}</cnpj_cpf_destinatario></notafiscal>`,
    cidade: '0000000',
    cancelada: [['<cancelada>N', '<cancelada>S']],
  },
  {
    leiaute: 'conam',
    nome: 'Conam',
    xml: ({ numero, dia }) =>
      `<Sdt_ConsultaNotasProtocoloOut xmlns="NFe"><XML_Notas><Reg20><Reg20Item><NumNf>${numero}</NumNf><SerNf>E</SerNf><SitNf>1</SitNf><MotivoCncNf></MotivoCncNf><DtEmiNf>${br(dia)}</DtEmiNf><CodVernf>X</CodVernf><CpfCnpjPre>${PRESTADOR}</CpfCnpjPre><CpfCnpjTom>${TOMADOR}</CpfCnpjTom><VlNFS>1500,00</VlNFS></Reg20Item></Reg20></XML_Notas></Sdt_ConsultaNotasProtocoloOut>`,
    cidade: '0000000',
    numeradaPor: 'E',
    cancelada: [['<SitNf>1', '<SitNf>2']],
  },
  {
    leiaute: 'assessor-publico',
    nome: 'Assessor Público',
    xml: ({ numero, dia }) =>
      `<NFSE><NOTA><COD>${numero}</COD><RPS>X</RPS><DATA>${br(dia)}</DATA><HORA>10:30:00</HORA><VALORTOTALSERVICOS>1500,00</VALORTOTALSERVICOS><PRESTCPFCNPJ>${PRESTADOR}</PRESTCPFCNPJ><TOMCPFCNPJ>${TOMADOR}</TOMCPFCNPJ><SERVICOS><SERVICO><CODIGO>1</CODIGO><VALOR>1,00</VALOR></SERVICO></SERVICOS></NOTA></NFSE>`,
    cidade: '0000000',
    cancelada: [['<COD>', '<SITUACAO>Cancelada</SITUACAO><COD>']],
  },
  {
    leiaute: 'joinville',
    nome: 'Joinville',
    xml: ({ numero, dia }) =>
      `<lote xmlns="http://nfem.joinville.sc.gov.br"><prestador><documento>${PRESTADOR}</documento></prestador><nota><numero>${numero}</numero><codigo_verificacao>X</codigo_verificacao><data_emissao>${dia} 09:30:00</data_emissao><valor_total>${VALOR}</valor_total><tomador><documento>${TOMADOR}</documento><numero>1</numero></tomador></nota></lote>`,
    cidade: '4209102',
    cancelada: [['<numero>77', '<cancelada>1</cancelada><numero>77']],
  },
  {
    leiaute: 'giap',
    nome: 'GIAP',
    xml: ({ numero, dia }) =>
      `<nfeResposta><notaFiscal><dadosPrestador><dataEmissao>${br(dia)}</dataEmissao><numeroNota>${numero}</numeroNota><codigoVerificacao>AB</codigoVerificacao><cnpj>${PRESTADOR}</cnpj></dadosPrestador><dadosServico><numero>9</numero><cidade>ARARAS</cidade><uf>SP</uf></dadosServico><dadosTomador><documento>${TOMADOR}</documento></dadosTomador><detalheServico><item><valor>1000.00</valor></item><item><valor>500.00</valor></item></detalheServico></notaFiscal></nfeResposta>`,
    cidade: '3503307',
    cancelada: [['<dadosServico>', '<situacao>Cancelada</situacao><dadosServico>']],
  },
  {
    leiaute: 'barueri',
    nome: 'Barueri',
    xml: ({ numero, dia }) =>
      `<ConsultarNfeServPrestadoResposta><ListaNfeServPrestado xmlns="http://www.barueri.sp.gov.br/nfe"><CompNfeServPrestado><NfeServPrestado><InfNfeServPrestado><NumeroNfe>${numero}</NumeroNfe><SerieNfe /><CodigoVerificacao>77</CodigoVerificacao><DataEmissao>${dia}T14:14:57</DataEmissao><ValoresNfe><BaseCalculo>1.00</BaseCalculo></ValoresNfe><PrestadorServico><IdentificacaoPrestador><CpfCnpj><Cnpj>${PRESTADOR}</Cnpj></CpfCnpj></IdentificacaoPrestador></PrestadorServico><DeclaracaoServicoPrestado><InfDeclaracaoServicoPrestado><Rps><IdentificacaoRps><Numero>9</Numero></IdentificacaoRps></Rps><ServicoPrestado><ValoresServicoPrestado><ValorServicos>${VALOR}</ValorServicos></ValoresServicoPrestado></ServicoPrestado><TomadorServico><IdentificacaoTomador><CpfCnpj><Cnpj>${TOMADOR}</Cnpj></CpfCnpj></IdentificacaoTomador></TomadorServico></InfDeclaracaoServicoPrestado></DeclaracaoServicoPrestado><CancelamentoNFe /></InfNfeServPrestado></NfeServPrestado></CompNfeServPrestado></ListaNfeServPrestado></ConsultarNfeServPrestadoResposta>`,
    cidade: '3505708',
    cancelada: [
      [
        '<CancelamentoNFe />',
        '<CancelamentoNFe><DataCancelamento>2026-03-12T08:00:00</DataCancelamento><MotivoCancelamento>erro</MotivoCancelamento></CancelamentoNFe>',
      ],
    ],
  },
  {
    leiaute: 'cecam',
    nome: 'CECAM',
    xml: ({ numero, dia }) =>
      `<ISSEConsultaNotaRetorno><Header><CNPJCPFPrestador>${PRESTADOR}</CNPJCPFPrestador></Header><DadosNotaFiscal><NumeroNF>${numero}</NumeroNF><ChaveValidacao>AB</ChaveValidacao><SituacaoNF>N</SituacaoNF><Emissao>${br(dia)} 10:11:12</Emissao><CNPJCPFTomador>${TOMADOR}</CNPJCPFTomador><MotivoCancelamento></MotivoCancelamento><ValorTotalNota>1500,00</ValorTotalNota></DadosNotaFiscal></ISSEConsultaNotaRetorno>`,
    cidade: '0000000',
    cancelada: [['>N<', '>C<']],
  },
  {
    leiaute: 'govdigital',
    nome: 'GovDigital',
    xml: ({ numero, dia }) =>
      `<GovDigital><emissao><nf-e><prestacao>${dia}</prestacao><municipioIncidencia>3304557</municipioIncidencia><prestador><documento>${PRESTADOR}</documento><numero>9</numero><estado>MG</estado><municipio>Contagem</municipio></prestador><tomador><documento>${TOMADOR}</documento></tomador><itens><item><valor>1.00</valor></item></itens><senha>AA</senha><numero>${numero}</numero><serie>NF-e</serie><valorTotal>${VALOR}</valorTotal></nf-e></emissao></GovDigital>`,
    cidade: '3118601',
    cancelada: [['<senha>', '<situacao>Cancelada</situacao><senha>']],
  },
  {
    leiaute: 'governa',
    nome: 'Governa',
    xml: ({ numero, dia }) =>
      `<RetornoConsultaNfse><Nfse><NumNot>${numero}</NumNot><CodVer>AB</CodVer><DtemiNfse>${dia}</DtemiNfse><CNPJPr>${PRESTADOR}</CNPJPr><EndCidadePr>JUAZEIRO</EndCidadePr><EndUFPr>BA</EndUFPr><NumDocTmd>${TOMADOR}</NumDocTmd><VlrUnt>${VALOR}</VlrUnt></Nfse></RetornoConsultaNfse>`,
    cidade: '2918407',
    cancelada: [['<NumNot>', '<Situacao>Cancelada</Situacao><NumNot>']],
  },
  {
    leiaute: 'nota-pre-tom',
    nome: 'com PRE_ e TOM_',
    xml: ({ numero, dia }) =>
      `<NOTAS><NOTA><NUMERO>${numero}</NUMERO><CD_VERIFICACAO>AB</CD_VERIFICACAO><DT_COMPETENCIA>${dia}</DT_COMPETENCIA><DT_EMISSAO>${dia}</DT_EMISSAO><VL_SERVICO>${VALOR}</VL_SERVICO><CNPJ>${PRESTADOR}</CNPJ><PRE_RAZAO_SOCIAL>Padaria</PRE_RAZAO_SOCIAL><TOM_CPF_CNPJ>${TOMADOR}</TOM_CPF_CNPJ></NOTA></NOTAS>`,
    cidade: '0000000',
    cancelada: [['<NUMERO>', '<SITUACAO>Cancelada</SITUACAO><NUMERO>']],
  },
  {
    leiaute: 'egoverne-relatorio',
    nome: 'Osasco',
    xml: ({ numero, dia }) =>
      `<NFE xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><NotaFiscalRelatorioDTO><Prestador><CNPJ>${PRESTADOR}</CNPJ><Endereco><Numero>921</Numero><Cidade>Osasco</Cidade><Estado>SP</Estado></Endereco></Prestador><Tomador><CNPJ>${TOMADOR}</CNPJ><Endereco><Numero>33</Numero></Endereco></Tomador><DataEmissao>${dia}T08:01:02.1234567-03:00</DataEmissao><DataCancelamento xsi:nil="true" /><Numero>${numero}</Numero><Serie>E</Serie><Valor>${VALOR}</Valor><CodigoAutenticidade>QW</CodigoAutenticidade><NotaFiscalSubstituida>0</NotaFiscalSubstituida></NotaFiscalRelatorioDTO></NFE>`,
    cidade: '3534401',
    numeradaPor: 'E',
    cancelada: [
      ['<DataCancelamento xsi:nil="true" />', '<DataCancelamento>2026-03-12T08:00:00</DataCancelamento>'],
    ],
  },
  {
    leiaute: 'siappa',
    nome: 'SIAPPA',
    xml: ({ numero, dia }) =>
      `<NFS_E_XML><cabecalho><Cab_CNPJ>${PRESTADOR}</Cab_CNPJ></cabecalho><Detalhes_NFS_e><Reg_NFS_E><NFS_E_NRO>${numero}</NFS_E_NRO><NFS_E_SERIE>E</NFS_E_SERIE><NFS_E_DATA_HORA_CAD>${br(dia)} 10:00:00</NFS_E_DATA_HORA_CAD><NFS_E_COD_VALIDACAO>AB</NFS_E_COD_VALIDACAO><NFS_E_STATUS>N</NFS_E_STATUS><NFS_E_TOM_CPF_CNPJ>${TOMADOR}</NFS_E_TOM_CPF_CNPJ><NFS_E_VLR_BRUTO>${VALOR}</NFS_E_VLR_BRUTO></Reg_NFS_E></Detalhes_NFS_e></NFS_E_XML>`,
    cidade: '0000000',
    numeradaPor: 'E',
    cancelada: [['>N<', '>C<']],
  },
  {
    leiaute: 'simple',
    nome: 'Simple',
    xml: ({ numero, dia }) =>
      `<ArrayOfNota xmlns="http://tempuri.org/"><Nota><sContribuinte>${PRESTADOR}</sContribuinte><iNota>${numero}</iNota><sSerie>E</sSerie><dDataEmissao>${dia}T10:00:00</dDataEmissao><sCodigoVerificador>AB</sCodigoVerificador><sSituacao>N</sSituacao><tTomador><sCPFTomador>${TOMADOR}</sCPFTomador></tTomador><tItens><Itens><nValorTotal>1.00</nValorTotal></Itens></tItens><nValorTotal>${VALOR}</nValorTotal></Nota></ArrayOfNota>`,
    cidade: '0000000',
    numeradaPor: 'E',
    cancelada: [['>N<', '>C<']],
  },
  {
    leiaute: 'webfisco',
    nome: 'WebFisco',
    xml: ({ numero, dia }) =>
      `<return><item><nfecontrole>150</nfecontrole><emitentecnpj>${PRESTADOR}</emitentecnpj><nfenumero>${numero}</nfenumero><nfedata>${dia}</nfedata><nfehora>12:57</nfehora><nfestatus>NAO</nfestatus><destinatariocnpj>${TOMADOR}</destinatariocnpj><nfevalor>${VALOR}</nfevalor></item></return>`,
    cidade: '0000000',
    cancelada: [['NAO', 'SIM']],
  },
  {
    leiaute: 'webfisco',
    nome: 'WebFisco, do portal',
    xml: ({ numero, dia }) =>
      `<NotasFiscais><Nota><NfeNumero>${numero}</NfeNumero><NfeData>${br(dia)}</NfeData><NfeValor>1500,00</NfeValor><NfeStatus>NAO</NfeStatus><EmitenteCNPJ>${PRESTADOR}</EmitenteCNPJ><DestinatarioCnpj>${TOMADOR}</DestinatarioCnpj></Nota></NotasFiscais>`,
    cidade: '0000000',
    cancelada: [['NAO', 'SIM']],
  },
  {
    leiaute: 'rlz',
    nome: 'RLZ',
    xml: ({ numero, dia }) =>
      `<nfse><numero>${numero}</numero><cidade>X</cidade><data>${br(dia)}</data><serie>1</serie><valor>1500,00</valor><codigoverificacao>AB</codigoverificacao><situacao>Emitida</situacao><servicos><servico><valor>1,00</valor></servico></servicos><prestador><cpfcnpj>${PRESTADOR}</cpfcnpj><numero>9</numero><cidade>3118601</cidade></prestador><tomador><cpfcnpj>${TOMADOR}</cpfcnpj><cidade>3106200</cidade></tomador></nfse>`,
    cidade: '3118601',
    numeradaPor: '1',
    cancelada: [['Emitida', 'Cancelada']],
  },
  {
    leiaute: 'cambe',
    nome: 'Cambé',
    xml: ({ numero, dia }) =>
      `<ListaDadosNFSeInfo><DadosNFSe><EspelhoXML><NFSe><identificacaoNFSe><numero>${numero}</numero><codigoVerificacao>AB</codigoVerificacao><dataEmissao>${dia}T09:00:00</dataEmissao></identificacaoNFSe><substituicaoNFSe><NFSeSubstituta/></substituicaoNFSe><dadosNFSe><dadosPrestador><prestadorCNPJ>${PRESTADOR}</prestadorCNPJ><prestadorNumero>9</prestadorNumero></dadosPrestador><dadosTomador><tomadorCPFCNPJ>${TOMADOR}</tomadorCPFCNPJ></dadosTomador></dadosNFSe><demaisDados><servicoValor>${VALOR}</servicoValor><municipioOrgaoGerador>4103701</municipioOrgaoGerador></demaisDados></NFSe></EspelhoXML></DadosNFSe></ListaDadosNFSeInfo>`,
    cidade: '4103701',
    cancelada: [['<NFSeSubstituta/>', '<NFSeSubstituta>78</NFSeSubstituta>']],
  },
  {
    leiaute: 'item-de-notas',
    nome: 'itens de notas',
    xml: ({ numero, dia }) =>
      `<notas><item><numero>${numero}</numero><codigo_verificacao>AB</codigo_verificacao><data_emissao>${dia} 09:30:00</data_emissao><servico><valores><valor_servico>1.500,00</valor_servico></valores></servico><prestacao_servico><identificacao_prestador><cnpj>${PRESTADOR}</cnpj></identificacao_prestador></prestacao_servico><tomador_servico><identificacao_tomador><cpf_cnpj>${TOMADOR}</cpf_cnpj></identificacao_tomador></tomador_servico><orgao_gerador><codigo_municipio>3141108</codigo_municipio></orgao_gerador></item></notas>`,
    cidade: '3141108',
    cancelada: [['<numero>77', '<cancelada>true</cancelada><numero>77']],
  },
  {
    leiaute: 'generico',
    nome: 'nenhum que esteja descrito',
    xml: ({ numero, dia }) =>
      `<notas><nota><numero_nota>${numero}</numero_nota><data_emissao>${br(dia)}</data_emissao><codigo_verificacao>AB</codigo_verificacao><valor_total_nota>1500,00</valor_total_nota><codigo_municipio>3304557</codigo_municipio><emitente><cnpj>${PRESTADOR}</cnpj><numero>9</numero></emitente><destinatario><cpf_cnpj>${TOMADOR}</cpf_cnpj></destinatario></nota></notas>`,
    cidade: '3304557',
    cancelada: [['<numero_nota>', '<situacao>Cancelada</situacao><numero_nota>']],
  },
];

const MESES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** As databases of Microsoft write a day. */
function ingles(dia: string): string {
  const [ano = '', mes = '', d = ''] = dia.split('-');
  return `${MESES[Number(mes) - 1]} ${Number(d)} ${ano} 12:00:00:000AM`;
}

export const AMOSTRAS: readonly Amostra[] = [...FORNECEDORES.map(deFornecedor), ...OUTRAS];
