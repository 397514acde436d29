import { useEffect, useState } from 'react';

/**
 * The code behind `#` of a link that lets someone in once. Browsers never send it to a server; it is taken out of
 * the address bar as soon as the screen stands, so that it stays in no history and on no screenshot. Not while
 * drawing: a drawing may be thrown away and begun again, and would find nothing the second time.
 */
export function useCodigoDoEndereco(): string {
  const [codigo] = useState(() => decodeURIComponent(window.location.hash.slice(1)));
  useEffect(() => {
    if (window.location.hash === '') return;
    window.history.replaceState(null, '', window.location.pathname + window.location.search);
  }, []);
  return codigo;
}
