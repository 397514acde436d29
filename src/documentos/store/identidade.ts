import { parseChave50, splitChave } from '../../fiscal/chave.ts';
import { diaDe } from '../../fiscal/dia.ts';
import { DE_TRANSPORTE } from '../../fiscal/direcao.ts';
import { autoresDe } from '../../fiscal/eventos/autores.ts';
import { COMO_O_DESTINATARIO, COMO_O_EMITENTE } from '../../fiscal/papeis.ts';
import { statusDoEvento } from '../../fiscal/status.ts';
import {
  type CpfCnpj,
  type Documento,
  type Evento,
  type Julgamento,
  PAPEL,
  type Papel,
  type Participante,
} from '../../fiscal/tipos.ts';
import { writeEmissao } from '../lean/emissao-guardada.ts';
import { writeFinalidade } from '../lean/finalidade-guardada.ts';
import { writeItens } from '../lean/itens-guardados.ts';
import { writeProva } from '../lean/prova-guardada.ts';
import type { LinhaDeDocumento } from '../queries.ts';
import type { RegistroAGuardar, RegistroSemItens } from '../tipos.ts';
import { statusMostrado } from './status-mostrado.ts';

/**
 * What tells a record from others of its office, environment, class and key: an event's code and sequence; of documents
 * and inutilizações there is one a key.
 */
export function identidadeDe(registro: RegistroSemItens): string {
  return registro.classe === 'evento' ? `${registro.codigo}/${registro.sequencia}` : '';
}

/**
 * Whether a record carries the authority's proof: events and inutilizações are kept only with it. Of a CF-e SAT it
 * is the signature of the device, without which the coupon is pending.
 */
export function ehProtocolado(registro: RegistroSemItens): boolean {
  if (registro.classe !== 'documento') return true;
  if (registro.especie === 'CFe') return registro.statusProtocolo !== 'Pendente';
  return registro.protocolo !== null;
}

/**
 * Who takes part. An event names its author and sometimes the recipient; the issuer is in the key of its
 * document, and the document's other parties are added when both are there (`participantesDeEventos`).
 */
export function participantesDe(registro: RegistroSemItens): Participante[] {
  if (registro.classe === 'documento') return registro.participantes;
  if (registro.classe === 'inutilizacao')
    return [{ papel: 'emitente', cpfCnpj: registro.emitente, nome: null }];
  const { emitente } = splitChave(registro.chave);
  const partes: Participante[] = [];
  const papel = registro.modelo === 'NFSe' ? 'prestador' : 'emitente';
  if (emitente) partes.push({ papel, cpfCnpj: emitente, nome: null });
  const { autor, destinatario } = registro;
  // Who manifests is in what was signed, whom the answer names is not: he comes first, and the row has him as the recipient.
  const manifesta = registro.efeito === 'manifestacao' && registro.modelo !== 'NFSe' && autor !== null;
  if (manifesta) partes.push({ papel: papelDoAutor(registro), cpfCnpj: autor, nome: null });
  if (destinatario && !(manifesta && destinatario === autor))
    partes.push({ papel: 'destinatario', cpfCnpj: destinatario, nome: null });
  if (!manifesta && autor && autor !== emitente && autor !== destinatario)
    partes.push({ papel: papelDoAutor(registro), cpfCnpj: autor, nome: null });
  for (const cpfCnpj of registro.autorizados ?? []) partes.push({ papel: 'autorizado', cpfCnpj, nome: null });
  return partes;
}

/** Who manifests plays the part that may do so; other foreign authors are only authorised to see. */
function papelDoAutor({ modelo, codigo, efeito }: Evento): Papel {
  if (modelo !== 'NFSe' && efeito !== 'manifestacao') return 'autorizado';
  const [quem = 'autoridade', ...outros] = autoresDe(modelo, codigo);
  return quem in PAPEL && outros.length === 0 ? (quem as Papel) : 'autorizado';
}

/**
 * The row of a record, as its served version has it.
 * @param scope.alegado what versions that are not served say of its status
 */
export function linhaDeDocumento(
  { registro, prova }: { registro: RegistroAGuardar; prova: Julgamento },
  scope: { contadorId: number; agora: number; alegado: string | null },
): LinhaDeDocumento {
  const emitidoEm = Date.parse(registro.dataEmissao);
  const documento = registro.classe === 'documento' ? registro : null;
  const evento = registro.classe === 'evento' ? registro : null;
  const { emitente, emitente_nome, destinatario, destinatario_nome } = partes(registro);
  const { serie, numero, numero_inicial, numero_final } = numeracao(registro);
  const { finalidade_codigo, finalidade_descricao } = writeFinalidade(documento?.finalidade ?? null);
  const mostrado = mostradoNoInicio({ registro, prova }, scope.alegado);
  // Each column by its name: an object that is put together of others becomes a slow one, which an import feels.
  return {
    contador_id: scope.contadorId,
    ambiente: registro.ambiente,
    classe: registro.classe,
    identidade: identidadeDe(registro),
    especie: registro.especie,
    chave: registro.chave,
    modelo: registro.modelo,
    layout: registro.layout,
    data_emissao: writeEmissao(registro.dataEmissao, emitidoEm),
    emitido_em: emitidoEm,
    dia: diaDe(emitidoEm),
    importado_em: scope.agora,
    serie,
    numero,
    numero_inicial,
    numero_final,
    emitente,
    emitente_nome,
    destinatario,
    destinatario_nome,
    valor: documento?.valor ?? null,
    tp_nf: documento?.tpNF ?? null,
    finalidade_codigo,
    finalidade_descricao,
    itens: documento?.itens ?? declaradosNo(evento),
    layout_nacional: ehDoLayoutNacional(registro) ? 1 : 0,
    municipio_prestacao: documento?.municipioPrestacao ?? null,
    evento_codigo: evento?.codigo ?? null,
    evento_descricao: evento?.descricao ?? null,
    evento_sequencia: evento?.sequencia ?? null,
    evento_efeito: evento?.efeito ?? null,
    evento_desfaz: evento?.desfaz ? JSON.stringify(evento.desfaz) : null,
    manifestacao: null,
    nprot: registro.protocolo?.nProt ?? null,
    protocolo_da_nota: evento?.protocoloDaNota ?? null,
    autor: evento?.autor ?? null,
    tomador: documento && tomadorDe(documento),
    prova: writeProva(prova.prova),
    status_alegado: scope.alegado,
    status_protocolo: statusInicial(registro),
    status: mostrado.status,
    status_prova: mostrado.prova,
  };
}

