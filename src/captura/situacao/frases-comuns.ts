/** What the services of capture and those of events say in the same words; what follows from it differs. */
import type { Frase } from './frase.ts';

export type Frases = Readonly<Record<string, Frase>>;

/** @param depois what has not been done because of it, a sentence */
export function defeito(depois?: string): Pick<Frase, 'fazer' | 'quem'> {
  return {
    fazer: `É um defeito do Malote ou uma mudança no serviço: envie esta mensagem ao suporte do Malote.${depois ? ` ${depois}` : ''}`,
    quem: 'operador',
  };
}

/**
 * Rejections of a certificate: that of the connection (from 280 on), and that of a signature (the same ones, from 290 on).
 * @param input.de whose certificate: "do cliente", "da assinatura"
 * @param input.depois what happens once there is another one; ends the sentence that asks for it
 * @param input.espera what to do where SEFAZ could not ask whether it is revoked
 * @fonte MOC NF-e 7.0, validation of the transmitter's certificate
 */
export function frasesDoCertificado(input: {
  desde: 280 | 290;
  de: string;
  depois: string;
  espera: Pick<Frase, 'fazer' | 'quem'>;
}): Frases {
  const { desde, de, depois, espera } = input;
  const enviar = (fazer: string) => ({ fazer: fazer + depois, quem: 'escritorio' }) as const;
  const trocar = enviar('Envie um certificado A1 válido deste cliente na ficha dele');
  return {
    [desde]: { diz: `A SEFAZ não aceitou o certificado ${de}.`, ...trocar },
    [desde + 1]: { diz: `O certificado ${de} está vencido ou ainda não vale.`, ...trocar },
    [desde + 2]: {
      diz: `O certificado ${de} não traz CNPJ.`,
      ...enviar('Envie o e-CNPJ A1 do cliente na ficha dele'),
    },
    [desde + 3]: {
      diz: `A SEFAZ não reconheceu a cadeia do certificado ${de}.`,
      ...enviar(
        'Exporte o A1 de novo com toda a cadeia ("incluir todos os certificados") e envie-o na ficha do cliente',
      ),
    },
    [desde + 4]: { diz: `O certificado ${de} foi revogado.`, ...trocar },
    [desde + 5]: { diz: `O certificado ${de} não é da ICP-Brasil.`, ...trocar },
    [desde + 6]: {
      diz: `A SEFAZ não conseguiu verificar se o certificado ${de} foi revogado.`,
      ...espera,
    },
  };
}

/** @param depois as with `frasesDoCertificado` */
export function outraEmpresa(depois: string): Frase {
  return {
    diz: 'O certificado é de outra empresa: a raiz do CNPJ não é a deste cliente.',
    fazer: `Envie o certificado A1 da matriz ou de uma filial deste cliente na ficha dele${depois}`,
    quem: 'escritorio',
  };
}

/**
 * The same numbers wherever a portal reads a message.
 * @param input.mensagem what was sent: "consulta", "mensagem"
 * @param input.feita how its version is told: "da consulta que o Malote faz"
 * @param input.foi what went to the wrong place: "A consulta"
 */
export function frasesDoEnvio(input: {
  mensagem: string;
  feita: string;
  foi: string;
  fazer: Pick<Frase, 'fazer' | 'quem'>;
}): Frases {
  const { mensagem, feita, foi, fazer } = input;
  return {
    214: { diz: `A SEFAZ achou a ${mensagem} grande demais.`, ...fazer },
    215: { diz: `A SEFAZ achou a ${mensagem} fora do formato.`, ...fazer },
    238: { diz: `A SEFAZ ainda não aceita a versão ${feita}.`, ...fazer },
    239: { diz: `A SEFAZ não aceita mais a versão ${feita}.`, ...fazer },
    252: {
      diz: `${foi} foi ao ambiente errado da SEFAZ (produção ou homologação).`,
      fazer: 'Confira o endereço e o ambiente da captura nas configurações do Malote.',
      quem: 'operador',
    },
    402: { diz: `A SEFAZ achou a ${mensagem} numa codificação de texto que não aceita.`, ...fazer },
    404: { diz: `A SEFAZ não aceitou um prefixo na ${mensagem}.`, ...fazer },
    489: {
      diz: 'A SEFAZ não reconhece o CNPJ deste cliente como válido.',
      fazer: 'Confira o CNPJ no cadastro do cliente.',
      quem: 'escritorio',
    },
    490: {
      diz: 'A SEFAZ não reconhece o CPF deste cliente como válido.',
      fazer: 'Confira o CPF no cadastro do cliente.',
      quem: 'escritorio',
    },
  };
}
