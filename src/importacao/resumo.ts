import { PROBLEMAS, RESULTADO, type Resultado } from '../documentos/tipos.ts';
import { LOG_MAX_BYTES } from './limites.ts';
import { STATUS_ARQUIVO } from './tipos.ts';
import { FALHAS_DO_ARQUIVO } from './unpack/entradas.ts';

export interface Problema {
  caminho: string;
  codigo: string | null;
  mensagem: string | null;
}

/** How a file ended. `quantidades` counts its items by resultado; `problemas` are the first of them, in order. */
interface Desfecho {
  quantidades: Partial<Record<Resultado, number>>;
  problemas: readonly Problema[];
}

interface Rotulo {
  de: readonly Resultado[];
  um: string;
  varios: string;
}

const ROTULOS: readonly Rotulo[] = [
  {
    de: [RESULTADO.novo, RESULTADO.atualizado],
    um: 'documento importado',
    varios: 'documentos importados',
  },
  { de: [RESULTADO.evento], um: 'evento', varios: 'eventos' },
  { de: [RESULTADO.duplicado], um: 'já existente', varios: 'já existentes' },
  { de: [RESULTADO.esperado], um: 'chave anotada', varios: 'chaves anotadas' },
  { de: [RESULTADO.semCliente], um: 'sem cliente cadastrado', varios: 'sem cliente cadastrado' },
  {
    de: [RESULTADO.semLeiaute],
    um: 'de leiaute que não é lido',
    varios: 'de leiaute que não é lido',
  },
  { de: [RESULTADO.homologacao], um: 'de homologação', varios: 'de homologação' },
  { de: [RESULTADO.conflito], um: 'em conflito', varios: 'em conflito' },
  { de: [RESULTADO.ignorado], um: 'ignorado', varios: 'ignorados' },
  { de: [RESULTADO.rejeitado], um: 'erro', varios: 'erros' },
];

const SEM_DOCUMENTOS = `${FALHAS_DO_ARQUIVO.sem_documentos} [sem_documentos]`;

/** Stands for the path where the file is itself the document. */
const O_ARQUIVO = 'arquivo';

/**
 * Decides between `Uploaded` and `Com Erro` and writes the `log`, which is empty on `Uploaded`: a summary, then a
 * line for each problem; what does not fit in 8 KB is told by its count.
 * @fonte docs/regras.md, uploads
 */
export function concluir(desfecho: Desfecho): { status: 'Uploaded' | 'Com Erro'; log: string } {
  const total = (resultados: readonly Resultado[]) =>
    resultados.reduce((sum, resultado) => sum + (desfecho.quantidades[resultado] ?? 0), 0);
  const problemas = total(PROBLEMAS);
  const achados = total(Object.values(RESULTADO)) - total([RESULTADO.ignorado]);
  if (problemas === 0 && achados > 0) return { status: STATUS_ARQUIVO.uploaded, log: '' };
  const resumo = resumir(total);
  if (achados === 0) {
    const log = resumo === '' ? SEM_DOCUMENTOS : `${resumo}\n${SEM_DOCUMENTOS}`;
    return { status: STATUS_ARQUIVO.comErro, log };
  }
  return { status: STATUS_ARQUIVO.comErro, log: limitar(resumo, desfecho.problemas, problemas) };
}

/** The `log` of a file that was given up because of errors of ours: what is in, and an id to ask with. */
export function logDeDesistencia(input: { arquivoId: string; quantidades: Desfecho['quantidades'] }): string {
  const resumo = resumir((resultados) =>
    resultados.reduce((sum, resultado) => sum + (input.quantidades[resultado] ?? 0), 0),
  );
  const sentence = `${FALHAS_DO_ARQUIVO.falha_interna} Id: ${input.arquivoId} [falha_interna]`;
  return resumo === '' ? sentence : `${resumo}\n${sentence}`;
}

function resumir(total: (resultados: readonly Resultado[]) => number): string {
  return ROTULOS.map((rotulo) => ({ rotulo, quantos: total(rotulo.de) }))
    .filter(({ quantos }) => quantos > 0)
    .map(({ rotulo, quantos }) => `${quantos} ${quantos === 1 ? rotulo.um : rotulo.varios}`)
    .join(', ');
}

function limitar(resumo: string, problemas: readonly Problema[], todos: number): string {
  const lines = [resumo];
  let bytes = Buffer.byteLength(resumo);
  for (const problema of problemas) {
    const line = linhaDe(problema);
    const rest = restante(todos - lines.length + 1);
    // Room is kept for the closing line, as long as this is not the last problem.
    const reserve = lines.length === todos ? 0 : Buffer.byteLength(rest) + 1;
    if (bytes + 1 + Buffer.byteLength(line) + reserve > LOG_MAX_BYTES) break;
    lines.push(line);
    bytes += 1 + Buffer.byteLength(line);
  }
  const untold = todos - (lines.length - 1);
  return untold > 0 ? [...lines, restante(untold)].join('\n') : lines.join('\n');
}

function linhaDe(problema: Problema): string {
  const caminho = oneLine(problema.caminho || O_ARQUIVO);
  return `${caminho}: ${oneLine(problema.mensagem ?? 'Não foi importado.')} [${problema.codigo ?? 'erro'}]`;
}

/** Paths and messages quote bytes of the sender: no line of theirs may pass for one of ours. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

function restante(quantos: number): string {
  return quantos === 1
    ? 'e mais 1 problema: consulte os itens do arquivo.'
    : `e mais ${quantos} problemas: consulte os itens do arquivo.`;
}
