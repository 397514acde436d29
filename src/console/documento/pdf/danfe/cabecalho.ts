/** Head of a DANFE, which each of its pages has; and the stub that is signed on delivery. @fonte MOC NF-e 7.0, Anexo II */
import {
  cep,
  chaveEmGrupos,
  cpfCnpj,
  dia,
  dinheiro,
  fone,
  instante,
  numeroDeNota,
} from '../base/formatos.ts';
import { mm, type Papel } from '../base/papel.ts';
import { contingenciaDe, dadosDaContingencia } from './contingencia.ts';
import { type Nota, temLeiauteRtc } from './nota.ts';

/** Where the number of the page goes: it is known when all of them are drawn. */
export interface LugarDaFolha {
  x: number;
  y: number;
  largura: number;
}

const CRT: Readonly<Record<string, string>> = {
  '1': 'Simples Nacional',
  '2': 'Simples Nacional, excesso de sublimite',
  '3': 'Regime Normal',
  '4': 'Simples Nacional, MEI',
};

/** The address of a party in the lines of a letter. */
export function enderecoDe(
  nota: Nota,
  parte: string,
  lugar: string,
): { rua: string; cidade: string; fone: string } {
  const em = (nome: string) => nota.de(parte, lugar, nome);
  const rua = [[em('xLgr'), em('nro')].filter(Boolean).join(', '), em('xCpl')].filter(Boolean).join(' - ');
  const cidade = [em('xMun'), em('UF')].filter(Boolean).join(' - ');
  return { rua, cidade, fone: fone(em('fone')) };
}

/** The stub. @returns where the sheet itself begins */
export function canhoto(papel: Papel, nota: Nota, y: number): number {
  const { esquerda: x, largura } = papel;
  const [altura, direita] = [36, mm(32)];
  const recibo = largura - direita;
  const dest = enderecoDe(nota, 'dest', 'enderDest');
  const texto =
    `RECEBEMOS DE ${nota.de('emit', 'xNome')} OS PRODUTOS E/OU SERVIÇOS CONSTANTES DA NOTA FISCAL ELETRÔNICA INDICADA AO LADO. ` +
    `EMISSÃO: ${dia(nota.emissao)}  VALOR TOTAL: R$ ${dinheiro(nota.de('total', 'ICMSTot', 'vNF'))}  ` +
    `DESTINATÁRIO: ${[nota.de('dest', 'xNome'), dest.rua, dest.cidade].filter(Boolean).join(' - ')}`;
  papel.moldura({ x, y, largura: recibo, altura: altura / 2 });
  papel.texto(
    texto,
    { x: x + 3, y: y + 2, largura: recibo - 6, altura: altura / 2 - 3 },
    { tamanho: 6.5, minimo: 4 },
  );
  papel.fila(
    y + altura / 2,
    [
      { rotulo: 'Data de recebimento', valor: '', parte: 1 },
      { rotulo: 'Identificação e assinatura do recebedor', valor: '', parte: 3 },
    ],
    { altura: altura / 2, largura: recibo },
  );
  const numero = { x: x + recibo, y, largura: direita, altura };
  papel.moldura(numero);
  const linhas = ['NF-e', `Nº ${numeroDeNota(nota.de('ide', 'nNF'))}`, `SÉRIE ${nota.de('ide', 'serie')}`];
  for (const [at, linha] of linhas.entries())
    papel.texto(
      linha,
      { ...numero, y: y + 2 + at * 11, altura: 11 },
      { tamanho: 10, negrito: true, alinha: 'center' },
    );
  const corte = y + altura + 4;
  papel.traco([x, corte], [x + largura, corte], true);
  return corte + 4;
}

const ALTURA = 92;

/** @returns where the next block begins, and where the number of the page goes */
export function cabecalho(papel: Papel, nota: Nota, y: number): { y: number; folha: LugarDaFolha } {
  const { esquerda: x, largura } = papel;
  const [meio, direita] = [mm(31), Math.min(mm(90), largura * 0.46)];
  const emitente = largura - meio - direita;
  emitenteEm(papel, nota, { x, y, largura: emitente, altura: ALTURA });
  const folha = identificacao(papel, nota, { x: x + emitente, y, largura: meio, altura: ALTURA });
  chave(papel, nota, { x: x + emitente + meio, y, largura: direita, altura: ALTURA });
  let next = papel.fila(y + ALTURA, [
    { rotulo: 'Natureza da operação', valor: nota.de('ide', 'natOp'), parte: largura - direita },
    { ...protocolo(nota), parte: direita, alinha: 'center' },
  ]);
  next = papel.fila(next, [
    { rotulo: 'Inscrição estadual', valor: nota.de('emit', 'IE') },
    { rotulo: 'Inscrição estadual do subst. tribut.', valor: nota.de('emit', 'IEST') },
    { rotulo: 'CNPJ / CPF', valor: cpfCnpj(nota.quem(nota.parte('emit'))) },
  ]);
  return { y: next, folha };
}

type Onde = { x: number; y: number; largura: number; altura: number };

