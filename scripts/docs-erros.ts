/**
 * docs/erros.md: every code that an integrator may meet. Codes with a list in the code come from there. `npm run docs`
 * writes it with the other pages, this script alone.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGO_DE_ERROS } from '../src/catalogo-de-erros.ts';
import { AVISOS } from '../src/console/saude/saude.ts';
import { FALHAS_DO_CERTIFICADO } from '../src/contas/certificado/conferir.ts';
import { IGNORADOS, REJEICOES } from '../src/fiscal/rejeicoes.ts';
import { FALHAS_DO_ARQUIVO } from '../src/importacao/unpack/entradas.ts';

/** `erros[].codigo` of fields whose fault has no code of its own. */
const CAMPOS: Record<string, string> = {
  obrigatorio: 'O campo falta.',
  valor_arredondado:
    'Uma planilha trocou o número por um arredondado (5,35764E+13), e os últimos dígitos não estão no arquivo.',
  valor_invalido: 'O campo tem outro tipo, outro formato ou está fora dos limites; a mensagem diz quais são.',
  repetido: 'O mesmo valor veio em dois itens da lista.',
  inexistente: 'O valor nomeia algo que não existe, como um item que o documento não tem.',
};

/** Codes of an item that is in, or held, and still has something to tell. */
const RESULTADOS: Record<string, string> = {
  documento_ja_importado: 'A chave da lista é de um documento que já está no Malote.',
  documento_de_homologacao:
    'Documento de homologação (tpAmb 2): guardado à parte. Com `MALOTE_HOMOLOGACAO=1` ele entra nas listas.',
  cliente_nao_cadastrado:
    'Nenhuma parte do documento é cliente do escritório. Cadastre a empresa: ele entra na lista na hora.',
  leiaute_desconhecido:
    'NFS-e de um leiaute municipal que ainda não é lido: guardada à espera. Ensine o leiaute no console, ou instale o que um colega enviou: ela entra nas listas em ordem de chegada.',
  chave_com_outro_conteudo:
    'Já há documento com a mesma chave e outro conteúdo; ficam os dois. Confira qual deles a SEFAZ autorizou; de uma NFS-e, qual vale para a prefeitura.',
  sem_prova:
    'Está guardado, mas só declarado: foi alterado, assinado por outro ou o protocolo é de outro conteúdo. Confira com quem enviou.',
  evento_sem_prova:
    'O evento tem menos prova que o documento: o que ele muda fica marcado até chegar prova mais forte. Se não for verdadeiro, desconsidere-o na página do documento.',
  status_sem_prova:
    'Uma resposta que ninguém assina mudou a situação do documento, que fica marcada. Envie o XML do evento assinado, ou desconsidere-a na página do documento.',
  mesma_nota_cancelada:
    'A mesma NFS-e está no Malote no layout da prefeitura e no nacional, e foi cancelada em um deles: o cancelamento consta nas duas, marcado na outra.',
  protocolo_de_evento:
    'O protocolo é o registro de um evento, não a autorização do documento, que fica guardado como pendente. Envie o XML com o protocolo de autorização.',
  anotado_em_parte:
    'O documento traz mais de 50 participantes ou de 1.000 itens, mais do que o leiaute admite: só os primeiros foram anotados. O XML fica guardado inteiro.',
  lido_com_duvida:
    'A nota se contradiz sobre o cancelamento, ou traz um CPF ou CNPJ que não se lê: a mensagem diz o quê e como ela foi lida. Confira no site da prefeitura.',
  versoes_demais:
    'Já há 50 conteúdos diferentes com a mesma chave: este não foi guardado entre eles, só no arquivo enviado. O que tiver mais prova do que o entregue é sempre guardado.',
  fora_do_acesso:
    'Quem enviou vê só algumas empresas do escritório, e nenhuma delas participa do documento: ele não foi guardado, nem se disse se o escritório o tem.',
  eventos_demais:
    'Já há 100 eventos da mesma chave (300, se a assinatura for íntegra): este não foi guardado entre eles, só no arquivo enviado.',
};

