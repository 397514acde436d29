import {
  Alert,
  Button,
  FileInput,
  Group,
  Paper,
  PasswordInput,
  Select,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconCertificate, IconCheck, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import { comoFalha } from '../../api/falha.ts';
import { formatarDia } from '../../formatos/datas.ts';
import { comoBase64 } from '../../partes/arquivo.ts';
import { avisar } from '../../partes/avisos.ts';
import { Confirmar } from '../../partes/confirmar.tsx';
import { Erro } from '../../partes/estados.tsx';
import { UFS } from '../../partes/nomes.ts';
import { textoDaValidade, Validade } from '../clientes/validade.tsx';
import type { ClienteAberto } from './aberto.ts';

const RENOVA = ['GET /clientes', 'GET /clientes/{cpfCnpj}', 'GET /inicio'] as const;

/** The A1 certificate: what there is, and another one, judged before it is stored. */
export function Certificado({ cliente }: { cliente: ClienteAberto }) {
  const { cpfCnpj, certificado } = cliente;
  const [trocando, setTrocando] = useState(false);
  const apagar = useAcao('DELETE /clientes/{cpfCnpj}/certificado', {
    renova: RENOVA,
    aoDarCerto: () => avisar('Certificado apagado.'),
  });
  return (
    <Paper className="folha" p="md">
      <Stack>
        <Title order={2}>Certificado A1</Title>
        {certificado ? (
          <Stack gap={4}>
            <Text size="sm" fw={600}>
              {certificado.titular}
            </Text>
            <Group justify="space-between">
              <Validade certificado={certificado} />
              <Text size="sm" c="dimmed">
                até {formatarDia(certificado.validoAte)}
              </Text>
            </Group>
          </Stack>
        ) : (
          <Text size="sm" c="dimmed">
            Nenhum certificado guardado. Ele fica selado e nunca sai do servidor.
          </Text>
        )}
        {trocando ? (
          <Enviar cpfCnpj={cpfCnpj} fechar={() => setTrocando(false)} />
        ) : (
          <Group>
            <Button
              variant={certificado ? 'default' : 'filled'}
              leftSection={<IconCertificate size={16} />}
              onClick={() => setTrocando(true)}
            >
              {certificado ? 'Trocar o certificado' : 'Enviar um certificado'}
            </Button>
            {certificado && (
              <Confirmar
                pergunta="Apagar o certificado deste cliente?"
                acao="Apagar"
                aoConfirmar={() => apagar.mutateAsync({ caminho: { cpfCnpj } })}
              >
                {(open) => (
                  <Button variant="subtle" color="red" leftSection={<IconTrash size={16} />} onClick={open}>
                    Apagar
                  </Button>
                )}
              </Confirmar>
            )}
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function Enviar({ cpfCnpj, fechar }: { cpfCnpj: string; fechar: () => void }) {
  const [arquivo, setArquivo] = useState<File | null>(null);
  const [senha, setSenha] = useState('');
  const [uf, setUf] = useState<string | null>(null);
  const [leitura, setLeitura] = useState<unknown>(null);
  const conferir = useAcao('POST /clientes/certificado/conferir');
  const guardar = useAcao('POST /clientes/{cpfCnpj}/certificado', {
    renova: RENOVA,
    aoDarCerto: () => {
      avisar('Certificado guardado.');
      fechar();
    },
  });
  const ler = async (): Promise<string | null> => {
    if (!arquivo) return null;
    setLeitura(null);
    return comoBase64(arquivo).catch((error: unknown) => {
      setLeitura(error);
      return null;
    });
  };
  const julgar = async () => {
    const base64 = await ler();
    if (base64 !== null) conferir.mutate({ corpo: { cpfCnpj, arquivo: base64, senha } });
  };
  const enviar = async () => {
    const base64 = await ler();
    if (base64 !== null && uf !== null)
      guardar.mutate({ caminho: { cpfCnpj }, corpo: { arquivo: base64, senha, uf } });
  };
  const veredito = conferir.data;
  const falha = leitura ?? conferir.error ?? guardar.error;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void (veredito?.valido ? enviar() : julgar());
      }}
    >
      <Stack gap="sm">
        <FileInput
          label="Arquivo .pfx ou .p12"
          accept=".pfx,.p12,application/x-pkcs12"
          placeholder="Escolher o arquivo"
          value={arquivo}
          onChange={(file) => {
            setArquivo(file);
            conferir.reset();
          }}
          clearable
          clearButtonProps={{ 'aria-label': 'Tirar o arquivo' }}
        />
        <PasswordInput
          label="Senha do certificado"
          autoComplete="off"
          value={senha}
          onChange={(event) => {
            setSenha(event.currentTarget.value);
            conferir.reset();
          }}
        />
        {veredito && (
          <Alert
            color={veredito.valido ? 'teal' : 'red'}
            icon={veredito.valido ? <IconCheck size={18} /> : undefined}
            title={veredito.valido ? 'O certificado serve' : 'O certificado não serve'}
            role="status"
          >
            <Text size="sm">{veredito.mensagem}</Text>
            {veredito.titular && (
              <Text size="sm">
                {veredito.titular}, até {formatarDia(veredito.validoAte)}
                {veredito.dias === null ? '' : ` (${textoDaValidade(veredito.dias)})`}
              </Text>
            )}
          </Alert>
        )}
        {veredito?.valido && (
          <Select label="UF do certificado" data={UFS} searchable value={uf} onChange={setUf} required />
        )}
        {falha ? <Erro falha={comoFalha(falha)} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={fechar}>
            Cancelar
          </Button>
          {veredito?.valido ? (
            <Button type="submit" disabled={uf === null} loading={guardar.isPending}>
              Salvar
            </Button>
          ) : (
            <Button type="submit" disabled={!arquivo} loading={conferir.isPending}>
              Conferir
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
