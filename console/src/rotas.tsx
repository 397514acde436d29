import { type ComponentType, type LazyExoticComponent, lazy, Suspense, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Abertura } from './moldura/abertura.tsx';
import { Moldura } from './moldura/moldura.tsx';
import { Barreira } from './partes/barreira.tsx';
import { Erro, NaoEncontrada, TelaCarregando } from './partes/estados.tsx';
import { ProvedorDoCliente } from './sessao/cliente-atual.tsx';
import { type Papel, useEstadoDaSessao } from './sessao/sessao.tsx';

type Tela = LazyExoticComponent<ComponentType>;

/** Screens of who is not logged in. */
const ABERTAS: readonly [string, Tela][] = [
  ['/entrar', lazy(() => import('./telas/entrar/entrar.tsx'))],
  ['/convite', lazy(() => import('./telas/convite/convite.tsx'))],
  ['/primeiro-uso', lazy(() => import('./telas/primeiro-uso/primeiro-uso.tsx'))],
];

const TODOS: readonly Papel[] = ['administrador', 'operador', 'cliente'];
const ESCRITORIO: readonly Papel[] = ['administrador', 'operador'];
const ADMINISTRADOR: readonly Papel[] = ['administrador'];

/** Screens with a session, who may open them, each loaded when it is opened first. */
const TELAS: readonly { path: string; papeis: readonly Papel[]; tela: Tela }[] = [
  { path: '/', papeis: TODOS, tela: lazy(() => import('./telas/inicio/inicio.tsx')) },
  { path: '/documentos', papeis: TODOS, tela: lazy(() => import('./telas/documentos/documentos.tsx')) },
  { path: '/documentos/:id', papeis: TODOS, tela: lazy(() => import('./telas/documento/documento.tsx')) },
  { path: '/downloads', papeis: TODOS, tela: lazy(() => import('./telas/downloads/downloads.tsx')) },
  { path: '/faltantes', papeis: TODOS, tela: lazy(() => import('./telas/faltantes/faltantes.tsx')) },
  {
    path: '/importacoes',
    papeis: ESCRITORIO,
    tela: lazy(() => import('./telas/importacoes/importacoes.tsx')),
  },
  {
    path: '/importacoes/:id',
    papeis: ESCRITORIO,
    tela: lazy(() => import('./telas/importacao/importacao.tsx')),
  },
  { path: '/clientes', papeis: ESCRITORIO, tela: lazy(() => import('./telas/clientes/clientes.tsx')) },
  { path: '/clientes/:cpfCnpj', papeis: ESCRITORIO, tela: lazy(() => import('./telas/cliente/cliente.tsx')) },
  { path: '/conta/:aba?', papeis: TODOS, tela: lazy(() => import('./telas/conta/conta.tsx')) },
  { path: '/saude', papeis: ADMINISTRADOR, tela: lazy(() => import('./telas/saude/saude.tsx')) },
  { path: '/auditoria', papeis: ADMINISTRADOR, tela: lazy(() => import('./telas/auditoria/auditoria.tsx')) },
  { path: '/retencao', papeis: ADMINISTRADOR, tela: lazy(() => import('./telas/retencao/retencao.tsx')) },
];

export function Aplicacao() {
  return (
    <Barreira>
      <Switch>
        {ABERTAS.map(([path, Aberta]) => (
          <Route key={path} path={path}>
            <Suspense fallback={<Abertura />}>
              <Aberta />
            </Suspense>
          </Route>
        ))}
        <Route>
          <ComSessao />
        </Route>
      </Switch>
    </Barreira>
  );
}

/** Everything else wants a session; without one, log-in comes first and then the very place that was asked for. */
function ComSessao() {
  const { sessao, falha, renovar } = useEstadoDaSessao();
  const [place] = useLocation();
  if (falha) {
    return (
      <Abertura>
        <Erro falha={falha} deNovo={() => void renovar()} titulo="O servidor não respondeu" />
      </Abertura>
    );
  }
  if (sessao === undefined) return <Abertura />;
  if (sessao === null) return <IrEntrar volta={`${place}${window.location.search}`} />;
  const { papel } = sessao.usuario;
  return (
    <ProvedorDoCliente>
      <Moldura>
        <Barreira key={place}>
          <Suspense fallback={<TelaCarregando />}>
            <Switch>
              {TELAS.filter(({ papeis }) => papeis.includes(papel)).map(({ path, tela: Conteudo }) => (
                <Route key={path} path={path}>
                  <Conteudo />
                </Route>
              ))}
              <Route>
                <NaoEncontrada />
              </Route>
            </Switch>
          </Suspense>
        </Barreira>
      </Moldura>
    </ProvedorDoCliente>
  );
}

function IrEntrar({ volta }: { volta: string }) {
  useEffect(() => {
    document.title = 'Entrar – Malote';
  }, []);
  return <Redirect to={volta === '/' ? '/entrar' : `/entrar?volta=${encodeURIComponent(volta)}`} replace />;
}
