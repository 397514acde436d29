/** What proofs and their shortcomings are called to people, in pt-BR. */
import { FALHA_DE_PROVA, type FalhaDeProva, type Prova } from '../../fiscal/tipos.ts';

export const NOME_DA_PROVA: Readonly<Record<Prova, string>> = {
  sefaz: 'buscado na SEFAZ',
  assinada: 'assinatura e autorização provadas',
  coerente: 'coerente, sem prova completa',
  declarada: 'só declarado',
};

const F = FALHA_DE_PROVA;

/** Each is a sentence by itself, without its point. */
export const FALHA_POR_EXTENSO: Readonly<Record<FalhaDeProva, string>> = {
  [F.semAssinatura]: 'não há assinatura',
  [F.alterada]: 'o conteúdo foi alterado depois de assinado',
  [F.titularDiverso]: 'quem assinou não é quem devia assinar',
  [F.titularNaoInformado]: 'o certificado não diz o CPF ou CNPJ de quem assinou',
  [F.assinadaPelaPrefeitura]: 'quem assinou foi a prefeitura, não o ambiente nacional da NFS-e',
  [F.cadeiaInvalida]: 'o certificado não é da ICP-Brasil ou não serve para assinar documentos',
  [F.cadeiaDesconhecida]: 'a autoridade que emitiu o certificado não está instalada no Malote',
  [F.foraDaValidade]: 'o certificado não valia na data do documento',
  [F.semProtocolo]: 'não há protocolo de autorização',
  [F.protocoloIncompleto]: 'o protocolo não traz o número ou o resumo (digVal) do que autoriza',
  [F.protocoloDeOutroConteudo]: 'o protocolo autoriza outro conteúdo, não este',
  [F.municipal]: 'as notas das prefeituras não trazem prova que se possa conferir',
  [F.soResposta]: 'há só a resposta, que ninguém assina, sem o pedido',
  [F.idDeOutraChave]: 'o Id assinado é de outra chave',
  [F.autorSemPoder]: 'só o emitente pode registrar este evento, e o autor é outro',
  [F.chaveDeOutroEmitente]: 'a chave de acesso é de outro emitente',
  [F.linhaDeLista]: 'há só uma linha de uma lista, sem o XML da nota',
  [F.respostaDeHomologacao]: 'a resposta da SEFAZ é de homologação, e o documento é de produção',
};

/** The shortcomings in one phrase; empty where there is none. */
export function falhasPorExtenso(falhas: readonly FalhaDeProva[]): string {
  return falhas.map((falha) => FALHA_POR_EXTENSO[falha]).join('; ');
}
