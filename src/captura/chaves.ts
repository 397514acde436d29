/** Documents that are known by key: which service can give one to a client, and asking for it. */
import type { Servico } from '../banco/tabelas-captura.ts';
import { splitChave } from '../fiscal/chave.ts';
import type { Chave } from '../fiscal/tipos.ts';
import { runAsService } from '../platform/db/tenant.ts';
import type { DepsDaCaptura } from './deps-da-captura.ts';
import { capturaDesligada, chaveDeOutroServico } from './errors.ts';
import * as queries from './queries.ts';

/** Where the document of a key can be asked for by this client, or why nowhere (pt-BR). */
export function servicoDaChave(chave: Chave, cpfCnpj: string): { servico: Servico } | { motivo: string } {
  if (chave.length === 50) return { servico: 'nfse' };
  const { modelo, emitente } = splitChave(chave);
  const propria = emitente === cpfCnpj;
  if (modelo === '55')
    return propria
      ? {
          motivo:
            'A SEFAZ não entrega a NF-e ao próprio emitente. Importe o XML do programa que a emitiu, ou inclua o CNPJ do escritório em autXML nas próximas.',
        }
      : { servico: 'nfe' };
  if (modelo === '65') return deNfce(chave, propria);
  if (modelo === '57' || modelo === '67')
    return {
      motivo:
        'O serviço de CT-e não busca pela chave: o documento vem pela distribuição, ou com quem o emitiu.',
    };
  return { motivo: 'Nenhum serviço entrega documentos deste modelo pela chave. Peça o XML a quem o emitiu.' };
}

/** IBGE code of São Paulo, the only state with such a service. */
const SAO_PAULO = '35';

function deNfce(chave: Chave, propria: boolean): { servico: Servico } | { motivo: string } {
  if (propria && chave.startsWith(SAO_PAULO)) return { servico: 'nfce' };
  return {
    motivo: propria
      ? 'Só a SEFAZ de São Paulo entrega NFC-e por um serviço. Importe o XML do programa que a emitiu.'
      : 'A NFC-e só é entregue a quem a emitiu. Peça o XML à loja.',
  };
}

interface Pedido {
  contadorId: number;
  cliente: { id: number; cpfCnpj: string };
  chave: Chave;
  autor: string;
}

/** Asks for a document by its key; it is fetched within the hour's number, people's wishes first. @throws chave_de_outro_servico, captura_desligada */
export async function askForChave(deps: DepsDaCaptura, input: Pedido): Promise<queries.LinhaDeChave> {
  const { contadorId, cliente, chave, autor } = input;
  const where = servicoDaChave(chave, cliente.cpfCnpj);
  if ('motivo' in where) throw chaveDeOutroServico(where.motivo);
  const { servico } = where;
  const { relogio, db, ambiente } = deps;
  const row = await runAsService(() =>
    db.write.transaction().execute(async (trx) => {
      const capturas = await queries.findCapturas(trx, { contadorId, clienteId: cliente.id });
      if (!capturas.some((captura) => captura.servico === servico && captura.ligada === 1))
        throw capturaDesligada();
      await queries.upsertChave(trx, {
        contador_id: contadorId,
        chave,
        cliente_id: cliente.id,
        servico,
        estado: 'pendente',
        por_pessoa: 1,
        pedida_em: relogio.parede(),
        pedida_por: autor,
      });
      await queries.updateEstado(trx, {
        cpf_cnpj: cliente.cpfCnpj,
        servico,
        ambiente,
        set: { chaves_em: relogio.agora() },
      });
      return queries.findChave(trx, { contadorId, chave });
    }),
  );
  if (!row) throw new Error('a key that was just noted is gone');
  return row;
}
