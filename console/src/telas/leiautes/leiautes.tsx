import { Badge, Paper, Tabs } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { useConsulta } from '../../api/consulta.ts';
import { formatInteiro } from '../../formatos/numeros.ts';
import { Consultado, Linhas } from '../../partes/estados.tsx';
import { Tela } from '../../partes/tela.tsx';
import { DoEscritorio } from './do-escritorio.tsx';
import { Esperando } from './esperando.tsx';

/** While something has just been taught, what waits changes by itself. */
const REPETIR_MS = 3_000;

/** Layouts of cities that Malote does not read: what waits for one, and those that the office has. */
export default function Leiautes() {
  const [parametros, setParametros] = useSearchParams();
  const aba = parametros.get('aba') ?? 'esperando';
  const consulta = useConsulta('GET /leiautes', {}, { repetir: REPETIR_MS });
  const arquivos = consulta.data?.esperando.reduce((sum, grupo) => sum + grupo.arquivos, 0) ?? 0;
  return (
    <Tela
      titulo="Leiautes a ensinar"
      descricao="NFS-e de municípios cujo leiaute ainda não é lido: ficam guardadas até que alguém mostre onde estão os campos."
    >
      <Paper className="folha" style={{ overflow: 'hidden' }}>
        <Tabs
          value={aba}
          onChange={(value) =>
            setParametros(value === 'esperando' ? {} : { aba: value ?? '' }, { replace: true })
          }
        >
          <Tabs.List>
            <Tabs.Tab
              value="esperando"
              py="sm"
              rightSection={
                arquivos > 0 ? (
                  <Badge size="sm" color="orange" variant="light" radius="sm" miw="max-content">
                    {formatInteiro(arquivos)}
                  </Badge>
                ) : null
              }
            >
              À espera
            </Tabs.Tab>
            <Tabs.Tab value="escritorio" py="sm">
              Leiautes do escritório
            </Tabs.Tab>
          </Tabs.List>
        </Tabs>
        <Consultado consulta={consulta} insiste esperando={<Linhas altura={50} />}>
          {({ esperando, leiautes }) =>
            aba === 'escritorio' ? <DoEscritorio leiautes={leiautes} /> : <Esperando grupos={esperando} />
          }
        </Consultado>
      </Paper>
    </Tela>
  );
}
