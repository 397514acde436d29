import type { Chave, Especie, Rejeicao } from './tipos.ts';
import { elementPath, type XmlElement, type XmlTree } from './xml/tree.ts';

/**
 * Every reason for which a piece of a file is refused, with one sentence for people. `docs/erros.md` is held
 * against this list by a test. A code is never renamed.
 */
export const REJEICOES = {
  // The file
  arquivo_vazio: 'O arquivo não tem conteúdo.',
  html_no_lugar_do_xml: 'O arquivo é uma página HTML, em geral uma página de erro do site de onde veio.',
  pdf_no_lugar_do_xml: 'O arquivo é um PDF (DANFE), que não tem valor fiscal.',
  imagem_no_lugar_do_xml: 'O arquivo é uma imagem.',
  sped_nao_aceito: 'O arquivo é uma escrituração SPED (EFD, ECD ou ECF), não um documento fiscal.',
  compactado_nao_aceito: 'O arquivo está compactado de uma forma que não é aberta aqui (RAR, 7z e outras).',
  compactado_invalido: 'Um documento compactado (gzip, docZip) está corrompido.',
  compactado_grande_demais: 'Um documento compactado passa dos limites de tamanho, de razão ou de camadas.',
  json_nao_aceito: 'O arquivo é JSON, não o XML de um documento.',
  arquivo_bancario: 'O arquivo é de banco (CNAB ou OFX), não um documento fiscal.',
  planilha_no_lugar_do_xml: 'O arquivo é do Office (planilha ou texto), não um documento fiscal.',
  conteudo_nao_reconhecido: 'O conteúdo do arquivo não é XML nem lista de chaves.',
  pecas_demais: 'O arquivo tem mais peças do que o limite permite.',
  // The XML
  xml_mal_formado: 'O XML está mal formado.',
  doctype_proibido: 'O XML traz uma declaração DOCTYPE, que documentos fiscais não têm.',
  xml_elementos_demais: 'O XML tem mais elementos do que o limite permite.',
  xml_profundo_demais: 'O XML tem mais níveis de elementos do que o limite permite.',
  xml_atributos_demais: 'Um elemento do XML tem mais atributos do que o limite permite.',
  xml_namespaces_demais: 'As declarações de namespace do XML passam do tamanho que o limite permite.',
  // What it is instead of a document
  documento_nao_suportado: 'O documento é de uma espécie que não é aceita.',
  documento_desconhecido: 'O XML não é de nenhum documento fiscal conhecido.',
  mensagem_sem_documento: 'O XML é um pedido ou uma resposta que não traz documento.',
  evento_sem_registro: 'O evento é só o pedido; falta a resposta da SEFAZ que o registra.',
  inutilizacao_sem_registro: 'A inutilização é só o pedido; falta a resposta da SEFAZ que a homologa.',
  nfe_sem_infnfe: 'O elemento NFe não traz o grupo infNFe.',
  cte_sem_infcte: 'O elemento do CT-e (CTe, CTeOS, CTeSimp ou GTVe) não traz o grupo infCte.',
  cfe_sem_infcfe: 'O elemento do CF-e SAT (CFe ou CFeCanc) não traz o grupo infCFe.',
  cfe_sem_chave: 'O CF-e SAT, ou o seu cancelamento, é só o pedido, sem a chave que o equipamento SAT dá.',
  // NF-e in the TXT layout
  txt_mal_formado: 'O TXT da NF-e não segue o layout.',
  txt_sem_chave: 'A nota em TXT não traz a chave de acesso nem o cNF com que ela se forma.',
  nfse_layout_desconhecido: 'O XML parece uma NFS-e municipal de um layout que não é lido.',
  nfse_sem_prestador: 'O XML é uma exportação de NFS-e que não diz quem é o prestador.',
  // Documents
  namespace_invalido: 'O namespace do documento não é o da sua espécie.',
  elemento_repetido: 'Um elemento que só pode aparecer uma vez está repetido.',
  chave_ausente: 'O documento não tem chave de acesso.',
  chave_invalida: 'A chave de acesso não tem a forma prevista.',
  chave_com_dv_invalido: 'O dígito verificador da chave não confere e não há protocolo que a confirme.',
  modelo_nao_suportado: 'O modelo não é o da espécie do documento, ou não é aceito.',
  ambiente_invalido: 'O documento não diz se é de produção ou de homologação.',
  emitente_ausente: 'O documento não identifica o emitente.',
  numero_nfse_invalido: 'A NFS-e não traz o seu número, ou ele não é válido.',
  emitente_invalido: 'A identificação do emitente não é CNPJ nem CPF.',
  data_emissao_ausente: 'O documento não tem data.',
  data_emissao_invalida: 'A data do documento não é válida.',
  protocolo_de_outra_chave: 'O protocolo é de outro documento.',
  rejeitada_pela_sefaz: 'A SEFAZ rejeitou o documento.',
  // Events and inutilização
  tipo_evento_invalido: 'O código do evento não tem seis dígitos.',
  evento_rejeitado_pela_sefaz: 'A SEFAZ rejeitou o evento.',
  inutilizacao_nao_homologada: 'A SEFAZ não homologou a inutilização.',
  numeracao_invalida: 'A faixa de números inutilizados não é válida.',
} as const satisfies Record<string, string>;
export type CodigoRejeicao = keyof typeof REJEICOES;

/** Why a piece is ignored: nothing is lost with it, nothing is asked of the user. */
export const IGNORADOS = {
  pdf: 'PDF (DANFE ou outro): o documento fiscal é o XML.',
  imagem: 'Imagem: não é documento fiscal. Se é a foto de uma nota, envie o XML dela.',
  arquivo_de_sistema: 'Arquivo do sistema operacional, ou temporário; nada a fazer.',
  planilha:
    'Planilha, tabela ou texto do Office: o documento fiscal é o XML. Se ela traz chaves de acesso, salve a coluna das chaves em um .txt e envie-o.',
  certificado:
    'Certificado digital: não é lido aqui. Cadastre-o na ficha do cliente, e não o envie junto com as notas.',
  outro_arquivo: 'Arquivo de outro tipo, sem documento fiscal que se reconheça; nada a fazer.',
  protocolo_sem_documento: 'Protocolo de um documento que não está no arquivo.',
  lixo_depois_do_documento: 'Há conteúdo que não é XML depois do fim do documento; o documento foi lido.',
} as const satisfies Record<string, string>;
export type CodigoIgnorado = keyof typeof IGNORADOS;

/** A refused registro: what was being read, its key when known, and why. */
export interface Recusa {
  ok: false;
  especie: Especie;
  chave: Chave | null;
  rejeicao: Rejeicao;
}

/** Makes a rejection that is about no place in the XML. */
export function reject(codigo: CodigoRejeicao, mensagem: string, linha: number | null = null): Rejeicao {
  return { codigo, mensagem, elemento: null, linha, coluna: null };
}

/**
 * Makes a rejection that is about an element. `missing` names what should stand below it and does not: the path
 * then shows where the reader would have looked for it.
 */
export function rejectAt(
  codigo: CodigoRejeicao,
  mensagem: string,
  place: { tree: XmlTree; element: XmlElement; missing?: string },
): Rejeicao {
  const path = elementPath(place.element);
  return {
    codigo,
    mensagem,
    elemento: place.missing ? `${path}/${place.missing}` : path,
    ...place.tree.position(place.element.start),
  };
}
