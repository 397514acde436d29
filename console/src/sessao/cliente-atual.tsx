import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { useSessao } from './sessao.tsx';

interface ClienteAtual {
  /** CPF or CNPJ of the client through whose eyes everything is shown; null: all of the office. */
  cliente: string | null;
  /** A person of the client company sees that one only. */
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
    () => ({ cliente: usuario.cliente?.cpfCnpj ?? escolhido, fixo: usuario.papel === 'cliente', escolher }),
    [usuario, escolhido, escolher],
  );
  return <Contexto value={valor}>{children}</Contexto>;
}

export function useClienteAtual(): ClienteAtual {
  const atual = useContext(Contexto);
  if (!atual) throw new Error('useClienteAtual outside of ProvedorDoCliente');
  return atual;
}
