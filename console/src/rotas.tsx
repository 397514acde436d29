import { lazy, Suspense, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { lugaresDe, type Tela } from './mapa.ts';
import { Abertura } from './moldura/abertura.tsx';
import { Moldura } from './moldura/moldura.tsx';
import { Barreira } from './partes/barreira.tsx';
import { Erro, NaoEncontrada, TelaCarregando } from './partes/estados.tsx';
import { ProvedorDoCliente } from './sessao/cliente-atual.tsx';
import { useEstadoDaSessao } from './sessao/sessao.tsx';

/** Screens of who is not logged in. */
const ABERTAS: readonly [string, Tela][] = [
  ['/entrar', lazy(() => import('./telas/entrar/entrar.tsx'))],
  ['/convite', lazy(() => import('./telas/convite/convite.tsx'))],
  ['/primeiro-uso', lazy(() => import('./telas/primeiro-uso/primeiro-uso.tsx'))],
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
              {lugaresDe(papel).map(({ path, tela: Conteudo }) => (
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
