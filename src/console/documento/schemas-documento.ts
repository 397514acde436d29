/** Wire shapes of one document in the console. */

import { FINALIDADE_AQUISICAO } from '../../fiscal/finalidade.ts';
import { Type } from '../../platform/http/esquema.ts';
import { booleanParameter, integerParameter, paginacao } from '../../platform/http/parametros.ts';
import { clienteEmConsulta, Parte } from '../documentos/schemas-documentos.ts';
import { ORIGENS } from '../queries-origem.ts';
import { ID_NO_CORPO, idDoCaminho, instante, ouNulo, texto } from '../schemas.ts';

export const DocumentoParams = Type.Object({ id: idDoCaminho });
export const VersaoParams = Type.Object({
  id: idDoCaminho,
  versaoId: integerParameter({
    codigo: 'dados_invalidos',
    mensagem: 'versaoId deve ser um número inteiro positivo.',
    minimum: 1,
    description: 'Número da versão.',
  }),
});
export const DocumentoQuery = Type.Object({ cliente: Type.Optional(clienteEmConsulta) });
export const PdfQuery = Type.Object({
  cliente: Type.Optional(clienteEmConsulta),
  abrir: Type.Optional(
    booleanParameter({
      name: 'abrir',
      description: 'Para abrir no navegador, de onde se imprime; sem isto, para baixar.',
    }),
  ),
});
export const ItensQuery = Type.Object({ ...paginacao, cliente: Type.Optional(clienteEmConsulta) });

const Campo = Type.Object({
  rotulo: texto('Nome do campo, para pessoas.'),
  valor: texto('Valor como está no XML; um código vem seguido do que significa.'),
  tipo: texto('Como mostrar o valor.', {
    enum: ['texto', 'moeda', 'numero', 'percentual', 'data', 'cpfCnpj', 'chave', 'cep', 'codigo'],
  }),
});

const Grupo = Type.Object({
  titulo: texto('Título do grupo.'),
  campos: Type.Array(Campo),
  tabela: Type.Optional(
    Type.Object({
      colunas: Type.Array(
        Type.Object({ rotulo: texto('Nome da coluna.'), tipo: texto('Como mostrar os valores.') }),
      ),
      linhas: Type.Array(Type.Array(texto('Valor.'))),
      total: Type.Integer({ description: 'Linhas no documento; aqui vêm as primeiras 200.' }),
    }),
  ),
});

const Item = Type.Object({ numero: Type.Integer(), campos: Type.Array(Campo) });

const Veredito = Type.Object({
  resultado: texto('Palavra do resultado.'),
  texto: texto('O resultado em uma frase.'),
  detalhe: ouNulo(texto('Por quê, ou o que foi conferido.')),
});
const Prova = Type.Object({
  resultado: texto('sefaz, assinada, coerente ou declarada.'),
  texto: texto('O resultado em uma frase.'),
  detalhe: ouNulo(texto('De quem é o certificado.')),
  partes: Type.Array(
    Type.Object({
      nome: texto('Assinatura, Titular, Autoridade, Validade ou Autorização.'),
      grau: texto('Como está.', { enum: ['certo', 'aviso', 'errado', 'nada'] }),
      texto: texto('Em uma frase.'),
    }),
  ),
});
const Vereditos = Type.Object({
  prova: Prova,
  assinatura: Veredito,
  esquema: Veredito,
  protocolo: Veredito,
  avisos: Type.Array(texto('Aviso da leitura.')),
});

const finalidade = texto('Finalidade da aquisição.', { enum: Object.values(FINALIDADE_AQUISICAO) });
const origem = texto('informada, documento ou sugerida.');

export const Finalidade = Type.Object({
  chave: texto('Chave.'),
  finalidade_documento: ouNulo(
    Type.Object({ codigo: texto('finNFe, tpCTe …'), descricao: texto('Em palavras.') }),
  ),
  finalidade_aquisicao: finalidade,
  origem,
  itens: Type.Array(
    Type.Object({
      numero: Type.Integer(),
      cfop: ouNulo(texto('CFOP.')),
      ncm: ouNulo(texto('NCM.')),
      finalidade_aquisicao: finalidade,
      origem,
    }),
  ),
});

