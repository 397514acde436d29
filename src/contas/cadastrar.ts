/**
 * Registration and update of clients as the accounts area knows them: with a certificate that is opened and judged
 * before anything is stored, and stored in the transaction of the client (specification 4.3).
 */

import { ACAO, auditar } from '../auditoria/auditar.ts';
import type { Trx } from '../banco/tabelas.ts';
import type { Deps } from '../deps.ts';
import type { CpfCnpj } from '../fiscal/tipos.ts';
import type { MasterVault } from '../platform/crypto/cofre.ts';
import type { ErroDeCampo } from '../platform/errors.ts';
import type { AbridorDeCertificados } from './certificado/abrir.ts';
import { checkCertificado, falhaAoAbrir, isHolder, titularDivergente } from './certificado/conferir.ts';
import { keepCertificado } from './certificado/guardar.ts';
import type { CertificadoAberto } from './certificado/ler-pfx.ts';
import { findVigente, retireCertificado } from './certificado/queries.ts';
import { type Cliente, type ClienteInput, findCliente, registerCliente, updateCliente } from './clientes.ts';
import type { AtualizacaoDoCliente, CadastroDoCliente, CertificadoEnviado } from './corpo-do-cliente.ts';
import { certificadoInvalido, clienteJaCadastrado, clienteNaoEncontrado } from './errors.ts';

export type CadastroDeps = Pick<Deps, 'db' | 'clock'> & {
  vault: MasterVault;
  abridor: AbridorDeCertificados;
  /** Gives the client what was held for it; runs in the transaction that registers it. */
  deliverRetidos: ClienteInput['aoRegistrar'];
};

/** Whose request it is. */
export interface Origem {
  contadorId: number;
  /** As in the audit log. */
  autor: string;
}

/**
 * Registers a client, its certificate and its held documents, all or nothing.
 * @throws cliente_ja_cadastrado, certificado_invalido (audited)
 */
export async function cadastrarCliente(
  deps: CadastroDeps,
  input: Origem & { cadastro: CadastroDoCliente },
): Promise<{ id: number; cpfCnpj: CpfCnpj }> {
  const { contadorId, autor, cadastro } = input;
  const { cpfCnpj, nome, email, trabalhaComProcuracao: procuracao = false, certificado: enviado } = cadastro;
  // Asked before the certificate is opened, and decided by the transaction.
  const known = await findCliente(deps.db.read, { contadorId, cpfCnpj });
  if (known?.cpfCnpj === cpfCnpj) throw clienteJaCadastrado(cpfCnpj);
  const certificado = await abrir(deps, { ...input, enviado, cpfCnpj, procuracao });
  return registerCliente(deps, {
    contadorId,
    autor,
    cpfCnpj,
    nome,
    email,
    trabalhaComProcuracao: procuracao,
    aoRegistrar: async (trx, cliente) => {
      if (certificado)
        await keepCertificadoDe(trx, deps, { ...input, clienteId: cliente.id, certificado, enviado });
      await deps.deliverRetidos(trx, cliente);
    },
  });
}

/**
 * Changes what is given of a client; a certificate replaces the one before it.
 * @throws cliente_nao_encontrado, certificado_invalido (audited): also when the certificate that is kept no longer fits
 */
export async function atualizarCliente(
  deps: CadastroDeps,
  input: Origem & { cpfCnpj: string; atualizacao: AtualizacaoDoCliente },
): Promise<Cliente> {
  const { certificado: enviado, ...fields } = input.atualizacao;
  const before = await findCliente(deps.db.read, input);
  if (!before) throw clienteNaoEncontrado();
  const procuracao = fields.trabalhaComProcuracao ?? before.trabalhaComProcuracao;
  const certificado = await abrir(deps, { ...input, enviado, cpfCnpj: before.cpfCnpj, procuracao });
  return updateCliente(deps, {
    ...fields,
    contadorId: input.contadorId,
    cpfCnpj: before.cpfCnpj,
    autor: input.autor,
    aoAtualizar: async (trx, cliente) => {
      if (certificado)
        await keepCertificadoDe(trx, deps, { ...input, clienteId: cliente.id, certificado, enviado });
      // Judged again with the client as it is now: another request may have changed it meanwhile.
      if (!cliente.trabalhaComProcuracao) await requireOwnCertificate(trx, cliente);
    },
  });
}

