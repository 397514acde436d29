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
  compactado_nao_aceito: 'O arquivo está compactado em RAR, 7z ou gzip; só ZIP é aceito.',
  json_nao_aceito: 'O arquivo é JSON, não o XML de um documento.',
  nfe_txt_nao_aceito: 'O arquivo é uma NF-e no layout TXT do emissor, sem assinatura nem protocolo.',
  conteudo_nao_reconhecido: 'O conteúdo do arquivo não é XML nem lista de chaves.',
  pecas_demais: 'O arquivo tem mais peças do que o limite permite.',
  // The XML
  xml_mal_formado: 'O XML está mal formado.',
  doctype_proibido: 'O XML traz uma declaração DOCTYPE, que documentos fiscais não têm.',
  xml_elementos_demais: 'O XML tem mais elementos do que o limite permite.',
  xml_profundo_demais: 'O XML tem mais níveis de elementos do que o limite permite.',
  xml_atributos_demais: 'Um elemento do XML tem mais atributos do que o limite permite.',
  // What it is instead of a document
  especie_nao_suportada: 'O documento é de uma espécie que esta versão ainda não lê.',
  documento_nao_suportado: 'O documento é de uma espécie que não é aceita.',
  documento_desconhecido: 'O XML não é de nenhum documento fiscal conhecido.',
  mensagem_sem_documento: 'O XML é um pedido ou uma resposta que não traz documento.',
  evento_sem_registro: 'O evento é só o pedido; falta a resposta da SEFAZ que o registra.',
  inutilizacao_sem_registro: 'A inutilização é só o pedido; falta a resposta da SEFAZ que a homologa.',
  resumo_sem_documento: 'O XML é um resumo, sem o documento inteiro.',
  nfe_sem_infnfe: 'O elemento NFe não traz o grupo infNFe.',
  // NF-e and NFC-e
  namespace_invalido: 'O namespace do documento não é o da NF-e.',
  elemento_repetido: 'Um elemento que só pode aparecer uma vez está repetido.',
  chave_ausente: 'O documento não tem chave de acesso.',
  chave_invalida: 'A chave de acesso não tem a forma prevista.',
  chave_com_dv_invalido: 'O dígito verificador da chave não confere e não há protocolo que a confirme.',
  modelo_nao_suportado: 'O modelo do documento não é 55 nem 65.',
  ambiente_invalido: 'O documento não diz se é de produção ou de homologação.',
  emitente_ausente: 'O documento não identifica o emitente.',
  emitente_invalido: 'A identificação do emitente não é CNPJ nem CPF.',
  data_emissao_ausente: 'O documento não tem data.',
  data_emissao_invalida: 'A data do documento não é válida.',
  protocolo_de_outra_chave: 'O protocolo é de outro documento.',
  protocolo_de_evento: 'O protocolo é o registro de um evento, não a autorização da nota.',
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
  imagem: 'Imagem: não é documento fiscal.',
  arquivo_de_sistema: 'Arquivo do sistema operacional.',
  outro_arquivo: 'Arquivo de outro tipo.',
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
