import { Switch } from '@mantine/core';
import { EscolhaDeClientes } from '../../partes/escolha-de-clientes.tsx';
import type { Papel } from '../../sessao/sessao.tsx';

/** Whom somebody is to see, as the forms of a user hold it. */
export interface Alcance {
  /** An operator is limited to the companies, and does not see the whole office. */
  limitado: boolean;
  empresas: { cpfCnpj: string; nome: string }[];
}

/** As the server takes it; null: the whole office. */
export const clientesDo = (papel: Papel, { limitado, empresas }: Alcance) =>
  papel === 'cliente' || (papel === 'operador' && limitado) ? empresas.map(({ cpfCnpj }) => cpfCnpj) : null;

/** What is wrong with it; null: nothing. */
export const faltaNoAlcance = (papel: Papel, alcance: Alcance) =>
  clientesDo(papel, alcance)?.length === 0 ? 'Escolha ao menos uma empresa.' : null;

/** Which companies somebody sees, where the role leaves it open. */
export function CampoDoAlcance({
  papel,
  alcance,
  erro,
  mudar,
}: {
  papel: Papel;
  alcance: Alcance;
  erro: string | null;
  mudar: (alcance: Alcance) => void;
}) {
  if (papel === 'administrador') return null;
  const daEmpresa = papel === 'cliente';
  return (
    <>
      {!daEmpresa && (
        <Switch
          label="Limitar a uma carteira de clientes"
          checked={alcance.limitado}
          onChange={({ currentTarget }) => mudar({ ...alcance, limitado: currentTarget.checked })}
        />
      )}
      {(daEmpresa || alcance.limitado) && (
        <EscolhaDeClientes
          label={daEmpresa ? 'Empresas' : 'Carteira'}
          description={
            daEmpresa
              ? 'A pessoa vê os documentos destas empresas, e pode enviar os delas.'
              : 'Listas, números, exportações e faltantes mostram só estes clientes. Não cadastra novos.'
          }
          error={erro}
          escolhidas={alcance.empresas}
          escolher={(empresas) => mudar({ ...alcance, empresas })}
        />
      )}
    </>
  );
}