function emitenteEm(papel: Papel, nota: Nota, onde: Onde): void {
  const { x, y, largura, altura } = onde;
  papel.moldura(onde);
  const dentro = { x: x + 4, largura: largura - 8 };
  papel.texto(
    'IDENTIFICAÇÃO DO EMITENTE',
    { ...dentro, y: y + 2, altura: 7 },
    { tamanho: 5.5, alinha: 'center' },
  );
  const nome = nota.de('emit', 'xNome');
  const escrito = papel.texto(
    nome,
    { ...dentro, y: y + 11, altura: 28 },
    { tamanho: 12, minimo: 6, negrito: true, alinha: 'center', meio: true },
  );
  if (escrito.cortado) papel.sobras.push({ rotulo: 'Nome do emitente', valor: nome });
  const em = (campo: string) => nota.de('emit', 'enderEmit', campo);
  const { rua, cidade, fone: telefone } = enderecoDe(nota, 'emit', 'enderEmit');
  const linhas = [
    rua,
    [em('xBairro'), em('CEP') && `CEP ${cep(em('CEP'))}`].filter(Boolean).join(' - '),
    [cidade, telefone && `Fone ${telefone}`].filter(Boolean).join(' - '),
    ...(temLeiauteRtc(nota) ? [crt(nota), 'Tipo de regime de apuração:'] : []),
  ];
  const altas = (altura - 42) / Math.max(linhas.length, 4);
  for (const [at, linha] of linhas.entries())
    papel.texto(
      linha,
      { ...dentro, y: y + 40 + at * altas, altura: altas },
      { tamanho: 8, minimo: 4.5, alinha: 'center' },
    );
}

function crt(nota: Nota): string {
  const codigo = nota.de('emit', 'CRT');
  return codigo === '' ? 'CRT:' : `CRT: ${[codigo, CRT[codigo]].filter(Boolean).join(' - ')}`;
}

function identificacao(papel: Papel, nota: Nota, onde: Onde): LugarDaFolha {
  const { x, y, largura } = onde;
  papel.moldura(onde);
  const linha = (texto: string, top: number, tamanho: number) =>
    papel.texto(
      texto,
      { x: x + 2, y: y + top, largura: largura - 4, altura: tamanho + 1 },
      { tamanho, minimo: 5, negrito: true, alinha: 'center' },
    );
  linha('DANFE', 2, 14);
  papel.texto(
    'Documento Auxiliar da Nota Fiscal Eletrônica',
    { x: x + 2, y: y + 18, largura: largura - 4, altura: 16 },
    { tamanho: 7, alinha: 'center' },
  );
  papel.texto('0 - ENTRADA', { x: x + 5, y: y + 38, largura: 50, altura: 8 }, { tamanho: 7 });
  papel.texto('1 - SAÍDA', { x: x + 5, y: y + 47, largura: 50, altura: 8 }, { tamanho: 7 });
  const tipo = { x: x + largura - 24, y: y + 38, largura: 17, altura: 17 };
  papel.moldura(tipo);
  papel.texto(nota.de('ide', 'tpNF'), tipo, { tamanho: 12, negrito: true, alinha: 'center', meio: true });
  linha(`Nº ${numeroDeNota(nota.de('ide', 'nNF'))}`, 58, 10);
  linha(`SÉRIE ${nota.de('ide', 'serie')}`, 69, 10);
  return { x: x + 2, y: y + 80, largura: largura - 4 };
}

function chave(papel: Papel, nota: Nota, { x, y, largura, altura }: Onde): void {
  const barras = { x: x + 2, y: y + 4, largura: largura - 4, altura: 30 };
  papel.moldura({ x, y, largura, altura });
  if (/^[0-9A-Z]{44}$/.test(nota.chave)) papel.barras(nota.chave, barras);
  papel.caixa(
    { x, y: y + 38, largura, altura: 20 },
    {
      rotulo: 'Chave de acesso',
      valor: chaveEmGrupos(nota.chave),
      negrito: true,
      alinha: 'center',
      tamanho: 9,
    },
  );
  const abaixo = { x: x + 3, y: y + 60, largura: largura - 6, altura: altura - 62 };
  const dados = dadosDaContingencia(nota);
  if (dados) papel.barras(dados, { ...abaixo, altura: abaixo.altura - 2 });
  else
    papel.texto(
      'Consulta de autenticidade no portal nacional da NF-e www.nfe.fazenda.gov.br/portal ou no site da Sefaz autorizadora',
      abaixo,
      { tamanho: 8, alinha: 'center', meio: true },
    );
}

/** What stands where the protocol of authorisation stands in most notes. */
function protocolo(nota: Nota): { rotulo: string; valor: string; negrito?: boolean } {
  const numero = nota.em(nota.prot, 'nProt');
  const dados = dadosDaContingencia(nota);
  if (numero === '' && dados) return { rotulo: 'Dados da NF-e', valor: chaveEmGrupos(dados) };
  const negada = ['301', '302', '303', '110', '205'].includes(nota.em(nota.prot, 'cStat'));
  return {
    rotulo: negada ? 'Protocolo de denegação de uso' : 'Protocolo de autorização de uso',
    valor:
      numero === ''
        ? (contingenciaDe(nota)?.semProtocolo ?? 'Sem protocolo de autorização')
        : `${numero} - ${instante(nota.em(nota.prot, 'dhRecbto'))}`,
  };
}
