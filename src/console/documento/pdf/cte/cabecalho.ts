/** Head of a DACTE, on each of its pages, and the stub that is signed on delivery. @fonte MOC CT-e 4.00, Anexo II */
import type { DadosDoDacte, ParteDoCte } from '../../dacte-dados.ts';
import { chaveEmGrupos, cpfCnpj, fone, instante } from '../base/formatos.ts';
import { mm, type Papel } from '../base/papel.ts';

/** Where the number of the page goes. */
export interface LugarDaFolha {
  x: number;
  y: number;
  largura: number;
  altura: number;
}

export const nomeDaFolha = ({ modelo }: DadosDoDacte): string => (modelo === '67' ? 'DACTE OS' : 'DACTE');

/** @returns where the sheet itself begins */
export function canhoto(papel: Papel, dados: DadosDoDacte, topo: number): number {
  const declaro =
    dados.modelo === '67'
      ? 'Declaro que recebi os serviços deste conhecimento em perfeito estado, pelo que dou por cumprido o presente contrato de transporte'
      : 'Declaro que recebi os volumes deste conhecimento em perfeito estado, pelo que dou por cumprido o presente contrato de transporte';
  const { esquerda: x, largura } = papel;
  papel.moldura({ x, y: topo, largura, altura: 10 });
  papel.texto(
    declaro.toLocaleUpperCase('pt-BR'),
    { x, y: topo + 1, largura, altura: 8 },
    { tamanho: 5.5, alinha: 'center' },
  );
  const y = papel.fila(
    topo + 10,
    [
      { rotulo: 'Nome', valor: '', parte: 2.2 },
      { rotulo: 'RG', valor: '', parte: 1.2 },
      { rotulo: 'Assinatura / carimbo', valor: '', parte: 2.4 },
      { rotulo: 'Chegada: data e hora', valor: '', parte: 1.4 },
      { rotulo: 'Saída: data e hora', valor: '', parte: 1.4 },
      {
        rotulo: 'CT-e',
        valor: `Nº ${dados.numero} série ${dados.serie}`,
        parte: 1.6,
        negrito: true,
        alinha: 'center',
      },
    ],
    { altura: 24 },
  );
  papel.traco([x, y + 4], [x + largura, y + 4], true);
  return y + 8;
}

const ALTURA = 128;

/** @returns where the next block begins, and where the number of the page goes */
export function cabecalho(papel: Papel, dados: DadosDoDacte, y: number): { y: number; folha: LugarDaFolha } {
  const { esquerda: x, largura } = papel;
  const emitente = mm(66);
  // Layouts before 3.00 have no QR code.
  const qr = dados.qrCode ? mm(30) : 0;
  const meio = largura - emitente - qr;
  papel.moldura({ x, y, largura: emitente, altura: ALTURA });
  identificacao(papel, dados.emitente, { x, y, largura: emitente });
  if (dados.qrCode) {
    papel.moldura({ x: x + emitente + meio, y, largura: qr, altura: ALTURA });
    const lado = qr - 8;
    papel.qr(dados.qrCode, {
      x: x + emitente + meio + 4,
      y: y + (ALTURA - lado) / 2,
      largura: lado,
      altura: lado,
    });
  }
  return { y: y + ALTURA, folha: centro(papel, dados, { x: x + emitente, y, largura: meio }) };
}

type Onde = { x: number; y: number; largura: number };

function identificacao(papel: Papel, emitente: ParteDoCte, { x, y, largura }: Onde): void {
  const dentro = { x: x + 5, largura: largura - 10 };
  const nome = papel.texto(
    emitente.nome,
    { ...dentro, y: y + 10, altura: 40 },
    { tamanho: 11, minimo: 6, negrito: true, alinha: 'center', meio: true },
  );
  if (nome.cortado) papel.sobras.push({ rotulo: 'Nome do emitente', valor: emitente.nome });
  const linhas = [
    emitente.endereco,
    [emitente.cep, emitente.municipio, emitente.uf].filter(Boolean).join(' - '),
    `CNPJ ${cpfCnpj(emitente.cpfCnpj)}`,
    emitente.ie === '' ? '' : `IE ${emitente.ie}`,
    emitente.fone === '' ? '' : `Fone ${fone(emitente.fone)}`,
  ];
  for (const [at, linha] of linhas.entries())
    papel.texto(
      linha,
      { ...dentro, y: y + 54 + at * 14, altura: 13 },
      { tamanho: 8, minimo: 4.5, alinha: 'center' },
    );
}

function centro(papel: Papel, dados: DadosDoDacte, { x, y, largura }: Onde): LugarDaFolha {
  const titulo = largura * 0.66;
  const os = dados.modelo === '67';
  papel.moldura({ x, y, largura: titulo, altura: 28 });
  papel.texto(
    nomeDaFolha(dados),
    { x, y: y + 1, largura: titulo, altura: 13 },
    { tamanho: 12, negrito: true, alinha: 'center' },
  );
  papel.texto(
    `Documento Auxiliar do Conhecimento de Transporte Eletrônico${os ? ' para Outros Serviços' : ''}`,
    { x: x + 4, y: y + 14, largura: titulo - 8, altura: 12 },
    { tamanho: 6.5, minimo: 4.5, alinha: 'center' },
  );
  papel.caixa(
    { x: x + titulo, y, largura: largura - titulo, altura: 28 },
    { rotulo: 'Modal', valor: dados.modal, alinha: 'center', negrito: true },
  );
  let next = papel.fila(
    y + 28,
    [
      { rotulo: 'Modelo', valor: dados.modelo, parte: 0.7, alinha: 'center' },
      { rotulo: 'Série', valor: dados.serie, parte: 0.6, alinha: 'center' },
      { rotulo: 'Número', valor: dados.numero, parte: 1.2, alinha: 'center' },
      { rotulo: 'Folha', valor: '', parte: 0.7, alinha: 'center' },
      { rotulo: 'Data e hora de emissão', valor: instante(dados.emissao), parte: 2.1, alinha: 'center' },
    ],
    { x, largura },
  );
  const folha = { x: x + (largura * 2.5) / 5.3, y: y + 36, largura: (largura * 0.7) / 5.3, altura: 12 };
  papel.moldura({ x, y: next, largura, altura: 36 });
  if (/^[0-9A-Z]{44}$/.test(dados.chave))
    papel.barras(dados.chave, { x: x + 4, y: next + 4, largura: largura - 8, altura: 28 });
  next += 36;
  next = papel.fila(
    next,
    [
      {
        rotulo: 'Chave de acesso',
        valor: chaveEmGrupos(dados.chave),
        negrito: true,
        alinha: 'center',
        tamanho: 8.5,
      },
    ],
    { x, largura, altura: 22 },
  );
  papel.fila(
    next,
    [
      {
        rotulo: 'Protocolo de autorização de uso',
        valor: dados.protocolo || 'Sem protocolo de autorização',
        alinha: 'center',
        tamanho: 8.5,
      },
    ],
    { x, largura, altura: 22 },
  );
  return folha;
}
