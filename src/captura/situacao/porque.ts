/**
 * Why nothing came, or that all is well: of everything that can keep the documents of a client away, the one thing that
 * somebody would have to know first. Pure; every instant is of the wall clock, ms UTC.
 */

import type { Servico } from '../../banco/tabelas-captura.ts';
import { diasRestantes } from '../../contas/certificado/vigia.ts';
import { isDistribuicao } from '../servicos.ts';
import { type Causa, type Porque, porque } from './causas.ts';
import { fraseDe } from './frases.ts';
import { dia, diaEHora, hora, quantosDias } from './instantes.ts';
import type { Situacao } from './situacao.ts';

const DAY_MS = 86_400_000;
/** @fonte NT 2014.002 §3.11.3: without a call for more than 60 days no documents are put into the sequence any more */
const GERACAO_DIAS = 60;
/** Days without a successful call after which somebody is told, in time before that. */
export const AVISO_DIAS = 45;
export const ERROS_QUE_AVISAM = 3;
/** Days before the end of a certificate from which it is told. */
const VENCE_DIAS = 30;
/** Another program that was noticed longer ago is not told any more. */
const OUTRO_PROGRAMA_MS = 2 * DAY_MS;
/** A call that has been due for so long is one that nobody makes. */
const SEM_VEZ_MS = 3_600_000;
/** A sequence that is so much behind is told to be behind. */
const ATRASO_NSU = 50;

const NOME: Readonly<Record<Servico, string>> = {
  nfe: 'notas (NF-e)',
  cte: 'conhecimentos de transporte (CT-e)',
  nfse: 'notas de serviço (NFS-e)',
  nfce: 'notas ao consumidor (NFC-e)',
};
const FONTE: Readonly<Record<Servico, string>> = {
  nfe: 'a SEFAZ',
  cte: 'a SEFAZ',
  nfse: 'o ambiente nacional da NFS-e',
  nfce: 'a SEFAZ de São Paulo',
};

/** What a capture that begins today brings of the past. */
const COMECO: Readonly<Record<Servico, string>> = {
  nfe: 'Ela começa no dia em que é ligada: o que veio antes entra por importação.',
  cte: 'Ela começa no dia em que é ligada: o que veio antes entra por importação.',
  nfse: 'Vem tudo o que o ambiente nacional tiver deste cliente, também de antes.',
  nfce: 'Vêm as notas que o cliente emitiu em São Paulo nos últimos 30 dias, e as próximas.',
};

type Regra = (situacao: Situacao) => Porque | null;

/** In the order in which they matter: the first that holds is the reason, the others are told beside it. */
const REGRAS: readonly Regra[] = [
  naoLigada,
  ufSemServico,
  doCertificado,
  parada,
  passiva,
  bloqueada,
  semVez,
  comErros,
  geracaoParada,
  foraDoNacional,
  outroPrograma,
  certificadoVencendo,
  servicoDescansa,
  nuncaConsultada,
  atrasada,
  emSilencio,
];

/** Nothing to be done about it, and told all the same beside what is worse: it says when the next call is. */
const DITAS_SEMPRE: ReadonlySet<Causa> = new Set(['servico_descansa']);

/** The reason first, then whatever else somebody should know. Never empty: if nothing is wrong it says so. */
export function porQueNadaVeio(situacao: Situacao): [Porque, ...Porque[]] {
  if (!situacao.consentimento?.ligada) return [naoLigada(situacao) ?? emDia(situacao)];
  const [first, ...others] = REGRAS.flatMap((regra) => regra(situacao) ?? []);
  if (!first) return [emDia(situacao)];
  return [
    first,
    ...others.filter(({ causa, gravidade }) => gravidade !== 'espera' || DITAS_SEMPRE.has(causa)),
  ];
}

