import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '@tabler/icons-react';

/** How each grade of what was checked is shown. */
export const ICONES = { certo: IconCheck, aviso: IconAlertTriangle, errado: IconX, nada: IconMinus } as const;
export const CORES = { certo: 'teal', aviso: 'orange', errado: 'red', nada: 'gray' } as const;
