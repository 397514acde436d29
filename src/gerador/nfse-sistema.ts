import { Aleatorio } from './aleatorio.ts';
import { FORMA_CLASSICA, FORMA_NACIONAL, type FormaDeAssinatura } from './assinatura.ts';
import { type Certificado, certificadoDe, type Titular } from './certificado.ts';
import { type EstiloXml, generateCnpj, generateCpf } from './empresas.ts';

/** The national NFS-e system, as the author of notes and events. It signs with a test key of its own. */

export const NS_NFSE = 'http://www.sped.fazenda.gov.br/nfse';
export const ESTILO_DO_SISTEMA: Pick<EstiloXml, 'autoFechado'> = { autoFechado: true };

/** As the certificates of the national system name it. */
const DOMINIO_DO_SISTEMA = 'www.nfse.gov.br';

function titular(): Titular {
  const random = new Aleatorio('sistema-nacional-nfse');
  return {
    id: generateCnpj(random),
    nome: 'Sistema Nacional NFS-e de Teste',
    dominio: DOMINIO_DO_SISTEMA,
    municipio: 'Brasília',
    uf: 'DF',
    email: 'nfse@sistema.example',
    responsavel: { nome: 'Responsável de Teste', cpf: generateCpf(random), nascimento: '01011980' },
  };
}

export function certificadoDoSistema(semente: string, em: Date): Certificado {
  return certificadoDe(titular(), semente, em);
}

/** The XSD of 1.00 fixes SHA-1 and Canonical XML; 1.01 leaves the choice, and the system signs anew. @fonte XMLDSig Core */
export function formaDoSistema(layout: '1.00' | '1.01'): FormaDeAssinatura {
  return layout === '1.00' ? FORMA_CLASSICA : FORMA_NACIONAL;
}
