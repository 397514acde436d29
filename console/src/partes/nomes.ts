/** Words of the API as people read them. */
export const ESPECIES: Readonly<Record<string, string>> = {
  nfe: 'NF-e',
  nfce: 'NFC-e',
  cfe: 'CF-e',
  cte: 'CT-e',
  nfse: 'NFS-e',
  outras: 'Outras',
};

const MODELOS: Readonly<Record<string, string>> = {
  '55': 'NF-e',
  '65': 'NFC-e',
  '57': 'CT-e',
  '67': 'CT-e OS',
  '64': 'GTV-e',
  '59': 'CF-e SAT',
  '62': 'NFCom',
  '66': 'NF3e',
  '75': 'NFAg',
  '76': 'NFGas',
  '77': 'NF-e ABI',
  NFSe: 'NFS-e',
};
export const nomeDoModelo = (modelo: string) => MODELOS[modelo] ?? modelo;

/** The way by which a document or a file came. */
export const MEIOS: Readonly<Record<string, string>> = {
  api: 'API',
  console: 'Console',
  sistema: 'Sistema',
  sefaz: 'SEFAZ',
  adn: 'ADN (NFS-e)',
  sae: 'SAE (NFC-e de SP)',
  email: 'E-mail',
  pasta: 'Pasta',
};

export const PAPEIS_NO_DOCUMENTO: Readonly<Record<string, string>> = {
  emitente: 'Emitente',
  prestador: 'Prestador',
  destinatario: 'Destinatário',
  tomador: 'Tomador',
  remetente: 'Remetente',
  expedidor: 'Expedidor',
  recebedor: 'Recebedor',
  transportador: 'Transportador',
  intermediario: 'Intermediário',
  retirada: 'Local de retirada',
  entrega: 'Local de entrega',
  autorizado: 'Autorizado',
};

export const FINALIDADES: Readonly<Record<string, string>> = {
  Revenda: 'Revenda',
  Industrializacao: 'Industrialização',
  UsoConsumo: 'Uso e consumo',
  AtivoImobilizado: 'Ativo imobilizado',
  Servico: 'Serviço',
  Outras: 'Outras',
};

export const ORIGENS_DE_FINALIDADE: Readonly<Record<string, string>> = {
  informada: 'informada',
  documento: 'do documento',
  sugerida: 'sugerida pelo CFOP',
};

export const PAPEIS_DE_USUARIO: Readonly<Record<string, string>> = {
  administrador: 'Administrador',
  operador: 'Operador',
  cliente: 'Cliente',
};

export const MANIFESTACOES: Readonly<Record<string, string>> = {
  ciencia: 'Ciência',
  confirmacao: 'Confirmada',
  desconhecimento: 'Desconhecida',
  nao_realizada: 'Não realizada',
  desacordo: 'Desacordo',
};

/** How well the status of a document is proven. */
export const PROVAS: Readonly<Record<string, string>> = {
  sefaz: 'Buscado na SEFAZ',
  assinada: 'Provado',
  coerente: 'Coerente',
  declarada: 'Só declarado',
};

export const UFS = 'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(
  ' ',
);

export const opcoes = (nomes: Readonly<Record<string, string>>) =>
  Object.entries(nomes).map(([value, label]) => ({ value, label }));
