/**
 * The slip of a NFC-e, and of a NF-e that asks for the simplified sheet of type 2: the same divisions, I to IX.
 * @fonte Manual de Especificações Técnicas do DANFE NFC-e e QR Code 6.0; NT 2026.003 v1.00
 */
import { childrenNamed, type XmlElement } from '../../../../fiscal/xml/tree.ts';
import { descricaoDoCodigo } from '../../codigos.ts';
import {
  cep,
  chaveEmGrupos,
  cpfCnpj,
  dinheiro,
  instante,
  numeroDeNota,
  quantidade,
} from '../base/formatos.ts';
import { mm } from '../base/papel.ts';
import { Rolo } from '../base/rolo.ts';
import { contingenciaDe } from '../danfe/contingencia.ts';
import type { Nota } from '../danfe/nota.ts';
import { type ContextoDoPdf, marcasDe } from '../marcas.ts';

/** The least that is allowed, and as much as still leaves the slip short. */
const QR = mm(32);

/** Own fields of an issuer; a layout allows ten. */
const OBSERVACOES_MAX = 100;

interface Nomes {
  titulo: string;
  nota: string;
}

const NFCE: Nomes = { titulo: 'Documento Auxiliar da Nota Fiscal de Consumidor Eletrônica', nota: 'NFC-e' };
const TIPO_2: Nomes = { titulo: 'DANFE Simplificado Tipo 2', nota: 'NF-e' };

export function drawCupom(nota: Nota, contexto: ContextoDoPdf): Promise<Uint8Array> {
  const nomes = nota.de('ide', 'mod') === '55' ? TIPO_2 : NFCE;
  const rolo = new Rolo();
  emitente(rolo, nota, nomes);
  contingencia(rolo, nota);
  itens(rolo, nota);
  totais(rolo, nota);
  tributosNovos(rolo, nota);
  consulta(rolo, nota);
  consumidor(rolo, nota);
  identificacao(rolo, nota, nomes);
  contingencia(rolo, nota);
  mensagens(rolo, nota);
  return rolo.acabar({ titulo: `DANFE ${nomes.nota} ${nota.chave}`, marcas: marcasDe(contexto) });
}

function emitente(rolo: Rolo, nota: Nota, { titulo }: Nomes): void {
  const em = (campo: string) => nota.de('emit', 'enderEmit', campo);
  rolo.centro(nota.de('emit', 'xNome'), { tamanho: 9, negrito: true });
  const ie = nota.de('emit', 'IE');
  rolo.centro(
    [`CNPJ ${cpfCnpj(nota.quem(nota.parte('emit')))}`, ie && `IE ${ie}`].filter(Boolean).join('  '),
  );
  rolo.centro(enderecoEmLinha(em));
  rolo.espaco(2);
  rolo.centro(titulo, { negrito: true });
  if (nota.de('ide', 'tpAmb') === '2')
    rolo.centro('EMITIDA EM AMBIENTE DE HOMOLOGAÇÃO - SEM VALOR FISCAL', { negrito: true });
  rolo.traco();
}

