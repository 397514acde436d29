import type { Leiaute } from '../leiaute.ts';

const SO_PRESTADOR =
  'prestador|prestadorservico|dadosprestador|identificacaoprestador|prest|prestacaoservico';
/** Beside a prestador, the emitente is the city, and the destinatario somebody whom the service is for. */
const PRESTADOR = `${SO_PRESTADOR}|emitente`;
const SO_TOMADOR = 'tomador|tomadorservico|dadostomador|identificacaotomador|toms|toma';
const TOMADOR = `${SO_TOMADOR}|destinatario`;
const INTERMEDIARIO = 'intermediario|intermediarioservico|identificacaointermediario';
const ID = 'cpfcnpj|cnpjcpf|cnpj|cpf|nrcnpj|nrdocumento|documento';
const NOME = 'nomerazaosocial|razaosocial|nmprestador|nmtomador|nomerazao|xnome|nome';
const NUMERO =
  'numeronfse|numeronota|numeronotafiscal|numeronf|numnf|nrnfse|nrnfs|nrnotafiscal|nrnota|numeronfe|nnfse|numeronfd|numnota|nrnf';
const DATA =
  'dataemissaonfse|datanfse|dataemissao|dtemissaonfs|dtemissaonfse|dtemissao|dhemissao|datahoraemissao|dataemissaonf|dataprocessamento|dtprocessamento|datanota|demi|dteminf|dtemi|dtemirps|dataemissaorps|data';
const CODIGO =
  'codigoverificacao|codverificadorautenticidade|codigoautenticidade|codvernf|cdautenticacao|nrautenticacao|chaveautenticidade|chavevalidacao|cdverificacao';
const ID_PRESTADOR =
  'cpfcnpjprestador|cnpjcpfprestador|cnpjprestador|cpfprestador|cpfcnpjpre|cpfcnpjemitente|cnpjemitente|emitentecnpj|prestadorcpfcnpj|prestadorcnpjcpf|prestadorcnpj|prestadorcpf|prestcpfcnpj';
const ID_TOMADOR =
  'cpfcnpjtomador|cnpjcpftomador|cnpjcpfdestinatario|cpfcnpjdestinatario|cnpjtomador|cpftomador|cpfcnpjtom|tomadorcpfcnpj|tomadorcnpjcpf|tomadorcnpj|tomadorcpf|tomcpfcnpj|clientecnpjcpf|identificacaotomador|destinatariocnpj';

