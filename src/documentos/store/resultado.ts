/** Puts what became of a piece into words: `resultado` of its item (docs/regras.md, uploads). */

import { formatCpfCnpj } from '../../fiscal/cpf-cnpj.ts';
import type { Papel } from '../../fiscal/tipos.ts';
import { FALHA_DE_PROVA, type FalhaDeProva } from '../../fiscal/tipos.ts';
import {
  type PecaGravada,
  type PecaLida,
  RESULTADO,
  type RegistroSemItens,
  type Resultado,
} from '../tipos.ts';
import type { Fraqueza } from './aplicar-eventos.ts';
import { VERSOES_MAX } from './candidatos.ts';
import type { DecisaoDaPeca } from './decidir.ts';
import type { Gemeas } from './gemeas.ts';
import { participantesDe } from './identidade.ts';
import { falhasPorExtenso } from './palavras-da-prova.ts';

export interface Contexto {
  homologacao: boolean;
  /** Documents that at least one client sees. */
  visiveis: ReadonlySet<number>;
  /** Keys of lists and summaries whose document is there already. */
  esperados: ReadonlySet<string>;
  /** Events that are proven less than what they speak of. */
  fracos: ReadonlyMap<number, Fraqueza>;
  /** New events that were set aside with what a person had set aside. */
  afastados: ReadonlySet<number>;
  /** Forms of an NFS-e that was cancelled in one of them (`gemeas.ts`). */
  gemeas: Gemeas;
}

interface Desfecho {
  resultado: Resultado;
  codigo: string | null;
  mensagem: string | null;
}

const SEM_LUGAR = { linha: null, coluna: null, elemento: null };

/** What is told of a piece once it is stored, or was found to be nothing to store. */
export function gravada(
  input: { peca: PecaLida; decisao: DecisaoDaPeca | null; documentoId: number | null; primeira: boolean },
  contexto: Contexto,
): PecaGravada {
  const { peca, documentoId, primeira } = input;
  const base = { caminho: peca.caminho, especie: peca.especie, documentoId, primeira };
  switch (peca.kind) {
    case 'registro': {
      const { registro, conteudo } = peca;
      const contado = comOQueFalta(
        registro,
        doRegistro({ peca, decisao: input.decisao, documentoId }, contexto),
      );
      const desfecho = comAGemea(contado, documentoId, contexto);
      return { ...base, ...SEM_LUGAR, ...desfecho, sha256: conteudo.sha256, chave: registro.chave };
    }
    case 'esperado':
      return { ...base, ...SEM_LUGAR, ...daChave(peca, contexto), sha256: null, chave: peca.chave };
    case 'rejeitado': {
      const { codigo, mensagem, linha, coluna, elemento } = peca.rejeicao;
      return {
        ...base,
        sha256: peca.sha256,
        chave: peca.chave,
        resultado: RESULTADO.rejeitado,
        codigo,
        mensagem,
        linha,
        coluna,
        elemento,
      };
    }
    case 'ignorado':
      return {
        ...base,
        ...SEM_LUGAR,
        sha256: peca.sha256,
        chave: null,
        resultado: RESULTADO.ignorado,
        codigo: peca.codigo,
        mensagem: peca.mensagem,
      };
  }
}

function daChave({ chave, mensagem }: Extract<PecaLida, { kind: 'esperado' }>, contexto: Contexto): Desfecho {
  return contexto.esperados.has(chave)
    ? {
        resultado: RESULTADO.duplicado,
        codigo: 'documento_ja_importado',
        mensagem: ['O documento desta chave já está no Malote.', mensagem ?? ''].join(' ').trim(),
      }
    : {
        resultado: RESULTADO.esperado,
        codigo: null,
        mensagem: mensagem
          ? `${mensagem} A nota consta como faltante até o XML chegar.`
          : 'Chave anotada: consta como faltante até o XML chegar.',
      };
}

type PecaComRegistro = Extract<PecaLida, { kind: 'registro' }>;

