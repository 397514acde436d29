import { hasValidCheckDigit, parseChave44 } from './chave.ts';
import { bareChave, decodeText, type Formato } from './detect.ts';
import { type CodigoIgnorado, type CodigoRejeicao, IGNORADOS, REJEICOES, reject } from './rejeicoes.ts';
import type { Peca } from './tipos.ts';

type Arquivo = { bytes: Uint8Array; nome: string };

/** Files that operating systems leave in folders, and so in zips. */
const SYSTEM_FILES = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;
/** Models whose key may stand in a list of expected documents. @fonte domain 1.1 */
const MODELOS_ESPERADOS: readonly string[] = ['55', '65', '57', '67', '64', '59'];

const O_QUE_FAZER: Partial<Record<CodigoRejeicao, string>> = {
  arquivo_vazio: 'Gere o arquivo de novo e envie-o.',
  html_no_lugar_do_xml: 'Baixe o XML de novo e envie-o.',
  pdf_no_lugar_do_xml: 'Envie o XML do documento.',
  imagem_no_lugar_do_xml: 'Envie o XML do documento.',
  sped_nao_aceito: 'Envie os XML dos documentos.',
  compactado_nao_aceito: 'Envie os XML soltos ou em um arquivo .zip.',
  json_nao_aceito: 'Envie o XML do documento.',
  nfe_txt_nao_aceito: 'Exporte a nota em XML, de preferência com o protocolo (nfeProc), e envie-a.',
  conteudo_nao_reconhecido: 'Envie o XML do documento, ou um .zip com os XML.',
};

/** How each format is answered: refused always, or (`prometido`) only where its name promised a document. */
const RESPOSTAS: Record<
  Exclude<Formato, 'xml' | 'lista_de_chaves'>,
  { rejeicao: CodigoRejeicao; ignorado: CodigoIgnorado | null }
> = {
  vazio: { rejeicao: 'arquivo_vazio', ignorado: 'outro_arquivo' },
  html: { rejeicao: 'html_no_lugar_do_xml', ignorado: 'outro_arquivo' },
  pdf: { rejeicao: 'pdf_no_lugar_do_xml', ignorado: 'pdf' },
  imagem: { rejeicao: 'imagem_no_lugar_do_xml', ignorado: 'imagem' },
  rar: { rejeicao: 'compactado_nao_aceito', ignorado: null },
  '7z': { rejeicao: 'compactado_nao_aceito', ignorado: null },
  gzip: { rejeicao: 'compactado_nao_aceito', ignorado: null },
  json: { rejeicao: 'json_nao_aceito', ignorado: 'outro_arquivo' },
  sped: { rejeicao: 'sped_nao_aceito', ignorado: null },
  nfe_txt: { rejeicao: 'nfe_txt_nao_aceito', ignorado: null },
  texto: { rejeicao: 'conteudo_nao_reconhecido', ignorado: 'outro_arquivo' },
  sistema: { rejeicao: 'conteudo_nao_reconhecido', ignorado: 'arquivo_de_sistema' },
  binario: { rejeicao: 'conteudo_nao_reconhecido', ignorado: 'outro_arquivo' },
};

function ignored(codigo: CodigoIgnorado): Peca {
  return { resultado: 'ignorada', especie: 'Outro', codigo, mensagem: IGNORADOS[codigo] };
}

function refusedFile(codigo: CodigoRejeicao): Peca {
  const mensagem = `${REJEICOES[codigo]} ${O_QUE_FAZER[codigo] ?? ''}`.trim();
  return { resultado: 'rejeitada', especie: 'Outro', chave: null, rejeicao: reject(codigo, mensagem) };
}

function refusedLine(codigo: CodigoRejeicao, mensagem: string, linha: number): Peca {
  return { resultado: 'rejeitada', especie: 'Chave', chave: null, rejeicao: reject(codigo, mensagem, linha) };
}

function readLine(line: string, linha: number): Peca {
  const chave = parseChave44(bareChave(line));
  if (!chave) {
    return refusedLine(
      'chave_invalida',
      `Linha ${linha}: "${line.slice(0, 60)}" não é chave de acesso de 44 posições. Corrija a linha e envie a lista de novo.`,
      linha,
    );
  }
  if (!hasValidCheckDigit(chave)) {
    return refusedLine(
      'chave_com_dv_invalido',
      `Linha ${linha}: o dígito verificador da chave ${chave} não confere. Corrija a linha e envie a lista de novo.`,
      linha,
    );
  }
  const modelo = chave.slice(20, 22);
  if (!MODELOS_ESPERADOS.includes(modelo)) {
    return refusedLine(
      'documento_nao_suportado',
      `Linha ${linha}: a chave ${chave} é de um documento do modelo ${modelo}, que não é aceito.`,
      linha,
    );
  }
  return { resultado: 'esperado', especie: 'Chave', chave };
}

/** Reads a list of access keys, one a line: each good one is an expected document; a key told twice counts once. */
function readKeyList(bytes: Uint8Array): Peca[] {
  const seen = new Set<string>();
  return decodeText(bytes)
    .replace(/^\ufeff+/, '')
    .split(/\r\n|\r|\n/)
    .flatMap((raw, index): Peca[] => {
      const line = raw.trim();
      if (line === '') return [];
      const piece = readLine(line, index + 1);
      if (piece.resultado !== 'esperado') return [piece];
      if (seen.has(piece.chave)) return [];
      seen.add(piece.chave);
      return [piece];
    });
}

/**
 * Tells what a file that is no XML is. What a person named `.xml` or `.txt` and is none is refused, for a document
 * was expected of it; companions such as a DANFE are ignored under their own name.
 * @fonte contract 3
 */
export function tellNonXml(formato: Exclude<Formato, 'xml'>, { bytes, nome }: Arquivo): Peca[] {
  if (formato === 'lista_de_chaves') return readKeyList(bytes);
  if (SYSTEM_FILES.test(nome)) return [ignored('arquivo_de_sistema')];
  const { rejeicao, ignorado } = RESPOSTAS[formato];
  const promised = /\.(?:xml|txt)$/i.test(nome.trim());
  return [ignorado === null || promised ? refusedFile(rejeicao) : ignored(ignorado)];
}
