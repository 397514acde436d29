import type { UnpackLimits } from './unpack-limits.ts';

/** Every code that reading a zip can give. Stable; listed in docs/erros.md. */
export type CodigoDeZip =
  // the zip as a whole
  | 'zip_corrompido'
  | 'zip_dividido'
  | 'zip_vazio'
  | 'zip_sobreposto'
  | 'zip_profundo_demais'
  | 'zip_entradas_demais'
  | 'zip_grande_demais'
  | 'documento_de_escritorio'
  // the zip as a whole, or one entry of it
  | 'zip_cifrado'
  | 'zip_razao_suspeita'
  // one entry
  | 'zip_documento_grande_demais'
  | 'zip_interno_grande_demais'
  | 'zip_nome_longo_demais'
  | 'zip_metodo_desconhecido'
  | 'zip_entrada_corrompida'
  | 'zip_cabecalho_divergente'
  | 'zip_tamanho_divergente'
  | 'zip_crc_invalido'
  | 'zip_link_simbolico'
  | 'arquivo_de_sistema'
  // what holds files and is no zip
  | 'recipiente_danificado'
  | 'conteudo_cifrado'
  | 'assinatura_sem_conteudo'
  | 'mensagem_sem_anexo';

/** What is wrong with a zip or an entry. The message is pt-BR, stands behind the path, and says what to do. */
export interface FalhaDeZip {
  codigo: CodigoDeZip;
  mensagem: string;
}

const UNITS: readonly (readonly [number, string])[] = [
  [1_000_000, 'MB'],
  [1_000, 'KB'],
];

/** `10000000` → `10 MB`: decimal units, as in the rest of the API. */
function formatBytes(bytes: number): string {
  const [size, unit] = UNITS.find(([least]) => bytes >= least) ?? [1, 'bytes'];
  return `${(bytes / size).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} ${unit}`;
}

const formatCount = (count: number): string => count.toLocaleString('pt-BR');

export const zipCorrompido = (): FalhaDeZip => ({
  codigo: 'zip_corrompido',
  mensagem:
    'O .zip está incompleto ou danificado e não pôde ser lido até o fim. Gere o arquivo de novo na origem e reenvie.',
});

export const zipComContagemErrada = (): FalhaDeZip => ({
  codigo: 'zip_corrompido',
  mensagem:
    'O índice do .zip tem mais entradas do que anuncia; as que sobram não foram lidas. Gere o .zip de novo e reenvie.',
});

export const zipDividido = (): FalhaDeZip => ({
  codigo: 'zip_dividido',
  mensagem:
    'O .zip é uma parte de um conjunto dividido em volumes. Junte as partes em um único .zip e reenvie.',
});

export const zipVazio = (): FalhaDeZip => ({
  codigo: 'zip_vazio',
  mensagem: 'O .zip não contém nenhum arquivo. Confira a exportação e reenvie com os documentos.',
});

export const zipSobreposto = (): FalhaDeZip => ({
  codigo: 'zip_sobreposto',
  mensagem:
    'Entradas do .zip ocupam os mesmos bytes, o que só acontece em arquivo forjado ou danificado; nada foi lido dele. Gere o .zip de novo e reenvie.',
});

export const zipProfundoDemais = (limits: UnpackLimits): FalhaDeZip => ({
  codigo: 'zip_profundo_demais',
  mensagem: `Há arquivos dentro de arquivos (.zip, .tar, mensagens) em mais de ${formatCount(limits.depth)} níveis; este não foi aberto. Extraia-o e envie o conteúdo.`,
});

export const zipEntradasDemais = (limits: UnpackLimits): FalhaDeZip => ({
  codigo: 'zip_entradas_demais',
  mensagem: `O envio passa de ${formatCount(limits.entries)} entradas, somados os arquivos que trazem outros dentro; a leitura parou aqui. Divida em arquivos menores e reenvie o que faltou.`,
});

export const zipGrandeDemais = (limits: UnpackLimits): FalhaDeZip => ({
  codigo: 'zip_grande_demais',
  mensagem: `O conteúdo descompactado do envio passa de ${formatBytes(limits.totalBytes)}; a leitura parou aqui. Divida em arquivos menores e reenvie o que faltou.`,
});

export const razaoSuspeitaNoTotal = (limits: UnpackLimits): FalhaDeZip => ({
  codigo: 'zip_razao_suspeita',
  mensagem: `O conteúdo descompactado passa de ${formatCount(limits.ratio)} vezes o tamanho do envio, o que indica arquivo forjado; a leitura parou aqui. Envie somente os documentos fiscais.`,
});

export const razaoSuspeita = (limits: UnpackLimits): FalhaDeZip => ({
  codigo: 'zip_razao_suspeita',
  mensagem: `O arquivo cresce mais de ${formatCount(limits.ratio)} vezes ao ser descompactado e não foi lido. Se for um documento fiscal, envie-o sem compressão.`,
});

