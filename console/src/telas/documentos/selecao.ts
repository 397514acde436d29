import { useCallback, useMemo, useState } from 'react';

/** The marked documents; they stay marked while more pages come. */
export interface SelecaoDeDocumentos {
  ids: readonly number[];
  /** Everything that the filter finds, also what is not at hand yet. */
  tudo: boolean;
  tem: (id: number) => boolean;
  trocar: (ids: readonly number[], marcado: boolean) => void;
  marcarTudo: () => void;
  limpar: () => void;
}

export function useSelecao(): SelecaoDeDocumentos {
  const [marcados, setMarcados] = useState<ReadonlySet<number>>(new Set());
  const [tudo, setTudo] = useState(false);
  const trocar = useCallback((ids: readonly number[], marcado: boolean) => {
    setTudo(false);
    setMarcados((antes) => {
      const depois = new Set(antes);
      for (const id of ids) {
        if (marcado) depois.add(id);
        else depois.delete(id);
      }
      return depois;
    });
  }, []);
  return useMemo(
    () => ({
      ids: [...marcados],
      tudo,
      tem: (id) => tudo || marcados.has(id),
      trocar,
      marcarTudo: () => setTudo(true),
      limpar: () => {
        setTudo(false);
        setMarcados(new Set());
      },
    }),
    [marcados, tudo, trocar],
  );
}
