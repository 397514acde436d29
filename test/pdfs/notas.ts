/** Documents to be drawn: those of the collection beside the project, where it is there, and generated ones of all kinds. */
import { existsSync } from 'node:fs';
import { lerConteudo } from '../../src/fiscal/ler.ts';
import { AMOSTRAS, PADRAO } from '../../src/fiscal/nfse/leiautes/amostras-de-teste.ts';
import type { Codificacao, Documento } from '../../src/fiscal/tipos.ts';
import { generateCenario } from '../../src/gerador/cenario.ts';
import { generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import { CORPUS, readAcervo } from '../acervo/amostras.ts';

export interface ParaDesenhar {
  nome: string;
  bytes: Uint8Array;
  codificacao: Codificacao;
  registro: Documento;
}

const SEM_ESQUEMA = {
  validar: () => ({ resultado: 'nao_verificado', esquema: null, motivo: null }) as const,
};

/** Documents of a file; events, and what is refused, are none. */
function documentosDe(nome: string, bytes: Uint8Array): ParaDesenhar[] {
  return lerConteudo({ bytes, nome }, { validador: SEM_ESQUEMA }).flatMap((peca) =>
    peca.resultado === 'lida' && peca.registro.classe === 'documento'
      ? [{ nome, bytes: peca.bytes, codificacao: peca.codificacao, registro: peca.registro }]
      : [],
  );
}

/** Real ones; none where the collection is not beside the project. */
export function doAcervo(): ParaDesenhar[] {
  return existsSync(CORPUS) ? readAcervo().flatMap(({ nome, bytes }) => documentosDe(nome, bytes)) : [];
}

/** The newest layout as the older ones wrote the same note. @fonte XSD nfe_v1.10, nfe_v2.00 */
function comoAntes(xml: string, versao: '1.10' | '2.00'): string {
  return xml
    .replaceAll(/versao="(?:3\.10|4\.00)"/g, `versao="${versao}"`)
    .replace(/<dhEmi>(\d{4}-\d{2}-\d{2})[^<]*<\/dhEmi>/, '<dEmi>$1</dEmi>')
    .replace(
      /<dhSaiEnt>(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})[^<]*<\/dhSaiEnt>/,
      versao === '2.00' ? '<dSaiEnt>$1</dSaiEnt><hSaiEnt>$2</hSaiEnt>' : '<dSaiEnt>$1</dSaiEnt>',
    )
    .replace(/<idDest>.*?<\/idDest>/, '')
    .replace(/<indFinal>.*?<\/indFinal><indPres>.*?<\/indPres>/, '')
    .replace(/<CRT>.*?<\/CRT>/, versao === '1.10' ? '' : '$&')
    .replace(/<pag>.*?<\/pag>/, '');
}

type Mudanca = (xml: string) => string;

/** What is done to a note of the model 55 in turns, so that all versions and sheets are there. */
const MUDANCAS: readonly Mudanca[] = [
  (xml) => xml,
  (xml) => comoAntes(xml, '2.00'),
  (xml) => comImpressao(xml, '2'),
  (xml) => comoAntes(xml, '1.10'),
  (xml) => xml.replace(/(<dhEmi>)\d{4}-\d{2}-\d{2}/, '$12026-12-01'),
  (xml) => comImpressao(xml, '3'),
  (xml) => comImpressao(xml.replace(/(<dhEmi>)\d{4}-\d{2}-\d{2}/, '$12027-01-15'), '2'),
  (xml) => comImpressao(xml, '6'),
];

const comImpressao = (xml: string, tpImp: string) =>
  xml.replace(/<tpImp>.<\/tpImp>/, `<tpImp>${tpImp}</tpImp>`);

/** A month of an office, documents of the other families, one of each municipal layout, and some that are large. */
export function* geradas(semente: string, quantas: number): Generator<ParaDesenhar> {
  for (const um of grandes(semente)) yield um;
  for (const amostra of AMOSTRAS.slice(0, Math.ceil(quantas / 10)))
    yield* documentosDe(`${amostra.leiaute}.xml`, Buffer.from(amostra.xml(PADRAO)));
  const cenario = generateCenario({
    semente,
    clientes: 4,
    documentos: quantas,
    inicio: '2026-03-01',
    meses: 1,
    outras: Math.ceil(quantas / 2),
    denegadas: 2,
    pendentes: 2,
  });
  let nfe = 0;
  for (const item of cenario.documentos) {
    const muda = item.tipo === 'NFe' ? MUDANCAS[nfe++ % MUDANCAS.length] : undefined;
    const bytes = muda ? Buffer.from(muda(Buffer.from(item.bytes).toString())) : item.bytes;
    yield* documentosDe(item.nome, bytes);
  }
}

function grandes(semente: string): ParaDesenhar[] {
  const empresa = (nome: string, uf: string, alfanumerico = false) =>
    generateEmpresa(`${semente}-${nome}`, { perfil: 'industria', uf, alfanumerico });
  return ['1', '2'].flatMap((tpImp) => {
    const { xml } = generateNfe({
      semente: `${semente}-${tpImp}`,
      emitente: empresa('grande', 'SP', true),
      destinatario: empresa('outra', 'MG'),
      modelo: '55',
      serie: 1,
      numero: 300,
      emissao: new Date(Date.UTC(2026, 11, 2, 15)),
      itens: 300,
    });
    return documentosDe('grande.xml', Buffer.from(comImpressao(xml, tpImp)));
  });
}
