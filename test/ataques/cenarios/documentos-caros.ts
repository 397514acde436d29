/** Documents that cost far more time than others of their size: each must be read in its time or be refused by name. */
import { generateNfse } from '../../../src/gerador/nfse.ts';
import { segundos } from '../../confiabilidade/cenario.ts';
import { type Achado, type Ataque, megabytes } from '../ataque.ts';
import type { Campo } from '../campo.ts';
import type { Entrada } from '../envios.ts';
import { trocar } from '../notas.ts';

/** Longest that is waited for one file. */
const IMPORTADO_EM_MS = 120_000;

/** Sends each by itself, one after the other. @returns ms from the acknowledgement to the final state, by name */
async function cronometrar(campo: Campo, entradas: readonly Entrada[]): Promise<Map<string, number | null>> {
  const times = new Map<string, number | null>();
  for (const entrada of entradas) {
    const aceito = await campo.envios.sendXml(entrada);
    times.set(entrada.nome, aceito && (await campo.envios.terminou(aceito, IMPORTADO_EM_MS)));
  }
  return times;
}

function relato(campo: Campo, times: Map<string, number | null>, feito: string): Achado {
  const told = [...times].map(([nome, ms]) => `${nome}: ${ms === null ? 'não terminou' : segundos(ms)}`);
  const late = [...times].filter(([, ms]) => ms === null || ms > campo.esperaMaxMs);
  return {
    feito,
    medido: told.join(', '),
    faltas: late.map(
      ([nome, ms]) => `${nome} ocupou a importação ${ms === null ? 'sem fim' : `por ${segundos(ms)}`}`,
    ),
  };
}

const C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
/** Of the outer signature: the one of the national system. */
const TRANSFORM = `<Transform Algorithm="${C14N}WithComments"/></Transforms>`;

export const prefixos: Ataque = {
  nome: 'prefixos',
  titulo: 'zip de notas com C14N exclusiva e um PrefixList muito longo',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async preparar(campo) {
    const [documentos, prefixes, elements] = [campo.quanto(24, 170), 12_000, 15_000];
    const { fornecedor, cliente } = campo.atacante;
    const list = Array.from({ length: prefixes }, (_, n) => `p${n.toString(36)}`).join(' ');
    const inclusive = `<InclusiveNamespaces xmlns="${C14N}" PrefixList="${list}"/></Transform></Transforms>`;
    const entradas = Array.from({ length: documentos }, (_, n) => {
      const numero = n + 1;
      const { xml } = generateNfse({
        semente: `prefixos/${n}`,
        prestador: fornecedor,
        tomador: cliente,
        numero,
        dps: { serie: 1, numero },
        emissao: new Date(),
      });
      const cheia = trocar(xml, '</infNFSe>', `${'<x/>'.repeat(elements)}</infNFSe>`);
      return {
        nome: `${n}.xml`,
        bytes: Buffer.from(trocar(cheia, TRANSFORM, TRANSFORM.replace('/></Transforms>', `>${inclusive}`))),
      };
    });
    return async () => {
      const aceito = await campo.envios.sendZip(entradas);
      const ms = aceito && (await campo.envios.terminou(aceito, IMPORTADO_EM_MS));
      const cada = megabytes(entradas[0]?.bytes.length ?? 0);
      return {
        feito: `${documentos} NFS-e de ${cada} com ${prefixes} prefixos num zip`,
        medido: ms === null ? 'não terminou a tempo' : `importado em ${segundos(ms)}`,
        faltas: ms === null ? [`o zip ocupou a importação por mais de ${segundos(IMPORTADO_EM_MS)}`] : [],
      };
    };
  },
};

const PEDACOS: Readonly<Record<string, string>> = {
  comentários: 'a<!--b-->',
  instruções: 'a<?b c?>',
  CDATA: 'a<![CDATA[b]]>',
  entidades: 'a&amp;',
  'referências numéricas': 'a&#98;',
};
const PEDACOS_BYTES = 4_000_000;

export const pedacos: Ataque = {
  nome: 'pedacos',
  titulo: 'textos partidos em comentários, instruções, CDATA e entidades',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async preparar(campo) {
    const entradas = Object.entries(PEDACOS).map(([nome, pedaco]): Entrada => {
      const { xml } = campo.atacante.proximaNota();
      const text = pedaco.repeat(PEDACOS_BYTES / pedaco.length);
      return { nome, bytes: Buffer.from(trocar(xml, '<natOp>', `<natOp>${text}`)) };
    });
    return async () =>
      relato(
        campo,
        await cronometrar(campo, entradas),
        `${entradas.length} notas com ${megabytes(PEDACOS_BYTES)} de texto em pedaços`,
      );
  },
};
