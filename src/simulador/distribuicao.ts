/**
 * NFeDistribuicaoDFe and CTeDistribuicaoDFe of the national environment.
 * @fonte NT 2014.002; NT 2015.002 (CT-e)
 */
import { faultOfChave } from './chave.ts';
import { type Contexto, mayAskAbout, refusalOfCertificate } from './contexto.ts';
import { spoilLote } from './defeitos.ts';
import type { Item } from './fila.ts';
import { type Estado, type Filas, GUARDA_MS } from './filas.ts';
import { type Operacao, readMensagem } from './pedido-soap.ts';
import type { NotaConhecida } from './publicar.ts';
import { resNFe } from './resumos.ts';
import { docZip, html, type RetornoDeDistribuicao, retDistDFeInt, zip } from './soap.ts';
import type { Resposta } from './tipos.ts';

type Familia = 'nfe' | 'cte';

const LOTE_MAX = 50;

const operation = (Familia: 'NFe' | 'CTe'): Operacao => {
  const familia = Familia.toLowerCase();
  return {
    wsdl: `http://www.portalfiscal.inf.br/${familia}/wsdl/${Familia}DistribuicaoDFe`,
    envoltorios: [`${familia}DistDFeInteresse`, `${familia}DadosMsg`],
    acao: `${familia}DistDFeInteresse`,
    mensagem: 'distDFeInt',
    acaoConferida: true,
  };
};
const OPERACOES: Record<Familia, Operacao> = { nfe: operation('NFe'), cte: operation('CTe') };
const VERSOES: Record<Familia, string> = { nfe: '1.01', cte: '1.00' };

/** A request, read. Exactly one of the three is asked for. */
interface Consulta {
  tpAmb: string;
  cpfCnpj: string;
  modo: 'distNSU' | 'consNSU' | 'consChNFe';
  nsu: number;
  chave: string;
}

const PEDIDO =
  /^<distDFeInt(?=[^>]*\sversao="([\d.]+)")[^>]*><tpAmb>([12])<\/tpAmb>(?:<cUFAutor>\d{2}<\/cUFAutor>)?(?:<CNPJ>([0-9A-Z]{14})<\/CNPJ>|<CPF>(\d{11})<\/CPF>)(?:<distNSU><ultNSU>(\d{15})<\/ultNSU><\/distNSU>|<consNSU><NSU>(\d{15})<\/NSU><\/consNSU>|<consChNFe><chNFe>([0-9A-Z]{44})<\/chNFe><\/consChNFe>)<\/distDFeInt>$/;

function readConsulta(mensagem: string, familia: Familia): Consulta | { cStat: string } {
  const [, versao, tpAmb = '', cnpj, cpf, ultNSU, nsu, chave] = PEDIDO.exec(mensagem) ?? [];
  if (versao === undefined || (familia === 'cte' && chave !== undefined)) return { cStat: '215' };
  if (versao !== VERSOES[familia]) return { cStat: versao > VERSOES[familia] ? '238' : '239' };
  const who = { tpAmb, cpfCnpj: cnpj ?? cpf ?? '', nsu: Number(ultNSU ?? nsu ?? 0), chave: chave ?? '' };
  if (chave !== undefined) return { ...who, modo: 'consChNFe' };
  return { ...who, modo: ultNSU === undefined ? 'consNSU' : 'distNSU' };
}

type Retorno = RetornoDeDistribuicao;
const refusal = (cStat: string): Retorno => ({ cStat, ultNSU: 0, maxNSU: 0 });

/** Answers a call of a distribution service. */
export function distribute(contexto: Contexto, familia: Familia): Resposta {
  const { pedido, agora, revogados } = contexto;
  const { certificado } = pedido;
  if (!certificado) return html(403, '403.7 - Forbidden: Client certificate required.');
  const read = readMensagem(pedido, OPERACOES[familia]);
  if ('resposta' in read) return read.resposta;
  const consulta = 'cStat' in read ? read : readConsulta(read.mensagem, familia);
  const tpAmb = 'tpAmb' in consulta ? consulta.tpAmb : '1';
  const retorno = (): Retorno => {
    const refused = refusalOfCertificate(certificado, agora, revogados);
    if (refused) return refusal(refused);
    if ('cStat' in consulta) return refusal(consulta.cStat);
    if (!mayAskAbout(certificado, consulta.cpfCnpj))
      return refusal(consulta.cpfCnpj.length === 11 ? '472' : '593');
    return answer(contexto, contexto.acervo[familia], consulta);
  };
  return write(contexto, familia, tpAmb, retorno());
}

function write(contexto: Contexto, familia: Familia, tpAmb: string, retorno: Retorno): Resposta {
  const items = retorno.itens ?? [];
  const spoiled = items.length > 0 ? contexto.takeDefeito() : null;
  const docs = spoiled
    ? spoilLote(items, spoiled)
    : items.map((item) => docZip(item, zip(item.xml))).join('');
  contexto.relatorio.de(contexto.origem.agente).documentos += items.length;
  return retDistDFeInt(familia, tpAmb, contexto.agora, retorno, docs);
}

