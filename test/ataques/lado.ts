/** An office of an attack, on either side: its client, who sells to it, and notes between the two, one number after the other. */
import { type Empresa, generateEmpresa } from '../../src/gerador/empresas.ts';
import { type EntradaNfe, generateNfe, type NfeGerada } from '../../src/gerador/nfe.ts';
import { createCliente, createEscritorio, withDeps } from '../support/malote.ts';

const DAY_MS = 86_400_000;

export class Lado {
  readonly contadorId: number;
  readonly codigoCrm: string;
  readonly token: string;
  /** Its one client. */
  readonly cliente: Empresa;
  readonly fornecedor: Empresa;
  readonly #semente: string;
  #numero = 0;

  private constructor(fields: {
    contadorId: number;
    codigoCrm: string;
    token: string;
    cliente: Empresa;
    fornecedor: Empresa;
    semente: string;
  }) {
    this.contadorId = fields.contadorId;
    this.codigoCrm = fields.codigoCrm;
    this.token = fields.token;
    this.cliente = fields.cliente;
    this.fornecedor = fields.fornecedor;
    this.#semente = fields.semente;
  }

  static async abrir(dataFolder: string, input: { crm: string; semente: string }): Promise<Lado> {
    const { crm } = input;
    const semente = `${input.semente}/${crm}`;
    const cliente = generateEmpresa(`${semente}/cliente`, { perfil: 'comercio', uf: 'SP' });
    const fornecedor = generateEmpresa(`${semente}/fornecedor`, { perfil: 'distribuidora', uf: 'SP' });
    const escritorio = await createEscritorio(dataFolder, { crm, clientes: [cliente.id] });
    return new Lado({ ...escritorio, cliente, fornecedor, semente });
  }

  /** Registers another company. @returns its CNPJ */
  async outroCliente(dataFolder: string): Promise<string> {
    const { id: cpfCnpj } = generateEmpresa(`${this.#semente}/outro`, { perfil: 'comercio' });
    const { contadorId } = this;
    await withDeps(dataFolder, (deps) => createCliente(deps, { contadorId, cpfCnpj }));
    return cpfCnpj;
  }

  /** What the supplier sells to the client, with the next number. */
  proximaNota(input: Partial<EntradaNfe> = {}): NfeGerada {
    const numero = ++this.#numero;
    return generateNfe({
      semente: `${this.#semente}/${numero}`,
      emitente: this.fornecedor,
      destinatario: this.cliente,
      modelo: '55',
      serie: 1,
      numero,
      emissao: new Date(Date.now() - DAY_MS),
      itens: 1,
      ...input,
    });
  }
}
