/** What an entry shows, out of its row and, of an event, the row of its document. */
import { STATUS_DOCUMENTO, type StatusDocumento } from '../../fiscal/tipos.ts';
import { readHash } from '../bytes/hash-guardado.ts';
import { MOTIVO_EM_CODIGO, PAPEL_EM_CODIGO, TIPO_EM_CODIGO } from '../lean/codigos.ts';
import { lerEmissao } from '../lean/emissao-guardada.ts';
import { CODIGO_DE_CORRECAO, MOTIVO } from '../lean/motivos.ts';
import { readProva } from '../lean/prova-guardada.ts';
import type { LinhaDaNota, LinhaDeEntrada, LinhaDeEntradaComHash } from '../queries-leitura.ts';
import type { Entrada, EntradaComHash, EventoDaEntrada } from '../tipos.ts';

/** @param nota the document of an event, where the client has it */
export function emEntrada(linha: LinhaDeEntrada, nota: LinhaDaNota | undefined): Entrada {
  const mostrado = nota ?? linha;
  const soEvento = linha.evento_codigo !== null && nota === undefined;
  return {
    nsu: linha.nsu,
    documentoId: mostrado.documento_id,
    versaoId: mostrado.versao_id,
    chave: mostrado.chave,
    modelo: mostrado.modelo,
    status: soEvento ? STATUS_DOCUMENTO.evento : (mostrado.status as StatusDocumento),
    tipo: TIPO_EM_CODIGO.ler(mostrado.tipo),
    papel: PAPEL_EM_CODIGO.ler(mostrado.papel),
    serie: mostrado.serie,
    numero: mostrado.numero,
    dataEmissao: lerEmissao(mostrado),
    importadoEm: linha.importado_em,
    evento: eventoDe(linha),
    prova: readProva(mostrado.status_prova),
    layoutNacional: mostrado.layout_nacional === 1,
    municipioPrestacao: mostrado.municipio_prestacao,
    revisao: mostrado.revisao,
    tamanho: mostrado.tamanho,
    xml: null,
  };
}

/** The same, with the hash of what it serves. */
export function emEntradaComHash(
  linha: LinhaDeEntradaComHash,
  nota: LinhaDaNota | undefined,
): EntradaComHash {
  return { ...emEntrada(linha, nota), sha256: readHash((nota ?? linha).sha256) };
}

function eventoDe(linha: LinhaDeEntrada): EventoDaEntrada | null {
  if (linha.evento_codigo !== null) return doEvento(linha, linha.evento_codigo);
  return linha.motivo === null ? null : correcaoDe(linha, MOTIVO[MOTIVO_EM_CODIGO.ler(linha.motivo)]);
}

function doEvento(linha: LinhaDeEntrada, codigo: string): EventoDaEntrada {
  const sequencia = linha.evento_sequencia ?? 1;
  return {
    codigo,
    descricao: linha.evento_descricao ?? '',
    sequencia,
    id: `ID${codigo}${linha.chave}${String(sequencia).padStart(algarismosDaSequencia(linha), '0')}`,
    data: lerEmissao(linha),
    prova: readProva(linha.status_prova),
    versaoId: linha.tamanho === 0 ? null : linha.versao_id,
    revisao: linha.revisao,
    tamanho: linha.tamanho,
    xml: null,
  };
}

/** Models of CT-e and its kin. */
const DE_TRANSPORTE: readonly string[] = ['57', '67', '64'];

/** @fonte MOC CT-e 4.00, infEvento/@Id: three digits, where there were two as NF-e has them */
function algarismosDaSequencia({ modelo, layout }: Pick<LinhaDeEntrada, 'modelo' | 'layout'>): number {
  return DE_TRANSPORTE.includes(modelo) && layout === '4.00' ? 3 : 2;
}

function correcaoDe(linha: LinhaDeEntrada, descricao: string): EventoDaEntrada {
  return {
    codigo: CODIGO_DE_CORRECAO,
    descricao,
    sequencia: 0,
    id: '',
    data: null,
    prova: readProva(linha.status_prova),
    versaoId: null,
    revisao: linha.revisao,
    tamanho: 0,
    xml: null,
  };
}
