import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAcao, useConsulta } from '../../api/consulta.ts';
import { semAcentos } from '../../formatos/textos.ts';
import { avisar } from '../../partes/avisos.ts';
import { Formulario } from '../../partes/formulario.tsx';
import type { Apontado } from './apontado.ts';

/** Gives the layout its name and puts it in force. */
export function Gravar({ apontado, pronto }: { apontado: Apontado; pronto: boolean }) {
  const [nome, setNome] = useState('');
  const [, irPara] = useLocation();
  const { data } = useConsulta('GET /leiautes');
  const gravar = useAcao('POST /leiautes', {
    renova: [
      'GET /leiautes',
      'GET /importacoes',
      'GET /documentos',
      'GET /documentos/contagens',
      'GET /inicio',
    ],
    aoDarCerto: (resposta) => {
      avisar(`Leiaute ${resposta.nome} gravado: as notas que ele lê entram nas listas em instantes.`);
      irPara('/leiautes');
    },
  });
  const igual = (outro: string) => semAcentos(outro).trim() === semAcentos(nome).trim();
  return (
    <Stack p="md">
      <Formulario
        acao={gravar}
        botao="Gravar"
        pronto={pronto && nome.trim() !== ''}
        aoEnviar={() => gravar.mutate({ corpo: { ...apontado, nome: nome.trim() } })}
      >
        <TextInput
          label="Nome do leiaute"
          description="O do sistema da prefeitura, ou o da cidade"
          value={nome}
          onChange={(event) => setNome(event.currentTarget.value)}
          maxLength={80}
        />
        {data?.leiautes.some((outro) => igual(outro.nome)) && (
          <Alert color="orange">
            Já há um leiaute com este nome: gravar troca-o por este. O que ele já leu fica como está.
          </Alert>
        )}
        <Text size="xs" c="dimmed">
          Confira os números, as datas, os valores e as partes acima. Depois de entrarem nas listas, as notas
          ficam como foram lidas, mesmo que o leiaute mude.
        </Text>
      </Formulario>
    </Stack>
  );
}
