/**
 * Why a document is listed once more, where no event of it is behind that: whatever changes what a reader was shown makes
 * another entry, so that who reads by NSU alone misses no change.
 */
export const MOTIVO = {
  versao: 'Passou a valer outra versão deste documento: com o protocolo, ou mais bem provada que a anterior.',
  status: 'Outra versão recebida deste documento mudou o seu status.',
  gemea:
    'A mesma NFS-e, no layout da prefeitura ou no nacional, foi cancelada ou deixou de constar como cancelada.',
  escolhida: 'Uma pessoa do escritório escolheu outra versão deste documento.',
  afastado: 'Uma pessoa do escritório desconsiderou o que se declarava, sem prova, deste documento.',
  retomado: 'Uma pessoa do escritório voltou a considerar o que se declara, sem prova, deste documento.',
  provas: 'As provas deste documento foram conferidas de novo, e o que ele mostra mudou.',
  reparo: 'A conferência do cofre corrigiu o que este documento mostrava.',
} as const;

export type Motivo = keyof typeof MOTIVO;

/** Stands where events have their code. */
export const CODIGO_DE_CORRECAO = 'correcao';
