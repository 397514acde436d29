/** Small NFS-e for the tests, of invented companies: national, ABRASF, São Paulo and other cities. */
import assert from 'node:assert/strict';
import { CONTADOR, DESTINATARIO, EMITENTE } from '../amostras-de-teste.ts';
import { chaveCheckDigit } from '../chave.ts';
import { lida, type Rejeitada, rejeitada } from '../leitura-de-teste.ts';
import type { Documento, Evento, Peca } from '../tipos.ts';

export const PRESTADOR = EMITENTE;
export const TOMADOR = DESTINATARIO;
export const INTERMEDIARIO = CONTADOR;
export const NS_NACIONAL = ' xmlns="http://www.sped.fazenda.gov.br/nfse"';

/** A 50-character key with a valid check digit. */
export function chave50(numero = '42', inscricao = PRESTADOR, tpInsc = '2'): string {
  const body = `35503082${tpInsc}${inscricao.padStart(14, '0')}${numero.padStart(13, '0')}2603123456789`;
  return body + chaveCheckDigit(body);
}

export interface OpcoesNacional {
  chave?: string;
  id?: string;
  ns?: string;
  cStat?: string;
  dhProc?: string;
  emit?: string;
  dps?: string;
  infDPS?: string;
  assinatura?: string;
}

export function infDPS(
  options: { partes?: string; tpAmb?: string; data?: string; serv?: string; mais?: string } = {},
): string {
  const partes =
    options.partes ??
    `<prest><CNPJ>${PRESTADOR}</CNPJ></prest><toma><CNPJ>${TOMADOR}</CNPJ><xNome>Mercado Horizonte</xNome></toma>`;
  const serv = options.serv ?? '<serv><locPrest><cLocPrestacao>3304557</cLocPrestacao></locPrest></serv>';
  return `<infDPS Id="DPS1"><tpAmb>${options.tpAmb ?? '1'}</tpAmb>${options.data ?? '<dhEmi>2026-03-10T09:30:00-03:00</dhEmi>'}<serie>00070</serie><nDPS>9</nDPS><tpEmit>1</tpEmit><cLocEmi>3550308</cLocEmi>${options.mais ?? ''}${partes}${serv}<valores><vServPrest><vServ>1500.00</vServ></vServPrest></valores></infDPS>`;
}

export function nacional(options: OpcoesNacional = {}): string {
  const id = options.id ?? ` Id="NFS${options.chave ?? chave50()}"`;
  const dps = options.dps ?? `<DPS${NS_NACIONAL} versao="1.01">${options.infDPS ?? infDPS()}</DPS>`;
  const emit = options.emit ?? `<emit><CNPJ>${PRESTADOR}</CNPJ><xNome>Padaria Aurora Ltda</xNome></emit>`;
  const cStat = options.cStat ?? '<cStat>100</cStat>';
  const dhProc = options.dhProc ?? '<dhProc>2026-03-10T09:31:00-03:00</dhProc>';
  return `<NFSe${options.ns ?? NS_NACIONAL} versao="1.01"><infNFSe${id}><xTribNac>Consultoria</xTribNac><nNFSe>42</nNFSe><cLocIncid>3550308</cLocIncid>${cStat}${dhProc}${emit}<valores><vLiq>1400.00</vLiq></valores>${dps}</infNFSe>${options.assinatura ?? ''}</NFSe>`;
}

export interface OpcoesEvento {
  chave?: string;
  codigo?: string;
  sequencia?: string;
  id?: string;
  detalhe?: string;
  autor?: string;
  data?: string;
  tpAmb?: string;
}

