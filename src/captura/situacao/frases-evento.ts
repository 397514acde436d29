/** The codes of the services of events, where manifestações go. @fonte NT 2020.001 v1.60; MOC NF-e 7.0; MOC CT-e 4.00 */
import { defeito, type Frases, frasesDoCertificado, frasesDoEnvio, outraEmpresa } from './frases-comuns.ts';

const NADA = { fazer: 'Nada a fazer.', quem: 'ninguem' } as const;
const DEFEITO = defeito('A manifestação não foi registrada.');
const DE_NOVO = ' e manifeste de novo.';
const DE_NOVO_DEPOIS = {
  fazer: 'Costuma passar sozinho: manifeste de novo mais tarde.',
  quem: 'escritorio',
} as const;
const NAO_CABE = 'A manifestação não foi registrada e não será repetida.';

export const EVENTO: Frases = {
  ...frasesDoEnvio({
    mensagem: 'mensagem',
    feita: 'da mensagem que o Malote envia',
    foi: 'A manifestação',
    fazer: DEFEITO,
  }),
  ...frasesDoCertificado({ desde: 280, de: 'do cliente', depois: DE_NOVO, espera: DE_NOVO_DEPOIS }),
  ...frasesDoCertificado({ desde: 290, de: 'da assinatura', depois: DE_NOVO, espera: DE_NOVO_DEPOIS }),
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
  297: { diz: 'A SEFAZ não conferiu a assinatura da manifestação.', ...DEFEITO },
  298: { diz: 'A SEFAZ achou a assinatura fora do padrão.', ...DEFEITO },
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
  593: outraEmpresa(DE_NOVO),
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
