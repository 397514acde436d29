/** What was found of a version when it came in, in words. */
import { TITULAR_DO_CERTIFICADO } from '../../documentos/bytes/certificados.ts';
import { lerProtocolo } from '../../documentos/lean/protocolo-guardado.ts';
import type { Protocolo } from '../../fiscal/tipos.ts';
import { type VereditoDaProva, vereditoDaProva } from './prova.ts';
import type { LinhaDaVersao } from './queries-documento.ts';

export interface Veredito {
  resultado: string;
  /** In words. */
  texto: string;
  detalhe: string | null;
}

const ASSINATURA: Readonly<Record<string, string>> = {
  integra: 'A assinatura confere: o conteúdo é o que foi assinado.',
  alterada: 'A assinatura não confere: o conteúdo mudou depois de assinado.',
  sem_assinatura: 'O documento não tem assinatura.',
};
const ESQUEMA: Readonly<Record<string, string>> = {
  valido: 'O XML segue o esquema oficial.',
  invalido: 'O XML não segue o esquema oficial.',
  esquema_mais_antigo: 'O esquema instalado é mais antigo que o documento e não conhece tudo que ele traz.',
  nao_verificado: 'O XML não foi conferido com um esquema oficial.',
};
const PROTOCOLO: Readonly<Record<string, string>> = {
  confere: 'O protocolo de autorização é deste conteúdo.',
  diverge: 'O protocolo de autorização é de outro conteúdo.',
  sem_digest: 'O protocolo não diz de que conteúdo é.',
  ausente: 'O documento veio sem protocolo de autorização.',
};

export const protocoloDe = (versao: LinhaDaVersao) =>
  versao.protocolo ? lerProtocolo(versao.protocolo, versao.digest) : null;

export function vereditosDe(versao: LinhaDaVersao): {
  prova: VereditoDaProva;
  assinatura: Veredito;
  esquema: Veredito;
  protocolo: Veredito;
  avisos: string[];
} {
  const protocolo = protocoloDe(versao);
  const doProtocolo = resultadoDoProtocolo(protocolo, versao.digest);
  const titular =
    versao.assinatura_titular === TITULAR_DO_CERTIFICADO
      ? versao.certificado_titular
      : versao.assinatura_titular;
  const esquema = versao.esquema_nome ?? versao.esquema_nome_guardado;
  return {
    prova: vereditoDaProva(versao),
    assinatura: {
      resultado: versao.assinatura,
      texto: ASSINATURA[versao.assinatura] ?? versao.assinatura,
      detalhe:
        [versao.assinatura_motivo, titular && `Certificado: ${titular}`].filter(Boolean).join(' ') || null,
    },
    esquema: {
      resultado: versao.esquema,
      texto: ESQUEMA[versao.esquema] ?? versao.esquema,
      detalhe: [versao.esquema_motivo, esquema].filter(Boolean).join(' ') || null,
    },
    protocolo: {
      resultado: doProtocolo,
      texto: PROTOCOLO[doProtocolo] ?? '',
      detalhe: protocolo
        ? [protocolo.nProt && `Protocolo ${protocolo.nProt}`, protocolo.cStat, protocolo.xMotivo]
            .filter(Boolean)
            .join(' – ')
        : null,
    },
    avisos: versao.avisos ? (JSON.parse(versao.avisos) as string[]) : [],
  };
}

function resultadoDoProtocolo(protocolo: Protocolo | null, digest: string): string {
  if (!protocolo?.nProt && !protocolo?.cStat) return 'ausente';
  if (!protocolo.digVal) return 'sem_digest';
  return protocolo.digVal === digest ? 'confere' : 'diverge';
}