export const documentoDeEscritorio = (): FalhaDeZip => ({
  codigo: 'documento_de_escritorio',
  mensagem:
    'É uma planilha, um texto ou um programa (.xlsx, .docx, .ods, .jar), não um .zip de documentos fiscais. Envie os XML originais.',
});

export const zipCifrado = (): FalhaDeZip => ({
  codigo: 'zip_cifrado',
  mensagem: 'Está protegido por senha e não pode ser lido. Gere o .zip sem senha e reenvie.',
});

export const documentoGrandeDemais = (limits: UnpackLimits): FalhaDeZip => ({
  codigo: 'zip_documento_grande_demais',
  mensagem: `O arquivo passa de ${formatBytes(limits.documentBytes)} e não foi lido. Se reúne vários documentos, separe-os e reenvie.`,
});

export const zipInternoGrandeDemais = (limits: UnpackLimits): FalhaDeZip => ({
  codigo: 'zip_interno_grande_demais',
  mensagem: `O arquivo, que traz outros dentro, passa de ${formatBytes(limits.nestedZipBytes)} e não foi aberto. Envie-o separado ou em partes menores.`,
});

export const nomeLongoDemais = (limits: UnpackLimits): FalhaDeZip => ({
  codigo: 'zip_nome_longo_demais',
  mensagem: `O nome da entrada passa de ${formatCount(limits.nameBytes)} bytes e ela não foi lida. Encurte o nome ou o caminho das pastas e reenvie.`,
});

/** Names of methods seen in the field, by their number in the format. */
const METHOD_NAMES: Readonly<Record<number, string>> = {
  1: 'Shrink',
  6: 'Implode',
  9: 'Deflate64',
  12: 'BZip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'XZ',
  98: 'PPMd',
};

export const metodoDesconhecido = (method: number): FalhaDeZip => ({
  codigo: 'zip_metodo_desconhecido',
  mensagem: `Usa a compressão ${METHOD_NAMES[method] ?? 'desconhecida'} (método ${method}), que não é aceita. Gere o .zip com a compressão padrão (Deflate) e reenvie.`,
});

export const entradaCorrompida = (): FalhaDeZip => ({
  codigo: 'zip_entrada_corrompida',
  mensagem:
    'Os dados do arquivo estão danificados dentro do .zip. Gere o .zip de novo ou envie este arquivo separado.',
});

export const cabecalhoDivergente = (): FalhaDeZip => ({
  codigo: 'zip_cabecalho_divergente',
  mensagem:
    'O índice do .zip e o cabeçalho do arquivo se contradizem, e não se sabe qual vale. Gere o .zip de novo ou envie este arquivo separado.',
});

export const tamanhoDivergente = (): FalhaDeZip => ({
  codigo: 'zip_tamanho_divergente',
  mensagem:
    'O tamanho do arquivo não é o que o .zip anuncia; pode estar cortado. Gere o .zip de novo ou envie este arquivo separado.',
});

export const crcInvalido = (): FalhaDeZip => ({
  codigo: 'zip_crc_invalido',
  mensagem:
    'O conteúdo do arquivo não confere com a soma de verificação (CRC-32) do .zip. Gere o .zip de novo ou envie este arquivo separado.',
});

export const linkSimbolico = (): FalhaDeZip => ({
  codigo: 'zip_link_simbolico',
  mensagem:
    'É um atalho (link simbólico) ou arquivo especial, sem documento dentro. Inclua o arquivo de verdade no .zip.',
});

export const arquivoDeSistema = (): FalhaDeZip => ({
  codigo: 'arquivo_de_sistema',
  mensagem: 'É um arquivo criado pelo sistema operacional, sem documento fiscal; nada a fazer.',
});

/** @param nome of what it is, for people */
export const recipienteDanificado = (nome: string): FalhaDeZip => ({
  codigo: 'recipiente_danificado',
  mensagem: `O arquivo (${nome}) está incompleto ou danificado e não pôde ser lido até o fim. Gere-o ou baixe-o de novo, ou envie os XML em um .zip.`,
});

export const conteudoCifrado = (): FalhaDeZip => ({
  codigo: 'conteudo_cifrado',
  mensagem:
    'Está cifrado para o seu destinatário e não pode ser lido aqui. Abra-o com o certificado e envie o XML.',
});

export const assinaturaSemConteudo = (): FalhaDeZip => ({
  codigo: 'assinatura_sem_conteudo',
  mensagem: 'É só a assinatura, sem o documento dentro. Envie o arquivo que foi assinado.',
});

export const mensagemSemAnexo = (): FalhaDeZip => ({
  codigo: 'mensagem_sem_anexo',
  mensagem:
    'A mensagem não traz anexo. Endereços no texto dela não são abertos: baixe o XML por eles e envie-o.',
});

export const comprimidoGrandeDemais = (nome: string, bytes: number): FalhaDeZip => ({
  codigo: 'zip_interno_grande_demais',
  mensagem: `O arquivo (${nome}) passa de ${formatBytes(bytes)} descompactado, ou vem em blocos demais, e não foi aberto. Envie o conteúdo em um .zip.`,
});
