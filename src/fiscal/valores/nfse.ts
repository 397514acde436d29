/**
 * Amounts of an NFS-e: of the national layout by their places; of the cities' by the names that ABRASF gave them and most
 * others took over. What a city calls otherwise is not guessed at: it stays empty.
 * @fonte XSD NFSe 1.01 (infNFSe/valores, IBSCBS/totCIBS, infDPS/valores); ABRASF 2.04 (tcValoresDeclaracaoServico, tcValoresNfse)
 */
import { readDecimal } from '../nfse/valores.ts';
import { ufByCode } from '../uf.ts';
import { walk } from '../xml/tree.ts';
import { SEM_PRODUTO } from './cte.ts';
import { sumDecimals } from './decimal.ts';
import { type Lugar, parte, texto, valor } from './lugares.ts';
import {
  type ItemEscriturado,
  SEM_TOTAIS,
  SEM_TRIBUTOS,
  type TotaisDoDocumento,
  type Tributos,
  type ValoresDoDocumento,
} from './tipos.ts';

type Lidos = Omit<ValoresDoDocumento, 'protocolo' | 'autorizadoEm'>;

const SEM_INSCRICAO = { ie: null, uf: null };

/** 2 and 3: kept back by the tomador, or by the intermediary. @fonte XSD NFSe 1.01, TSTipoRetISSQN */
const RETIDO_NACIONAL = new Set(['2', '3']);

/** @param inf `infNFSe` */
export function valoresDaNfseNacional(inf: Lugar): Lidos {
  const doPrestador = parte(inf, 'DPS/infDPS/valores');
  const federais = parte(doPrestador, 'trib/tribFed/piscofins');
  const total = parte(inf, 'IBSCBS/totCIBS');
  const iss = valor(inf, 'valores/vISSQN');
  const retido = RETIDO_NACIONAL.has(texto(doPrestador, 'trib/tribMun/tpRetISSQN') ?? '');
  const ibs = parte(total, 'gIBS');
  const tributos: Tributos = {
    ...SEM_TRIBUTOS,
    baseIss: valor(inf, 'valores/vBC'),
    iss,
    basePis: valor(federais, 'vBCPisCofins'),
    pis: valor(federais, 'vPis'),
    baseCofins: valor(federais, 'vBCPisCofins'),
    cofins: valor(federais, 'vCofins'),
    baseIbsCbs: valor(inf, 'IBSCBS/valores/vBC'),
    ibs:
      valor(ibs, 'vIBSTot') ?? sumDecimals(valor(ibs, 'gIBSUFTot/vIBSUF'), valor(ibs, 'gIBSMunTot/vIBSMun')),
    cbs: valor(total, 'gCBS/vCBS'),
  };
  const servico = valor(doPrestador, 'vServPrest/vServ');
  const codigo = texto(inf, 'DPS/infDPS/serv/cServ/cTribNac');
  return lidos({
    tributos,
    servico,
    desconto: valor(doPrestador, 'vDescCondIncond/vDescIncond'),
    issRetido: retido ? iss : null,
    codigo,
    descricao: texto(inf, 'DPS/infDPS/serv/cServ/xDescServ') ?? texto(inf, 'xTribNac'),
    natureza: texto(inf, 'xTribNac'),
    ufs: {
      emitente: texto(inf, 'emit/enderNac/UF'),
      destinatario: ufDoMunicipio(texto(inf, 'DPS/infDPS/toma/end/endNac/cMun')),
    },
  });
}

const ufDoMunicipio = (codigo: string | null) =>
  codigo === null ? null : (ufByCode(codigo.slice(0, 2))?.sigla ?? null);

/** Names in small letters, the first that is found. @fonte ABRASF 2.04; NFS-e de São Paulo, leiaute 2.1 */
const NOMES = {
  servico: ['valorservicos', 'valor_servicos', 'vserv'],
  desconto: ['descontoincondicionado'],
  baseIss: ['basecalculo', 'valorbasecalculo', 'base_calculo'],
  iss: ['valoriss', 'valor_iss', 'visqn', 'vissqn'],
  issRetido: ['valorissretido', 'valor_iss_retido'],
  retido: ['issretido', 'iss_retido'],
  pis: ['valorpis', 'valor_pis'],
  cofins: ['valorcofins', 'valor_cofins'],
  codigo: ['itemlistaservico', 'codigoservico'],
  descricao: ['discriminacao'],
} as const;

/** Yes, in the words of cities. @fonte ABRASF 2.04, tsSimNao: 1 Sim, 2 Não */
const SIM = new Set(['1', 'true', 'sim', 's']);

/** @param nota the element that is the note: everything in it is looked through once */
export function valoresDaNfseMunicipal(nota: Lugar): Lidos {
  const textos = textosPorNome(nota);
  const ler = (campo: keyof typeof NOMES) => {
    const ditos = NOMES[campo].map((nome) => textos.get(nome)).find((each) => each !== undefined);
    // Several services, each with its own: none of them is the note's.
    return ditos?.size === 1 ? ([...ditos][0] ?? null) : null;
  };
  const decimal = (campo: keyof typeof NOMES) => readDecimal(ler(campo));
  const iss = decimal('iss');
  const retido = SIM.has((ler('retido') ?? '').toLowerCase());
  return lidos({
    tributos: {
      ...SEM_TRIBUTOS,
      baseIss: decimal('baseIss'),
      iss,
      pis: decimal('pis'),
      cofins: decimal('cofins'),
    },
    servico: decimal('servico'),
    desconto: decimal('desconto'),
    issRetido: decimal('issRetido') ?? (retido ? iss : null),
    codigo: ler('codigo'),
    descricao: ler('descricao'),
    natureza: null,
    ufs: { emitente: null, destinatario: null },
  });
}

/** What stands in elements of each name (in small letters). What the city worked out stands above what was declared. */
function textosPorNome({ tree, em }: Lugar): ReadonlyMap<string, ReadonlySet<string>> {
  const textos = new Map<string, Set<string>>();
  const calculados = new Set<string>();
  for (const element of em ? walk(em) : []) {
    const nome = element.localName.toLowerCase();
    const text = element.children.length > 0 ? '' : tree.text(element).trim();
    if (text === '' || calculados.has(nome)) continue;
    if (element.parent?.localName === 'ValoresNfse') {
      calculados.add(nome);
      textos.set(nome, new Set([text]));
    } else textos.set(nome, (textos.get(nome) ?? new Set()).add(text));
  }
  return textos;
}

function lidos(input: {
  tributos: Tributos;
  servico: string | null;
  desconto: string | null;
  issRetido: string | null;
  codigo: string | null;
  descricao: string | null;
  natureza: string | null;
  ufs: { emitente: string | null; destinatario: string | null };
}): Lidos {
  const { tributos, servico, desconto, issRetido, codigo, descricao, natureza, ufs } = input;
  const totais: TotaisDoDocumento = { ...SEM_TOTAIS, ...tributos, produtos: servico, desconto, issRetido };
  const item: ItemEscriturado = {
    numero: 1,
    ...SEM_PRODUTO,
    codigo,
    descricao,
    cfop: null,
    valor: servico,
    desconto,
    ...tributos,
  };
  return {
    natureza,
    cfops: [],
    emitente: { ...SEM_INSCRICAO, uf: ufs.emitente },
    destinatario: { ...SEM_INSCRICAO, uf: ufs.destinatario },
    totais,
    itens: servico === null ? [] : [item],
  };
}
