/** The codes of the services that capture asks: NF-e and CT-e distribution, ADN, SAE-NFC-e. */
import { defeito, type Frases, frasesDoCertificado, frasesDoEnvio, outraEmpresa } from './frases-comuns.ts';

const DEFEITO = defeito();
const ESPERAR = {
  fazer: 'Nada a fazer: o Malote consulta de novo sozinho.',
  quem: 'ninguem',
} as const;
const CONTINUA = '; a captura continua sozinha de onde parou.';

const CERTIFICADO = frasesDoCertificado({
  desde: 280,
  de: 'do cliente',
  depois: CONTINUA,
  espera: {
    fazer:
      'Costuma passar sozinho, e o Malote consulta de novo. Se durar mais de um dia, envie o certificado de novo ou peça outro a quem o emitiu.',
    quem: 'ninguem',
  },
});

/** What both distributions share. @fonte NT 2014.002 v1.40; NT 2015.002 v1.05 */
const DISTRIBUICAO: Frases = {
  ...frasesDoEnvio({
    mensagem: 'consulta',
    feita: 'da consulta que o Malote faz',
    foi: 'A consulta',
    fazer: DEFEITO,
  }),
  108: { diz: 'O serviço está parado por pouco tempo, avisa a SEFAZ.', ...ESPERAR },
  109: { diz: 'O serviço está parado, sem previsão de volta, avisa a SEFAZ.', ...ESPERAR },
  137: {
    diz: 'A SEFAZ não tem documento novo para este cliente.',
    fazer: 'Nada a fazer: o Malote pergunta de novo daqui a uma hora, o mínimo que a SEFAZ permite.',
    quem: 'ninguem',
  },
  138: { diz: 'A SEFAZ entregou documentos.', fazer: 'Nada a fazer.', quem: 'ninguem' },
  242: { diz: 'A SEFAZ achou o cabeçalho da consulta fora do formato.', ...DEFEITO },
  409: { diz: 'A SEFAZ sentiu falta da UF no cabeçalho da consulta.', ...DEFEITO },
  410: {
    diz: 'A SEFAZ diz que não atende a UF deste cliente.',
    fazer: 'Confira a UF do certificado na ficha do cliente.',
    quem: 'escritorio',
  },
  411: { diz: 'A SEFAZ sentiu falta da versão no cabeçalho da consulta.', ...DEFEITO },
  472: {
    diz: 'O CPF do certificado não é o deste cliente.',
    fazer: 'Envie o e-CPF A1 deste cliente na ficha dele.',
    quem: 'escritorio',
  },
  473: {
    diz: 'O certificado não traz CNPJ nem CPF.',
    fazer: 'Envie o e-CNPJ ou e-CPF A1 do cliente na ficha dele.',
    quem: 'escritorio',
  },
  589: {
    diz: 'O número de onde o Malote continua é maior que o último que a SEFAZ tem para este cliente.',
    fazer:
      'A captura parou para não pular documentos. Verifique se o CNPJ do cliente está certo e se o Malote não foi restaurado de outro ambiente; depois peça ao suporte que recomece a sequência.',
    quem: 'operador',
  },
  593: outraEmpresa(CONTINUA),
  656: {
    diz: 'A SEFAZ bloqueou as consultas deste CNPJ por uma hora, por consumo indevido.',
    fazer:
      'O Malote espera a hora passar e continua sozinho; consultar antes reinicia o bloqueio. Quase sempre é outro programa consultando o mesmo CNPJ: desligue a captura nele, ou ligue aqui o modo passivo.',
    quem: 'escritorio',
  },
  999: { diz: 'A SEFAZ teve um erro que ela não explica.', ...ESPERAR },
};

const CHAVE_ERRADA = {
  fazer: 'Confira a chave de acesso de 44 posições no documento ou na lista de onde ela veio.',
  quem: 'escritorio',
} as const;

/** Answers to a question about one key. @fonte NT 2014.002 v1.40 */
const UMA_CHAVE: Frases = {
  217: {
    diz: 'A SEFAZ não tem nota com esta chave.',
    fazer:
      'Confira a chave; se estiver certa, a nota pode não ter sido autorizada: pergunte a quem a emitiu.',
    quem: 'escritorio',
  },
  236: { diz: 'A chave tem o dígito verificador errado.', ...CHAVE_ERRADA },
  614: { diz: 'A chave começa com uma UF que não existe.', ...CHAVE_ERRADA },
  615: { diz: 'O ano que está na chave não é possível.', ...CHAVE_ERRADA },
  616: { diz: 'O mês que está na chave não é possível.', ...CHAVE_ERRADA },
  617: { diz: 'O CNPJ que está na chave não é válido.', ...CHAVE_ERRADA },
  618: {
    diz: 'A chave não é de NF-e (modelo 55); a SEFAZ só entrega NF-e por chave.',
    fazer: 'Peça o XML a quem emitiu: NFC-e e outros modelos não são distribuídos.',
    quem: 'escritorio',
  },
  619: { diz: 'O número da nota que está na chave é zero.', ...CHAVE_ERRADA },
  632: {
    diz: 'A nota tem mais de 90 dias na SEFAZ, que já não a entrega.',
    fazer: 'Peça o XML a quem emitiu a nota e importe-o.',
    quem: 'escritorio',
  },
  640: {
    diz: 'O cliente não participa desta nota, e a SEFAZ só a entrega a quem participa.',
    fazer: 'Confira se a nota é mesmo deste cliente; senão, peça o XML a quem emitiu.',
    quem: 'escritorio',
  },
  641: {
    diz: 'O cliente emitiu esta nota, e a SEFAZ não devolve a nota ao emitente.',
    fazer:
      'Importe o XML do sistema que emitiu. Para receber as próximas, inclua o CNPJ do escritório em "autorizados a baixar o XML" (autXML) no emissor do cliente.',
    quem: 'escritorio',
  },
  653: {
    diz: 'A nota foi cancelada, e a SEFAZ não entrega mais o XML.',
    fazer: 'Se precisar do XML, peça-o a quem emitiu.',
    quem: 'escritorio',
  },
  654: {
    diz: 'A nota foi denegada, e a SEFAZ não entrega o XML.',
    fazer: 'Nada a fazer: nota denegada não vale.',
    quem: 'ninguem',
  },
};

