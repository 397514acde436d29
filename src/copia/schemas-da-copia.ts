/** Forms of what a backup says of itself, for reading it: bytes that may have been damaged, or written by anybody. */
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';

export const FORMATO = 'malote-copia';

const Contagem = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

const TabelaNaCopia = Type.Object({
  nome: Type.String(),
  linhas: Contagem,
  soma: Type.String({ description: 'Digest of the set of rows (`platform/db/row-digest.ts`).' }),
});
export type TabelaNaCopia = Static<typeof TabelaNaCopia>;

export const MANIFESTO_LIDO = Type.Object({
  formato: Type.Literal(FORMATO),
  versao: Contagem,
  malote: Type.String({ description: 'Version of the program.' }),
  criadaEm: Type.String({ description: 'ISO 8601, UTC: the moment that the backup shows.' }),
  motor: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
  migracoes: Type.Array(Contagem),
  tabelas: Type.Array(TabelaNaCopia),
  arquivos: Type.Object({ quantidade: Contagem, bytes: Contagem }),
  faltas: Type.Array(Type.String(), {
    description: 'Uploaded files that the rows name and that could not be had: they were missing already.',
  }),
  chaveMestra: Type.Object({ incluida: Type.Boolean(), nomes: Type.Array(Type.String()) }),
  /** Without lists and manifest. */
  partes: Contagem,
  bytes: Contagem,
  somas: Type.Array(Type.Object({ nome: Type.String(), sha256: Type.String() })),
});
export type Manifesto = Static<typeof MANIFESTO_LIDO>;

/** What every manifest has, one of a later form too. */
export const QUALQUER_MANIFESTO = Type.Pick(MANIFESTO_LIDO, ['formato', 'versao', 'malote']);

/** First line of a part with rows. */
export const CABECA_DA_PARTE = Type.Object({
  tabela: Type.String(),
  colunas: Type.Array(Type.String()),
  binarias: Type.Array(Type.String()),
});

export type CabecaDaParte = Static<typeof CABECA_DA_PARTE>;

export function temForma<T extends TSchema>(forma: T, value: unknown): value is Static<T> {
  return Check(forma, value);
}
