/** The way of one note by the client that @hey-api/openapi-ts makes. */
import { ateOFim, certo, empresa, type Mundo, partesDe, type Resultado } from './mundo.ts';

type Sdk = typeof import('gerado/hey-api/sdk.gen') & typeof import('gerado/hey-api/client.gen');

export async function fluxo(mundo: Mundo, sdk: Sdk): Promise<Resultado> {
  const { codigoCrm, cpfCnpj, xml } = mundo;
  sdk.client.setConfig({ auth: mundo.token });
  const body = { size: Buffer.byteLength(xml), extension: '.xml' };
  const ticket = certo(await sdk.pedirEndereco({ body }));
  const { id, query } = partesDe(ticket.url);
  await sdk.enviarArquivo({ path: { id }, query, body: new Blob([xml]), throwOnError: true });
  const path = { id: ticket.id };
  const status = await ateOFim(async () => certo(await sdk.situacaoDoArquivo({ path })).status);

  const escopo = { codigoCrm, cpfCnpj };
  const comXml = { query: { Xml: true } };
  const novos = await sdk.documentosNovos({ path: { ...escopo, nsu: 0 }, ...comXml });
  const [primeiro] = certo(novos).documentos;
  if (!primeiro) throw new Error('the feed is empty');
  const porNsu = await sdk.documentoPorNsu({ path: { ...escopo, nsu: primeiro.nsu }, ...comXml });
  const porChave = await sdk.documentoPorChave({ path: { ...escopo, chave: primeiro.chave }, ...comXml });
  const { error: problema } = await sdk.documentosNovos({
    path: { ...escopo, nsu: 0 },
    query: { Tamanho: 0 },
  });

  const { clientId: client_id, clientSecret: client_secret } = mundo;
  const token = await sdk.obterToken({
    path: { realm: 'service' },
    body: { grant_type: 'client_credentials', client_id, client_secret },
  });
  sdk.client.setConfig({ auth: certo(token).access_token });
  const contador = { plataforma: 'platform', CRM: codigoCrm };
  const novo = await sdk.cadastrarCliente({ path: contador, body: empresa(mundo.novoCliente) });
  const mudado = await sdk.atualizarCliente({
    path: { ...contador, CPFCNPJ: mundo.novoCliente },
    body: { nomeEmpresa: 'Outro nome' },
  });
  return {
    status,
    documentos: [primeiro, certo(porNsu), certo(porChave)],
    clienteId: certo(novo).data.id,
    mensagem: certo(mudado).message,
    recusa: problema?.codigo ?? '',
  };
}
