import { Badge, Button, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { Periodo } from '../../partes/periodo.tsx';
import { DO_PAINEL, type Filtro } from './filtro.ts';
import { PainelDeFiltros } from './painel-de-filtros.tsx';

export function BarraDeFiltros({ filtro, mudar }: { filtro: Filtro; mudar: (mudanca: Filtro) => void }) {
  const [aberto, { open, close }] = useDisclosure(false);
  const quantos = DO_PAINEL.filter((campo) => filtro[campo]).length;
  return (
    <>
      <Periodo
        rotulo="Emissão"
        de={filtro.emissaoDe}
        ate={filtro.emissaoAte}
        mudar={(emissaoDe, emissaoAte) => mudar({ emissaoDe, emissaoAte })}
      />
      <Button
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} />}
        rightSection={
          quantos > 0 ? (
            <Badge size="sm" circle>
              {quantos}
            </Badge>
          ) : null
        }
        onClick={open}
      >
        Mais filtros
      </Button>
      <Drawer opened={aberto} onClose={close} position="right" title="Mais filtros" size="md">
        {aberto && <PainelDeFiltros filtro={filtro} mudar={mudar} fechar={close} />}
      </Drawer>
    </>
  );
}
