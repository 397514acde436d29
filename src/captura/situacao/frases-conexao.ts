/** What it means that no answer of a service came. */
import { tabela } from '../../fiscal/tabela.ts';
import type { SemCertificado } from '../certificados.ts';
import type { CodigoDeFalha } from '../client/tipos.ts';
import type { Frase } from './frase.ts';

const SOZINHO = 'o Malote tenta de novo sozinho, e nenhum documento se perde';

/** @fonte RFC 8446 §6.2 (alerts); messages of OpenSSL 3 */
const FALHAS_DE_CONEXAO: Readonly<Record<CodigoDeFalha, Frase>> = {
  sem_conexao: {
    diz: 'O servidor do Malote não conseguiu se conectar ao serviço.',
    fazer: `Se acontecer com todos os clientes, verifique a internet e o firewall do servidor. Se for só agora, o serviço pode estar fora do ar: ${SOZINHO}.`,
    quem: 'operador',
  },
  prazo_de_conexao: {
    diz: 'O serviço não atendeu à conexão em 10 segundos.',
    fazer: `Nada a fazer por enquanto: ${SOZINHO}. Se durar mais de um dia e com todos os clientes, verifique o firewall do servidor.`,
    quem: 'ninguem',
  },
  prazo_de_resposta: {
    diz: 'O serviço recebeu a consulta e não respondeu em 60 segundos.',
    fazer: `Nada a fazer: ${SOZINHO}. A consulta conta como feita, para não passar do limite do serviço.`,
    quem: 'ninguem',
  },
  interrompida: {
    diz: 'A conexão com o serviço foi cortada antes da resposta.',
    fazer: `Nada a fazer por enquanto: ${SOZINHO}. Se for só deste cliente e durar mais de um dia, confira se o certificado dele não foi revogado.`,
    quem: 'ninguem',
  },
  certificado_nao_apresentado: {
    diz: 'O serviço encerrou a conexão porque não recebeu o certificado do cliente.',
    fazer:
      'Envie o certificado A1 do cliente de novo. Se acontecer com todos os clientes, um proxy ou antivírus abre as conexões no caminho: peça a quem cuida da rede que libere o endereço do serviço.',
    quem: 'escritorio',
  },
  certificado_recusado: {
    diz: 'O serviço recusou o certificado do cliente: ele venceu, foi revogado, ou é de uma autoridade que o serviço não conhece.',
    fazer: 'Confira a validade do certificado com quem o emitiu e envie um A1 válido na ficha do cliente.',
    quem: 'escritorio',
  },
  certificado_nao_abre: {
    diz: 'O certificado guardado deste cliente não pôde ser aberto.',
    fazer:
      'Envie o certificado A1 do cliente de novo. Se acontecer com vários, a chave mestra do Malote pode ter sido trocada: avise quem cuida do servidor.',
    quem: 'escritorio',
  },
  servidor_desconhecido: {
    diz: 'O servidor que respondeu não provou ser o serviço: o certificado dele não é de uma autoridade conhecida. Nada foi enviado.',
    fazer:
      'Se houver proxy ou antivírus que abre conexões, libere o endereço do serviço. Senão, o serviço trocou de autoridade: atualize o Malote ou instale a autoridade nova (MALOTE_CAPTURA_AUTORIDADES).',
    quem: 'operador',
  },
  servidor_com_outro_nome: {
    diz: 'O servidor que respondeu é outro: o certificado dele não tem o nome do serviço. Nada foi enviado.',
    fazer:
      'Verifique o DNS, o proxy e o antivírus do servidor do Malote; um deles desvia o endereço do serviço.',
    quem: 'operador',
  },
  servidor_vencido: {
    diz: 'O certificado do próprio serviço está vencido ou ainda não vale. Nada foi enviado.',
    fazer: `Confira a data e a hora do servidor do Malote. Se estiverem certas, o erro é do serviço: ${SOZINHO}.`,
    quem: 'operador',
  },
  tls: {
    diz: 'A conexão segura com o serviço não pôde ser estabelecida.',
    fazer: `Se for só agora, ${SOZINHO}. Se durar mais de um dia, verifique proxy e antivírus no caminho, ou envie esta mensagem ao suporte do Malote.`,
    quem: 'operador',
  },
  redirecionamento: {
    diz: 'O serviço mandou a consulta para outro endereço, e o Malote não a seguiu: o certificado do cliente só vai ao endereço oficial.',
    fazer:
      'Se a rede pede identificação para navegar (portal, proxy), libere o servidor do Malote. Senão, o serviço mudou de endereço: atualize o Malote.',
    quem: 'operador',
  },
  resposta_grande: {
    diz: 'A resposta do serviço passou do tamanho que uma resposta dele pode ter, e não foi lida.',
    fazer: 'Envie esta mensagem ao suporte do Malote. O Malote tenta de novo mais tarde.',
    quem: 'operador',
  },
};

/** No call was made for want of a certificate. */
const SEM_CERTIFICADO: Readonly<Record<SemCertificado, Frase>> = {
  sem_certificado: {
    diz: 'Não há certificado A1 deste cliente.',
    fazer: 'Envie o e-CNPJ ou e-CPF A1 do cliente na ficha dele; o da matriz serve para as filiais.',
    quem: 'escritorio',
  },
  certificado_vencido: {
    diz: 'O certificado deste cliente venceu.',
    fazer: 'Envie o certificado novo na ficha do cliente; o Malote continua sozinho.',
    quem: 'escritorio',
  },
  certificado_ainda_nao_vale: {
    diz: 'O certificado deste cliente ainda não vale.',
    fazer:
      'Espere a data em que ele começa, ou envie um que já valha. Se a data parece errada, confira o relógio do servidor do Malote.',
    quem: 'escritorio',
  },
  titular_diverso: {
    diz: 'O certificado guardado é de outra empresa ou pessoa.',
    fazer: 'Envie o certificado A1 do próprio cliente na ficha dele.',
    quem: 'escritorio',
  },
};

/** What we write ourselves where nobody answered. */
const SEM_FIM: Readonly<Record<string, Frase>> = {
  sem_desfecho: {
    diz: 'O Malote foi interrompido no meio da consulta, antes de ler a resposta do serviço.',
    fazer:
      'Nada a fazer: a consulta conta como feita e, passada a espera do serviço, o Malote busca o que ela possa ter trazido. Se acontecer muito, veja por que o servidor do Malote para.',
    quem: 'ninguem',
  },
};

/** Asked with codes out of rows. */
export const CONEXAO = tabela<Frase>({ ...FALHAS_DE_CONEXAO, ...SEM_CERTIFICADO, ...SEM_FIM });
