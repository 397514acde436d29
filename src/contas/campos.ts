import { parseCpfCnpj } from '../fiscal/cpf-cnpj.ts';
import type { CodigoCrm, CpfCnpj } from '../fiscal/tipos.ts';
import type { AppError, ErroDeCampo } from '../platform/errors.ts';
import { dadosInvalidos } from '../platform/http/errors.ts';

/** `nomeEmpresa`: 2 to 200 characters. @fonte specification 2.6, 8 */
const NOME_MIN = 2;
const NOME_MAX = 200;
/** Longest address that SMTP carries. @fonte RFC 5321 §4.5.3.1.3 */
const EMAIL_MAX = 254;
/** One @, something on both sides, a dot in the domain, no blanks: whether it exists only a message can tell. */
const EMAIL_SHAPE = /^[^\s@<>"(),:;[\]\\]{1,64}@[^\s@<>"(),:;[\]\\.]+(?:\.[^\s@<>"(),:;[\]\\.]+)+$/;
/** Control characters, and the ones that reorder text on a screen. */
const UNPRINTABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/**
 * Gathers the faults of several fields, so that all are named at once. What is read of a field that has one
 * is worth nothing: whoever reads asks `check` or `error` before using any of it.
 */
export class Campos {
  readonly #erros: ErroDeCampo[] = [];

  /** @throws dados_invalidos with every fault that was found */
  check(): void {
    const error = this.error();
    if (error) throw error;
  }

  /** `dados_invalidos` with every fault that was found; null when there is none. */
  error(): AppError | null {
    return this.#erros.length > 0 ? dadosInvalidos(this.#erros) : null;
  }

  /** A fault that is found elsewhere. */
  add(erro: ErroDeCampo): void {
    this.#erros.push(erro);
  }

  nome(campo: string, text: string): string {
    const nome = text.normalize('NFC').trim().replace(/\s+/g, ' ');
    const length = [...nome].length;
    if (length < NOME_MIN || length > NOME_MAX || UNPRINTABLE.test(nome)) {
      this.#fault(campo, `${campo} deve ter de ${NOME_MIN} a ${NOME_MAX} caracteres.`);
    }
    return nome;
  }

  email(campo: string, text: string): string {
    const email = text.trim();
    if (email.length > EMAIL_MAX || !EMAIL_SHAPE.test(email) || UNPRINTABLE.test(email)) {
      this.#fault(campo, `${campo} não é um endereço de e-mail.`);
    }
    return email;
  }

  cpfCnpj(campo: string, text: string): CpfCnpj {
    const id = parseCpfCnpj(text);
    if (!id) this.#fault(campo, `${campo} não é um CPF ou CNPJ com dígitos verificadores válidos.`);
    return id ?? ('' as CpfCnpj);
  }

  /** One to six digits, padded on the left. @fonte specification 4.2; docs/regras.md, order of checks */
  codigoCrm(campo: string, text: string): CodigoCrm {
    const digits = text.trim();
    if (!/^[0-9]{1,6}$/.test(digits)) this.#fault(campo, `${campo} deve ter de 1 a 6 dígitos.`);
    return digits.padStart(6, '0') as CodigoCrm;
  }

  #fault(campo: string, mensagem: string): void {
    this.add({ campo, codigo: 'valor_invalido', mensagem });
  }
}