function doRegistro(
  input: { peca: PecaComRegistro; decisao: DecisaoDaPeca | null; documentoId: number | null },
  contexto: Contexto,
): Desfecho {
  const { peca, decisao, documentoId } = input;
  const { registro } = peca;
  if (decisao?.kind === 'demais') return demais(registro, documentoId);
  if (decisao?.kind === 'conflito' || decisao?.kind === 'conflito_conhecido') {
    return conflito(peca, decisao.kind === 'conflito' && decisao.serve);
  }
  if (registro.ambiente === 2 && !contexto.homologacao) {
    return {
      resultado: RESULTADO.homologacao,
      codigo: 'documento_de_homologacao',
      mensagem:
        'Documento emitido em homologação (tpAmb 2), sem valor fiscal: fica guardado à parte e não entra nas listas.',
    };
  }
  if (documentoId === null || !contexto.visiveis.has(documentoId)) return semCliente(registro);
  switch (decisao?.kind) {
    case 'duplicado':
      return { resultado: RESULTADO.duplicado, codigo: null, mensagem: 'Já estava no Malote.' };
    case 'guardado':
      return {
        resultado: RESULTADO.duplicado,
        codigo: null,
        mensagem: registro.classe === 'documento' && registro.deLista ? JA_HA_A_NOTA : JA_PROVADO,
      };
    case 'atualizado':
      return atualizado(peca, decisao.serve);
    default:
      return {
        resultado: registro.classe === 'evento' ? RESULTADO.evento : RESULTADO.novo,
        ...(contexto.afastados.has(documentoId)
          ? JA_DESCONSIDERADO
          : avisoDeProva(peca, contexto.fracos.get(documentoId) ?? null)),
      };
  }
}

const JA_PROVADO =
  'O mesmo documento já está no Malote com prova mais forte, e continua a ser o entregue; esta forma dele fica guardada como outra versão.';

const JA_HA_A_NOTA =
  'A nota desta linha já está no Malote e continua a ser a entregue; a linha fica guardada como outra versão.';

function atualizado({ registro }: PecaComRegistro, serve: boolean): Desfecho {
  if (serve) {
    return {
      resultado: RESULTADO.atualizado,
      codigo: null,
      mensagem: 'Esta versão substituiu a que estava guardada e recebeu novo NSU.',
    };
  }
  const [status, deLista] =
    registro.classe === 'documento' ? [registro.statusProtocolo, registro.deLista === true] : ['', false];
  const comoProvar = registro.modelo === 'NFSe' ? QUE_PROVA_NA_CIDADE : QUE_PROVA[status];
  return {
    resultado: RESULTADO.atualizado,
    codigo: 'status_sem_prova',
    mensagem:
      `O documento passa a constar como ${status}, marcado como só declarado: ${deLista ? 'a linha da lista' : 'a resposta'} que diz isso não é assinada por ` +
      `ninguém. O XML entregue não mudou. Para provar, ${comoProvar ?? 'envie o XML com o protocolo de autorização'}; ` +
      'se não for verdade, desconsidere-a na página do documento.',
  };
}

const CANCELADA_SEM_PROVA =
  'O documento consta como Cancelada, marcado como só declarado: a resposta que diz isso não é assinada por ninguém. ' +
  'Para provar, envie o XML do evento de cancelamento, assinado por quem emitiu.';

const QUE_PROVA: Readonly<Record<string, string>> = {
  Cancelada: 'envie o XML do evento de cancelamento (procEventoNFe), assinado por quem emitiu',
};

const QUE_PROVA_NA_CIDADE = 'exporte de novo o XML da nota no site da prefeitura e envie-o';

/** What makes one doubt a document by itself; that something is only missing is told on its page. */
const GRAVES: readonly FalhaDeProva[] = [
  FALHA_DE_PROVA.alterada,
  FALHA_DE_PROVA.titularDiverso,
  FALHA_DE_PROVA.cadeiaInvalida,
  FALHA_DE_PROVA.foraDaValidade,
  FALHA_DE_PROVA.protocoloDeOutroConteudo,
  FALHA_DE_PROVA.idDeOutraChave,
  FALHA_DE_PROVA.autorSemPoder,
  FALHA_DE_PROVA.chaveDeOutroEmitente,
  FALHA_DE_PROVA.respostaDeHomologacao,
];