export const NFE: Frases = { ...CERTIFICADO, ...DISTRIBUICAO, ...UMA_CHAVE };

/** The distribution of CT-e asks for no keys. Sources differ about these, so the service's own words stand beside them. */
export const CTE: Frases = { ...CERTIFICADO, ...DISTRIBUICAO };

/** The ADN, and SEFIN Nacional. @fonte Manual dos Contribuintes, APIs do ADN NFS-e v1.0 */
export const ADN: Frases = {
  137: {
    diz: 'O ambiente nacional da NFS-e não tem documento novo para este cliente.',
    fazer:
      'Nada a fazer: o Malote pergunta de novo daqui a uma hora. Se o cliente recebe notas de uma cidade que não compartilha com o ambiente nacional, elas precisam ser importadas.',
    quem: 'ninguem',
  },
  138: { diz: 'O ambiente nacional da NFS-e entregou documentos.', fazer: 'Nada a fazer.', quem: 'ninguem' },
  E2220: {
    diz: 'O ambiente nacional da NFS-e não tem documento novo para este cliente.',
    fazer: 'Nada a fazer: o Malote pergunta de novo daqui a uma hora.',
    quem: 'ninguem',
  },
  E1217: { diz: 'O ambiente nacional da NFS-e está em manutenção.', ...ESPERAR },
  E1206: {
    diz: 'O ambiente nacional da NFS-e não conseguiu verificar se o certificado do cliente foi revogado.',
    fazer: 'Costuma passar sozinho. Se durar mais de um dia, envie o certificado do cliente de novo.',
    quem: 'ninguem',
  },
};

const UMA_HORA_SAE = 'O Malote espera e continua sozinho.';

/** @fonte SAE-NFC-e v1.0.0, Secretaria da Fazenda de São Paulo */
export const SAE: Frases = {
  ...CERTIFICADO,
  100: {
    diz: 'A SEFAZ de São Paulo deu a lista completa das NFC-e do período.',
    fazer: 'Nada a fazer.',
    quem: 'ninguem',
  },
  101: {
    diz: 'A SEFAZ de São Paulo deu parte da lista das NFC-e; o Malote busca o resto em seguida.',
    fazer: 'Nada a fazer.',
    quem: 'ninguem',
  },
  102: { diz: 'A SEFAZ de São Paulo não aceita a versão da consulta que o Malote faz.', ...DEFEITO },
  103: {
    diz: 'A consulta foi ao ambiente errado da SEFAZ de São Paulo (produção ou homologação).',
    fazer: 'Confira o endereço e o ambiente da captura nas configurações do Malote.',
    quem: 'operador',
  },
  104: {
    diz: 'A SEFAZ de São Paulo só lista NFC-e dos últimos 100 dias.',
    fazer: 'As mais antigas precisam ser importadas do sistema que as emitiu.',
    quem: 'escritorio',
  },
  107: {
    diz: 'A SEFAZ de São Paulo não tem NFC-e deste cliente no período.',
    fazer:
      'Nada a fazer: o Malote pergunta de novo mais tarde. Se o cliente vende com NFC-e em São Paulo, confira se o certificado é do estabelecimento que emite.',
    quem: 'ninguem',
  },
  110: {
    diz: 'A SEFAZ de São Paulo achou o período da consulta invertido.',
    fazer: 'Confira a data e a hora do servidor do Malote.',
    quem: 'operador',
  },
  200: { diz: 'A SEFAZ de São Paulo entregou a NFC-e.', fazer: 'Nada a fazer.', quem: 'ninguem' },
  203: {
    diz: 'O certificado não é do CNPJ que emitiu esta NFC-e.',
    fazer: 'Envie o e-CNPJ A1 do estabelecimento emitente na ficha do cliente.',
    quem: 'escritorio',
  },
  204: { diz: 'A SEFAZ de São Paulo não aceitou a chave da NFC-e.', ...CHAVE_ERRADA },
  205: {
    diz: 'A SEFAZ de São Paulo não encontrou a NFC-e.',
    fazer: 'Importe o XML do sistema que a emitiu.',
    quem: 'escritorio',
  },
  207: {
    diz: 'A NFC-e tem mais de 100 dias, e a SEFAZ de São Paulo já não a entrega.',
    fazer: 'Importe o XML do sistema que a emitiu.',
    quem: 'escritorio',
  },
  656: {
    diz: 'A SEFAZ de São Paulo pediu para diminuir o ritmo das consultas.',
    fazer: `${UMA_HORA_SAE} Se repetir sempre, veja se outro programa baixa NFC-e pela mesma internet.`,
    quem: 'ninguem',
  },
};
