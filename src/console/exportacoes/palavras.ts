/** Words of the API as people write them, for what leaves as files: those of the screens (`console/src/partes/nomes.ts`). */
import { tabela } from '../../fiscal/tabela.ts';

type Palavras = Readonly<Record<string, string>>;

const ESPECIES: Palavras = tabela({
  NFe: 'NF-e',
  NFCe: 'NFC-e',
  NFSe: 'NFS-e',
  CTe: 'CT-e',
  CTeOS: 'CT-e OS',
  GTVe: 'GTV-e',
  CFe: 'CF-e SAT',
  NFCom: 'NFCom',
  NF3e: 'NF3e',
  NFAg: 'NFAg',
  NFGas: 'NFGas',
  NFABI: 'NF-e ABI',
  Inutilizacao: 'Inutilização',
});

const PAPEIS: Palavras = tabela({
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
});

const FINALIDADES: Palavras = tabela({
  Revenda: 'Revenda',
  Industrializacao: 'Industrialização',
  UsoConsumo: 'Uso e consumo',
  AtivoImobilizado: 'Ativo imobilizado',
  Servico: 'Serviço',
  Outras: 'Outras',
});

const ORIGENS: Palavras = tabela({
  informada: 'Informada',
  documento: 'Do documento',
  sugerida: 'Sugerida pelo CFOP',
});

const MANIFESTACOES: Palavras = tabela({
  confirmacao: 'Confirmada',
  ciencia: 'Ciência',
  desconhecimento: 'Desconhecida',
  nao_realizada: 'Não realizada',
  desacordo: 'Desacordo',
});

const STATUS: Palavras = tabela({ Pendente: 'Sem protocolo' });

/** A word that has no better form is told as it stands. */
const em = (palavras: Palavras) => (palavra: string | null) =>
  palavra === null ? null : (palavras[palavra] ?? palavra);

export const nomeDaEspecie = em(ESPECIES);
export const nomeDoPapel = em(PAPEIS);
export const nomeDaFinalidade = em(FINALIDADES);
export const nomeDaOrigem = em(ORIGENS);
export const nomeDaManifestacao = em(MANIFESTACOES);
export const nomeDoStatus = em(STATUS);

/** `12.345.678/0001-90`, `123.456.789-09`; anything else as it stands. */
export function comMascara(cpfCnpj: string): string {
  if (cpfCnpj.length === 14) return cpfCnpj.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
  return cpfCnpj.length === 11 ? cpfCnpj.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4') : cpfCnpj;
}
