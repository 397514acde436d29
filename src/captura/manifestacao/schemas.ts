import { DO_TOKEN, ERROS_AUTORIZACAO } from '../../autorizacao/errors.ts';
import { ERROS_CONTAS } from '../../contas/errors.ts';
import { ERROS_EXPORTACAO } from '../../exportacao/errors.ts';
import { ChaveParams } from '../../exportacao/schemas.ts';
import { ERROS_HTTP } from '../../platform/http/catalogo.ts';
import { ouNulo, Type } from '../../platform/http/esquema.ts';
import { answersOf, DO_CORPO } from '../../platform/http/respostas.ts';
import { ERROS_DE_MANIFESTACAO } from './errors.ts';
import { JUSTIFICATIVA } from './justificativa.ts';
import { MANIFESTACOES } from './tipos.ts';

const instante = (description: string) => ouNulo(Type.String({ format: 'date-time', description }));

const NOMES = Object.values(MANIFESTACOES)
  .map(({ codigo, nome, prazoDias }) => `${codigo} ${nome} (${prazoDias} dias)`)
  .join('; ');

export const ManifestarBody = Type.Object(
  {
    codigo: Type.String({
      maxLength: 20,
      description: `tpEvento: ${NOMES}. O prazo conta da autorização.`,
      examples: ['210210'],
    }),
    justificativa: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: `De ${JUSTIFICATIVA.min} a ${JUSTIFICATIVA.max} caracteres; obrigatória em 210240 e 610110.`,
      }),
    ),
  },
  { 'x-codigo': 'dados_invalidos', 'x-tolerante': true, title: 'ManifestacaoPedido' },
);

const Manifestacao = Type.Object(
  {
    codigo: Type.String({ description: 'tpEvento.' }),
    descricao: Type.String(),
    estado: Type.String({
      description: 'pendente, enviando, registrada ou recusada. Só registrada vale na SEFAZ.',
    }),
    pedida_em: instante('Quando foi pedida.'),
    pedida_por: Type.String({ description: 'Por quem, como na auditoria.' }),
    respondida_em: instante('Última resposta.'),
    proxima_em: instante('Quando vai de novo.'),
    resposta: ouNulo(Type.String({ description: 'cStat, ou código da falha.' })),
    mensagem: ouNulo(Type.String({ description: 'A resposta em palavras, e o que fazer.' })),
    protocolo: ouNulo(Type.String({ description: 'nProt do evento.' })),
  },
  { title: 'Manifestacao' },
);

const Manifestacoes = Type.Object(
  { chave: Type.String(), manifestacoes: Type.Array(Manifestacao) },
  { title: 'Manifestacoes' },
);

const CATALOGO = {
  ...ERROS_HTTP,
  ...ERROS_AUTORIZACAO,
  ...ERROS_CONTAS,
  ...ERROS_EXPORTACAO,
  ...ERROS_DE_MANIFESTACAO,
};

const COMUNS = [
  ...DO_TOKEN,
  'chave_invalida',
  'cpf_cnpj_invalido',
  'cliente_nao_encontrado',
  'documento_nao_encontrado',
];

const common = { tags: ['Captura'], security: [{ token: [] }, { oauth: [] }], params: ChaveParams };

const answers = answersOf(CATALOGO, COMUNS);

export const manifestacoesSchema = {
  ...common,
  operationId: 'manifestacoes',
  summary: 'Manifestações pedidas de um documento, e o que a SEFAZ respondeu',
  description: 'Cada pedido com o seu estado; o que foi recusado diz por quê e o que fazer.',
  response: answers('Manifestações', Manifestacoes, []),
};

export const manifestarSchema = {
  ...common,
  operationId: 'manifestar',
  summary: 'Manifesta-se sobre um documento em nome do cliente',
  description:
    'NF-e de que o cliente é destinatário, ou CT-e de que é tomador; basta o resumo ter chegado. É um ato na lei, assinado com o certificado do cliente: a Confirmação impede o cancelamento da nota. O pedido é enviado em seguida; a resposta se lê por GET no mesmo endereço. O que a SEFAZ recusaria não é enviado (409). Só com um token que valha para tudo.',
  body: ManifestarBody,
  response: answers('Pedido aceito', Manifestacoes, [
    ...DO_CORPO,
    'dados_invalidos',
    ...Object.keys(ERROS_DE_MANIFESTACAO),
  ]),
};
