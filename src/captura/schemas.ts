import { ERROS_AUTORIZACAO } from '../autorizacao/errors.ts';
import { ERROS_CONTAS } from '../contas/errors.ts';
import { ERROS_EXPORTACAO } from '../exportacao/errors.ts';
import { ChaveParams, DO_CLIENTE, EscopoParams } from '../exportacao/schemas.ts';
import { ERROS_HTTP } from '../platform/http/catalogo.ts';
import { ouNulo, Type } from '../platform/http/esquema.ts';
import { parameter } from '../platform/http/parametros.ts';
import { answersOf, DO_CORPO } from '../platform/http/respostas.ts';
import { ERROS_CAPTURA } from './errors.ts';
import { SERVICOS } from './servicos.ts';

const instante = (description: string) => ouNulo(Type.String({ format: 'date-time', description }));

const servico = parameter<(typeof SERVICOS)[number]>({
  codigo: 'servico_invalido',
  mensagem: `servico deve ser um destes valores: ${SERVICOS.join(', ')}.`,
  schema: {
    type: 'string',
    description: 'nfe, cte, nfse (ADN) ou nfce (SAE de São Paulo).',
    examples: ['nfe'],
  },
  read: (text) => SERVICOS.find((known) => known === text.toLowerCase()),
});

export const ServicoParams = Type.Object({ ...EscopoParams.properties, servico });
export const CapturaBody = Type.Object(
  {
    ligada: Type.Boolean({
      description: 'Se o Malote busca os documentos deste serviço.',
      examples: [true],
    }),
    passiva: Type.Optional(
      Type.Boolean({
        description: 'Outro programa já captura este CNPJ: o Malote não consulta, e só busca chaves pedidas.',
      }),
    ),
  },
  { 'x-codigo': 'dados_invalidos', 'x-tolerante': true, title: 'CapturaPedido' },
);

const CertificadoDaCaptura = Type.Object(
  {
    situacao: Type.String({
      description: 'ok, sem_certificado, certificado_vencido, certificado_ainda_nao_vale ou titular_diverso.',
    }),
    titular: ouNulo(Type.String({ description: 'CPF ou CNPJ de quem é o certificado usado.' })),
    valido_ate: instante('Até quando ele vale.'),
  },
  { title: 'CertificadoDaCaptura' },
);

const EstadoDaCaptura = Type.Object(
  {
    servico: Type.String({ description: 'nfe, cte, nfse ou nfce.' }),
    ligada: Type.Boolean(),
    passiva: Type.Boolean(),
    mudada_em: instante('Quando foi ligada ou desligada pela última vez.'),
    mudada_por: ouNulo(Type.String({ description: 'Por quem, como na auditoria.' })),
    certificado: CertificadoDaCaptura,
    espera: ouNulo(
      Type.String({
        description:
          'Por que não consulta agora: aguarda, bloqueada, parada, orcamento, em_andamento, recuperando ou servico_descansa (recusou outro cliente e conta pelo endereço).',
      }),
    ),
    proxima_em: instante('Antes disto o serviço não é consultado.'),
    bloqueada_ate: instante('Até quando o serviço recusa consultas (656).'),
    parada: ouNulo(Type.String({ description: 'cStat ou código da falha que parou a captura.' })),
    ult_nsu: Type.Integer({ description: 'Último NSU guardado.' }),
    max_nsu: Type.Integer({ description: 'Último NSU que existe no serviço.' }),
    primeira_em: instante('Primeira consulta.'),
    ultima_em: instante('Última consulta.'),
    ultima_ok_em: instante('Última consulta que deu certo.'),
    ultimo_documento_em: instante('Última vez que vieram documentos.'),
    ultima_resposta: ouNulo(Type.String({ description: 'cStat, ou código da falha, da última consulta.' })),
    ultimo_motivo: ouNulo(Type.String({ description: 'O que o serviço disse.' })),
    erros_seguidos: Type.Integer(),
    outro_programa_em: instante('Quando se viu que outro programa consulta o mesmo CNPJ.'),
    bloqueios: Type.Integer({ description: 'Respostas 656 até hoje.' }),
    documentos: Type.Integer({ description: 'Documentos recebidos até hoje.' }),
    consultas_na_hora: Type.Integer({ description: 'Documentos pedidos um a um na última hora.' }),
    lacunas: Type.Integer({ description: 'NSU que outro programa levou e ainda são buscados um a um.' }),
  },
  { title: 'EstadoDaCaptura' },
);

