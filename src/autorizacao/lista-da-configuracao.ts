import { ConfigError } from '../config.ts';

/** Says what is wrong with a setting. */
export const faultOf = (env: string) => (what: string) => new ConfigError(`${env}: ${what}.`);

/**
 * Reads a setting that is a JSON list of objects.
 * @param text empty: none
 * @param input.campos fields that one may have
 * @param input.read makes one of its fields; `where` names it
 * @throws ConfigError naming the entry and the field
 */
export function readListSetting<T>(
  text: string,
  input: {
    env: string;
    campos: readonly string[];
    read: (entry: Record<string, unknown>, where: string) => T;
  },
): T[] {
  if (text === '') return [];
  const fault = faultOf(input.env);
  const list = parseJson(text);
  if (list === undefined) throw fault('não é JSON válido');
  if (!Array.isArray(list)) throw fault('deve ser uma lista JSON de objetos');
  return list.map((value: unknown, at) => {
    const where = `item ${at + 1}`;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw fault(`${where}: deve ser um objeto`);
    const unknown = Object.keys(value).find((name) => !input.campos.includes(name));
    if (unknown !== undefined) throw fault(`${where}: campo desconhecido "${unknown}"`);
    return input.read(value as Record<string, unknown>, where);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
