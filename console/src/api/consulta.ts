import {
  keepPreviousData,
  QueryClient,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { chamar } from './chamar.ts';
import { comoFalha, type FalhaDeApi } from './falha.ts';
import type { Opcoes, Resposta, Rota } from './rotas.ts';

/** What the reader sees may be this old before coming back to it asks again. */
const FRESH_MS = 15_000;

export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // Only what may heal by itself: the server busy or away. A refusal stays one.
      retry: (count, error) => count < 2 && [0, 429, 502, 503, 504].includes(comoFalha(error).status),
      refetchOnWindowFocus: true,
      // The server may be this very computer, or one next door: without the internet it answers all the same, and who
      // cannot reach it is to be told so.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/**
 * After an act nothing that was read before counts as fresh: it is asked for anew when somebody comes to look at it, and
 * what is in sight of the named routes at once.
 */
export async function envelhecer(rotas: readonly Rota[]): Promise<void> {
  await cache.invalidateQueries({ refetchType: 'none' });
  await Promise.all(rotas.map((rota) => cache.invalidateQueries({ queryKey: [rota] })));
}

interface Modo {
  /** Ask at all? */
  ligada?: boolean;
  /** Milliseconds between questions, false: once. */
  repetir?: number | false;
  /** Show the last answer while the next one (another filter) is on its way. */
  manter?: boolean;
}

/** Reads a route and keeps its answer for whoever reads the same. */
export function useConsulta<R extends Rota>(
  rota: R,
  opcoes?: Opcoes<R>,
  {
    ligada = true,
    repetir = false,
    manter = false,
  }: Omit<Modo, 'repetir'> & {
    /** As in `Modo`, or by what the last answer was. */
    repetir?: number | false | ((ultima: Resposta<R> | undefined) => number | false);
  } = {},
): UseQueryResult<Resposta<R>, FalhaDeApi> {
  return useQuery<Resposta<R>, FalhaDeApi>({
    queryKey: [rota, opcoes ?? null],
    queryFn: ({ signal }) => chamar(rota, opcoes, signal),
    enabled: ligada,
    refetchInterval: typeof repetir === 'function' ? ({ state }) => repetir(state.data) : repetir,
    ...(manter ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Reads a route page after page by its cursor (`proximo` → `depois`). */
export function usePaginas<R extends Rota>(
  rota: R,
  opcoes: Opcoes<R>,
  { ligada = true, manter = true, repetir = false }: Modo = {},
) {
  return useInfiniteQuery({
    queryKey: [rota, 'paginas', opcoes],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) => {
      const { query } = opcoes as { query?: object };
      const next = { ...(opcoes as object), query: { ...query, depois: pageParam ?? undefined } };
      return chamar(rota, next as unknown as Opcoes<R>, signal);
    },
    getNextPageParam: (last) => (last as { proximo?: string | null }).proximo ?? null,
    enabled: ligada,
    refetchInterval: repetir,
    ...(manter ? { placeholderData: keepPreviousData } : {}),
  });
}

/**
 * Changes something, then asks again for whatever was read of the named routes. The same again while it is on its way is
 * the second click of a double click, not a second wish.
 */
export function useAcao<R extends Rota>(
  rota: R,
  {
    renova = [],
    aoDarCerto,
  }: { renova?: readonly Rota[]; aoDarCerto?: (resposta: Resposta<R>, opcoes: Opcoes<R>) => void } = {},
) {
  const emCurso = useRef(new Map<string, Promise<Resposta<R>>>());
  const acao = useMutation<Resposta<R>, FalhaDeApi, Opcoes<R>>({
    mutationFn: (opcoes) => chamar(rota, opcoes),
    onSuccess: async (resposta, opcoes) => {
      aoDarCerto?.(resposta, opcoes);
      await envelhecer(renova);
    },
  });
  const { mutateAsync: agir } = acao;
  const mutateAsync = useCallback(
    (opcoes: Opcoes<R>): Promise<Resposta<R>> => {
      const qual = JSON.stringify(opcoes);
      const andando = emCurso.current.get(qual);
      if (andando) return andando;
      const feita = agir(opcoes).finally(() => emCurso.current.delete(qual));
      emCurso.current.set(qual, feita);
      return feita;
    },
    [agir],
  );
  // What went wrong stands in `error`, for the screen to show.
  const mutate = useCallback(
    (opcoes: Opcoes<R>): void => void mutateAsync(opcoes).catch(() => undefined),
    [mutateAsync],
  );
  return { ...acao, mutate, mutateAsync };
}
