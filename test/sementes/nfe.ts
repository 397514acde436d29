/** NF-e, NFC-e, their events and inutilizações, of the project's own generator. */
import type { Chave } from '../../src/fiscal/tipos.ts';
import type { Empresa } from '../../src/gerador/empresas.ts';
import { generateEvento } from '../../src/gerador/eventos.ts';
import { generateInutilizacao } from '../../src/gerador/inutilizacao.ts';
import { generateNfe, type NfeGerada } from '../../src/gerador/nfe.ts';
import type { ResultadoProtocolo } from '../../src/gerador/protocolo.ts';
import { EMITENTE, HORA, TOMADOR, type Variacao } from './partes.ts';

const COMUM = { sementeCertificados: 'sementes' };

/** Another content under the same key: the same note with another nature, signed anew. */
export function nfe(modelo: '55' | '65', variacao: Variacao): NfeGerada {
  const { numero, conteudo = 'a', emitente = EMITENTE, tomador = TOMADOR, cStat = '100' } = variacao;
  return generateNfe({
    ...COMUM,
    // The key's random code comes from the seed: both contents keep it.
    semente: `${modelo}/${numero}`,
    emitente,
    destinatario: tomador,
    modelo,
    serie: 1,
    numero,
    emissao: new Date(HORA),
    itens: conteudo === 'a' ? 1 : 2,
    protocolo: cStat === null ? null : ({ cStat } as ResultadoProtocolo),
  });
}

export function eventoNfe(input: {
  chave: Chave;
  codigo: string;
  sequencia?: number;
  autor?: Empresa;
  conteudo?: 'a' | 'b';
}): string {
  const { chave, codigo, sequencia = 1, autor = EMITENTE, conteudo = 'a' } = input;
  return generateEvento({
    ...COMUM,
    semente: `${chave}/${codigo}/${sequencia}/${conteudo}`,
    chave,
    codigo,
    sequencia,
    autor,
    destinatario: TOMADOR.id,
    em: new Date('2026-03-11T12:00:00Z'),
  }).xml;
}

export function inutilizacaoNfe(input: { de: number; ate: number; modelo?: '55' | '65' }): {
  inteira: string;
  resposta: string;
} {
  const { de, ate, modelo = '55' } = input;
  const made = generateInutilizacao({
    ...COMUM,
    semente: `inut/${modelo}/${de}`,
    emitente: EMITENTE,
    modelo,
    serie: 1,
    numeroInicial: de,
    numeroFinal: ate,
    em: new Date('2026-03-20T12:00:00Z'),
  });
  return { inteira: made.xml, resposta: made.resposta.xml };
}
