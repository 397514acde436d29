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

const AGUARDE = 'ainda não é lido nesta versão; guarde o arquivo para enviá-lo depois';
const SO_ACEITOS = 'não é aceito; envie NF-e, NFC-e, seus eventos e inutilizações';
const ENVIE_NOTA = 'não traz documento; envie o XML da nota com o protocolo (nfeProc)';
const ENVIE_NFSE = 'não traz documento; envie o XML da NFS-e gerada';

function notYet(nome: RegExp, especie: Especie, oQueE: string, namespace?: RegExp): Conhecido {
  return {
    nome,
    ...(namespace ? { namespace } : {}),
    codigo: 'especie_nao_suportada',
    especie,
    oQueE,
    oQueFazer: AGUARDE,
  };
}

function never(nome: RegExp, oQueE: string): Conhecido {
  return { nome, codigo: 'documento_nao_suportado', especie: ESPECIE.outro, oQueE, oQueFazer: SO_ACEITOS };
}

function message(nome: RegExp, oQueE: string, oQueFazer: string = ENVIE_NOTA): Conhecido {
  return { nome, codigo: 'mensagem_sem_documento', especie: ESPECIE.outro, oQueE, oQueFazer };
}

/**
 * Documents of other kinds, each told one by one wherever it stands in the file. The first row that fits counts.
 * @fonte domain 1.1, 1.8
 */
export const OUTROS_DOCUMENTOS: readonly Conhecido[] = [
  notYet(/^(cteOSProc|CTeOS)$/i, ESPECIE.cteOs, 'CT-e OS'),
  notYet(/^(cteSimpProc|CTeSimp)$/i, ESPECIE.cte, 'CT-e simplificado'),
  notYet(/^(GTVeProc|GTVe)$/i, ESPECIE.gtve, 'XML de GTV-e'),
  notYet(/^(cteProc|CTe)$/i, ESPECIE.cte, 'CT-e'),
  notYet(/^procEventoCTe$/i, ESPECIE.evento, 'Evento de CT-e'),
  notYet(/^(procInutCTe|retInutCTe)$/i, ESPECIE.inutilizacao, 'Registro de inutilização de CT-e'),
  notYet(/^CFeCanc$/i, ESPECIE.evento, 'Cancelamento de CF-e SAT'),
  notYet(/^CFe$/i, ESPECIE.cfe, 'CF-e SAT'),
  notYet(/^procCancNFe$/i, ESPECIE.evento, 'Cancelamento no layout antigo (procCancNFe)'),
  notYet(/^(CompNfse|InfNfse|tcCompNfse)$/i, ESPECIE.nfse, 'XML de NFS-e'),
  // ISSDSF answers hold their notes under these names; in capitals, for `nota` is also a field.
  notYet(/^(Nota|ConsultaNFSe)$/, ESPECIE.nfse, 'XML de NFS-e em layout municipal'),
  notYet(/^NFe$/, ESPECIE.nfse, 'XML de NFS-e de São Paulo', /prefeitura\.sp\.gov\.br/),
  notYet(/^evento$/, ESPECIE.evento, 'Evento de NFS-e', /sped\.fazenda\.gov\.br\/nfse/),
  notYet(/^(mdfe|cte|nfe|nfse|)docZip$/i, ESPECIE.outro, 'Documento compactado de distribuição (docZip)'),
  {
    nome: /^resNFe$/i,
    codigo: 'resumo_sem_documento',
    especie: ESPECIE.resumo,
    oQueE: 'Resumo de NF-e (resNFe)',
    oQueFazer:
      'não traz a nota inteira; faça a manifestação do destinatário e envie o XML completo (nfeProc)',
  },
  {
    nome: /^resEvento$/i,
    codigo: 'resumo_sem_documento',
    especie: ESPECIE.resumo,
    oQueE: 'Resumo de evento (resEvento)',
    oQueFazer: 'não traz o evento inteiro; envie o XML completo (procEventoNFe)',
  },
  never(/^(mdfeProc|MDFe)$/i, 'MDF-e (modelo 58)'),
  never(/^(bpeProc|BPe|bpeTMProc|BPeTM)$/i, 'BP-e (modelo 63)'),
  never(/^(nf3eProc|NF3e)$/i, 'NF3e (modelo 66)'),
  never(/^(nfcomProc|NFCom)$/i, 'NFCom (modelo 62)'),
  never(/^(dceProc|DCe)$/i, 'DC-e (modelo 99)'),
  never(/^(nfgasProc|NFGas)$/i, 'NFGas (modelo 76)'),
  never(/^(nfagProc|NFAg)$/i, 'NFAg (modelo 75)'),
  never(/^(procEvento|evento)(MDFe|BPe|NF3e|NFCom|DCe|NFGas|NFAg)$/i, 'Evento de outro modelo de documento'),
  never(/^eSocial$/i, 'Evento do eSocial'),
  never(/^Reinf$/i, 'Evento da EFD-Reinf'),
];

