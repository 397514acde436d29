/**
 * How well what a document, an event or an inutilização says is proven, decided from its bytes alone: who signed them, whether
 * that person had to, and whether the authority's answer is about this very content. Whoever wants a status changed can write
 * an answer of SEFAZ by hand; nobody else can sign for the issuer.
 */
import { validoEm } from './assinatura/signatario.ts';
import { splitChave } from './chave.ts';
import { mesmaRaiz } from './cpf-cnpj.ts';
import { N_PROT } from './dfe/partes.ts';
import { ehSoDoEmitente } from './eventos/autores.ts';
import {
  type Chave,
  type CpfCnpj,
  type Documento,
  type Evento,
  FALHA_DE_PROVA,
  type FalhaDeProva,
  type Julgamento,
  PROVAS,
  type Prova,
  type Registro,
  type Signatario,
  type VeredictoAssinatura,
} from './tipos.ts';

const F = FALHA_DE_PROVA;

/** Nothing here contradicts the document; what is missing is at hand elsewhere. */
const LEVES: readonly FalhaDeProva[] = [
  F.cadeiaDesconhecida,
  F.titularNaoInformado,
  F.assinadaPelaPrefeitura,
];
/** About the authority's answer, not about who wrote the content. */
const DO_PROTOCOLO: readonly FalhaDeProva[] = [
  F.semProtocolo,
  F.protocoloIncompleto,
  F.protocoloDeOutroConteudo,
  F.respostaDeHomologacao,
];

/** Documents of old layouts tell the day only, and clocks of issuers differ. */
export const TOLERANCIA_MS = 24 * 3_600_000;

const SEM_FALHA: readonly FalhaDeProva[] = [];

/** Judges a record by its own bytes. @param assinatura verdict over the element that the record was read from */
export function judgeProva(
  registro: Registro | RegistroAJulgar,
  assinatura: VeredictoAssinatura,
): Julgamento {
  const falhas = [...daAssinatura(registro, assinatura), ...doProtocolo(registro), ...doTipo(registro)];
  return falhas.length === 0 ? { prova: 'assinada', falhas: SEM_FALHA } : { prova: provaCom(falhas), falhas };
}

/** A record but for what is not looked at here. */
export type RegistroAJulgar = Omit<Documento, 'itens'> | Evento | Exclude<Registro, Documento>;

/** What is proven with these shortcomings. */
export function provaCom(falhas: readonly FalhaDeProva[]): Prova {
  if (falhas.length === 0) return 'assinada';
  if (falhas.includes(F.cadeiaDesconhecida) && falhas.includes(F.titularNaoInformado)) return 'declarada';
  return falhas.every((falha) => LEVES.includes(falha)) ? 'coerente' : 'declarada';
}

/** How well it is proven who wrote the content, whatever became of it at the authority. */
export function provaDaAutoria(falhas: readonly FalhaDeProva[]): Prova {
  return provaCom(falhas.filter((falha) => !DO_PROTOCOLO.includes(falha)));
}

/** Place of a proof among the others: a stronger one has a greater number. */
export function forcaDe(prova: Prova): number {
  return PROVAS.indexOf(prova);
}

function daAssinatura(registro: RegistroAJulgar, assinatura: VeredictoAssinatura): FalhaDeProva[] {
  if (assinatura.resultado === 'sem_assinatura') return [F.semAssinatura];
  if (assinatura.resultado === 'alterada') return [F.alterada];
  const { titular, signatario } = assinatura;
  if (signatario === null) return [F.titularNaoInformado, F.cadeiaDesconhecida];
  const doTitular = compareTitular(registro, { titular, signatario });
  const falhas: FalhaDeProva[] = doTitular ? [doTitular] : [];
  if (signatario.cadeia === 'invalida') falhas.push(F.cadeiaInvalida);
  else if (!respondePor(registro, signatario)) falhas.push(F.cadeiaDesconhecida);
  if (!validoEm(signatario, Date.parse(registro.dataEmissao), TOLERANCIA_MS)) falhas.push(F.foraDaValidade);
  return falhas;
}

/** SAT devices have an authority of their own, which answers for nothing else. */
function respondePor(registro: RegistroAJulgar, { cadeia }: Signatario): boolean {
  return cadeia === 'icp_brasil' || (cadeia === 'sat' && registro.modelo === '59');
}

/** The host of the national environment of NFS-e, as its certificates name it. */
const AMBIENTE_NACIONAL = /(?:^|\.)nfse\.gov\.br$/i;
/** ICP-Brasil gives such a name to nobody else. */
const PREFEITURA = /^(?:MUNICIPIO|PREFEITURA)\b/i;

