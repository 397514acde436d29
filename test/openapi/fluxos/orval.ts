/** The way of one note by the client that orval makes, over fetch. */
import { ateOFim, empresa, type Mundo, partesDe, type Resultado } from './mundo.ts';

type Sdk = typeof import('gerado/orval');

/** The answers are told apart by their status. */
function certo<A extends { status: number; data: unknown }>(answer: A): Extract<A, { status: 200 }>['data'] {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.data));
  return answer.data;
}

export async function fluxo(mundo: Mundo, sdk: Sdk): Promise<Resultado> {
  const { codigoCrm, cpfCnpj, xml } = mundo;
  const doToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const api = doToken(mundo.token);
  const ticket = certo(await sdk.pedirEndereco({ size: Buffer.byteLength(xml), extension: '.xml' }, api));
  const { id, query } = partesDe(ticket.url);
  certo(await sdk.enviarArquivo(id, new Blob([xml]), query));
  const status = await ateOFim(async () => certo(await sdk.situacaoDoArquivo(ticket.id, api)).status);

  const comXml = { Xml: true };
  const [primeiro] = certo(await sdk.documentosNovos(codigoCrm, cpfCnpj, 0, comXml, api)).documentos;
  if (!primeiro) throw new Error('the feed is empty');
  const porNsu = await sdk.documentoPorNsu(codigoCrm, cpfCnpj, primeiro.nsu, comXml, api);
  const porChave = await sdk.documentoPorChave(codigoCrm, cpfCnpj, primeiro.chave, comXml, api);
  const recusado = await sdk.documentosNovos(codigoCrm, cpfCnpj, 0, { Tamanho: 0 }, api);

  const { clientId: client_id, clientSecret: client_secret } = mundo;
  const token = await sdk.obterToken('service', {
    grant_type: 'client_credentials',
    client_id,
    client_secret,
  });
  const contas = doToken(certo(token).access_token);
  const novo = await sdk.cadastrarCliente('platform', codigoCrm, empresa(mundo.novoCliente), contas);
  const mudado = await sdk.atualizarCliente(
    'platform',
    codigoCrm,
    mundo.novoCliente,
    { nomeEmpresa: 'Outro nome' },
    contas,
  );
  return {
    status,
    documentos: [primeiro, certo(porNsu), certo(porChave)],
    clienteId: certo(novo).data.id,
    mensagem: certo(mudado).message,
    recusa: recusado.status === 400 ? recusado.data.codigo : '',
  };
}
