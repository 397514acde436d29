/** Answers that nobody reads wait in the server: pages by token, downloads by anybody who has an address. */
import { setTimeout as delay } from 'node:timers/promises';
import { segundos } from '../../confiabilidade/cenario.ts';
import { type Achado, type Ataque, megabytes } from '../ataque.ts';
import type { Campo } from '../campo.ts';
import { SemLer } from '../conexoes.ts';
import { comTexto } from '../notas.ts';

/** What may wait for readers besides what the service has anyway. */
const CRESCIMENTO_MAX = 400_000_000;
const DOCUMENTOS_DE_UMA_PAGINA = 500;

const OLHAR_MS = 5_000;
const SEGURAR_MAX_MS = 90_000;
/** Less in a look is no growth. */
const QUASE_NADA = 10_000_000;

/** Waits at least so long, and longer where more and more of the answers is still being made. @returns ms */
async function enquantoCresce(campo: Campo, aoMenosMs: number): Promise<number> {
  const since = performance.now();
  for (let antes = 0; ; ) {
    await delay(OLHAR_MS);
    const [agora, ms] = [campo.servico.memoria, performance.now() - since];
    if (ms >= SEGURAR_MAX_MS || (ms >= aoMenosMs && agora - antes < QUASE_NADA)) return ms;
    antes = agora;
  }
}

/** Opens connections, holds them, and looks what they cost. */
async function segurar(
  campo: Campo,
  input: { abrir: (n: number) => SemLer; quantas: number; que: string },
): Promise<Achado> {
  const conexoes: SemLer[] = [];
  let seguradasMs = 0;
  const cresceu = await campo.servico.crescimentoEm(async () => {
    for (let n = 0; n < input.quantas; n++) conexoes.push(input.abrir(n));
    seguradasMs = await enquantoCresce(campo, campo.quanto(5_000, 30_000));
  });
  const abertas = conexoes.filter(({ aberta }) => aberta).length;
  for (const conexao of conexoes) conexao.soltar();
  return {
    feito: `${input.quantas} conexões que não leem ${input.que}, por ${segundos(seguradasMs)}`,
    medido: `memória a mais: ${megabytes(cresceu)}; ${abertas} ainda abertas no fim`,
    faltas:
      cresceu > CRESCIMENTO_MAX ? [`a memória cresceu ${megabytes(cresceu)} por respostas não lidas`] : [],
  };
}

export const paginasSemLer: Ataque = {
  nome: 'paginas-sem-ler',
  titulo: 'páginas com XML que ninguém lê, por um token',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async preparar(campo) {
    const { atacante } = campo;
    // In the short form fewer and larger ones make the same page.
    const documentos = campo.quanto(100, DOCUMENTOS_DE_UMA_PAGINA);
    const lastro = 'x'.repeat(campo.quanto(22_000, 0));
    const entradas = Array.from({ length: documentos }, (_, n) => {
      const { xml, bytes } = atacante.proximaNota();
      return { nome: `${n}.xml`, bytes: lastro === '' ? bytes : Buffer.from(comTexto(xml, lastro)) };
    });
    await campo.envios.importar(entradas);
    const path = `/api/v1/${atacante.codigoCrm}/${atacante.cliente.id}/documentos/0/novos?Tamanho=500&Xml=true`;
    const headers = [`Authorization: Bearer ${atacante.token}`];
    const abrir = () => new SemLer({ url: campo.servico.url, path, headers });
    const bytes = entradas.reduce((sum, entrada) => sum + entrada.bytes.length, 0);
    return () =>
      segurar(campo, { abrir, quantas: campo.quanto(300, 600), que: `uma página de ${megabytes(bytes)}` });
  },
};

const GRANDE_BYTES = 9_500_000;

export const downloadsSemLer: Ataque = {
  nome: 'downloads-sem-ler',
  titulo: 'endereços assinados de um documento grande que ninguém lê, sem token',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async preparar(campo) {
    const { atacante } = campo;
    const nota = atacante.proximaNota();
    // Not so plain that the zip around it would be taken for a bomb.
    const texto = Buffer.from(
      Array.from({ length: GRANDE_BYTES / 20 }, (_, n) => `${n} `.padStart(20, 'abcdefghij')).join(''),
    );
    const bytes = Buffer.from(
      comTexto(nota.xml, texto.toString('latin1', 0, GRANDE_BYTES - nota.bytes.length)),
    );
    await campo.envios.importar([{ nome: 'grande.xml', bytes }]);
    const answer = await campo.envios.pedir(
      `/api/v1/${atacante.codigoCrm}/${atacante.cliente.id}/documentos/${nota.chave}/chave`,
    );
    const { pathname, search } = new URL(JSON.parse(answer?.text ?? '{}').url_download);
    const abrir = () => new SemLer({ url: campo.servico.url, path: pathname + search });
    return () =>
      segurar(campo, {
        abrir,
        quantas: campo.quanto(60, 150),
        que: `um documento de ${megabytes(bytes.length)}`,
      });
  },
};
