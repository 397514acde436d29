import { useMemo } from 'react';
import { useSearchParams } from 'wouter';

/**
 * What a list is filtered by stands in the page's address, so that a link, or going back, shows the same.
 * @returns each field as it stands there, '' where it does not; and how to change some, the others staying
 */
export function useFiltrosDoEndereco<Campo extends string>(
  campos: readonly Campo[],
): [Record<Campo, string>, (mudanca: Partial<Record<Campo, string>>) => void] {
  const [parametros, setParametros] = useSearchParams();
  const filtros = useMemo(
    () => Object.fromEntries(campos.map((campo) => [campo, parametros.get(campo) ?? ''])),
    [campos, parametros],
  );
  const mudar = (mudanca: Partial<Record<Campo, string>>) => {
    // As it is now: two changes may come before the page is drawn anew.
    const novos = new URLSearchParams(window.location.search);
    for (const [campo, valor] of Object.entries<string | undefined>(mudanca)) {
      if (valor) novos.set(campo, valor);
      else novos.delete(campo);
    }
    setParametros(novos, { replace: true });
  };
  return [filtros as Record<Campo, string>, mudar];
}
