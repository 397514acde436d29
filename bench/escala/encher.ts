/** Fills a client's feed with very many documents through the vault's own door, without reading any XML. */
import { createToken } from '../../src/autorizacao/tokens.ts';
import { createContador } from '../../src/contas/contadores.ts';
import type { Deps } from '../../src/deps.ts';
import { storeLotes } from '../../src/documentos/store/store.ts';
import type { PecaLida } from '../../src/documentos/tipos.ts';
import { chaveCheckDigit, parseChave } from '../../src/fiscal/chave.ts';
import type { Chave, Documento } from '../../src/fiscal/tipos.ts';
import { generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import { readContent } from '../../src/importacao/reading/leitor.ts';
import { loadEsquemas } from '../../src/importacao/standards/esquemas-instalados.ts';
import { createCliente } from '../../test/support/malote.ts';

/** What the importer puts into one transaction. */
const LOTE = 500;
/** Documents are issued over so many days, whatever their number: the larger feed has the fuller months. */
const DIAS = 5 * 365;
const PRIMEIRO_DIA = Date.UTC(2021, 0, 1, 12);
const DIA_MS = 24 * 3_600_000;

export interface ClienteCheio {
  codigoCrm: string;
  cpfCnpj: string;
  token: string;
  documentos: number;
}

/**
 * An office with one client that issued `documentos` NF-e: rows as an import makes them, with the bytes of one
 * generated note, which nothing here reads back.
 */
export async function encher(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  input: { crm: string; documentos: number; aoGravar?: (feitos: number) => void },
): Promise<ClienteCheio> {
  const emitente = generateEmpresa('escala', { perfil: 'industria', uf: 'SP' });
  const modelo = pecaModelo(deps.config, emitente);
  const { id: contadorId, codigoCrm } = await createContador(deps, {
    codigoCrm: input.crm,
    nome: 'Escritório de medição',
    email: 'medicao@exemplo.com.br',
  });
  const { token } = await createToken(deps, { contadorId });
  await createCliente(deps, { contadorId, cpfCnpj: emitente.id });
  for (let start = 0; start < input.documentos; start += LOTE) {
    const count = Math.min(LOTE, input.documentos - start);
    const pecas = Array.from({ length: count }, (_, at) =>
      copia(modelo, { numero: start + at + 1, documentos: input.documentos, emitente: emitente.id }),
    );
    const lotes = [{ arquivoNumero: 1, contadorId, pecas }];
    await deps.db.write
      .transaction()
      .execute((trx) => storeLotes(trx, { lotes, agora: deps.clock.now(), homologacao: false }));
    input.aoGravar?.(start + count);
  }
  return { codigoCrm, cpfCnpj: emitente.id, token, documentos: input.documentos };
}

/** Key of the n-th document. */
export function chaveDaNota(input: { numero: number; documentos: number; emitente: string }): Chave {
  const emitidoEm = emissaoDe(input);
  const anoMes = new Date(emitidoEm).toISOString().slice(2, 7).replace('-', '');
  // A number has nine digits, a series three: together enough for any feed.
  const body = `35${anoMes}${input.emitente}55001${String(input.numero).padStart(9, '0')}112345678`;
  const chave = parseChave(body + chaveCheckDigit(body));
  if (!chave) throw new Error(`no key: ${body}`);
  return chave;
}

function emissaoDe({ numero, documentos }: { numero: number; documentos: number }): number {
  return PRIMEIRO_DIA + Math.floor(((numero - 1) * DIAS) / documentos) * DIA_MS;
}

type Peca = Extract<PecaLida, { kind: 'registro' }> & { registro: Documento };

function pecaModelo(
  config: Pick<Deps['config'], 'dataFolder'>,
  emitente: ReturnType<typeof generateEmpresa>,
): Peca {
  const destinatario = generateEmpresa('escala-destinatario', { perfil: 'comercio', uf: 'RJ' });
  const { xml } = generateNfe({
    semente: 'escala',
    emitente,
    destinatario,
    modelo: '55',
    serie: 1,
    numero: 1,
    emissao: new Date(PRIMEIRO_DIA),
    itens: 3,
  });
  const validador = loadEsquemas(config);
  const [peca] = readContent({ caminho: 'nota.xml', bytes: Buffer.from(xml) }, { validador });
  if (peca?.kind !== 'registro' || peca.registro.classe !== 'documento')
    throw new Error('the generated note cannot be read');
  return peca as Peca;
}

function copia(modelo: Peca, nota: { numero: number; documentos: number; emitente: string }): PecaLida {
  const dataEmissao = `${new Date(emissaoDe(nota)).toISOString().slice(0, 19)}-03:00`;
  const registro = {
    ...modelo.registro,
    chave: chaveDaNota(nota),
    numero: String(nota.numero),
    dataEmissao,
    digest: `${modelo.registro.digest.slice(0, 16)}${nota.numero}`,
  };
  return { ...modelo, caminho: `${nota.numero}.xml`, registro };
}