const DE_OUTRA_NOTA = 'o protocolo que ele cita é de outra nota, ou a sua data é anterior à dela';

const JA_DESCONSIDERADO = {
  codigo: 'evento_sem_prova',
  mensagem:
    'O escritório já desconsiderou um cancelamento desta nota que não está provado, e este não está mais: também fica desconsiderado, ' +
    'e nada muda até chegar prova mais forte. Se for verdadeiro, considere-o na página do documento.',
} as const;

const DE_QUEM_NAO_PODE = {
  codigo: 'evento_sem_prova',
  mensagem:
    'Quem escreveu este evento não é quem pode registrá-lo neste documento (o destinatário da NF-e, o tomador do CT-e, …): ele fica ' +
    'guardado, marcado como só declarado, e não muda nada.',
} as const;

/** Events that change nothing need no proof. */
function avisoDeProva(
  { registro, prova: { prova, falhas } }: PecaComRegistro,
  fraco: Fraqueza | null,
): Omit<Desfecho, 'resultado'> {
  if (fraco === 'de_quem_nao_pode') return DE_QUEM_NAO_PODE;
  if (registro.classe === 'evento' && registro.autorizados && (fraco || prova === 'declarada')) {
    return {
      codigo: 'evento_sem_prova',
      mensagem:
        `O evento não está provado como a nota de que fala (${falhasPorExtenso(falhas)}): quem ele autoriza não a recebe até chegar o ` +
        'evento assinado por quem pode autorizar.',
    };
  }
  const muda = registro.classe === 'evento' && registro.efeito !== 'nenhum';
  const graves = falhas.filter((falha) => GRAVES.includes(falha));
  const municipal = falhas.includes(FALHA_DE_PROVA.municipal);
  if (muda && (fraco || (prova === 'declarada' && graves.length === 0 && !municipal))) {
    return {
      codigo: 'evento_sem_prova',
      mensagem:
        `O evento não está provado como o documento de que fala (${falhasPorExtenso(falhas) || DE_OUTRA_NOTA}): ` +
        'o que ele muda fica marcado como só declarado até chegar prova mais forte. Se não for verdadeiro, desconsidere-o na página do documento.',
    };
  }
  if (municipal) return { codigo: null, mensagem: null };
  const cancelada = registro.classe === 'documento' && registro.statusProtocolo === 'Cancelada';
  if (graves.length === 0)
    return cancelada && registro.modelo !== 'NFSe' && prova !== 'sefaz'
      ? { codigo: 'status_sem_prova', mensagem: CANCELADA_SEM_PROVA }
      : { codigo: null, mensagem: null };
  return {
    codigo: 'sem_prova',
    mensagem: `Guardado, mas só declarado: ${falhasPorExtenso(graves)}. Confira com quem enviou antes de usar.`,
  };
}

/** What somebody has to look after, and that not all of the document was noted, is told beside what became of it. */
function comOQueFalta(registro: RegistroSemItens, desfecho: Desfecho): Desfecho {
  if (registro.classe !== 'documento') return desfecho;
  const { ressalva, anotadoEmParte } = registro;
  const notas = [ressalva, anotadoEmParte && { codigo: 'anotado_em_parte', mensagem: anotadoEmParte }];
  return notas.reduce<Desfecho>((com, nota) => (nota ? comNota(com, nota) : com), desfecho);
}

