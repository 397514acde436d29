/**
 * The national environment of NFS-e for taxpayers (ADN), SEFIN Nacional for single documents, and which cities take part.
 * @fonte Manual Contribuintes: APIs do ADN 1.0
 */
import { gzipSync } from 'node:zlib';
import { type Contexto, mayAskAbout, refusalOfCertificate } from './contexto.ts';
import type { Item } from './fila.ts';
import type { NfseConhecida } from './publicar.ts';
import { dataHora, html, json } from './soap.ts';
import { HORA_MS, type Resposta } from './tipos.ts';

const LOTE_MAX = 50;
/** Of one holder, in a minute, before 429. */
const PEDIDOS_POR_MINUTO = 60;
const RETRY_AFTER_S = 60;

/** What one holder has asked of the ADN, and when it may ask again. */
interface UsoDoAdn {
  pedidos: number[];
  /** ms */
  esperaAte: number;
  /** After 429. */
  retryAte: number;
}

export class UsosDoAdn {
  readonly #usos = new Map<string, UsoDoAdn>();

  of(cpfCnpj: string): UsoDoAdn {
    const known = this.#usos.get(cpfCnpj) ?? { pedidos: [], esperaAte: 0, retryAte: 0 };
    this.#usos.set(cpfCnpj, known);
    return known;
  }
}

type Situacao = 'DOCUMENTOS_LOCALIZADOS' | 'NENHUM_DOCUMENTO_LOCALIZADO' | 'REJEICAO';

interface Erro {
  Codigo: string;
  Descricao: string;
}

const NENHUM: Erro = { Codigo: 'E2220', Descricao: 'Nenhum documento localizado.' };

function body(contexto: Contexto, situacao: Situacao, itens: readonly object[], erros: readonly Erro[]) {
  return {
    StatusProcessamento: situacao,
    LoteDFe: itens,
    Alertas: [],
    Erros: erros.map((erro) => ({ ...erro, Mensagem: null, Parametros: null, Complemento: null })),
    TipoAmbiente: 'PRODUCAO',
    VersaoAplicativo: '1.0.0-SIM',
    DataHoraProcessamento: dataHora(contexto.agora),
  };
}

const rejection = (contexto: Contexto, Codigo: string, Descricao: string) =>
  json(400, body(contexto, 'REJEICAO', [], [{ Codigo, Descricao }]));

const CAMINHO_DFE = /^\/DFe\/([^/?]+)(?:\?(.*))?$/;
const CAMINHO_EVENTOS = /^\/NFSe\/([0-9A-Z]{50})\/Eventos$/;

export function answerAdn(contexto: Contexto, usos: UsosDoAdn): Resposta {
  const { pedido, agora, revogados } = contexto;
  const { certificado, caminho } = pedido;
  if (!certificado) return html(403, '403 - Forbidden: Access is denied.');
  if (refusalOfCertificate(certificado, agora, revogados))
    return html(403, '403 - Forbidden: Access is denied.');
  const limited = limit(contexto, usos);
  if (limited) return limited;
  const [, nsu, query = ''] = CAMINHO_DFE.exec(caminho) ?? [];
  const parameters = new URLSearchParams(query);
  const who = parameters.get('cnpjConsulta') ?? certificado.titular ?? '';
  if (nsu !== undefined && pedido.metodo === 'GET') {
    if (!/^\d{1,18}$/.test(nsu)) return rejection(contexto, 'E2201', 'NSU inválido.');
    if (!mayAskAbout(certificado, who))
      return rejection(contexto, 'E2214', 'CNPJ de consulta não tem a mesma raiz do certificado.');
    return parameters.get('lote') === 'false'
      ? answerOne(contexto, who, Number(nsu))
      : answerLote(contexto, usos, who, Number(nsu));
  }
  const [, chave] = CAMINHO_EVENTOS.exec(caminho) ?? [];
  return chave ? answerEventos(contexto, chave) : html(404, '404 - File or directory not found.');
}

