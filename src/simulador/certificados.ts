/** Certificates of the laboratory: of the simulated servers, and of the clients that call them. */
import { autoridadeDeLaboratorio, raizDeLaboratorio } from '../gerador/autoridades.ts';
import {
  type Certificado,
  certificadoDe,
  SEMENTE_CERTIFICADOS,
  type Titular,
} from '../gerador/certificado.ts';
import { generateEmpresa } from '../gerador/empresas.ts';
import { generatePfx } from '../gerador/pfx.ts';
import type { CertificadoApresentado } from './tipos.ts';
import { DIA_MS } from './tipos.ts';

export function toPem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** What a client must trust to call the simulated servers, PEM. */
export const raizEmPem = () => toPem(raizDeLaboratorio().der);

/** What the laboratory's holders are issued by, PEM: a server asks for those. */
export const autoridadesEmPem = () => [raizEmPem(), toPem(autoridadeDeLaboratorio('documentos').der)];

/** Key and chain of the server of one name, PEM. */
export function certificadoDoServidor(dominio: string, em: Date): { key: string; cert: string } {
  const owner: Titular = { ...generateEmpresa(`simulador/${dominio}`, { perfil: 'servicos' }), dominio };
  const found = valid(owner, `simulador/${dominio}`, em);
  const chain = toPem(found.der) + toPem(autoridadeDeLaboratorio('documentos').der);
  return { key: found.chavePrivada.export({ format: 'pem', type: 'pkcs8' }).toString(), cert: chain };
}

/** A certificate of the day that does not end within the week: of the next seed where it would. */
function valid(titular: Titular, semente: string, em: Date): Certificado {
  for (let other = 0; ; other++) {
    const found = certificadoDe(titular, other === 0 ? semente : `${semente}/${other}`, em);
    if (found.validoAte.getTime() - em.getTime() > 7 * DIA_MS) return found;
  }
}

/** A client's A1: what it shows in a handshake, and the file that holds it. */
export function certificadoDoCliente(
  titular: Titular,
  em: Date,
): { certificado: Certificado; pfx(senha: string): Buffer; apresentado: CertificadoApresentado } {
  const certificado = valid(titular, SEMENTE_CERTIFICADOS, em);
  return {
    certificado,
    pfx: (senha) => generatePfx(certificado, senha, [autoridadeDeLaboratorio('documentos').der]),
    apresentado: {
      titular: titular.id,
      validoDe: certificado.validoDe.getTime(),
      validoAte: certificado.validoAte.getTime(),
    },
  };
}
