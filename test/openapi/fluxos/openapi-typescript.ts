/** The way of one note by the types of openapi-typescript and openapi-fetch, which goes with them. */
import type { paths } from 'gerado/openapi-typescript';
import createClient from 'openapi-fetch';
import { ateOFim, certo, empresa, type Mundo, partesDe, type Resultado } from './mundo.ts';

const asItIs = { bodySerializer: (body: string) => body };

export async function fluxo(mundo: Mundo): Promise<Resultado> {
  const { codigoCrm, cpfCnpj, xml } = mundo;
  const doToken = (token: string) =>
    createClient<paths>({ baseUrl: mundo.url, headers: { authorization: `Bearer ${token}` } });
  const api = doToken(mundo.token);
  const body = { size: Buffer.byteLength(xml), extension: '.xml' };
  const ticket = certo(await api.POST('/storage', { body }));
  const { id, query } = partesDe(ticket.url);
  const sent = await api.PUT('/upload/{id}', { params: { path: { id }, query }, body: xml, ...asItIs });
  if (!sent.response.ok) throw new Error(JSON.stringify(sent.error));
  const path = { id: ticket.id };
  const status = await ateOFim(
    async () => certo(await api.GET('/storage/arquivo/{id}', { params: { path } })).status,
  );

  const escopo = { codigoCrm, cpfCnpj };
  const novos = (more: { Tamanho?: number }) =>
    api.GET('/api/v1/{codigoCrm}/{cpfCnpj}/documentos/{nsu}/novos', {
      params: { path: { ...escopo, nsu: 0 }, query: { Xml: true, ...more } },
    });
  const [primeiro] = certo(await novos({})).documentos;
  if (!primeiro) throw new Error('the feed is empty');
  const porNsu = await api.GET('/api/v1/{codigoCrm}/{cpfCnpj}/documentos/{nsu}', {
    params: { path: { ...escopo, nsu: primeiro.nsu }, query: { Xml: true } },
  });
  const porChave = await api.GET('/api/v1/{codigoCrm}/{cpfCnpj}/documentos/{chave}/chave', {
    params: { path: { ...escopo, chave: primeiro.chave }, query: { Xml: true } },
  });
  const { error: problema } = await novos({ Tamanho: 0 });

  const { clientId: client_id, clientSecret: client_secret } = mundo;
  const token = certo(
    await api.POST('/auth/realms/{realm}/protocol/openid-connect/token', {
      params: { path: { realm: 'service' } },
      body: { grant_type: 'client_credentials', client_id, client_secret },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  );
  const contas = doToken(token.access_token);
  const contador = { plataforma: 'platform', CRM: codigoCrm };
  const { data } = certo(
    await contas.POST('/api/contas/{plataforma}/contador/{CRM}/cliente', {
      params: { path: contador },
      body: empresa(mundo.novoCliente),
    }),
  );
  const mudado = await contas.PUT('/api/contas/{plataforma}/contador/{CRM}/cliente/{CPFCNPJ}', {
    params: { path: { ...contador, CPFCNPJ: mundo.novoCliente } },
    body: { nomeEmpresa: 'Outro nome' },
  });
  return {
    status,
    documentos: [primeiro, certo(porNsu), certo(porChave)],
    clienteId: data.id,
    mensagem: certo(mudado).message,
    recusa: problema?.codigo ?? '',
  };
}
