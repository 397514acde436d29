/** How long a manifestation may still be made. */
import {
  CONCLUSIVAS_MAX,
  type CodigoDeManifestacao,
  MANIFESTACOES,
  type TipoDeManifestacao,
} from './tipos.ts';

const DAY_MS = 86_400_000;

interface Prazo {
  codigo: CodigoDeManifestacao;
  /** Last instant (ms UTC) at which SEFAZ takes it. */
  ate: number;
  /** Whole days left, 0 on the last one; negative when it is over. */
  diasRestantes: number;
}

/** Counted from the instant of the authorisation (ms UTC). @fonte NT 2020.001 v1.60, rejection 596 */
export function prazoDe(tipo: TipoDeManifestacao, autorizadaEm: number, agora: number): Prazo {
  const ate = autorizadaEm + tipo.prazoDias * DAY_MS;
  return { codigo: tipo.codigo, ate, diasRestantes: Math.floor((ate - agora) / DAY_MS) };
}

/** What is known of a document, as far as it decides what may be said of it. */
export interface DocumentoAManifestar {
  modelo: string;
  /** `Cancelada`, `Denegada` … as shown. */
  status: string;
  /** Milliseconds UTC; null where nobody knows (a key alone). */
  autorizadaEm: number | null;
  /** Whether the client is the recipient (NF-e) or the tomador (CT-e). */
  ehDestinatario: boolean;
  /** Codes that SEFAZ has registered, in order. */
  registradas: readonly string[];
}

/** Why something may not be said, with the code of the refusal. */
export interface Impedimento {
  codigo:
    | 'manifestacao_nao_se_aplica'
    | 'manifestacao_de_terceiro'
    | 'manifestacao_ja_registrada'
    | 'manifestacao_fora_do_prazo';
  mensagem: string;
}

/**
 * Whether SEFAZ could take a manifestation of the document. What is refused here is never sent: a refusal that is known
 * beforehand would only spend the client's standing with the service.
 * @returns null when nothing is in the way
 * @fonte NT 2020.001 v1.60: rejections 575, 596, 650, 651, 655
 */
export function impedimentoDe(
  tipo: TipoDeManifestacao,
  documento: DocumentoAManifestar,
  agora: number,
): Impedimento | null {
  return (
    notForIt(tipo, documento) ??
    alreadySaid(tipo, documento.registradas) ??
    tooLate(tipo, documento.autorizadaEm, agora)
  );
}

const MODELO = { NFe: '55', CTe: '57' } as const;

function notForIt(tipo: TipoDeManifestacao, documento: DocumentoAManifestar): Impedimento | null {
  if (documento.modelo !== MODELO[tipo.documento]) {
    const which = tipo.documento === 'NFe' ? 'NF-e (modelo 55)' : 'CT-e (modelo 57)';
    return { codigo: 'manifestacao_nao_se_aplica', mensagem: `"${tipo.nome}" só existe para ${which}.` };
  }
  if (!documento.ehDestinatario) {
    const who = tipo.documento === 'NFe' ? 'destinatário da nota' : 'tomador do CT-e';
    return {
      codigo: 'manifestacao_de_terceiro',
      mensagem: `Só o ${who} pode manifestar, e este cliente não é. Confira em "Participantes" do documento quem é.`,
    };
  }
  if (documento.status === 'Cancelada' || documento.status === 'Denegada') {
    const what = documento.status.toLowerCase();
    return {
      codigo: 'manifestacao_nao_se_aplica',
      mensagem: `O documento está com situação ${what}; a SEFAZ não aceita mais manifestação.`,
    };
  }
  return null;
}

function alreadySaid(tipo: TipoDeManifestacao, registradas: readonly string[]): Impedimento | null {
  const registrada = (mensagem: string): Impedimento => ({ codigo: 'manifestacao_ja_registrada', mensagem });
  if (registradas.includes(tipo.codigo))
    return registrada(`"${tipo.nome}" já está registrada para este documento.`);
  const conclusivas = registradas.filter((one) => MANIFESTACOES[one as CodigoDeManifestacao]?.conclusiva);
  if (!tipo.conclusiva && conclusivas.length > 0)
    return registrada('O documento já tem manifestação conclusiva; a Ciência não cabe mais depois dela.');
  if (tipo.conclusiva && conclusivas.length >= CONCLUSIVAS_MAX) {
    return registrada(
      `O documento já tem ${CONCLUSIVAS_MAX} manifestações conclusivas, o máximo que a SEFAZ aceita; vale a última.`,
    );
  }
  return null;
}

function tooLate(tipo: TipoDeManifestacao, autorizadaEm: number | null, agora: number): Impedimento | null {
  if (autorizadaEm === null) return null;
  const { diasRestantes } = prazoDe(tipo, autorizadaEm, agora);
  if (diasRestantes >= 0) return null;
  const depois =
    tipo.conclusiva && tipo.documento === 'NFe'
      ? ' Sem manifestação conclusiva nesse prazo, a operação é considerada confirmada.'
      : '';
  return {
    codigo: 'manifestacao_fora_do_prazo',
    mensagem: `O prazo de "${tipo.nome}" é de ${tipo.prazoDias} dias da autorização e acabou há ${-diasRestantes} ${diasRestantes === -1 ? 'dia' : 'dias'}.${depois}`,
  };
}
