const NOMES: Readonly<Record<string, string>> = {
  '55': 'NF-e (55)',
  '65': 'NFC-e (65)',
  '57': 'CT-e (57)',
  '67': 'CT-e OS (67)',
  '64': 'GTV-e (64)',
  '59': 'CF-e SAT (59)',
  NFSe: 'NFS-e',
  '*': 'Todos os outros',
};

export const MODELOS = Object.keys(NOMES).filter((modelo) => modelo !== '*');

export const nomeDoModelo = (modelo: string) => NOMES[modelo] ?? modelo;
