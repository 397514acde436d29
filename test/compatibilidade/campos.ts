/**
 * The tables of fields of the specification (2.1 to 2.6), with the types that it writes. Readers in strictly typed languages
 * are generated from them, and from nothing else.
 */

/** `timestamp`: a text, or `null` where the time is not known. A record, or a list of records, by its name. */
export type Tipo = 'integer' | 'string' | 'boolean' | 'timestamp' | { um: Nome } | { lista: Nome };

export interface Campo {
  nome: string;
  tipo: Tipo;
  /** Present in some cases only. */
  opcional?: true;
}

export type Nome =
  | 'Documento'
  | 'Pagina'
  | 'Bilhete'
  | 'Arquivo'
  | 'Acesso'
  | 'Cadastrado'
  | 'Cadastro'
  | 'Atualizacao';

const campos = (...linhas: readonly (readonly [nome: string, tipo: Tipo])[]): readonly Campo[] =>
  linhas.map(([nome, tipo]) => ({ nome, tipo }));

/** Those that a record names stand before it. */
export const REGISTROS: Readonly<Record<Nome, readonly Campo[]>> = {
  // 2.1
  Documento: campos(
    ['nsu', 'integer'],
    ['data_emissao', 'timestamp'],
    ['data_importacao', 'timestamp'],
    ['chave', 'string'],
    ['modelo', 'string'],
    ['status', 'string'],
    ['tipo', 'string'],
    ['url_download', 'string'],
    ['xml', 'string'],
    ['url_finalidade', 'string'],
    ['layout_nacional', 'boolean'],
    ['municipio_prestacao', 'integer'],
  ),
  // 2.2
  Pagina: campos(
    ['total', 'integer'],
    ['paginas', 'integer'],
    ['tamanho', 'integer'],
    ['pagina', 'integer'],
    ['documentos', { lista: 'Documento' }],
  ),
  // 2.3
  Bilhete: campos(['mensagem', 'string'], ['url', 'string'], ['id', 'string']),
  // 2.4
  Arquivo: [
    ...campos(
      ['tamanho', 'integer'],
      ['extensao', 'string'],
      ['status', 'string'],
      ['dataCriacao', 'timestamp'],
      ['log', 'string'],
      ['dataUploaded', 'timestamp'],
    ),
    { nome: 'dataInicioImportacao', tipo: 'timestamp', opcional: true },
    { nome: 'dataFimImportacao', tipo: 'timestamp', opcional: true },
  ],
  // 2.5
  Acesso: campos(
    ['access_token', 'string'],
    ['expires_in', 'integer'],
    ['refresh_expires_in', 'integer'],
    ['refresh_token', 'string'],
    ['token_type', 'string'],
    ['not-before-policy', 'integer'],
    ['session_state', 'string'],
    ['scope', 'string'],
  ),
  // 2.6
  Cadastrado: campos(['id', 'integer'], ['message', 'string']),
  Cadastro: campos(['data', { um: 'Cadastrado' }]),
  Atualizacao: campos(['message', 'string']),
};

export const NOMES = Object.keys(REGISTROS) as Nome[];

/** What a reader prints of an answer, line by line: each field by its name, a text escaped so that it is one line. */
export function linhasDe(nome: Nome, valor: Record<string, unknown>): string[] {
  return REGISTROS[nome].flatMap(({ nome: campo, tipo }) => {
    const dele = valor[campo];
    if (typeof tipo !== 'object')
      return [`${campo}=${dele === null ? 'null' : escapado(String(dele ?? 'null'))}`];
    const registros = 'um' in tipo ? [dele] : (dele as unknown[]);
    const qual = 'um' in tipo ? tipo.um : tipo.lista;
    return registros.flatMap((um) => linhasDe(qual, um as Record<string, unknown>));
  });
}

function escapado(texto: string): string {
  return texto.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}