const ChavePedida = Type.Object(
  {
    chave: Type.String(),
    servico: Type.String(),
    estado: Type.String({ description: 'pendente, obtida ou impossivel.' }),
    pedida_em: instante('Quando foi pedida.'),
    tentada_em: instante('Última tentativa.'),
    resposta: ouNulo(Type.String({ description: 'cStat, ou código da falha, da última tentativa.' })),
  },
  { title: 'ChavePedida' },
);

const CATALOGO = {
  ...ERROS_HTTP,
  ...ERROS_AUTORIZACAO,
  ...ERROS_CONTAS,
  ...ERROS_EXPORTACAO,
  ...ERROS_CAPTURA,
};

const answers = answersOf(CATALOGO, DO_CLIENTE);

const common = { tags: ['Captura'], security: [{ token: [] }, { oauth: [] }] };

export const estadosSchema = {
  ...common,
  operationId: 'captura',
  summary: 'Como está a captura de um cliente, serviço por serviço',
  description:
    'Se está ligada, a última consulta e o que ela respondeu, quando será a próxima, e até onde se leu. Um serviço que nunca foi ligado também aparece.',
  params: EscopoParams,
  response: answers(
    'Estado de cada serviço',
    Type.Object({ servicos: Type.Array(EstadoDaCaptura) }, { title: 'Captura' }),
    [],
  ),
};

export const mudarSchema = {
  ...common,
  operationId: 'mudarCaptura',
  summary: 'Liga ou desliga a captura de um serviço',
  description:
    'Quem liga declara ter o consentimento do cliente: o Malote consulta o serviço com o certificado dele. Quem mudou, e quando, fica na auditoria. Só com um token que valha para tudo.',
  params: ServicoParams,
  body: CapturaBody,
  response: answers('Estado do serviço', EstadoDaCaptura, [
    ...DO_CORPO,
    'dados_invalidos',
    'servico_invalido',
  ]),
};

export const capturarSchema = {
  ...common,
  operationId: 'capturar',
  summary: 'Pede a próxima consulta assim que o serviço a permitir',
  description:
    'Nada adianta o relógio do serviço: depois de "nada novo", uma hora. `agora` diz se a consulta sai já; senão, `estado.proxima_em` diz quando. O que estava parado à espera de alguém volta a andar.',
  params: ServicoParams,
  response: answers(
    'O que foi feito do pedido',
    Type.Object(
      { agora: Type.Boolean(), mensagem: Type.String(), estado: EstadoDaCaptura },
      { title: 'CapturaPedida' },
    ),
    [...DO_CORPO, 'servico_invalido', 'captura_desligada'],
  ),
};

export const pedirChaveSchema = {
  ...common,
  operationId: 'capturarChave',
  summary: 'Pede um documento pela chave',
  description:
    'NF-e em que o cliente é parte e não é o emitente; NFC-e própria de São Paulo; NFS-e nacional. É buscado em seguida, dentro das 20 consultas por hora que a SEFAZ permite.',
  params: ChaveParams,
  response: answers('O pedido', ChavePedida, [
    ...DO_CORPO,
    'chave_invalida',
    'captura_desligada',
    'chave_de_outro_servico',
  ]),
};

export const chavesSchema = {
  ...common,
  operationId: 'chavesPedidas',
  summary: 'Chaves pedidas e o que foi feito delas, as últimas 500',
  description: 'De cada uma, se já veio, se ainda será consultada e quando, ou por que não pode vir.',
  params: EscopoParams,
  response: answers(
    'Chaves',
    Type.Object({ chaves: Type.Array(ChavePedida) }, { title: 'ChavesPedidas' }),
    [],
  ),
};
