import { Button, Group, Modal, Paper, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import type { Opcoes, Resposta } from '../../api/rotas.ts';
import { formatInteiro } from '../../formatos/numeros.ts';
import { avisar } from '../../partes/avisos.ts';
import { Confirmar } from '../../partes/confirmar.tsx';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { Formulario } from '../../partes/formulario.tsx';
import { nomeDoModelo } from '../../partes/nomes.ts';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { usePapel } from '../../sessao/sessao.tsx';

type Lacuna = Resposta<'GET /faltantes'>['lacunas'][number];
/** So many are drawn at once; the CSV has all. */
const POR_VEZ = 100;

const numeros = ({ numero, numeroFinal }: Record<'numero' | 'numeroFinal', string | number>) =>
  Number(numero) === Number(numeroFinal)
    ? formatInteiro(Number(numero))
    : `${formatInteiro(Number(numero))} a ${formatInteiro(Number(numeroFinal))}`;

const COLUNAS: readonly Coluna<Lacuna>[] = [
  {
    id: 'serie',
    titulo: 'Série',
    junta: true,
    celula: ({ modelo, serie, uf }) => `${nomeDoModelo(modelo)} · ${serie}${uf ? ` · ${uf}` : ''}`,
  },
  { id: 'numeros', titulo: 'Números', noCartao: 'titulo', junta: true, celula: numeros },
  {
    id: 'quantos',
    titulo: 'Quantos',
    numero: true,
    celula: ({ quantidade }) => formatInteiro(quantidade),
  },
  {
    id: 'mes',
    titulo: 'Mês',
    junta: true,
    celula: ({ mes }) => (mes ? `${mes.slice(5)}/${mes.slice(0, 4)}` : '–'),
  },
  {
    id: 'motivo',
    titulo: 'Motivo',
    celula: ({ explicacao, justificativa }) => (
      <>
        <Text size="sm">{explicacao}</Text>
        {justificativa && (
          <Text size="xs" c="dimmed">
            Justificado por {justificativa.por}: {justificativa.motivo}
          </Text>
        )}
      </>
    ),
  },
];

export function Lacunas({ cliente, lacunas }: { cliente: string; lacunas: readonly Lacuna[] }) {
  const [vistas, setVistas] = useState(POR_VEZ);
  const [justificada, setJustificada] = useState<Lacuna | null>(null);
  const acao: Coluna<Lacuna> = {
    id: 'acao',
    titulo: 'Ação',
    noCartao: 'lado',
    celula: (lacuna) => <Acao cliente={cliente} lacuna={lacuna} justificar={() => setJustificada(lacuna)} />,
  };
  return (
    <Paper className="folha" style={{ overflow: 'hidden' }}>
      <Tabela<Lacuna, string>
        nome="Lacunas"
        colunas={[...COLUNAS, acao]}
        linhas={lacunas.slice(0, vistas)}
        id={({ modelo, serie, numero }) => `${modelo}-${serie}-${numero}`}
      />
      {lacunas.length > vistas && (
        <Group justify="center" p="md">
          <Button variant="default" onClick={() => setVistas(vistas + POR_VEZ)}>
            Mostrar mais
          </Button>
        </Group>
      )}
      <Modal opened={justificada !== null} onClose={() => setJustificada(null)} title="Justificar a lacuna">
        {justificada && (
          <Justificar cliente={cliente} lacuna={justificada} fechar={() => setJustificada(null)} />
        )}
      </Modal>
    </Paper>
  );
}

/** Says why the number is missing, or takes that back. */
function Acao({ cliente, lacuna, justificar }: { cliente: string; lacuna: Lacuna; justificar: () => void }) {
  const pode = usePapel('administrador', 'operador');
  const { justificativa } = lacuna;
  if (justificativa)
    return (
      <Group gap="xs" wrap="nowrap">
        <Etiqueta cor="gray">justificado</Etiqueta>
        {pode && <Retirar cliente={cliente} lacuna={lacuna} justificativa={justificativa} />}
      </Group>
    );
  return pode ? (
    <Button size="compact-sm" variant="default" onClick={justificar}>
      Justificar
    </Button>
  ) : null;
}

function Retirar({
  cliente,
  lacuna: { modelo, serie },
  justificativa,
}: {
  cliente: string;
  lacuna: Lacuna;
  justificativa: NonNullable<Lacuna['justificativa']>;
}) {
  const retirar = useAcao('DELETE /faltantes/justificar', {
    renova: ['GET /faltantes', 'GET /inicio'],
    aoDarCerto: () => avisar('Justificativa retirada.'),
  });
  const { numero, numeroFinal, motivo, por } = justificativa;
  return (
    <Confirmar
      pergunta="Retirar a justificativa?"
      detalhe={`${nomeDoModelo(modelo)}, série ${serie}, ${numeros({ numero, numeroFinal })}: o que ainda faltar volta a contar como faltante. Justificado por ${por}: ${motivo}`}
      acao="Retirar"
      aoConfirmar={() =>
        retirar.mutateAsync({
          corpo: {
            cliente,
            modelo: modelo as Opcoes<'DELETE /faltantes/justificar'>['corpo']['modelo'],
            serie,
            numero,
          },
        })
      }
    >
      {(open) => (
        <Button size="compact-sm" variant="default" onClick={open}>
          Retirar
        </Button>
      )}
    </Confirmar>
  );
}

function Justificar({ cliente, lacuna, fechar }: { cliente: string; lacuna: Lacuna; fechar: () => void }) {
  const [motivo, setMotivo] = useState('');
  const justificar = useAcao('POST /faltantes/justificar', {
    renova: ['GET /faltantes', 'GET /inicio'],
    aoDarCerto: () => {
      avisar('Justificativa salva.');
      fechar();
    },
  });
  const { modelo, serie, numero, numeroFinal } = lacuna;
  const enviar = () =>
    justificar.mutate({
      corpo: {
        cliente,
        modelo: modelo as Opcoes<'POST /faltantes/justificar'>['corpo']['modelo'],
        serie,
        numero: Number(numero),
        numeroFinal: Number(numeroFinal),
        motivo: motivo.trim(),
      },
    });
  return (
    <Formulario
      acao={justificar}
      botao="Justificar"
      pronto={motivo.trim().length >= 3}
      aoEnviar={enviar}
      fechar={fechar}
    >
      <Text size="sm">
        {nomeDoModelo(modelo)}, série {serie}, {numeros(lacuna)}. O que é justificado deixa de contar como
        faltante.
      </Text>
      <Textarea
        label="Motivo"
        autosize
        minRows={2}
        maxLength={500}
        value={motivo}
        onChange={(event) => setMotivo(event.currentTarget.value)}
        data-autofocus
      />
    </Formulario>
  );
}
