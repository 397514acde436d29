import { Badge, type BadgeProps, Tooltip } from '@mantine/core';

/** Never colour alone: the word stands in every label. */
function Etiqueta({
  cor,
  children,
  dica,
  ...props
}: { cor: string; children: string; dica?: string | undefined } & BadgeProps) {
  const badge = (
    <Badge color={cor} variant="light" radius="sm" tt="none" fw={600} miw="max-content" {...props}>
      {children}
    </Badge>
  );
  return dica ? <Tooltip label={dica}>{badge}</Tooltip> : badge;
}

const STATUS: Readonly<Record<string, [cor: string, dica: string]>> = {
  Autorizada: ['teal', 'Autorizada pela SEFAZ ou pelo município'],
  Cancelada: ['red', 'Cancelada por evento registrado'],
  Denegada: ['orange', 'Uso denegado'],
  Pendente: ['yellow', 'Assinada, ainda sem protocolo de autorização'],
  Inutilizada: ['gray', 'Numeração inutilizada'],
  Faltante: ['grape', 'Número que falta na sequência'],
};

export function Status({ status }: { status: string }) {
  const [cor, dica] = STATUS[status] ?? ['gray', undefined];
  return (
    <Etiqueta cor={cor} dica={dica}>
      {status}
    </Etiqueta>
  );
}

const DE_IMPORTACAO: Readonly<Record<string, [cor: string, nome: string]>> = {
  'Aguardando Upload': ['gray', 'Aguardando envio'],
  'Em Processamento': ['blue', 'Em processamento'],
  Uploaded: ['teal', 'Importado'],
  'Com Erro': ['red', 'Com erro'],
  Expirado: ['gray', 'Expirado'],
};

export function StatusDeImportacao({ status }: { status: string }) {
  const [cor, nome] = DE_IMPORTACAO[status] ?? ['gray', status];
  return <Etiqueta cor={cor}>{nome}</Etiqueta>;
}

const RESULTADOS: Readonly<Record<string, [cor: string, nome: string]>> = {
  novo: ['teal', 'novo'],
  atualizado: ['teal', 'atualizado'],
  evento: ['teal', 'evento'],
  duplicado: ['gray', 'já estava aqui'],
  esperado: ['blue', 'esperado'],
  sem_cliente: ['orange', 'sem cliente'],
  homologacao: ['yellow', 'homologação'],
  conflito: ['red', 'conflito'],
  ignorado: ['gray', 'ignorado'],
  rejeitado: ['red', 'rejeitado'],
};

export const nomeDoResultado = (resultado: string) => RESULTADOS[resultado]?.[1] ?? resultado;
export const RESULTADOS_DE_ITEM = Object.keys(RESULTADOS);

export function Resultado({ resultado }: { resultado: string }) {
  const [cor, nome] = RESULTADOS[resultado] ?? ['gray', resultado];
  return <Etiqueta cor={cor}>{nome}</Etiqueta>;
}

export { Etiqueta };
