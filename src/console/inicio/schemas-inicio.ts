/** Wire shape of the first page. */
import type { TSchema } from 'typebox';
import { Type } from '../../platform/http/esquema.ts';
import { integerParameter } from '../../platform/http/parametros.ts';
import { clienteEmConsulta } from '../documentos/schemas-documentos.ts';
import { instante, ouNulo, texto } from '../schemas.ts';
import { AGENDA } from '../schemas-auditoria.ts';

export const InicioQuery = Type.Object({
  cliente: Type.Optional(clienteEmConsulta),
  dias: integerParameter({
    codigo: 'dados_invalidos',
    mensagem: 'dias deve ser um número inteiro de 1 a 366.',
    minimum: 1,
    maximum: 366,
    default: 30,
    description: 'Dias do gráfico.',
  }),
});

const cliente = { cpfCnpj: texto('CPF ou CNPJ.'), nome: texto('Nome.') };

const osPrimeiros = <T extends TSchema>(item: T, description?: string) =>
  Type.Object(
    { total: Type.Integer(), itens: Type.Array(item, { description: 'Os 50 primeiros.' }) },
    description === undefined ? {} : { description },
  );

export const Inicio = Type.Object({
  documentosPorDia: Type.Array(
    Type.Object({
      dia: texto('AAAA-MM-DD da emissão.'),
      especie: texto('nfe, nfce, cfe, cte, nfse.'),
      quantidade: Type.Integer(),
    }),
  ),
  entradas: Type.Integer({ description: 'Tudo o que os clientes já receberam: a soma dos últimos NSU.' }),
  importacoesHoje: ouNulo(
    Type.Object({ arquivos: Type.Integer(), documentos: Type.Integer(), comErro: Type.Integer() }),
  ),
  passos: ouNulo(
    Type.Object(
      {
        clientes: Type.Boolean({ description: 'Há clientes cadastrados.' }),
        recebidos: Type.Boolean({ description: 'Algum arquivo foi recebido.' }),
        leitores: Type.Boolean({
          description: 'Um sistema leu documentos, um cliente entra no console, ou algo foi exportado.',
        }),
      },
      { description: 'Os primeiros passos de um escritório.' },
    ),
  ),
  retidos: ouNulo(
    Type.Object(
      {
        documentos: Type.Integer(),
        haMais: Type.Boolean({ description: 'São mais de 1.000.' }),
      },
      { description: 'Documentos à espera do cadastro de um cliente.' },
    ),
  ),
  falhasPendentes: ouNulo(
    Type.Integer({
      description: 'Arquivos dos últimos 90 dias com falhas que ninguém resolveu, entre os 2.000 mais novos.',
    }),
  ),
  maisNovosQueOEsquema: ouNulo(
    Type.Integer({
      description: 'Documentos mais novos que os esquemas instalados; conta até 10.000.',
    }),
  ),
  falhasHaMais: Type.Boolean({ description: 'Há outros, mais antigos, que não foram contados.' }),
  clientesQuietos: osPrimeiros(
    Type.Object({
      ...cliente,
      ultimoEm: instante('Último documento.'),
      dias: Type.Integer({ description: 'Dias de silêncio.' }),
      habitoDias: Type.Integer({ description: 'Dias que costumam separar as chegadas deste cliente.' }),
    }),
  ),
  certificados: osPrimeiros(
    Type.Object({ ...cliente, validoAte: instante('Fim da validade.'), dias: Type.Integer() }),
    'Vencidos, e os que vencem em 60 dias.',
  ),
  faltantes: ouNulo(
    Type.Object({
      total: Type.Integer({ description: 'NF-e e NFC-e dos últimos três meses.' }),
      clientes: Type.Integer({ description: 'De quantos clientes são.' }),
      porCliente: Type.Array(Type.Object({ ...cliente, total: Type.Integer() }), {
        description: 'Os 50 que mais têm.',
      }),
      calculadoEm: instante('Contado nesta hora.'),
    }),
  ),
  consumidores: osPrimeiros(
    Type.Object({
      ...cliente,
      token: texto('Nome do token.'),
      nsuLido: Type.Integer(),
      ultimoNsu: Type.Integer(),
      atraso: Type.Integer({ description: 'Entradas que o token ainda não leu.' }),
      lidoEm: instante('Última leitura.'),
    }),
  ),
  instalacao: ouNulo(
    Type.Object(
      { agenda: AGENDA, versaoNova: ouNulo(texto('Versão mais nova do Malote, quando se pode perguntar.')) },
      { description: 'Só para administradores do primeiro escritório do servidor.' },
    ),
  ),
  armazenamento: ouNulo(
    Type.Object({
      bytes: Type.Integer({ description: 'Dos arquivos recebidos.' }),
      arquivos: Type.Integer(),
    }),
  ),
});
