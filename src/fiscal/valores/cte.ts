/**
 * Totals of a CT-e, CT-e OS or CT-e Simplificado, and the service as its one item; a GTV-e has no amounts.
 * @fonte XSD cteTiposBasico_v4.00 (imp, TImp, TImpOS)
 */
import { grupo, type Lugar, parte, semRepetir, texto, valor } from './lugares.ts';
import { tributosDaReforma } from './nfe.ts';
import { type ItemEscriturado, SEM_TOTAIS, SEM_TRIBUTOS, type ValoresDoDocumento } from './tipos.ts';

/** @param inf `infCte` */
export function valoresDoCte(inf: Lugar): Omit<ValoresDoDocumento, 'protocolo' | 'autorizadoEm'> {
  const imp = parte(inf, 'imp');
  const icms = grupo(imp, 'ICMS');
  const federais = parte(imp, 'infTribFed');
  const { cstIbsCbs, classificacao, baseIbsCbs, ibs, cbs } = tributosDaReforma(parte(imp, 'IBSCBS'));
  const prestacao = valor(inf, 'vPrest/vTPrest', 'total/vTPrest');
  const tributos = {
    ...SEM_TRIBUTOS,
    // Of another state than where the transport begins, in a group with names of its own.
    baseIcms: valor(icms, 'vBC', 'vBCOutraUF'),
    icms: valor(icms, 'vICMS', 'vICMSOutraUF'),
    baseSt: valor(icms, 'vBCSTRet'),
    st: valor(icms, 'vICMSSTRet'),
    pis: valor(federais, 'vPIS'),
    cofins: valor(federais, 'vCOFINS'),
    baseIbsCbs,
    ibs,
    cbs,
  };
  const cfop = texto(inf, 'ide/CFOP');
  const item: ItemEscriturado = {
    numero: 1,
    ...SEM_PRODUTO,
    descricao: texto(inf, 'ide/natOp'),
    cfop,
    valor: prestacao,
    ...tributos,
    cstIcms: texto(icms, 'CST'),
    aliquotaIcms: valor(icms, 'pICMS', 'pICMSOutraUF'),
    cstIbsCbs,
    classificacao,
  };
  return {
    natureza: texto(inf, 'ide/natOp'),
    cfops: semRepetir([cfop]),
    emitente: { ie: texto(inf, 'emit/IE'), uf: texto(inf, 'emit/enderEmit/UF') },
    destinatario: { ie: texto(inf, 'dest/IE'), uf: texto(inf, 'dest/enderDest/UF') },
    totais: { ...SEM_TOTAIS, ...tributos, produtos: prestacao },
    itens: prestacao === null ? [] : [item],
  };
}

/** What a service has not. */
export const SEM_PRODUTO = {
  codigo: null,
  ncm: null,
  cest: null,
  unidade: null,
  quantidade: null,
  unitario: null,
  desconto: null,
  cstIcms: null,
  aliquotaIcms: null,
  cstIpi: null,
  cstPis: null,
  cstCofins: null,
  cstIbsCbs: null,
  classificacao: null,
} as const;