function naoLigada({ consentimento, servico }: Situacao): Porque | null {
  if (consentimento?.ligada) return null;
  const desde = consentimento ? ` Foi desligada em ${dia(consentimento.mudadaEm)}.` : '';
  return porque('nao_ligada', {
    titulo: 'Captura desligada',
    diz: `O escritório não ligou a captura de ${NOME[servico]} deste cliente.${desde} O Malote não pergunta por ele.`,
    fazer: `Se o cliente autorizou, ligue a captura. ${COMECO[servico]}`,
  });
}

function ufSemServico({ servico, uf }: Situacao): Porque | null {
  if (servico !== 'nfce' || uf === null || uf === 'SP') return null;
  return porque('uf_sem_servico', {
    titulo: 'Só existe em São Paulo',
    diz: `A entrega de NFC-e ao emitente só existe em São Paulo, e este cliente é de ${uf}.`,
    fazer: 'Importe as NFC-e do sistema que as emite.',
  });
}

function doCertificado(situacao: Situacao): Porque | null {
  const { certificado, agora, estado, servico } = situacao;
  const parou = (causa: Causa, titulo: string, diz: string, fazer: string): Porque =>
    porque(causa, { titulo, diz, fazer });
  if (certificado === null) {
    return parou(
      'sem_certificado',
      'Falta o certificado',
      `Não há certificado A1 deste cliente, e ${FONTE[servico]} só responde a quem se apresenta com um.`,
      'Envie o e-CNPJ ou e-CPF A1 do cliente na ficha dele; o da matriz serve para as filiais. A procuração eletrônica não substitui o certificado aqui.',
    );
  }
  if (certificado.validoAte < agora) {
    return parou(
      'certificado_vencido',
      `Certificado vencido há ${quantosDias(-diasRestantes(certificado.validoAte, agora))}`,
      `O certificado do cliente venceu em ${dia(certificado.validoAte)}; desde então nada pode ser buscado.${perda(situacao)}`,
      'Envie o certificado novo na ficha do cliente. A captura continua sozinha de onde parou.',
    );
  }
  if (certificado.validoDe > agora) {
    return parou(
      'certificado_futuro',
      'Certificado ainda não vale',
      `O certificado do cliente só vale a partir de ${dia(certificado.validoDe)}.`,
      'Espere essa data, ou envie um certificado que já valha. Se a data parece errada, confira o relógio do servidor do Malote.',
    );
  }
  if (!certificado.doCliente) {
    return parou(
      'certificado_de_outro',
      'Certificado de outra empresa',
      `O certificado guardado não é deste cliente, e ${FONTE[servico]} só entrega documentos ao certificado com a mesma raiz de CNPJ (ou o mesmo CPF).`,
      'Envie o certificado A1 do próprio cliente na ficha dele. A procuração eletrônica não substitui o certificado aqui.',
    );
  }
  const { parada: codigo = null, paradaCertificado = null } = estado ?? {};
  if (codigo === null || paradaCertificado !== certificado.impressao) return null;
  const frase = fraseDe({ servico, codigo, motivo: estado?.ultimoMotivo ?? null });
  return parou('certificado_recusado', 'Certificado recusado', `${frase.diz}${perda(situacao)}`, frase.fazer);
}

function parada({ estado, servico }: Situacao): Porque | null {
  if (!estado || estado.parada === null || estado.paradaCertificado !== null) return null;
  const frase = fraseDe({ servico, codigo: estado.parada, motivo: estado.ultimoMotivo });
  return porque(
    'parada',
    {
      titulo: 'Parada até alguém decidir',
      diz: frase.diz,
      fazer: `${frase.fazer} Resolvido isso, use "Capturar agora"; até lá o Malote não consulta.`,
    },
    { quem: frase.quem },
  );
}

function passiva({ consentimento, servico }: Situacao): Porque | null {
  if (!consentimento?.passiva) return null;
  return porque('passiva', {
    titulo: 'Modo passivo',
    diz: `Outro programa captura ${NOME[servico]} deste cliente, e o escritório pediu que o Malote não consulte. Só o que for importado ou enviado aparece aqui.`,
    fazer:
      'Nada a fazer enquanto o outro programa entregar os documentos. Se ele parou, volte a consultar pelo Malote.',
  });
}

