/**
 * Screens that are loaded when they are wanted. Unlike `lazy` alone, one whose code is already there is drawn at once: React
 * keeps the sign of waiting up for 300 ms once it is shown, and `lazy` shows it even when nothing is left to wait for.
 */
import { type ComponentType, lazy, useState } from 'react';

type Modulo = { default: ComponentType };

export interface Tela {
  (): React.ReactNode;
  /** Fetches its code ahead. A failure says nothing: it is fetched again when the screen is opened. */
  adiantar(): void;
}

export function preguica(load: () => Promise<Modulo>): Tela {
  let Pronta: ComponentType | null = null;
  const fetched = async () => {
    const modulo = await load();
    Pronta = modulo.default;
    return modulo;
  };
  const Esperada = lazy(fetched);
  function Escolhida() {
    // Once for as long as it is shown: another component in its place would begin anew.
    const [Tela] = useState(() => Pronta ?? Esperada);
    return <Tela />;
  }
  return Object.assign(Escolhida, {
    adiantar() {
      if (Pronta === null) fetched().catch(() => {});
    },
  });
}