export function eventoNacional(options: OpcoesEvento = {}): string {
  const { codigo = '101101', sequencia = '001', chave = chave50(), tpAmb = '1' } = options;
  const id = options.id ?? ` Id="EVT${chave}${codigo}${sequencia}"`;
  const data = options.data ?? '<dhEvento>2026-03-11T10:00:00-03:00</dhEvento>';
  return `<evento${NS_NACIONAL} versao="1.01"><infEvento${id}><nSeqEvento>7</nSeqEvento><dhProc>2026-03-11T10:00:05-03:00</dhProc><pedRegEvento versao="1.01"><infPedReg><tpAmb>${tpAmb}</tpAmb>${data}<CNPJAutor>${options.autor ?? PRESTADOR}</CNPJAutor><chNFSe>${chave}</chNFSe><e${codigo}>${options.detalhe ?? '<xDesc>Palavras do sistema</xDesc>'}</e${codigo}></infPedReg></pedRegEvento></infEvento></evento>`;
}

export interface OpcoesAbrasf {
  numero?: string;
  codigo?: string;
  data?: string;
  valor?: string;
  prestador?: string;
  gerador?: string;
  /** Inside InfNfse. */
  mais?: string;
  /** Beside Nfse. */
  ao_lado?: string;
}

const ENDERECO =
  '<Endereco><Endereco>Rua A</Endereco><Numero>99</Numero><CodigoMunicipio>3304557</CodigoMunicipio></Endereco>';
const GERADOR = '<OrgaoGerador><CodigoMunicipio>3304557</CodigoMunicipio><Uf>RJ</Uf></OrgaoGerador>';

/** Layout 1.00. */
export function abrasf1(
  options: OpcoesAbrasf = {},
  ns = ' xmlns="http://www.abrasf.org.br/nfse.xsd"',
): string {
  const prestador = options.prestador ?? `<Cnpj>${PRESTADOR}</Cnpj>`;
  return `<CompNfse${ns}><Nfse versao="1.00"><InfNfse><Numero>${options.numero ?? '202600000000015'}</Numero><CodigoVerificacao>${options.codigo ?? 'ABCD-1234'}</CodigoVerificacao>${options.data ?? '<DataEmissao>2026-03-10T09:30:00</DataEmissao>'}<IdentificacaoRps><Numero>7</Numero><Serie>U</Serie></IdentificacaoRps>${options.mais ?? ''}<Servico><Valores><ValorServicos>${options.valor ?? '10.00'}</ValorServicos></Valores><CodigoMunicipio>3303302</CodigoMunicipio></Servico><PrestadorServico><IdentificacaoPrestador>${prestador}</IdentificacaoPrestador><RazaoSocial>Padaria Aurora Ltda</RazaoSocial>${ENDERECO}</PrestadorServico><TomadorServico><IdentificacaoTomador><CpfCnpj><Cnpj>${TOMADOR}</Cnpj></CpfCnpj></IdentificacaoTomador><RazaoSocial>Mercado Horizonte</RazaoSocial>${ENDERECO}</TomadorServico><IntermediarioServico><RazaoSocial>Ponte</RazaoSocial><CpfCnpj><Cnpj>${INTERMEDIARIO}</Cnpj></CpfCnpj></IntermediarioServico>${options.gerador ?? GERADOR}</InfNfse></Nfse>${options.ao_lado ?? ''}</CompNfse>`;
}

/** Layouts 2.0x: the prestador's id stands in the declaration only. */
export function abrasf2(tomador: 'Tomador' | 'TomadorServico', versao: string): string {
  return `<CompNfse xmlns="http://www.abrasf.org.br/nfse.xsd"><Nfse versao="${versao}"><InfNfse Id="nfse1"><Numero>15</Numero><CodigoVerificacao>X1</CodigoVerificacao><DataEmissao>2026-03-10T09:30:00</DataEmissao><ValoresNfse><ValorLiquidoNfse>9.00</ValorLiquidoNfse></ValoresNfse><PrestadorServico><RazaoSocial>Padaria Aurora Ltda</RazaoSocial>${ENDERECO}</PrestadorServico>${GERADOR}<DeclaracaoPrestacaoServico><InfDeclaracaoPrestacaoServico><Rps><IdentificacaoRps><Numero>7</Numero><Serie>99</Serie></IdentificacaoRps></Rps><Servico><Valores><ValorServicos>10.00</ValorServicos></Valores><CodigoMunicipio>3303302</CodigoMunicipio></Servico><Prestador><CpfCnpj><Cnpj>${PRESTADOR}</Cnpj></CpfCnpj></Prestador><${tomador}><IdentificacaoTomador><CpfCnpj><Cpf>52998224725</Cpf></CpfCnpj></IdentificacaoTomador><RazaoSocial>Maria</RazaoSocial></${tomador}><Intermediario><IdentificacaoIntermediario><CpfCnpj><Cnpj>${INTERMEDIARIO}</Cnpj></CpfCnpj></IdentificacaoIntermediario><RazaoSocial>Ponte</RazaoSocial></Intermediario></InfDeclaracaoPrestacaoServico></DeclaracaoPrestacaoServico></InfNfse></Nfse></CompNfse>`;
}

