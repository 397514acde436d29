import { FINALIDADE_AQUISICAO, type FinalidadeAquisicao } from '../finalidade.ts';
import { tabela } from '../tabela.ts';
import type { EfeitoEvento } from '../tipos.ts';

export interface TipoDeEvento {
  descricao: string;
  efeito: EfeitoEvento;
  /** For `cancela_evento`: the code of the event that it undoes; null where the event itself names it. */
  desfaz?: string | null;
  /** Element that names the protocol of the undone event, where it is not `nProtEvento`. */
  protocoloDesfeito?: string;
  /** What the recipient declares the items that it names to be for. @fonte docs/regras.md, purpose */
  finalidade?: FinalidadeAquisicao;
}

function none(descricao: string): TipoDeEvento {
  return { descricao, efeito: 'nenhum' };
}

/** Names who may have the note beside its parties. */
export const ATOR_INTERESSADO = '110150';
/** Undoes the event that it names. */
export const CANCELA_EVENTO = '110001';

/**
 * Events of NF-e and NFC-e by tpEvento. Codes that are not here are kept with no effect.
 * @fonte XSD leiauteEvento_v1.00; XSD e*_v1.00 of PL_010
 */
export const EVENTOS_NFE: Readonly<Record<string, TipoDeEvento>> = tabela({
  [CANCELA_EVENTO]: { descricao: 'Cancelamento de evento', efeito: 'cancela_evento', desfaz: null },
  '110110': { descricao: 'Carta de correção', efeito: 'carta_correcao' },
  '110111': { descricao: 'Cancelamento', efeito: 'cancela' },
  '110112': { descricao: 'Cancelamento por substituição', efeito: 'cancela' },
  '110130': none('Comprovante de entrega da NF-e'),
  '110131': {
    descricao: 'Cancelamento do comprovante de entrega da NF-e',
    efeito: 'cancela_evento',
    desfaz: '110130',
  },
  '110140': none('EPEC: emissão prévia em contingência'),
  [ATOR_INTERESSADO]: none('Ator interessado na NF-e (transportador)'),
  '110192': none('Insucesso na entrega da NF-e'),
  '110193': {
    descricao: 'Cancelamento do insucesso na entrega da NF-e',
    efeito: 'cancela_evento',
    desfaz: '110192',
  },
  '110750': none('Conciliação financeira (ECONF)'),
  '110751': {
    descricao: 'Cancelamento da conciliação financeira (ECONF)',
    efeito: 'cancela_evento',
    desfaz: '110750',
  },
  '111500': none('Pedido de prorrogação, 1º prazo'),
  '111501': none('Pedido de prorrogação, 2º prazo'),
  '111502': none('Cancelamento do pedido de prorrogação, 1º prazo'),
  '111503': none('Cancelamento do pedido de prorrogação, 2º prazo'),
  '112110': none('Informação de efetivo pagamento integral'),
  '112120': none('Importação em ALC/ZFM não convertida em isenção'),
  '112130': none('Perecimento, perda, roubo ou furto no transporte contratado pelo fornecedor'),
  '112140': none('Fornecimento não realizado com pagamento antecipado'),
  '112150': none('Atualização da data de previsão de entrega'),
  '210200': { descricao: 'Confirmação da operação', efeito: 'manifestacao' },
  '210210': { descricao: 'Ciência da operação', efeito: 'manifestacao' },
  '210220': { descricao: 'Desconhecimento da operação', efeito: 'manifestacao' },
  '210240': { descricao: 'Operação não realizada', efeito: 'manifestacao' },
  '211110': none('Solicitação de apropriação de crédito presumido'),
  '211120': {
    ...none('Destinação de item para consumo pessoal'),
    finalidade: FINALIDADE_AQUISICAO.usoConsumo,
  },
  '211124': none('Perecimento, perda, roubo ou furto no transporte contratado pelo adquirente'),
  '211128': none('Aceite de débito na apuração por nota de crédito'),
  '211130': { ...none('Imobilização de item'), finalidade: FINALIDADE_AQUISICAO.ativoImobilizado },
  '211140': none('Solicitação de apropriação de crédito de combustível'),
  '211150': none('Apropriação de crédito de bens e serviços que dependem de atividade do adquirente'),
  '212110': none('Manifestação sobre transferência de crédito de IBS na sucessão'),
  '212120': none('Manifestação sobre transferência de crédito de CBS na sucessão'),
  '411500': none('Resposta do Fisco ao pedido de prorrogação, 1º prazo'),
  '411501': none('Resposta do Fisco ao pedido de prorrogação, 2º prazo'),
  '411502': none('Resposta do Fisco ao cancelamento do pedido de prorrogação, 1º prazo'),
  '411503': none('Resposta do Fisco ao cancelamento do pedido de prorrogação, 2º prazo'),
  '412120': none('Manifestação do Fisco sobre transferência de crédito de IBS na sucessão'),
  '412130': none('Manifestação do Fisco sobre transferência de crédito de CBS na sucessão'),
  '610130': none('Comprovante de entrega do CT-e'),
  '610131': none('Cancelamento do comprovante de entrega do CT-e'),
  '790700': none('Averbação para exportação'),
  '990900': none('Vistoria da SUFRAMA'),
  '990910': none('Confirmação de internalização da mercadoria na SUFRAMA'),
});

