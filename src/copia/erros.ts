/** A copy that cannot be made, read or put back; the sentence (pt-BR) says what to do. Only commands meet it. */
export class ErroDeCopia extends Error {
  /** Stable, lower snake case. */
  readonly codigo: string;
  constructor(codigo: string, mensagem: string, options?: ErrorOptions) {
    super(mensagem, options);
    this.name = 'ErroDeCopia';
    this.codigo = codigo;
  }
}
