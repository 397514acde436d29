/** Runs one attack: the field, what has to be there, the attack beside the honest office, and what came of it all. */
import { Pulado, segundos } from '../confiabilidade/cenario.ts';
import type { NomeDoMotor } from '../confiabilidade/motores.ts';
import type { Achado, Ataque } from './ataque.ts';
import { Campo } from './campo.ts';

/** How long the attacker's own files may take when the attack is over. */
const TERMINAM_EM_MS = { curto: 60_000, longo: 180_000 };
/** Without the attack: what the honest office waits for anyway, on a machine that may be busy with other things. */
const SOSSEGO_MS = { curto: 200, longo: 5_000 };
const SEGUNDO = 1_000;

export interface Resultado {
  nome: string;
  titulo: string;
  motor: NomeDoMotor;
  /** Why it could not run (pt-BR); null when it ran. */
  pulado: string | null;
  feito: string;
  medido: string;
  /** How often the service ended without being asked to. */
  caiu: number;
  /** Of a note of the honest office, or a page, ms. */
  piorEsperaMs: number;
  picoBytes: number;
  semDono: number;
  substituidas: number;
  /** pt-BR. */
  faltas: string[];
  segundos: number;
}

interface Opcoes {
  motor: NomeDoMotor;
  curto: boolean;
  semente: string;
  aoAvancar(text: string): void;
  /** Of an attack before, that measured no memory. Absent: the attack has one of its own. */
  campo?: Campo;
}

export async function executar(ataque: Ataque, options: Opcoes): Promise<Resultado> {
  const startedAt = performance.now();
  const { nome, titulo } = ataque;
  const base = { nome, titulo, motor: options.motor };
  const elapsed = () => Math.round((performance.now() - startedAt) / SEGUNDO);
  try {
    return { ...base, ...(await emCampo(ataque, options)), pulado: null, segundos: elapsed() };
  } catch (error) {
    if (!(error instanceof Pulado)) throw error;
    return { ...base, ...NADA, pulado: error.message, segundos: elapsed() };
  }
}

type Medida = Omit<Resultado, 'nome' | 'titulo' | 'motor' | 'pulado' | 'segundos'>;

const NADA: Medida = {
  feito: '',
  medido: '',
  caiu: 0,
  piorEsperaMs: 0,
  picoBytes: 0,
  semDono: 0,
  substituidas: 0,
  faltas: [],
};

async function emCampo(ataque: Ataque, options: Opcoes): Promise<Medida> {
  if (options.campo) {
    options.campo.recomecar(options.aoAvancar);
    return noCampo(ataque, options.campo);
  }
  const semente = `${options.semente}/${ataque.nome}`;
  const comServidorProprio = ataque.comServidorProprio ?? false;
  await using campo = await Campo.abrir({ ...options, semente, comServidorProprio });
  return await noCampo(ataque, campo);
}

async function noCampo(ataque: Ataque, campo: Campo): Promise<Medida> {
  const achado = await atacar(ataque, campo);
  campo.aoAvancar(`${achado.medido}; espera o que foi enviado`);
  const semDono = await campo.envios.semDono(TERMINAM_EM_MS[campo.curto ? 'curto' : 'longo']);
  await campo.vizinho.parar();
  return medida(campo, { achado, semDono });
}

/** What breaks it off is a fault like others: what had been measured by then is told all the same. */
async function atacar(ataque: Ataque, campo: Campo): Promise<Achado> {
  try {
    const agir = await ataque.preparar(campo);
    campo.aoAvancar('preparado');
    await campo.vizinho.medirSossego(campo.quanto(SOSSEGO_MS.curto, SOSSEGO_MS.longo));
    campo.vizinho.iniciar();
    return await agir();
  } catch (error) {
    if (error instanceof Pulado) throw error;
    const falta = `o ataque não foi até o fim: ${String(error).slice(0, 300)}`;
    return { feito: 'interrompido', medido: 'interrompido', faltas: [falta] };
  }
}

function medida(campo: Campo, input: { achado: Achado; semDono: number }): Medida {
  const { achado, semDono } = input;
  const { servico, vizinho } = campo;
  const substituidas = achado.substituidas ?? 0;
  const faltas = [...achado.faltas];
  const piorEsperaMs = Math.round(vizinho.piorMs);
  const say = (broken: boolean, falta: string) => broken && faltas.push(falta);
  say(servico.quedas.length > 0, `o serviço caiu: ${[...new Set(servico.quedas)].join('; ')}`);
  say(servico.mortesDaImportacao > 0, `a thread de importação morreu ${servico.mortesDaImportacao} vezes`);
  say(piorEsperaMs > campo.esperaMaxMs, `outro escritório esperou ${Math.round(piorEsperaMs / SEGUNDO)} s`);
  say(vizinho.esperas.porChegar > 0, `${vizinho.esperas.porChegar} notas de outro escritório não chegaram`);
  say(semDono > 0, `${semDono} envios ou documentos ficaram sem desfecho`);
  say(substituidas > 0, `${substituidas} documentos legítimos substituídos ou mudados sem marca`);
  return {
    feito: achado.feito,
    medido: `${achado.medido}; o vizinho, com ${vizinho.esperas.notas.length} notas e ${vizinho.esperas.paginas.length} páginas, esperava antes até ${segundos(vizinho.sossegoMs)}`,
    caiu: servico.quedas.length,
    piorEsperaMs,
    picoBytes: servico.picoBytes,
    semDono,
    substituidas,
    faltas,
  };
}
