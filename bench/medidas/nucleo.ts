import { lerConteudo } from '../../src/fiscal/ler.ts';
import { carregarEsquemas } from '../../src/importacao/esquemas-instalados.ts';
import type { Conjunto } from '../conjunto.ts';
import { shortestRun } from '../melhor.ts';
import type { Resultado } from '../razoes.ts';

/** Documents read before the clock starts: compiles the schema, warms the code up. */
const WARM_UP = 200;

/** The fiscal core in one thread: form, fields, XSD and signature of every document, nothing stored. */
export function medirNucleo(
  conjunto: Conjunto,
  bases: { xmllint: number | null; wasm: number; pastaVazia: string },
): { docsPorSegundo: number; resultado: Resultado } {
  const validador = carregarEsquemas({ dataFolder: bases.pastaVazia });
  const read = ({ nome, bytes }: { nome: string; bytes: Uint8Array }) => {
    const [peca] = lerConteudo({ bytes, nome }, { validador });
    if (
      peca?.resultado !== 'lida' ||
      peca.esquema.resultado !== 'valido' ||
      peca.assinatura.resultado !== 'integra'
    )
      throw new Error(`${nome} was not read as a valid and intact document`);
  };
  conjunto.documentos.slice(0, WARM_UP).forEach(read);
  const seconds = shortestRun(() => conjunto.documentos.forEach(read));
  const docsPorSegundo = conjunto.documentos.length / seconds;
  const razao = bases.xmllint === null ? null : docsPorSegundo / bases.xmllint;
  return {
    docsPorSegundo,
    resultado: {
      titulo: 'Núcleo fiscal do Malote (uma thread)',
      linhas: [
        {
          oQue: 'forma, campos, XSD e assinatura',
          valor: docsPorSegundo,
          unidade: 'docs/s',
          nota:
            `${(docsPorSegundo / bases.wasm).toFixed(2)}x libxml2-wasm` +
            (razao === null
              ? ''
              : `, ${razao.toFixed(2)}x xmllint (que não lê campos nem confere assinaturas)`),
        },
      ],
      // The baseline does less (no fields, no signature): the figure is a lower bound of what its name promises.
      razoes: razao === null ? {} : { nucleo: razao },
      motivos: {},
    },
  };
}
