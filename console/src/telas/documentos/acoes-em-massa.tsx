import { Button, Group, Menu, Modal, Text } from '@mantine/core';
import { IconDownload, IconTag, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { formatReais, plural } from '../../formatos/numeros.ts';
import { Exportar, TIPOS, type Tipo } from './exportar.tsx';
import type { Consulta } from './filtro.ts';
import { MudarFinalidade } from './mudar-finalidade.tsx';
import type { SelecaoDeDocumentos } from './selecao.ts';

interface Props {
  selecao: SelecaoDeDocumentos;
  consulta: Consulta;
  /** How many the filter finds; null where that is not known. */
  total: number | null;
  /** What the marked ones come to, in reais. */
  soma: number | null;
}

/** What can be done with the marked documents, or with everything that the filter finds. */
export function AcoesEmMassa({ selecao, consulta, total, soma }: Props) {
  const [exportar, setExportar] = useState<Tipo | null>(null);
  const [finalidade, setFinalidade] = useState(false);
  const marcados = selecao.ids.length;
  const algum = selecao.tudo || marcados > 0;
  const deTudo = !algum || selecao.tudo;
  const alvo = deTudo
    ? total === null
      ? 'tudo o que o filtro encontra'
      : plural(total, 'documento')
    : plural(marcados, 'documento marcado', 'documentos marcados');
  return (
    <Group gap="xs">
      {algum && <Marcados selecao={selecao} total={total} soma={soma} />}
      <Formatos alvo={alvo} destaque={algum} escolher={setExportar} />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTag size={15} />}
        disabled={!algum || selecao.tudo}
        title={selecao.tudo ? 'Marque os documentos um a um ou por página' : undefined}
        onClick={() => setFinalidade(true)}
      >
        Finalidade
      </Button>
      <Modal opened={exportar !== null} onClose={() => setExportar(null)} title={`Exportar ${alvo}`}>
        {exportar && (
          <Exportar
            inicial={exportar}
            alvo={deTudo ? { filtro: consulta } : { ids: [...selecao.ids] }}
            fechar={() => setExportar(null)}
          />
        )}
      </Modal>
      <Modal opened={finalidade} onClose={() => setFinalidade(false)} title={`Finalidade de ${alvo}`}>
        {finalidade && (
          <MudarFinalidade
            ids={selecao.ids}
            fechar={() => {
              setFinalidade(false);
              selecao.limpar();
            }}
          />
        )}
      </Modal>
    </Group>
  );
}

/** How many are marked, and how to have all of them, or none. */
function Marcados({ selecao, total, soma }: Omit<Props, 'consulta'>) {
  return (
    <Group gap={4} aria-live="polite">
      <Text size="sm" fw={600}>
        {!selecao.tudo
          ? plural(selecao.ids.length, 'marcado')
          : total === null
            ? 'Tudo marcado'
            : `Todos marcados: ${plural(total, 'documento')}`}
        {soma !== null && ` · ${formatReais(soma)}`}
      </Text>
      {!selecao.tudo && (
        <Button size="compact-xs" variant="subtle" onClick={selecao.marcarTudo}>
          marcar todo o resultado
        </Button>
      )}
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        leftSection={<IconX size={13} />}
        onClick={selecao.limpar}
      >
        limpar
      </Button>
    </Group>
  );
}

function Formatos({
  alvo,
  destaque,
  escolher,
}: {
  /** What would be exported, in words. */
  alvo: string;
  destaque: boolean;
  escolher: (tipo: Tipo) => void;
}) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button size="xs" variant={destaque ? 'filled' : 'default'} leftSection={<IconDownload size={15} />}>
          Exportar
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{alvo}</Menu.Label>
        {TIPOS.map(({ valor, nome }) => (
          <Menu.Item key={valor} onClick={() => escolher(valor)}>
            {nome}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
