import { Alert, Group, Paper, SegmentedControl, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCloudSearch } from '@tabler/icons-react';
import { useConsulta } from '../../api/consulta.ts';
import type { Item, Resposta } from '../../api/rotas.ts';
import { formatInteiro, plural } from '../../formatos/numeros.ts';
import { CampoDeBusca } from '../../partes/campo-de-busca.tsx';
import { colunaDaEmpresa } from '../../partes/duas-linhas.tsx';
import { Elo } from '../../partes/elo.tsx';
import { Consultado, Linhas, Vazio } from '../../partes/estados.tsx';
import { useFiltrosDoEndereco } from '../../partes/filtros-do-endereco.ts';
import { Paginacao } from '../../partes/paginacao.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { Tela } from '../../partes/tela.tsx';
import { Gravidade, SERVICOS } from './gravidade.tsx';

const POR_PAGINA = 50;
/** A blocked hour ends, a call is answered: the screen follows. */
const DE_NOVO_MS = 30_000;
const FILTROS = [
  { value: 'todos', label: 'Todos' },
  { value: 'problemas', label: 'Com problema' },
  { value: 'ligados', label: 'Ligados' },
  { value: 'desligados', label: 'Desligados' },
] as const;
type Cliente = Item<'GET /captura'>;

const COLUNAS: readonly Coluna<Cliente>[] = [
  colunaDaEmpresa('Cliente', (cpfCnpj) => `/captura/${cpfCnpj}`),
  ...Object.entries(SERVICOS).map(
    ([servico, titulo]): Coluna<Cliente> => ({
      id: servico,
      titulo,
      celula: ({ servicos }) => {
        const one = servicos.find((um) => um.servico === servico);
        if (!one?.ligada) return '–';
        return <Gravidade gravidade={one.gravidade} ligada={one.ligada} titulo={one.titulo} />;
      },
    }),
  ),
];

/** How what Malote fetches by itself stands, client by client, the worst first. */
export default function Captura() {
  const [{ busca, so: escrito, pagina: escrita }, mudar] = useFiltrosDoEndereco(['busca', 'so', 'pagina']);
  const so = FILTROS.find(({ value }) => value === escrito)?.value ?? 'todos';
  const pagina = /^[1-9][0-9]{0,5}$/.test(escrita) ? Number(escrita) : 1;
  const [pronta] = useDebouncedValue(busca.trim(), 300);
  const lista = useConsulta(
    'GET /captura',
    { query: { busca: pronta, so, Pagina: pagina, Tamanho: POR_PAGINA } },
    { manter: true, repetir: DE_NOVO_MS },
  );
  return (
    <Tela
      titulo="Captura"
      descricao="O que o Malote busca sozinho na SEFAZ e no ambiente nacional da NFS-e, e por que algo não veio."
    >
      <Group gap="xs">
        <CampoDeBusca
          rotulo="Procurar clientes"
          placeholder="Nome, CPF ou CNPJ"
          value={busca}
          mudar={(nova) => mudar({ busca: nova, pagina: '' })}
          flex="1 1 220px"
        />
        <SegmentedControl
          aria-label="Mostrar"
          data={[...FILTROS]}
          value={so}
          onChange={(novo) => mudar({ so: novo === 'todos' ? '' : novo, pagina: '' })}
        />
      </Group>
      <Consultado consulta={lista} esperando={<Linhas />} insiste>
        {(data) => <Lista lista={data} irPara={(nova) => mudar({ pagina: nova > 1 ? String(nova) : '' })} />}
      </Consultado>
    </Tela>
  );
}

function Lista({ lista, irPara }: { lista: Resposta<'GET /captura'>; irPara: (pagina: number) => void }) {
  const { contagens, itens, paginas, pagina } = lista;
  const ligados = contagens.parada + contagens.atencao + contagens.espera + contagens.bem;
  return (
    <>
      {ligados === 0 ? (
        <Alert color="blue" icon={<IconCloudSearch size={18} />} title="Nenhuma captura ligada">
          A captura é ligada por cliente e por serviço, com o consentimento do cliente. Abra um cliente da
          lista para ligá-la; ela precisa do certificado A1 dele.
        </Alert>
      ) : (
        <Text size="sm" role="status">
          <b>{plural(ligados, 'cliente')}</b> com captura: {plural(contagens.parada, 'parado')},{' '}
          {plural(contagens.atencao, 'pede atenção', 'pedem atenção')},{' '}
          {plural(contagens.espera, 'espera', 'esperam')} e {formatInteiro(contagens.bem)} em ordem.
        </Text>
      )}
      <Paper className="folha" style={{ overflow: 'hidden' }}>
        {itens.length === 0 ? (
          <NenhumCliente ha={ligados + contagens.desligados > 0} />
        ) : (
          <Tabela<Cliente, string>
            nome="Captura dos clientes"
            colunas={COLUNAS}
            linhas={itens}
            id={({ cpfCnpj }) => cpfCnpj}
          />
        )}
        <Paginacao paginas={paginas} pagina={pagina} irPara={irPara} />
      </Paper>
    </>
  );
}

function NenhumCliente({ ha }: { ha: boolean }) {
  if (ha) return <Vazio titulo="Nenhum cliente aqui">Mude a busca ou o filtro.</Vazio>;
  return (
    <Vazio titulo="Ainda não há clientes">
      A captura é de cada cliente:{' '}
      <Elo para="/clientes" size="sm" underline="always">
        cadastre-os
      </Elo>{' '}
      primeiro.
    </Vazio>
  );
}
