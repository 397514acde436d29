import { useState } from 'react';

/**
 * The code behind `#` of a link that lets someone in once. Browsers never send it to a server; it is taken out of
 * the address bar at once, so that it stays in no history and on no screenshot.
 */
export function useCodigoDoEndereco(): string {
  const [codigo] = useState(() => {
    const found = decodeURIComponent(window.location.hash.slice(1));
    if (found !== '')
      window.history.replaceState(null, '', window.location.pathname + window.location.search);
    return found;
  });
  return codigo;
}
