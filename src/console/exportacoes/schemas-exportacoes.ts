/** Wire shapes of mass exports. */
import { Type } from '../../platform/http/esquema.ts';
import { parameter } from '../../platform/http/parametros.ts';
import { ID_NO_CORPO, instante, ouNulo, texto } from '../schemas.ts';
import { CAMPOS_DA_PASTA, PASTA_PADRAO } from './pasta.ts';

const IDS_MAX = 5_000;

export const ExportacaoParams = Type.Object({
  id: parameter<string>({
    codigo: 'dados_invalidos',
    mensagem: 'id deve ser o id de uma exportação.',
    schema: { type: 'string', description: 'Id da exportação.' },
    read: (given) => (/^[0-9a-f-]{36}$/.test(given) ? given : undefined),
  }),
});

export const ExportacaoBody = Type.Object({
  tipo: texto('O que fazer.', { enum: ['zip', 'xlsx', 'csv'] }),
  filtro: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 200 }), {
      description: 'Os mesmos nomes e valores, como texto, dos parâmetros de `GET /documentos`.',
    }),
  ),
  ids: Type.Optional(
    Type.Array(ID_NO_CORPO, {
      maxItems: IDS_MAX,
      description: 'Só estes documentos, dentro do filtro.',
    }),
  ),
  pasta: Type.Optional(
    texto(
      `Pastas dentro do ZIP. Campos: ${CAMPOS_DA_PASTA.map((name) => `{${name}}`).join(', ')}. Sem ela: ${PASTA_PADRAO}.`,
      { maxLength: 200 },
    ),
  ),
  comPdf: Type.Optional(
    Type.Boolean({ description: 'No ZIP, o PDF ao lado de cada XML; até 5.000 documentos.' }),
  ),
  soValidas: Type.Optional(
    Type.Boolean({
      description:
        'Deixa de fora o que não é válido (canceladas, denegadas, sem protocolo, inutilizadas). Sem isto, no ZIP fica em pastas à parte.',
    }),
  ),
  comEventos: Type.Optional(
    Type.Boolean({
      description:
        'Com os eventos de cada documento (cancelamento, carta de correção, manifestação); só com `false`, sem.',
    }),
  ),
});

export const Exportacao = Type.Object({
  id: texto('Id.'),
  tipo: texto('zip, xlsx ou csv.'),
  estado: texto('Situação.', {
    enum: ['na_fila', 'em_andamento', 'pronta', 'falhou', 'interrompida', 'expirada'],
  }),
  feitos: Type.Integer({ description: 'Documentos escritos até agora.' }),
  total: ouNulo(Type.Integer({ description: 'Documentos ao todo, quando se sabe.' })),
  bytes: ouNulo(Type.Integer({ description: 'Tamanho do arquivo pronto.' })),
  erro: ouNulo(texto('Por que não ficou pronta.')),
  nome: texto('Nome do arquivo.'),
  pasta: ouNulo(texto('Pastas do ZIP.')),
  comPdf: Type.Boolean(),
  soValidas: Type.Boolean({ description: 'Sem canceladas, denegadas, sem protocolo e inutilizadas.' }),
  criadaEm: instante('Quando foi pedida.'),
  fimEm: instante('Quando terminou.'),
  expiraEm: instante('Até quando o arquivo fica.'),
});
export const Exportacoes = Type.Object({
  itens: Type.Array(Exportacao, { description: 'As 100 últimas de quem pergunta.' }),
});
