/** The events of a note with what they say, and the note of an event: each leads to the other. */

import type { Db } from '../../banco/tabelas.ts';
import { descomprimir } from '../../documentos/bytes/conteudo.ts';
import { lerEmissao } from '../../documentos/lean/emissao-guardada.ts';
import { readProva } from '../../documentos/lean/prova-guardada.ts';
import type { Codificacao } from '../../fiscal/tipos.ts';
import { textOf } from '../../fiscal/xml/decode.ts';
import { PREDEFINED } from '../../fiscal/xml/text.ts';
import { findConteudosServidos } from '../documentos/queries-detalhes.ts';
import type { LinhaDoDocumento } from './queries-documento.ts';
import * as queries from './queries-documento.ts';

/** Events whose words are read; of more the last ones, which stand. */
const LIDOS = 20;
/** An event is a few kilobytes; what is longer is anybody's. */
const EVENTO_MAX = 64 * 1024;

/**
 * Where an event says why or what, the first that is there. `xMotivo` is also the authority's answer: only inside the
 * national NFS-e's own event it is the author's.
 */
const DIZERES = [
  /<(?:\w+:)?xJust>([^<]{1,2000})</,
  /<(?:\w+:)?xCorrecao>([^<]{1,2000})</,
  /<(?:\w+:)?xObs>([^<]{1,2000})</,
  /<(?:\w+:)?e\d{6}>(?:(?!<\/(?:\w+:)?e\d{6}>)[\s\S]){0,4000}?<(?:\w+:)?xMotivo>([^<]{1,2000})</,
];
/** A correction of a CT-e names each field and its new value. */
const CORRECOES_DO_CTE =
  /<(?:\w+:)?campoAlterado>([^<]{1,60})<[^>]*>\s*<(?:\w+:)?valorAlterado>([^<]{1,500})</g;

/** Reason of a cancellation or a refusal, text of a correction; null of an event that says nothing of its own. */
export function textoDoEvento(xml: string): string | null {
  const text = xml.slice(0, EVENTO_MAX);
  const correcoes = [...text.matchAll(CORRECOES_DO_CTE)].map(([, campo, valor]) => `${campo}: ${valor}`);
  const dito =
    correcoes.length > 0 ? correcoes.join('; ') : DIZERES.map((one) => one.exec(text)?.[1]).find(Boolean);
  return dito
    ? dito.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_all, nome: string) => PREDEFINED[nome] ?? '').trim()
    : null;
}

/** Events of a note, the oldest first. */
export async function eventosDaNota(db: Db, linha: LinhaDoDocumento) {
  if (linha.classe !== 'documento') return [];
  const eventos = await queries.findEventos(db, {
    contadorId: linha.contador_id,
    chave: linha.chave,
    ambiente: linha.ambiente,
    documentoId: linha.id,
  });
  const lidos = eventos.slice(-LIDOS).map(({ id }) => id);
  const textos = new Map(
    (lidos.length === 0 ? [] : await findConteudosServidos(db, lidos)).map(
      ({ documento_id, codificacao, ...guardado }) => [
        documento_id,
        textoDoEvento(textOf(descomprimir(guardado), codificacao as Codificacao)),
      ],
    ),
  );
  return eventos.map((evento) => ({
    id: evento.id,
    codigo: evento.evento_codigo,
    descricao: evento.evento_descricao ?? 'Evento',
    em: lerEmissao(evento),
    protocolo: evento.nprot,
    cancela: evento.evento_efeito === 'cancela' && evento.afastado !== 1,
    texto: textos.get(evento.id) ?? null,
    prova: readProva(evento.status_prova),
    desconsiderado: evento.afastado === 1,
  }));
}

/** The note that an event is about, where it has come. */
export async function notaDoEvento(db: Db, linha: LinhaDoDocumento) {
  if (linha.classe !== 'evento') return null;
  const nota = await queries.findNota(db, linha);
  return nota ? { id: nota.id, modelo: nota.modelo, numero: nota.numero, status: nota.status } : null;
}