/** Told apart by what stands in them, not by their names alone: `NFSe` with infNFSe, `NFe` with ChaveNFe. */
export const NFSE_NACIONAL = notYet(/^NFSe$/i, ESPECIE.nfse, 'XML de NFS-e nacional');
export const NFSE_PAULISTANA = notYet(/^NFe$/i, ESPECIE.nfse, 'XML de NFS-e de São Paulo');

/**
 * Messages that hold no document: looked up only where a file holds nothing else, the outermost element first.
 * Soap envelopes name themselves last, so that what they carry is named instead.
 * @fonte domain 1.8
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
  {
    nome: /^inutCTe$/i,
    codigo: 'inutilizacao_sem_registro',
    especie: ESPECIE.inutilizacao,
    oQueE: 'Pedido de inutilização de CT-e',
    oQueFazer: 'não prova a homologação; envie o procInutCTe com a resposta da SEFAZ',
  },
  {
    ...message(/^(cancNFe|retCancNFe)$/i, 'Cancelamento no layout antigo'),
    oQueFazer: 'não é aceito; envie o evento de cancelamento (procEventoNFe)',
  },
  message(
    /^DPS$/i,
    'Declaração de prestação de serviço (DPS)',
    'é só o pedido; envie o XML da NFS-e gerada a partir dela',
  ),
  message(/^(Rps|LoteRps|LoteDps)$/i, 'RPS', 'é só o pedido; envie o XML da NFS-e gerada a partir dele'),
  message(/^(Pedido|Req)(Envio|Consulta|Cancelamento|Informacoes)\w*$/i, 'Pedido de NFS-e', ENVIE_NFSE),
  message(/^\w*(nfse|rps|dps|nota|dadosCadastrais)\w*Envio$/i, 'Pedido de NFS-e', ENVIE_NFSE),
  message(
    /^(Cancelar|Consultar|Gerar|Substituir|Recepcionar|Enviar)\w*(nfse|rps|dps|nota)$/i,
    'Pedido de NFS-e',
    ENVIE_NFSE,
  ),
  message(/^\w*(nfse|rps|dps|nota|dadosCadastrais)\w*(Resposta|Response)$/i, 'Resposta de NFS-e', ENVIE_NFSE),
  message(/^Retorno(Envio|Consulta|Cancelamento|Informacoes)\w*$/i, 'Resposta de NFS-e', ENVIE_NFSE),
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
    /^(nfeProc|cteProc)$/i,
    'Documento processado sem a nota',
    'não traz a nota; envie o nfeProc completo',
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
  notYet(
    /^(nfse|nfd|tbnfd|tcGrcNFSe|nota|notafiscal|ConsultaNotas|tcNfse)$/i,
    ESPECIE.nfse,
    'NFS-e em layout municipal',
  ),
  message(/^nfceListagemChaves$/i, 'Pedido de lista de chaves'),
  message(/^cabecalho$/i, 'Cabeçalho de mensagem'),
  message(/^Fault$/i, 'Mensagem de erro de um serviço (SOAP Fault)'),
  message(/^(Envelope|\w*(DadosMsg|ResultMsg|Result))$/i, 'Envelope SOAP sem documento'),
];
