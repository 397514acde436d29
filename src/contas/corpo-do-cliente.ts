/** Reads the bodies of the accounts area: every faulty field is named at once. */
import type { CpfCnpj } from '../fiscal/tipos.ts';
import { readUf } from '../fiscal/uf.ts';
import type { AppError, ErroDeCampo } from '../platform/errors.ts';
import { asMeant } from '../platform/http/corpo.ts';
import { corpoInvalido, dadoInvalido } from '../platform/http/errors.ts';
import { Campos } from './campos.ts';

/** A certificate as it was sent, decoded and not yet opened. */
export interface CertificadoEnviado {
  bytes: Uint8Array;
  senha: string;
  /** Letters of the state. */
  uf: string;
}

export interface AtualizacaoDoCliente {
  nome?: string;
  email?: string;
  trabalhaComProcuracao?: boolean;
  certificado?: CertificadoEnviado;
}

export interface CadastroDoCliente extends AtualizacaoDoCliente {
  cpfCnpj: CpfCnpj;
  nome: string;
  email: string;
}

type Corpo = Record<string, unknown>;
type Lido<T> = { value: T } | { error: AppError };

const TEXTO = { type: 'string' };
/** The fields, whatever the case of their names, and which of them is no text. */
const FORMA = {
  properties: {
    cpfCnpj: TEXTO,
    nomeEmpresa: TEXTO,
    email: TEXTO,
    arquivoCertificado: TEXTO,
    senhaCertificado: TEXTO,
    ufCertificado: TEXTO,
    trabalhaComProcuracao: { type: 'boolean' },
  },
};
const CERTIFICADO = ['arquivoCertificado', 'senhaCertificado', 'ufCertificado'] as const;
/** Base64 of either alphabet, with or without its padding, after white space is out. */
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const DATA_URL = /^data:[^,]{0,200};base64,/i;

/** Body of the registration (specification 4.3): `cpfCnpj`, `nomeEmpresa` and `email` are required. */
export function readCadastro(body: unknown): Lido<CadastroDoCliente> {
  return read(body, (campos, corpo) => ({
    cpfCnpj: texto(campos, corpo, 'cpfCnpj', (text) => campos.cpfCnpj('cpfCnpj', text)) ?? ('' as CpfCnpj),
    nome: texto(campos, corpo, 'nomeEmpresa', (text) => campos.nome('nomeEmpresa', text)) ?? '',
    email: texto(campos, corpo, 'email', (text) => campos.email('email', text)) ?? '',
    ...readOptional(campos, corpo),
  }));
}

/** Body of the update: any subset, at least one field; `cpfCnpj` stands in the path and is ignored here. */
export function readAtualizacao(body: unknown): Lido<AtualizacaoDoCliente> {
  const lido = read(body, (campos, corpo): AtualizacaoDoCliente => {
    const nome = isAbsent(corpo.nomeEmpresa)
      ? undefined
      : texto(campos, corpo, 'nomeEmpresa', (text) => campos.nome('nomeEmpresa', text));
    const email = isAbsent(corpo.email)
      ? undefined
      : texto(campos, corpo, 'email', (text) => campos.email('email', text));
    return {
      ...(nome === undefined ? {} : { nome }),
      ...(email === undefined ? {} : { email }),
      ...readOptional(campos, corpo),
    };
  });
  if ('error' in lido || Object.keys(lido.value).length > 0) return lido;
  return { error: dadoInvalido('', 'Informe ao menos um campo para atualizar.', 'obrigatorio') };
}

function read<T>(sent: unknown, reader: (campos: Campos, corpo: Corpo) => T): Lido<T> {
  const meant = asMeant(FORMA, sent);
  if ('error' in meant) return meant;
  const { value: body } = meant;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { error: corpoInvalido('O corpo deve ser um objeto JSON.') };
  }
  const campos = new Campos();
  const value = reader(campos, body as Corpo);
  const error = campos.error();
  return error ? { error } : { value };
}

function readOptional(
  campos: Campos,
  corpo: Corpo,
): Pick<AtualizacaoDoCliente, 'trabalhaComProcuracao' | 'certificado'> {
  const { trabalhaComProcuracao: flag } = corpo;
  if (!isAbsent(flag) && typeof flag !== 'boolean') {
    campos.add(invalid('trabalhaComProcuracao', 'trabalhaComProcuracao deve ser true ou false.'));
  }
  const certificado = readCertificado(campos, corpo);
  return {
    ...(typeof flag === 'boolean' ? { trabalhaComProcuracao: flag } : {}),
    ...(certificado ? { certificado } : {}),
  };
}

/** All three fields or none; programs that always send every field send empty ones for none. */
function readCertificado(campos: Campos, corpo: Corpo): CertificadoEnviado | null {
  if (CERTIFICADO.every((name) => isAbsent(corpo[name]) || corpo[name] === '')) return null;
  const bytes = texto(campos, corpo, 'arquivoCertificado', (text) =>
    base64(campos, 'arquivoCertificado', text),
  );
  const senha = texto(campos, corpo, 'senhaCertificado', (text) => base64(campos, 'senhaCertificado', text));
  const uf = texto(campos, corpo, 'ufCertificado', (text) => {
    const found = readUf(text);
    if (!found) campos.add(invalid('ufCertificado', 'ufCertificado deve ser a sigla de uma UF, como SP.'));
    return found?.sigla;
  });
  return bytes && senha && uf ? { bytes, senha: passwordOf(senha), uf } : null;
}

/** Decodes Base64 with line breaks, in the URL-safe alphabet, or as a `data:` URL. */
function base64(campos: Campos, campo: string, text: string): Buffer | undefined {
  const bare = text.trim().replace(DATA_URL, '').replace(/\s+/g, '');
  if (BASE64.test(bare)) return Buffer.from(bare, 'base64');
  campos.add(invalid(campo, `${campo} deve estar em Base64.`));
  return undefined;
}

/** UTF-8, or single bytes where it is none. */
function passwordOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

/** A text that must be there; the fault when it is not, else what is made of it. */
function texto<T>(campos: Campos, corpo: Corpo, campo: string, make: (text: string) => T): T | undefined {
  const value = corpo[campo];
  if (isAbsent(value) || value === '') {
    campos.add({ campo, codigo: 'obrigatorio', mensagem: `${campo} é obrigatório.` });
    return undefined;
  }
  if (typeof value === 'string') return make(value);
  campos.add(invalid(campo, `${campo} deve ser um texto.`));
  return undefined;
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function invalid(campo: string, mensagem: string): ErroDeCampo {
  return { campo, codigo: 'valor_invalido', mensagem };
}
