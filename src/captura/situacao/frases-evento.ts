/** The codes of the services of events, where manifestações go. @fonte NT 2020.001 v1.60; MOC NF-e 7.0; MOC CT-e 4.00 */
import type { Frase } from './frase.ts';

const NADA = { fazer: 'Nada a fazer.', quem: 'ninguem' } as const;
const DEFEITO = {
  fazer:
    'É um defeito do Malote ou uma mudança no serviço: envie esta mensagem ao suporte do Malote. A manifestação não foi registrada.',
  quem: 'operador',
} as const;
const CERTIFICADO = 'Envie um certificado A1 válido deste cliente na ficha dele e manifeste de novo.';
const NAO_CABE = 'A manifestação não foi registrada e não será repetida.';

export const EVENTO: Readonly<Record<string, Frase>> = {
  108: {
    diz: 'O serviço de eventos está parado por pouco tempo.',
    fazer: 'A manifestação espera e vai de novo quando o serviço voltar.',
    quem: 'ninguem',
  },
  109: {
    diz: 'O serviço de eventos está parado, sem previsão de volta.',
    fazer: 'A manifestação espera e vai de novo quando o serviço voltar.',
    quem: 'ninguem',
  },
  128: { diz: 'A SEFAZ processou o lote.', ...NADA },
  134: { diz: 'A SEFAZ registrou o evento.', ...NADA },
  135: { diz: 'A SEFAZ registrou a manifestação.', ...NADA },
  136: { diz: 'A SEFAZ registrou a manifestação; a nota ainda não chegou à base nacional.', ...NADA },
  214: { diz: 'A SEFAZ achou a mensagem grande demais.', ...DEFEITO },
  215: { diz: 'A SEFAZ achou a mensagem fora do formato.', ...DEFEITO },
  217: {
    diz: 'A SEFAZ não tem CT-e com esta chave.',
    fazer: `Confira a chave com a transportadora. ${NAO_CABE}`,
    quem: 'escritorio',
  },
  225: { diz: 'A SEFAZ achou o lote fora do formato.', ...DEFEITO },
  236: {
    diz: 'A chave do documento tem o dígito verificador errado.',
    fazer: `Confira a chave. ${NAO_CABE}`,
    quem: 'escritorio',
  },
  238: { diz: 'A SEFAZ ainda não aceita a versão da mensagem que o Malote envia.', ...DEFEITO },
  239: { diz: 'A SEFAZ não aceita mais a versão da mensagem que o Malote envia.', ...DEFEITO },
  252: {
    diz: 'A manifestação foi ao ambiente errado da SEFAZ (produção ou homologação).',
    fazer: 'Confira o endereço e o ambiente da captura nas configurações do Malote.',
    quem: 'operador',
  },
  280: { diz: 'A SEFAZ não aceitou o certificado do cliente.', fazer: CERTIFICADO, quem: 'escritorio' },
  281: {
    diz: 'O certificado do cliente está vencido ou ainda não vale.',
    fazer: CERTIFICADO,
    quem: 'escritorio',
  },
  282: {
    diz: 'O certificado do cliente não traz CNPJ.',
    fazer: 'Envie o e-CNPJ A1 do cliente na ficha dele e manifeste de novo.',
    quem: 'escritorio',
  },
  283: {
    diz: 'A SEFAZ não reconheceu a cadeia do certificado do cliente.',
    fazer: CERTIFICADO,
    quem: 'escritorio',
  },
  284: { diz: 'O certificado do cliente foi revogado.', fazer: CERTIFICADO, quem: 'escritorio' },
  285: { diz: 'O certificado do cliente não é da ICP-Brasil.', fazer: CERTIFICADO, quem: 'escritorio' },
  286: {
    diz: 'A SEFAZ não conseguiu verificar se o certificado do cliente foi revogado.',
    fazer: 'Costuma passar sozinho: manifeste de novo mais tarde.',
    quem: 'escritorio',
  },
  290: { diz: 'A SEFAZ não aceitou o certificado da assinatura.', fazer: CERTIFICADO, quem: 'escritorio' },
  291: {
    diz: 'O certificado da assinatura está vencido ou ainda não vale.',
    fazer: CERTIFICADO,
    quem: 'escritorio',
  },
  292: {
    diz: 'O certificado da assinatura não traz CNPJ.',
    fazer: 'Envie o e-CNPJ A1 do cliente na ficha dele e manifeste de novo.',
    quem: 'escritorio',
  },
  293: {
    diz: 'A SEFAZ não reconheceu a cadeia do certificado da assinatura.',
    fazer: CERTIFICADO,
    quem: 'escritorio',
  },
  294: { diz: 'O certificado da assinatura foi revogado.', fazer: CERTIFICADO, quem: 'escritorio' },
  295: { diz: 'O certificado da assinatura não é da ICP-Brasil.', fazer: CERTIFICADO, quem: 'escritorio' },
  296: {
    diz: 'A SEFAZ não conseguiu verificar se o certificado da assinatura foi revogado.',
    fazer: 'Costuma passar sozinho: manifeste de novo mais tarde.',
    quem: 'escritorio',
  },
  297: { diz: 'A SEFAZ não conferiu a assinatura da manifestação.', ...DEFEITO },
  298: { diz: 'A SEFAZ achou a assinatura fora do padrão.', ...DEFEITO },
  402: { diz: 'A SEFAZ achou a mensagem numa codificação de texto que não aceita.', ...DEFEITO },
  404: { diz: 'A SEFAZ não aceitou um prefixo na mensagem.', ...DEFEITO },
  489: {
    diz: 'A SEFAZ não reconhece o CNPJ deste cliente como válido.',
    fazer: 'Confira o CNPJ no cadastro do cliente.',
    quem: 'escritorio',
  },
  490: {
    diz: 'A SEFAZ não reconhece o CPF deste cliente como válido.',
    fazer: 'Confira o CPF no cadastro do cliente.',
    quem: 'escritorio',
  },
  491: { diz: 'A SEFAZ não conhece este tipo de evento.', ...DEFEITO },
  492: { diz: 'A SEFAZ não conhece a versão deste evento.', ...DEFEITO },
  493: { diz: 'A SEFAZ achou o conteúdo do evento fora do formato.', ...DEFEITO },
  494: {
    diz: 'A SEFAZ não tem nota com esta chave.',
    fazer:
      'Confira a chave com quem emitiu. Se estiver certa, a nota pode ainda não ter chegado à base nacional: manifeste de novo mais tarde.',
    quem: 'escritorio',
  },
  572: { diz: 'A SEFAZ achou que a identificação do evento não corresponde ao conteúdo.', ...DEFEITO },
  573: {
    diz: 'Esta manifestação já estava registrada, talvez por outro programa.',
    fazer: 'Nada a fazer: ela vale.',
    quem: 'ninguem',
  },
  574: { diz: 'O CNPJ que assinou não é o de quem emitiu o documento.', fazer: NAO_CABE, quem: 'escritorio' },
  575: {
    diz: 'Este cliente não é o destinatário da nota.',
    fazer: `Só o destinatário manifesta; confira para quem a nota foi emitida. ${NAO_CABE}`,
    quem: 'escritorio',
  },
  577: {
    diz: 'A data do evento é anterior à emissão da nota.',
    fazer: 'Confira a data e a hora do servidor do Malote.',
    quem: 'operador',
  },
  578: {
    diz: 'A data do evento está no futuro, para a SEFAZ.',
    fazer: 'Acerte a data e a hora do servidor do Malote e manifeste de novo.',
    quem: 'operador',
  },
  579: {
    diz: 'A data do evento é anterior à autorização da nota: o relógio do servidor do Malote está atrasado.',
    fazer: 'Acerte a data e a hora do servidor do Malote. A manifestação vai de novo sozinha.',
    quem: 'operador',
  },
  580: { diz: 'O evento pede uma nota autorizada, e esta não está.', fazer: NAO_CABE, quem: 'escritorio' },
  587: { diz: 'A SEFAZ achou o evento fora do padrão de namespace.', ...DEFEITO },
  588: { diz: 'A SEFAZ achou caracteres de edição na mensagem.', ...DEFEITO },
  593: {
    diz: 'O certificado é de outra empresa: a raiz do CNPJ não é a deste cliente.',
    fazer:
      'Envie o certificado A1 da matriz ou de uma filial deste cliente na ficha dele e manifeste de novo.',
    quem: 'escritorio',
  },
  594: {
    diz: 'A nota já tem as duas manifestações conclusivas que a SEFAZ aceita.',
    fazer: `Vale a última delas. ${NAO_CABE}`,
    quem: 'escritorio',
  },
  596: {
    diz: 'O prazo desta manifestação acabou.',
    fazer: `Sem manifestação conclusiva em 90 dias, a operação é considerada confirmada. ${NAO_CABE}`,
    quem: 'escritorio',
  },
  628: {
    diz: 'O prazo para declarar o serviço em desacordo acabou.',
    fazer: `São 45 dias da autorização do CT-e; combine a correção com a transportadora. ${NAO_CABE}`,
    quem: 'escritorio',
  },
  631: {
    diz: 'Este evento já estava registrado para o CT-e, talvez por outro programa.',
    fazer: 'Nada a fazer: ele vale.',
    quem: 'ninguem',
  },
  650: { diz: 'A nota foi cancelada e não recebe mais manifestação.', fazer: NAO_CABE, quem: 'escritorio' },
  651: { diz: 'A nota foi denegada e não recebe manifestação.', fazer: NAO_CABE, quem: 'escritorio' },
  655: {
    diz: 'A nota já tem manifestação conclusiva; a Ciência não cabe mais.',
    fazer: NAO_CABE,
    quem: 'escritorio',
  },
  656: {
    diz: 'A SEFAZ bloqueou por uma hora os eventos deste CNPJ, por consumo indevido. O problema não é da nota.',
    fazer: 'As manifestações que faltam esperam a hora passar e vão de novo.',
    quem: 'ninguem',
  },
  999: {
    diz: 'A SEFAZ teve um erro que ela não explica.',
    fazer: 'A manifestação espera e vai de novo mais tarde.',
    quem: 'ninguem',
  },
  sem_resposta: {
    diz: 'A SEFAZ respondeu sem dizer o que fez com a manifestação.',
    fazer: 'A manifestação vai de novo mais tarde; se já tiver sido registrada, a SEFAZ o diz.',
    quem: 'ninguem',
  },
};