function answer(contexto: Contexto, filas: Filas, consulta: Consulta): Retorno {
  const { agora } = contexto;
  const estado = filas.of(consulta.tpAmb, consulta.cpfCnpj, agora);
  const abuse =
    consulta.modo === 'distNSU'
      ? estado.uso.judgeDistNsu(consulta.nsu, agora, contexto.origem)
      : estado.uso.judgeConsulta(agora, contexto.origem);
  if (abuse) {
    countAbuse(contexto, consulta, abuse);
    return { cStat: '656', ultNSU: consulta.modo === 'distNSU' ? estado.uso.ultimo : 0, maxNSU: 0 };
  }
  if (consulta.modo === 'distNSU') return answerDistNsu(contexto, filas, estado, consulta);
  if (consulta.modo === 'consNSU') return answerConsNsu(estado, consulta.nsu);
  return answerChave(contexto, consulta);
}

function countAbuse(
  { relatorio, origem, agora, pedido }: Contexto,
  { cpfCnpj, tpAmb }: Consulta,
  {
    regra,
    proprio,
    detalhe,
  }: { regra: Parameters<typeof relatorio.addViolacao>[0]['regra']; proprio: boolean; detalhe: string },
): void {
  const counts = relatorio.de(origem.agente);
  if (!proprio) {
    counts.bloqueios_alheios++;
    return;
  }
  counts.bloqueios++;
  const chave = `${pedido.servico}/${cpfCnpj}/${tpAmb}`;
  relatorio.addViolacao({ regra, agente: origem.agente, chave, em: agora, detalhe });
}

function answerDistNsu(
  { agora, origem }: Contexto,
  filas: Filas,
  { fila, uso }: Estado,
  { nsu, tpAmb, cpfCnpj }: Consulta,
): Retorno {
  if (nsu > fila.max) return { cStat: '589', ultNSU: uso.ultimo, maxNSU: fila.max };
  const starts = uso.primeiraEm === null || filas.hasGoneSilent(tpAmb, cpfCnpj, agora);
  uso.primeiraEm ??= agora;
  filas.hear(tpAmb, cpfCnpj, agora);
  const itens = starts ? [] : fila.after(nsu, LOTE_MAX);
  if (itens.length === 0) {
    // What is too old has left a gap: the answer points behind it.
    const ultNSU = starts ? nsu : Math.max(nsu, fila.primeiro - 1);
    uso.answered(ultNSU, true, agora, origem);
    return { cStat: '137', ultNSU, maxNSU: fila.max };
  }
  const ultNSU = itens.at(-1)?.nsu ?? nsu;
  uso.answered(ultNSU, ultNSU === fila.max, agora, origem);
  return { cStat: '138', ultNSU, maxNSU: fila.max, itens };
}

function answerConsNsu({ fila }: Estado, nsu: number): Retorno {
  const item = fila.get(nsu);
  if (item) return { cStat: '138', ultNSU: nsu, maxNSU: fila.max, itens: [item] };
  const cStat = nsu > fila.max ? '589' : nsu < fila.primeiro ? '632' : '137';
  return { cStat, ultNSU: 0, maxNSU: fila.max };
}

function answerChave({ acervo, agora }: Contexto, { chave, cpfCnpj }: Consulta): Retorno {
  const fault = faultOfChave(chave, agora);
  if (fault) return refusal(fault);
  const known = acervo.notas.get(chave);
  if (!known) return refusal('217');
  const refused = refusalOfNota(known, cpfCnpj, agora);
  return refused ? refusal(refused) : { ...refusal('138'), itens: [formOf(known, cpfCnpj)] };
}

function refusalOfNota({ nota, em, cancelada, atores }: NotaConhecida, who: string, agora: number) {
  if (nota.emitente === who) return '641';
  const parties = [nota.destinatario, nota.transportador, ...nota.autorizados, ...atores];
  if (!parties.includes(who)) return '640';
  if (agora - em > GUARDA_MS) return '632';
  if (cancelada) return '653';
  return nota.situacao === '2' ? '654' : null;
}

/** The whole note, or its summary for a recipient that has not manifested. */
function formOf(
  { nota, liberada, cancelada, em, atores }: NotaConhecida,
  who: string,
): Omit<Item, 'nsu'> & { nsu: null } {
  const others = [nota.transportador, ...nota.autorizados, ...atores];
  const whole = liberada || who !== nota.destinatario || others.includes(who);
  const { chave } = nota;
  return whole
    ? { nsu: null, chave, em, schema: `procNFe_v${nota.versao}.xsd`, xml: nota.xml }
    : { nsu: null, chave, em, schema: 'resNFe_v1.01.xsd', xml: resNFe(nota, cancelada) };
}