function bloqueada({ estado, agora, servico }: Situacao): Porque | null {
  const ate = estado?.bloqueadaAte ?? null;
  if (!estado || ate === null || ate <= agora) return null;
  const outro = estado.outroProgramaEm !== null;
  return porque('bloqueada', {
    titulo: `Bloqueada até ${hora(ate, agora)}`,
    diz: `${maiuscula(FONTE[servico])} não responde a este CNPJ até ${hora(ate, agora)}, por consumo indevido${outro ? ': outro programa está consultando o mesmo CNPJ' : ''}. O Malote não consulta antes, porque isso reiniciaria o bloqueio.`,
    fazer:
      'Desligue a captura deste CNPJ no outro programa, ou ligue aqui o modo passivo e deixe que ele capture. Se for a primeira vez, nada a fazer: o Malote continua sozinho.',
  });
}

/** Of the SAE, which counts by address: what it has refused to one client keeps all the others waiting. */
function servicoDescansa({ descansoAte, agora, servico, estado }: Situacao): Porque | null {
  if (descansoAte === null || descansoAte <= agora || (estado?.bloqueadaAte ?? 0) > agora) return null;
  return porque('servico_descansa', {
    titulo: `O serviço descansa até ${hora(descansoAte, agora)}`,
    diz: `${maiuscula(FONTE[servico])} achou que vinham consultas demais deste servidor e recusou a de outro cliente. Como ela conta pelo endereço, o Malote não consulta nenhum antes das ${hora(descansoAte, agora)}, porque isso reiniciaria a espera.`,
    fazer:
      'Nada a fazer: a fila continua sozinha a essa hora, e nada se perde. Se acontecer todo dia, veja se outro programa na mesma rede busca NFC-e.',
  });
}

/** It could have been called long ago, and nobody has. */
function semVez({ estado, agora, servico, descansoAte }: Situacao): Porque | null {
  const desde = estado?.proximaEm ?? null;
  if (!estado || desde === null || estado.parada !== null || (descansoAte ?? 0) > agora) return null;
  const livreDesde = Math.max(desde, estado.bloqueadaAte ?? 0);
  if (agora - livreDesde < SEM_VEZ_MS) return null;
  return porque('sem_vez', {
    titulo: `Espera a vez desde ${hora(livreDesde, agora)}`,
    diz: `A consulta de ${NOME[servico]} deste cliente podia ter saído desde ${hora(livreDesde, agora)}, e nenhum processo do Malote a fez.`,
    fazer:
      'Se acontecer com todos os clientes, nenhum processo está capturando: veja se o servidor do Malote esteve desligado e se algum processo tem MALOTE_CAPTURA=1. Senão, há muitas consultas na fila e ela sai sozinha.',
  });
}

function comErros(situacao: Situacao): Porque | null {
  const { estado, servico, agora } = situacao;
  if (!estado || estado.errosSeguidos < 1 || estado.ultimaResposta === null) return null;
  const frase = fraseDe({ servico, codigo: estado.ultimaResposta, motivo: estado.ultimoMotivo });
  const muitos = estado.errosSeguidos >= ERROS_QUE_AVISAM;
  const proxima = proximaDe(situacao);
  const quando = proxima !== null && proxima > agora ? ` Próxima consulta: ${hora(proxima, agora)}.` : '';
  const vezes = estado.errosSeguidos === 1 ? '1 vez' : `${estado.errosSeguidos} vezes seguidas`;
  return porque(
    'com_erros',
    {
      titulo: muitos ? `${estado.errosSeguidos} falhas seguidas` : 'A última consulta falhou',
      diz: `${frase.diz} Aconteceu ${vezes}.`,
      fazer: `${frase.fazer}${quando}`,
    },
    {
      gravidade: muitos ? 'atencao' : 'espera',
      quem: frase.quem,
      acoes: frase.fazer.includes('certificado') && frase.quem === 'escritorio' ? ['certificado'] : [],
    },
  );
}

