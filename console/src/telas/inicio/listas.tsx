import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCertificate, IconMoonStars, IconPlugConnected, type TablerIcon } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { formatDia, formatHaQuanto } from '../../formatos/datas.ts';
import { formatInteiro, plural } from '../../formatos/numeros.ts';
import { Elo } from '../../partes/elo.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { corDaValidade, textoDaValidade } from '../clientes/validade.tsx';
import type { Painel } from './painel.ts';

/** Rows of each list, until all of them are asked for. */
const LINHAS = 5;

/** Clients that somebody should look at, by what there is to see. */
export function Listas({ painel }: { painel: Painel }) {
  const { certificados, clientesQuietos, consumidores } = painel;
  return (
    <>
      <Lista
        Icone={IconCertificate}
        titulo="Certificados a vencer"
        vazio="Nenhum certificado vence em breve."
        total={certificados.total}
        todos="/clientes?ordem=certificado"
      >
        {certificados.itens.map(({ cpfCnpj, nome, dias, validoAte }) => (
          <Linha key={cpfCnpj} para={`/clientes/${cpfCnpj}`} nome={nome} detalhe={formatDia(validoAte)}>
            <Etiqueta cor={corDaValidade(dias)}>{textoDaValidade(dias)}</Etiqueta>
          </Linha>
        ))}
      </Lista>
      <Lista
        Icone={IconMoonStars}
        titulo="Clientes sem movimento"
        vazio="Nenhum cliente está mais quieto do que de costume."
        total={clientesQuietos.total}
      >
        {clientesQuietos.itens.map(({ cpfCnpj, nome, ultimoEm, habitoDias }) => (
          <Linha
            key={cpfCnpj}
            para={`/clientes/${cpfCnpj}`}
            nome={nome}
            detalhe={`costuma enviar a cada ${plural(Math.max(1, Math.round(habitoDias)), 'dia')}`}
          >
            <Text size="sm">{formatHaQuanto(ultimoEm)}</Text>
          </Linha>
        ))}
      </Lista>
      <Lista
        Icone={IconPlugConnected}
        titulo="Sistemas integrados"
        vazio="Nenhum sistema leu documentos ainda."
        total={consumidores.total}
      >
        {consumidores.itens.map(({ cpfCnpj, nome, token, atraso, lidoEm }) => (
          <Linha
            key={`${cpfCnpj}-${token}`}
            para={`/clientes/${cpfCnpj}`}
            nome={nome}
            detalhe={`${token}, ${formatHaQuanto(lidoEm)}`}
          >
            <Etiqueta cor={atraso > 0 ? 'orange' : 'teal'}>
              {atraso > 0 ? `${formatInteiro(atraso)} por ler` : 'em dia'}
            </Etiqueta>
          </Linha>
        ))}
      </Lista>
    </>
  );
}

function Lista({
  Icone,
  titulo,
  vazio,
  total,
  todos,
  children,
}: {
  Icone: TablerIcon;
  titulo: string;
  vazio: string;
  /** How many there are; `children` are those that the server sent. */
  total: number;
  /** Where all of them are listed. */
  todos?: string;
  children: ReactNode[];
}) {
  const [aberta, abrir] = useState(false);
  const linhas = aberta ? children : children.slice(0, LINHAS);
  return (
    <Paper className="folha" p="md" component="section" aria-label={titulo} mih={{ base: 120, lg: 230 }}>
      <Group gap="xs" mb="sm">
        <Icone size={19} stroke={1.7} aria-hidden />
        <Title order={2}>{titulo}</Title>
        {total > LINHAS && (
          <Text size="sm" c="dimmed">
            {formatInteiro(total)}
          </Text>
        )}
      </Group>
      {children.length === 0 ? (
        <Text size="sm" c="dimmed">
          {vazio}
        </Text>
      ) : (
        <Stack gap={10}>
          {linhas}
          {children.length > LINHAS && (
            <Button
              variant="subtle"
              size="compact-sm"
              aria-expanded={aberta}
              style={{ alignSelf: 'start' }}
              onClick={() => abrir(!aberta)}
            >
              {aberta ? 'Mostrar menos' : `Mostrar mais ${formatInteiro(children.length - LINHAS)}`}
            </Button>
          )}
          {aberta && total > children.length && <OsOutros quantos={total - children.length} todos={todos} />}
        </Stack>
      )}
    </Paper>
  );
}

/** Those that the server did not send. */
function OsOutros({ quantos, todos }: { quantos: number; todos: string | undefined }) {
  return (
    <Text size="xs" c="dimmed">
      e mais {formatInteiro(quantos)}
      {todos && (
        <>
          {': '}
          <Elo para={todos} size="xs">
            ver todos
          </Elo>
        </>
      )}
    </Text>
  );
}

function Linha({
  para,
  nome,
  detalhe,
  children,
}: {
  para: string;
  nome: string;
  detalhe: string;
  children: ReactNode;
}) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <div style={{ minWidth: 0 }}>
        <Elo para={para} size="sm" fw={500} truncate display="block">
          {nome}
        </Elo>
        <Text size="xs" c="dimmed" truncate>
          {detalhe}
        </Text>
      </div>
      <div style={{ flex: 'none' }}>{children}</div>
    </Group>
  );
}