/** That the other form of the same NFS-e is here, and that one of them was cancelled. */
function comAGemea(desfecho: Desfecho, documentoId: number | null, { gemeas }: Contexto): Desfecho {
  const gemea = documentoId === null ? undefined : gemeas.get(documentoId);
  if (!gemea) return desfecho;
  const onde = gemea.chave.startsWith('NFSE-') ? 'no layout da prefeitura' : 'no layout nacional';
  const mensagem = gemea.canceladaNaOutra
    ? `A mesma NFS-e está no Malote ${onde} (${gemea.chave}) e foi cancelada lá: esta passa a constar como Cancelada, marcada como só declarada. Confira qual situação vale.`
    : `A mesma NFS-e está no Malote ${onde} (${gemea.chave}): o cancelamento desta consta nas duas.`;
  return comNota(desfecho, { codigo: 'mesma_nota_cancelada', mensagem });
}

function comNota(desfecho: Desfecho, nota: { codigo: string; mensagem: string }): Desfecho {
  return {
    resultado: desfecho.resultado,
    codigo: desfecho.codigo ?? nota.codigo,
    mensagem: [desfecho.mensagem ?? '', nota.mensagem].join(' ').trim(),
  };
}

function conflito({ registro, prova }: PecaComRegistro, serve: boolean): Desfecho {
  const outro = registro.classe === 'evento' ? 'outro evento' : 'outro documento';
  const graves = prova.falhas.filter((falha) => GRAVES.includes(falha));
  const motivo = graves.length > 0 ? ` Sobre este arquivo: ${falhasPorExtenso(graves)}.` : '';
  return {
    resultado: RESULTADO.conflito,
    codigo: 'chave_com_outro_conteudo',
    mensagem:
      `Já há ${outro} com a chave ${registro.chave} e conteúdo diferente. As duas versões ficam guardadas; ` +
      (serve
        ? 'esta, por ter a autorização ou a prova mais forte, passa a ser a entregue.'
        : `a de prova mais forte, ou a primeira autorizada, continua sendo a entregue.${motivo} Confira ${ondeConferir(registro)}.`),
  };
}

/** Nothing is stored of it but the file that it came in. @param documentoId null: of an event that was not known */
function demais(registro: RegistroSemItens, documentoId: number | null): Desfecho {
  const { chave } = registro;
  const soNoArquivo = 'não foi guardado entre os outros, e só está no arquivo enviado.';
  return documentoId === null
    ? {
        resultado: RESULTADO.rejeitado,
        codigo: 'eventos_demais',
        mensagem: `Já há eventos demais da chave ${chave}: este ${soNoArquivo} Confira de onde vêm; o evento com a assinatura de quem o registrou ainda é aceito.`,
      }
    : {
        resultado: RESULTADO.rejeitado,
        codigo: 'versoes_demais',
        mensagem: `Já há ${VERSOES_MAX} conteúdos diferentes com a chave ${chave}: este ${soNoArquivo} Confira ${ondeConferir(registro)}.`,
      };
}

/** Keys of NFS-e are composed, or national ones of 50 positions; a SEFAZ knows nothing of them. */
function ondeConferir({ chave }: RegistroSemItens): string {
  if (chave.startsWith('NFSE-')) return 'no site da prefeitura qual delas vale';
  return chave.length === 50 ? 'no portal nacional da NFS-e qual delas vale' : 'qual delas a SEFAZ autorizou';
}

/** As people write them; those that are not here have no accent. */
const PAPEL_POR_EXTENSO: Partial<Record<Papel, string>> = {
  destinatario: 'destinatário',
  intermediario: 'intermediário',
  retirada: 'local de retirada',
  entrega: 'local de entrega',
};

function semCliente(registro: RegistroSemItens): Desfecho {
  const partes = participantesDe(registro)
    .slice(0, 4)
    .map((parte) => `${PAPEL_POR_EXTENSO[parte.papel] ?? parte.papel} ${formatCpfCnpj(parte.cpfCnpj)}`)
    .join(', ');
  return {
    resultado: RESULTADO.semCliente,
    codigo: 'cliente_nao_cadastrado',
    mensagem:
      `Nenhuma das empresas deste documento é cliente do escritório (${partes || 'sem partes identificadas'}). ` +
      'Ele fica guardado e entra na lista assim que uma delas for cadastrada.',
  };
}
