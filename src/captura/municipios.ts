/**
 * Which clients' cities have their NFS-e in the national environment. The city is the one that the client's own certificate
 * names; the national environment is asked for it at most once a day, whoever the clients there are, and
 * after an hour where it gave no answer.
 */
import type { Deps } from '../deps.ts';
import { lugarDoCertificado } from '../fiscal/certificado/titular.ts';
import { municipioPorNome } from '../fiscal/nfse/cidades.ts';
import type { ClienteDaCaptura } from './client/cliente.ts';
import { askForConvenio } from './client/nfse.ts';
import { FalhaDeTransporte, type Interessado } from './client/tipos.ts';
import type { Chamada } from './iniciar.ts';
import * as queries from './queries-municipios.ts';
import type { Relogio } from './relogio.ts';

const DIA_MS = 86_400_000;
/** Who was asked and gave no answer is asked again after it. */
const SEM_RESPOSTA_MS = 3_600_000;

interface Municipio {
  ibge: string;
  /** As the certificate writes it, with its state. */
  nome: string;
}

/** The city in which the holder of a certificate is; null where it names none that is known. @param der X.509 */
function municipioDe(der: Uint8Array): Municipio | null {
  const { municipio, uf } = lugarDoCertificado(der);
  const ibge = municipioPorNome(municipio, uf);
  return ibge === null || municipio === null ? null : { ibge, nome: uf ? `${municipio}/${uf}` : municipio };
}

interface MunicipiosDeps extends Pick<Deps, 'db'> {
  relogio: Pick<Relogio, 'parede'>;
  cliente: ClienteDaCaptura;
}

export class Municipios {
  readonly #deps: MunicipiosDeps;
  /** Of certificates that were opened, by their fingerprints. */
  readonly #dos = new Map<string, Municipio | null>();

  constructor(deps: MunicipiosDeps) {
    this.#deps = deps;
  }

  /** A certificate was opened for a connection: its city is remembered, nothing else of it. */
  lembrar(impressao: string, der: Uint8Array): void {
    this.#dos.set(impressao, municipioDe(der));
  }

  /** After a call about NFS-e: asks for the client's city, unless it was asked for today. */
  async perguntar({ estado, escritorios }: Chamada, quem: Interessado): Promise<void> {
    const { db, relogio } = this.#deps;
    const [{ certificado }] = escritorios;
    // A branch may be elsewhere.
    if (estado.servico !== 'nfse' || certificado.cpf_cnpj !== estado.cpf_cnpj) return;
    const municipio = this.#dos.get(certificado.impressao);
    if (!municipio) return;
    const { ibge } = municipio;
    const { ambiente, cpf_cnpj: cpfCnpj } = estado;
    if (estado.municipio !== ibge) await queries.setMunicipio(db.write, { cpfCnpj, ambiente, ibge });
    const agora = relogio.parede();
    const due = await queries.claimMunicipio(db.write, { ...municipio, ambiente, agora, cadaMs: DIA_MS });
    if (!due) return;
    const compartilha = await this.#convenio({ ibge, quem });
    const answered =
      compartilha === null
        ? { perguntado_em: agora - DIA_MS + SEM_RESPOSTA_MS }
        : { compartilha: compartilha ? (1 as const) : (0 as const) };
    await queries.updateMunicipio(db.write, { ibge, ambiente, answered });
  }

  /** What was known stays where it cannot be asked now. */
  async #convenio({ ibge, quem }: { ibge: string; quem: Interessado }): Promise<boolean | null> {
    try {
      return await askForConvenio(this.#deps.cliente, { ibge, certificado: quem.certificado });
    } catch (error) {
      if (error instanceof FalhaDeTransporte) return null;
      throw error;
    }
  }
}
