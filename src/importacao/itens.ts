import type { Deps } from '../deps.ts';
import { arquivoNaoEncontrado } from './errors.ts';
import { countItens, findArquivoDoContador, findItens, type LinhaDeItem } from './queries.ts';

/** One thing found in a file. */
interface Item {
  caminho: string;
  sha256: string | null;
  especie: string;
  chave: string | null;
  resultado: string;
  codigo: string | null;
  mensagem: string | null;
  linha: number | null;
  coluna: number | null;
  elemento: string | null;
}

interface PaginaDeItens {
  total: number;
  paginas: number;
  tamanho: number;
  pagina: number;
  itens: Item[];
}

/** A page of what was found in an office's file so far. @throws AppError arquivo_nao_encontrado */
export async function readItens(
  deps: Pick<Deps, 'db'>,
  input: { id: string; contadorId: number; pagina: number; tamanho: number },
): Promise<PaginaDeItens> {
  const { pagina, tamanho } = input;
  const arquivo = await findArquivoDoContador(deps.db.read, input);
  if (!arquivo) throw arquivoNaoEncontrado();
  const total = await countItens(deps.db.read, arquivo.numero);
  const primeira = (pagina - 1) * tamanho + 1;
  const rows =
    primeira > total
      ? []
      : await findItens(deps.db.read, {
          arquivoNumero: arquivo.numero,
          primeira,
          ultima: Math.min(total, pagina * tamanho),
        });
  return { total, paginas: Math.ceil(total / tamanho), tamanho, pagina, itens: rows.map(presentItem) };
}

function presentItem(row: LinhaDeItem): Item {
  return {
    caminho: row.caminho,
    sha256: row.sha256,
    especie: row.especie,
    chave: row.chave,
    resultado: row.resultado,
    codigo: row.codigo,
    mensagem: row.mensagem,
    linha: row.linha,
    coluna: row.coluna,
    elemento: row.elemento,
  };
}
