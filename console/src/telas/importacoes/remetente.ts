import { MEIOS } from '../../partes/nomes.ts';

/** Who sent a file: the person, else the token, else the way it came. */
export const remetenteDe = (arquivo: {
  origem: string;
  token: string | null;
  usuario: string | null;
}): string => arquivo.usuario ?? arquivo.token ?? MEIOS[arquivo.origem] ?? arquivo.origem;
