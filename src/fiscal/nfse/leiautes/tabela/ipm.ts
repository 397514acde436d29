import type { Leiaute } from '../leiaute.ts';

export const ipm: Leiaute = {
  id: 'ipm',
  nome: 'IPM (Atende.Net)',
  fonte: 'Nota técnica 35 da IPM e notas baixadas do Atende.Net',
  nota: {
    elemento: ['nfse', 'retorno'],
    tem: ['.//numero_nfse', './/situacao_codigo_nfse|cod_verificador_autenticidade|serie_nfse'],
  },
  numero: ['.//numero_nfse'],
  serie: ['.//serie_nfse'],
  codigo: ['.//cod_verificador_autenticidade'],
  data: { campos: ['.//data_nfse'], hora: ['.//hora_nfse'] },
  prestador: {
    cpfCnpj: ['.//prestador//cpfcnpj|cnpj|cpf'],
    nome: ['.//prestador//nome_razao_social|razao_social|nome'],
  },
  tomador: {
    cpfCnpj: ['.//tomador//cpfcnpj|cnpj|cpf'],
    nome: ['.//tomador//nome_razao_social|razao_social|nome'],
  },
  valor: ['.//valor_total'],
  municipio: { codigo: ['.//prestador/cidade|codigo_municipio'], daReceita: true },
  situacao: [
    { tipo: 'situacao', campos: ['.//situacao_codigo_nfse'], cancelada: ['2'], normal: ['1'] },
    { tipo: 'situacao', campos: ['.//situacao_descricao_nfse'] },
    // A cancelled one, as it is downloaded, has this in the place of the code.
    { tipo: 'situacao', campos: ['.//situacao'], cancelada: ['C'], normal: ['N', 'E'] },
    { tipo: 'data', campos: ['.//data_cancelamento'] },
  ],
  chaveNacional: ['.//chave_acesso_nfse_nacional'],
  teste: ['.//nfse_teste'],
  // It answers the issue and the cancellation of a note with its number, and without anybody's name.
  semPrestador: {
    codigo: 'mensagem_sem_documento',
    mensagem:
      'O XML é só o recibo {ato} da NFS-e nº {numero} (layout IPM): não traz o prestador nem os valores. Envie o XML da NFS-e, como é baixado do site da prefeitura.',
  },
};
