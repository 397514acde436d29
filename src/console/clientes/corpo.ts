/** The console's bodies in the words of the accounts area, which judges them, and its faults in the console's words. */
import {
  type AtualizacaoDoCliente,
  type CadastroDoCliente,
  readAtualizacao,
  readCadastro,
} from '../../contas/corpo-do-cliente.ts';
import { AppError } from '../../platform/errors.ts';

interface Certificado {
  arquivo: string;
  /** As it is typed. */
  senha: string;
  uf: string;
}

interface Campos {
  cpfCnpj?: string;
  nome?: string;
  email?: string;
  trabalhaComProcuracao?: boolean;
  certificado?: Certificado | null;
}

/** Field of the accounts area → field of the console. */
const NOMES: Readonly<Record<string, string>> = {
  nomeEmpresa: 'nome',
  arquivoCertificado: 'arquivo',
  senhaCertificado: 'senha',
  ufCertificado: 'uf',
};

/** @throws dados_invalidos naming every faulty field */
export function cadastroDe(corpo: Campos): CadastroDoCliente {
  return unwrap(readCadastro(wireOf(corpo)));
}

/** @throws dados_invalidos naming every faulty field, also when nothing is given */
export function atualizacaoDe(corpo: Campos): AtualizacaoDoCliente {
  return unwrap(readAtualizacao(wireOf(corpo)));
}

/** Runs an act of the accounts area; its faults name the fields of the console. */
export async function comNomesDoConsole<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof AppError ? renamed(error) : error;
  }
}

function unwrap<T>(read: { value: T } | { error: AppError }): T {
  if ('error' in read) throw renamed(read.error);
  return read.value;
}

function wireOf({ nome, certificado, ...rest }: Campos): object {
  return {
    ...rest,
    ...(nome === undefined ? {} : { nomeEmpresa: nome }),
    ...(certificado
      ? {
          arquivoCertificado: certificado.arquivo,
          senhaCertificado: Buffer.from(certificado.senha).toString('base64'),
          ufCertificado: certificado.uf,
        }
      : {}),
  };
}

function renamed(error: AppError): AppError {
  const { codigo, status, headers } = error;
  const say = (text: string) =>
    Object.entries(NOMES).reduce((said, [from, to]) => said.replaceAll(from, to), text);
  const erros = error.erros.map((one) => ({
    ...one,
    campo: NOMES[one.campo] ?? one.campo,
    mensagem: say(one.mensagem),
  }));
  return new AppError({ codigo, status, headers, erros, mensagem: say(error.message), cause: error.cause });
}
