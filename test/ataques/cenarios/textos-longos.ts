/** Single texts of megabytes: names of parties, paths of elements. What is told of a document beside it must be short. */
import type { Pedinte } from '../../support/console.ts';
import { type Ataque, megabytes } from '../ataque.ts';
import type { Campo } from '../campo.ts';
import type { Entrada } from '../envios.ts';
import { trocar } from '../notas.ts';

/** Any answer without the documents themselves: 500 rows of some KB each are more than any screen shows. */
const PAGINA_MAX = 4_000_000;

interface Resposta {
  onde: string;
  bytes: number;
  status: number;
}

async function doConsole(campo: Campo, quem: Pedinte, onde: string, path: string): Promise<Resposta> {
  return { onde, ...(await campo.doConsole(quem, path)) };
}

/** Says what each answer weighs, and which of them weighs too much. */
function pesar(answers: readonly Resposta[]): { medido: string; faltas: string[] } {
  return {
    medido: answers.map(({ onde, bytes }) => `${onde}: ${megabytes(bytes)}`).join(', '),
    faltas: answers.flatMap(({ onde, bytes, status }) => [
      ...(bytes > PAGINA_MAX ? [`${onde} tem ${megabytes(bytes)}`] : []),
      ...(status === 200 ? [] : [`${onde} responde ${status || 'nada'}`]),
    ]),
  };
}

async function daApi(campo: Campo, onde: string, path: string): Promise<Resposta> {
  const answer = await campo.envios.pedir(path);
  return { onde, bytes: answer?.bytes ?? 0, status: answer?.status ?? 0 };
}

/** A name as long as that: a few letters in no order, so that a zip around it would not be taken for a bomb. */
function nomeDe(bytes: number, n: number): string {
  const words = Array.from({ length: 1_000 }, (_, at) => ((at + 1) * (n + 7_919)).toString(36));
  return words
    .join(' ')
    .repeat(Math.ceil(bytes / words.join(' ').length))
    .slice(0, bytes)
    .trim();
}

export const nomesLongos: Ataque = {
  nome: 'nomes-longos',
  titulo: 'nomes de participantes com megabytes; o console e as páginas da API que os mostram',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async preparar(campo) {
    const { atacante, envios } = campo;
    const [notas, bytes] = [campo.quanto(10, 50), campo.quanto(1_000_000, 4_000_000)];
    const ask = await campo.pessoa(atacante);
    const entradas: Entrada[] = Array.from({ length: notas }, (_, n) => {
      const { xml } = atacante.proximaNota();
      const longo = trocar(xml, '<xNome>', `<xNome>${nomeDe(bytes, n)}`);
      return { nome: `${n}.xml`, bytes: Buffer.from(longo) };
    });
    return async () => {
      for (const entrada of entradas) {
        const aceito = await envios.sendXml(entrada);
        if (aceito) await envios.terminou(aceito, 60_000);
      }
      const feed = `/api/v1/${atacante.codigoCrm}/${atacante.cliente.id}`;
      const answers = [
        await doConsole(campo, ask, 'início', '/inicio'),
        await daApi(campo, 'novos', `${feed}/documentos/0/novos?Tamanho=500`),
        await daApi(campo, 'nfe', `${feed}/nfe?DataInicial=2020-01-01&Tamanho=500`),
        await doConsole(campo, ask, 'documentos', '/documentos?Tamanho=50'),
      ];
      return { feito: `${notas} notas com um nome de ${megabytes(bytes)} cada`, ...pesar(answers) };
    };
  },
};

/** As long as the name of an element may be about, and as deep as a document. */
const NOME = 960;
const NIVEIS = 97;

/** A document without its group, far below others: its path is all of their names. */
function profundo(n: number): string {
  const names = Array.from({ length: NIVEIS }, (_, nivel) => `n${n}x${nivel}`.padEnd(NOME, 'a'));
  const abre = names.map((name) => `<${name}>`).join('');
  const fecha = names.map((name) => `</${name}>`).reverse();
  return `${abre}<NFe xmlns="http://www.portalfiscal.inf.br/nfe"></NFe>${fecha.join('')}`;
}

export const caminhosLongos: Ataque = {
  nome: 'caminhos-longos',
  titulo: 'erros em elementos de caminho muito longo; as linhas que os contam',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async preparar(campo) {
    const documentos = campo.quanto(60, 330);
    const ask = await campo.pessoa(campo.atacante);
    const entradas = Array.from({ length: documentos }, (_, n) => ({
      nome: `${n}.xml`,
      bytes: Buffer.from(profundo(n)),
    }));
    return async () => {
      const aceito = await campo.envios.sendZip(entradas);
      if (!aceito) return { feito: 'o zip foi recusado', medido: '', faltas: [] };
      await campo.envios.terminou(aceito, 120_000);
      const answers = [
        await daApi(campo, '/itens', `/storage/arquivo/${aceito.id}/itens?Tamanho=500`),
        await doConsole(campo, ask, 'itens no console', `/importacoes/${aceito.id}/itens?Tamanho=500`),
        await doConsole(campo, ask, 'início', '/inicio'),
      ];
      return {
        feito: `${documentos} documentos com erro num elemento cujo caminho tem ${Math.round((NOME * NIVEIS) / 1000)} KB`,
        ...pesar(answers),
      };
    };
  },
};
