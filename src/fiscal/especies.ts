import type { CodigoRejeicao } from './rejeicoes.ts';
import { ESPECIE, type Especie } from './tipos.ts';

/** What an element that is no NF-e, event or inutilização is, and what to tell the person who sent it. */
export interface Conhecido {
  /** Matched against the local name of the element. */
  nome: RegExp;
  /** Where the same local name means different things: matched against the namespace. */
  namespace?: RegExp;
  codigo: CodigoRejeicao;
  especie: Especie;
  /** What it is, as the subject of a sentence. */
  oQueE: string;
  /** What to do about it. */
  oQueFazer: string;
}

const SO_ACEITOS =
  'não é aceito; envie NF-e, NFC-e, CT-e, CF-e SAT, NFS-e, NFCom, NF3e, NFAg, NFGas, seus eventos e inutilizações';
const ENVIE_NOTA = 'não traz documento; envie o XML da nota com o protocolo (nfeProc)';
const ENVIE_NFSE = 'não traz documento; envie o XML da NFS-e gerada';
const RESPOSTA_DE_CANCELAMENTO = 'Resposta a um pedido de cancelamento de NFS-e';
const BAIXE_DE_NOVO =
  'não traz a nota nem basta para cancelá-la; envie o XML da NFS-e, baixado de novo no site da prefeitura: se ela foi cancelada, ele vem com o cancelamento';

function never(nome: RegExp, oQueE: string): Conhecido {
  return { nome, codigo: 'documento_nao_suportado', especie: ESPECIE.outro, oQueE, oQueFazer: SO_ACEITOS };
}

/** A kind that is read, without the group that makes it one. */
function empty(nome: RegExp, oQueE: string): Conhecido {
  const oQueFazer = 'não traz o grupo com o documento (inf…); envie o XML como o emissor o gerou';
  return { nome, codigo: 'mensagem_sem_documento', especie: ESPECIE.outro, oQueE, oQueFazer };
}

function message(nome: RegExp, oQueE: string, oQueFazer: string = ENVIE_NOTA): Conhecido {
  return { nome, codigo: 'mensagem_sem_documento', especie: ESPECIE.outro, oQueE, oQueFazer };
}

/**
 * Documents of other kinds, each told one by one wherever it stands in the file. The first row that fits counts.
 * @fonte docs/regras.md, kinds
 */
export const OUTROS_DOCUMENTOS: readonly Conhecido[] = [
  never(/^(mdfeProc|MDFe)$/i, 'MDF-e (modelo 58)'),
  never(/^(bpeProc|BPe|bpeTMProc|BPeTM)$/i, 'BP-e (modelo 63)'),
  empty(/^(nf3eProc|NF3e)$/i, 'NF3e (modelo 66)'),
  empty(/^(nfcomProc|NFCom)$/i, 'NFCom (modelo 62)'),
  never(/^(dceProc|DCe)$/i, 'DC-e (modelo 99)'),
  empty(/^(nfgasProc|NFGas)$/i, 'NFGas (modelo 76)'),
  empty(/^(nfagProc|NFAg)$/i, 'NFAg (modelo 75)'),
  empty(/^(nfe?abiProc|NFe?ABI)$/i, 'NF-e ABI (modelo 77)'),
  never(/^(procEvento|evento)(MDFe|BPe|DCe)$/i, 'Evento de MDF-e, BP-e ou DC-e'),
  {
    nome: /^(tp)?NFTS$/i,
    codigo: 'documento_nao_suportado',
    especie: ESPECIE.outro,
    oQueE: 'NFTS (nota fiscal do tomador de serviços, de São Paulo)',
    oQueFazer: 'é a declaração de quem tomou o serviço e não é aceita; envie a NFS-e de quem o prestou',
  },
  never(/^eSocial$/i, 'Evento do eSocial'),
  never(/^Reinf$/i, 'Evento da EFD-Reinf'),
];

/**
 * Messages that hold no document: looked up only where a file holds nothing else, the outermost element first.
 * Soap envelopes name themselves last, so that what they carry is named instead.
 * @fonte docs/regras.md, kinds
 */
