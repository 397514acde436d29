import type { EmissorDeAcesso, TokenConferido } from '../access-tokens.ts';
import type { Oauth } from '../contexto.ts';
import type { Emissor } from './emissor.ts';
import { readAccess } from './jwt.ts';

const NOME = 'embutido';

/** The embedded issuer as one of those whose tokens are accepted. */
export class EmissorEmbutido implements EmissorDeAcesso {
  readonly nome = NOME;
  readonly #emissor: Emissor;

  constructor(emissor: Emissor) {
    this.#emissor = emissor;
  }

  recognises(iss: unknown): boolean {
    return this.#emissor.recognises(iss);
  }

  async verify(token: string): Promise<TokenConferido | null> {
    const claims = await readAccess(this.#emissor, token);
    if (!claims) return null;
    const oauth = { clientId: claims.azp, codigosCrm: [], emissor: NOME };
    return { oauth, sid: claims.sid, expiraEm: claims.exp * 1_000 };
  }

  /** The client's offices of now, not those of when the token was made. */
  async confirm({ oauth, sid }: TokenConferido): Promise<Oauth | null> {
    const cliente = await this.#emissor.clientes.find(oauth.clientId);
    if (!cliente?.emiteTokens) return null;
    if (sid === null || (await this.#emissor.sessoes.isEnded(sid))) return null;
    return { ...oauth, codigosCrm: cliente.codigosCrm };
  }
}