const Acesso = Type.Object({
  em: instante('Quando.'),
  ato: texto('leitura, xml, pdf, exportacao, endereco ou feed.'),
  autor: texto('usuario:<id>, token:<id> ou endereco.'),
  nome: ouNulo(texto('Nome do usuário ou do token.')),
});

export const VistaDoDocumento = Type.Object({
  id: Type.Integer(),
  titulo: texto('Nome da espécie por extenso.'),
  cliente: Parte,
  clientes: Type.Array(
    Type.Object({
      cpfCnpj: texto('CPF ou CNPJ.'),
      nome: texto('Nome.'),
      papel: texto('Papel.'),
      tipo: texto('Emitida ou Recebida.'),
      nsu: Type.Integer(),
    }),
    { description: 'Clientes do escritório que têm este documento.' },
  ),
  nsu: Type.Integer(),
  especie: texto('NFe, NFCe, CTe …, Evento, Inutilizacao.'),
  classe: texto('documento, evento ou inutilizacao.'),
  modelo: texto('Modelo.'),
  serie: ouNulo(texto('Série.')),
  numero: ouNulo(texto('Número.')),
  chave: texto('Chave de acesso.'),
  status: texto('Situação.'),
  cartaCorrecao: Type.Boolean(),
  tipo: texto('Emitida ou Recebida.'),
  papel: texto('Papel do cliente.'),
  dataEmissao: texto('Como está no documento.'),
  dataImportacao: instante('Quando entrou.'),
  emitente: Parte,
  destinatario: Parte,
  uf: ouNulo(texto('Sigla.')),
  valor: ouNulo(texto('Valor em reais.')),
  manifestacao: ouNulo(texto('Manifestação do destinatário.')),
  prova: texto('Quanto está provada a situação: sefaz, assinada, coerente ou declarada.'),
  marcado: Type.Boolean({ description: 'A situação vem de algo com menos prova que o documento.' }),
  homologacao: Type.Boolean(),
  excluidoEm: instante('Quando o conteúdo foi apagado ao fim do prazo de guarda.'),
  conflito: Type.Boolean(),
  podeDesconsiderar: Type.Boolean({
    description: 'A situação vem de algo que nada prova, e pode ser desconsiderado aqui.',
  }),
  podeReconsiderar: Type.Boolean({ description: 'Algo foi desconsiderado aqui, e pode voltar a valer.' }),
  mesmaNota: Type.Array(
    Type.Object({
      id: Type.Integer({ description: 'Documento a abrir.' }),
      chave: texto('Chave.'),
      status: texto('Situação.'),
      layoutNacional: Type.Boolean({ description: 'No layout nacional; senão, no da prefeitura.' }),
      soCancelamento: Type.Boolean({
        description: 'Com essa chave está guardado só o cancelamento, e não a nota.',
      }),
    }),
    { description: 'A mesma NFS-e com outra chave: a do layout nacional ou a composta, da prefeitura.' },
  ),
  eventos: Type.Array(
    Type.Object({
      id: Type.Integer({ description: 'Documento do evento, para abrir.' }),
      codigo: ouNulo(texto('Código do evento.')),
      descricao: texto('Em palavras.'),
      em: texto('Quando.', { format: 'date-time' }),
      protocolo: ouNulo(texto('Protocolo do registro.')),
      cancela: Type.Boolean({ description: 'Cancela a nota, e não foi desconsiderado.' }),
      texto: ouNulo(texto('Motivo ou correção, como o autor escreveu.')),
      prova: texto('Quanto está provado: sefaz, assinada, coerente ou declarada.'),
      desconsiderado: Type.Boolean(),
    }),
    { description: 'Do mais antigo ao mais novo.' },
  ),
  nota: ouNulo(
    Type.Object(
      {
        id: Type.Integer({ description: 'Documento a abrir.' }),
        modelo: texto('Modelo.'),
        numero: ouNulo(texto('Número.')),
        status: texto('Situação.'),
      },
      { description: 'De um evento: a nota de que fala, se já veio.' },
    ),
  ),
  grupos: Type.Array(Grupo),
  itens: Type.Object({
    total: Type.Integer({
      description: 'Itens no documento; aqui vêm os primeiros 200, os outros em /itens.',
    }),
    itens: Type.Array(Item),
  }),
  ilegivel: Type.Boolean({
    description: 'O conteúdo não pôde ser lido no tempo e na memória permitidos; o XML está lá.',
  }),
  vereditos: ouNulo(Vereditos),
  linhaDoTempo: Type.Array(
    Type.Object({
      em: texto('Quando.', { format: 'date-time' }),
      tipo: texto('O que foi.', { enum: ['emissao', 'autorizacao', 'evento', 'importacao', 'acesso'] }),
      titulo: texto('Em palavras.'),
      detalhe: ouNulo(texto('Mais.')),
      documentoId: ouNulo(Type.Integer({ description: 'Documento do evento.' })),
    }),
  ),
  acessos: Type.Array(Acesso, { description: 'Os últimos 100.' }),
  versoes: Type.Array(
    Type.Object({
      id: Type.Integer(),
      servida: Type.Boolean({ description: 'É a que as integrações recebem.' }),
      sha256: texto('SHA-256 dos bytes originais.'),
      tamanho: Type.Integer({ description: 'Bytes.' }),
      importadaEm: instante('Quando.'),
      arquivoId: texto('Arquivo de que veio.'),
      origem: texto(`${ORIGENS.join(', ')}.`),
      vereditos: Vereditos,
      escolhida: Type.Boolean({ description: 'Foi escolhida por uma pessoa.' }),
      podeEscolher: Type.Boolean({ description: 'Pode ser escolhida para ser a entregue.' }),
      diferencas: Type.Array(
        Type.Object({
          campo: texto('Nome do campo.'),
          elemento: texto('Caminho no XML.'),
          servida: ouNulo(texto('Valor na versão entregue.')),
          outra: ouNulo(texto('Valor nesta versão.')),
        }),
      ),
    }),
    { description: 'A que é entregue e as outras, da mais antiga em diante; até 100.' },
  ),
  finalidade: ouNulo(Finalidade),
});

