import { Alert, Group, Paper, Stack, Tabs, Text } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { useState } from 'react';
import { useConsulta } from '../../api/consulta.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { plural } from '../../formatos/numeros.ts';
import { EscolhaDeCliente } from '../../partes/escolha-de-cliente.tsx';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import { useFiltrosDoEndereco } from '../../partes/filtros-do-endereco.ts';
import { SoNoPapel, Tela } from '../../partes/tela.tsx';
import { useClienteAtual } from '../../sessao/cliente-atual.tsx';
import { usePapel } from '../../sessao/sessao.tsx';
import { ClientesQueEsperam } from './esperam.tsx';
import { Manifestar, type Opcao } from './manifestar.tsx';
import { type Nota, Notas } from './notas.tsx';
import { Pedidas } from './pedidas.tsx';

/** What waits for an answer of SEFAZ is followed. */
const DE_NOVO_MS = 15_000;

/** Notes of a client that wait for its word, with what is left of the terms; and what was said. */
export default function Manifestacao() {
  const { cliente, fixo, escolher } = useClienteAtual();
  const [{ lista }, mudar] = useFiltrosDoEndereco(['lista']);
  return (
    <Tela
      titulo="Manifestação"
      descricao="Notas emitidas contra o cliente que esperam a palavra dele: Ciência em 10 dias, conclusiva em 90."
    >
      {cliente === null && !fixo ? (
        <Stack gap="sm">
          <Paper className="folha" p="md">
            <EscolhaDeCliente label="De qual cliente?" maw={480} value={null} onChange={escolher} />
          </Paper>
          <ClientesQueEsperam />
        </Stack>
      ) : (
        <>
          <SoNoPapel>{[`Cliente ${formatarCpfCnpj(cliente)}`]}</SoNoPapel>
          <Tabs
            value={lista === 'pedidas' ? 'pedidas' : 'a_manifestar'}
            onChange={(nova) => mudar({ lista: nova === 'pedidas' ? 'pedidas' : '' })}
            keepMounted={false}
          >
            <Tabs.List>
              <Tabs.Tab value="a_manifestar">A manifestar</Tabs.Tab>
              <Tabs.Tab value="pedidas">Pedidas e registradas</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="a_manifestar" pt="md">
              <AManifestar cliente={cliente ?? ''} />
            </Tabs.Panel>
            <Tabs.Panel value="pedidas" pt="md">
              <JaPedidas cliente={cliente ?? ''} />
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </Tela>
  );
}

function AManifestar({ cliente }: { cliente: string }) {
  const consulta = useConsulta(
    'GET /manifestacoes',
    { query: { cliente, lista: 'a_manifestar' } },
    { repetir: DE_NOVO_MS },
  );
  return (
    <Consultado consulta={consulta} esperando={<Linhas />} insiste>
      {({ notas, haMais, opcoes }) => (
        <DoCliente cliente={cliente} notas={notas} haMais={haMais} opcoes={opcoes} />
      )}
    </Consultado>
  );
}

function DoCliente({
  cliente,
  notas,
  haMais,
  opcoes,
}: {
  cliente: string;
  notas: readonly Nota[];
  haMais: boolean;
  opcoes: readonly Opcao[];
}) {
  const pode = usePapel('administrador', 'operador');
  const [marcadas, setMarcadas] = useState<ReadonlySet<string>>(new Set());
  if (notas.length === 0) {
    return (
      <Paper className="folha">
        <Vazio titulo="Nada a manifestar" icone={<IconChecks size={26} />}>
          Nenhuma nota recebida nos últimos 90 dias espera manifestação. Os resumos aparecem aqui quando a
          captura de NF-e os traz.
        </Vazio>
      </Paper>
    );
  }
  const vistas = notas.filter(({ chave }) => marcadas.has(chave)).map(({ chave }) => chave);
  const trocar = (chaves: readonly string[], marcado: boolean) => {
    const novas = new Set(marcadas);
    for (const chave of chaves) {
      if (marcado) novas.add(chave);
      else novas.delete(chave);
    }
    setMarcadas(novas);
  };
  return (
    <Stack gap="sm">
      {haMais && (
        <Alert color="orange">Há mais notas do que cabe mostrar; aparecem as que vencem primeiro.</Alert>
      )}
      <Group justify="space-between">
        <Text size="sm" role="status">
          {plural(notas.length, 'nota')}
          {pode && `, ${plural(vistas.length, 'escolhida')}`}
        </Text>
        {pode && (
          <Manifestar
            cliente={cliente}
            chaves={vistas}
            opcoes={opcoes}
            aoPedir={() => setMarcadas(new Set())}
          />
        )}
      </Group>
      <Notas notas={notas} {...(pode ? { selecao: { tem: (id) => marcadas.has(id), trocar } } : {})} />
    </Stack>
  );
}

function JaPedidas({ cliente }: { cliente: string }) {
  const consulta = useConsulta(
    'GET /manifestacoes',
    { query: { cliente, lista: 'pedidas' } },
    { repetir: DE_NOVO_MS },
  );
  return (
    <Consultado consulta={consulta} esperando={<Linhas />} insiste>
      {({ pedidas }) => <Pedidas pedidas={pedidas} />}
    </Consultado>
  );
}
