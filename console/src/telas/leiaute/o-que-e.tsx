import { Button, Modal, SimpleGrid, Stack, Text } from '@mantine/core';
import { CAMPOS, marcasDe, type Ramo, type useApontado } from './apontado.ts';

type Estado = ReturnType<typeof useApontado>;

/** Asks of one line of the file what it is. */
export function OQueE({ ramo, estado, fechar }: { ramo: Ramo | null; estado: Estado; fechar: () => void }) {
  return (
    <Modal size={560} opened={ramo !== null} onClose={fechar} title={ramo ? `O que é ${ramo.nome}?` : ''}>
      {ramo?.lugar && <Escolhas ramo={ramo} lugar={ramo.lugar} estado={estado} fechar={fechar} />}
    </Modal>
  );
}

function Escolhas({
  ramo,
  lugar,
  estado,
  fechar,
}: {
  ramo: Ramo;
  lugar: string[];
  estado: Estado;
  fechar: () => void;
}) {
  const { apontado, apontar, mudar, soltar } = estado;
  const feito = (act: () => void) => () => {
    act();
    fechar();
  };
  const isGrupo = ramo.texto === null;
  return (
    <Stack>
      <Text size="sm" c="dimmed" className="quebra">
        {isGrupo ? 'É um grupo: tem outros campos dentro.' : `Neste arquivo: ${ramo.texto || '(vazio)'}`}
      </Text>
      {isGrupo ? (
        <Button variant="default" onClick={feito(() => mudar({ nota: lugar }))}>
          Uma nota começa aqui
        </Button>
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          {CAMPOS.map(({ campo, nome }) => (
            <Button key={campo} variant="default" onClick={feito(() => apontar(campo, lugar))}>
              {nome}
            </Button>
          ))}
          <Button
            variant="default"
            onClick={feito(() =>
              mudar({ cancelada: { lugar, tipo: 'situacao', cancelada: [], normal: [] } }),
            )}
          >
            Diz se foi cancelada
          </Button>
        </SimpleGrid>
      )}
      {!isGrupo && marcasDe(apontado, lugar).length > 0 && (
        <Button variant="subtle" color="gray" onClick={feito(() => soltar(lugar))}>
          Nenhum destes
        </Button>
      )}
    </Stack>
  );
}
