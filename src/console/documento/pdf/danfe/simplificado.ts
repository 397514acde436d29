/** The simplified DANFE, a label of 100 by 150 mm on what a seller sends. @fonte NT 2020.004 (DANFE Simplificado Etiqueta) */
import { cep, chaveEmGrupos, cpfCnpj, dinheiro, instante, numeroDeNota } from '../base/formatos.ts';
import { mm, Papel } from '../base/papel.ts';
import { type ContextoDoPdf, marcasDe } from '../marcas.ts';
import { contingenciaDe } from './contingencia.ts';
import type { Nota } from './nota.ts';

const FOLHA = [mm(100), mm(150)] as const;

export function drawSimplificado(nota: Nota, contexto: ContextoDoPdf): Promise<Uint8Array> {
  const papel = new Papel({
    titulo: `DANFE simplificado ${nota.chave}`,
    familia: 'Times',
    folha: FOLHA,
    margem: mm(5),
  });
  const { esquerda: x, largura } = papel;
  let y = papel.topo;
  const linha = (texto: string, altura: number, tamanho: number) => {
    const onde = { x, y, largura, altura };
    papel.texto(texto, onde, { tamanho, negrito: true, alinha: 'center', meio: true });
    y += altura;
  };
  linha('DANFE Simplificado - Etiqueta', 18, 13);
  if (/^[0-9A-Z]{44}$/.test(nota.chave)) papel.barras(nota.chave, { x, y, largura, altura: 40 });
  y += 44;
  y = papel.fila(y, [
    {
      rotulo: 'Chave de acesso',
      valor: chaveEmGrupos(nota.chave),
      alinha: 'center',
      negrito: true,
      tamanho: 8.5,
    },
  ]);
  y = papel.fila(y, [
    {
      rotulo: 'Protocolo de autorização de uso',
      valor: protocolo(nota),
      alinha: 'center',
    },
  ]);
  y = parte(papel, nota, { y: y + 4, parte: 'emit', lugar: 'enderEmit', titulo: 'Emitente' });
  y = papel.fila(y + 4, [
    { rotulo: 'Tipo', valor: nota.de('ide', 'tpNF') === '0' ? '0 - Entrada' : '1 - Saída' },
    { rotulo: 'Número', valor: numeroDeNota(nota.de('ide', 'nNF')), negrito: true },
    { rotulo: 'Série', valor: nota.de('ide', 'serie'), parte: 0.6 },
    { rotulo: 'Emissão', valor: instante(nota.emissao), parte: 1.4 },
  ]);
  y = parte(papel, nota, { y: y + 4, parte: 'dest', lugar: 'enderDest', titulo: 'Destinatário' });
  papel.fila(
    y + 4,
    [
      {
        rotulo: 'Valor total da nota',
        valor: `R$ ${dinheiro(nota.de('total', 'ICMSTot', 'vNF'))}`,
        negrito: true,
        tamanho: 12,
        alinha: 'right',
      },
    ],
    { altura: 26 },
  );
  return papel.acabar({ marcas: marcasDe(contexto) });
}

function protocolo(nota: Nota): string {
  const numero = nota.em(nota.prot, 'nProt');
  if (numero === '') return contingenciaDe(nota)?.texto ?? 'Sem protocolo de autorização';
  return `${numero} - ${instante(nota.em(nota.prot, 'dhRecbto'))}`;
}

function parte(
  papel: Papel,
  nota: Nota,
  onde: { y: number; parte: string; lugar: string; titulo: string },
): number {
  const em = (...nomes: string[]) => nota.de(onde.parte, ...nomes);
  const lugar = (nome: string) => em(onde.lugar, nome);
  const rua = [[lugar('xLgr'), lugar('nro')].filter(Boolean).join(', '), lugar('xCpl'), lugar('xBairro')];
  let y = papel.titulo(onde.y, onde.titulo);
  y = papel.fila(y, [{ rotulo: 'Nome / razão social', valor: em('xNome') }]);
  y = papel.fila(y, [
    { rotulo: 'CNPJ / CPF', valor: cpfCnpj(nota.quem(nota.parte(onde.parte))), parte: 1.4 },
    { rotulo: 'Inscrição estadual', valor: em('IE') },
    { rotulo: 'UF', valor: lugar('UF'), parte: 0.35 },
  ]);
  return papel.fila(
    y,
    [
      {
        rotulo: 'Endereço',
        valor: [...rua, lugar('xMun'), lugar('CEP') && `CEP ${cep(lugar('CEP'))}`]
          .filter(Boolean)
          .join(' - '),
      },
    ],
    { altura: 26 },
  );
}
