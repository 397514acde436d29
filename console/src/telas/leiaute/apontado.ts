/** What a person has pointed at so far, and in which words it is told. */
import { useState } from 'react';
import type { Opcoes, Resposta } from '../../api/rotas.ts';

export type Apontado = Opcoes<'POST /leiautes'>['corpo'];
type Campo = keyof Apontado['campos'];
export type Ramo = Resposta<'GET /notas-a-ensinar/{id}'>['ramos'][number];
export type Situacao = NonNullable<Apontado['cancelada']>;

/** In the order in which they are asked for. */
export const CAMPOS: readonly { campo: Campo; nome: string; necessario?: true }[] = [
  { campo: 'numero', nome: 'Número da nota', necessario: true },
  { campo: 'data', nome: 'Data de emissão', necessario: true },
  { campo: 'prestador', nome: 'CPF ou CNPJ do prestador', necessario: true },
  { campo: 'valor', nome: 'Valor', necessario: true },
  { campo: 'tomador', nome: 'CPF ou CNPJ do tomador' },
  { campo: 'nomeDoPrestador', nome: 'Nome do prestador' },
  { campo: 'nomeDoTomador', nome: 'Nome do tomador' },
  { campo: 'codigo', nome: 'Código de verificação' },
  { campo: 'serie', nome: 'Série' },
  { campo: 'municipio', nome: 'Município' },
];

export const nomeDoLugar = (lugar: readonly string[]) => lugar.join('/');
const isMesmo = (um: readonly string[] | undefined, outro: readonly string[] | null) =>
  um !== undefined && outro !== null && nomeDoLugar(um) === nomeDoLugar(outro);

/** What stands for a place in words, where it was pointed at. */
export function marcasDe(apontado: Apontado, lugar: readonly string[] | null): string[] {
  const marcas = CAMPOS.filter(({ campo }) => isMesmo(apontado.campos[campo], lugar)).map(({ nome }) => nome);
  if (isMesmo(apontado.nota, lugar)) marcas.push('Uma nota começa aqui');
  if (isMesmo(apontado.cancelada?.lugar, lugar)) marcas.push('Diz se foi cancelada');
  return marcas;
}

/** The state of the screen, and the ways in which it changes. */
export function useApontado(sugestao: string[]) {
  const [apontado, setApontado] = useState<Apontado>({
    nome: '',
    nota: sugestao,
    campos: {},
    ordem: 'dia_mes',
  });
  const mudar = (mudanca: Partial<Apontado>) => setApontado((antes) => ({ ...antes, ...mudanca }));
  const apontar = (campo: Campo, lugar: string[]) =>
    setApontado((antes) => ({ ...antes, campos: { ...semLugar(antes.campos, lugar), [campo]: lugar } }));
  const soltar = (lugar: string[]) =>
    setApontado(({ cancelada, ...antes }) => ({
      ...antes,
      campos: semLugar(antes.campos, lugar),
      ...(cancelada && !isMesmo(cancelada.lugar, lugar) ? { cancelada } : {}),
    }));
  return { apontado, mudar, apontar, soltar };
}

/** One place is one thing. */
function semLugar(campos: Apontado['campos'], lugar: string[]): Apontado['campos'] {
  return Object.fromEntries(Object.entries(campos).filter(([, outro]) => !isMesmo(outro, lugar)));
}
