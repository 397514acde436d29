import { useState } from 'react';

/** Rows that are drawn before somebody asks for more. */
const POR_VEZ = 50;

/** A list that is all here, drawn a part at a time: thousands of rows at once would hold the browser up for seconds. */
export function useAosPoucos<T>(todas: readonly T[]) {
  const [quantas, setQuantas] = useState(POR_VEZ);
  return {
    linhas: todas.slice(0, quantas),
    /** For `MostrarMais`. */
    mais: {
      hasNextPage: todas.length > quantas,
      isFetchingNextPage: false,
      isFetchNextPageError: false,
      error: null,
      fetchNextPage: async () => setQuantas(quantas + POR_VEZ),
    },
  };
}