export const PaginaDeItens = Type.Object({
  total: Type.Integer(),
  paginas: Type.Integer(),
  tamanho: Type.Integer(),
  pagina: Type.Integer(),
  itens: Type.Array(Item),
});

/** Documents of one request. */
const FINALIDADES_MAX = 500;

export const FinalidadesBody = Type.Object({
  ids: Type.Array(ID_NO_CORPO, {
    minItems: 1,
    maxItems: FINALIDADES_MAX,
    description: 'Ids de documentos, como em GET /documentos.',
  }),
  finalidade_aquisicao: finalidade,
});

export const FinalidadesMudadas = Type.Object({
  mudados: Type.Integer({ description: 'Documentos em que a finalidade foi guardada.' }),
  ignorados: Type.Array(Type.Integer(), {
    description: 'Ids que não são de documentos que a sessão vê: eventos, inutilizações, inexistentes.',
  }),
});

export const MotivoBody = Type.Object(
  {
    motivo: Type.String({
      minLength: 5,
      maxLength: 500,
      description: 'Por quê; fica na auditoria.',
      'x-mensagem': 'motivo deve ter de 5 a 500 caracteres: diga por quê.',
    }),
  },
  { 'x-codigo': 'dados_invalidos' },
);

export const FinalidadeBody = Type.Object({
  finalidade_aquisicao: Type.Optional(finalidade),
  itens: Type.Optional(
    Type.Array(Type.Object({ numero: Type.Integer({ minimum: 1 }), finalidade_aquisicao: finalidade }), {
      maxItems: 990,
    }),
  ),
});
