/**
 * Columns of exported tables that the listing itself knows. Their names never change and none is ever taken away: scripts of
 * others read them.
 */
import { NOME_DA_PROVA } from '../../documentos/store/palavras-da-prova.ts';
import type { Prova } from '../../fiscal/tipos.ts';
import type { Documento } from '../documentos/apresentar.ts';
import type { Coluna } from './celulas.ts';
import {
  nomeDaEspecie,
  nomeDaFinalidade,
  nomeDaManifestacao,
  nomeDaOrigem,
  nomeDoPapel,
  nomeDoStatus,
} from './palavras.ts';

const sim = (value: boolean) => (value ? 'Sim' : 'Não');

/** A name that a spreadsheet shows whole. */
const NOME = 36;

export const COLUNAS: readonly Coluna<Documento>[] = [
  { titulo: 'Chave de acesso', tipo: 'identificador', largura: 48, valor: (d) => d.chave },
  { titulo: 'Espécie', tipo: 'texto', largura: 10, valor: (d) => nomeDaEspecie(d.especie) },
  { titulo: 'Modelo', tipo: 'texto', largura: 9, valor: (d) => d.modelo },
  { titulo: 'Série', tipo: 'texto', largura: 7, valor: (d) => d.serie },
  { titulo: 'Número', tipo: 'texto', largura: 11, valor: (d) => d.numero },
  { titulo: 'Número final', tipo: 'texto', largura: 13, valor: (d) => d.numeroFinal },
  { titulo: 'Situação', tipo: 'texto', largura: 14, valor: (d) => nomeDoStatus(d.status) },
  { titulo: 'Tipo', tipo: 'texto', largura: 11, valor: (d) => d.tipo },
  { titulo: 'Papel', tipo: 'texto', largura: 14, valor: (d) => nomeDoPapel(d.papel) },
  { titulo: 'Emissão', tipo: 'data', valor: (d) => d.dataEmissao },
  { titulo: 'Importação', tipo: 'data', valor: (d) => d.dataImportacao },
  { titulo: 'Emitente CPF/CNPJ', tipo: 'pessoa', valor: (d) => d.emitente.cpfCnpj },
  { titulo: 'Emitente', tipo: 'texto', largura: NOME, valor: (d) => d.emitente.nome },
  { titulo: 'Destinatário CPF/CNPJ', tipo: 'pessoa', valor: (d) => d.destinatario.cpfCnpj },
  { titulo: 'Destinatário', tipo: 'texto', largura: NOME, valor: (d) => d.destinatario.nome },
  { titulo: 'UF', tipo: 'texto', largura: 5, valor: (d) => d.uf },
  { titulo: 'Valor', tipo: 'moeda', valor: (d) => d.valor },
  { titulo: 'Manifestação', tipo: 'texto', valor: (d) => nomeDaManifestacao(d.manifestacao) },
  {
    titulo: 'Prova da situação',
    tipo: 'texto',
    valor: (d) => (d.prova === null ? null : NOME_DA_PROVA[d.prova as Prova]),
  },
  { titulo: 'Finalidade', tipo: 'texto', valor: (d) => nomeDaFinalidade(d.finalidade?.codigo ?? null) },
  {
    titulo: 'Origem da finalidade',
    tipo: 'texto',
    valor: (d) => nomeDaOrigem(d.finalidade?.origem ?? null),
  },
  { titulo: 'Carta de correção', tipo: 'texto', largura: 10, valor: (d) => sim(d.cartaCorrecao) },
  { titulo: 'Homologação', tipo: 'texto', largura: 10, valor: (d) => sim(d.homologacao) },
  { titulo: 'Cliente CPF/CNPJ', tipo: 'pessoa', valor: (d) => d.cliente.cpfCnpj },
  { titulo: 'Cliente', tipo: 'texto', largura: NOME, valor: (d) => d.cliente.nome },
  { titulo: 'NSU', tipo: 'inteiro', valor: (d) => d.nsu },
];
