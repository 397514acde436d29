/** One task of the thread in which documents are read and drawn: their bytes are anybody's, and may be made to hurt. */
import { comItensEscritos } from '../../documentos/lean/itens-guardados.ts';
import type { RegistroAGuardar } from '../../documentos/tipos.ts';
import { familiasCom, type Reconhecedor } from '../../fiscal/familias.ts';
import { lerConteudo } from '../../fiscal/ler.ts';
import { SEM_JULGAR } from '../../fiscal/ler-peca.ts';
import { readEnsinado } from '../../fiscal/nfse/leiautes/validar-ensinado.ts';
import type { Codificacao } from '../../fiscal/tipos.ts';
import { readPalavrasDoEvento, readValores } from '../../fiscal/valores/ler-valores.ts';
import type { ValoresDoDocumento } from '../../fiscal/valores/tipos.ts';
import { beginItem, endItem, type WorkMark } from '../../platform/threads/thread-work.ts';
import { type ArvoreAEnsinar, arvoreAEnsinar } from './arvore-a-ensinar.ts';
import { type AAvaliar, type Avaliacao, judgeLeiaute } from './avaliar-leiaute.ts';
import { type Diferenca, diferencas } from './comparar.ts';
import { type Grupo, gruposDe, type ItemLegivel, itensDe } from './leitura.ts';
import type { ContextoDoPdf } from './pdf/marcas.ts';
import { drawDocumento } from './pdf.ts';

export type Tarefa =
  | { kind: 'ler'; bytes: Uint8Array; codificacao: Codificacao }
  | { kind: 'itens'; bytes: Uint8Array; pagina: number; tamanho: number }
  | { kind: 'comparar'; bytes: Uint8Array; outra: Uint8Array }
  /** `leiautes`: descriptions that its office has or had, JSON. */
  | { kind: 'registro'; bytes: Uint8Array; chave: string; leiautes: readonly string[] }
  | { kind: 'arvore'; bytes: Uint8Array }
  | ({ kind: 'avaliar'; bytes: Uint8Array } & AAvaliar)
  | { kind: 'valores'; bytes: Uint8Array; tamanhos: readonly number[] }
  | { kind: 'palavras'; bytes: Uint8Array; tamanhos: readonly number[] }
  | { kind: 'pdf'; bytes: Uint8Array; codificacao: Codificacao; contexto: ContextoDoPdf };

export interface Resultados {
  ler: { grupos: Grupo[]; itens: { total: number; itens: ItemLegivel[] } };
  itens: { total: number; itens: ItemLegivel[] };
  comparar: Diferenca[];
  /** The record as it is kept; null where the bytes make none of this key. */
  registro: RegistroAGuardar | null;
  /** Of a file whose layout nobody knows; null where it is no XML. */
  arvore: ArvoreAEnsinar | null;
  avaliar: Avaliacao;
  /** Of documents that stand one behind the other in the bytes, each as long as is said. */
  valores: (ValoresDoDocumento | null)[];
  /** The same of events: reasons and corrections. */
  palavras: (string | null)[];
  pdf: Uint8Array;
}

/** Items that come with the view itself; the others by pages. */
const ITENS_NA_VISTA = 200;

/** And what it may take of its thread (`platform/threads/thread-work.ts`). */
export type TarefaComPrazo = Tarefa & { marca: WorkMark; prazoMs: number };

export default async function executar({
  marca,
  prazoMs,
  ...tarefa
}: TarefaComPrazo): Promise<Resultados[Tarefa['kind']]> {
  beginItem(marca, 0, prazoMs);
  try {
    return await feita(tarefa);
  } finally {
    endItem(marca);
  }
}

async function feita(tarefa: Tarefa): Promise<Resultados[Tarefa['kind']]> {
  switch (tarefa.kind) {
    case 'ler':
      return {
        grupos: gruposDe(tarefa.bytes, tarefa.codificacao),
        itens: itensDe(tarefa.bytes, { pagina: 1, tamanho: ITENS_NA_VISTA }),
      };
    case 'itens':
      return itensDe(tarefa.bytes, tarefa);
    case 'comparar':
      return diferencas(tarefa.bytes, tarefa.outra);
    case 'registro':
      return registroDe(tarefa);
    case 'arvore':
      return arvoreAEnsinar(tarefa.bytes);
    case 'avaliar':
      return judgeLeiaute(tarefa);
    case 'valores':
      return pedacosDe(tarefa).map(readValores);
    case 'palavras':
      return pedacosDe(tarefa).map(readPalavrasDoEvento);
    case 'pdf':
      return drawDocumento(tarefa);
  }
}

function pedacosDe({ bytes, tamanhos }: { bytes: Uint8Array; tamanhos: readonly number[] }): Uint8Array[] {
  let at = 0;
  return tamanhos.map((tamanho) => {
    at += tamanho;
    return bytes.subarray(at - tamanho, at);
  });
}

/** As everybody reads it, else by a layout of its office. */
function registroDe(tarefa: { bytes: Uint8Array; chave: string; leiautes: readonly string[] }) {
  const ensinados = tarefa.leiautes.map(readEnsinado);
  const leituras = [undefined, ...ensinados.flatMap((um) => (um.ok ? [familiasCom([um.leiaute])] : []))];
  for (const familias of leituras) {
    const registro = registroCom(tarefa, familias);
    if (registro) return registro;
  }
  return null;
}

function registroCom(
  { bytes, chave }: { bytes: Uint8Array; chave: string },
  familias: readonly Reconhecedor[] | undefined,
): RegistroAGuardar | null {
  const deps = { validador: SEM_JULGAR, familias };
  for (const peca of lerConteudo({ bytes, nome: `${chave}.xml` }, deps))
    if (peca.resultado === 'lida' && peca.registro.chave === chave) return comItensEscritos(peca.registro);
  return null;
}
