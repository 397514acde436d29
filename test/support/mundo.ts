/** Three offices with three clients each, for the tenant matrix. */
import { createToken } from '../../src/autorizacao/tokens.ts';
import { generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import { openContas } from './acesso-contas.ts';
import {
  createCliente,
  createEscritorio,
  fetchJson,
  imported,
  type Malote,
  upload,
  withDeps,
} from './malote.ts';

export interface ClienteDoMundo {
  cpfCnpj: string;
  /** Of the one document that it takes part in. */
  chave: string;
  /** Integration token that reaches this client only. */
  tokenRestrito: string;
  /** Signed addresses of its document. */
  urlDownload: string;
  urlFinalidade: string;
}

export interface EscritorioDoMundo {
  contadorId: number;
  codigoCrm: string;
  token: string;
  /** Access token for the accounts area. */
  contas: string;
  /** An imported file. */
  arquivoId: string;
  clientes: ClienteDoMundo[];
}

export interface Mundo {
  malote: Malote;
  escritorios: EscritorioDoMundo[];
}

export interface Pessoa {
  escritorio: EscritorioDoMundo;
  cliente: ClienteDoMundo;
  irmao: ClienteDoMundo;
  outro: { escritorio: EscritorioDoMundo; cliente: ClienteDoMundo };
}

const CRMS = ['101', '202', '303'];
const fornecedor = generateEmpresa('inquilinos/fornecedor', { perfil: 'industria', uf: 'SP' });

/** Three offices, each with a numeric CNPJ, an alphanumeric one and a CPF, and one document for each. */
export async function createMundo(malote: Malote): Promise<Mundo> {
  const escritorios: EscritorioDoMundo[] = [];
  for (const crm of CRMS) escritorios.push(await criarEscritorio(malote, crm));
  return { malote, escritorios };
}

async function criarEscritorio(malote: Malote, crm: string): Promise<EscritorioDoMundo> {
  const { contadorId, codigoCrm, token } = await createEscritorio(malote.dataFolder, { crm });
  const empresas = [
    generateEmpresa(`inquilinos/${crm}/numerico`, { perfil: 'comercio', uf: 'SP' }),
    generateEmpresa(`inquilinos/${crm}/letras`, { perfil: 'comercio', uf: 'SP', alfanumerico: true }),
    generateEmpresa(`inquilinos/${crm}/pessoa`, { perfil: 'produtor', uf: 'SP' }),
  ];
  const { token: contas } = await openContas(malote, { contadorIds: [contadorId] });
  const clientes: ClienteDoMundo[] = [];
  let arquivoId = '';
  for (const [at, empresa] of empresas.entries()) {
    const nota = generateNfe({
      semente: `inquilinos/${crm}/${at}`,
      emitente: fornecedor,
      destinatario: empresa,
      modelo: '55',
      serie: 1,
      numero: Number(crm) * 10 + at,
      emissao: new Date(Date.UTC(2026, 2, 5, 15)),
      itens: 1,
    });
    const tokenRestrito = await withDeps(malote.dataFolder, async (deps) => {
      const clienteId = await createCliente(deps, { contadorId, cpfCnpj: empresa.id });
      const input = { contadorId, adicional: true, clienteIds: [clienteId], nome: 'Restrito' };
      return (await createToken(deps, input)).token;
    });
    arquivoId = await upload(malote, { token, bytes: nota.bytes, extension: '.xml' });
    await imported(malote, { token, id: arquivoId });
    const url = `${malote.url}/api/v1/${codigoCrm}/${empresa.id}/documentos/0/finalidade?Finalidade=true`;
    const [documento] = (await fetchJson(url, { token })).body.documentos;
    clientes.push({
      cpfCnpj: empresa.id,
      chave: nota.chave,
      tokenRestrito,
      urlDownload: documento.url_download,
      urlFinalidade: documento.url_finalidade,
    });
  }
  return { contadorId, codigoCrm, token, contas, arquivoId, clientes };
}

/** Everybody of the world, each with a sibling and somebody of another office. */
export function pessoas({ escritorios }: Mundo): Pessoa[] {
  return escritorios.flatMap((escritorio, e) =>
    escritorio.clientes.map((cliente, c) => {
      const outro = at(escritorios, e + 1);
      return {
        escritorio,
        cliente,
        irmao: at(escritorio.clientes, c + 1),
        outro: { escritorio: outro, cliente: at(outro.clientes, c) },
      };
    }),
  );
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('an empty list');
  return found;
}
