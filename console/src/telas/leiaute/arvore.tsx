import { UnstyledButton } from '@mantine/core';
import { Etiqueta } from '../../partes/etiquetas.tsx';
import { type Apontado, marcasDe, nomeDoLugar, type Ramo } from './apontado.ts';

/** The file line by line; each is a button that asks what it is. */
export function Arvore({
  ramos,
  apontado,
  aoEscolher,
}: {
  ramos: readonly Ramo[];
  apontado: Apontado;
  aoEscolher: (ramo: Ramo) => void;
}) {
  return (
    <ul className="arvore" aria-label="Campos do arquivo">
      {ramos.map((ramo, at) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the file does not change, and what no path names has no other key
          key={`${at}-${nomeDoLugar(ramo.lugar ?? [])}`}
          style={{ paddingLeft: `${Math.min(ramo.nivel, 12)}rem` }}
        >
          <Linha ramo={ramo} marcas={marcasDe(apontado, ramo.lugar)} aoEscolher={aoEscolher} />
        </li>
      ))}
    </ul>
  );
}

function Linha({
  ramo,
  marcas,
  aoEscolher,
}: {
  ramo: Ramo;
  marcas: readonly string[];
  aoEscolher: (ramo: Ramo) => void;
}) {
  const { nome, texto, vezes, lugar } = ramo;
  const conteudo = (
    <>
      <b>{nome}</b>
      {texto === null ? null : <span className="quebra"> {texto === '' ? '(vazio)' : texto}</span>}
      {vezes > 1 && <small> {vezes} vezes</small>}
      {marcas.map((marca) => (
        <Etiqueta key={marca} cor="teal">
          {marca}
        </Etiqueta>
      ))}
    </>
  );
  if (lugar === null) return <span className="ramo">{conteudo}</span>;
  return (
    <UnstyledButton className="ramo" onClick={() => aoEscolher(ramo)}>
      {conteudo}
    </UnstyledButton>
  );
}