/** 429, with how long to wait. */
function limit(contexto: Contexto, usos: UsosDoAdn): Resposta | null {
  const { agora, origem, pedido, relatorio } = contexto;
  const titular = pedido.certificado?.titular ?? '';
  const uso = usos.of(titular);
  if (agora < uso.retryAte) {
    const chave = `adn/${titular}`;
    const detalhe = `faltavam ${Math.ceil((uso.retryAte - agora) / 1_000)} s`;
    relatorio.addViolacao({
      regra: 'antes_do_retry_after',
      agente: origem.agente,
      chave,
      em: agora,
      detalhe,
    });
    return tooMany();
  }
  uso.pedidos = uso.pedidos.filter((em) => em > agora - 60_000);
  uso.pedidos.push(agora);
  if (uso.pedidos.length <= PEDIDOS_POR_MINUTO) return null;
  uso.retryAte = agora + RETRY_AFTER_S * 1_000;
  return tooMany();
}

const tooMany = () =>
  json(429, { mensagem: 'Limite de requisições excedido.' }, { 'retry-after': String(RETRY_AFTER_S) });

function lineOf({ nsu, schema, chave, xml, em }: Item): object {
  const isVoid = schema === 'NENHUM';
  return {
    NSU: nsu,
    ChaveAcesso: isVoid ? null : chave,
    TipoDocumento: schema,
    TipoEvento: schema === 'EVENTO' ? 'CANCELAMENTO' : null,
    ArquivoXml: isVoid ? null : gzipSync(xml).toString('base64'),
    DataHoraGeracao: dataHora(em),
  };
}

function answerLote(contexto: Contexto, usos: UsosDoAdn, who: string, nsu: number): Resposta {
  const { acervo, agora, relatorio, origem } = contexto;
  const uso = usos.of(who);
  if (agora < uso.esperaAte) {
    const chave = `adn/${who}`;
    const detalhe = `faltavam ${Math.ceil((uso.esperaAte - agora) / 1_000)} s`;
    relatorio.addViolacao({ regra: 'adn_dentro_da_hora', agente: origem.agente, chave, em: agora, detalhe });
  }
  const itens = acervo.adn.of('1', who, agora).fila.after(nsu, LOTE_MAX);
  if (itens.length === 0) {
    uso.esperaAte = agora + HORA_MS;
    return json(404, body(contexto, 'NENHUM_DOCUMENTO_LOCALIZADO', [], [NENHUM]));
  }
  relatorio.de(origem.agente).documentos += itens.length;
  const spoiled = contexto.takeDefeito();
  const lines = itens.map(lineOf);
  if (spoiled === 'gzip_errado' && lines[0]) lines[0] = { ...lines[0], ArquivoXml: 'H4sIAAAAAAAAA2Vycm8=' };
  if (spoiled === 'documento_quebrado' && lines[0] && itens[0])
    lines[0] = { ...lines[0], ArquivoXml: gzipSync(itens[0].xml.slice(0, 500)).toString('base64') };
  if (spoiled === 'chave_dobrada' && lines[0]) lines.push({ ...lines[0] });
  return json(200, body(contexto, 'DOCUMENTOS_LOCALIZADOS', lines, []));
}

function answerOne(contexto: Contexto, who: string, nsu: number): Resposta {
  const item = contexto.acervo.adn.of('1', who, contexto.agora).fila.get(nsu);
  return item
    ? json(200, body(contexto, 'DOCUMENTOS_LOCALIZADOS', [lineOf(item)], []))
    : json(404, body(contexto, 'NENHUM_DOCUMENTO_LOCALIZADO', [], [NENHUM]));
}

function isParty({ pedido }: Contexto, { nfse }: NfseConhecida): boolean {
  const { certificado } = pedido;
  return certificado !== null && nfse.partes.some((id) => mayAskAbout(certificado, id));
}

function answerEventos(contexto: Contexto, chave: string): Resposta {
  const known = contexto.acervo.nfses.get(chave);
  const eventos = known && isParty(contexto, known) ? [...known.eventos] : [];
  if (eventos.length === 0) return json(404, body(contexto, 'NENHUM_DOCUMENTO_LOCALIZADO', [], [NENHUM]));
  const itens = eventos.map(([, { xml, em }], at) =>
    lineOf({ nsu: at + 1, schema: 'EVENTO', chave, xml, em }),
  );
  return json(200, body(contexto, 'DOCUMENTOS_LOCALIZADOS', itens, []));
}

