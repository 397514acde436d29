import { Etiqueta } from '../../partes/etiquetas.tsx';

const CORES: Readonly<Record<string, [cor: string, palavra: string]>> = {
  parada: ['red', 'parada'],
  atencao: ['orange', 'atenção'],
  espera: ['blue', 'espera'],
  bem: ['teal', 'em ordem'],
};

/** How bad it is: the colour, and always the words. */
export function Gravidade({
  gravidade,
  ligada,
  titulo,
}: {
  gravidade: string;
  ligada: boolean;
  titulo?: string;
}) {
  const [cor, palavra] = CORES[gravidade] ?? ['gray', gravidade];
  return (
    <Etiqueta cor={ligada ? cor : 'gray'} dica={titulo}>
      {titulo ?? (ligada ? palavra : 'desligada')}
    </Etiqueta>
  );
}

/** Of alerts and tiles. */
export const corDaGravidade = (gravidade: string, ligada: boolean) =>
  ligada ? (CORES[gravidade]?.[0] ?? 'gray') : 'gray';

/** As columns and headings name the services. */
export const SERVICOS: Readonly<Record<string, string>> = {
  nfe: 'NF-e',
  cte: 'CT-e',
  nfse: 'NFS-e',
  nfce: 'NFC-e (SP)',
};
