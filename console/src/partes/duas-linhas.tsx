import { Text } from '@mantine/core';
import { formatarCpfCnpj } from '../formatos/documentos-de-pessoa.ts';
import { Elo } from './elo.tsx';
import type { Coluna } from './tabela.tsx';

/** What a row is called, leading to its page where it has one, over what tells it from others of the name. */
export function DuasLinhas({
  titulo,
  detalhe,
  para,
  mono = false,
}: {
  titulo: string;
  detalhe: string;
  para?: string | undefined;
  mono?: boolean;
}) {
  return (
    <>
      {para ? (
        <Elo para={para} size="sm" fw={600}>
          <span title={titulo}>{titulo}</span>
        </Elo>
      ) : (
        <Text size="sm" fw={600} className="quebra">
          {titulo}
        </Text>
      )}
      <Text size="xs" c="dimmed" className={mono ? 'mono quebra' : 'quebra'}>
        {detalhe}
      </Text>
    </>
  );
}

/** The column of companies; with `para`, each name leads to its page and is cut where the table is full. */
export function colunaDaEmpresa<T extends { cpfCnpj: string; nome: string | null }>(
  titulo: string,
  para?: (cpfCnpj: string) => string,
): Coluna<T> {
  return {
    id: 'nome',
    titulo,
    noCartao: 'titulo',
    corta: para !== undefined,
    celula: ({ nome, cpfCnpj }) => (
      <DuasLinhas titulo={nome ?? 'Sem nome'} detalhe={formatarCpfCnpj(cpfCnpj)} para={para?.(cpfCnpj)} />
    ),
  };
}
