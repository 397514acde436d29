import { Suspense, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { lugaresDe } from './mapa.ts';
import { Abertura } from './moldura/abertura.tsx';
import { Moldura } from './moldura/moldura.tsx';
import { Barreira } from './partes/barreira.tsx';
import { Erro, NaoEncontrada, TelaCarregando } from './partes/estados.tsx';
import { preguica, type Tela } from './preguica.tsx';
import { ProvedorDoCliente } from './sessao/cliente-atual.tsx';
import { type Papel, useEstadoDaSessao } from './sessao/sessao.tsx';

/** Screens of who is not logged in. */
const ABERTAS: readonly [string, Tela][] = [
  ['/entrar', preguica(() => import('./telas/entrar/entrar.tsx'))],
  ['/convite', preguica(() => import('./telas/convite/convite.tsx'))],
  ['/primeiro-uso', preguica(() => import('./telas/primeiro-uso/primeiro-uso.tsx'))],
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
  useAdiantamento(sessao?.usuario.papel);
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

/** Fetches what is likely to be opened next. */
function useAdiantamento(papel: Papel | undefined) {
  useEffect(() => {
    if (papel === undefined) return;
    const fetchAll = () => {
      for (const { provavel, tela } of lugaresDe(papel)) if (provavel) tela.adiantar();
    };
    // Not in every browser.
    if (typeof window.requestIdleCallback !== 'function') {
      const timer = setTimeout(fetchAll, ADIANTAR_MS);
      return () => clearTimeout(timer);
    }
    const idle = window.requestIdleCallback(fetchAll, { timeout: ADIANTAR_MS });
    return () => window.cancelIdleCallback(idle);
  }, [papel]);
}
const ADIANTAR_MS = 2_000;

function IrEntrar({ volta }: { volta: string }) {
  useEffect(() => {
    document.title = 'Entrar – Malote';
  }, []);
  return <Redirect to={volta === '/' ? '/entrar' : `/entrar?volta=${encodeURIComponent(volta)}`} replace />;
}