/** When the service is asked next: not while it rests, and not at all while it stands still for a person or a certificate. */
export function proximaDe({ estado, descansoAte }: Situacao): number | null {
  if (!estado || estado.parada !== null) return null;
  const proxima = estado.recuperaEm ?? estado.proximaEm;
  return proxima === null ? null : Math.max(proxima, descansoAte ?? 0);
}

function geracaoParada({ estado, agora, servico }: Situacao): Porque | null {
  if (!isDistribuicao(servico) || !estado?.ultimaOkEm) return null;
  const dias = Math.floor((agora - estado.ultimaOkEm) / DAY_MS);
  if (dias > GERACAO_DIAS) {
    return porque('geracao_parada', {
      titulo: 'A SEFAZ parou de guardar documentos',
      diz: `Faz ${dias} dias que nenhuma consulta deste CNPJ dá certo, e depois de ${GERACAO_DIAS} a SEFAZ deixa de separar documentos para ele. Ela recomeça na próxima consulta, sem os que ficaram no meio.`,
      fazer: `Resolva o que impede a consulta. Peça aos fornecedores, ou a quem tiver, os XML desde ${dia(estado.ultimaOkEm + GERACAO_DIAS * DAY_MS)} e importe-os.`,
    });
  }
  if (dias < AVISO_DIAS) return null;
  return porque('vai_parar', {
    titulo: `Faltam ${GERACAO_DIAS - dias} dias para a SEFAZ parar`,
    diz: `Faz ${dias} dias que nenhuma consulta deste CNPJ dá certo. Depois de ${GERACAO_DIAS} a SEFAZ deixa de separar documentos para ele, e esses não voltam.`,
    fazer: 'Resolva o que impede a consulta antes disso.',
  });
}

function foraDoNacional({ servico, municipio }: Situacao): Porque | null {
  if (servico !== 'nfse' || municipio === null || municipio.compartilha) return null;
  return porque('fora_do_nacional', {
    titulo: `${municipio.nome} não compartilha`,
    diz: `${municipio.nome} não está no ambiente nacional da NFS-e: as notas emitidas na cidade não chegam a ele. As de outras cidades chegam.`,
    fazer: 'Importe as notas do sistema da prefeitura. O Malote pergunta todo dia se a cidade entrou.',
  });
}

function outroPrograma({ estado, agora }: Situacao): Porque | null {
  const em = estado?.outroProgramaEm ?? null;
  if (em === null || agora - em > OUTRO_PROGRAMA_MS) return null;
  // The block says it already.
  if ((estado?.bloqueadaAte ?? 0) > agora) return null;
  return porque('outro_programa', {
    titulo: 'Outro programa consulta este CNPJ',
    diz: `Em ${diaEHora(em)} a SEFAZ respondeu com um número à frente do nosso: outro programa buscou documentos deste CNPJ. O Malote busca um a um os que faltaram.`,
    fazer: 'Deixe um só programa capturar: desligue o outro, ou ligue aqui o modo passivo.',
  });
}

function certificadoVencendo({ certificado, agora }: Situacao): Porque | null {
  if (certificado === null) return null;
  const dias = diasRestantes(certificado.validoAte, agora);
  if (dias > VENCE_DIAS || dias < 0) return null;
  return porque('certificado_vencendo', {
    titulo: dias === 0 ? 'O certificado vence hoje' : `O certificado vence em ${quantosDias(dias)}`,
    diz: `O certificado do cliente vale até ${dia(certificado.validoAte)}. Depois disso nada mais pode ser buscado.`,
    fazer: 'Renove-o e envie o novo na ficha do cliente antes dessa data.',
  });
}

