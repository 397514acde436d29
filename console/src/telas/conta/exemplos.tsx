import { Code, Group, Stack, Text } from '@mantine/core';
import { diaDeHoje } from '../../formatos/datas.ts';
import { Copiar } from '../../partes/copiar.tsx';
import { useSessao } from '../../sessao/sessao.tsx';

/** Lines that work when pasted into a terminal. */
export function Exemplos({ cliente, token }: { cliente: string | null; token: string | null }) {
  const { escritorio, enderecos } = useSessao();
  const quem = cliente ?? '$CNPJ';
  const chave = token ?? '$TOKEN';
  const doCliente = `${enderecos.base}/api/v1/${escritorio.codigoCrm}/${quem}`;
  const cabecalho = `-H "Authorization: Bearer ${chave}"`;
  const exemplos: [string, string][] = [
    [
      'Ler os documentos novos desde o NSU 0',
      `curl ${cabecalho} "${doCliente}/documentos/0/novos?Tamanho=50&Xml=false"`,
    ],
    [
      'Listar as NF-e do mês',
      `curl ${cabecalho} "${doCliente}/nfe?DataInicial=${diaDeHoje().slice(0, 8)}01"`,
    ],
    [
      'Pedir um endereço e enviar um arquivo',
      `curl ${cabecalho} -H "Content-Type: application/json" \\\n  -d '{"size": 12345, "extension": ".xml"}' "${enderecos.importacao}/storage"\n# a resposta traz "url", que vale 60 segundos:\ncurl -T nota.xml "$URL"`,
    ],
  ];
  return (
    <Stack gap="sm">
      {exemplos.map(([nome, linha]) => (
        <div key={nome}>
          <Group gap={4}>
            <Text size="sm" fw={600}>
              {nome}
            </Text>
            <Copiar valor={linha} rotulo={`Copiar: ${nome}`} />
          </Group>
          <Code block className="quebra" style={{ whiteSpace: 'pre-wrap' }}>
            {linha}
          </Code>
        </div>
      ))}
    </Stack>
  );
}
