/** For each code that an item of an import may carry: what happened, and what the person can do. One list. */
import { IGNORADOS, REJEICOES } from '../../fiscal/rejeicoes.ts';

export interface Remedio {
  causa: string;
  remedio: string;
}

const NADA = 'Não é preciso fazer nada.';
const XML_DE_ORIGEM = 'Baixe o XML de novo no sistema que emitiu a nota, ou peça-o ao fornecedor.';
const OUTRO_XML = `Envie o XML do documento. ${XML_DE_ORIGEM}`;
const COM_PROTOCOLO = 'Envie o arquivo que traz a resposta da SEFAZ junto (procEvento, procInut ou nfeProc).';
const EMISSOR =
  'Avise quem emitiu o documento: o XML não segue o leiaute. Um XML baixado da SEFAZ costuma estar certo.';
const DIVIDIR = 'Divida o envio em arquivos menores.';
const NOVO_ZIP = 'Gere o .zip de novo com os XML dentro e envie outra vez.';

const REMEDIO_DA_REJEICAO: Readonly<Record<keyof typeof REJEICOES, string>> = {
  arquivo_vazio: OUTRO_XML,
  html_no_lugar_do_xml: `A página foi salva no lugar do arquivo. ${XML_DE_ORIGEM}`,
  pdf_no_lugar_do_xml: `O DANFE é só a representação. ${OUTRO_XML}`,
  imagem_no_lugar_do_xml: OUTRO_XML,
  sped_nao_aceito: 'Envie os XML dos documentos; a escrituração não os contém.',
  compactado_nao_aceito: 'Extraia o conteúdo e envie os XML em um .zip.',
  compactado_invalido: XML_DE_ORIGEM,
  compactado_grande_demais: DIVIDIR,
  json_nao_aceito: OUTRO_XML,
  arquivo_bancario: 'Retire-o do envio: só documentos fiscais são guardados.',
  planilha_no_lugar_do_xml: OUTRO_XML,
  conteudo_nao_reconhecido: OUTRO_XML,
  pecas_demais: DIVIDIR,
  xml_mal_formado: `O arquivo foi cortado ou alterado. ${XML_DE_ORIGEM}`,
  doctype_proibido: EMISSOR,
  xml_elementos_demais: EMISSOR,
  xml_profundo_demais: EMISSOR,
  xml_atributos_demais: EMISSOR,
  xml_namespaces_demais: EMISSOR,
  documento_nao_suportado: 'Retire-o do envio: esta espécie ainda não é guardada.',
  documento_desconhecido: OUTRO_XML,
  mensagem_sem_documento: `É o pedido, ou uma resposta sem a nota. ${COM_PROTOCOLO} Um protocolo de autorização fica guardado e é juntado à nota quando ela chegar.`,
  evento_sem_registro: COM_PROTOCOLO,
  inutilizacao_sem_registro: COM_PROTOCOLO,
  nfe_sem_infnfe: XML_DE_ORIGEM,
  cte_sem_infcte: XML_DE_ORIGEM,
  cfe_sem_infcfe: XML_DE_ORIGEM,
  cfe_sem_chave: 'Envie o XML que o equipamento SAT devolveu, não o que foi enviado a ele.',
  txt_mal_formado: 'Gere o TXT de novo no emissor, ou envie o XML da nota.',
  txt_sem_chave: 'Envie o XML da nota, que traz a chave.',
  nfse_layout_desconhecido: 'Envie o XML no leiaute nacional ou ABRASF, se a prefeitura o oferecer.',
  nfse_sem_prestador: 'Exporte do site da prefeitura o XML de cada NFS-e, em vez do relatório.',
  namespace_invalido: EMISSOR,
  elemento_repetido: EMISSOR,
  chave_ausente: XML_DE_ORIGEM,
  chave_invalida: XML_DE_ORIGEM,
  chave_com_dv_invalido: `A chave foi alterada. ${XML_DE_ORIGEM}`,
  modelo_nao_suportado: 'Retire-o do envio: este modelo não é guardado.',
  ambiente_invalido: EMISSOR,
  emitente_ausente: EMISSOR,
  numero_nfse_invalido: 'Envie o XML da NFS-e já emitida, com o seu número.',
  emitente_invalido: EMISSOR,
  data_emissao_ausente: EMISSOR,
  data_emissao_invalida: EMISSOR,
  protocolo_de_outra_chave: `Nota e protocolo foram juntados por engano. ${XML_DE_ORIGEM}`,
  rejeitada_pela_sefaz: 'A nota não existe para o Fisco. Envie a que foi autorizada depois da correção.',
  tipo_evento_invalido: EMISSOR,
  evento_rejeitado_pela_sefaz: 'O evento não vale. Envie o que foi registrado depois da correção.',
  inutilizacao_nao_homologada: 'A inutilização não vale. Envie a que foi homologada.',
  numeracao_invalida: EMISSOR,
};

