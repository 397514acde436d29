/**
 * What an answer of a service, or its absence, means for the sequence that was asked. One table: a code that is not in it is
 * waited out for an hour, since the service may have counted the call.
 * @fonte NT 2014.002 §3.11 and its table of cStat; API of the ADN; MOC 7.0, 5.7
 */
import type { Servico } from '../banco/tabelas-captura.ts';

/** What a code makes us do. */
export type Efeito =
  /** Documents came. */
  | 'documentos'
  /** There is nothing, or nothing more. */
  | 'vazia'
  /** Too many calls: nothing for an hour, which a further call would begin anew. */
  | 'bloqueada'
  /** Stands still until a person has looked at it. */
  | 'parada'
  /** Stands still until the client has another certificate. */
  | 'certificado'
  /** The service does not work now and has said so. */
  | 'fora_do_ar'
  /** The service tells how long to wait. */
  | 'devagar'
  /** It never got the request. */
  | 'sem_contato'
  /** Of a single document: it cannot be had by this client, now or later. */
  | 'impossivel'
  /** Anything else: an hour, and another try. */
  | 'incerta';

const CODIGOS: Readonly<Record<string, Efeito>> = {
  '138': 'documentos',
  '137': 'vazia',
  '656': 'bloqueada',
  '589': 'parada',
  ...all('parada', ['214', '215', '238', '239', '242', '243', '402', '404', '489', '490']),
  ...all('certificado', ['280', '281', '282', '283', '284', '285', '472', '473', '593']),
  ...all('fora_do_ar', ['108', '109', 'http_503', 'E1217', 'E1206']),
  http_429: 'devagar',
  ...all('sem_contato', [
    'sem_conexao',
    'prazo_de_conexao',
    'servidor_desconhecido',
    'servidor_com_outro_nome',
    'servidor_vencido',
    'tls',
  ]),
  certificado_nao_abre: 'certificado',
};

/** Answers to a request for one document by its key, which say that this client cannot have it. */
const SEM_DOCUMENTO = [
  ...[
    '137',
    '589',
    '217',
    '236',
    '614',
    '615',
    '616',
    '617',
    '618',
    '619',
    '632',
    '640',
    '641',
    '653',
    '654',
  ],
  // SAE: key, not found, older than 100 days. SEFIN: nothing under this key.
  ...['203', '204', '205', '207', 'http_404'],
];

/** Of the SAE: 100 and 101 are lists of keys, 200 one document. */
const DO_SAE: Readonly<Record<string, Efeito>> = {
  '100': 'vazia',
  '101': 'documentos',
  '107': 'vazia',
  '200': 'documentos',
  // It counts by address, and an early try begins the wait anew.
  http_429: 'bloqueada',
  ...all('parada', ['102', '103', '104', '110']),
};

/** @param sozinho whether one document was asked for */
export function efeitoDe(
  codigo: string,
  { servico, sozinho }: { servico: Servico; sozinho: boolean },
): Efeito {
  if (sozinho && SEM_DOCUMENTO.includes(codigo)) return 'impossivel';
  const doServico = servico === 'nfce' ? DO_SAE[codigo] : undefined;
  return doServico ?? CODIGOS[codigo] ?? 'incerta';
}

function all(efeito: Efeito, codigos: readonly string[]): Record<string, Efeito> {
  return Object.fromEntries(codigos.map((codigo) => [codigo, efeito]));
}