function enderecoEmLinha(em: (campo: string) => string): string {
  return [
    [em('xLgr'), em('nro')].filter(Boolean).join(', '),
    em('xCpl'),
    em('xBairro'),
    [em('xMun'), em('UF')].filter(Boolean).join(' - '),
    em('CEP') && `CEP ${cep(em('CEP'))}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function contingencia(rolo: Rolo, nota: Nota): void {
  const achada = contingenciaDe(nota);
  if (!achada) return;
  rolo.centro('EMITIDA EM CONTINGÊNCIA', { tamanho: 9, negrito: true });
  if (!nota.prot) rolo.centro('Pendente de autorização', { negrito: true });
  rolo.traco();
}

function itens(rolo: Rolo, nota: Nota): void {
  rolo.par('Código  Descrição', '', { tamanho: 6.5, negrito: true });
  rolo.par('Qtde  UN  x  Vl unit.', 'Vl total', { tamanho: 6.5, negrito: true });
  for (const det of nota.itensMostrados) {
    const prod = (nome: string) => nota.em(det, 'prod', nome);
    rolo.texto([prod('cProd'), prod('xProd')].filter(Boolean).join('  '));
    rolo.par(
      `${quantidade(prod('qCom'))} ${prod('uCom')} x ${quantidade(prod('vUnCom'), 2)}`,
      dinheiro(prod('vProd')),
    );
  }
  rolo.texto(nota.haMaisItens, { negrito: true });
  rolo.traco();
}

function totais(rolo: Rolo, nota: Nota): void {
  const t = (nome: string) => nota.de('total', 'ICMSTot', nome);
  const servicos = nota.de('total', 'ISSQNtot', 'vServ');
  const linha = (rotulo: string, valor: string) => {
    if (/[1-9]/.test(valor)) rolo.par(rotulo, dinheiro(valor));
  };
  rolo.par('Qtde. total de itens', String(nota.itens.length));
  rolo.par('Valor total R$', dinheiro(t('vProd')));
  linha('Serviços R$', servicos);
  linha('Desconto R$', t('vDesc'));
  linha('Frete R$', t('vFrete'));
  linha('Seguro R$', t('vSeg'));
  linha('Outras despesas R$', t('vOutro'));
  rolo.par('Valor a pagar R$', dinheiro(t('vNF')), { tamanho: 9, negrito: true });
  rolo.espaco(2);
  rolo.par('FORMA DE PAGAMENTO', 'VALOR PAGO R$', { negrito: true });
  for (const pago of pagamentosDe(nota)) rolo.par(formaDe(nota, pago), dinheiro(nota.em(pago, 'vPag')));
  linha('Troco R$', nota.de('pag', 'vTroco'));
  rolo.traco();
}

/** Layout 3.10 has `pag` once for each form, 4.00 `detPag`. */
function pagamentosDe(nota: Nota): XmlElement[] {
  return childrenNamed(nota.inf, 'pag').flatMap((pag) => {
    const partes = childrenNamed(pag, 'detPag');
    return partes.length > 0 ? partes : [pag];
  });
}

function formaDe(nota: Nota, pago: XmlElement): string {
  const forma = nota.em(pago, 'tPag');
  return nota.em(pago, 'xPag') || (descricaoDoCodigo('tPag', forma, 'detPag') ?? `Forma ${forma}`);
}

/** @fonte NT 2026.003 v1.00, divisão III-A: left out of a note that has none of them */
function tributosNovos(rolo: Rolo, nota: Nota): void {
  const t = (...nomes: string[]) => nota.de('total', 'IBSCBSTot', ...nomes);
  const linhas = [
    ['Base de cálculo IBS/CBS R$', t('vBCIBSCBS')],
    ['Valor da CBS R$', t('gCBS', 'vCBS')],
    ['Valor do IBS UF R$', t('gIBS', 'gIBSUF', 'vIBSUF')],
    ['Valor do IBS município R$', t('gIBS', 'gIBSMun', 'vIBSMun')],
    ['Valor do IS R$', nota.de('total', 'ISTot', 'vIS')],
  ].filter(([, valor]) => valor !== '') as [string, string][];
  if (linhas.length === 0) return;
  for (const [rotulo, valor] of linhas) rolo.par(rotulo, dinheiro(valor));
  rolo.traco();
}

function suplemento(nota: Nota, nome: string): string {
  return nota.em(nota.inf.parent, 'infNFeSupl', nome);
}

function consulta(rolo: Rolo, nota: Nota): void {
  const site = suplemento(nota, 'urlChave');
  rolo.centro('Consulte pela chave de acesso em', { negrito: true });
  rolo.centro(site || 'portal da Secretaria da Fazenda do estado');
  rolo.centro(chaveEmGrupos(nota.chave), { tamanho: 7 });
  const qr = suplemento(nota, 'qrCode');
  if (qr !== '') rolo.qr(qr, QR);
  else rolo.centro('O XML desta nota não traz o QR Code.', { tamanho: 6.5 });
  rolo.traco();
}

function consumidor(rolo: Rolo, nota: Nota): void {
  const dest = nota.parte('dest');
  const quem = nota.quem(dest);
  if (quem === '') rolo.centro('CONSUMIDOR NÃO IDENTIFICADO', { negrito: true });
  else {
    const nome = nota.em(dest, 'CNPJ') ? 'CNPJ' : nota.em(dest, 'CPF') ? 'CPF' : 'ID estrangeiro';
    rolo.centro(`CONSUMIDOR - ${nome} ${cpfCnpj(quem)} ${nota.em(dest, 'xNome')}`, { negrito: true });
    rolo.centro(enderecoEmLinha((campo) => nota.em(dest, 'enderDest', campo)));
  }
  rolo.espaco(2);
}

function identificacao(rolo: Rolo, nota: Nota, { nota: nome }: Nomes): void {
  const numero = `${nome} nº ${numeroDeNota(nota.de('ide', 'nNF'))} Série ${nota.de('ide', 'serie').padStart(3, '0')}`;
  rolo.centro(`${numero} ${instante(nota.emissao)}`, { negrito: true });
  const protocolo = nota.em(nota.prot, 'nProt');
  if (protocolo === '') rolo.centro('Sem protocolo de autorização');
  else {
    rolo.centro(`Protocolo de autorização: ${protocolo}`);
    rolo.centro(`Data de autorização: ${instante(nota.em(nota.prot, 'dhRecbto'))}`);
  }
  rolo.traco();
}

function mensagens(rolo: Rolo, nota: Nota): void {
  const tributos = nota.de('total', 'ICMSTot', 'vTotTrib');
  if (tributos !== '')
    rolo.texto(`Tributos totais incidentes (Lei Federal 12.741/2012): R$ ${dinheiro(tributos)}`);
  for (const aoFisco of [nota.em(nota.prot, 'xMsg'), nota.de('infAdic', 'infAdFisco')])
    rolo.texto(aoFisco, { tamanho: 7 });
  rolo.texto(nota.de('infAdic', 'infCpl'), { tamanho: 7 });
  for (const uma of childrenNamed(nota.parte('infAdic'), 'obsCont').slice(0, OBSERVACOES_MAX))
    rolo.texto(`${uma.attributeValue('xCampo') ?? ''}: ${nota.em(uma, 'xTexto')}`, { tamanho: 7 });
}