/** Codes of reading a zip. The sentences with their limits are those of the items themselves. */
const ZIP: Record<string, string> = {
  zip_corrompido: 'O .zip está incompleto ou danificado. Gere-o de novo.',
  zip_dividido: 'É um volume de um conjunto dividido. Junte as partes em um .zip.',
  zip_vazio: 'O .zip não contém arquivo algum.',
  zip_sobreposto: 'Entradas do .zip ocupam os mesmos bytes: arquivo forjado ou danificado.',
  zip_profundo_demais:
    'Há arquivos dentro de arquivos (.zip, .tar, mensagens) em mais de 3 níveis. Extraia-os antes.',
  zip_entradas_demais: 'O envio passa de 20.000 entradas. Divida-o.',
  zip_grande_demais: 'O conteúdo descompactado passa de 500 MB. Divida o envio.',
  zip_cifrado: 'Protegido por senha. Gere o .zip sem senha.',
  zip_razao_suspeita: 'O conteúdo cresce mais de 100 vezes ao ser descompactado.',
  zip_documento_grande_demais: 'Um arquivo do .zip passa de 10 MB. Separe os documentos.',
  zip_interno_grande_demais: 'Um .zip interno é grande demais. Envie-o separado.',
  zip_nome_longo_demais: 'O nome de uma entrada é longo demais. Encurte-o.',
  zip_metodo_desconhecido: 'A compressão da entrada não é aceita. Use a padrão (Deflate).',
  zip_entrada_corrompida: 'Os dados de uma entrada estão danificados.',
  zip_cabecalho_divergente: 'O índice do .zip e o cabeçalho da entrada se contradizem.',
  zip_tamanho_divergente: 'A entrada não tem o tamanho que o .zip anuncia.',
  zip_crc_invalido: 'A entrada não confere com o CRC-32 do .zip.',
  zip_link_simbolico: 'A entrada é um link simbólico ou arquivo especial; nada foi lido.',
  documento_de_escritorio: 'É uma planilha, um texto ou um programa em forma de .zip. Envie os XML.',
  recipiente_danificado:
    'Um arquivo que traz outros dentro (.tar, .bz2, .xz, mensagem, assinatura) está danificado.',
  conteudo_cifrado: 'O conteúdo está cifrado para o seu destinatário. Envie o XML aberto.',
  assinatura_sem_conteudo: 'É só a assinatura (.p7s), sem o documento. Envie o arquivo assinado.',
  mensagem_sem_anexo: 'A mensagem de e-mail não traz anexo.',
};

/** What `malote verificar` finds. None of them should ever be seen. */
const VERIFICAR: Record<string, string> = {
  nsu_com_lacuna: 'A numeração de um cliente tem lacuna ou não bate com o seu contador.',
  contagem_errada: 'A contagem diária de uma listagem não bate com as suas linhas.',
  listagem_sem_entrada: 'Uma linha de listagem aponta para um NSU que não é do documento.',
  listagem_divergente: 'Uma linha de listagem não repete os dados do documento.',
  papel_errado: 'Uma linha de listagem não diz o papel que o cliente tem no documento.',
  repetida_errada: 'Das linhas de listagem com um documento, não é uma só que o conta.',
  versao_servida: 'Um documento não tem exatamente uma versão entregue.',
  status_errado: 'O status guardado não é o que resulta do protocolo e dos eventos.',
  documento_nao_entregue: 'Um cliente é parte de um documento e não tem entrada dele.',
  conteudo_solto: 'Há bytes guardados que não são de versão alguma.',
  bloco_solto: 'Há um bloco de bytes guardados que não é de documento algum.',
  certificado_contado_errado: 'O número de documentos que usam um certificado guardado não confere.',
  esperado_ja_presente: 'Uma chave consta como esperada, e o documento já está guardado.',
  soma_errada: 'Os bytes guardados mudaram no disco, e o documento ainda se lê inteiro.',
  linha_divergente: 'A linha de um documento não diz o mesmo que os seus bytes.',
  versao_divergente: 'A linha de uma versão não diz o mesmo que os seus bytes.',
  versao_sem_o_que_nomeia: 'Uma versão nomeia um arquivo enviado ou um esquema que não existe.',
  partes_divergentes: 'As partes guardadas de um documento não são as que os seus bytes dizem.',
  versao_sem_item: 'O arquivo em que uma versão diz ter vindo não tem item do seu documento.',
  entrada_divergente: 'Uma entrada e a listagem que a mostra são de documentos diferentes.',
  data_da_entrada_errada: 'Uma entrada não diz ter sido feita quando o seu documento chegou.',
  documento_de_outro_escritorio: 'Um documento depende de algo guardado de outro escritório.',
  autoridade_danificada: 'Uma autoridade certificadora instalada não é a do seu SHA-256.',
  nota_a_ensinar_divergente: 'Um arquivo que espera por um leiaute não é o que chegou.',
  leiaute_divergente:
    'A descrição de um leiaute ensinado ou instalado não passa na conferência, ou não é a que a sua linha diz.',
  metade_divergente:
    'Um pedido ou uma resposta de evento que espera pela outra metade não diz o mesmo que a sua linha.',
  protocolo_divergente: 'Um protocolo que espera pela nota não diz o mesmo que a sua linha.',
  decisao_sem_registro: 'Consta uma decisão de alguém que a auditoria não diz.',
  nome_divergente: 'O nome de uma empresa na busca não é o que os seus documentos dizem.',
  nome_sem_palavra: 'A busca não acha uma empresa por uma palavra do seu nome.',
  palavra_sem_nome: 'A busca acha uma empresa por uma palavra que nenhum nome dela tem.',
};

