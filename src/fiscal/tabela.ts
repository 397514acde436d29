/**
 * A table that is asked with texts out of documents: it holds its own keys only, and not those that every object has
 * (`constructor`, `toString`, `__proto__`).
 */
export function tabela<T>(linhas: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.freeze(Object.assign<object, Record<string, T>>(Object.create(null), linhas));
}
