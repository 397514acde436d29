/** Draws documents, reads the text of the PDF back and holds it against what was read of the XML by other code. */
import { spawnSync } from 'node:child_process';
import type { ContextoDoPdf } from '../../src/console/documento/pdf/marcas.ts';
import { drawDocumento } from '../../src/console/documento/pdf.ts';
import { textoDoPdf } from '../support/ler-pdf.ts';
import type { ParaDesenhar } from './notas.ts';

export interface Contagem {
  total: number;
  desenhados: number;
  marcas_erradas: number;
  textos_errados: number;
  paginas: number;
  por_segundo_e_nucleo: number;
  /** What is wrong, one line each. */
  faltas: string[];
}

const MARCAS = {
  Cancelada: 'CANCELADA',
  Denegada: 'DENEGADA',
  Pendente: 'SEM AUTORIZAÇÃO',
  homologacao: 'SEM VALOR FISCAL',
  naoProvado: 'STATUS NÃO PROVADO',
} as const;

/** What is known of a document when it is drawn: its own state, and in turns each that it might come to. */
const ESTADOS: readonly Partial<ContextoDoPdf>[] = [
  {},
  {},
  { status: 'Cancelada' },
  {},
  { status: 'Denegada' },
  { homologacao: true },
  { naoProvado: true },
  { status: 'Cancelada', homologacao: true, naoProvado: true },
];

function contextoDe({ registro }: ParaDesenhar, vez: number): ContextoDoPdf {
  return {
    especie: registro.especie,
    status: registro.statusProtocolo,
    homologacao: registro.ambiente === 2,
    naoProvado: false,
    titulo: registro.especie,
    chave: registro.chave,
    resumo: {
      numero: registro.numero,
      serie: registro.serie,
      emissao: registro.dataEmissao,
      valor: registro.valor,
      partes: registro.participantes.map(({ papel, nome, cpfCnpj }) => ({ rotulo: papel, nome, cpfCnpj })),
    },
    ...ESTADOS[vez % ESTADOS.length],
  };
}

function marcasEsperadas({ status, homologacao, naoProvado }: ContextoDoPdf): Set<string> {
  const esperadas = new Set<string>();
  if (status === 'Cancelada' || status === 'Denegada' || status === 'Pendente') esperadas.add(MARCAS[status]);
  if (homologacao) esperadas.add(MARCAS.homologacao);
  if (naoProvado && status !== 'Pendente') esperadas.add(MARCAS.naoProvado);
  return esperadas;
}

const semEspacos = (texto: string) => texto.replaceAll(/\s+/g, '');
const TEM_PDFTOTEXT = spawnSync('pdftotext', ['-v']).error === undefined;

/** Text of each page: as poppler reads it where it is on the machine, and as we do. */
function paginasDe(pdf: Uint8Array): string[] {
  if (!TEM_PDFTOTEXT) return textoDoPdf(pdf).split(/\n(?=\f)/);
  const { stdout, status } = spawnSync('pdftotext', ['-raw', '-enc', 'UTF-8', '-', '-'], {
    input: pdf,
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error('pdftotext could not read it');
  return stdout.toString().split('\f').slice(0, -1);
}

const REAIS = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** Decimal texts are formatted as such: no digit goes through a number. */
const reais = (valor: string) => REAIS.format(valor as `${number}`);

const PARTES = ['emitente', 'prestador', 'destinatario', 'tomador'];

/** What has to stand on the paper. */
function textosEsperados({ registro }: ParaDesenhar): string[] {
  const { chave, numero, valor, participantes } = registro;
  const nomes = participantes.flatMap(({ papel, nome }) => (nome && PARTES.includes(papel) ? [nome] : []));
  return [
    /^[0-9A-Z]{44,50}$/.test(chave) ? chave : numero,
    ...(valor !== null && /^\d+(\.\d{1,2})?$/.test(valor) ? [reais(valor)] : []),
    // What the fonts have no letters for is a question mark on paper.
    ...nomes.map((nome) => nome.replaceAll(/[\p{Cc}]+/gu, ' ').replaceAll(/[^\u0020-\u00ff]/gu, '?')),
  ];
}

export async function conferir(documentos: Iterable<ParaDesenhar>): Promise<Contagem> {
  const contagem = {
    total: 0,
    desenhados: 0,
    marcas_erradas: 0,
    textos_errados: 0,
    paginas: 0,
    faltas: [] as string[],
  };
  let microssegundos = 0;
  for (const documento of documentos) {
    const contexto = contextoDe(documento, contagem.total++);
    const nome = `${documento.nome} (${documento.registro.especie} ${documento.registro.layout ?? ''})`;
    const inicio = process.cpuUsage();
    const pdf = await drawDocumento({
      bytes: documento.bytes,
      codificacao: documento.codificacao,
      contexto,
    }).catch((error: Error) => error);
    const { user, system } = process.cpuUsage(inicio);
    microssegundos += user + system;
    if (pdf instanceof Error) {
      contagem.faltas.push(`${nome}: ${pdf.message}`);
      continue;
    }
    contagem.desenhados++;
    const paginas = paginasDe(pdf);
    contagem.paginas += paginas.length;
    const marcas = marcasErradas(paginas, { documento, contexto });
    if (marcas.length > 0) contagem.marcas_erradas++;
    const textos = textosQueFaltam(paginas, documento);
    if (textos.length > 0) contagem.textos_errados++;
    contagem.faltas.push(...[...marcas, ...textos].map((falta) => `${nome}: ${falta}`));
  }
  const porSegundo = (contagem.desenhados * 1e6) / Math.max(1, microssegundos);
  return { ...contagem, por_segundo_e_nucleo: Math.round(porSegundo * 10) / 10 };
}

function marcasErradas(
  paginas: readonly string[],
  { documento, contexto }: { documento: ParaDesenhar; contexto: ContextoDoPdf },
): string[] {
  const esperadas = marcasEsperadas(contexto);
  const noXml = semEspacos(Buffer.from(documento.bytes).toString()).toUpperCase();
  return Object.values(MARCAS).flatMap((marca) => {
    const curta = semEspacos(marca);
    const em = paginas.filter((pagina) => semEspacos(pagina).includes(curta)).length;
    if (esperadas.has(marca))
      return em === paginas.length ? [] : [`${marca} em ${em} de ${paginas.length} páginas`];
    // A note may itself speak of these words.
    return em === 0 || noXml.includes(curta) || fala(paginas, marca) ? [] : [`${marca} a mais`];
  });
}

/** Slips of test notes say so in their own text besides. */
function fala(paginas: readonly string[], marca: string): boolean {
  return marca === MARCAS.homologacao && paginas.join('').includes('AMBIENTE DE HOMOLOGAÇÃO');
}

function textosQueFaltam(paginas: readonly string[], documento: ParaDesenhar): string[] {
  const junto = semEspacos(paginas.join(''));
  return textosEsperados(documento).flatMap((texto) =>
    junto.includes(semEspacos(texto)) ? [] : [`falta ${JSON.stringify(texto)}`],
  );
}