function compareTitular(
  registro: RegistroAJulgar,
  { titular, signatario }: { titular: string | null; signatario: Signatario },
): FalhaDeProva | null {
  const { titularDocumento, cadeia } = signatario;
  if (registro.modelo === 'NFSe') {
    if (titular !== null && AMBIENTE_NACIONAL.test(titular)) return null;
    const daCidade = titular !== null && cadeia === 'icp_brasil' && PREFEITURA.test(titular);
    return daCidade ? F.assinadaPelaPrefeitura : F.titularDiverso;
  }
  if (titularDocumento === null) return F.titularNaoInformado;
  return quemAssina(registro).some((quem) => mesmaRaiz(titularDocumento, quem)) ? null : F.titularDiverso;
}

/**
 * Who may sign a record of SEFAZ's: its issuer, of an event its author; a note that the Fisco wrote for somebody (NF-e avulsa,
 * séries 890 a 919) has the Fisco's CNPJ in its key. @fonte MOC 7.0, regras de validação da assinatura e séries
 */
function quemAssina(registro: RegistroAJulgar): CpfCnpj[] {
  if (registro.classe === 'inutilizacao') return [registro.emitente];
  const { emitente: daChave } = splitChave(registro.chave);
  const doFisco = ehAvulsa(registro.chave) ? daChave : null;
  const autor = registro.classe === 'evento' ? (registro.autor ?? daChave) : emitenteDe(registro);
  // Whom the key does not name has no note under it, even where the Fisco writes for somebody.
  const alheio = registro.classe === 'documento' && !ehDaChave(registro.chave, autor);
  return [alheio ? null : autor, doFisco].filter((quem) => quem != null);
}

function ehAvulsa(chave: Chave): boolean {
  const serie = Number(splitChave(chave).serie);
  return serie >= 890 && serie <= 919;
}

function emitenteDe({ participantes }: Pick<Documento, 'participantes'>): CpfCnpj | null {
  return participantes.find(({ papel }) => papel === 'emitente')?.cpfCnpj ?? null;
}

/** Whether a key of 44 positions names this issuer, or a branch of the same company. @fonte MOC 7.0 Anexo I, chave de acesso */
function ehDaChave(chave: Chave, emitente: CpfCnpj | null): boolean {
  if (emitente === null) return true;
  const naChave = chave.slice(6, 20);
  const [diz, disse] =
    emitente.length === 11 ? [naChave, `000${emitente}`] : [naChave.slice(0, 8), emitente.slice(0, 8)];
  return diz === disse || splitChave(chave).emitente === null;
}

/** Kinds that no authority answers with a protocol: they are proven by their signature alone. */
const SEM_PROTOCOLO: readonly string[] = ['NFSe', 'CFe'];

function doProtocolo(registro: RegistroAJulgar): FalhaDeProva[] {
  if (registro.classe !== 'documento' || SEM_PROTOCOLO.includes(registro.especie)) return [];
  const { protocolo } = registro;
  if (protocolo === null) return [F.semProtocolo];
  const digVal = protocolo.digVal?.replace(/\s+/g, '') ?? '';
  if (digVal === '' || !N_PROT.test(protocolo.nProt ?? '')) return [F.protocoloIncompleto];
  return digVal === registro.digest ? [] : [F.protocoloDeOutroConteudo];
}

function doTipo(registro: RegistroAJulgar): FalhaDeProva[] {
  const falhas: FalhaDeProva[] = [];
  if (registro.modelo === 'NFSe' && !ehNacional(registro)) falhas.push(F.municipal);
  if (registro.classe === 'documento' && temChaveAlheia(registro)) falhas.push(F.chaveDeOutroEmitente);
  if (registro.classe !== 'documento' && registro.soResposta) falhas.push(F.soResposta);
  if (registro.classe === 'documento' && registro.deLista) falhas.push(F.linhaDeLista);
  if (registro.protocolo?.deHomologacao) falhas.push(F.respostaDeHomologacao);
  if (registro.classe !== 'evento') return falhas;
  if (registro.idDeOutraChave) falhas.push(F.idDeOutraChave);
  const { emitente } = splitChave(registro.chave);
  const { autor } = registro;
  if (registro.modelo !== 'NFSe' && ehSoDoEmitente(registro.modelo, registro.codigo) && autor && emitente) {
    if (!mesmaRaiz(autor, emitente)) falhas.push(F.autorSemPoder);
  }
  return falhas;
}

/** Anybody with a certificate can write a note of his own under the key of somebody else's. */
function temChaveAlheia(registro: Pick<Documento, 'modelo' | 'chave' | 'participantes'>): boolean {
  const { modelo, chave } = registro;
  return modelo !== 'NFSe' && !ehDaChave(chave, emitenteDe(registro)) && !ehAvulsa(chave);
}

/** National keys have 50 positions; the composed ones of cities begin otherwise. */
function ehNacional(registro: RegistroAJulgar): boolean {
  return registro.classe === 'documento' ? registro.layoutNacional : registro.chave.length === 50;
}
