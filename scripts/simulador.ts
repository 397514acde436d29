/**
 * Puts the simulated services of the tax authorities on the air for integrators (docs/simulador.md), and writes what a client
 * needs to call them: the laboratory's root, client certificates, and the addresses as a file.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { certificadoDoCliente, raizEmPem } from '../src/simulador/certificados.ts';
import { makeExemplos } from '../src/simulador/exemplos.ts';
import { RelogioVirtual } from '../src/simulador/relogio.ts';
import { serveSimulador } from '../src/simulador/servidor.ts';
import { Simulador } from '../src/simulador/simulador.ts';

const SENHA = 'malote';

const { values } = parseArgs({
  options: {
    pasta: { type: 'string', default: 'simulador' },
    clientes: { type: 'string', default: '3' },
    semente: { type: 'string', default: 'simulador' },
    porta: { type: 'string', default: '8443' },
    controle: { type: 'string', default: '8444' },
  },
});

const pasta = resolve(values.pasta);
const relogio = RelogioVirtual.going();
const simulador = new Simulador({ relogio });
const exemplos = makeExemplos(simulador, values.semente, Number(values.clientes));
const noAr = await serveSimulador({
  simulador,
  relogio,
  addExemplos: (quantidade) => ({ entregas: exemplos.add(quantidade) }),
  porta: Number(values.porta),
  portaDeControle: Number(values.controle),
});

mkdirSync(pasta, { recursive: true });
const write = (nome: string, conteudo: string | Uint8Array) => writeFileSync(resolve(pasta, nome), conteudo);
write('raiz.pem', raizEmPem());
write('enderecos.json', `${JSON.stringify(noAr.enderecos, null, 2)}\n`);
for (const cliente of exemplos.clientes)
  write(`${cliente.id}.pfx`, certificadoDoCliente(cliente, new Date()).pfx(SENHA));

const lines = [
  'Simulador dos serviços do fisco no ar (só nesta máquina; documentos e certificados de laboratório).',
  '',
  ...Object.entries(noAr.enderecos).map(([servico, endereco]) => `  ${servico.padEnd(13)} ${endereco}`),
  `  ${'controle'.padEnd(13)} ${noAr.controle}`,
  '',
  `Em ${pasta}: raiz.pem, enderecos.json e um PFX por cliente (senha "${SENHA}"):`,
  ...exemplos.clientes.map(({ id, nome }) => `  ${id}.pfx  ${nome}`),
  '',
  'Para o Malote capturar daqui:',
  `  MALOTE_CAPTURA_ENDERECOS=${resolve(pasta, 'enderecos.json')}`,
  `  MALOTE_CAPTURA_AUTORIDADES=${resolve(pasta, 'raiz.pem')}`,
  '',
  'Depois da primeira consulta de cada cliente (que responde 137 e só então começa a juntar documentos):',
  `  curl -X POST ${noAr.controle}/exemplos -d '{"quantidade": 15}'`,
  `  curl -X POST ${noAr.controle}/relogio -d '{"avancar_ms": 3600000}'`,
  `  curl ${noAr.controle}/relatorio`,
  '',
  'Mais em docs/simulador.md. Ctrl+C encerra.',
];
console.log(lines.join('\n'));

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void noAr[Symbol.asyncDispose]().then(() => process.exit(0)));