/** What a certificate is, and whether it would be taken. */
interface Conferencia {
  certificado: Omit<CertificadoAberto, 'chave' | 'cadeia'> | null;
  /** Every fault; none when it would be accepted. */
  erros: readonly ErroDeCampo[];
}

/**
 * Opens and judges a certificate without keeping it.
 * @param input `cpfCnpj` null: nobody yet, so the holder is not compared
 */
export async function checkEnvio(
  deps: Pick<CadastroDeps, 'clock' | 'abridor'>,
  input: { bytes: Uint8Array; senha: string; cpfCnpj: CpfCnpj | null; procuracao: boolean },
): Promise<Conferencia> {
  const { bytes, senha, cpfCnpj } = input;
  const opened = await deps.abridor.open({ bytes, senha });
  if ('falha' in opened) return { certificado: null, erros: [falhaAoAbrir(opened.falha)] };
  const { chave: _chave, cadeia: _cadeia, ...certificado } = opened.certificado;
  const erros = checkCertificado(certificado, {
    cpfCnpj: input.procuracao ? null : cpfCnpj,
    agora: deps.clock.now(),
  });
  return { certificado, erros };
}

/**
 * Empties the certificate that is kept of a client.
 * @returns false when there was none
 */
export async function withdrawCertificado(
  deps: Pick<CadastroDeps, 'db' | 'clock'>,
  input: Origem & { clienteId: number },
): Promise<boolean> {
  const { contadorId, autor, clienteId } = input;
  const agora = deps.clock.now();
  return deps.db.write.transaction().execute(async (trx) => {
    if (!(await retireCertificado(trx, { clienteId, agora }))) return false;
    const alvo = `cliente/${clienteId}`;
    await auditar(trx, { em: agora, acao: ACAO.certificadoRetirado, contadorId, autor, alvo });
    return true;
  });
}

/** Who stops working by power of attorney must not keep the certificate of somebody else. */
async function requireOwnCertificate(trx: Trx, cliente: Cliente): Promise<void> {
  const kept = await findVigente(trx, { contadorId: cliente.contadorId, clienteId: cliente.id });
  if (!kept || isHolder(kept.titular, cliente.cpfCnpj)) return;
  const { mensagem } = titularDivergente(kept.titular);
  throw certificadoInvalido([
    {
      campo: 'trabalhaComProcuracao',
      codigo: 'titular_divergente',
      mensagem: `${mensagem} Envie o do cliente.`,
    },
  ]);
}

interface Abrir extends Origem {
  enviado: CertificadoEnviado | undefined;
  cpfCnpj: CpfCnpj;
  procuracao: boolean;
}

/** Opens and judges what was sent. @returns null when nothing was @throws certificado_invalido, after auditing it */
async function abrir(deps: CadastroDeps, input: Abrir): Promise<CertificadoAberto | null> {
  const { enviado, cpfCnpj, procuracao } = input;
  if (!enviado) return null;
  const opened = await deps.abridor.open({ bytes: enviado.bytes, senha: enviado.senha });
  const agora = deps.clock.now();
  const erros =
    'falha' in opened
      ? [falhaAoAbrir(opened.falha)]
      : checkCertificado(opened.certificado, { cpfCnpj: procuracao ? null : cpfCnpj, agora });
  if ('certificado' in opened && erros.length === 0) return opened.certificado;
  await auditarRecusa(deps, { ...input, erros });
  throw certificadoInvalido(erros);
}

async function auditarRecusa(
  deps: CadastroDeps,
  input: Origem & { cpfCnpj: CpfCnpj; erros: readonly ErroDeCampo[] },
): Promise<void> {
  const { contadorId, autor, cpfCnpj, erros } = input;
  await deps.db.write.transaction().execute((trx) =>
    auditar(trx, {
      em: deps.clock.now(),
      acao: ACAO.certificadoRecusado,
      contadorId,
      autor,
      alvo: `cpfCnpj/${cpfCnpj}`,
      detalhe: { motivos: erros.map(({ codigo }) => codigo) },
    }),
  );
}

async function keepCertificadoDe(
  trx: Trx,
  deps: CadastroDeps,
  input: Origem & {
    clienteId: number;
    certificado: CertificadoAberto;
    enviado: CertificadoEnviado | undefined;
  },
): Promise<void> {
  const { contadorId, clienteId, certificado, autor } = input;
  const uf = input.enviado?.uf ?? '';
  await keepCertificado(trx, deps.vault, {
    contadorId,
    clienteId,
    certificado,
    uf,
    agora: deps.clock.now(),
    autor,
  });
}
