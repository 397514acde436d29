import { Tela } from '../../partes/tela.tsx';

export default function Inicio() {
  return <Tela titulo="Início">{null}</Tela>;
}
