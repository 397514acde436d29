/** One note with very many parties, and very many events: what is kept of each party of each event is a product. */
import { Aleatorio } from '../../../src/gerador/aleatorio.ts';
import { generateCnpj } from '../../../src/gerador/empresas.ts';
import { generateEvento } from '../../../src/gerador/eventos.ts';
import { segundos } from '../../confiabilidade/cenario.ts';
import { type Ataque, megabytes } from '../ataque.ts';
import type { Entrada } from '../envios.ts';
import { trocar } from '../notas.ts';

const IMPORTADO_EM_MS = 120_000;
const SEQUENCIAS = 20;
const PRIMEIRO_CODIGO = 910_000;
const EM = new Date('2026-03-05T15:00:00Z');

export const autorizados: Ataque = {
  nome: 'autorizados',
  titulo: 'uma nota com dezenas de milhares de autXML e centenas de eventos; a sua vista no console',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async preparar(campo) {
    const { atacante } = campo;
    const [partes, eventos] = [campo.quanto(20_000, 60_000), campo.quanto(100, 400)];
    const pessoa = await campo.pessoa(atacante);
    const nota = atacante.proximaNota({ emissao: EM });
    const random = new Aleatorio('autorizados');
    const autXml = Array.from(
      { length: partes },
      () => `<autXML><CNPJ>${generateCnpj(random)}</CNPJ></autXML>`,
    );
    const grande: Entrada = {
      nome: 'nota.xml',
      bytes: Buffer.from(trocar(nota.xml, '<det ', `${autXml.join('')}<det `)),
    };
    const entradas = Array.from({ length: eventos }, (_, n): Entrada => {
      const { bytes } = generateEvento({
        semente: `autorizados/${n}`,
        codigo: String(PRIMEIRO_CODIGO + Math.floor(n / SEQUENCIAS)),
        sequencia: (n % SEQUENCIAS) + 1,
        chave: nota.chave,
        autor: atacante.fornecedor,
        em: EM,
      });
      return { nome: `${n}.xml`, bytes };
    });
    return async () => {
      const aceito = await campo.envios.sendZip([grande, ...entradas]);
      const importado = aceito && (await campo.envios.terminou(aceito, IMPORTADO_EM_MS));
      const vista = await campo.verDocumento(pessoa, nota.chave);
      const faltas = importado === null ? ['a nota e os eventos não terminaram de ser importados'] : [];
      if (vista.ms > campo.esperaMaxMs) faltas.push(`a vista no console demora ${segundos(vista.ms)}`);
      return {
        feito: `uma nota com ${partes} autXML (${megabytes(grande.bytes.length)}) e ${eventos} eventos`,
        medido: `importado em ${importado === null ? '–' : segundos(importado)}; vista: ${vista.status || 'sem resposta'} em ${segundos(vista.ms)}, ${megabytes(vista.bytes)}`,
        faltas,
      };
    };
  },
};
