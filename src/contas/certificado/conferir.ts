import { formatCpfCnpj } from '../../fiscal/cpf-cnpj.ts';
import type { CpfCnpj } from '../../fiscal/tipos.ts';
import { ZONA_NACIONAL } from '../../fiscal/uf.ts';
import type { ErroDeCampo } from '../../platform/errors.ts';
import type { CertificadoAberto, LeituraPfx } from './ler-pfx.ts';

/** Digits of a CNPJ that all establishments of a company share. */
const ROOT_LENGTH = 8;
const CNPJ_LENGTH = 14;

/** Why a certificate is not accepted, and the field of the request that is to be corrected. */
export const FALHAS_DO_CERTIFICADO = {
  formato_invalido: {
    campo: 'arquivoCertificado',
    mensagem:
      'O arquivo não é um certificado A1 que se possa ler (PKCS#12, .pfx ou .p12, de até 64 KB). Envie o arquivo como o emissor o entregou.',
  },
  senha_incorreta: {
    campo: 'senhaCertificado',
    mensagem: 'A senha não abre o certificado. Confira-a e envie de novo.',
  },
  sem_chave_privada: {
    campo: 'arquivoCertificado',
    mensagem: 'O arquivo não traz a chave privada do certificado. Exporte-o de novo com a chave.',
  },
  expirado: { campo: 'arquivoCertificado', mensagem: 'O certificado venceu.' },
  ainda_nao_valido: { campo: 'arquivoCertificado', mensagem: 'O certificado ainda não vale.' },
  titular_divergente: {
    campo: 'arquivoCertificado',
    mensagem: 'O certificado é de outro titular.',
  },
} as const;
type FalhaDoCertificado = keyof typeof FALHAS_DO_CERTIFICADO;

/** What a file that did not open is answered with. */
export function falhaAoAbrir(falha: Extract<LeituraPfx, { falha: string }>['falha']): ErroDeCampo {
  return { codigo: falha, ...FALHAS_DO_CERTIFICADO[falha] };
}

/**
 * Judges an opened certificate for one client.
 * @param input.cpfCnpj whose it must be; null: any holder will do (the office acts with its own, or it is nobody's yet)
 * @returns every fault; none when it is accepted
 */
export function checkCertificado(
  certificado: Pick<CertificadoAberto, 'titular' | 'validoDe' | 'validoAte'>,
  input: { cpfCnpj: CpfCnpj | null; agora: number },
): ErroDeCampo[] {
  const erros: ErroDeCampo[] = [];
  const { campo } = FALHAS_DO_CERTIFICADO.expirado;
  if (certificado.validoAte < input.agora) {
    const mensagem = `O certificado venceu em ${day(certificado.validoAte)}. Envie o que o substituiu.`;
    erros.push({ campo, codigo: 'expirado' satisfies FalhaDoCertificado, mensagem });
  }
  if (certificado.validoDe > input.agora) {
    const mensagem = `O certificado só vale a partir de ${day(certificado.validoDe)}. Envie-o nesse dia, ou um que já valha.`;
    erros.push({ campo, codigo: 'ainda_nao_valido' satisfies FalhaDoCertificado, mensagem });
  }
  if (input.cpfCnpj !== null && !isHolder(certificado.titular, input.cpfCnpj)) {
    erros.push(titularDivergente(certificado.titular));
  }
  return erros;
}

export function titularDivergente(titular: string | null): ErroDeCampo {
  const mensagem = titular
    ? `O certificado é de ${formatCpfCnpj(titular)}, outro titular que o cliente. Envie o do cliente; se o escritório trabalha com procuração dele, diga-o no cadastro (trabalhaComProcuracao).`
    : 'O certificado não diz o CPF ou CNPJ do titular. Envie um e-CNPJ ou e-CPF da ICP-Brasil.';
  return { campo: 'arquivoCertificado', codigo: 'titular_divergente' satisfies FalhaDoCertificado, mensagem };
}

/** The same company, whichever establishment (SEFAZ too compares the root of the CNPJ); the same person. */
export function isHolder(titular: string | null, cpfCnpj: CpfCnpj): boolean {
  if (titular === null || titular.length !== cpfCnpj.length) return false;
  return cpfCnpj.length === CNPJ_LENGTH
    ? titular.slice(0, ROOT_LENGTH) === cpfCnpj.slice(0, ROOT_LENGTH)
    : titular === cpfCnpj;
}

function day(instant: number): string {
  return new Date(instant).toLocaleDateString('pt-BR', { timeZone: ZONA_NACIONAL });
}