function undoes(desfaz: string, descricao: string, protocoloDesfeito?: string): TipoDeEvento {
  return {
    descricao,
    efeito: 'cancela_evento',
    desfaz,
    ...(protocoloDesfeito ? { protocoloDesfeito } : {}),
  };
}

/**
 * Events of CT-e, CT-e OS and GTV-e by tpEvento. Codes that are not here are kept with no effect. A CT-e that was
 * replaced (240140) stays authorised.
 * @fonte XSD eventoCTeTiposBasico_v4.00; docs/regras.md, status; XSD ev*CTe_v4.00
 */
export const EVENTOS_CTE: Readonly<Record<string, TipoDeEvento>> = tabela({
  '110110': { descricao: 'Carta de correção', efeito: 'carta_correcao' },
  '110111': { descricao: 'Cancelamento', efeito: 'cancela' },
  '110113': none('EPEC: emissão prévia em contingência'),
  '110160': none('Registro multimodal'),
  '110170': none('Informações da GTV'),
  '110180': none('Comprovante de entrega do CT-e'),
  '110181': undoes('110180', 'Cancelamento do comprovante de entrega do CT-e', 'nProtCE'),
  '110190': none('Insucesso na entrega do CT-e'),
  '110191': undoes('110190', 'Cancelamento do insucesso na entrega do CT-e', 'nProtIE'),
  '110300': none('Vinculação do pagamento'),
  '110301': undoes('110300', 'Cancelamento da vinculação do pagamento', 'nProtVincPgto'),
  '240130': none('CT-e complementar autorizado'),
  '240131': undoes('240130', 'CT-e complementar cancelado'),
  '240140': none('CT-e de substituição autorizado'),
  '240150': none('CT-e de anulação autorizado'),
  '240160': none('Liberação de EPEC'),
  '240170': none('Liberação do prazo de cancelamento'),
  '240180': none('CT-e OS autorizado'),
  '240181': undoes('240180', 'CT-e OS cancelado'),
  '310610': none('MDF-e autorizado'),
  '310611': undoes('310610', 'MDF-e cancelado'),
  '310620': none('Registro de passagem'),
  '440130': none('Redespacho autorizado'),
  '440140': none('Redespacho intermediário autorizado'),
  '440150': none('Subcontratação autorizada'),
  '440160': none('Serviço vinculado a multimodal autorizado'),
  '510620': none('Registro de passagem automático'),
  '510630': none('Registro de passagem propagado'),
  '610110': { descricao: 'Prestação do serviço em desacordo', efeito: 'manifestacao' },
  '610111': undoes('610110', 'Cancelamento da prestação do serviço em desacordo', 'nProtEvPrestDes'),
});

/** Events of NFCom, NF3e, NFAg and NFGas. @fonte MOC of each, tabela de eventos */
export const EVENTOS_EM_COMUM: Readonly<Record<string, TipoDeEvento>> = tabela({
  '110111': { descricao: 'Cancelamento', efeito: 'cancela' },
  '240140': none('Autorização de nota de substituição'),
  '240150': none('Autorização de nota de ajuste'),
  '240160': none('Cancelamento de nota de ajuste'),
  '240170': none('Liberação do prazo de cancelamento'),
});
