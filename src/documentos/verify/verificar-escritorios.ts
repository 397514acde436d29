/** The checks of what belongs together: everything of one office, and words that companies are found by. */

import { ehQuaseOMesmo } from '../bytes/hash-guardado.ts';
import type { Leitor } from '../queries-leitura.ts';
import { nomeGuardado, palavrasDe } from '../store/palavras.ts';
import { findNomesNosDocumentos } from '../store/queries-empresas.ts';
import { type Achado, emPaginas } from './achados.ts';
import * as queries from './queries-escritorios.ts';

export async function* verifyEscritorios(db: Leitor): AsyncGenerator<Achado> {
  for (const { documento_id: documentoId, o_que } of await queries.findDeOutroEscritorio(db)) {
    yield {
      codigo: 'documento_de_outro_escritorio',
      mensagem: `O documento é de um escritório, e ${o_que} de outro.`,
      alvo: `documento ${documentoId}`,
      ref: { documentoId },
    };
  }
}

/** Each word is of a name that its company has. */
export function verifyPalavras(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: { contador_id: 0, palavra: '', cpf_cnpj: '' },
    tamanho,
    keyOf: ({ contador_id, palavra, cpf_cnpj }) => ({ contador_id, palavra, cpf_cnpj }),
    ler: queries.findPalavras,
    achar: async (trx, rows) => {
      const achados: Achado[] = [];
      for (const [contadorId, dele] of Map.groupBy(rows, (row) => row.contador_id)) {
        const cpfCnpjs = [...new Set(dele.map(({ cpf_cnpj }) => cpf_cnpj))];
        const nomes = Map.groupBy(
          await queries.findNomes(trx, { contadorId, cpfCnpjs }),
          (row) => row.cpf_cnpj,
        );
        for (const { cpf_cnpj, palavra } of dele) {
          const tem = (nomes.get(cpf_cnpj) ?? []).some(({ nome }) => palavrasDe(nome).includes(palavra));
          if (!tem) achados.push(semNome({ contadorId, cpf_cnpj, palavra }));
        }
      }
      return achados;
    },
  });
}

/** Companies of one step: each has a dozen words. */
const EMPRESAS_POR_PAGINA = 50;

/** Each name can be found by its words. */
export function verifyNomes(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: { contador_id: 0, cpf_cnpj: '', nome: '' },
    tamanho: Math.min(tamanho, EMPRESAS_POR_PAGINA),
    keyOf: ({ contador_id, cpf_cnpj, nome }) => ({ contador_id, cpf_cnpj, nome }),
    ler: queries.findEmpresas,
    achar: async (trx, rows) => {
      const achados: Achado[] = [];
      for (const [contadorId, dele] of Map.groupBy(rows, (row) => row.contador_id)) {
        const wanted = dele.flatMap(({ cpf_cnpj, nome }) =>
          palavrasDe(nome).map((palavra) => ({ cpf_cnpj, palavra })),
        );
        const palavras = [...new Set(wanted.map(({ palavra }) => palavra))];
        const cpfCnpjs = [...new Set(dele.map(({ cpf_cnpj }) => cpf_cnpj))];
        const known = new Set(
          (await queries.findPalavrasEntre(trx, { contadorId, palavras, cpfCnpjs })).map(
            ({ palavra, cpf_cnpj }) => `${palavra} ${cpf_cnpj}`,
          ),
        );
        for (const one of dele) achados.push(...(await nomeQueMudou(trx, one)));
        for (const { cpf_cnpj, palavra } of wanted) {
          if (!known.has(`${palavra} ${cpf_cnpj}`))
            achados.push(semPalavra({ contadorId, cpf_cnpj, palavra }));
        }
      }
      return achados;
    },
  });
}

/** A name that a document of the company says but for a bit or two: two companies' names are not that close. */
async function nomeQueMudou(
  trx: Leitor,
  {
    contador_id: contadorId,
    cpf_cnpj: cpfCnpj,
    nome,
  }: { contador_id: number; cpf_cnpj: string; nome: string },
): Promise<Achado[]> {
  const ditos = (await findNomesNosDocumentos(trx, { contadorId, cpfCnpj })).map(nomeGuardado);
  if (ditos.includes(nome)) return [];
  const hexOf = (text: string) => Buffer.from(text).toString('hex');
  if (!ditos.some((dito) => ehQuaseOMesmo(hexOf(dito), hexOf(nome)))) return [];
  return [
    {
      codigo: 'nome_divergente',
      mensagem: 'O nome da empresa não é o que os seus documentos dizem.',
      alvo: `empresa ${cpfCnpj}`,
      ref: { contadorId, cpfCnpj },
    },
  ];
}

function semPalavra(input: { contadorId: number; cpf_cnpj: string; palavra: string }): Achado {
  const { contadorId, cpf_cnpj, palavra } = input;
  return {
    codigo: 'nome_sem_palavra',
    mensagem: `A busca não acha a empresa pela palavra ${palavra}, que é do seu nome.`,
    alvo: `empresa ${cpf_cnpj}`,
    ref: { contadorId, cpfCnpj: cpf_cnpj },
  };
}

function semNome(input: { contadorId: number; cpf_cnpj: string; palavra: string }): Achado {
  const { contadorId, cpf_cnpj, palavra } = input;
  return {
    codigo: 'palavra_sem_nome',
    mensagem: `A busca acha a empresa pela palavra ${palavra}, que nenhum nome dela tem.`,
    alvo: `empresa ${cpf_cnpj}`,
    ref: { contadorId, cpfCnpj: cpf_cnpj },
  };
}
