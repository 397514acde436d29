/**
 * R18: a document that fills the memory of whoever reads it, makes it hang or brings it down; and an import thread that
 * dies over a file. The rest goes on, the file in question ends in `Com Erro` with a sentence.
 */

import { type Arquivo, arquivoDe, generateRemessa, type Remessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, type Contexto, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';
import { ate } from '../processo.ts';

const VENENO = 'veneno';
/** What a document may take in both lanes of the readers lies within; three tries with their waits too. */
const ENDS_WITHIN_MS = 120_000;

interface Caso {
  ponto: string;
  /** The neighbours of the poisoned document, in its own file, are in all the same. */
  soEle: boolean;
}

const CURTOS: readonly Caso[] = [
  { ponto: `documento_em_leitura:*:memoria@${VENENO}`, soEle: true },
  { ponto: `lote_lido:*:sair@${VENENO}`, soEle: false },
];
const LONGOS: readonly Caso[] = [
  ...CURTOS,
  { ponto: `documento_em_leitura:*:sair@${VENENO}`, soEle: true },
  { ponto: `documento_em_leitura:*:lancar@${VENENO}`, soEle: true },
  { ponto: `documento_em_leitura:*:travar@${VENENO}`, soEle: true },
  { ponto: `zip_no_meio:*:lancar@${VENENO}`, soEle: false },
  { ponto: `zip_no_meio:*:memoria@${VENENO}`, soEle: false },
  { ponto: `lote_lido:*:lancar@${VENENO}`, soEle: false },
];

export const threadQueMorre: Cenario = {
  id: 'R18',
  titulo: 'documento que esgota a memória, trava ou derruba a thread que o lê',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['postgres'],
  async rodar(contexto) {
    const casos = contexto.curta ? CURTOS : LONGOS;
    const violacoes: Violacao[] = [];
    for (const caso of casos) {
      violacoes.push(...(await umCaso(contexto, caso)));
      contexto.aoAvancar(caso.ponto);
    }
    return {
      feito: `${casos.length} venenos, cada um entre arquivos sãos`,
      medido: 'o arquivo envenenado termina Com Erro e com uma frase; os outros, todos importados',
      violacoes,
    };
  },
};

async function umCaso(contexto: Contexto, caso: Caso): Promise<Violacao[]> {
  const remessa = await generateRemessa({
    semente: `${contexto.semente}/r18`,
    clientes: 2,
    documentos: quanto(contexto, 60, 300),
    porArquivo: 10,
  });
  await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa });
  await bancada.iniciar({ env: { MALOTE_PONTO_DE_FALHA: caso.ponto } });
  const [poisoned, sound] = await separar(remessa);
  const sending = bancada.enviarTodos(sound);
  const { nome, extension, bytes } = poisoned;
  const ticket = await bancada.sonda.ticket(bancada.escritorio, { nome, size: bytes.length, extension });
  if (!ticket) throw new Error('no ticket');
  // Not in the journal as a file: whether its documents are in depends on the case.
  if (caso.soEle) {
    const survivors = poisoned.itens.filter((item) => !item.nome.includes(VENENO));
    bancada.anunciar({ ...poisoned, itens: survivors });
  }
  const sent = await bancada.sonda.pedir(ticket.url, { bytes });
  const violacoes: Violacao[] = [];
  const wrong = (detalhe: string) => violacoes.push({ regra: 'R18', detalhe: `${caso.ponto}: ${detalhe}` });
  if (sent.status !== 200) wrong(`o envio foi respondido com ${sent.status}`);
  await sending;
  let end = { status: '', log: '' };
  const ended = await ate(async () => {
    end = await bancada.sonda.status(bancada.escritorio, ticket.id).catch(() => end);
    return end.status === 'Com Erro' || end.status === 'Uploaded';
  }, ENDS_WITHIN_MS);
  if (!ended) wrong('o arquivo envenenado não terminou');
  else if (end.status !== 'Com Erro' || end.log === '') wrong(`terminou ${end.status}, log "${end.log}"`);
  if (!bancada.processo().vivo) wrong('o processo morreu');
  return [...violacoes, ...(await bancada.concluir())];
}

/** One file with a poisoned document in its middle, and the sound ones. */
async function separar({ itens, arquivos }: Remessa): Promise<[Arquivo, Arquivo[]]> {
  const [first, ...rest] = arquivos;
  if (!first || itens.length < 3) throw new Error('too little was generated');
  const named = first.itens.map((item, at) => (at === 1 ? { ...item, nome: `${VENENO}.xml` } : item));
  return [await arquivoDe('com-veneno', named), rest];
}
