/** How well a version is proven, in words for people: as a whole, and each part of it apart. */

import { readFalhas, readProva } from '../../documentos/lean/prova-guardada.ts';
import { type LinhaComSignatario, signatarioDaVersao } from '../../documentos/lean/signatario-guardado.ts';
import { FALHA_POR_EXTENSO, NOME_DA_PROVA } from '../../documentos/store/palavras-da-prova.ts';
import { formatCpfCnpj } from '../../fiscal/cpf-cnpj.ts';
import { FALHA_DE_PROVA, type FalhaDeProva, type Prova } from '../../fiscal/tipos.ts';

interface ParteDaProva {
  nome: string;
  grau: 'certo' | 'aviso' | 'errado' | 'nada';
  texto: string;
}

export interface VereditoDaProva {
  resultado: Prova;
  /** In one sentence. */
  texto: string;
  detalhe: string | null;
  partes: ParteDaProva[];
}

const F = FALHA_DE_PROVA;

const TEXTOS: Readonly<Record<Prova, string>> = {
  sefaz: 'Provado: o próprio Malote o buscou na SEFAZ.',
  assinada: 'Provado: assinatura, titular, autoridade, validade e autorização conferem.',
  coerente: 'Coerente: nada o contradiz, mas falta como provar tudo.',
  declarada: 'Só declarado: nada prova que seja verdadeiro.',
};

interface Aspecto {
  nome: string;
  certo: string;
  /** The first that applies is told. */
  falhas: readonly (readonly [FalhaDeProva, ParteDaProva['grau']])[];
}

const ASPECTOS: readonly Aspecto[] = [
  {
    nome: 'Assinatura',
    certo: 'Confere com o conteúdo.',
    falhas: [
      [F.alterada, 'errado'],
      [F.linhaDeLista, 'nada'],
      [F.semAssinatura, 'nada'],
      [F.soResposta, 'nada'],
    ],
  },
  {
    nome: 'Titular',
    certo: 'Quem assinou é quem devia assinar.',
    falhas: [
      [F.titularDiverso, 'errado'],
      [F.autorSemPoder, 'errado'],
      [F.idDeOutraChave, 'errado'],
      [F.chaveDeOutroEmitente, 'errado'],
      [F.titularNaoInformado, 'aviso'],
      [F.assinadaPelaPrefeitura, 'aviso'],
    ],
  },
  {
    nome: 'Autoridade',
    certo: 'O certificado é de uma autoridade instalada no Malote.',
    falhas: [
      [F.cadeiaInvalida, 'errado'],
      [F.cadeiaDesconhecida, 'aviso'],
    ],
  },
  {
    nome: 'Validade',
    certo: 'O certificado valia na data do documento.',
    falhas: [[F.foraDaValidade, 'errado']],
  },
  {
    nome: 'Autorização',
    certo: 'A resposta da autoridade fiscal é deste conteúdo.',
    falhas: [
      [F.protocoloDeOutroConteudo, 'errado'],
      [F.respostaDeHomologacao, 'errado'],
      [F.protocoloIncompleto, 'aviso'],
      [F.semProtocolo, 'nada'],
      [F.municipal, 'nada'],
    ],
  },
];

type Linha = LinhaComSignatario & { prova: number | null; falhas: number | null };

/** @param linha a version; one that was kept before proofs were judged has no parts */
export function vereditoDaProva(linha: Linha): VereditoDaProva {
  const resultado = readProva(linha.prova);
  const signatario = signatarioDaVersao(linha);
  const detalhe = signatario?.titularDocumento
    ? `Certificado de ${formatCpfCnpj(signatario.titularDocumento)}.`
    : null;
  const partes = linha.falhas === null ? [] : partesDe(readFalhas(linha.falhas));
  return { resultado, texto: TEXTOS[resultado], detalhe, partes };
}

/** What depends on a signature that does not hold is not told: it says nothing. */
const DA_ASSINATURA: readonly string[] = ['Titular', 'Autoridade', 'Validade'];

function partesDe(falhas: readonly FalhaDeProva[]): ParteDaProva[] {
  const semAssinatura = falhas.includes(F.alterada) || falhas.includes(F.semAssinatura);
  return ASPECTOS.filter(({ nome }) => !(semAssinatura && DA_ASSINATURA.includes(nome))).map(
    ({ nome, certo, falhas: suas }) => {
      const [falha, grau] = suas.find(([uma]) => falhas.includes(uma)) ?? [];
      return falha && grau
        ? { nome, grau, texto: capitalize(FALHA_POR_EXTENSO[falha]) }
        : { nome, grau: 'certo', texto: certo };
    },
  );
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** The word of a proof for a list. */
export function nomeDaProva(guardada: number | null): string {
  return NOME_DA_PROVA[readProva(guardada)];
}
