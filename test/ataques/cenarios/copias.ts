/** Many contents under one key: whatever joins the items of a file with the versions of their documents grows with the square. */
import { setTimeout as delay } from 'node:timers/promises';
import { segundos } from '../../confiabilidade/cenario.ts';
import { type Ataque, megabytes } from '../ataque.ts';
import type { Campo } from '../campo.ts';
import { reassinar, trocar } from '../notas.ts';

const EM = new Date('2026-03-05T15:00:00Z');
const IMPORTADO_EM_MS = 120_000;
/** An upload rests 20 s before what was sent is looked at again; that is looked for every 5 s, where nobody does anything. */
const SOSSEGO_MS = 28_000;
/** After a start the service is busy with itself for a while. */
const SOSSEGO_APOS_INICIO_MS = 45_000;
/** Long enough for what others ask then to meet it. */
const DEPOIS_MS = 3_000;

/** Nobody asks for anything, and then the others do again. */
async function sossegar({ vizinho }: Campo, ms: number): Promise<void> {
  await vizinho.parar();
  await delay(ms);
  vizinho.iniciar();
  await delay(DEPOIS_MS);
}

export const copias: Ataque = {
  nome: 'copias',
  titulo: 'zip com milhares de cópias contraditórias de uma chave, e reinício',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async preparar(campo) {
    const quantas = campo.quanto(400, 3_000);
    const { fornecedor } = campo.atacante;
    const nota = campo.atacante.proximaNota({ emissao: EM });
    const entradas = Array.from({ length: quantas }, (_, n) => {
      const outra = trocar(nota.xml, /<vNF>[^<]*</, `<vNF>${n}.00<`);
      const xml = reassinar(outra, { elemento: 'infNFe', assinante: fornecedor, em: EM });
      return { nome: `${n}.xml`, bytes: Buffer.from(xml) };
    });
    return async () => {
      const tamanho = entradas.reduce((sum, { bytes }) => sum + bytes.length, 0);
      const aceito = await campo.envios.sendZip(entradas);
      const levou = aceito && (await campo.envios.terminou(aceito, IMPORTADO_EM_MS));
      await sossegar(campo, SOSSEGO_MS);
      if (!campo.curto) {
        await campo.servico.reiniciar();
        await sossegar(campo, SOSSEGO_APOS_INICIO_MS);
      }
      return {
        feito: `${quantas} cópias assinadas de uma chave num zip (${megabytes(tamanho)} de XML)${campo.curto ? '' : ', e um reinício'}`,
        medido: levou === null ? 'não terminou a tempo' : `importado em ${segundos(levou)}`,
        faltas: levou === null ? ['o zip não terminou de ser importado'] : [],
      };
    };
  },
};