/** The last of the table: fields by the many names that cities give to the same thing, for layouts that nobody described. */
export const generico: Leiaute = {
  id: 'generico',
  nome: 'Leiaute municipal não descrito, pelos nomes dos campos',
  fonte: 'Nomes que se repetem nos leiautes municipais',
  nota: {
    elemento: [
      'nfse',
      'nfs',
      'nfd',
      'nota',
      'notafiscal',
      'notafiscalservico',
      'notafiscaleletronica',
      'notafiscalservicoeletronica',
      'tcnfse',
      'notasfiscais',
      'reg20item',
      'retorno',
      'xmlnfpse',
      'xmlnfse',
    ],
    envoltorio: ['CompNfse', 'tcCompNfse', 'ComplNfse'],
    aoLado: ['NfseCancelamento', 'NfseSubstituicao', 'ListaMensagemRetorno'],
    // Requests of SmarAPD, which name the prestador by his inscription.
    naoTem: ['./inscricaomunicipalemissor'],
    tem: [`.//${NUMERO}|numero|cod`, `.//${NUMERO}|${CODIGO}|prestcpfcnpj`, `.//${DATA}`],
  },
  numero: [`.//${NUMERO}|numero|cod`, `.//${PRESTADOR}//${NUMERO}`],
  serie: ['.//serienfse|sernf|codigoserie'],
  serieDoRps: ['.//serierps|serie|seriedocumento'],
  data: {
    campos: [`.//${DATA}`, `.//${PRESTADOR}//${DATA}`],
    hora: ['.//horanfse|horaemissao|horaemissaonfse|hemi|hora'],
  },
  prestador: {
    cpfCnpj: [
      `.//${SO_PRESTADOR}/${ID}`,
      `.//${SO_PRESTADOR}//${ID}`,
      `.//${PRESTADOR}/${ID}`,
      `.//${PRESTADOR}//${ID}`,
      `.//${ID_PRESTADOR}`,
      `.//${PRESTADOR}//${ID_PRESTADOR}`,
    ],
    nome: [
      `.//${SO_PRESTADOR}//${NOME}`,
      `.//${PRESTADOR}//${NOME}`,
      './/razaosocialprestador|nomeprestador|razaosocialpre|razsocpre|nomeempresa|prestadorrazaosocial|prestnomerazao|timbrecontribuintelinha1',
    ],
    noTexto: ['.//timbrecontribuintelinha4', './/timbrecontribuintelinha3'],
  },
  tomador: {
    cpfCnpj: [
      `.//${SO_TOMADOR}/${ID}`,
      `.//${SO_TOMADOR}//${ID}`,
      `.//${TOMADOR}/${ID}`,
      `.//${TOMADOR}//${ID}`,
      `.//${ID_TOMADOR}`,
      `.//${TOMADOR}//${ID_TOMADOR}`,
    ],
    nome: [
      `.//${SO_TOMADOR}//${NOME}`,
      `.//${TOMADOR}//${NOME}`,
      './/razaosocialtomador|razaotomador|nometomador|razaosocialtom|razsoctom|razaosocialdestinatario|nomedestinatario|tomadorrazaosocial|tomnomerazao|clientenomerazaosocial',
    ],
  },
  intermediario: {
    cpfCnpj: [
      `.//${INTERMEDIARIO}/${ID}`,
      `.//${INTERMEDIARIO}//${ID}`,
      './/cpfcnpjintermediario|cnpjintermediario',
    ],
    nome: [`.//${INTERMEDIARIO}//${NOME}`],
  },
  aoRedor: {
    cpfCnpj: ['prestador/cpfcnpj', 'prestador/cnpj', 'prestador/cpf', 'prestador/documento'],
    nome: ['prestador/razaosocial', 'prestador/nome'],
  },
  valor: [
    './/valorservicos|valortotalservicos|valorservico|vlservicos|vlservico|valortotalservico|valornf|vlnfs|valortotal|valortotalnota|valottotalnota|vltotalnota|vltotalrps|vltotal|valornota|vtnf|vserv',
  ],
  municipio: {
    codigo: [
      './/codigomunicipiogerador|codigomunicipio|codigomunicipioibge|codmunicipio|cmun|codigoibge|codcidade|codigocidade',
      `.//${PRESTADOR}//codigomunicipio|cidade`,
    ],
    nome: ['.//nomemunicipioprestador'],
    daReceita: true,
  },
  prestacao: ['.//municipioprestacao|codigomunicipioprestacao|municipioincidencia|localprestacao'],
  situacao: [
    { tipo: 'confirmacao', campos: ['//NfseCancelamento'] },
    { tipo: 'substituta', campos: ['//NfseSubstituicao//NfseSubstituidora'] },
    // Goiânia says it among the messages of the answer.
    { tipo: 'situacao', campos: ['//ListaMensagemRetorno/MensagemRetorno/Mensagem'] },
    {
      tipo: 'situacao',
      campos: ['.//situacaocodigonfse', './/sitnf', './/statusnfse', './/statusnfe'],
      cancelada: ['2'],
      normal: ['1', '0'],
    },
    {
      tipo: 'situacao',
      campos: [
        './/situacaonfse|situacaonfsedescricao|situacaonf|situacaorps|situacaonota|situacao|statusnfpse|status|nfestatus|tipolancamento',
      ],
    },
    {
      tipo: 'sim_nao',
      campos: [
        './/cancelada|iscancelada|notacancelada|flcancelada|isnfscancelada|isnfsecancelada|nfsecancelada',
        './/anulada',
      ],
    },
    { tipo: 'data', campos: ['.//datacancelamento|dtcancelamento|datacncnf|datahoracancelamento'] },
    {
      tipo: 'motivo',
      campos: [
        './/motcancelamento|motivocancelamento|dsmotivocancelamento|dscancelamento|descricaocancelamento|motcncnf|motivocncnf',
      ],
    },
  ],
  substitui: ['.//numeronfsesubstituida|nfsesubstituida|numeronotasubstituida'],
  chaveNacional: ['.//chaveacessonfsenacional|chavenotanacional'],
  teste: ['.//nfseteste|homologacao'],
};
