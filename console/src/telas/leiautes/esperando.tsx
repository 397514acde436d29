import { Button, Group, Text } from '@mantine/core';
import { IconPointer } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { useAcao } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatHaQuanto, formatInstante } from '../../formatos/datas.ts';
import { formatInteiro, plural } from '../../formatos/numeros.ts';
import { avisar } from '../../partes/avisos.ts';
import { Confirmar } from '../../partes/confirmar.tsx';
import { DuasLinhas } from '../../partes/duas-linhas.tsx';
import { Vazio } from '../../partes/estados.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { useSessao } from '../../sessao/sessao.tsx';

type Grupo = Resposta<'GET /leiautes'>['esperando'][number];

const COLUNAS: readonly Coluna<Grupo>[] = [
  {
    id: 'forma',
    titulo: 'Forma do XML',
    noCartao: 'titulo',
    celula: ({ forma, caminho }) => <DuasLinhas titulo={forma} detalhe={caminho} />,
  },
  { id: 'arquivos', titulo: 'Arquivos', numero: true, celula: ({ arquivos }) => formatInteiro(arquivos) },
  {
    id: 'ate',
    titulo: 'O último chegou',
    junta: true,
    celula: ({ ate }) => <span title={formatInstante(ate)}>{formatHaQuanto(ate)}</span>,
  },
];

/** Groups of files that wait for a layout, those of one form together. */
export function Esperando({ grupos }: { grupos: readonly Grupo[] }) {
  const acao: Coluna<Grupo> = {
    id: 'acao',
    titulo: 'Ação',
    noCartao: 'lado',
    celula: (grupo) => <Acoes grupo={grupo} />,
  };
  if (grupos.length === 0)
    return <Vazio titulo="Nada à espera">Todas as NFS-e recebidas são de leiautes que o Malote lê.</Vazio>;
  return (
    <>
      <Text size="sm" c="dimmed" p="sm">
        Cada linha são arquivos da mesma forma. Em Ensinar, mostre onde estão os campos em um deles: todos os
        que se leem assim entram nas listas, em ordem de chegada. Se um colega já ensinou este leiaute,
        peça-lhe o arquivo e instale-o em Leiautes do escritório.
        {grupos.some(({ emLeitura }) => emLeitura) && ' Um leiaute novo está sendo tentado com eles agora.'}
      </Text>
      <Tabela<Grupo, string>
        nome="Arquivos à espera de um leiaute"
        colunas={[...COLUNAS, acao]}
        linhas={grupos}
        id={({ forma }) => forma}
      />
    </>
  );
}

function Acoes({ grupo }: { grupo: Grupo }) {
  const { usuario } = useSessao();
  const [, irPara] = useLocation();
  const dispensar = useAcao('POST /leiautes/esperando/dispensar', {
    renova: ['GET /leiautes'],
    aoDarCerto: ({ arquivos }) =>
      avisar(`${plural(arquivos, 'arquivo não espera', 'arquivos não esperam')} mais.`),
  });
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="light"
        leftSection={<IconPointer size={15} />}
        onClick={() => irPara(`/leiautes/ensinar/${grupo.primeiro}`)}
      >
        Ensinar
      </Button>
      {usuario.papel === 'administrador' && (
        <Confirmar
          pergunta="Estes arquivos não são notas?"
          detalhe={`${plural(grupo.arquivos, 'arquivo')} desta forma deixam de esperar. O que foi enviado fica em Importações.`}
          acao="Dispensar"
          aoConfirmar={() => dispensar.mutateAsync({ corpo: { forma: grupo.forma } })}
        >
          {(abrir) => (
            <Button size="compact-sm" variant="subtle" color="gray" onClick={abrir}>
              Dispensar
            </Button>
          )}
        </Confirmar>
      )}
    </Group>
  );
}
