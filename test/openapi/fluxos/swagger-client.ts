/** The way of one note by swagger-client, which makes its methods of the document while it runs. */
import { ateOFim, empresa, type Mundo, partesDe, type Resultado } from './mundo.ts';

type Metodo = (
  parameters: Record<string, string | number | boolean>,
  options?: { requestBody?: unknown },
  // biome-ignore lint/suspicious/noExplicitAny: this client has no types; the test asserts what it brings
) => Promise<{ status: number; body: any }>;
export type SwaggerClient = (options: { spec: object; authorizations: Autorizacoes }) => Promise<{
  authorizations: Autorizacoes;
  apis: Record<'Importacao' | 'Exportacao' | 'Contas', Record<string, Metodo>>;
}>;
type Autorizacoes = Record<string, { value: string } | { token: { access_token: string } }>;

/** @param cliente with the document that the server itself gives */
export async function fluxo(
  mundo: Mundo,
  { cliente, spec }: { cliente: SwaggerClient; spec: object },
): Promise<Resultado> {
  const { codigoCrm, cpfCnpj, xml } = mundo;
  const api = await cliente({ spec, authorizations: { token: { value: mundo.token } } });
  const metodo = (area: keyof typeof api.apis, nome: string) => {
    const found = api.apis[area][nome];
    if (!found) throw new Error(`there is no ${nome}`);
    return found;
  };
  const importacao = (nome: string) => metodo('Importacao', nome);
  const exportacao = (nome: string) => metodo('Exportacao', nome);
  const pedido = { requestBody: { size: Buffer.byteLength(xml), extension: '.xml' } };
  const { body: ticket } = await importacao('pedirEndereco')({}, pedido);
  const { id, query } = partesDe(ticket.url);
  await importacao('enviarArquivo')({ id, ...query }, { requestBody: xml });
  const status = await ateOFim(
    async () => (await importacao('situacaoDoArquivo')({ id: ticket.id })).body.status,
  );

  const escopo = { codigoCrm, cpfCnpj, Xml: true };
  const [primeiro] = (await exportacao('documentosNovos')({ ...escopo, nsu: 0 })).body.documentos;
  const porNsu = await exportacao('documentoPorNsu')({ ...escopo, nsu: primeiro.nsu });
  const porChave = await exportacao('documentoPorChave')({ ...escopo, chave: primeiro.chave });
  const recusa = await exportacao('documentosNovos')({ ...escopo, nsu: 0, Tamanho: 0 }).catch(
    (error: { response: { body: { codigo: string } } }) => error.response,
  );

  const { clientId: client_id, clientSecret: client_secret } = mundo;
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  const { body: token } = await metodo('Contas', 'obterToken')({ realm: 'service' }, { requestBody: form });
  api.authorizations = { oauth: { token } };
  const contador = { plataforma: 'platform', CRM: codigoCrm };
  const pedidoDeCadastro = { requestBody: empresa(mundo.novoCliente) };
  const novo = await metodo('Contas', 'cadastrarCliente')(contador, pedidoDeCadastro);
  const mudado = await metodo('Contas', 'atualizarCliente')(
    { ...contador, CPFCNPJ: mundo.novoCliente },
    { requestBody: { nomeEmpresa: 'Outro nome' } },
  );
  return {
    status,
    documentos: [primeiro, porNsu.body, porChave.body],
    clienteId: novo.body.data.id,
    mensagem: mudado.body.message,
    recusa: recusa.body.codigo,
  };
}