export const MENSAGENS: readonly Conhecido[] = [
  {
    nome: /^(eventoCTe)$/i,
    codigo: 'evento_sem_registro',
    especie: ESPECIE.evento,
    oQueE: 'Pedido de evento de CT-e',
    oQueFazer: 'não prova o registro; envie o procEventoCTe com a resposta da SEFAZ',
  },
  {
    nome: /^(pedRegEvento)$/i,
    codigo: 'evento_sem_registro',
    especie: ESPECIE.evento,
    oQueE: 'Pedido de registro de evento de NFS-e',
    oQueFazer: 'não prova o registro; envie o evento gerado pelo sistema nacional',
  },
  message(/^retCancNFe$/i, 'Resposta de cancelamento vazia', 'não traz o cancelamento; envie o procCancNFe'),
  message(
    /^DPS$/i,
    'Declaração de prestação de serviço (DPS)',
    'é só o pedido; envie o XML da NFS-e gerada a partir dela',
  ),
  message(/^(Rps|LoteRps|LoteDps)$/i, 'RPS', 'é só o pedido; envie o XML da NFS-e gerada a partir dele'),
  message(
    /^RetornoConsultaLote$/i,
    'Resposta de lote de NFS-e',
    'traz só o resumo das notas; envie o XML de cada nota (RetornoConsultaNotas)',
  ),
  message(/^(Pedido|Req)(Envio|Consulta|Cancelamento|Informacoes)\w*$/i, 'Pedido de NFS-e', ENVIE_NFSE),
  message(/^\w*(nfse|rps|dps|nota|dadosCadastrais)\w*Envio$/i, 'Pedido de NFS-e', ENVIE_NFSE),
  message(
    /^(Cancelar|Consultar|Gerar|Substituir|Recepcionar|Enviar)\w*(nfse|rps|dps|nota)$/i,
    'Pedido de NFS-e',
    ENVIE_NFSE,
  ),
  message(/^\w*cancel\w*(nfse|nota|lote)\w*(Resposta|Response)$/i, RESPOSTA_DE_CANCELAMENTO, BAIXE_DE_NOVO),
  message(/^RetornoCancelamento\w*$/i, RESPOSTA_DE_CANCELAMENTO, BAIXE_DE_NOVO),
  message(/^xml(Processamento|Cancelamento|Substituicao)Nfp?se$/i, 'Pedido de NFS-e', ENVIE_NFSE),
  message(/^\w*(nfse|rps|dps|nota|dadosCadastrais)\w*(Resposta|Response)$/i, 'Resposta de NFS-e', ENVIE_NFSE),
  message(/^Retorno(Envio|Consulta|Cancelamento|Informacoes)\w*$/i, 'Resposta de NFS-e', ENVIE_NFSE),
  message(/^retorno$/i, 'Resposta de serviço', ENVIE_NFSE),
  message(/^cons(Sit|StatServ|Reci|Cad|NFeDest|GTIN|DPEC|MDFeNaoEnc)\w*$/i, 'Pedido de consulta'),
  message(/^retCons(Sit|StatServ|Reci|Cad|GTIN|MDFeNaoEnc)\w*$/i, 'Resposta de consulta'),
  message(/^(distDFeInt|distMDFe)$/i, 'Pedido de distribuição de documentos'),
  message(/^retDistDFeInt$/i, 'Resposta de distribuição sem documentos'),
  message(/^envi(NFe|CTe|MDFe|BPe|NF3e|NFCom)$/i, 'Lote de envio sem notas'),
  message(/^retEnvi\w+$/i, 'Recibo de lote'),
  message(/^envEvento\w*$/i, 'Lote de eventos sem eventos'),
  message(
    /^retEnvEvento\w*$/i,
    'Resposta de lote de eventos sem o evento',
    'não traz o evento; envie o procEventoNFe',
  ),
  message(
    /^retEvento\w*$/i,
    'Resposta de evento sem o evento',
    'não traz o evento; envie o procEvento completo',
  ),
  message(/^procEvento\w*$/i, 'procEvento vazio', 'não traz o evento; envie o procEvento completo'),
  message(
    /^(nfeProc|cteProc|cteOSProc|cteSimpProc|GTVeProc)$/i,
    'Documento processado sem a nota',
    'não traz a nota; envie o nfeProc ou o cteProc completo',
  ),
  message(/^prot(NFe|CTe|MDFe)$/i, 'Protocolo sem o documento'),
  message(/^ret(CTe|MDFe|CTeOS|CTeSimp|GTVe|NFe)$/i, 'Resposta de autorização sem o documento'),
  message(
    /^(detEvento|infEvento|ev[A-Z]\w+)$/,
    'Fragmento de evento',
    'não é um evento completo; envie o procEvento',
  ),
  message(
    /^inf(NFe|Cte|MDFe|CFe|DPS|NFSe|Inut)$/i,
    'Fragmento de documento',
    'não é um documento completo; envie o XML inteiro',
  ),
  // Asks a city to write one down: taker and amounts, and neither number nor prestador.
  message(/^tcGrcNFSe$/i, 'Pedido de NFS-e', ENVIE_NFSE),
  message(/^(CompNfse|tcCompNfse|ComplNfse|InfNfse)$/i, 'NFS-e vazia', ENVIE_NFSE),
  {
    nome: /^(nfse|nfd|tbnfd|nota|notafiscal|ConsultaNotas|tcNfse)$/i,
    codigo: 'nfse_layout_desconhecido',
    especie: ESPECIE.nfse,
    oQueE: 'NFS-e em layout municipal',
    oQueFazer: 'não é lida',
  },
  {
    nome: /^CrystalReport$/i,
    codigo: 'nfse_sem_prestador',
    especie: ESPECIE.nfse,
    oQueE: 'Relatório de notas impresso em XML pelo Crystal Reports',
    oQueFazer:
      'traz os textos da folha impressa, dos quais não se lê uma nota nem o seu prestador; exporte do site da prefeitura o XML da própria NFS-e, em vez do relatório',
  },
  message(/^nfceListagemChaves$/i, 'Pedido de lista de chaves'),
  message(/^nfceDownloadXML$/i, 'Pedido de download de NFC-e'),
  message(/^retNfce(ListagemChaves|DownloadXML)$/i, 'Resposta do serviço de NFC-e da SEFAZ-SP sem notas'),
  {
    nome: /^(?:Workbook|worksheet|document-content|wordDocument)$/,
    namespace: /office/,
    codigo: 'planilha_no_lugar_do_xml',
    especie: ESPECIE.outro,
    oQueE: 'Planilha ou texto do Office salvo como XML',
    oQueFazer: 'não é documento fiscal; envie o XML que veio do emissor',
  },
  message(/^cabecalho$/i, 'Cabeçalho de mensagem'),
  message(/^Fault$/i, 'Mensagem de erro de um serviço (SOAP Fault)'),
  message(/^(Envelope|\w*(DadosMsg|ResultMsg|Result))$/i, 'Envelope SOAP sem documento'),
];
