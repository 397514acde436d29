/** Wire shapes of the audit log and of the health page. */

import { ehDia } from '../fiscal/dia.ts';
import { Type } from '../platform/http/esquema.ts';
import { integerParameter, parameter, tamanhoDaPagina } from '../platform/http/parametros.ts';
import { dataHora, instante, ouNulo, texto, textoEmConsulta } from './schemas.ts';

/** A day of São Paulo in a query. */
const dia = (name: string, description: string) =>
  parameter<string>({
    codigo: 'data_invalida',
    mensagem: `${name} deve ser uma data AAAA-MM-DD.`,
    schema: { type: 'string', format: 'date', description },
    read: (given) => (ehDia(given) ? given : undefined),
  });

const FILTROS = {
  quem: Type.Optional(
    textoEmConsulta('quem', 'Nome ou e-mail de um usuário, ou um autor como usuario:3, token:7, cli.'),
  ),
  ato: Type.Optional(
    textoEmConsulta('ato', 'Ato, ou o seu começo (cliente, certificado.guardado), ou palavras dele.'),
  ),
  de: Type.Optional(dia('de', 'Desde este dia.')),
  ate: Type.Optional(dia('ate', 'Até este dia, inclusive.')),
};

export const AUDITORIA_FILTROS = Type.Object(FILTROS);

export const AUDITORIA_CONSULTA = Type.Object({
  ...FILTROS,
  depois: Type.Optional(
    integerParameter({
      codigo: 'dados_invalidos',
      mensagem: 'depois deve ser o valor de proximo da página anterior.',
      minimum: 1,
      description: 'Cursor: o proximo da página anterior.',
    }),
  ),
  Tamanho: tamanhoDaPagina,
});

export const AUDITORIA = Type.Object({
  itens: Type.Array(
    Type.Object({
      id: Type.Integer({ description: 'Número na cadeia.' }),
      em: dataHora('Quando.'),
      quem: texto('Quem, para pessoas.'),
      autor: texto('Quem, como está no registro.'),
      ato: texto('O que foi feito, como está no registro.'),
      oQue: texto('O que foi feito, para pessoas.'),
      alvo: texto('A quê, como está no registro.'),
      sobre: texto('A quê, para pessoas.'),
      ip: ouNulo(texto('De onde, quando consta.')),
      detalhe: Type.Object({}, { additionalProperties: true }),
    }),
  ),
  proximo: ouNulo(texto('Cursor da página seguinte; nulo: não há.')),
  total: Type.Null({ description: 'Não é contado.' }),
});

export const AUDITORIA_VERIFICADA = Type.Object({
  integra: Type.Boolean({ description: 'A cadeia de todos os registros do servidor está inteira.' }),
  conferidos: Type.Integer({ description: 'Registros conferidos.' }),
  mensagem: texto('O resultado, para pessoas.'),
  fim: Type.Object({ n: Type.Integer(), hash: Type.String() }, { description: 'Anote fora do servidor.' }),
});

const bytes = (description: string) => Type.Integer({ description: `${description}, em bytes.` });

const ESQUEMAS = Type.Array(
  Type.Object({
    familia: texto('Nome do pacote sem a versão.'),
    versao: ouNulo(texto('Versão que o nome traz.')),
    nome: texto('Nome do pacote.'),
    arquivos: Type.Integer(),
    origem: texto('npm, ou instalado.'),
    instaladoEm: instante('Instalação; nulo: veio com o Malote.'),
    principais: Type.Array(Type.String(), { description: 'Esquemas que julgam documentos inteiros.' }),
  }),
);

/** Backups by schedule. */
export const AGENDA = Type.Object({
  ligada: Type.Boolean({ description: 'MALOTE_COPIA_PASTA está definida.' }),
  pasta: texto('Onde as cópias ficam.'),
  hora: texto('HH:MM em Brasília.'),
  guardar: Type.Integer({ description: 'Quantas ficam.' }),
  fazendo: Type.Boolean({ description: 'Uma está sendo feita, ou começa em segundos.' }),
  proximaEm: instante('A próxima.'),
  ultima: ouNulo(
    Type.Object({
      em: dataHora('Quando terminou.'),
      erro: ouNulo(texto('Por que falhou, ou o que faltou nela; null: deu certo.')),
    }),
  ),
});

export const SAUDE = Type.Object({
  avisos: Type.Array(Type.Object({ codigo: Type.String(), mensagem: Type.String() }), {
    description: 'O que pede atenção de quem administra o servidor.',
  }),
  fila: Type.Object({
    esperando: Type.Integer({ description: 'Arquivos na fila.' }),
    emExecucao: Type.Integer({ description: 'Arquivos em importação.' }),
    falharam: Type.Integer({ description: 'Arquivos de que se desistiu.' }),
    maisAntigoEm: instante('Desde quando o mais antigo espera.'),
  }),
  trabalhadores: Type.Array(texto('Processo que importa agora.')),
  disco: Type.Object({
    livre: bytes('Livre no disco dos dados'),
    total: bytes('Tamanho do disco dos dados'),
    banco: bytes('Ocupado pelo banco'),
    arquivos: bytes('Ocupado pelos arquivos guardados: envios, pacotes de exclusão, exportações'),
    recebidos: bytes('Recebido nos envios que se podem baixar, em qualquer forma que estejam guardados'),
    arquivosEm: texto('disco ou s3.'),
  }),
  banco: Type.Object({
    motor: texto('sqlite ou postgres.'),
    versao: texto('Versão do motor.'),
    bytes: bytes('Tamanho'),
    migracoes: Type.Integer({ description: 'Versão do esquema das tabelas.' }),
  }),
  agenda: AGENDA,
  copia: ouNulo(Type.Object({ em: dataHora('Última cópia de segurança.'), destino: texto('Onde.') })),
  versoes: Type.Object({ malote: Type.String(), node: Type.String() }),
  modo: texto('tudo, api ou worker: as partes deste processo.'),
  iniciadoEm: dataHora('Início deste processo.'),
  esquemas: ESQUEMAS,
  maisNovosQueOEsquema: Type.Integer({
    description:
      'Documentos que chegaram desde a última instalação de esquemas e são mais novos que eles; conta até 10.000.',
  }),
  podeInstalarEsquemas: Type.Boolean({ description: 'Este escritório foi o primeiro do servidor.' }),
});

export const ESQUEMAS_ENVIADOS = Type.Object({
  nome: texto('Nome do arquivo .zip.', { minLength: 1, maxLength: 200 }),
  arquivo: texto('O .zip em Base64, até 5 MB.', { minLength: 1 }),
});

export const ESQUEMAS_INSTALADOS = Type.Object({
  nome: Type.String(),
  arquivos: Type.Integer(),
  principais: Type.Array(Type.String()),
  naoCompilam: Type.Array(Type.String(), { description: 'Esquemas principais que ficam sem uso.' }),
  mensagem: texto('O resultado, para pessoas.'),
});