const REMEDIO_DO_IGNORADO: Readonly<Record<keyof typeof IGNORADOS, string>> = {
  pdf: `${NADA} O XML da nota é que fica guardado.`,
  imagem: NADA,
  arquivo_de_sistema: NADA,
  planilha: 'Se ela traz chaves de acesso, salve a coluna das chaves em um .txt e envie-o.',
  certificado: 'Cadastre-o na ficha do cliente, e não o envie junto com as notas.',
  outro_arquivo: NADA,
  protocolo_sem_documento:
    'Envie a nota, em qualquer arquivo: o protocolo de autorização fica guardado e é juntado a ela.',
  lixo_depois_do_documento: NADA,
};

/** Codes of files, of zips and of documents that are kept and ask for attention. */
const OUTROS: Readonly<Record<string, Remedio>> = {
  documento_grande_demais: {
    causa: 'O arquivo passa de 10 MB.',
    remedio: 'Separe os documentos e envie-os em um .zip.',
  },
  documento_nao_processavel: {
    causa: 'O conteúdo não pôde ser lido no tempo e na memória que um documento pode usar.',
    remedio: XML_DE_ORIGEM,
  },
  sem_documentos: {
    causa: 'Nenhum documento fiscal foi encontrado no arquivo.',
    remedio: 'Envie os XML dos documentos, soltos ou em um .zip.',
  },
  itens_demais: {
    causa: 'O envio traz mais de 300.000 itens; os que vêm depois deles não foram lidos.',
    remedio: 'Divida-o em envios menores.',
  },
  falha_interna: {
    causa: 'O serviço não conseguiu processar o arquivo, e o motivo não está nele.',
    remedio: 'Use "reimportar"; se persistir, informe o id do arquivo a quem opera o serviço.',
  },
  zip_corrompido: { causa: 'O .zip está incompleto ou danificado.', remedio: NOVO_ZIP },
  zip_dividido: { causa: 'É um volume de um conjunto dividido.', remedio: 'Junte as partes em um só .zip.' },
  zip_vazio: { causa: 'O .zip não contém arquivo algum.', remedio: NOVO_ZIP },
  zip_sobreposto: { causa: 'Entradas do .zip ocupam os mesmos bytes.', remedio: NOVO_ZIP },
  zip_profundo_demais: {
    causa: 'Há arquivos dentro de arquivos (.zip, .tar, mensagens) em mais de 3 níveis.',
    remedio: 'Extraia os de dentro antes de enviar.',
  },
  zip_entradas_demais: { causa: 'O envio passa de 20.000 entradas.', remedio: DIVIDIR },
  zip_grande_demais: { causa: 'O conteúdo descompactado passa de 500 MB.', remedio: DIVIDIR },
  zip_cifrado: { causa: 'O .zip está protegido por senha.', remedio: 'Gere o .zip sem senha.' },
  zip_razao_suspeita: {
    causa: 'O conteúdo cresce mais de 100 vezes ao ser descompactado.',
    remedio: NOVO_ZIP,
  },
  zip_documento_grande_demais: {
    causa: 'Um arquivo do .zip passa de 10 MB.',
    remedio: 'Separe os documentos dele.',
  },
  zip_interno_grande_demais: {
    causa: 'Um arquivo que traz outros dentro é grande demais.',
    remedio: 'Envie-o separado.',
  },
  zip_nome_longo_demais: {
    causa: 'O nome de uma entrada é longo demais.',
    remedio: 'Encurte o nome e gere o .zip de novo.',
  },
  zip_metodo_desconhecido: {
    causa: 'A compressão da entrada não é aceita.',
    remedio: 'Gere o .zip com a compressão padrão (Deflate).',
  },
  zip_entrada_corrompida: { causa: 'Os dados de uma entrada estão danificados.', remedio: NOVO_ZIP },
  zip_cabecalho_divergente: {
    causa: 'O índice do .zip e o cabeçalho da entrada se contradizem.',
    remedio: NOVO_ZIP,
  },
  zip_tamanho_divergente: { causa: 'A entrada não tem o tamanho que o .zip anuncia.', remedio: NOVO_ZIP },
  zip_crc_invalido: { causa: 'A entrada não confere com a soma de verificação do .zip.', remedio: NOVO_ZIP },
  zip_link_simbolico: {
    causa: 'A entrada é um atalho ou arquivo especial; nada foi lido.',
    remedio: 'Ponha no .zip o próprio arquivo.',
  },
  documento_de_escritorio: {
    causa: 'É uma planilha, um texto ou um programa em forma de .zip.',
    remedio: OUTRO_XML,
  },
  recipiente_danificado: {
    causa: 'Um arquivo que traz outros dentro (.tar, .bz2, .xz, mensagem, assinatura) está danificado.',
    remedio: 'Baixe-o de novo, ou envie os XML em um .zip.',
  },
  conteudo_cifrado: {
    causa: 'O conteúdo está cifrado para o seu destinatário.',
    remedio: 'Abra-o com o certificado de quem o recebeu e envie o XML.',
  },
  assinatura_sem_conteudo: {
    causa: 'É só a assinatura (.p7s), sem o documento dentro.',
    remedio: 'Envie o arquivo que foi assinado.',
  },
  mensagem_sem_anexo: {
    causa: 'A mensagem de e-mail não traz anexo; endereços no texto dela não são abertos.',
    remedio: 'Se ela traz um endereço para baixar o XML, baixe-o e envie-o.',
  },
  documento_ja_importado: {
    causa: 'A chave da lista é de um documento que já está no Malote.',
    remedio: NADA,
  },
  documento_de_homologacao: {
    causa: 'O documento foi emitido em homologação, sem valor fiscal: fica guardado à parte.',
    remedio: 'Se for um teste, nada a fazer. Se não, o emissor precisa emitir em produção.',
  },
  cliente_nao_cadastrado: {
    causa: 'Nenhuma empresa do documento é cliente do escritório: ele fica guardado, à espera.',
    remedio: 'Cadastre a empresa em "Retidos": o documento entra nas listas na hora.',
  },
  leiaute_desconhecido: {
    causa: 'A NFS-e é de um leiaute municipal que ainda não é lido: fica guardada, à espera.',
    remedio:
      'Em "Leiautes a ensinar", mostre onde estão os campos dela, ou instale o leiaute que um colega enviou.',
  },
  sem_prova: {
    causa: 'O documento está guardado, mas nada prova que seja verdadeiro: a mensagem diz o que falta.',
    remedio: 'Confira com quem enviou, e peça o XML como a SEFAZ o autorizou.',
  },
  evento_sem_prova: {
    causa: 'O evento tem menos prova que o documento de que fala.',
    remedio:
      'Peça o XML do evento assinado por quem o registrou; se não for verdadeiro, desconsidere-o na página do documento.',
  },
  status_sem_prova: {
    causa: 'Uma resposta que ninguém assina diz que o documento foi cancelado.',
    remedio: 'Envie o XML do evento assinado, ou desconsidere a resposta na página do documento.',
  },
  mesma_nota_cancelada: {
    causa: 'A mesma NFS-e está no Malote no layout da prefeitura e no nacional, e foi cancelada em um deles.',
    remedio: 'Abra as duas e confira na prefeitura e no portal nacional qual situação vale.',
  },
  protocolo_de_evento: {
    causa: 'No lugar da autorização, a nota traz o registro de um evento: ela fica pendente.',
    remedio: 'Envie a nota com o seu protocolo de autorização, e o evento em outro arquivo.',
  },
  anotado_em_parte: {
    causa:
      'O documento traz mais participantes ou itens do que o leiaute admite; só os primeiros foram anotados.',
    remedio: 'Se um cliente ficou de fora, avise quem emitiu o documento. O XML fica guardado inteiro.',
  },
  lido_com_duvida: {
    causa: 'A nota se contradiz, ou traz algo que não se lê: a mensagem diz o quê e como ela foi lida.',
    remedio: 'Confira no site da prefeitura e, se for o caso, envie o XML baixado de novo.',
  },
  eventos_demais: {
    causa: 'Já há eventos demais desta chave no Malote; este não foi guardado entre eles.',
    remedio: 'Confira de onde vêm os eventos da nota. O arquivo enviado fica guardado.',
  },
  fora_do_acesso: {
    causa: 'Nenhuma das suas empresas participa do documento: ele não foi guardado.',
    remedio: 'Envie só documentos das empresas que você vê. Os outros quem envia é o escritório.',
  },
  versoes_demais: {
    causa: 'Já há 50 conteúdos diferentes com esta chave; este não foi guardado entre eles.',
    remedio: 'Abra o documento e confira na SEFAZ (ou na prefeitura) qual foi autorizado.',
  },
  chave_com_outro_conteudo: {
    causa: 'Já há documento com a mesma chave e outro conteúdo; as duas versões ficam guardadas.',
    remedio:
      'Abra o documento, compare as versões e confira na SEFAZ (ou na prefeitura) qual foi autorizada.',
  },
};

function joined(causas: Readonly<Record<string, string>>, remedios: Readonly<Record<string, string>>) {
  return Object.keys(causas).map((codigo): [string, Remedio] => [
    codigo,
    { causa: causas[codigo] ?? '', remedio: remedios[codigo] ?? '' },
  ]);
}

/** By code. */
export const REMEDIOS: ReadonlyMap<string, Remedio> = new Map([
  ...joined(REJEICOES, REMEDIO_DA_REJEICAO),
  ...joined(IGNORADOS, REMEDIO_DO_IGNORADO),
  ...Object.entries(OUTROS),
]);