export function cancelamentoAbrasf(
  options: { numero?: string; municipio?: string; data?: string } = {},
): string {
  const { numero = '202600000000015', municipio = '3304557' } = options;
  return `<NfseCancelamento><Confirmacao><Pedido><InfPedidoCancelamento><IdentificacaoNfse><Numero>${numero}</Numero><CpfCnpj><Cnpj>${PRESTADOR}</Cnpj></CpfCnpj><CodigoMunicipio>${municipio}</CodigoMunicipio></IdentificacaoNfse><CodigoCancelamento>1</CodigoCancelamento></InfPedidoCancelamento></Pedido>${options.data ?? '<DataHora>2026-03-12T08:00:00</DataHora>'}</Confirmacao></NfseCancelamento>`;
}

export function paulistana(options: { status?: string; chaveNacional?: string; mais?: string } = {}): string {
  const nacional = options.chaveNacional
    ? `<ChaveNotaNacional>${options.chaveNacional}</ChaveNotaNacional>`
    : '';
  return `<NFe xmlns=""><ChaveNFe><InscricaoPrestador>40670945</InscricaoPrestador><NumeroNFe>2205</NumeroNFe><CodigoVerificacao>Q7CKMW79</CodigoVerificacao>${nacional}</ChaveNFe><DataEmissaoNFe>2026-03-10T09:30:00</DataEmissaoNFe><ChaveRPS><SerieRPS>BB</SerieRPS><NumeroRPS>3</NumeroRPS></ChaveRPS><CPFCNPJPrestador><CNPJ>${PRESTADOR}</CNPJ></CPFCNPJPrestador><RazaoSocialPrestador>Padaria Aurora Ltda</RazaoSocialPrestador><StatusNFe>${options.status ?? 'N'}</StatusNFe>${options.mais ?? ''}<ValorServicos>201.5</ValorServicos><CPFCNPJTomador><CNPJ>${TOMADOR}</CNPJ></CPFCNPJTomador><RazaoSocialTomador>Mercado Horizonte</RazaoSocialTomador></NFe>`;
}

export function retornoPaulistana(...notas: string[]): string {
  return `<RetornoConsulta xmlns="http://www.prefeitura.sp.gov.br/nfe"><Cabecalho xmlns="" Versao="1"><Sucesso>true</Sucesso></Cabecalho>${notas.join('')}</RetornoConsulta>`;
}

export function documento(piece: Peca | undefined): Documento {
  const { registro } = lida(piece);
  assert.equal(registro.classe, 'documento');
  return registro as Documento;
}

export function evento(piece: Peca | undefined): Evento {
  const { registro } = lida(piece);
  assert.equal(registro.classe, 'evento');
  return registro as Evento;
}

/** `papel CPF/CNPJ nome` of every party. */
export function partesDe(nota: Documento): string[] {
  return nota.participantes.map(({ papel, cpfCnpj, nome }) => `${papel} ${cpfCnpj} ${nome}`);
}

/** A refusal must name its code, its place and, in its sentence, what to do. */
export function assertRefused(piece: Peca | undefined, codigo: string, says: RegExp): Rejeitada {
  const refused = rejeitada(piece);
  assert.equal(refused.rejeicao.codigo, codigo, refused.rejeicao.mensagem);
  assert.match(refused.rejeicao.mensagem, says);
  assert.notEqual(refused.rejeicao.elemento, null);
  return refused;
}