function nuncaConsultada({ estado, servico }: Situacao): Porque | null {
  if (estado && estado.ultimaEm !== null) return null;
  return porque('nunca_consultada', {
    titulo: 'Aguarda a primeira consulta',
    diz: `A captura de ${NOME[servico]} está ligada e a primeira consulta ainda não foi feita.`,
    fazer: 'Nada a fazer: ela sai em alguns minutos.',
  });
}

function atrasada({ estado, servico }: Situacao): Porque | null {
  if (!estado || servico === 'nfce' || estado.maxNsu - estado.ultNsu < ATRASO_NSU) return null;
  const faltam = (estado.maxNsu - estado.ultNsu).toLocaleString('pt-BR');
  return porque('atrasada', {
    titulo: `Buscando: faltam ${faltam}`,
    diz: `${maiuscula(FONTE[servico])} tem mais ${faltam} documentos para este cliente, e o Malote os busca 50 por vez.`,
    fazer: 'Nada a fazer: continua sozinho.',
  });
}

function emSilencio({ silencio, estado, servico }: Situacao): Porque | null {
  if (silencio === null || !estado?.ultimaOkEm) return null;
  return porque('silencio', {
    titulo: `Nada há ${silencio.dias} dias`,
    diz: `As consultas dão certo, mas há ${silencio.dias} dias não vem nenhum documento; deste cliente costumam vir a cada ${silencio.habitoDias === 1 ? 'dia' : `${silencio.habitoDias} dias`}.`,
    fazer: `Pergunte ao cliente se ele parou de comprar ou vender. Se não parou, confira se os documentos dele saem com o CNPJ certo e se outro programa busca ${NOME[servico]} por ele.`,
  });
}

function emDia(situacao: Situacao): Porque {
  const { estado, servico } = situacao;
  const bem = (causa: Causa, titulo: string, diz: string, fazer: string): Porque =>
    porque(causa, { titulo, diz, fazer });
  if (estado && estado.documentos === 0) {
    return bem(
      'comecou',
      'Captura começou, nada veio ainda',
      `${maiuscula(FONTE[servico])} ${isDistribuicao(servico) ? `passou a separar os documentos deste cliente em ${dia(estado.primeiraEm ?? situacao.agora)}; nada do que é anterior vem por aqui` : 'ainda não entregou documento deste cliente'}.`,
      isDistribuicao(servico)
        ? 'Nada a fazer: os próximos chegam sozinhos, em geral algumas horas depois de autorizados. O passado entra por importação.'
        : 'Nada a fazer: o Malote pergunta de hora em hora.',
    );
  }
  if (estado?.ultimaVaziaEm && estado.ultimaVaziaEm === estado.ultimaOkEm) {
    return bem(
      'nada_novo',
      'Em dia, nada novo',
      `Na última consulta ${FONTE[servico]} não tinha documento novo. O último chegou em ${estado.ultimoDocumentoEm ? diaEHora(estado.ultimoDocumentoEm) : 'outra ocasião'}.`,
      'Nada a fazer: o Malote pergunta de hora em hora.',
    );
  }
  return bem(
    'em_dia',
    'Em dia',
    `O Malote buscou tudo o que ${FONTE[servico]} tinha para este cliente.`,
    'Nada a fazer.',
  );
}

/** What a pause of more than the service's 60 days has cost; empty where there was none. */
function perda({ servico, estado, agora }: Situacao): string {
  if (!isDistribuicao(servico) || !estado?.ultimaOkEm || agora - estado.ultimaOkEm <= GERACAO_DIAS * DAY_MS)
    return '';
  const de = dia(estado.ultimaOkEm + GERACAO_DIAS * DAY_MS);
  return ` A SEFAZ parou de separar documentos em ${de}, 60 dias depois da última consulta; os que vieram depois precisam ser importados.`;
}

function maiuscula(texto: string): string {
  return texto.charAt(0).toUpperCase() + texto.slice(1);
}
