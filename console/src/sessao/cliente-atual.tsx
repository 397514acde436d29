import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { useSessao } from './sessao.tsx';

interface ClienteAtual {
  /** CPF or CNPJ of the client through whose eyes everything is shown; null: all that the person sees. */
  cliente: string | null;
  /** Somebody who sees one company only has nothing to choose. */
  fixo: boolean;
  escolher: (cpfCnpj: string | null) => void;
}

const Contexto = createContext<ClienteAtual | null>(null);
const GUARDADO = 'malote.cliente';

/** “Visualizar como”: kept for the tab, so that two tabs can look at two clients, and for who chose it. */
export function ProvedorDoCliente({ children }: { children: ReactNode }) {
  const { usuario, escritorio } = useSessao();
  const key = `${GUARDADO}.${escritorio.codigoCrm}.${usuario.id}`;
  const [escolhido, setEscolhido] = useState(() => sessionStorage.getItem(key));
  const escolher = useCallback(
    (cpfCnpj: string | null) => {
      if (cpfCnpj === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, cpfCnpj);
      setEscolhido(cpfCnpj);
    },
    [key],
  );
  const valor = useMemo(
    () => ({ ...atualDe(usuario.clientes, escolhido), escolher }),
    [usuario, escolhido, escolher],
  );
  return <Contexto value={valor}>{children}</Contexto>;
}

/** The only company of somebody; else what was chosen, unless it was taken away since. */
function atualDe(suas: readonly { cpfCnpj: string }[] | null, escolhido: string | null) {
  const [unica] = suas ?? [];
  if (unica && suas?.length === 1) return { cliente: unica.cpfCnpj, fixo: true };
  const vale = suas === null || suas.some(({ cpfCnpj }) => cpfCnpj === escolhido);
  return { cliente: vale ? escolhido : null, fixo: false };
}

export function useClienteAtual(): ClienteAtual {
  const atual = useContext(Contexto);
  if (!atual) throw new Error('useClienteAtual outside of ProvedorDoCliente');
  return atual;
}
