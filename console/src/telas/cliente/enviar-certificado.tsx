import { Alert, FileInput, PasswordInput, Select, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useAcao } from '../../api/consulta.ts';
import type { Resposta } from '../../api/rotas.ts';
import { formatDia } from '../../formatos/datas.ts';
import { formatarCpfCnpj } from '../../formatos/documentos-de-pessoa.ts';
import { comoBase64 } from '../../partes/arquivo.ts';
import { avisar } from '../../partes/avisos.ts';
import { Formulario } from '../../partes/formulario.tsx';
import { UFS } from '../../partes/nomes.ts';
import { textoDaValidade } from '../clientes/validade.tsx';

/** What is read anew when a client's certificate has changed. */
export const RENOVA = ['GET /clientes', 'GET /clientes/{cpfCnpj}', 'GET /inicio'] as const;

/** The file, read when it is sent; one that cannot be read stands in `falha`. */
function useArquivo() {
  const [arquivo, setArquivo] = useState<File | null>(null);
  const [falha, setFalha] = useState<unknown>(null);
  const ler = async (): Promise<string | null> => {
    if (!arquivo) return null;
    setFalha(null);
    return comoBase64(arquivo).catch((error: unknown) => {
      setFalha(error);
      return null;
    });
  };
  return { arquivo, setArquivo, falha, ler };
}

/** The certificate and its password: first judged, then, with its state, stored. */
export function EnviarCertificado({ cpfCnpj, fechar }: { cpfCnpj: string; fechar: () => void }) {
  const { arquivo, setArquivo, falha, ler } = useArquivo();
  const [senha, setSenha] = useState('');
  const [uf, setUf] = useState<string | null>(null);
  const conferir = useAcao('POST /clientes/certificado/conferir', {
    aoDarCerto: ({ ufProvavel }) => setUf((antes) => antes ?? ufProvavel),
  });
  const guardar = useAcao('POST /clientes/{cpfCnpj}/certificado', {
    renova: RENOVA,
    aoDarCerto: () => {
      avisar('Certificado guardado.');
      fechar();
    },
  });
  const serve = conferir.data?.valido === true;
  const enviar = async () => {
    const base64 = await ler();
    if (base64 === null) return;
    if (!serve) conferir.mutate({ corpo: { cpfCnpj, arquivo: base64, senha } });
    else if (uf !== null) guardar.mutate({ caminho: { cpfCnpj }, corpo: { arquivo: base64, senha, uf } });
  };
  return (
    <Formulario
      acao={{
        isPending: serve ? guardar.isPending : conferir.isPending,
        error: falha ?? conferir.error ?? guardar.error,
      }}
      botao={serve ? 'Salvar' : 'Conferir'}
      pronto={serve ? uf !== null : arquivo !== null}
      aoEnviar={() => void enviar()}
      fechar={fechar}
      gap="sm"
    >
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
      {conferir.data && <Veredito {...conferir.data} />}
      {serve && (
        <Select label="UF do certificado" data={UFS} searchable value={uf} onChange={setUf} required />
      )}
    </Formulario>
  );
}

function Veredito({
  valido,
  mensagem,
  titular,
  validoAte,
  dias,
}: Resposta<'POST /clientes/certificado/conferir'>) {
  return (
    <Alert
      color={valido ? 'teal' : 'red'}
      icon={valido ? <IconCheck size={18} /> : undefined}
      title={valido ? 'O certificado serve' : 'O certificado não serve'}
      role="status"
    >
      <Text size="sm">{mensagem}</Text>
      {titular && (
        <Text size="sm">
          {formatarCpfCnpj(titular)}, até {formatDia(validoAte)}
          {dias === null ? '' : ` (${textoDaValidade(dias)})`}
        </Text>
      )}
    </Alert>
  );
}
