import { Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useConsulta } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatDia } from '../../formatos/datas.ts';
import { plural } from '../../formatos/numeros.ts';
import { Consultado } from '../../partes/estados.tsx';
import { useClienteAtual } from '../../sessao/cliente-atual.tsx';
import { usePapel } from '../../sessao/sessao.tsx';
import { Manifestar } from '../manifestacao/manifestar.tsx';
import { Pedidas } from '../manifestacao/pedidas.tsx';

type DoDocumento = Resposta<'GET /documentos/{id}/manifestacao'>;

/** While an answer of SEFAZ is awaited. */
const DE_NOVO_MS = 5_000;

/** What the client may still say of the document, until when, and what it has said. */
export function Manifestacao({ id }: { id: number }) {
  const { cliente, fixo } = useClienteAtual();
  const query = cliente && !fixo ? { cliente } : {};
  const consulta = useConsulta(
    'GET /documentos/{id}/manifestacao',
    { caminho: { id }, query },
    {
      repetir: (ultima) =>
        ultima?.pedidas.some(({ estado }) => estado === 'pendente' || estado === 'enviando')
          ? DE_NOVO_MS
          : false,
    },
  );
  return (
    <Consultado consulta={consulta} esperando={<Skeleton height={220} />}>
      {(manifestacao) => <Aberta manifestacao={manifestacao} />}
    </Consultado>
  );
}

function Aberta({ manifestacao }: { manifestacao: DoDocumento }) {
  const pode = usePapel('administrador', 'operador');
  const { aplicavel, chave, cliente, opcoes, pedidas } = manifestacao;
  const ha = opcoes.some(({ impedimento }) => impedimento === null);
  return (
    <Stack gap="md">
      <Paper className="folha" p="md">
        <Stack gap="sm">
          <Title order={2}>O que ainda pode ser declarado</Title>
          {aplicavel ? (
            <dl className="pares">
              {opcoes.map((opcao) => (
                <div key={opcao.codigo}>
                  <dt>{opcao.nome}</dt>
                  <dd>{prazoDe(opcao)}</dd>
                </div>
              ))}
            </dl>
          ) : (
            <Text size="sm" c="dimmed">
              Só o destinatário de uma NF-e e o tomador de um CT-e se manifestam; {cliente.nome} não é um
              deles aqui.
            </Text>
          )}
          {pode && aplicavel && ha && (
            <div>
              <Manifestar cliente={cliente.cpfCnpj} chaves={[chave]} opcoes={opcoes} />
            </div>
          )}
        </Stack>
      </Paper>
      <Pedidas pedidas={pedidas} />
    </Stack>
  );
}

function prazoDe({ impedimento, ate, diasRestantes }: DoDocumento['opcoes'][number]): string {
  if (impedimento !== null) return impedimento;
  if (ate === null || diasRestantes === null) return 'sem prazo conhecido';
  return `até ${formatDia(ate)} (${diasRestantes === 0 ? 'hoje' : plural(diasRestantes, 'dia')})`;
}
