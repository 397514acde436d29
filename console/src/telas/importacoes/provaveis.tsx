import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { chamar } from '../../api/chamar.ts';
import { envelhecer, useConsulta } from '../../api/consulta.ts';
import type { Item } from '../../api/rotas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { formatInteiro, plural } from '../../formatos/numeros.ts';
import { avisar, tellFalha } from '../../partes/avisos.ts';
import { colunaDaEmpresa } from '../../partes/duas-linhas.tsx';
import { type Coluna, Tabela } from '../../partes/tabela.tsx';
import { useSessao } from '../../sessao/sessao.tsx';

type Provavel = Item<'GET /retidos/provaveis'>;
/** Registrations of one request; each delivers what was held. */
const POR_VEZ = 25;
const RENOVA = ['GET /retidos', 'GET /retidos/provaveis', 'GET /clientes', 'GET /falhas'] as const;

const COLUNAS: readonly Coluna<Provavel>[] = [
  colunaDaEmpresa('Empresa nos documentos'),
  { id: 'emitidos', titulo: 'Emitiu', numero: true, celula: ({ emitidos }) => formatInteiro(emitidos) },
  { id: 'recebidos', titulo: 'Recebeu', numero: true, celula: ({ recebidos }) => formatInteiro(recebidos) },
];

/** Above the companies with held documents: who of them the clients probably are, to be registered at once. */
export function Provaveis() {
  const { data } = useConsulta('GET /retidos/provaveis');
  const itens = data?.itens ?? [];
  return itens.length === 0 ? null : <Escolha key={itens[0]?.cpfCnpj} itens={itens} />;
}

/** Registers some at a time, and tells how far it is. */
function useCadastro() {
  const [feitos, setFeitos] = useState<number | null>(null);
  const cadastrar = async (empresas: readonly Provavel[]) => {
    setFeitos(0);
    let cadastrados = 0;
    try {
      for (let at = 0; at < empresas.length; at += POR_VEZ) {
        const vez = empresas.slice(at, at + POR_VEZ);
        const corpo = {
          empresas: vez.map(({ cpfCnpj, nome }) => ({ cpfCnpj, nome: nome ?? formatarCpfCnpj(cpfCnpj) })),
        };
        cadastrados += (await chamar('POST /retidos/cadastrar-varios', { corpo })).cadastrados;
        setFeitos(at + vez.length);
      }
      avisar(
        `${plural(cadastrados, 'cliente cadastrado', 'clientes cadastrados')}: os documentos deles já estão nas listas.`,
      );
    } catch (falha) {
      tellFalha(falha);
    } finally {
      setFeitos(null);
      await envelhecer(RENOVA);
    }
  };
  return { feitos, cadastrar };
}

function Escolha({ itens }: { itens: readonly Provavel[] }) {
  const { usuario } = useSessao();
  const [fora, setFora] = useState<ReadonlySet<string>>(new Set());
  const { feitos, cadastrar } = useCadastro();
  const escolhidas = itens.filter(({ cpfCnpj }) => !fora.has(cpfCnpj));
  const trocar = (ids: readonly string[], marcado: boolean) => {
    const novo = new Set(fora);
    for (const id of ids) {
      if (marcado) novo.delete(id);
      else novo.add(id);
    }
    setFora(novo);
  };
  return (
    <Alert color="malote" variant="light" title="Devem ser clientes do escritório" m="sm">
      <Stack gap="sm">
        <Text size="sm">
          Uma destas empresas está em cada documento retido; as outras são fornecedores e compradores delas.
          Desmarque as que não são suas clientes.
        </Text>
        <div className="folha" style={{ overflow: 'hidden' }}>
          <Tabela<Provavel, string>
            nome="Prováveis clientes"
            colunas={COLUNAS}
            linhas={itens}
            id={({ cpfCnpj }) => cpfCnpj}
            selecao={{ tem: (id) => !fora.has(id), trocar }}
            nomeDaLinha={({ nome, cpfCnpj }) => nome ?? cpfCnpj}
          />
        </div>
        {feitos !== null && (
          <Progress value={(feitos / escolhidas.length) * 100} aria-label="Clientes cadastrados" />
        )}
        <Group gap="sm">
          <Button
            leftSection={<IconUserPlus size={16} />}
            disabled={escolhidas.length === 0}
            loading={feitos !== null}
            onClick={() => void cadastrar(escolhidas)}
          >
            Cadastrar {plural(escolhidas.length, 'cliente')}
          </Button>
          <Text size="xs" c="dimmed">
            Com o seu e-mail, {usuario.email}; mude-o depois na ficha de cada um.
          </Text>
        </Group>
      </Stack>
    </Alert>
  );
}