/** Of transports, whose events he may write; of other documents the row has the recipient, who may. */
export function tomadorDe({
  modelo,
  participantes,
}: Pick<Documento, 'modelo' | 'participantes'>): CpfCnpj | null {
  if (!DE_TRANSPORTE.includes(modelo)) return null;
  return participantes.find(({ papel }) => papel === PAPEL.tomador)?.cpfCnpj ?? null;
}

/** The items of an event are kept as those of a document are, of which it says the number only. */
function declaradosNo(evento: Evento | null): string | null {
  const numeros = evento?.itensDeclarados;
  if (!numeros || numeros.length === 0) return null;
  return writeItens(numeros.map((numero) => ({ numero, cfop: null, ncm: null, valor: null })));
}

/** An event of NFS-e is national where the key of its note is; the cancellations of cities are about composed keys. */
function ehDoLayoutNacional(registro: RegistroSemItens): boolean {
  if (registro.classe === 'documento') return registro.layoutNacional;
  return registro.modelo === 'NFSe' && parseChave50(registro.chave) !== null;
}

/** What a record shows while no event of it is known. */
function mostradoNoInicio(
  { registro, prova }: { registro: RegistroAGuardar; prova: Julgamento },
  alegado: string | null,
): { status: string; prova: number | null } {
  const forca = writeProva(prova.prova);
  const inicial = statusInicial(registro);
  if (registro.classe !== 'documento') return { status: inicial, prova: forca };
  const nprot = registro.protocolo?.nProt ?? null;
  return statusMostrado(
    {
      ...{ chave: registro.chave, modelo: registro.modelo, emitido_em: 0 },
      ...{ emitente: null, destinatario: null, tomador: null },
      ...{ status_protocolo: inicial, status_alegado: alegado },
      ...{ status_gemea: null, prova: forca, nprot },
    },
    [],
  );
}

/** Status before any event is applied. */
function statusInicial(registro: RegistroSemItens): string {
  if (registro.classe === 'documento') return registro.statusProtocolo;
  if (registro.classe === 'inutilizacao') return 'Inutilizada';
  return statusDoEvento(registro);
}

function numeracao(registro: RegistroSemItens) {
  if (registro.classe === 'inutilizacao') {
    return {
      serie: registro.serie,
      numero: String(registro.numeroInicial),
      numero_inicial: registro.numeroInicial,
      numero_final: registro.numeroFinal,
    };
  }
  const { serie, numero } = registro.classe === 'documento' ? registro : splitChave(registro.chave);
  const inteiro = /^[0-9]{1,15}$/.test(numero) ? Number(numero) : null;
  return { serie, numero, numero_inicial: inteiro, numero_final: inteiro };
}

function partes(registro: RegistroSemItens) {
  return nomesDasPartes(participantesDe(registro));
}

function nomesDasPartes(todos: readonly Participante[]) {
  const emitente = todos.find(ehComoOEmitente);
  const destinatario = todos.find(ehComoODestinatario);
  return {
    emitente: emitente?.cpfCnpj ?? null,
    emitente_nome: emitente?.nome ?? null,
    destinatario: destinatario?.cpfCnpj ?? null,
    destinatario_nome: destinatario?.nome ?? null,
  };
}

function ehComoOEmitente({ papel }: Participante): boolean {
  return COMO_O_EMITENTE.includes(papel);
}

function ehComoODestinatario({ papel }: Participante): boolean {
  return COMO_O_DESTINATARIO.includes(papel);
}

/** `participante.nome`: the one that the document's own row has for its issuer, or else for its recipient. */
const COMO_NO_DOCUMENTO = '';

/** What is written of the name of each party: nothing but that, where the document's own row has it. */
export function nomesGuardados(participantes: readonly Participante[]): (string | null)[] {
  const { emitente_nome, destinatario_nome } = nomesDasPartes(participantes);
  const guardados: (string | null)[] = [];
  for (const um of participantes) {
    const { nome } = um;
    const same =
      (ehComoOEmitente(um) && nome === emitente_nome) ||
      (ehComoODestinatario(um) && nome === destinatario_nome);
    if (!nome) guardados.push(null);
    else guardados.push(same ? COMO_NO_DOCUMENTO : nome);
  }
  return guardados;
}
