import { Badge, Button, Group, ScrollArea, Tabs } from '@mantine/core';
import { useLocation } from 'wouter';
import { useConsulta } from '../../api/consulta.ts';
import { formatInteiro } from '../../formatos/numeros.ts';
import { ESPECIES } from '../../partes/nomes.ts';
import { type Filtro, VISOES } from './filtro.ts';

interface Props {
  filtro: Filtro;
  mudar: (mudanca: Filtro) => void;
}

/** Which kind of document is listed, and below it through which view. */
export function Abas({ filtro, cliente, mudar }: Props & { cliente: string | null }) {
  return (
    <div className="sem-impressao">
      <Especies filtro={filtro} cliente={cliente} mudar={mudar} />
      <Visoes filtro={filtro} mudar={mudar} />
    </div>
  );
}

function Especies({ filtro, cliente, mudar }: Props & { cliente: string | null }) {
  const { data } = useConsulta('GET /documentos/contagens', { query: { ...(cliente ? { cliente } : {}) } });
  const totais = new Map(data?.especies.map((linha) => [linha.especie, linha.total]));
  return (
    <ScrollArea type="never">
      <Tabs
        value={filtro.especie ?? 'todas'}
        onChange={(value) => mudar({ especie: value === 'todas' ? '' : (value ?? ''), visao: '', papel: '' })}
      >
        <Tabs.List style={{ flexWrap: 'nowrap' }} aria-label="Espécie de documento">
          {[['todas', 'Todos'] as const, ...Object.entries(ESPECIES)].map(([valor, nome]) => (
            <Tabs.Tab
              key={valor}
              value={valor}
              py="sm"
              rightSection={
                totais.has(valor) ? (
                  <Badge size="sm" variant="light" color="gray" radius="sm" miw="max-content">
                    {formatInteiro(totais.get(valor))}
                  </Badge>
                ) : null
              }
            >
              {nome}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
    </ScrollArea>
  );
}

function Visoes({ filtro, mudar }: Props) {
  const [, irPara] = useLocation();
  const { especie = 'todas', visao = 'todas', papel } = filtro;
  const visoes = VISOES[especie] ?? [];
  const atual = papel ? `papel:${papel}` : visao;
  const olhar = (valor: string) => {
    const nova = visoes.find((uma) => uma.valor === valor);
    if (valor === 'faltantes') irPara(`/faltantes?modelo=${especie === 'nfce' ? '65' : '55'}`);
    else if (nova?.papel) mudar({ visao: '', papel: nova.papel });
    else mudar({ visao: valor === 'todas' ? '' : valor, papel: '' });
  };
  return (
    <ScrollArea type="never" px="sm" pt="sm">
      <Group gap={6} wrap="nowrap" role="group" aria-label="O que mostrar">
        {visoes.map(({ valor, nome }) => (
          <Button
            key={valor}
            size="compact-sm"
            radius="xl"
            flex="none"
            variant={valor === atual ? 'filled' : 'default'}
            aria-pressed={valor === atual}
            onClick={() => olhar(valor)}
          >
            {nome}
          </Button>
        ))}
      </Group>
    </ScrollArea>
  );
}
