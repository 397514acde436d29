/** R14: a client that loses its patience: the same PUT many times at once; and different bytes to one address. */

import { type Arquivo, generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';

const AT_ONCE = 50;

export const mesmoEnvio: Cenario = {
  id: 'R14',
  titulo: 'o mesmo PUT 50 vezes ao mesmo tempo, e bytes diferentes no mesmo endereço',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async rodar(contexto) {
    const times = quanto(contexto, 4, 40);
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r14`,
      clientes: 2,
      documentos: times * 20,
      porArquivo: 10,
    });
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa });
    await bancada.iniciar();
    const violacoes: Violacao[] = [];
    const answers = new Map<number, number>();
    for (let at = 0; at < times; at++) {
      const [one, other] = [remessa.arquivos[at * 2], remessa.arquivos[at * 2 + 1]];
      if (!one || !other) break;
      // Every second time all send the same; else half of them send something else.
      const statuses = await storm(bancada, at % 2 === 0 ? [one] : [one, other]);
      for (const status of statuses) answers.set(status, (answers.get(status) ?? 0) + 1);
      const wrong = statuses.filter((status) => ![200, 409, 503].includes(status));
      if (wrong.length > 0) violacoes.push({ regra: 'R14', detalhe: `respostas ${wrong.join()}` });
      if (!statuses.includes(200)) violacoes.push({ regra: 'R14', detalhe: 'nenhum PUT foi aceito' });
      if (at % 2 === 0 && statuses.includes(409)) {
        violacoes.push({ regra: 'R14', detalhe: '409 aos mesmos bytes' });
      }
    }
    const told = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ');
    return {
      feito: `${times} tempestades de ${AT_ONCE} PUT`,
      medido: `respostas: ${told}`,
      violacoes: [...violacoes, ...(await bancada.concluir())],
    };
  },
};

/** All to one address. What must be in the vault afterwards is the file whose PUT got a 200. */
async function storm(bancada: Bancada, arquivos: Arquivo[]): Promise<number[]> {
  const { sonda, escritorio } = bancada;
  for (const arquivo of arquivos) bancada.anunciar(arquivo);
  const [first] = arquivos;
  if (!first) return [];
  const { nome, extension, bytes } = first;
  const answer = await sonda.pedir('/storage', {
    token: escritorio.token,
    json: { size: bytes.length, extension: '.zip' },
  });
  const { id, url } = answer.body;
  const sent = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, at) => {
      const arquivo = arquivos[at % arquivos.length] ?? first;
      const { status } = await sonda.pedir(url, { bytes: arquivo.bytes });
      return { arquivo, status };
    }),
  );
  const winners = new Set(sent.filter(({ status }) => status === 200).map(({ arquivo }) => arquivo));
  for (const winner of winners) bancada.diario.anotar({ fato: 'ticket', id, arquivo: winner.nome });
  if (winners.size > 1) {
    const trecho = `dois conteúdos aceitos em ${nome} (${extension})`;
    bancada.diario.anotar({ fato: 'resposta_indevida', status: 200, onde: `PUT ${id}`, trecho });
  }
  if (winners.size > 0) {
    bancada.diario.anotar({ fato: 'aceito', id, em: Date.now() });
    bancada.aceito(id);
  }
  return sent.map(({ status }) => status);
}