const SEFIN = {
  nfse: /^\/nfse\/([0-9A-Z]{50})$/,
  dps: /^\/dps\/(DPS[0-9A-Z]{42})$/,
  evento: /^\/nfse\/([0-9A-Z]{50})\/eventos\/(\d{6})\/(\d{1,3})$/,
  eventos: /^\/nfse\/[0-9A-Z]{50}\/eventos$/,
};

export function answerSefin(contexto: Contexto): Resposta {
  const { pedido, agora, revogados } = contexto;
  const { certificado, caminho } = pedido;
  if (!certificado || refusalOfCertificate(certificado, agora, revogados))
    return html(403, '403 - Forbidden: Access is denied.');
  const [, chave] = SEFIN.nfse.exec(caminho) ?? [];
  if (chave) return answerNfse(contexto, chave);
  const [, dps] = SEFIN.dps.exec(caminho) ?? [];
  if (dps) return answerDps(contexto, dps);
  const [, daNota, tipo, sequencia] = SEFIN.evento.exec(caminho) ?? [];
  if (daNota) return answerEventoDaSefin(contexto, daNota, `${tipo}/${Number(sequencia)}`);
  return SEFIN.eventos.test(caminho)
    ? html(405, '405 - HTTP verb used to access this page is not allowed.')
    : html(404, '404 - File or directory not found.');
}

function head({ agora }: Contexto) {
  return { tipoAmbiente: 1, versaoAplicativo: '1.6.0-SIM', dataHoraProcessamento: dataHora(agora) };
}

function notFound(contexto: Contexto, codigo: string, descricao: string): Resposta {
  return json(404, { ...head(contexto), erro: { codigo, descricao } });
}

function answerNfse(contexto: Contexto, chave: string): Resposta {
  const known = contexto.acervo.nfses.get(chave);
  if (!known || !isParty(contexto, known)) return notFound(contexto, 'E2220', 'NFS-e não localizada.');
  const nfseXmlGZipB64 = gzipSync(known.nfse.xml).toString('base64');
  return json(200, { ...head(contexto), chaveAcesso: chave, nfseXmlGZipB64 });
}

function answerDps(contexto: Contexto, id: string): Resposta {
  const known = [...contexto.acervo.nfses.values()].find(({ nfse }) => nfse.idDps === id);
  return known
    ? json(200, { ...head(contexto), idDps: id, chaveAcesso: known.nfse.chave })
    : notFound(contexto, 'E2220', 'DPS não localizada.');
}

/** The file stands in two layers: Base64 of the text that is Base64 of the gzip. */
function answerEventoDaSefin(contexto: Contexto, chave: string, id: string): Resposta {
  const known = contexto.acervo.nfses.get(chave);
  const evento = known?.eventos.get(id);
  if (!known || !evento || !isParty(contexto, known))
    return notFound(contexto, 'E2220', 'Evento não localizado.');
  const inner = gzipSync(evento.xml).toString('base64');
  const [tipoEvento, numeroPedidoRegistroEvento] = id.split('/').map(Number);
  return json(200, {
    ...head(contexto),
    eventos: [
      {
        chaveAcesso: chave,
        tipoEvento,
        numeroPedidoRegistroEvento,
        dataHoraRecebimento: dataHora(evento.em),
        arquivoXml: Buffer.from(inner, 'latin1').toString('base64'),
      },
    ],
  });
}

/** Which cities take part; who is not in the table takes part in nothing. */
export function answerConvenio({ pedido }: Contexto, conveniados: ReadonlySet<string> | null): Resposta {
  const [, ibge] = /^\/(\d{7})\/convenio$/.exec(pedido.caminho) ?? [];
  if (!ibge) return html(404, '404 - File or directory not found.');
  const inside = conveniados === null || conveniados.has(ibge) ? 1 : 0;
  return json(200, {
    mensagem: 'Parâmetros do convênio recuperados com sucesso.',
    parametrosConvenio: {
      tipoConvenio: inside,
      aderenteAmbienteNacional: inside,
      aderenteEmissorNacional: inside,
    },
  });
}
