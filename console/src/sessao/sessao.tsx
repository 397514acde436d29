import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { chamar, keepCsrf, tellSessaoPerdida } from '../api/chamar.ts';
import { comoFalha, type FalhaDeApi } from '../api/falha.ts';
import type { Resposta } from '../api/rotas.ts';
import { esquecerPertences } from './ao-esquecer.ts';

type Sessao = Resposta<'GET /sessao'>;
export type Papel = Sessao['usuario']['papel'];

interface Estado {
  /** null: nobody is logged in; undefined: not known yet. */
  sessao: Sessao | null | undefined;
  falha: FalhaDeApi | null;
  /** The session of who was at work has ended by itself: too old, or taken back. */
  terminou: boolean;
  /** Asks the server again, after log-in or when a preference has changed. */
  renovar: () => Promise<void>;
  /** @throws FalhaDeApi when the session could not be ended: the person is still logged in */
  sair: () => Promise<void>;
}

const Contexto = createContext<Estado | null>(null);
const CHAVE = ['sessao'];

async function readSessao(): Promise<Sessao | null> {
  try {
    const sessao = await chamar('GET /sessao');
    keepCsrf(sessao.csrf);
    return sessao;
  } catch (error) {
    if (comoFalha(error).status === 401) return null;
    throw error;
  }
}

export function ProvedorDaSessao({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [perdida, setPerdida] = useState(false);
  const [terminou, setTerminou] = useState(false);
  const { data, error, refetch } = useQuery<Sessao | null, FalhaDeApi>({
    queryKey: CHAVE,
    queryFn: readSessao,
    staleTime: 60_000,
  });

  const esquecer = useCallback(() => {
    keepCsrf(null);
    esquecerPertences();
    client.setQueryData(CHAVE, null);
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== CHAVE[0] });
  }, [client]);

  useEffect(() => tellSessaoPerdida(() => setPerdida(true)), []);
  useEffect(() => {
    if (!perdida) return;
    setPerdida(false);
    setTerminou(true);
    esquecer();
  }, [perdida, esquecer]);

  const estado = useMemo<Estado>(
    () => ({
      sessao: data,
      falha: data === undefined ? error : null,
      terminou,
      renovar: async () => {
        await refetch();
        setTerminou(false);
      },
      sair: async () => {
        try {
          await chamar('POST /sair');
        } catch (error) {
          // No session any more is what was wanted; anything else leaves it open for who has the computer next.
          if (comoFalha(error).status !== 401) throw error;
        }
        esquecer();
      },
    }),
    [data, error, terminou, refetch, esquecer],
  );
  return <Contexto value={estado}>{children}</Contexto>;
}

export function useEstadoDaSessao(): Estado {
  const estado = useContext(Contexto);
  if (!estado) throw new Error('useEstadoDaSessao outside of ProvedorDaSessao');
  return estado;
}

/** The session of a screen that is only shown to who is logged in. */
export function useSessao(): Sessao {
  const { sessao } = useEstadoDaSessao();
  if (!sessao) throw new Error('this screen needs a session');
  return sessao;
}

/** Whether the person at the screen sees the whole office, and not some of its clients only. */
export function useTodoOEscritorio(): boolean {
  return useSessao().usuario.clientes === null;
}

/** Whether the person at the screen has one of the roles. */
export function usePapel(...papeis: Papel[]): boolean {
  return papeis.includes(useSessao().usuario.papel);
}
