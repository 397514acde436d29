import { gerarCenario, type ItemDoCenario } from '../src/gerador/cenario.ts';
import type { Empresa } from '../src/gerador/empresas.ts';
import { zipDe } from '../src/gerador/zip.ts';

/** A file that the demonstration sends. */
export interface ArquivoDeDemonstracao {
  nome: string;
  extensao: '.xml' | '.zip';
  bytes: Uint8Array;
  documentos: number;
}

export interface MaterialDeDemonstracao {
  empresas: readonly Empresa[];
  arquivos: ArquivoDeDemonstracao[];
  totais: { nfe: number; nfce: number; eventos: number; inutilizacoes: number };
}

const SEMENTE = 'demonstracao';
const CLIENTES = 4;
const NOTAS = 260;
const DENEGADAS = 2;
const PENDENTES = 3;
/** More gaps than in real life, so that there is something to show. */
const LACUNAS = 0.04;
/** So many documents go up one by one, as an ERP sends them. */
const SOLTOS = 6;
const ZIPS = 4;

/**
 * Generates and signs the documents of one month and puts them into files: some .xml, the others in zips, one of
 * which also holds a damaged file and a note of a company that is no client.
 *
 * @param inicio first day of the month, `AAAA-MM-DD`
 */
export async function gerarMaterial(inicio: string): Promise<MaterialDeDemonstracao> {
  const cenario = gerarCenario({
    semente: SEMENTE,
    clientes: CLIENTES,
    documentos: NOTAS,
    inicio,
    meses: 1,
    denegadas: DENEGADAS,
    pendentes: PENDENTES,
    lacunas: LACUNAS,
  });
  const [...generated] = cenario.documentos;
  // The denied ones are years old and come first; at the end they do not head every list.
  const itens = [...generated.slice(DENEGADAS), ...generated.slice(0, DENEGADAS)];
  const { nfe, nfce, eventos, inutilizacoes } = cenario.esperado.totais;
  const arquivos = itens.slice(0, SOLTOS).map(asFile);
  const rest = itens.slice(SOLTOS);
  const size = Math.ceil(rest.length / ZIPS);
  for (let i = 0; i < ZIPS; i++) {
    const entries: { nome: string; bytes: Uint8Array }[] = rest.slice(i * size, (i + 1) * size);
    if (i === ZIPS - 1) entries.push(...troublesome(inicio, itens));
    arquivos.push({
      nome: `semana-${i + 1}.zip`,
      extensao: '.zip',
      bytes: await zipDe(entries),
      documentos: entries.length,
    });
  }
  return { empresas: cenario.empresas, arquivos, totais: { nfe, nfce, eventos, inutilizacoes } };
}

function asFile({ nome, bytes }: ItemDoCenario): ArquivoDeDemonstracao {
  return { nome: nome.slice(nome.lastIndexOf('/') + 1), extensao: '.xml', bytes, documentos: 1 };
}

/** What a month brings besides: a download that broke off, and a note that belongs to nobody here. */
function troublesome(inicio: string, itens: readonly ItemDoCenario[]): { nome: string; bytes: Uint8Array }[] {
  const whole = itens.at(-1)?.bytes ?? new Uint8Array();
  const [foreign] = gerarCenario({
    semente: `${SEMENTE}/alheia`,
    clientes: 1,
    documentos: 1,
    inicio,
    meses: 1,
    lacunas: 0,
  }).documentos;
  return [
    { nome: 'download-interrompido.xml', bytes: whole.subarray(0, Math.floor(whole.length * 0.6)) },
    ...(foreign ? [{ nome: 'empresa-nao-cadastrada.xml', bytes: foreign.bytes }] : []),
  ];
}
