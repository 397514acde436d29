import { Alert, Button, Divider, Select, Stack, Text } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { endereco } from '../../api/chamar.ts';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import { Elo } from '../../partes/elo.tsx';
import { Erro } from '../../partes/estados.tsx';

/** Where to go on after the way to the provider and back, in this tab. */
const VOLTA = 'malote.volta';

export function takeVolta(): string | null {
  const volta = sessionStorage.getItem(VOLTA);
  sessionStorage.removeItem(VOLTA);
  return volta;
}

/** What went wrong at the provider, as `GET /entrar/externo/retorno` names it. */
const FALHAS: Readonly<Record<string, string>> = {
  recusado: 'O provedor não confirmou a entrada. Tente de novo.',
  resposta_invalida: 'A resposta do provedor não confere com o pedido deste navegador. Comece de novo.',
  email_nao_confirmado:
    'O provedor não garante o e-mail desta conta. Confirme o e-mail nele, ou peça ajuda a quem administra o servidor.',
  indisponivel: 'O provedor não respondeu. Tente de novo, ou entre com a senha.',
};

/** A button for each provider by which one may come in; nothing where there is none. */
export function Provedores({ volta, falha }: { volta: string; falha: string | null }) {
  const { data } = useConsulta('GET /entrar/externo');
  if (!data || data.provedores.length === 0) return null;
  return (
    <Stack gap="xs" mt="md">
      <Divider label="ou" />
      {falha && (
        <Alert color="red" role="alert" title="Não foi possível entrar pelo provedor">
          {FALHAS[falha] ?? FALHAS.recusado}
        </Alert>
      )}
      {data.provedores.map(({ id, nome }) => (
        <Button
          key={id}
          variant="default"
          fullWidth
          leftSection={<IconLogin2 size={17} aria-hidden />}
          component="a"
          href={endereco('GET /entrar/externo/{provedor}', { caminho: { provedor: id } })}
          onClick={() => sessionStorage.setItem(VOLTA, volta)}
        >
          Entrar com {nome}
        </Button>
      ))}
    </Stack>
  );
}

/** Comes back from a provider: goes in at once, unless there is something to choose or to prove. */
export function VindoDoProvedor({
  aoEntrar,
  aoDesafiar,
}: {
  aoEntrar: () => void;
  aoDesafiar: (desafio: string) => void;
}) {
  const [escritorios, setEscritorios] = useState<readonly { codigoCrm: string; nome: string }[]>([]);
  const entrar = useAcao('POST /entrar/externo', {
    aoDarCerto: (resposta) => {
      if (resposta.etapa === 'totp') aoDesafiar(resposta.desafio ?? '');
      else if (resposta.etapa === 'escritorio') setEscritorios(resposta.escritorios ?? []);
      else aoEntrar();
    },
  });
  const { mutate } = entrar;
  const pediu = useRef(false);
  useEffect(() => {
    // The way in can be gone once only.
    if (pediu.current) return;
    pediu.current = true;
    mutate({ corpo: {} });
  }, [mutate]);
  if (entrar.error)
    return (
      <Stack>
        <Erro falha={entrar.error} titulo="Não foi possível entrar" />
        <Elo para="/entrar">Voltar</Elo>
      </Stack>
    );
  if (escritorios.length === 0) return <Text role="status">Entrando…</Text>;
  return (
    <Select
      label="Escritório"
      description="Esta conta tem acesso a mais de um."
      data={escritorios.map(({ codigoCrm, nome }) => ({
        value: codigoCrm,
        label: `${nome} (CRM ${codigoCrm})`,
      }))}
      onChange={(codigoCrm) => codigoCrm && mutate({ corpo: { codigoCrm } })}
      disabled={entrar.isPending}
    />
  );
}
