const MEIOS: Readonly<Record<string, string>> = { api: 'API', console: 'Console', sistema: 'Sistema' };

/** Who sent a file: the person, else the token, else the way it came. */
export const remetenteDe = (arquivo: {
  origem: string;
  token: string | null;
  usuario: string | null;
}): string => arquivo.usuario ?? arquivo.token ?? MEIOS[arquivo.origem] ?? arquivo.origem;