/** What `malote auditoria verificar` may find. */
const AUDITORIA: Record<string, string> = {
  registro_alterado: 'Um registro não tem o hash que resulta dele e do anterior.',
  registro_ausente: 'Um registro foi removido.',
  registro_a_mais: 'Há um registro depois do fim anotado.',
  ancora_divergente: 'A cadeia foi reescrita: não passa pelo fim anotado em outra ocasião.',
};

/** Why a password of the console is not taken (`erros[].codigo` of the field `senha`). */
const SENHA: Record<string, string> = {
  senha_tamanho: 'A senha tem menos de 10 ou mais de 128 caracteres.',
  senha_comum:
    'A senha é das primeiras que alguém tentaria: palavra comum, nome, data, sequência do teclado.',
};

/** Why a certificate is not accepted, as the answer says it. */
const CERTIFICADO: Record<string, string> = Object.fromEntries(
  Object.entries(FALHAS_DO_CERTIFICADO).map(([codigo, { mensagem }]) => [codigo, mensagem]),
);

/** Every code of the page, and how it stands there. */
export function codigosDocumentados(): string[] {
  const groups = [
    CATALOGO_DE_ERROS,
    CAMPOS,
    CERTIFICADO,
    REJEICOES,
    FALHAS_DO_ARQUIVO,
    ZIP,
    RESULTADOS,
    IGNORADOS,
    VERIFICAR,
    AUDITORIA,
    AVISOS,
    SENHA,
  ];
  return [...new Set(groups.flatMap((group) => Object.keys(group)))];
}

function httpTable(): string {
  const rows = Object.entries(CATALOGO_DE_ERROS)
    .sort(([a, { status: x }], [b, { status: y }]) => x - y || a.localeCompare(b))
    .map(
      ([codigo, { status, significado, acao }]) => `| \`${codigo}\` | ${status} | ${significado} | ${acao} |`,
    );
  return ['| código | status | significado | o que fazer |', '|---|---|---|---|', ...rows].join('\n');
}

function table(codes: Readonly<Record<string, string>>): string {
  const rows = Object.entries(codes).map(([codigo, text]) => `| \`${codigo}\` | ${text} |`);
  return ['| código | significado |', '|---|---|', ...rows].join('\n');
}

/** The whole page. */
export function renderErros(): string {
  return `# Códigos de erro

Todo erro HTTP vem como \`application/problem+json\`: \`type\`, \`title\`, \`status\`, \`detail\`, \`instance\`, \`codigo\`,
\`mensagem\` (igual a \`detail\`), \`erros[]\` (\`campo\`, \`codigo\`, \`mensagem\`; vazio quando não há campos) e \`requestId\`
(também em \`X-Request-Id\`). Programe pelo \`codigo\`: ele é estável. A \`mensagem\` é para pessoas e pode mudar. O
endereço de envio responde em XML, como o S3, salvo quando \`Accept\` pede JSON.

## Respostas HTTP

${httpTable()}

## Campos (\`erros[].codigo\`)

Um campo traz um código da tabela acima ou um destes:

${table(CAMPOS)}

### Certificado A1 (\`certificado_invalido\`)

${table(CERTIFICADO)}

## Documentos recusados (\`resultado\` \`rejeitado\`)

Estes códigos aparecem em \`GET /storage/arquivo/{id}/itens\` e, entre colchetes, no \`log\` do arquivo.

${table(REJEICOES)}

### O arquivo inteiro

${table(FALHAS_DO_ARQUIVO)}

### Dentro de um .zip

${table(ZIP)}

## Documentos guardados que pedem atenção

${table(RESULTADOS)}

## Ignorados (\`resultado\` \`ignorado\`)

${table(IGNORADOS)}

## Consistência (\`malote verificar\`)

${table(VERIFICAR)}

## Registro de auditoria (\`malote auditoria verificar\`)

${table(AUDITORIA)}

## Senhas do console (\`erros[].codigo\`)

${table(SENHA)}

## Avisos da saúde do servidor

${table(AVISOS)}

Esta página é escrita por \`npm run docs\` a partir do código.
`;
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '..', 'docs', 'erros.md'), renderErros());
