import { Alert } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useConsulta } from '../api/consulta.ts';
import { plural } from '../formatos/numeros.ts';
import { useTodoOEscritorio } from '../sessao/sessao.tsx';
import { Elo } from './elo.tsx';

/** Where documents are looked for: that some wait, of companies that are no clients, and are in no list. */
export function AvisoDeRetidos() {
  const escritorio = useTodoOEscritorio();
  const { data } = useConsulta('GET /retidos/resumo', undefined, { ligada: escritorio });
  if (!data || data.documentos === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconInbox size={18} />} className="sem-impressao" py="xs">
      {data.haMais ? 'Mais de ' : ''}
      {plural(data.documentos, 'documento retido', 'documentos retidos')}, de empresas sem cadastro,{' '}
      {data.documentos === 1 ? 'não está' : 'não estão'} nesta lista.{' '}
      <Elo para="/importacoes?aba=retidos" underline="always" size="sm" c="inherit">
        Ver e cadastrar
      </Elo>
    </Alert>
  );
}
