/** HTTP of clients' certificates: looked at before they are kept, kept, taken away. No route gives one back. */
import { atualizarCliente, checkEnvio, withdrawCertificado } from '../../contas/cadastrar.ts';
import { Campos } from '../../contas/campos.ts';
import { diasRestantes } from '../../contas/certificado/vigia.ts';
import { type ConsoleHttp, escopoOf, requireClienteDaSessao, sessaoOf } from '../contexto.ts';
import { certificadoNaoEncontrado } from '../errors.ts';
import type { AddRoute } from '../rota.ts';
import { MENSAGEM } from '../schemas.ts';
import {
  CERTIFICADO_ENVIADO,
  CLIENTE,
  CONFERIDO,
  CONFERIR,
  CPF_CNPJ_DO_CAMINHO,
} from '../schemas-clientes.ts';
import { instanteDe } from '../tempo.ts';
import { atualizacaoDe, comNomesDoConsole } from './corpo.ts';
import { detalhar } from './listar.ts';
import { DE_CERTIFICADO, DE_CLIENTE } from './routes-clientes.ts';
import { ufProvavel } from './uf-provavel.ts';

/** What the fields are called here. */
const CAMPOS: Readonly<Record<string, string>> = { arquivoCertificado: 'arquivo', senhaCertificado: 'senha' };

export function certificadoRoutes(route: AddRoute, http: ConsoleHttp): void {
  const { deps, contas } = http;

  route(
    {
      rota: 'POST /clientes/certificado/conferir',
      resumo: 'Diz o que um certificado é e se seria aceito',
      descricao: 'Nada é guardado.',
      body: CONFERIR,
      resposta: CONFERIDO,
      codigos: ['indisponivel'],
    },
    async (request) => {
      const { arquivo, senha, cpfCnpj, trabalhaComProcuracao: procuracao = false } = request.body;
      const campos = new Campos();
      const dono = cpfCnpj ? campos.cpfCnpj('cpfCnpj', cpfCnpj) : null;
      campos.check();
      const bytes = Buffer.from(arquivo.replace(/^data:[^,]{0,200},/, ''), 'base64');
      const { certificado, erros } = await checkEnvio(contas, { bytes, senha, cpfCnpj: dono, procuracao });
      return {
        valido: erros.length === 0,
        mensagem:
          erros.map(({ mensagem }) => mensagem).join(' ') || 'O certificado abre, vale e é do titular certo.',
        titular: certificado?.titular ?? null,
        titularNome: certificado?.titularNome ?? null,
        validoDe: instanteDe(certificado?.validoDe ?? null),
        validoAte: instanteDe(certificado?.validoAte ?? null),
        dias: certificado ? diasRestantes(certificado.validoAte, deps.clock.now()) : null,
        erros: erros.map((one) => ({ ...one, campo: CAMPOS[one.campo] ?? one.campo })),
        ufProvavel: dono
          ? await ufProvavel(deps.db.read, { contadorId: sessaoOf(request).contadorId, cpfCnpj: dono })
          : null,
      };
    },
  );

  route(
    {
      rota: 'POST /clientes/:cpfCnpj/certificado',
      resumo: 'Guarda o certificado de um cliente',
      descricao: 'Substitui o anterior. Quando não é aceito, nada muda e `erros` diz por quê.',
      params: CPF_CNPJ_DO_CAMINHO,
      body: CERTIFICADO_ENVIADO,
      resposta: CLIENTE,
      codigos: [...DE_CLIENTE, ...DE_CERTIFICADO],
    },
    async (request) => {
      const { cpfCnpj } = request.params;
      const atualizacao = atualizacaoDe({ certificado: request.body });
      const origem = escopoOf(request);
      const { id } = await comNomesDoConsole(() =>
        atualizarCliente(contas, { ...origem, cpfCnpj, atualizacao }),
      );
      const [found] = await detalhar(deps, { contadorId: origem.contadorId, ids: [id] });
      return found;
    },
  );

  route(
    {
      rota: 'DELETE /clientes/:cpfCnpj/certificado',
      resumo: 'Apaga o certificado de um cliente',
      params: CPF_CNPJ_DO_CAMINHO,
      resposta: MENSAGEM,
      codigos: [...DE_CLIENTE, 'certificado_nao_encontrado'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { id } = await requireClienteDaSessao(deps, { sessao, cpfCnpj: request.params.cpfCnpj });
      if (!(await withdrawCertificado(contas, { ...escopoOf(request), clienteId: id })))
        throw certificadoNaoEncontrado();
      return { mensagem: 'Certificado apagado.' };
    },
  );
}
